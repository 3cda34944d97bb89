"""Who is at the other end of a host's ports, by lldpd: `lldpcli -f json0 show neighbors`."""

from __future__ import annotations

from roce_lint.platforms.platform import Lines, Reader
from roce_lint.text import lldpd


def recognise(lines: Lines) -> bool:
    """Whether a text is lldpd's JSON without its command."""
    head = "".join(line.strip() for line in lines[:12])
    return head.startswith("{") and head[1:].lstrip().startswith('"lldp"')


def _questions() -> tuple[str, ...]:
    asked = tuple(f"lldpcli -f {form} show neighbors" for form in ("json0", "json"))
    after = tuple(f"lldpcli show neighbors -f {form}" for form in ("json0", "json"))
    rest = ("", " details", " ports {ports}", " ports {ports} details")
    return (*(f"{each}{more}" for each in asked for more in rest), *after, "lldpctl -f json", "lldpctl -f json0")


READER = Reader("lldpcli", lldpd.neighbours, asked=_questions(), recognise=recognise, send=("lldpcli -f json0 show neighbors details",))
