"""Whole numbers as devices print them."""

from __future__ import annotations

MOST_DIGITS = 20  # of an unsigned 64-bit counter


def whole(text: str) -> int | None:
    """The number that decimal digits write, None where the text is anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None
