"""Named functions for what an expression cannot say: a table, one row each."""

from __future__ import annotations

from collections.abc import Mapping

from roce_lint.checks import buffers, mtu, thresholds
from roce_lint.checks.check import Check

CHECKS: Mapping[str, Check] = {**buffers.CHECKS, **thresholds.CHECKS, **mtu.CHECKS}
