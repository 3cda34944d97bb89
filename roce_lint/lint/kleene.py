"""Three-valued operators: what is known of a result when part of what it rests on is not stated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import floor
from typing import Final

from roce_lint.model.facts import Table
from roce_lint.model.outcome import AtLeast


class Unstated:
    """The value of what nobody stated."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "unknown"


UNKNOWN: Final = Unstated()
Value = object


class Minimum(int):
    """A number of which only a lower bound is known."""

    __slots__ = ()


def size(value: Value) -> Value:
    """The number of members of a set or of entries of a table, which may have more than those listed."""
    if isinstance(value, Table):
        return Minimum(len(value.entries))
    if isinstance(value, AtLeast):
        return Minimum(len(value))
    return len(value)  # type: ignore[arg-type]


def both(left: Value, right: Value) -> Value:
    """`left & right` of sets."""
    common = left & right  # type: ignore[operator]
    return AtLeast(common) if isinstance(left, AtLeast) or isinstance(right, AtLeast) else frozenset(common)


def either(left: Value, right: Value) -> Value:
    """`left | right` of sets."""
    every = left | right  # type: ignore[operator]
    return AtLeast(every) if isinstance(left, AtLeast) or isinstance(right, AtLeast) else frozenset(every)


def minus(left: Value, right: Value) -> Value:
    """`left - right` of numbers or sets."""
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        if isinstance(right, AtLeast):
            return UNKNOWN if isinstance(left, AtLeast) or left - right else frozenset[int]()
        rest = frozenset(left) - frozenset(right)
        return AtLeast(rest) if isinstance(left, AtLeast) else rest
    if isinstance(left, Minimum) or isinstance(right, Minimum):
        return UNKNOWN
    return left - right  # type: ignore[operator]


def plus(left: Value, right: Value) -> Value:
    """`left + right` of numbers."""
    if isinstance(left, Minimum) or isinstance(right, Minimum):
        return Minimum(floor(left + right))  # type: ignore[operator]
    return left + right  # type: ignore[operator]


def times(left: Value, right: Value) -> Value:
    """`left * right` of numbers."""
    if isinstance(left, Minimum) or isinstance(right, Minimum):
        return UNKNOWN
    return left * right  # type: ignore[operator]


def equal(left: Value, right: Value) -> Value:
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        part, whole = (right, left) if isinstance(right, AtLeast) else (left, right)
        if not isinstance(part, AtLeast):
            return left == right
        return False if not isinstance(whole, AtLeast) and not frozenset(part) <= frozenset(whole) else UNKNOWN
    if isinstance(left, Minimum) or isinstance(right, Minimum):
        bound, other = (left, right) if isinstance(left, Minimum) else (right, left)
        return False if not isinstance(other, Minimum) and other < bound else UNKNOWN  # type: ignore[operator]
    return left == right


def unequal(left: Value, right: Value) -> Value:
    return negated(equal(left, right))


def negated(value: Value) -> Value:
    return value if value is UNKNOWN else not value


def at_most(left: Value, right: Value) -> Value:
    """`left <= right`: of sets, that every member of the left is in the right."""
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        inside = frozenset(left) <= frozenset(right)
        if inside:
            return UNKNOWN if isinstance(left, AtLeast) else True
        return UNKNOWN if isinstance(right, AtLeast) else False
    return _ordered(left, right, strict=False)


def below(left: Value, right: Value) -> Value:
    """`left < right` of numbers; of sets, that the left is a proper part of the right."""
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        if isinstance(left, AtLeast) or isinstance(right, AtLeast):
            return UNKNOWN
        return left < right
    return _ordered(left, right, strict=True)


def _ordered(left: Value, right: Value, strict: bool) -> Value:
    holds = left < right if strict else left <= right  # type: ignore[operator]
    if isinstance(left, Minimum) and isinstance(right, Minimum):
        return UNKNOWN
    if isinstance(left, Minimum):
        return UNKNOWN if holds else False
    if isinstance(right, Minimum):
        return True if holds else UNKNOWN
    return holds


def at_least(left: Value, right: Value) -> Value:
    return at_most(right, left)


def above(left: Value, right: Value) -> Value:
    return below(right, left)


def member(left: Value, right: Value) -> Value:
    """`left in right` of a set or of a table's keys, of which only those listed are known."""
    if isinstance(right, Table):
        return True if right.otherwise is not None or left in right.entries else UNKNOWN
    if isinstance(left, Minimum):
        return False if not isinstance(right, AtLeast) and all(each < left for each in right) else UNKNOWN  # type: ignore[attr-defined]
    if left in right:  # type: ignore[operator]
        return True
    return UNKNOWN if isinstance(right, AtLeast) else False


def not_member(left: Value, right: Value) -> Value:
    return negated(member(left, right))


def least(values: Value) -> Value:
    return UNKNOWN if isinstance(values, AtLeast) or not values else min(values)  # type: ignore[call-overload]


def most(values: Value) -> Value:
    return UNKNOWN if isinstance(values, AtLeast) or not values else max(values)  # type: ignore[call-overload]


def total(values: Value) -> Value:
    return UNKNOWN if isinstance(values, AtLeast) else sum(values)  # type: ignore[call-overload]


def bounded(operator: Callable[[Value, Value], Value]) -> Callable[[Value, Value], Value]:
    """An operator that is unknown where its numbers grow beyond what can be reckoned with."""

    def operate(left: Value, right: Value) -> Value:
        try:
            return operator(left, right)
        except (OverflowError, ValueError):
            return UNKNOWN

    return operate


COMPARISONS: Mapping[str, Callable[[Value, Value], Value]] = {
    "Eq": equal,
    "NotEq": unequal,
    "LtE": at_most,
    "Lt": below,
    "GtE": at_least,
    "Gt": above,
    "In": member,
    "NotIn": not_member,
}
OPERATORS: Mapping[str, Callable[[Value, Value], Value]] = {
    "Add": bounded(plus),
    "Sub": bounded(minus),
    "Mult": bounded(times),
    "BitAnd": both,
    "BitOr": either,
}
FUNCTIONS: Mapping[str, Callable[[Value], Value]] = {"len": size, "min": least, "max": most, "sum": total}
