"""The kinds of value that an expression handles, taken from the annotations of the model."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from functools import cache
from typing import Annotated, Literal, Union, get_args, get_origin, get_type_hints

from roce_lint.model.facts import Holds, Table
from roce_lint.model.outcome import Derived, Missing


@dataclass(frozen=True, slots=True)
class Kind:
    """`name` is bool, number, text, set, table or record; `inner` the kind of a set's members or a table's values."""

    name: Literal["bool", "number", "text", "set", "table", "record"]
    inner: Kind | None = None
    record: type | None = None
    words: frozenset[str] | None = None  # the only texts that can occur

    def __str__(self) -> str:
        if self.name in ("set", "table"):
            return f"{self.name} of {self.inner}"
        return self.record.__name__ if self.record is not None else self.name


BOOL, NUMBER, TEXT = Kind("bool"), Kind("number"), Kind("text")


@cache
def kind_of(annotation: object) -> Kind | None:
    """The kind of an annotation of the model; None for what no expression reads."""
    origin, args = get_origin(annotation), get_args(annotation)
    if annotation is bool:
        return BOOL
    if annotation in (int, float):
        return NUMBER
    if annotation is str:
        return TEXT
    if origin is Literal:
        return Kind("text", words=frozenset(map(str, args)))
    if origin in (Union, types.UnionType):
        inner = [arg for arg in args if arg is not type(None) and arg is not Missing]
        kinds = {kind_of(arg) for arg in inner}
        return kinds.pop() if len(kinds) == 1 else None
    if origin is Annotated:
        holds = next((each for each in args[1:] if isinstance(each, Holds)), None)
        return kind_of(holds.of if holds is not None else args[0])
    if origin is Derived:
        return kind_of(args[0])
    if origin is Table:
        return Kind("table", kind_of(args[0]))
    if origin is frozenset:
        return Kind("set", kind_of(args[0]))
    if isinstance(annotation, type):
        return Kind("record", record=annotation)
    return None


@cache
def members(record: type) -> Mapping[str, Kind]:
    """The names that an expression may read of a record, with their kinds: fields, and properties that give a Result."""
    found: dict[str, Kind] = {}
    for name, annotation in get_type_hints(record, include_extras=True).items():
        if not name.startswith("_") and (kind := kind_of(annotation)) is not None:
            found[name] = kind
    if not is_dataclass(record):
        for name in dir(record):
            attribute = getattr(record, name)
            function = getattr(attribute, "func", None) or getattr(attribute, "fget", None)
            if function is None or name.startswith("_"):
                continue
            given = get_type_hints(function, include_extras=True).get("return")
            if Missing in get_args(given) and (kind := kind_of(given)) is not None:
                found[name] = kind
    return found
