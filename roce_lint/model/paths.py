"""Paths into the model: `pfc.priorities`, `queues[3].marking.ecn`, `trust.next_boot`; what they read and which lines that rests on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import get_args

from roce_lint.model.facts import Basis, Fact, Table, at, now, weakest

Step = str | int
_STEP = re.compile(r"([a-z_]+)|\[(\d+)\]")
_BASES: frozenset[str] = frozenset(get_args(Basis))


@lru_cache(maxsize=4096)
def steps(path: str) -> tuple[Step, ...]:
    """A path as its names and keys. Raises ValueError where it is not one."""
    found: list[Step] = []
    position = 0
    while position < len(path):
        if path[position] == ".":
            position += 1
        match = _STEP.match(path, position)
        if match is None:
            raise ValueError(f"{path!r} is no path: unexpected {path[position:]!r}")
        found.append(match[1] if match[1] else int(match[2]))
        position = match.end()
    return tuple(found)


def stated(record: object, path: str) -> Fact[object] | None:
    """The fact at a path of a record, citing also what binds each profile on the way; None where nobody states it.

    A path may end in `.configured`, `.observed`, `.saved`, `.next_boot` or `.boot`; without one, the strongest basis of now is read.
    Raises AttributeError for a name that the record does not have.
    """
    names = steps(path)
    if names and names[-1] in _BASES:
        fact, basis = _fact(record, names[:-1]), names[-1]
        return at(fact, basis) if fact is not None else None  # type: ignore[arg-type]
    return now(_fact(record, names))


def _fact(record: object, names: Sequence[Step]) -> Fact[object] | None:
    here: object = record
    binding: list[Fact[object]] = []
    for name in names:
        if isinstance(here, Fact):
            fact = now(here)
            if fact is None:
                return None
            here = fact.value
            if not isinstance(here, Table) or here.name is not None:
                binding.append(fact)
        if isinstance(name, int):
            if not isinstance(here, Table):
                raise AttributeError(f"[{name}] of what is no table")
            here = here.get(name)
        elif isinstance(here, dict):
            here = here.get(name)
        else:
            here = getattr(here, name)
        if here is None:
            return None
    if not isinstance(here, Fact):
        return None
    return bound(here, binding)


def bound(fact: Fact[object], binding: Sequence[Fact[object]]) -> Fact[object]:
    """A fact of a profile, with the lines of what binds the profile behind its own."""
    if not binding:
        return fact
    lines = dict.fromkeys([*fact.lines, *(line for each in reversed(binding) for line in each.lines)])
    if len(lines) == len(fact.lines) and all(each.basis == fact.basis for each in binding):
        return fact
    if not fact.is_now:
        return Fact(fact.value, tuple(lines), fact.basis, fact.also)
    return Fact(fact.value, tuple(lines), weakest([fact.basis, *(each.basis for each in binding)]), fact.also)
