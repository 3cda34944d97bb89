"""A rule: its file as it is written, and the same with its expressions compiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from roce_lint.checks import CHECKS
from roce_lint.checks.check import Checked, Params
from roce_lint.lint.expr import Env, Expr, ExpressionError, Names, Trace, compiled
from roce_lint.lint.kinds import BOOL, NUMBER, TEXT, Kind, kind_of
from roce_lint.lint.kleene import UNKNOWN
from roce_lint.lint.scopes import DEFAULT_NEEDS, NAMES, Needs, Scope
from roce_lint.lint.words import shown
from roce_lint.model.finding import Severity

if TYPE_CHECKING:
    from roce_lint.lint.rulefile import Example

Blame = Literal["sender", "receiver", "both", "auto", "here", "a", "b"]


@dataclass(frozen=True, slots=True)
class Written:
    """A rule as its file has it, without its reasons; `severities` are pairs of a condition and what holds under it."""

    id: str
    title: str
    severities: tuple[tuple[str | None, Severity], ...]
    scope: Scope
    message: str
    references: tuple[str, ...]
    needs: Needs | None = None
    when: str | None = None
    expect: str | None = None
    same: str | None = None
    across: tuple[str, ...] | None = None
    check: str | None = None
    params: Params = field(default_factory=dict)
    blame: Blame = "auto"
    caused_by: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that can be run. `expect` gives whether the law holds; a check gives that with terms under the name `found`."""

    id: str
    title: str
    scope: Scope
    needs: Needs
    severities: tuple[tuple[Expr | None, Severity], ...]
    when: Expr | None
    expect: Expr | None
    same: Expr | None
    across: tuple[Expr, ...]
    check: Callable[[Env, Params], Checked] | None
    params: Params
    blame: Blame
    message: Message
    caused_by: frozenset[str]
    references: tuple[str, ...]
    source: Written

    @property
    def family(self) -> str:
        return self.id.split("-")[0]


class Message:
    """A text with paths in braces, which are compiled when first a subject needs words."""

    def __init__(self, text: str, names: Names) -> None:
        self._text, self._names = text, names

    @cached_property
    def pieces(self) -> tuple[str | Expr | _Name, ...]:
        """The texts and what stands between them. Raises ExpressionError where a hole is no path."""
        return tuple(_pieces(self._text, self._names))

    def of(self, env: Env) -> str:
        """The text for a subject; what is not stated shows as `?`."""
        parts = []
        for piece in self.pieces:
            if isinstance(piece, str):
                parts.append(piece)
            elif isinstance(piece, _Name):
                parts.append(str(env[piece.name]))
            else:
                value = piece(env, Trace())
                parts.append("?" if value is UNKNOWN else shown(value))
        return "".join(parts)


@dataclass(frozen=True, slots=True)
class _Name:
    name: str


_HOLE = re.compile(r"\{([^{}]*)\}")


def message(text: str, names: Names) -> Message:
    """A message that is checked at once. Raises ExpressionError where a hole is no path."""
    made = Message(text, names)
    assert made.pieces is not None
    return made


def _pieces(text: str, names: Names) -> Iterator[str | Expr | _Name]:
    position = 0
    for hole in _HOLE.finditer(text):
        if hole.start() > position:
            yield text[position : hole.start()]
        inner = hole[1].strip()
        yield _Name(inner) if inner in names else compiled(inner, names)
        position = hole.end()
    if position < len(text):
        yield text[position:]


class RuleError(Exception):
    """What is wrong with a field of a rule file: the field's name and what is expected there."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(f"{field}: {text}")
        self.field, self.text = field, text


def rule(source: Written, shipped: bool = False) -> Rule:
    """A rule file with its expressions checked and compiled; the message of one that ships, whose file was checked, when it is needed.

    Raises RuleError.
    """
    if sum(body is not None for body in (source.expect, source.same, source.check)) != 1:
        raise RuleError("expect", "exactly one of expect, same and check expected")
    names: Names = NAMES[source.scope]
    check = None
    if source.check is not None:
        row = CHECKS.get(source.check)
        if row is None:
            raise RuleError("check", f"no check {source.check!r}; one of {', '.join(sorted(CHECKS))} expected")
        check = row.run
        names = {**names, "found": {name: kind for name, type_ in row.terms.items() if (kind := kind_of(type_)) is not None}}
        for param in source.params:
            if param not in row.params:
                raise RuleError("params", f"no parameter {param!r}; one of {', '.join(sorted(row.params)) or 'none'} expected")
    if (source.same is None) != (source.across is None):
        raise RuleError("across", "same and across expected together")
    if source.same is not None:
        names = {**names, "peers": {"usual": TEXT, "count": NUMBER, "total": NUMBER}}
    return Rule(
        id=source.id,
        title=source.title,
        scope=source.scope,
        needs=source.needs or DEFAULT_NEEDS.get(source.scope, "nothing"),
        severities=tuple((_expression("severity", when, names, BOOL), severity) for when, severity in source.severities),
        when=_expression("when", source.when, names, BOOL),
        expect=_expression("expect", source.expect, names, BOOL),
        same=_any("same", source.same, names),
        across=tuple(each for text in source.across or () if (each := _any("across", text, names)) is not None),
        check=check,
        params=source.params,
        blame=source.blame,
        message=Message(source.message, names) if shipped else _message(source.message, names),
        caused_by=frozenset(source.caused_by),
        references=source.references,
        source=source,
    )


def _expression(field: str, text: str | None, names: Names, wanted: Kind) -> Expr | None:
    if text is None:
        return None
    try:
        return compiled(text, names, wanted)
    except ExpressionError as error:
        raise RuleError(field, str(error)) from None


def _any(field: str, text: str | None, names: Names) -> Expr | None:
    """An expression of any kind that can be compared."""
    try:
        return None if text is None else compiled(text, names)
    except ExpressionError as error:
        raise RuleError(field, str(error)) from None


def _message(text: str, names: Names) -> Message:
    try:
        return message(text, names)
    except ExpressionError as error:
        raise RuleError("message", str(error)) from None


def ordered(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Rules with every cause before what it causes. Raises RuleError where they cause each other."""
    by_id = {each.id: each for each in rules}
    done: dict[str, Rule] = {}

    def visit(each: Rule, above: tuple[str, ...]) -> None:
        if each.id in above:
            raise RuleError("caused_by", f"a rule cannot cause itself: {' -> '.join((*above, each.id))}")
        if each.id in done:
            return
        for cause in sorted(each.caused_by):
            if cause in by_id:
                visit(by_id[cause], (*above, each.id))
        done[each.id] = each

    for each in sorted(rules, key=lambda one: one.id):
        visit(each, ())
    return tuple(done.values())
