"""The platforms that are read: one row each. Order decides where two of them recognise one text."""

from __future__ import annotations

from roce_lint.platforms.platform import Platform

PLATFORMS: tuple[Platform, ...] = ()
