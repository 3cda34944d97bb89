"""The facts of a record, one by one, with the lines that state them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from roce_lint.lint.words import shown
from roce_lint.model.facts import Fact, Table
from roce_lint.report.text import place, printable

Stated = tuple[str, Fact[object]]


def facts(record: object, path: str = "") -> Iterator[Stated]:
    """Every fact of a record by its path: of a table and of a profile those inside, each behind the facts that bind it."""
    if isinstance(record, Fact):
        inside = list(facts(record.value, path))
        yield from ((name, _bound(fact, record)) for name, fact in inside)
        if not inside and not isinstance(record.value, Table):
            yield path, record
    elif isinstance(record, Table):
        for key in sorted(record.entries):
            yield from facts(record.entries[key], f"{path}[{key}]")
        if record.otherwise is not None:
            yield from facts(record.otherwise, f"{path}[otherwise]")
    elif isinstance(record, Mapping):
        for name in sorted(record):
            yield from facts(record[name], f"{path}.{name}" if path else str(name))
    elif isinstance(record, tuple):
        for number, each in enumerate(record):
            yield from facts(each, f"{path}[{number}]")
    elif is_dataclass(record) and not isinstance(record, type):
        for field in fields(record):
            yield from facts(getattr(record, field.name), f"{path}.{field.name}" if path else field.name)


def _bound(fact: Fact[object], binding: Fact[object]) -> Fact[object]:
    """A fact with the lines of what binds its profile behind its own."""
    if isinstance(binding.value, Table) and binding.value.name is None:
        return fact
    lines = tuple(dict.fromkeys((*fact.lines, *binding.lines)))
    return Fact(fact.value, lines, fact.basis, fact.also)


def lines(stated: Iterator[Stated]) -> Iterator[str]:
    """Facts as text: value, basis and place of each, and below it what other sources state of the same thing."""
    for path, fact in stated:
        yield f"  {path} = {_said(fact)}"
        yield from (f"      also {_said(other)}" for other in fact.also)


def _said(fact: Fact[object]) -> str:
    places = dict.fromkeys(place(line) for line in fact.lines)
    return f"{printable(shown(fact.value))}   {fact.basis}   {', '.join(places)}"
