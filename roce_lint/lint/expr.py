"""The expression of a rule: a small, checked subset of Python over stated facts. It cannot run code, raise or loop without end."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from roce_lint.lint import kleene
from roce_lint.lint.kinds import BOOL, NUMBER, Kind, members
from roce_lint.lint.kleene import UNKNOWN, Value
from roce_lint.model.finding import Cite
from roce_lint.model.outcome import AtLeast, Derived, Missing

MOST_CHARACTERS = 500
MOST_NODES = 60
LARGEST = 10**15
_DOUBTFUL = re.compile(r"\\|\d[A-Za-z]")
ALLOWED = "names, literals, comparisons, and, or, not, + - * & |, len, min, max, sum, any, all"


class ExpressionError(Exception):
    """What is wrong with an expression, and what is expected."""


class Root(Protocol):
    """What a name of a scope is bound to."""

    def read(self, path: str) -> Derived[object] | Missing:
        """The value at a path below the name, with the raw facts it rests on."""
        ...


Env = Mapping[str, Root]


@dataclass(slots=True)
class Trace:
    """What an evaluation read, and what it would have needed."""

    cites: dict[tuple[int, str], tuple[str, Cite]] = field(default_factory=dict)
    missing: list[Missing] = field(default_factory=list)

    @property
    def assumed(self) -> bool:
        """Whether a fact that was read is only assumed."""
        return any(cite.fact.basis == "assumed" for _, cite in self.cites.values())

    def add(self, root: str, cites: Sequence[Cite]) -> None:
        for cite in cites:
            self.cites.setdefault((id(cite.fact), cite.raw), (root, cite))


Evaluation = Callable[[Env, Trace], Value]
Names = Mapping[str, Mapping[str, Kind]]


@dataclass(frozen=True, slots=True)
class Expr:
    """A checked expression. Called with what the names are bound to, it gives a value or UNKNOWN and traces what it read."""

    text: str
    kind: Kind
    evaluate: Evaluation
    paths: tuple[str, ...]

    def __call__(self, env: Env, trace: Trace) -> Value:
        return self.evaluate(env, trace)


def compiled(text: str, names: Names, wanted: Kind | None = None) -> Expr:
    """A text as an expression over names and their members. Raises ExpressionError where it is none."""
    if len(text) > MOST_CHARACTERS or not text.isascii():
        raise ExpressionError(f"an expression of at most {MOST_CHARACTERS} ASCII characters expected")
    try:
        tree = _parsed(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"no expression: {getattr(error, 'msg', error)}") from None
    if sum(1 for _ in ast.walk(tree)) > MOST_NODES * 3 or _weight(tree) > MOST_NODES:
        raise ExpressionError(f"at most {MOST_NODES} operators, names and literals expected")
    compiler = _Compiler(names)
    evaluate, kind = compiler.visit(tree.body)
    if wanted is not None and kind.name != wanted.name:
        raise ExpressionError(f"{text!r} is a {kind}, a {wanted} is expected")
    return Expr(text, kind, evaluate, tuple(compiler.paths))


def _parsed(text: str) -> ast.Expression:
    """The syntax tree; what Python only warns of, such as `1or 2`, is an error."""
    if _DOUBTFUL.search(text) is None:
        return ast.parse(text, mode="eval")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return ast.parse(text, mode="eval")


def _weight(tree: ast.AST) -> int:
    skipped = (ast.expr_context, ast.operator, ast.boolop, ast.cmpop, ast.unaryop, ast.Expression, ast.Attribute)
    return sum(1 for node in ast.walk(tree) if not isinstance(node, skipped))


class _Compiler:
    def __init__(self, names: Names) -> None:
        self.names = names
        self.paths: list[str] = []
        self.local: tuple[str, Kind] | None = None

    def visit(self, node: ast.expr) -> tuple[Evaluation, Kind]:
        match node:
            case ast.Constant(value=bool() | int() | float() | str() as value):
                return _constant(_small(value)), _literal(value)
            case ast.Set(elts=elements):
                return self._set(elements)
            case ast.Call(func=ast.Name(id="set"), args=[], keywords=[]):
                return _constant(frozenset()), Kind("set", NUMBER)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return self._path(node)
            case ast.BoolOp(op=op, values=values):
                return self._boolean(isinstance(op, ast.And), values)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                evaluate = self._of(operand, BOOL)
                return (lambda env, trace: kleene.negated(evaluate(env, trace))), BOOL
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                number = self._of(operand, NUMBER)
                return (lambda env, trace: kleene.minus(0, v) if (v := number(env, trace)) is not UNKNOWN else UNKNOWN), NUMBER
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(left, type(op).__name__, right)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                return self._comparison(left, ops, comparators)
            case ast.Call(func=ast.Name(id="any" | "all" as word), args=[ast.GeneratorExp() as generator], keywords=[]):
                return self._quantified(word, generator)
            case ast.Call(func=ast.Name(id=word), args=[argument], keywords=[]) if word in kleene.FUNCTIONS:
                return self._function(word, argument)
        raise ExpressionError(f"{ast.unparse(node)!r} is not allowed; {ALLOWED} are")

    def _of(self, node: ast.expr, wanted: Kind) -> Evaluation:
        evaluate, kind = self.visit(node)
        if kind.name != wanted.name:
            raise ExpressionError(f"{ast.unparse(node)!r} is a {kind}, a {wanted} is expected")
        return evaluate

    def _set(self, elements: Sequence[ast.expr]) -> tuple[Evaluation, Kind]:
        values: list[object] = []
        for element in elements:
            if not isinstance(element, ast.Constant) or type(element.value) not in (int, float, str):
                raise ExpressionError("only numbers and texts can stand in a set")
            values.append(_small(element.value))
        kinds = {_literal(value).name for value in values}
        if len(kinds) != 1:
            raise ExpressionError("members of one kind expected in a set")
        words = frozenset(map(str, values)) if kinds == {"text"} else None
        return _constant(frozenset(values)), Kind("set", Kind("text", words=words) if words is not None else NUMBER)

    def _boolean(self, conjunction: bool, values: Sequence[ast.expr]) -> tuple[Evaluation, Kind]:
        parts = [self._of(value, BOOL) for value in values]
        deciding = not conjunction

        def evaluate(env: Env, trace: Trace) -> Value:
            unknown = False
            for part in parts:
                value = part(env, trace)
                if value is UNKNOWN:
                    unknown = True
                elif value is deciding:
                    return deciding
            return UNKNOWN if unknown else conjunction

        return evaluate, BOOL

    def _binary(self, left: ast.expr, operator: str, right: ast.expr) -> tuple[Evaluation, Kind]:
        if operator not in kleene.OPERATORS:
            raise ExpressionError(f"operator {operator} is not allowed; + - * & | are")
        (first, kind), (second, other) = self.visit(left), self.visit(right)
        sets = operator in ("BitAnd", "BitOr") or (operator == "Sub" and kind.name == "set")
        wanted = "set" if sets else "number"
        for each, side in ((kind, left), (other, right)):
            if each.name != wanted:
                raise ExpressionError(f"{ast.unparse(side)!r} is a {each}, a {wanted} is expected")
        return _two(kleene.OPERATORS[operator], first, second), kind

    def _comparison(self, left: ast.expr, ops: Sequence[ast.cmpop], comparators: Sequence[ast.expr]) -> tuple[Evaluation, Kind]:
        parts: list[Evaluation] = []
        first, kind = self.visit(left)
        for op, comparator in zip(ops, comparators, strict=True):
            name = type(op).__name__
            if name not in kleene.COMPARISONS:
                raise ExpressionError(f"comparison {name} is not allowed")
            second, other = self.visit(comparator)
            _comparable(name, kind, other, ast.unparse(left), ast.unparse(comparator))
            parts.append(_two(kleene.COMPARISONS[name], first, second))
            first, kind, left = second, other, comparator
        if len(parts) == 1:
            return parts[0], BOOL

        def evaluate(env: Env, trace: Trace) -> Value:
            values = [part(env, trace) for part in parts]
            return False if False in values else UNKNOWN if UNKNOWN in values else True

        return evaluate, BOOL

    def _function(self, word: str, argument: ast.expr) -> tuple[Evaluation, Kind]:
        inner, kind = self.visit(argument)
        if kind.name != "set" and not (word == "len" and kind.name == "table"):
            raise ExpressionError(f"{word}() takes a set, {ast.unparse(argument)!r} is a {kind}")
        if word != "len" and kind.inner != NUMBER:
            raise ExpressionError(f"{word}() takes a set of numbers, {ast.unparse(argument)!r} is a {kind}")
        function = kleene.FUNCTIONS[word]
        return (lambda env, trace: function(value) if (value := inner(env, trace)) is not UNKNOWN else UNKNOWN), NUMBER

    def _quantified(self, word: str, generator: ast.GeneratorExp) -> tuple[Evaluation, Kind]:
        clause = generator.generators[0]
        several = len(generator.generators) != 1 or clause.ifs or clause.is_async
        if self.local is not None or several or not isinstance(clause.target, ast.Name):
            raise ExpressionError(f"one {word}(EXPR for x in PATH) expected, not nested and without if")
        source, kind = self.visit(clause.iter)
        if kind.name != "set" or kind.inner is None:
            raise ExpressionError(f"{word}() runs over a set, {ast.unparse(clause.iter)!r} is a {kind}")
        name = clause.target.id
        if name in self.names:
            raise ExpressionError(f"another name than {name!r} expected: it is taken")
        self.local = (name, kind.inner)
        body = self._of(generator.elt, BOOL)
        self.local = None
        deciding = word == "any"

        def evaluate(env: Env, trace: Trace) -> Value:
            found = source(env, trace)
            if found is UNKNOWN:
                return UNKNOWN
            unknown = isinstance(found, AtLeast)
            for each in sorted(found):  # type: ignore[call-overload]
                value = body({**env, name: _Member(each)}, trace)
                if value is deciding:
                    return deciding
                unknown = unknown or value is UNKNOWN
            return UNKNOWN if unknown else not deciding

        return evaluate, BOOL

    def _path(self, node: ast.expr) -> tuple[Evaluation, Kind]:
        parts: list[str | ast.expr] = []
        here: ast.expr = node
        while not isinstance(here, ast.Name):
            match here:
                case ast.Attribute(value=value, attr=name):
                    parts.append(name)
                    here = value
                case ast.Subscript(value=value, slice=key):
                    parts.append(key)
                    here = value
                case _:
                    raise ExpressionError(f"{ast.unparse(node)!r} is no path")
        root = here.id
        if self.local is not None and root == self.local[0] and not parts:
            return (lambda env, trace: env[root].value), self.local[1]
        if root not in self.names:
            raise ExpressionError(f"unknown name {root!r}{_suggestion(root, self.names)}")
        return self._walk(root, list(reversed(parts)), ast.unparse(node))

    def _walk(self, root: str, parts: Sequence[str | ast.expr], text: str) -> tuple[Evaluation, Kind]:
        kind = Kind("record")
        known: Mapping[str, Kind] = self.names[root]
        pieces: list[str | Evaluation] = []
        for part in parts:
            if isinstance(part, str):
                if kind.name != "record" or part not in known:
                    offered = known if kind.name == "record" else {}
                    raise ExpressionError(f"{text!r}: unknown field {part!r}{_suggestion(part, offered)}")
                kind = known[part]
                pieces.append(f".{part}")
            else:
                if kind.name != "table" or kind.inner is None:
                    raise ExpressionError(f"{text!r}: [] takes a table, not a {kind}")
                if isinstance(part, ast.Constant) and type(part.value) is int:
                    pieces.append(f"[{_small(part.value)}]")
                else:
                    pieces.append(self._of(part, NUMBER))
                kind = kind.inner
            known = members(kind.record) if kind.record is not None else {}
        if kind.name == "record":
            raise ExpressionError(f"{text!r} is a {kind}, not a value; name one of its fields{_suggestion('', known)}")
        self.paths.append(text)
        if all(isinstance(piece, str) for piece in pieces):
            path = "".join(map(str, pieces))[1:]
            return (lambda env, trace: _read(env, trace, root, path)), kind

        def evaluate(env: Env, trace: Trace) -> Value:
            built = ""
            for piece in pieces:
                if isinstance(piece, str):
                    built += piece
                    continue
                key = piece(env, trace)
                if type(key) is not int or key < 0:
                    return UNKNOWN
                built += f"[{key}]"
            return _read(env, trace, root, built[1:])

        return evaluate, kind


def _read(env: Env, trace: Trace, root: str, path: str) -> Value:
    result = env[root].read(path)
    if isinstance(result, Missing):
        trace.missing.append(result)
        return UNKNOWN
    trace.add(root, result.cites)
    return result.value


@dataclass(frozen=True, slots=True)
class _Member:
    value: object

    def read(self, path: str) -> Derived[object] | Missing:
        raise AssertionError(f"a member of a set has no {path}")


def _constant(value: object) -> Evaluation:
    return lambda env, trace: value


def _two(operator: Callable[[Value, Value], Value], first: Evaluation, second: Evaluation) -> Evaluation:
    def evaluate(env: Env, trace: Trace) -> Value:
        left, right = first(env, trace), second(env, trace)
        return UNKNOWN if left is UNKNOWN or right is UNKNOWN else operator(left, right)

    return evaluate


def _small(value: object) -> object:
    if isinstance(value, int | float) and not abs(value) <= LARGEST:
        raise ExpressionError("numbers of at most 10 to the power of 15 expected")
    return value


def _literal(value: object) -> Kind:
    if isinstance(value, bool):
        return BOOL
    return Kind("text", words=frozenset({value})) if isinstance(value, str) else NUMBER


def _comparable(operator: str, left: Kind, right: Kind, first: str, second: str) -> None:
    if operator in ("In", "NotIn"):
        inner = right.inner if right.name == "set" else NUMBER if right.name == "table" else None
        if inner is None or inner.name != left.name:
            raise ExpressionError(f"{first!r} is a {left} and cannot be in {second!r}, a {right}")
        _spelt(left, inner, first, second)
        return
    if left.name != right.name or left.name in ("table", "record"):
        raise ExpressionError(f"{first!r} is a {left} and {second!r} a {right}: they cannot be compared")
    if operator not in ("Eq", "NotEq") and left.name not in ("number", "set"):
        raise ExpressionError(f"{first!r} is a {left}: it has no order")
    _spelt(left, right, first, second)


def _spelt(left: Kind, right: Kind, first: str, second: str) -> None:
    """Refuses a comparison with a word that can never occur."""
    if left.words is not None and right.words is not None and not left.words & right.words:
        raise ExpressionError(f"{first!r} and {second!r} have no word in common, only {', '.join(sorted(left.words | right.words))}")


def _suggestion(word: str, known: Mapping[str, object]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; one of {', '.join(sorted(known))} expected" if known else ""
