"""Whatever text stands where an expression is expected, and whatever facts are stated: an error that says so, or a value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from roce_lint.fabric.hops import Reach
from roce_lint.lint import clean
from roce_lint.lint.expr import ExpressionError, Trace, compiled
from roce_lint.lint.kinds import Kind, members
from roce_lint.lint.kleene import UNKNOWN
from roce_lint.lint.scopes import NAMES, Case, Scope, cases, class_cases, hop_cases, link_cases, port_cases
from roce_lint.model.changes import unstated
from roce_lint.report.facts import facts

WORDS = [
    "and",
    "or",
    "not",
    "in",
    "is",
    "if",
    "else",
    "for",
    "any",
    "all",
    "len",
    "min",
    "max",
    "sum",
    "set",
    "lambda",
    "True",
    "False",
    "None",
    "x",
    "here",
    ".",
    ",",
    ":",
    "=",
    "==",
    "!=",
    "<=",
    "<",
    ">",
    "+",
    "-",
    "*",
    "/",
    "&",
    "|",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "0",
    "1",
    "3",
    "26",
    "1.5",
    "1e9",
    "'dscp'",
    "'a'",
    "_",
    "__class__",
    ":=",
    "**",
    "//",
    "%",
    "~",
    "@",
    '"',
    "\\",
    "#",
]
SCOPES: tuple[Scope, ...] = ("port", "class_port", "hop", "link", "job", "switch", "intent")


@cache
def paths(scope: Scope) -> Mapping[str, tuple[str, ...]]:
    """The paths that a scope offers, by the kind of their value; a table's keys are written as `[KEY]`."""
    found: dict[str, list[str]] = {}

    def walk(path: str, kind: Kind, depth: int) -> None:
        if kind.name != "record":
            found.setdefault(f"set of {kind.inner}" if kind.name == "set" else kind.name, []).append(path)
        if kind.name == "table" and kind.inner is not None:
            walk(f"{path}[KEY]", kind.inner, depth)
        if kind.record is not None and depth:
            for name, inner in members(kind.record).items():
                walk(f"{path}.{name}", inner, depth - 1)

    for root, known in NAMES[scope].items():
        for name, kind in known.items():
            walk(f"{root}.{name}", kind, 3)
    return {kind: tuple(each) for kind, each in found.items()}


@st.composite
def expressions(draw: st.DrawFn, scope: Scope, kind: str = "bool", depth: int = 3) -> str:
    """A well-formed expression of a kind."""

    def some(kind: str) -> str:
        return draw(expressions(scope, kind, depth - 1))

    here = paths(scope)
    leaf = [re.sub("KEY", str(draw(st.integers(0, 64))), draw(st.sampled_from(here[kind])))] if kind in here else []
    literal = {
        "number": ["3", "0.5", "26"],
        "text": ["'dscp'"],
        "bool": ["True", "False"],
        "set of number": ["{3, 4}", "set()"],
        "set of text": ["{'a'}"],
    }[kind]
    if depth == 0:
        return draw(st.sampled_from(leaf + literal))
    match kind:
        case "bool":
            form = draw(st.integers(0, 7))
            if form == 0:
                return f"({some('bool')} {draw(st.sampled_from(['and', 'or']))} {some('bool')})"
            if form == 1:
                return f"(not {some('bool')})"
            if form == 2:
                return f"({some('number')} {draw(st.sampled_from(['==', '!=', '<', '<=', '>', '>=']))} {some('number')})"
            if form == 3:
                return f"({some('set of number')} {draw(st.sampled_from(['==', '!=', '<', '<=', '>', '>=']))} {some('set of number')})"
            if form == 4:
                return f"({some('number')} {draw(st.sampled_from(['in', 'not in']))} {some('set of number')})"
            if form == 5 and "table" in here:
                return f"({some('number')} in {re.sub('KEY', '3', draw(st.sampled_from(here['table'])))})"
            if form == 6:
                return f"{draw(st.sampled_from(['any', 'all']))}((x > {some('number')}) for x in {some('set of number')})"
            return f"({some('text')} {draw(st.sampled_from(['==', '!=']))} {some('text')})"
        case "number":
            form = draw(st.integers(0, 3))
            if form == 0:
                return f"({some('number')} {draw(st.sampled_from(['+', '-', '*']))} {some('number')})"
            if form == 1:
                return f"{draw(st.sampled_from(['len', 'min', 'max', 'sum']))}({some('set of number')})"
            keyed = [path for path in here.get("number", ()) if "KEY" in path]
            return (
                draw(st.sampled_from(keyed)).replace("KEY", some("number"))
                if keyed and form == 2
                else draw(st.sampled_from(leaf + literal))
            )
        case "set of number":
            return f"({some('set of number')} {draw(st.sampled_from(['&', '|', '-']))} {some('set of number')})"
    return draw(st.sampled_from(leaf + literal))


@cache
def subjects(scope: Scope, forgotten: str | None) -> tuple[Case, ...]:
    """The subjects of a scope on the clean fabric, of which one fact of leaf1/p1 and gpu1/eth0 may not be stated."""
    devices = dict(clean.devices())
    for device, port in (("leaf1", "p1"), ("gpu1", "eth0")) if forgotten is not None else ():
        own = devices[device]
        devices[device] = replace(own, ports={**own.ports, port: unstated(own.ports[port], str(forgotten))})
    fabric = clean.plan().fabrics[0]
    reach = Reach(devices, clean.links(), lambda device, port: fabric, lambda device, port: True)
    return tuple(_subjects(reach, scope))


def _subjects(reach: Reach, scope: Scope) -> Iterator[Case]:
    fabric = clean.plan().fabrics[0]
    if scope in ("job", "switch", "intent"):
        yield from cases(reach, (fabric,), scope)
        return
    for span in reach.spans():
        if scope == "port":
            yield from port_cases(span, scope)
        elif scope == "link":
            yield from link_cases(span, reach)
        else:
            for mark in reach.marks(fabric):
                ends = {id(view): reach.end(view, mark, fabric) for view in (span.a, span.b) if view is not None}
                yield from class_cases(span, mark, ends) if scope == "class_port" else hop_cases(span, mark, ends, reach)


FORGOTTEN = [
    None,
    "pfc",
    "queues",
    "groups",
    "watchdog",
    "rp",
    "cnp",
    *sorted({path for path, _ in facts(clean.switch("p1")) if "to_priority" not in path and "otherwise" not in path}),
]


@settings(max_examples=400, deadline=None)
@given(
    st.one_of(
        st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join), st.text("(){}[]<>=!&|+-*.'x1 \n", max_size=60)
    )
)
def test_any_text_compiles_or_says_what_is_wrong(text: str) -> None:
    for scope in ("port", "hop", "job"):
        try:
            compiled(text, NAMES[scope])
        except ExpressionError as error:
            assert str(error)


@settings(max_examples=600, deadline=None)
@given(st.data())
def test_what_compiles_gives_a_value_or_unknown_for_every_subject(data: st.DataObject) -> None:
    scope = data.draw(st.sampled_from(SCOPES))
    text = data.draw(expressions(scope))
    try:
        expression = compiled(text, NAMES[scope])
    except ExpressionError as error:
        assert str(error)
        return
    for case in subjects(scope, data.draw(st.sampled_from(FORGOTTEN))):
        assert expression(case.env, Trace()) in (True, False, UNKNOWN)
