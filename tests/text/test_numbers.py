"""Whole numbers and lists of them as devices and users write them."""

from __future__ import annotations

import pytest

from roce_lint.text.numbers import numbers, real, whole, whole_or_hexadecimal


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("18446744073709551615", 18446744073709551615),
        ("9" * 21, None),
        ("²", None),
        ("٣", None),
        ("-1", None),
        (" 1", None),
        ("", None),
    ],
)
def test_only_decimal_digits_of_at_most_64_bits_are_a_whole_number(text: str, expected: int | None) -> None:
    assert whole(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", [3]),
        ("3-4", [3, 4]),
        ("0-2,5", [0, 1, 2, 5]),
        ("3, 4", [3, 4]),
        ("4-3", []),
        ("3-", []),
        ("all", []),
        ("0-4095", list(range(4096))),
        ("0-4096", []),
        ("0-99999999999", []),
    ],
)
def test_a_list_is_read_whole_or_not_at_all(text: str, expected: list[int]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("106", 106),
        ("0x6a", 106),
        ("0X6A", 106),
        ("0x", None),
        ("0x6g", None),
        ("0x٦", None),
        ("6a", None),
        ("0x_6", None),
        ("0x" + "f" * 21, None),
    ],
)
def test_hexadecimal_digits_stand_behind_0x(text: str, expected: int | None) -> None:
    assert whole_or_hexadecimal(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5", 5.0),
        ("0.5", 0.5),
        (".5", None),
        ("5.", None),
        ("1e3", None),
        ("nan", None),
        ("inf", None),
        ("-1", None),
        ("٥", None),
        ("1.2.3", None),
    ],
)
def test_a_real_number_is_digits_with_a_fraction(text: str, expected: float | None) -> None:
    assert real(text) == expected
