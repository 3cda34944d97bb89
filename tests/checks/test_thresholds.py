"""Dynamic thresholds, against worked numbers: alpha 1/64, 1/16, 1 and 8 on pools of 10 MB."""

from __future__ import annotations

import pytest

from roce_lint.checks.thresholds import dynamic_threshold


@pytest.mark.parametrize(
    ("alpha", "groups", "threshold"),
    [
        (1 / 64, 1, 153_846),
        (1 / 64, 8, 138_889),
        (1 / 16, 1, 588_235),
        (1 / 16, 8, 416_667),
        (1, 8, 1_111_111),
        (8, 1, 8_888_889),
        (8, 8, 1_230_769),
    ],
)
def test_a_group_begins_to_pause_at_its_share_of_what_is_left(alpha: float, groups: int, threshold: int) -> None:
    assert round(dynamic_threshold(alpha, 10_000_000, groups)) == threshold
