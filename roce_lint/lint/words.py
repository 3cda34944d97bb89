"""Values as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass

from roce_lint.model.facts import Table
from roce_lint.model.outcome import AtLeast


def shown(value: object) -> str:
    """A value of the model in a message: sets as {3, 4}, truth as yes and no, whole numbers with thousands apart."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, AtLeast):
        return "{" + ", ".join([*map(str, sorted(value)), "..."]) + "}"
    if isinstance(value, frozenset | set):
        return "{" + ", ".join(map(str, sorted(value, key=lambda each: (isinstance(each, str), each)))) + "}"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, int) and abs(value) >= 10_000:
        return f"{value:,}"
    if isinstance(value, Table):
        return value.name or f"{len(value.entries)} entries"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {shown(each)}" for key, each in value.items()) + "}"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(shown, value)) + "]"
    if is_dataclass(value):
        return str(getattr(value, "name", None) or type(value).__name__.lower())
    return str(value)


def plain(value: object) -> object:
    """A value of the model as JSON has it: sets as sorted lists, tables and records as objects of what is stated."""
    if isinstance(value, frozenset | set):
        return sorted(value, key=lambda each: (isinstance(each, str), each))
    if isinstance(value, Table):
        return {str(key): plain(value.entries[key].value) for key in sorted(value.entries)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if is_dataclass(value) and not isinstance(value, type):
        fields = ((name, getattr(value, name)) for name in value.__dataclass_fields__)
        return {name: plain(getattr(each, "value", each)) for name, each in fields if each is not None}
    return value
