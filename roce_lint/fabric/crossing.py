"""What the ports of a switch together make of a class: the queues and the priorities that it leaves with through each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from roce_lint.fabric.classified import Classified
from roce_lint.fabric.views import Result
from roce_lint.model.finding import Cite
from roce_lint.model.outcome import AtLeast, Derived, Missing, union


class Led:
    """The numbers that the ports of a switch lead a class to, by port."""

    def __init__(self, of: Iterable[tuple[str, Result[int]]]) -> None:
        self._by_number: dict[int, list[tuple[str, tuple[Cite, ...]]]] = {}
        self._missing: dict[str, Missing] = {}
        for port, found in of:
            if isinstance(found, Missing):
                self._missing[port] = found
            else:
                self._by_number.setdefault(found.value, []).append((port, found.cites))

    def leaving(self, port: str) -> Result[frozenset[int]] | None:
        """The numbers of the class at a port as seen from every other port; None where there is no other port."""
        others = {number: next((cites for name, cites in found if name != port), None) for number, found in self._by_number.items()}
        cites = {number: each for number, each in others.items() if each is not None}
        unknown = [missing for name, missing in self._missing.items() if name != port]
        if not cites:
            return unknown[0] if unknown else None
        members = frozenset(cites)
        return Derived(AtLeast(members) if unknown else members, union(*cites.values()))

    def usual(self) -> int | None:
        """The number that most ports lead the class to, None where none has more ports than every other."""
        ranked = Counter({number: len(found) for number, found in self._by_number.items()}).most_common(2)
        if len(ranked) < 2:
            return ranked[0][0] if ranked else None
        return ranked[0][0] if ranked[0][1] > ranked[1][1] else None


class Crossing:
    """What the in-scope ports of a switch make of one mark that comes in: its queue, its priority, and which of them are watched."""

    def __init__(self, ends: Iterable[Classified]) -> None:
        ends = tuple(ends)
        watched = {end.port.name: end.view.watched for end in ends}
        self.watched = {name for name, found in watched.items() if isinstance(found, Derived) and found.value}
        self.unsaid = {name: found for name, found in watched.items() if isinstance(found, Missing)}
        self.queues = Led((end.port.name, end.own_queue) for end in ends)
        self.priorities = Led((end.port.name, end.priority) for end in ends)
