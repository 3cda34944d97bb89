"""Whole numbers as devices print them."""

from __future__ import annotations

MOST_DIGITS = 20  # of an unsigned 64-bit counter
HIGHEST = 4095  # in a list: a VLAN


def whole(text: str) -> int | None:
    """The number that decimal digits write, None where the text is anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None


def numbers(text: str) -> list[int]:
    """The numbers of a list such as `3`, `3-4` or `0-3,5`; none where the text is no such list or goes beyond 4095."""
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        low, high = whole(first), whole(last if dash else first)
        if low is None or high is None or high > HIGHEST:
            return []
        found.extend(range(low, high + 1))
    return found
