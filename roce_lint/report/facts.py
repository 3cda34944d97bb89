"""The facts of a record, one by one, with the lines that state them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import groupby

from roce_lint.lint.words import shown
from roce_lint.model.facts import Fact, Table
from roce_lint.report.text import place, printable, ranges

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
    for path, said, also in _drawn_together((path, _said(fact), [_said(other) for other in fact.also]) for path, fact in stated):
        yield f"  {path} = {said}"
        yield from (f"      also {other}" for other in also)


def _drawn_together(stated: Iterator[tuple[str, str, list[str]]]) -> Iterator[tuple[str, str, list[str]]]:
    """Entries of a table one after the other that say the same on the same line, as one: `dscp_to_priority[24-31]`."""
    for (table, said, also), some in groupby(stated, key=lambda each: (_table(each[0]), each[1], each[2])):
        paths = [path for path, _, _ in some]
        if table is None or len(paths) == 1:
            yield from ((path, said, also) for path in paths)
        else:
            yield f"{table}[{ranges(_key(path) for path in paths)}]", said, also


def _table(path: str) -> str | None:
    """The table that a path is an entry of; None where it is none."""
    return path[: path.rindex("[")] if path.endswith("]") and path[path.rindex("[") + 1 : -1].isdigit() else None


def _key(path: str) -> int:
    return int(path[path.rindex("[") + 1 : -1])


def _said(fact: Fact[object]) -> str:
    places = dict.fromkeys(place(line) for line in fact.lines)
    return f"{printable(shown(fact.value))}   {fact.basis}   {', '.join(places)}"
