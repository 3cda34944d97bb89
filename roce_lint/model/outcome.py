"""What an expression or a derivation gives: a value with the raw facts that it rests on, or what is missing for one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from roce_lint.model.finding import Cite

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Missing:
    """What nobody stated: pairs of a device, None for the whole input, and the words for what it lacks."""

    what: tuple[tuple[str | None, str], ...]

    def __or__(self, other: Missing) -> Missing:
        return self if other.what == self.what else Missing(tuple(dict.fromkeys((*self.what, *other.what))))


@dataclass(frozen=True, slots=True)
class Derived(Generic[V]):
    """A value that follows from raw facts. The one that decided is cited first: of a chain of steps, the last."""

    value: V
    cites: tuple[Cite, ...]


class AtLeast(frozenset[int]):
    """A set of which only these members are known; there may be more."""

    __slots__ = ()


def union(*cites: Iterable[Cite]) -> tuple[Cite, ...]:
    """Cites of several derivations, each once, in order."""
    if len(cites) == 1 and isinstance(cites[0], tuple):
        return cites[0]
    seen: dict[tuple[int, str], Cite] = {}
    for some in cites:
        for cite in some:
            seen.setdefault((id(cite.fact), cite.raw), cite)
    return tuple(seen.values())
