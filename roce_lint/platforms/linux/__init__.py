"""What any Linux host says with the tools of the kernel, rdma-core, lldpd and lldpad."""

from __future__ import annotations

from roce_lint.platforms.linux import dcb, ethtool, gids, identity, ip_link, lldpcli, lldptool, rdma, sysfs
from roce_lint.platforms.platform import Platform

PLATFORM = Platform(
    "linux",
    "host",
    (
        dcb.READER,
        *ethtool.READERS,
        *gids.READERS,
        *rdma.READERS,
        ip_link.READER,
        *sysfs.READERS,
        lldpcli.READER,
        lldptool.READER,
        identity.READER,
    ),
)
