"""Quantities as people write them in an intent: sizes with their unit, speeds, percentages, one number in place of a list.

Each has bounds beyond which no fabric has it, so that a slip of the hand is an error at its line.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from roce_lint.model.bounds import (
    FASTEST_BPS,
    LARGEST_ALPHA,
    LARGEST_BYTES,
    LARGEST_MTU,
    LARGEST_VALUE,
    LONGEST_CABLE_M,
    LONGEST_MS,
    MOST_PORTS,
    SLOWEST_BPS,
    SMALLEST_MTU,
)

SIZE = r"^[0-9]{1,20}(\.[0-9]{1,20})? ?([Bb]|[KkMm][Ii]?[Bb])?$"
RATE = r"^[0-9]{1,20} ?[GgMm]$"
DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
PERCENT = r"^[0-9]{1,3}(\.[0-9]{1,20})? ?%$"
_SIZES = {"": 1, "b": 1, "kb": 1000, "kib": 1024, "mb": 1_000_000, "mib": 1_048_576}
_RATES = {"g": 1_000_000_000, "m": 1_000_000}


def _whole(low: int, high: int) -> BeforeValidator:
    """Takes a whole number within bounds; a number in quotes is a text."""

    def taken(value: object) -> object:
        if isinstance(value, bool | str):
            raise PydanticCustomError("expected", "a whole number")
        if isinstance(value, int | float) and not low <= value <= high:
            raise PydanticCustomError("expected", f"a whole number from {low} to {high}")
        return value

    return BeforeValidator(taken)


def _real(high: int) -> BeforeValidator:
    """Takes a number above 0 within a bound."""

    def taken(value: object) -> object:
        if isinstance(value, bool | str):
            raise PydanticCustomError("expected", "a number")
        if isinstance(value, int | float) and not 0 < value <= high:
            raise PydanticCustomError("expected", f"a number above 0 and at most {high}")
        return value

    return BeforeValidator(taken)


def _bytes(value: object) -> object:
    """150000, 950KB or 1MiB in bytes."""
    if isinstance(value, int) and not isinstance(value, bool):
        size = value
    elif isinstance(value, str) and re.fullmatch(SIZE, value.strip()) is not None:
        unit = value.strip().lstrip("0123456789.")
        whole, _, fraction = value.strip().removesuffix(unit).partition(".")
        size = (int(whole + fraction) * _SIZES[unit.strip().lower()] * 2 + 10 ** len(fraction)) // (2 * 10 ** len(fraction))
    else:
        raise PydanticCustomError("expected", "a size such as 950KB or 150000")
    if not 0 <= size <= LARGEST_BYTES:
        raise PydanticCustomError("expected", "a size from 0 to 64 GiB")
    return size


def _rate(value: object) -> object:
    """400G in bit/s."""
    if isinstance(value, int) and not isinstance(value, bool):
        rate = value
    elif isinstance(value, str) and re.fullmatch(RATE, value.strip()) is not None:
        rate = int(value.strip()[:-1]) * _RATES[value.strip()[-1].lower()]
    else:
        raise PydanticCustomError("expected", "a speed such as 400G")
    if not SLOWEST_BPS <= rate <= FASTEST_BPS:
        raise PydanticCustomError("expected", "a speed from 1M to 10000G")
    return rate


def _fraction(value: object) -> object:
    """10% as 0.1."""
    if isinstance(value, str) and re.fullmatch(PERCENT, value.strip()) is not None:
        value = float(value.strip().removesuffix("%")) / 100
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("expected", "a fraction such as 0.1 or 10%")
    if not 0 <= value <= 1:
        raise PydanticCustomError("expected", "a fraction from 0 to 1, or 0% to 100%")
    return value


def _percent(value: object) -> object:
    """50 or 50% as 50."""
    if isinstance(value, str) and re.fullmatch(PERCENT, value.strip()) is not None:
        value = float(value.strip().removesuffix("%"))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("expected", "a percentage such as 50 or 50%")
    if not 0 <= value <= 100:
        raise PydanticCustomError("expected", "a percentage from 0 to 100")
    return value


def _listed(value: object) -> object:
    return value if isinstance(value, list) or value is None else [value]


def _some(value: list[object]) -> list[object]:
    if not value:
        raise PydanticCustomError("expected", "one at least")
    return value


def _name(value: str) -> str:
    if not value.strip() or not value.isprintable():
        raise PydanticCustomError("expected", "a name")
    return value


def truth(value: object) -> object:
    """A truth as the word that a user wrote: yes, on and true are one."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return {"on": "yes", "true": "yes", "off": "no", "false": "no"}.get(value, value) if isinstance(value, str) else value


