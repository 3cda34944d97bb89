"""What any Linux host says with the tools of the kernel, rdma-core and lldpd."""

from __future__ import annotations

from roce_lint.platforms.linux import dcb, ethtool, gids, ip_link, sysfs
from roce_lint.platforms.platform import Platform

PLATFORM = Platform("linux", "host", (dcb.READER, *ethtool.READERS, *gids.READERS, ip_link.READER, sysfs.READER))
