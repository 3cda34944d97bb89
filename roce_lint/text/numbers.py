"""Numbers as devices print them and people type them: the digits 0 to 9 and nothing else."""

from __future__ import annotations

MOST_DIGITS = 20  # of an unsigned 64-bit counter
HEXADECIMAL = frozenset("0123456789abcdefABCDEF")
HIGHEST = 4095  # in a list: a VLAN


def whole(text: str) -> int | None:
    """The number that decimal digits write, None where the text is anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None


def whole_or_hexadecimal(text: str) -> int | None:
    """The number that decimal digits write, or hexadecimal ones behind `0x`; None where the text is anything else."""
    digits = text[2:] if text[:2].lower() == "0x" else ""
    if digits and len(digits) <= MOST_DIGITS and all(each in HEXADECIMAL for each in digits):
        return int(digits, 16)
    return whole(text)


def real(text: str) -> float | None:
    """The number that decimal digits write, with a fraction behind a point; None where the text is anything else."""
    before, point, after = text.partition(".")
    if whole(before) is None or (point and whole(after) is None):
        return None
    return float(text)


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
