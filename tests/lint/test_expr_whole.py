"""All that an expression may say and give, and everything else refused: calls, attributes of Python, other syntax, sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from roce_lint.lint.clean import LINE
from roce_lint.lint.expr import Expr, ExpressionError, Trace, compiled
from roce_lint.lint.kinds import BOOL, NUMBER, TEXT, Kind, members
from roce_lint.lint.kleene import UNKNOWN
from roce_lint.lint.scopes import NAMES
from roce_lint.model.facts import Fact, Table
from roce_lint.model.finding import Cite
from roce_lint.model.outcome import AtLeast, Derived, Missing
from roce_lint.model.ports import Port

KINDS: Mapping[str, Mapping[str, Kind]] = {
    "here": {
        "on": Kind("set", NUMBER),
        "names": Kind("set", TEXT),
        "size": NUMBER,
        "least": NUMBER,
        "lossless": BOOL,
        "trust": Kind("text", words=frozenset({"dscp", "pcp"})),
        "map": Kind("table", NUMBER),
        "port": Kind("record", record=Port),
    },
    "there": members(Port),
}


@dataclass
class Stated:
    """A root with values by path; any other path is not stated."""

    values: Mapping[str, object]

    def read(self, path: str) -> Derived[object] | Missing:
        if path not in self.values:
            return Missing((("leaf1", path),))
        value = self.values[path]
        return Derived(value, (Cite(path, Fact(value, (LINE,), "configured"), "leaf1", "p1"),))


def value(text: str, **values: object) -> object:
    env = {"here": Stated(values), "there": Stated(values)}
    return compiled(text, KINDS)(env, Trace())


def refusal(text: str, wanted: Kind | None = None) -> str:
    with pytest.raises(ExpressionError) as caught:
        compiled(text, KINDS, wanted)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("True", True),
        ("3 + 4 * 2 - 1", 10),
        ("-3 < 0", True),
        ("1 < 2 < 3", True),
        ("1 < 2 > 3", False),
        ("'dscp' == 'dscp'", True),
        ("2 in {0, 2}", True),
        ("3 not in {0, 2}", True),
        ("{1} <= {1, 2}", True),
        ("{1, 2} < {1, 2}", False),
        ("len({1, 2} & {2, 3})", 1),
        ("len({1, 2} | {2, 3})", 3),
        ("len({1, 2} - {2, 3})", 1),
        ("len(set())", 0),
        ("min({4, 2}) + max({4, 2}) + sum({4, 2})", 12),
        ("not (1 == 2) and (False or True)", True),
        ("any(x > 2 for x in {1, 3})", True),
        ("all(x > 2 for x in {1, 3})", False),
        ("any(x > 2 for x in set())", False),
    ],
)
def test_an_expression_reckons_as_in_python(text: str, result: object) -> None:
    assert value(text) == result


@pytest.mark.parametrize(
    ("text", "values", "result"),
    [
        ("here.size == 4", {"size": 4}, True),
        ("here.size == 4", {}, UNKNOWN),
        ("not here.lossless", {}, UNKNOWN),
        ("here.lossless and here.size == 4", {"size": 5}, False),
        ("here.lossless and here.size == 4", {"size": 4}, UNKNOWN),
        ("here.lossless or here.size == 4", {"size": 4}, True),
        ("here.lossless or here.size == 4", {"size": 5}, UNKNOWN),
        ("3 in here.on", {"on": AtLeast({3})}, True),
        ("4 in here.on", {"on": AtLeast({3})}, UNKNOWN),
        ("here.on == {3}", {"on": AtLeast({3})}, UNKNOWN),
        ("here.on == {4}", {"on": AtLeast({3})}, False),
        ("len(here.on) > 0", {"on": AtLeast({3})}, True),
        ("len(here.on) == 0", {"on": AtLeast({3})}, False),
        ("len(here.on) < 3", {"on": AtLeast({3})}, UNKNOWN),
        ("len(here.on) + 1 >= 2", {"on": AtLeast({3})}, True),
        ("here.on <= {3, 4}", {"on": AtLeast({5})}, False),
        ("here.on <= {3, 4}", {"on": AtLeast({3})}, UNKNOWN),
        ("max(here.on) == 3", {"on": AtLeast({3})}, UNKNOWN),
        ("max(here.on) == 3", {"on": frozenset[int]()}, UNKNOWN),
        ("any(x > 2 for x in here.on)", {"on": AtLeast({3})}, True),
        ("any(x > 3 for x in here.on)", {"on": AtLeast({3})}, UNKNOWN),
        ("all(x > 2 for x in here.on)", {"on": AtLeast({3})}, UNKNOWN),
        ("all(x > 3 for x in here.on)", {"on": AtLeast({3})}, False),
        ("all(x > here.size for x in here.on)", {"on": frozenset({3})}, UNKNOWN),
        ("here.map[26] == 3", {"map[26]": 3}, True),
        ("here.map[here.size] == 3", {"size": 26, "map[26]": 3}, True),
        ("here.map[here.size] == 3", {}, UNKNOWN),
        ("here.map[-1] == 3", {"map[-1]": 3}, UNKNOWN),
        ("here.map[0.5] == 3", {}, UNKNOWN),
        ("here.map[len(here.on)] == 3", {"on": AtLeast({3}), "map[1]": 3}, UNKNOWN),
        ("all(here.map[x] == 3 for x in here.on)", {"on": frozenset({3, 4}), "map[3]": 3, "map[4]": 3}, True),
        ("26 in here.map", {"map": Table({26: Fact(3, (LINE,), "configured")})}, True),
        ("27 in here.map", {"map": Table({26: Fact(3, (LINE,), "configured")})}, UNKNOWN),
        ("len(here.map) >= 1", {"map": Table({26: Fact(3, (LINE,), "configured")})}, True),
        ("here.port.queues[3].marking.ecn", {"port.queues[3].marking.ecn": True}, True),
    ],
)
def test_what_is_not_stated_is_unknown_unless_the_rest_decides(text: str, values: Mapping[str, object], result: object) -> None:
    found = value(text, **values)
    assert found is result if isinstance(result, bool) or result is UNKNOWN else found == result


def test_every_operand_is_read_for_its_lines_and_for_what_it_lacks() -> None:
    trace = Trace()
    expression = compiled("here.lossless or here.size == 4 or here.least > 1", KINDS)
    assert expression({"here": Stated({"size": 5})}, trace) is UNKNOWN
    assert [(root, cite.path) for root, cite in trace.cites.values()] == [("here", "size")]
    assert [each.what for each in trace.missing] == [(("leaf1", "lossless"),), (("leaf1", "least"),)]
    assert expression.paths == ("here.lossless", "here.size", "here.least")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hear.size == 4", "unknown name 'hear'; did you mean 'here'?"),
        ("q.size == 4", "unknown name 'q'; one of here, there expected"),
        ("here.sise == 4", "'here.sise': unknown field 'sise'; did you mean 'size'?"),
        ("here.port.queues[3].marking.enc", "'here.port.queues[3].marking.enc': unknown field 'enc'; did you mean 'ecn'?"),
        ("here.port.prc.priorities", "'here.port.prc.priorities': unknown field 'prc'; did you mean 'pfc'?"),
        ("here.size.x", "'here.size.x': unknown field 'x'"),
        ("here.size[3]", "'here.size[3]': [] takes a table, not a number"),
        ("here", "'here' is a record, not a value; name one of its fields; one of least, "),
        ("here.port.pfc", "'here.port.pfc' is a Pfc, not a value; name one of its fields"),
        ("here.trust == 'dcsp'", "'here.trust' and \"'dcsp'\" have no word in common, only dcsp, dscp, pcp"),
        ("here.trust in {'l2', 'l3'}", "have no word in common"),
        ("here.size == 'dscp'", "'here.size' is a number and \"'dscp'\" a text: they cannot be compared"),
        ("here.size == here.lossless", "they cannot be compared"),
        ("here.lossless < True", "'here.lossless' is a bool: it has no order"),
        ("here.trust < 'pcp'", "it has no order"),
        ("here.map == here.map", "they cannot be compared"),
        ("here.trust in here.on", "'here.trust' is a text and cannot be in 'here.on', a set of number"),
        ("3 in here.size", "cannot be in"),
        ("here.size and True", "'here.size' is a number, a bool is expected"),
        ("not here.size", "'here.size' is a number, a bool is expected"),
        ("here.on + here.on", "'here.on' is a set of number, a number is expected"),
        ("here.size & here.on", "'here.size' is a number, a set is expected"),
        ("len(here.size)", "len() takes a set, 'here.size' is a number"),
        ("sum(here.names)", "sum() takes a set of numbers, 'here.names' is a set of text"),
        ("max(here.map)", "max() takes a set, 'here.map' is a table of number"),
        ("{1, 'a'} == set()", "members of one kind expected in a set"),
        ("{True} == set()", "only numbers and texts can stand in a set"),
        ("{here.size} == set()", "only numbers and texts can stand in a set"),
        ("here.map[here.trust] == 3", "'here.trust' is a text, a number is expected"),
        ("here.map[True] == 3", "'True' is a bool, a number is expected"),
    ],
)
def test_what_is_wrong_is_said_with_what_is_expected(text: str, message: str) -> None:
    assert message in refusal(text)


def test_an_expression_of_another_kind_than_is_wanted_is_refused() -> None:
    assert refusal("here.size", BOOL) == "'here.size' is a number, a bool is expected"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "here.size =",
        "here.size = 4",
        "x := 4",
        "(x := 4) == 4",
        "import os",
        "lambda: 1",
        "(lambda: 1)()",
        "print(1)",
        "open('/etc/passwd')",
        "__import__('os')",
        "eval('1')",
        "getattr(here, 'size')",
        "here.__class__",
        "here.size.__class__",
        "here.port.__dataclass_fields__",
        "().__class__",
        "''.join({'a'})",
        "here.names.pop()",
        "len(here.on, here.on)",
        "len(*here.on)",
        "len(x=here.on)",
        "min(1, 2)",
        "set(here.on)",
        "any(here.on)",
        "any([x for x in here.on])",
        "any({x for x in here.on})",
        "any(x > 1 for x in here.on if x > 2)",
        "any(x > y for x in here.on for y in here.on)",
        "any(any(y > x for y in here.on) for x in here.on)",
        "any(x > 1 async for x in here.on)",
        "any(x for x in here.on)",
        "any(x.y > 1 for x in here.on)",
        "any(here > 1 for here in here.on)",
        "any(a > 1 for a, b in here.on)",
        "any(x > 1 for x in here.map)",
        "[1, 2] == [1, 2]",
        "(1, 2) == (1, 2)",
        "{1: 2} == {1: 2}",
        "{*here.on} == set()",
        "[x for x in here.on] == set()",
        "1 if here.lossless else 2",
        "f'{here.size}' == ''",
        "b'' == b''",
        "None == None",
        "... == ...",
        "1j == 1j",
        "2 ** 9",
        "2 / 1",
        "2 // 1",
        "5 % 2",
        "1 << 3",
        "1 >> 3",
        "1 ^ 3",
        "~1",
        "+1",
        "1 @ 2",
        "1 is 1",
        "1 is not 1",
        "'a' * 10",
        "'a' + 'b'",
        "{1} * 2",
        "here.trust[0] == 'd'",
        "here.map[1:2] == 3",
        "here.map[1, 2] == 3",
        "await here.size",
        "yield 1",
        "here.size == 4; True",
        "here.size == 4\nTrue",
        "1or True",
        "'\\d' == ''",
        "10000000000000000 > 1",
        "1e999 > 1",
        "9999999999999999 in {1}",
        "{10000000000000000} == set()",
        "here.map[10000000000000000] == 3",
        "here.size == ٤",
        "here.trust == 'dscp\u0000'",
        "\x00",
    ],
)
def test_everything_else_is_refused(text: str) -> None:
    refusal(text)


def test_an_expression_has_at_most_500_ascii_characters_and_60_nodes() -> None:
    assert value("here.size == 4" + " " * 480, size=4) is True
    assert "at most 500 ASCII characters" in refusal("here.size == 4" + " " * 490)
    assert "at most 500 ASCII characters" in refusal("here.size == '\u00e4'")
    assert value(" + ".join(["1"] * 30)) == 30
    for long in (" + ".join(["1"] * 61), "-" * 400 + "1", "not " * 100 + "True", "(" * 240 + "1" + ")" * 240):
        refusal(long)
    assert value("(" * 90 + "1" + ")" * 90) == 1


def test_numbers_that_grow_beyond_reckoning_are_unknown() -> None:
    assert value("*".join(["999999999999999"] * 25) + " * 1.5 > 0") is UNKNOWN


def test_what_a_rule_may_name_is_a_value_that_its_roots_can_read() -> None:
    for names in NAMES.values():
        for root, known in names.items():
            for name, kind in known.items():
                if kind.name != "record":
                    assert isinstance(compiled(f"{root}.{name}", names), Expr)
