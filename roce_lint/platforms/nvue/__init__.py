"""Cumulus Linux 5.x with NVUE: its configuration in every form, and what `nv show qos roce` says."""

from __future__ import annotations

from roce_lint.platforms.nvue import config, show
from roce_lint.platforms.nvue.complete import completed
from roce_lint.platforms.platform import Platform

PLATFORM = Platform("nvue", "switch", (*config.READERS, *show.READERS), completed)
