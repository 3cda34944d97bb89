"""Community SONiC: CONFIG_DB in every form, and the answers of its show commands."""

from __future__ import annotations

import re

from roce_lint.platforms.platform import Lines, Platform, Reader
from roce_lint.platforms.sonic import config, counters, shows
from roce_lint.platforms.sonic.complete import completed
from roce_lint.text.lldpd import neighbours

_PORT = re.compile(r"Ethernet(?:-BP)?\d+", re.ASCII)


def _shows_neighbours(lines: Lines) -> bool:
    """Whether a text is lldpd's JSON about ports with names of SONiC."""
    head = "".join(line.strip() for line in lines[:12])
    return (
        head.startswith("{") and head[1:].lstrip().startswith('"lldp"') and any(_PORT.fullmatch(word) for word in head.split('"')[3:20:2])
    )


LLDP = Reader(
    "lldpctl",
    neighbours,
    recognise=_shows_neighbours,
    asked=tuple(
        f"docker exec {option}lldp{asic} lldpctl -f {form}"
        for option in ("", "-i ", "-it ", "-t ")
        for asic in ("", "{asic}")
        for form in ("json", "json0")
    ),
    send=("docker exec lldp lldpctl -f json",),
)
PLATFORM = Platform("sonic", "switch", (config.READER, *shows.READERS, *counters.READERS, LLDP), completed)
