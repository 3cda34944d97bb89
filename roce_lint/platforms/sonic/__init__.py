"""Community SONiC: CONFIG_DB in every form, and the answers of its show commands."""

from __future__ import annotations

from roce_lint.platforms.platform import Platform, Reader
from roce_lint.platforms.sonic import config, counters, shows
from roce_lint.platforms.sonic.complete import completed
from roce_lint.text.lldpd import neighbours

LLDP = Reader(
    "lldpctl",
    neighbours,
    asked=("docker exec lldp lldpctl -f json", "docker exec lldp lldpctl -f json0", "docker exec lldp{asic} lldpctl -f json"),
    send=("docker exec lldp lldpctl -f json",),
)
PLATFORM = Platform("sonic", "switch", (config.READER, *shows.READERS, *counters.READERS, LLDP), completed)
