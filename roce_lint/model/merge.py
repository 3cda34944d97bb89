"""Several statements about one thing as one record: fields side by side, tables key by key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import TypeVar, cast

from roce_lint.model.facts import Fact, Table, combined

R = TypeVar("R")


_NAMES: dict[object, tuple[str, ...]] = {}


def _names(kind: object) -> tuple[str, ...]:
    names = _NAMES.get(kind)
    if names is None:
        names = _NAMES[kind] = tuple(field.name for field in fields(kind))  # type: ignore[arg-type]
    return names


def merged(earlier: R, later: R) -> R:
    """Two records of one kind as one. Of two facts the stronger basis is read first, of equal ones the later; nothing is lost."""
    changes = {}
    for name in _names(type(earlier)):
        old, new = getattr(earlier, name), getattr(later, name)
        if new is old or new is None or new == ():
            continue
        changes[name] = new if old is None or old == () else _both(old, new)
    return _replaced(earlier, changes)


def _replaced(record: R, changes: Mapping[str, object]) -> R:
    if not changes:
        return record
    kind = type(record)
    values = {name: getattr(record, name) for name in _names(kind)}
    return kind(**{**values, **changes})


def _both(old: object, new: object) -> object:
    if isinstance(old, Fact) and isinstance(new, Fact):
        if isinstance(old.value, Table) and isinstance(new.value, Table) and old.basis == new.basis:
            return _tables(old, new)
        if is_dataclass(old.value) and type(old.value) is type(new.value) and old.basis == new.basis:
            value = merged(old.value, new.value)
            return Fact(value, new.lines, new.basis, new.also)
        return combined(old, new)
    if isinstance(old, tuple) and isinstance(new, tuple):
        return tuple(dict.fromkeys((*old, *new)))
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        both = dict(old)
        for key, value in new.items():
            both[key] = merged(both[key], value) if key in both else value
        return both
    if is_dataclass(old) and type(old) is type(new):
        return merged(old, new)
    return new


def _tables(old: Fact[Table[object]], new: Fact[Table[object]]) -> Fact[Table[object]]:
    if old.value == new.value:
        return new
    entries = dict(old.value.entries)
    both: dict[tuple[int, int], Fact[object]] = {}
    for key, fact in new.value.entries.items():
        other = entries.get(key)
        if other is None or other is fact:
            entries[key] = fact
            continue
        pair = (id(other), id(fact))
        if pair not in both:
            both[pair] = cast("Fact[object]", _both(other, fact))
        entries[key] = both[pair]
    table = Table(entries, new.value.otherwise or old.value.otherwise, new.value.name or old.value.name)
    return Fact(table, new.lines, new.basis, (*new.also, *old.also))


def overlaid(record: R, beneath: R) -> R:
    """A record with what it does not state taken from the one beneath; of a table, key by key."""
    changes: dict[str, object] = {}
    for name in _names(type(record)):
        own, other = getattr(record, name), getattr(beneath, name)
        if other is None or other == () or name == "name":
            continue
        if own is None or own == ():
            changes[name] = other
        elif isinstance(own, Fact) and isinstance(other, Fact):
            if own.is_now and isinstance(own.value, Table) and isinstance(other.value, Table) and own.value.name is None:
                changes[name] = _laid_over(own, other)
            elif not own.is_now and other.is_now:
                changes[name] = combined(own, other)
        elif is_dataclass(own) and not isinstance(own, type):
            changes[name] = overlaid(own, other)
    return _replaced(record, changes)


def _laid_over(own: Fact[Table[object]], other: Fact[Table[object]]) -> Fact[Table[object]]:
    entries = dict(other.value.entries)
    for key, fact in own.value.entries.items():
        under = entries.get(key)
        if under is not None and is_dataclass(fact.value) and type(fact.value) is type(under.value):
            fact = Fact(overlaid(fact.value, under.value), fact.lines, fact.basis, fact.also)
        entries[key] = fact
    return Fact(Table(entries, own.value.otherwise or other.value.otherwise), own.lines, own.basis, own.also)


def all_merged(records: Iterable[R]) -> R:
    """Records of one thing in the order they were stated, as one: what merging each into the one before gives. At least one record."""
    iterator = iter(records)
    first = next(iterator)
    names = _names(type(first))
    changes: dict[str, object] = {}
    for record in iterator:
        for name in names:
            new = getattr(record, name)
            if new is None or new == ():
                continue
            old = changes[name] if name in changes else getattr(first, name)
            if new is not old:
                changes[name] = new if old is None or old == () else _both(old, new)
    return _replaced(first, changes)
