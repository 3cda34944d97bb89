"""Three-valued operators: what they say of partly known operands holds for whatever these turn out to be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from roce_lint.lint.clean import LINE
from roce_lint.lint.kleene import COMPARISONS, FUNCTIONS, OPERATORS, UNKNOWN, Minimum, Value, negated
from roce_lint.model.facts import Fact, Table
from roce_lint.model.outcome import AtLeast

NUMBERS = st.integers(-9, 9)
SETS = st.frozensets(st.integers(0, 7))
ON_SETS = ("BitAnd", "BitOr", "Sub")


@st.composite
def partial_numbers(draw: st.DrawFn) -> tuple[Value, Value]:
    """A number, and what is known of it: the number itself, or a lower bound."""
    number = draw(st.one_of(NUMBERS, st.sampled_from([0.5, -1.5, 3.25])))
    if not isinstance(number, int) or draw(st.booleans()):
        return number, number
    return number, Minimum(number - draw(st.integers(0, 3)))


@st.composite
def partial_sets(draw: st.DrawFn) -> tuple[Value, Value]:
    """A set, and what is known of it: the set itself, or some of its members."""
    members = draw(SETS)
    if draw(st.booleans()):
        return members, members
    return members, AtLeast(each for each in members if draw(st.booleans()))


def agrees(known: Value, true: Value) -> bool:
    """Whether what is said of a result can be said of the true one."""
    if known is UNKNOWN:
        return True
    if isinstance(known, AtLeast):
        return frozenset(known) <= true  # type: ignore[operator]
    if isinstance(known, Minimum):
        return known <= true  # type: ignore[operator]
    return known == true


@given(partial_numbers(), partial_numbers(), st.sampled_from(["Eq", "NotEq", "LtE", "Lt", "GtE", "Gt"]))
def test_a_comparison_of_bounds_holds_for_every_number_above_them(left: tuple[Value, Value], right: tuple[Value, Value], name: str) -> None:
    assert agrees(COMPARISONS[name](left[1], right[1]), COMPARISONS[name](left[0], right[0]))


@given(partial_sets(), partial_sets(), st.sampled_from(["Eq", "NotEq", "LtE", "Lt", "GtE", "Gt"]))
def test_a_comparison_of_known_members_holds_for_every_larger_set(left: tuple[Value, Value], right: tuple[Value, Value], name: str) -> None:
    assert agrees(COMPARISONS[name](left[1], right[1]), COMPARISONS[name](left[0], right[0]))


@given(partial_numbers(), partial_sets(), st.sampled_from(["In", "NotIn"]))
def test_membership_holds_for_whatever_is_not_known(left: tuple[Value, Value], right: tuple[Value, Value], name: str) -> None:
    assert agrees(COMPARISONS[name](left[1], right[1]), COMPARISONS[name](left[0], right[0]))


@given(partial_numbers(), partial_numbers(), st.sampled_from(["Add", "Sub", "Mult"]))
def test_arithmetic_with_bounds_bounds_the_result(left: tuple[Value, Value], right: tuple[Value, Value], name: str) -> None:
    assert agrees(OPERATORS[name](left[1], right[1]), OPERATORS[name](left[0], right[0]))


@given(partial_sets(), partial_sets(), st.sampled_from(ON_SETS))
def test_sets_of_known_members_give_known_members(left: tuple[Value, Value], right: tuple[Value, Value], name: str) -> None:
    assert agrees(OPERATORS[name](left[1], right[1]), OPERATORS[name](left[0], right[0]))


@given(partial_sets(), st.sampled_from(sorted(FUNCTIONS)))
def test_a_function_of_known_members_holds_for_every_larger_set(of: tuple[Value, Value], name: str) -> None:
    true = FUNCTIONS[name](of[0])
    assert true is UNKNOWN or agrees(FUNCTIONS[name](of[1]), true)


def test_unknown_stays_unknown_when_negated() -> None:
    assert (negated(UNKNOWN), negated(True), negated(False)) == (UNKNOWN, False, True)


def test_a_key_that_a_table_does_not_list_is_unknown_unless_something_holds_for_the_rest() -> None:
    three: Fact[int] = Fact(3, (LINE,), "configured")
    within = COMPARISONS["In"]
    assert within(26, Table({26: three})) is True
    assert within(27, Table({26: three})) is UNKNOWN
    assert within(27, Table({26: three}, three)) is True
    assert COMPARISONS["Gt"](FUNCTIONS["len"](Table({26: three})), 0) is True
    assert COMPARISONS["Eq"](FUNCTIONS["len"](Table({26: three})), 1) is UNKNOWN


def test_numbers_beyond_reckoning_are_unknown() -> None:
    assert OPERATORS["Mult"](10**400, 1.5) is UNKNOWN
    assert OPERATORS["Add"](Minimum(1), float("inf")) is UNKNOWN
