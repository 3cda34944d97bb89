"""A rule: its file as it is written, and the same with its expressions compiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from roce_lint.checks import CHECKS
from roce_lint.checks.check import Checked, Params
from roce_lint.lint.expr import Env, Expr, ExpressionError, Names, Trace, compiled
from roce_lint.lint.kinds import BOOL, NUMBER, TEXT, Kind, kind_of
from roce_lint.lint.kleene import UNKNOWN
from roce_lint.lint.scopes import DEFAULT_NEEDS, NAMES, Needs, Scope
from roce_lint.lint.words import shown
from roce_lint.model.finding import Severity

Blame = Literal["sender", "receiver", "both", "auto", "here", "a", "b"]


class Graded(BaseModel):
    """A severity that holds under a condition; without `when` it holds where none before did."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)
    when: str | None = None
    severity: Severity = Field(alias="is")


class Example(BaseModel):
    """The scope's clean subject with changes, and the outcome that the rule must have for it."""

    model_config = ConfigDict(extra="forbid")
    name: str
    given: dict[str, Any] | list[dict[str, Any]] = Field(default_factory=dict)
    then: Literal["pass", "fail", "unknown", "not_applicable"]
    severity: Severity | None = None


class RuleFile(BaseModel):
    """rules/<family>/<id>.yaml."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)
    id: str = Field(pattern=r"^[a-z]+(-[a-z]+)+$")
    title: str
    severity: Severity | list[Graded]
    scope: Scope
    needs: Needs | None = None
    when: str | None = None
    expect: str | None = None
    same: str | None = None
    across: list[str] | None = None
    check: str | None = None
    params: dict[str, int | float | str | bool] = Field(default_factory=dict)
    blame: Blame = "auto"
    message: str
    why: str
    exception: str | None = Field(default=None, alias="except")
    fix: str | list[dict[str, str]] = "plan"
    caused_by: list[str] = Field(default_factory=list)
    references: list[str]
    examples: list[Example] = Field(default_factory=list)


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
    source: RuleFile

    @property
    def family(self) -> str:
        return self.id.split("-")[0]


@dataclass(frozen=True, slots=True)
class Message:
    """A text with paths in braces."""

    pieces: tuple[str | Expr | _Name, ...]

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
    """Raises ExpressionError where a hole is no path."""
    pieces: list[str | Expr | _Name] = []
    position = 0
    for hole in _HOLE.finditer(text):
        pieces.append(text[position : hole.start()])
        inner = hole[1].strip()
        pieces.append(_Name(inner) if inner in names else compiled(inner, names))
        position = hole.end()
    pieces.append(text[position:])
    return Message(tuple(piece for piece in pieces if piece != ""))


class RuleError(Exception):
    """What is wrong with a field of a rule file: the field's name and what is expected there."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(f"{field}: {text}")
        self.field, self.text = field, text


def rule(source: RuleFile) -> Rule:
    """A rule file with its expressions checked and compiled. Raises RuleError."""
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
    graded = source.severity if isinstance(source.severity, list) else [Graded.model_validate({"is": source.severity})]
    return Rule(
        id=source.id,
        title=source.title,
        scope=source.scope,
        needs=source.needs or DEFAULT_NEEDS.get(source.scope, "nothing"),
        severities=tuple((_expression("severity", each.when, names, BOOL), each.severity) for each in graded),
        when=_expression("when", source.when, names, BOOL),
        expect=_expression("expect", source.expect, names, BOOL),
        same=_any(source.same, names),
        across=tuple(each for text in source.across or () if (each := _any(text, names)) is not None),
        check=check,
        params=source.params,
        blame=source.blame,
        message=_message(source.message, names),
        caused_by=frozenset(source.caused_by),
        references=tuple(source.references),
        source=source,
    )


def _expression(field: str, text: str | None, names: Names, wanted: Kind) -> Expr | None:
    if text is None:
        return None
    try:
        return compiled(text, names, wanted)
    except ExpressionError as error:
        raise RuleError(field, str(error)) from None


def _any(text: str | None, names: Names) -> Expr | None:
    """An expression of any kind that can be compared."""
    try:
        return None if text is None else compiled(text, names)
    except ExpressionError as error:
        raise RuleError("same", str(error)) from None


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
