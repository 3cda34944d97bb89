"""What any Linux host says with the tools of the kernel, rdma-core and lldpd."""

from __future__ import annotations

from roce_lint.platforms.linux import dcb, ethtool, gids, ip_link, sysfs
from roce_lint.platforms.platform import Lines, Platform, Reader
from roce_lint.text.lldpd import neighbours


def _is_lldp(lines: Lines) -> bool:
    head = "".join(line.strip() for line in lines[:12])
    return head.startswith("{") and head[1:].lstrip().startswith('"lldp"')


LLDP = Reader(
    "lldpcli",
    neighbours,
    asked=(
        "lldpcli -f json0 show neighbors ...",
        "lldpcli -f json show neighbors ...",
        "lldpcli show neighbors -f json0 ...",
        "lldpctl -f json ...",
        "lldpctl -f json0 ...",
    ),
    recognise=_is_lldp,
    send=("lldpcli -f json0 show neighbors details",),
)
PLATFORM = Platform("linux", "host", (dcb.READER, *ethtool.READERS, *gids.READERS, ip_link.READER, sysfs.READER, LLDP))
