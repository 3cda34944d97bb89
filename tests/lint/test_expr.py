"""Expressions: what is refused and how, and that what is decided with a part unstated holds for every value of that part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roce_lint.lint.expr import MOST_CHARACTERS, ExpressionError, Trace, compiled
from roce_lint.lint.kinds import BOOL, NUMBER, Kind
from roce_lint.lint.kleene import UNKNOWN, Minimum
from roce_lint.model.outcome import AtLeast, Derived, Missing

SET = Kind("set", NUMBER)
NAMES: Mapping[str, Mapping[str, Kind]] = {
    "port": {"p": BOOL, "q": BOOL, "n": NUMBER, "m": NUMBER, "a": SET, "b": SET, "by": Kind("table", NUMBER)},
    "mode": {"word": Kind("text", words=frozenset({"pcp", "dscp"}))},
}


class Stated:
    """Paths with their values; what is not among them is missing."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self.values = values

    def read(self, path: str) -> Derived[object] | Missing:
        if path in self.values:
            return Derived(self.values[path], ())
        return Missing(((None, path),))


def value(text: str, **values: object) -> object:
    return compiled(text, NAMES)({"port": Stated(values), "mode": Stated({})}, Trace())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("prot.p", "unknown name 'prot'; did you mean 'port'?"),
        ("port.p and port.r", "'port.r': unknown field 'r'; one of a, b, by, m, n, p, q expected"),
        ("port", "'port' is a record, not a value; name one of its fields; one of a, b, by, m, n, p, q expected"),
        ("port.p + 1", "'port.p' is a bool, a number is expected"),
        ("port.n and port.p", "'port.n' is a number, a bool is expected"),
        ("port.n == port.p", "'port.n' is a number and 'port.p' a bool: they cannot be compared"),
        ("port.p < port.q", "'port.p' is a bool: it has no order"),
        ("port.a in port.b", "'port.a' is a set of number and cannot be in 'port.b', a set of number"),
        ("port.n[3]", "'port.n[3]': [] takes a table, not a number"),
        ("mode.word == 'vlan'", "'mode.word' and \"'vlan'\" have no word in common, only dscp, pcp, vlan"),
        ("port.n ** 2", "operator Pow is not allowed; + - * & | are"),
        ("port.n is 3", "comparison Is is not allowed"),
        ("__import__('os')", "\"__import__('os')\" is not allowed"),
        ("open('/etc/passwd')", "\"open('/etc/passwd')\" is not allowed"),
        ("(lambda: 1)()", "'(lambda: 1)()' is not allowed"),
        ("port.__class__", "'port.__class__': unknown field '__class__'"),
        ("any(x > 1 for x in port.n)", "any() runs over a set, 'port.n' is a number"),
        ("any(x > 1 for x in port.a if x)", "one any(EXPR for x in PATH) expected, not nested and without if"),
        ("any(all(y > x for y in port.b) for x in port.a)", "one all(EXPR for x in PATH) expected"),
        ("len(port.n) == 1", "len() takes a set, 'port.n' is a number"),
        ("{1, 'a'} == port.a", "members of one kind expected in a set"),
        ("port.n ==", "no expression: invalid syntax"),
        ("'é' == 'é'", "ASCII characters expected"),
        (" | ".join(["{1}"] * 70) + " == port.a", "at most 60 operators"),
        ("port.p or " * 60 + "port.p", f"at most {MOST_CHARACTERS} ASCII characters expected"),
        ("(" * 240 + "port.p" + ")" * 240, "no expression"),
    ],
)
def test_what_is_no_expression_is_refused_with_what_is_expected(text: str, problem: str) -> None:
    with pytest.raises(ExpressionError) as raised:
        compiled(text, NAMES)
    assert problem in str(raised.value)