def _day(value: object) -> object:
    if not isinstance(value, str) or re.fullmatch(DAY, value.strip()) is None:
        raise PydanticCustomError("expected", "a date such as 2027-01-31")
    return value.strip()


def _rising(value: list[int]) -> list[int]:
    if value != sorted(value):
        raise PydanticCustomError("expected", "the smaller number first")
    return value


Truth = Literal["yes", "no", "on", "off"] | bool
Dscp = Annotated[int, Field(ge=0, le=63), _whole(0, 63)]
Index = Annotated[int, Field(ge=0, le=7), _whole(0, 7)]
Mask = Annotated[int, Field(ge=0, le=255), _whole(0, 255)]
Classes = Annotated[int, Field(ge=0, le=8), _whole(0, 8)]
Weight = Annotated[int, Field(ge=0, le=15), _whole(0, 15)]  # the exponent of the moving average of WRED
Value = Annotated[int, Field(ge=-LARGEST_VALUE, le=LARGEST_VALUE), _whole(-LARGEST_VALUE, LARGEST_VALUE)]
MtuBytes = Annotated[int, Field(ge=SMALLEST_MTU, le=LARGEST_MTU), _whole(SMALLEST_MTU, LARGEST_MTU)]
Metres = Annotated[int, Field(ge=0, le=LONGEST_CABLE_M), _whole(0, LONGEST_CABLE_M)]
Milliseconds = Annotated[int, Field(ge=1, le=LONGEST_MS), _whole(1, LONGEST_MS)]
Ports = Annotated[int, Field(ge=1, le=MOST_PORTS), _whole(1, MOST_PORTS)]
Alpha = Annotated[float, Field(gt=0, le=LARGEST_ALPHA), _real(LARGEST_ALPHA)]
Ratio = Annotated[float, Field(gt=0, le=1000), _real(1000)]
Hours = Annotated[float, Field(gt=0, le=87_600), _real(87_600)]
Seconds = Annotated[float, Field(gt=0, le=86_400), _real(86_400)]
_BYTES = Annotated[int, Field(ge=0, le=LARGEST_BYTES)]
_RATE = Annotated[int, Field(ge=SLOWEST_BPS, le=FASTEST_BPS)]
_UNIT = Annotated[float, Field(ge=0, le=1)]
_HUNDRED = Annotated[float, Field(ge=0, le=100)]
Bytes = Annotated[int, BeforeValidator(_bytes, json_schema_input_type=_BYTES | Annotated[str, Field(pattern=SIZE)])]
Rate = Annotated[int, BeforeValidator(_rate, json_schema_input_type=_RATE | Annotated[str, Field(pattern=RATE)])]
Fraction = Annotated[float, BeforeValidator(_fraction, json_schema_input_type=_UNIT | Annotated[str, Field(pattern=PERCENT)])]
Percent = Annotated[float, BeforeValidator(_percent, json_schema_input_type=_HUNDRED | Annotated[str, Field(pattern=PERCENT)])]
_SOME = Field(min_length=1)
Dscps = Annotated[list[Dscp], AfterValidator(_some), BeforeValidator(_listed, json_schema_input_type=Dscp | Annotated[list[Dscp], _SOME])]
Indices = Annotated[
    list[Index], AfterValidator(_some), BeforeValidator(_listed, json_schema_input_type=Index | Annotated[list[Index], _SOME])
]
Rates = Annotated[list[Rate], AfterValidator(_some), BeforeValidator(_listed, json_schema_input_type=Rate | Annotated[list[Rate], _SOME])]
Name = Annotated[str, AfterValidator(_name), Field(json_schema_extra={"minLength": 1})]
Names = Annotated[list[Name], BeforeValidator(_listed, json_schema_input_type=Name | list[Name])]
Patterns = Annotated[
    list[Name], AfterValidator(_some), BeforeValidator(_listed, json_schema_input_type=Name | Annotated[list[Name], _SOME])
]
Switch = Annotated[Literal["yes", "no"], BeforeValidator(truth, json_schema_input_type=Truth)]
Day = Annotated[date, BeforeValidator(_day, json_schema_input_type=Annotated[str, Field(pattern=DAY)])]
Flag = Annotated[bool, Field(json_schema_extra={"type": ["boolean", "string"], "enum": [True, False, "yes", "no", "on", "off"]})]
_PAIR = Field(min_length=1, max_length=2)
Band = Annotated[
    list[Milliseconds],
    _PAIR,
    AfterValidator(_rising),
    BeforeValidator(_listed, json_schema_input_type=Milliseconds | Annotated[list[Milliseconds], _PAIR]),
]
