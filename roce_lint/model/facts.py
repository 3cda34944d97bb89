"""Facts: a value, the lines that state it, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Generic, Literal, TypeVar

from pydantic import ConfigDict
from pydantic_core.core_schema import CoreSchema, any_schema, is_instance_schema

from roce_lint.model.document import Line

Basis = Literal["observed", "configured", "default", "assumed", "saved", "next_boot", "boot", "wanted"]
NOW: tuple[Basis, ...] = ("wanted", "observed", "configured", "default", "assumed")
LATER: tuple[Basis, ...] = ("saved", "next_boot", "boot")
STRENGTH: Mapping[Basis, int] = {basis: rank for rank, basis in enumerate(NOW + LATER)}
# Modules of records have no `from __future__ import annotations`: pydantic would compile every annotation's text, twice on a cold start.
RECORD = ConfigDict(extra="forbid", arbitrary_types_allowed=True, defer_build=True)

V = TypeVar("V", covariant=True)
W = TypeVar("W")


class Holds:
    """What `Fact[X]` is at run time, beside Fact: the X, and a schema that asks for a Fact alone.

    A schema of every X would cost a third of the time of a short run; X is the type checker's business.
    """

    __slots__ = ("of",)

    def __init__(self, of: object) -> None:
        self.of = of

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> CoreSchema:
        return is_instance_schema(Fact)


@cache
def _holding(fact: type, of: object) -> object:
    """One object for each X, so that `Fact[X] | None` is made once as well."""
    return Annotated[fact, Holds(of)]


class _Unchecked:
    """Marks a field that our own code fills, whose type the type checker sees to."""

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> CoreSchema:
        return any_schema()


UNCHECKED = _Unchecked()


@dataclass(frozen=True, slots=True)
class Fact(Generic[V]):
    """A value with the lines that state it, the one that names the value first.

    `also` holds what other sources state of the same thing: weaker bases of now, older answers, and what is true later. Raises ValueError
    where there are no lines or no such basis. A plain dataclass: there are thousands of facts a device, and pydantic would check no more.
    """

    value: V
    lines: tuple[Line, ...]
    basis: Basis
    also: tuple[Fact[V], ...] = ()

    def __post_init__(self) -> None:
        if not self.lines:
            raise ValueError("a fact needs the lines that state it")
        if self.basis not in STRENGTH:
            raise ValueError(f"one of {', '.join(STRENGTH)} expected as the basis of a fact, not {self.basis!r}")

    if not TYPE_CHECKING:

        def __class_getitem__(cls, of: object) -> object:
            return _holding(cls, of)

    @property
    def is_now(self) -> bool:
        return self.basis in NOW


@dataclass(frozen=True, slots=True)
class Table(Generic[V]):
    """What a map says of each key: 64 DSCPs, 8 priorities, the queues of a port.

    `otherwise` is what holds for keys not listed, None where that is unknown. `name` is set where the table is an object of its own
    that ports bind by name; an entry read through a binding cites both.
    """

    entries: Mapping[int, Fact[V]]
    otherwise: Fact[V] | None = None
    name: str | None = None

    def get(self, key: int) -> Fact[V] | None:
        return self.entries.get(key, self.otherwise)

    def complete(self, keys: int) -> bool:
        """Whether something is stated for every key from 0 to below `keys`."""
        return self.otherwise is not None or all(key in self.entries for key in range(keys))


def now(fact: Fact[V] | None) -> Fact[V] | None:
    """The fact that is true now, None where only later ones are stated."""
    return fact if fact is not None and fact.basis in NOW else None


def at(fact: Fact[V] | None, basis: Basis) -> Fact[V] | None:
    """What is stated on one basis."""
    if fact is None:
        return None
    return next((each for each in (fact, *fact.also) if each.basis == basis), None)


def weakest(bases: list[Basis]) -> Basis:
    """The basis of now that is trusted least; `observed` where nothing else is cited."""
    return max((basis for basis in bases if basis != "wanted"), key=lambda basis: STRENGTH[basis], default="observed")


def derived(value: W, *rests_on: Fact[object]) -> Fact[W]:
    """A fact that follows from others and cites every line they rest on, on the weakest of their bases."""
    lines = dict.fromkeys(line for fact in rests_on for line in fact.lines)
    return Fact(value, tuple(lines), weakest([fact.basis for fact in rests_on]))


def combined(earlier: Fact[V] | None, later: Fact[V] | None) -> Fact[V] | None:
    """Two statements of one thing as one fact: the stronger basis first, of equal ones the later."""
    if earlier is None or later is None:
        return later if earlier is None else earlier
    if earlier.basis == later.basis and not earlier.also and not later.also and earlier.value == later.value:
        return later
    stated = [Fact(fact.value, fact.lines, fact.basis) for fact in (later, *later.also, earlier, *earlier.also)]
    stated.sort(key=lambda fact: STRENGTH[fact.basis])
    kept: list[Fact[V]] = []
    for fact in stated:
        if all((fact.value, fact.basis) != (other.value, other.basis) for other in kept):
            kept.append(fact)
    return Fact(kept[0].value, kept[0].lines, kept[0].basis, tuple(kept[1:]))