def test_an_expression_of_another_kind_than_wanted_is_refused() -> None:
    with pytest.raises(ExpressionError) as raised:
        compiled("port.n", NAMES, BOOL)
    assert str(raised.value) == "'port.n' is a number, a bool is expected"


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("port.p or port.q", {"q": True}, True),
        ("port.p and port.q", {"q": False}, False),
        ("port.p or port.q", {"q": False}, UNKNOWN),
        ("not port.p", {}, UNKNOWN),
        ("port.by[3] == 5", {"by[3]": 5}, True),
        ("port.by[port.n] == 5", {"by[3]": 5, "n": 3}, True),
        ("port.by[port.n] == 5", {"by[3]": 5}, UNKNOWN),
        ("1 < port.n < port.m", {"n": 1}, False),
        ("3 in port.a", {"a": AtLeast({3})}, True),
        ("3 in port.a", {"a": AtLeast({4})}, UNKNOWN),
        ("port.a == port.b", {"a": AtLeast({4}), "b": frozenset({3})}, False),
        ("port.a == port.b", {"a": AtLeast({3}), "b": frozenset({3})}, UNKNOWN),
        ("len(port.a) > 1", {"a": AtLeast({3, 4})}, True),
        ("len(port.a) > 2", {"a": AtLeast({3, 4})}, UNKNOWN),
        ("len(port.a) < 2", {"a": AtLeast({3, 4})}, False),
        ("port.a - port.b == set()", {"a": AtLeast({3}), "b": AtLeast({3})}, UNKNOWN),
        ("port.a - port.b == set()", {"a": frozenset({3}), "b": AtLeast({3})}, True),
        ("len(port.a) in {1, 2}", {"a": AtLeast({3})}, UNKNOWN),
        ("len(port.a) in {1, 2}", {"a": AtLeast({3, 4, 5})}, False),
        ("port.by[len(port.a)] == 5", {"a": AtLeast({3}), "by[1]": 5}, UNKNOWN),
        ("port.a <= port.b", {"a": frozenset({3}), "b": AtLeast({3})}, True),
        ("any(x > 3 for x in port.a)", {"a": AtLeast({4})}, True),
        ("all(x > 3 for x in port.a)", {"a": AtLeast({4})}, UNKNOWN),
        ("all(x > 3 for x in port.a)", {"a": frozenset()}, True),
        ("min(port.a) > 0", {"a": frozenset()}, UNKNOWN),
    ],
)
def test_what_is_not_stated_is_unknown_unless_the_rest_decides(text: str, values: dict[str, Any], expected: object) -> None:
    assert value(text, **values) is expected


NUMBERS = st.integers(0, 3)
SETS = st.frozensets(NUMBERS, max_size=3)
WHOLE = st.fixed_dictionaries({"p": st.booleans(), "q": st.booleans(), "n": NUMBERS, "m": NUMBERS, "a": SETS, "b": SETS})


def set_texts() -> st.SearchStrategy[str]:
    leaves = st.sampled_from(["port.a", "port.b", "{1, 2}", "set()"])
    return st.recursive(
        leaves, lambda inner: st.tuples(inner, st.sampled_from("&|-"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"), max_leaves=4
    )


def number_texts() -> st.SearchStrategy[str]:
    leaves = st.sampled_from(["port.n", "port.m", "2"]) | st.tuples(st.sampled_from(["len", "min", "max", "sum"]), set_texts()).map(
        lambda t: f"{t[0]}({t[1]})"
    )
    return st.recursive(
        leaves, lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"), max_leaves=3
    )


def law_texts() -> st.SearchStrategy[str]:
    orders = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
    leaves = (
        st.sampled_from(["port.p", "port.q"])
        | st.tuples(number_texts(), orders, number_texts()).map(" ".join)
        | st.tuples(set_texts(), orders, set_texts()).map(" ".join)
        | st.tuples(number_texts(), st.sampled_from(["in", "not in"]), set_texts()).map(" ".join)
        | st.tuples(st.sampled_from(["any", "all"]), orders, set_texts()).map(lambda t: f"{t[0]}(x {t[1]} port.n for x in {t[2]})")
    )
    joined = lambda inner: st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})")  # noqa: E731
    return st.recursive(
        leaves.map(lambda text: f"({text})"), lambda inner: joined(inner) | inner.map(lambda text: f"(not {text})"), max_leaves=4
    )


@settings(max_examples=400, deadline=None)
@given(law_texts(), WHOLE, st.data())
def test_what_is_decided_with_a_part_unstated_holds_for_the_whole(text: str, whole: dict[str, Any], data: st.DataObject) -> None:
    """A part of the stated values is dropped, of sets a part of their members; what is then decided must be what the whole gives."""
    try:
        law = compiled(text, NAMES)
    except ExpressionError as error:
        assert "at most" in str(error)
        return
    part: dict[str, object] = {}
    for name, each in whole.items():
        kept = data.draw(st.sampled_from(["whole", "part", "nothing"]), label=name)
        if kept == "part" and isinstance(each, frozenset):
            part[name] = AtLeast(data.draw(st.sets(st.sampled_from(sorted(each)))) if each else ())
        elif kept != "nothing":
            part[name] = each
    decided = law({"port": Stated(part)}, Trace())
    assert not isinstance(decided, Minimum)
    if decided is not UNKNOWN:
        assert law({"port": Stated(whole)}, Trace()) in (decided, UNKNOWN)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_no_text_raises_anything_but_what_is_expected_of_it(text: str) -> None:
    try:
        compiled(text, NAMES)
    except ExpressionError as error:
        assert str(error)
