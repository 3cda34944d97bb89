"""What a check is: a function over what a rule's names are bound to, and the terms of its arithmetic that it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from roce_lint.model.outcome import Derived, Missing


class Bound(Protocol):
    """What a name of a rule is bound to."""

    def read(self, path: str) -> Derived[object] | Missing: ...


Env = Mapping[str, Bound]
Params = Mapping[str, int | float | str | bool]


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether the law holds, with what that rests on, or what is missing; and the terms by name."""

    holds: Derived[bool] | Missing
    terms: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Check:
    """A row of CHECKS. `terms` are the types of what `found.NAME` gives in a rule's severity and message; `params` what a rule may set."""

    run: Callable[[Env, Params], Checked]
    terms: Mapping[str, type]
    params: frozenset[str] = frozenset()
