"""A record with one fact changed or un-stated: what rule examples, proofs of fixes and tests are made with."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Annotated, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from roce_lint.model.document import Line
from roce_lint.model.facts import Basis, Fact, Holds, Table
from roce_lint.model.paths import Step, steps

R = TypeVar("R")


class ChangeError(ValueError):
    """A path or a value that the record cannot take, and what is expected."""


def changed(record: R, path: str, value: object, line: Line, basis: Basis = "configured") -> R:
    """The record with a fact set at a path; what stands on the way is made where it is missing. Raises ChangeError."""
    return cast(R, _set(record, type(record), steps(path), value, line, basis))


def unstated(record: R, path: str) -> R:
    """The record with nothing stated at a path. Raises ChangeError for a name that the record does not have."""
    return cast(R, _unset(record, steps(path)))


_HINTS: dict[object, Mapping[str, object]] = {}


def _hints(kind: object) -> Mapping[str, object]:
    found = _HINTS.get(kind)
    if found is None:
        found = _HINTS[kind] = get_type_hints(kind, include_extras=True)
    return found


def _inner(annotation: object) -> tuple[object, bool]:
    """An annotation without None, and whether it was a Fact's."""
    if get_origin(annotation) in (Union, types.UnionType):
        annotation = next(arg for arg in get_args(annotation) if arg is not type(None))
    if get_origin(annotation) is Annotated:
        plain, *marks = get_args(annotation)
        holds = next((mark for mark in marks if isinstance(mark, Holds)), None)
        return (holds.of, True) if holds is not None else (plain, False)
    return annotation, False


def _set(here: object, annotation: object, path: Sequence[Step], value: object, line: Line, basis: Basis) -> object:
    name, rest = path[0], path[1:]
    if get_origin(annotation) is Table:
        table = cast("Table[object]", here)
        if not isinstance(name, int):
            raise ChangeError(f"a key in brackets expected, not {name!r}")
        old, of = table.entries.get(name), get_args(annotation)[0]
        new = _fact(old, of, rest, value, line, basis)
        return replace(table, entries={**table.entries, name: new})
    hints = _hints(type(here))
    if not isinstance(name, str) or name not in hints:
        raise ChangeError(f"no fact {name!r}; one of {', '.join(sorted(hints))} expected")
    of, is_fact = _inner(hints[name])
    old_value = getattr(here, name)
    if is_fact:
        return replace(here, **{name: _fact(old_value, of, rest, value, line, basis)})  # type: ignore[type-var]
    if not rest:
        return replace(here, **{name: converted(value, of, line, basis)})  # type: ignore[type-var]
    start = old_value if old_value is not None else cast("type[object]", of)()
    return replace(here, **{name: _set(start, of, rest, value, line, basis)})  # type: ignore[type-var]


def _fact(old: Fact[object] | None, of: object, rest: Sequence[Step], value: object, line: Line, basis: Basis) -> Fact[object]:
    if not rest:
        return Fact(converted(value, of, line, basis), (line,), basis)
    start = old.value if old is not None else _empty(of)
    inside = _set(start, of, rest, value, line, basis)
    return Fact(inside, old.lines, old.basis, old.also) if old is not None else Fact(inside, (line,), basis)


def _empty(of: object) -> object:
    if get_origin(of) is Table:
        return Table({})
    if isinstance(of, type) and is_dataclass(of):
        return of()
    raise ChangeError(f"{of} has no parts")


def converted(value: object, of: object, line: Line, basis: Basis) -> object:
    """Plain data as the type that a fact holds: lists as sets, mappings as tables and records. Raises ChangeError."""
    origin, args = get_origin(of), get_args(of)
    if origin is frozenset and isinstance(value, list | tuple | set | frozenset):
        return frozenset(value)
    if origin is tuple and isinstance(value, list | tuple):
        return tuple(value)
    if origin is Table and isinstance(value, Mapping):
        return Table({int(key): Fact(converted(each, args[0], line, basis), (line,), basis) for key, each in value.items()})
    if origin is Literal:
        word = {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value
        if word in args:
            return word
        raise ChangeError(f"one of {', '.join(map(str, args))} expected, not {value!r}")
    if isinstance(of, type) and is_dataclass(of) and isinstance(value, Mapping):
        hints = _hints(of)
        made: dict[str, object] = {}
        for name, each in value.items():
            if name not in hints:
                raise ChangeError(f"no field {name!r}; one of {', '.join(sorted(hints))} expected")
            inner, is_fact = _inner(hints[name])
            plain = None if each is None else converted(each, inner, line, basis)
            made[name] = Fact(plain, (line,), basis) if is_fact and each is not None else plain
        return of(**made)
    if of is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if isinstance(of, type) and isinstance(value, of) and (of is bool) == isinstance(value, bool):
        return value
    if origin in (Mapping, dict) and isinstance(value, Mapping):
        return dict(value)
    raise ChangeError(f"{getattr(of, '__name__', of)} expected, not {value!r}")


def _unset(here: object, path: Sequence[Step]) -> object:
    name, rest = path[0], path[1:]
    if isinstance(here, Fact):
        return Fact(_unset(here.value, path), here.lines, here.basis, here.also)
    if isinstance(here, Table):
        entries = dict(here.entries)
        if not isinstance(name, int):
            raise ChangeError(f"a key in brackets expected, not {name!r}")
        if rest and name in entries:
            entries[name] = cast("Fact[object]", _unset(entries[name], rest))
            return replace(here, entries=entries)
        entries.pop(name, None)
        return replace(here, entries=entries, otherwise=None)
    if here is None:
        return None
    if not is_dataclass(here) or not isinstance(name, str) or name not in {field.name for field in fields(here)}:
        raise ChangeError(f"no fact {name!r} in {type(here).__name__}")
    old = getattr(here, name)
    new = _unset(old, rest) if rest and old is not None else () if isinstance(old, tuple) else None
    return replace(here, **{name: new})  # type: ignore[type-var]
