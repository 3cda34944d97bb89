"""A class at one end of a hop: the queues it leaves by, how it is paused and marked. Every step cites the facts that it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import cast

from roce_lint.fabric.classified import Classified
from roce_lint.fabric.crossing import Crossing
from roce_lint.fabric.views import INDICES, Mark, PortView, Result
from roce_lint.model.facts import Table
from roce_lint.model.finding import Cite
from roce_lint.model.outcome import AtLeast, Derived, Missing, union
from roce_lint.model.ports import KEPT


class End(Classified):
    """A class at one end of a hop: beside its own maps, what the other ports of a switch make of it there."""

    def __init__(self, view: PortView, mark: Mark, crossing: Mapping[Mark, Crossing] | None = None) -> None:
        super().__init__(view, mark)
        self._crossing = crossing

    @cached_property
    def pause_sent(self) -> Result[frozenset[int]]:
        """The indices on which the port may send pause."""
        return self.view.pause_sent

    @cached_property
    def pause_heard(self) -> Result[frozenset[int]]:
        """The indices on which the port obeys pause."""
        return self.view.pause_heard

    @cached_property
    def pause_emitted(self) -> Result[frozenset[int]]:
        """The indices that the port sends when the group of the class fills."""
        lossless, on = self.lossless, self.pause_sent
        if not isinstance(on, Missing) and not on.value:
            return Derived(frozenset(), on.cites)
        if not isinstance(lossless, Missing) and not lossless.value:
            return Derived(frozenset(), lossless.cites)
        if isinstance(on, Missing):
            return on
        return self._leading("pfc.group", self.group, on)

    @cached_property
    def pauses_obeyed(self) -> Result[frozenset[int]]:
        """The indices that stop the queues of the class here; none where a queue of the class is stopped by no index."""
        queues, on = self.queues, self.pause_heard
        if isinstance(on, Missing):
            return on
        if not on.value:
            return Derived(frozenset(), on.cites)
        if isinstance(queues, Missing):
            return self._leading("pfc.queue", queues, on)
        found = [self._leading("pfc.queue", Derived(queue, queues.cites), on) for queue in sorted(queues.value)]
        stopping = [each for each in found if isinstance(each, Derived)]
        if len(stopping) < len(found) or not found:
            return next((each for each in found if isinstance(each, Missing)), self._missing("queues"))
        cites = union(*(each.cites for each in stopping))
        if any(not each.value and not isinstance(each.value, AtLeast) for each in stopping):
            return Derived(frozenset(), cites)
        every = frozenset().union(*(each.value for each in stopping))
        partly = isinstance(queues.value, AtLeast) or any(isinstance(each.value, AtLeast) for each in stopping)
        return Derived(AtLeast(every) if partly else every, cites)

    def _leading(self, table: str, target: Result[int], on: Derived[frozenset[int]]) -> Result[frozenset[int]]:
        """Which of the indices that are on lead to a group or stop a queue."""
        members: set[int] = set()
        cites: list[tuple[Cite, ...]] = []
        unknown = target if isinstance(target, Missing) else None
        own = self.priority
        same = self.view.fact("pfc.index_is_priority")
        by_number = not isinstance(same, Missing) and bool(same.value) and not isinstance(own, Missing) and self._numbers_itself(table)
        for index in sorted(on.value):
            if by_number and isinstance(own, Derived) and index == own.value:
                members.add(index)
                cites.append(own.cites)
                continue
            found = self.view.fact(f"{table}[{index}]")
            if isinstance(found, Missing):
                unknown = unknown or found
            elif isinstance(target, Derived) and found.value == target.value:
                members.add(index)
                cites.append(found.cites)
        if unknown is not None and not members:
            return unknown
        reached = target.cites if isinstance(target, Derived) else ()
        return Derived(frozenset(members) if unknown is None else AtLeast(members), union(on.cites, *cites, reached))

    def _numbers_itself(self, table: str) -> bool:
        """Whether the priority at this port is the one that counts: always on the way in, and on the way out of a host."""
        return table == "pfc.group" or self.view.is_nic

    @cached_property
    def queues(self) -> Result[frozenset[int]]:
        """The egress queues of the class at this port: on a host by its own map, on a switch by those of the other ports."""
        crossing = self._crossing.get(self.mark) if self._crossing is not None and not self.view.is_nic else None
        if crossing is not None:
            leaving = crossing.queues.leaving(self.port.name)
            if leaving is not None:
                return leaving
        own = self.own_queue
        return own if isinstance(own, Missing) else Derived(frozenset({own.value}), own.cites)

    @cached_property
    def written(self) -> Result[frozenset[int]]:
        """The DSCPs with which the class leaves through this port: its own where nothing rewrites it."""
        table, mark = self.view.fact("rewrite_dscp"), self.mark.dscp
        if isinstance(table, Missing) or mark is None:
            return table if isinstance(table, Missing) else self._missing(f"the DSCP of {self.want.name}")
        if _keeps(cast("Table[int]", table.value)):
            return Derived(frozenset({mark}), table.cites)
        crossing = self._crossing.get(self.mark) if self._crossing is not None else None
        priorities = crossing.priorities.leaving(self.port.name) if crossing is not None else None
        if priorities is None:
            own = self.priority
            priorities = own if isinstance(own, Missing) else Derived(frozenset({own.value}), own.cites)
        if isinstance(priorities, Missing):
            return priorities
        found = {priority: self.view.fact(f"rewrite_dscp[{priority}]") for priority in sorted(priorities.value)}
        unknown = next((each for each in found.values() if isinstance(each, Missing)), None)
        stated = [each for each in found.values() if isinstance(each, Derived)]
        marks = frozenset(mark if each.value == KEPT else cast(int, each.value) for each in stated)
        if unknown is not None and not marks - {mark}:
            return unknown
        partly = unknown is not None or isinstance(priorities.value, AtLeast)
        return Derived(AtLeast(marks) if partly else marks, union(*(each.cites for each in stated), priorities.cites))

    @cached_property
    def agrees(self) -> Result[bool]:
        """Whether this port leads the class to the queue that most ports of the device lead it to."""
        own = self.own_queue
        if isinstance(own, Missing):
            return own
        crossing = self._crossing.get(self.mark) if self._crossing is not None and not self.view.is_nic else None
        usual = crossing.queues.usual() if crossing is not None else own.value
        return Derived(usual is None or own.value == usual, own.cites)

    @cached_property
    def chain_closes(self) -> Result[bool]:
        """Whether some PFC index is both sent for the group of the class and stops its queue."""
        group, queue = self.group, self.own_queue
        if isinstance(group, Missing) or isinstance(queue, Missing):
            return group if isinstance(group, Missing) else cast(Missing, queue)
        unknown: Missing | None = None
        indices: list[tuple[Cite, ...]] = []
        for index in INDICES:
            sent, stops = self.view.fact(f"pfc.group[{index}]"), self.view.fact(f"pfc.queue[{index}]")
            if isinstance(sent, Missing) or isinstance(stops, Missing):
                unknown = sent if isinstance(sent, Missing) else cast(Missing, stops)
                continue
            if sent.value == group.value:
                indices.extend((stops.cites, sent.cites))
                if stops.value == queue.value:
                    return Derived(True, union(group.cites, queue.cites, *indices))
        if unknown is not None:
            return unknown
        agrees = self.agrees
        odd_index = (
            isinstance(agrees, Derived) and agrees.value and any(cite.fact.basis != "default" for cites in indices for cite in cites)
        )
        return Derived(False, union(*indices, queue.cites, group.cites) if odd_index else union(queue.cites, *indices, group.cites))

    @cached_property
    def ecn(self) -> Result[bool]:
        """Whether every queue of the class marks ECN here."""
        return self._every("marking.ecn", True)

    @cached_property
    def wred_drops(self) -> Result[bool]:
        """Whether a queue of the class drops early what it does not mark."""
        every = self._every("marking.drops", False)
        return every if isinstance(every, Missing) else Derived(not every.value, every.cites)

    def _every(self, path: str, good: bool) -> Result[bool]:
        queues = self.queues
        if isinstance(queues, Missing):
            return queues
        unknown: Missing | None = None
        cites: list[tuple[Cite, ...]] = []
        for queue in sorted(queues.value):
            found = self.view.fact(f"queues[{queue}].{path}")
            if isinstance(found, Missing):
                unknown = found
            elif bool(found.value) is not good:
                return Derived(False, union(found.cites, queues.cites))
            else:
                cites.append(found.cites)
        if unknown is not None:
            return unknown
        if isinstance(queues.value, AtLeast):
            return self._missing(f"the queue of {self.want.name} from every port")
        return Derived(True, union(*cites, queues.cites))

    def threshold(self, field: str) -> Result[float]:
        """A threshold of the first queue of the class."""
        queues = self.queues
        if isinstance(queues, Missing):
            return queues
        found = self.view.fact(f"queues[{min(queues.value)}].marking.{field}") if queues.value else self._missing("queues")
        return found if isinstance(found, Missing) else Derived(cast(float, found.value), union(found.cites, queues.cites))

    @cached_property
    def kmin_bytes(self) -> Result[float]:
        """Where marking begins on the queue of the class."""
        return self.threshold("kmin_bytes")

    @cached_property
    def kmax_bytes(self) -> Result[float]:
        """Where marking is full on the queue of the class."""
        return self.threshold("kmax_bytes")

    @cached_property
    def mark_probability(self) -> Result[float]:
        """The probability of marking at the upper threshold, 0 to 1."""
        return self.threshold("mark_probability")

    @cached_property
    def strict(self) -> Result[bool]:
        """Whether the queue of the class is served before the weighted ones."""
        queues = self.queues
        if isinstance(queues, Missing) or not queues.value:
            return queues if isinstance(queues, Missing) else self._missing("queues")
        found = self.view.fact(f"queues[{min(queues.value)}].scheduler.scheduling")
        return found if isinstance(found, Missing) else Derived(found.value == "strict", union(found.cites, queues.cites))

    @cached_property
    def ecn_queues(self) -> Result[frozenset[int]]:
        """The queues of the port on which ECN marks, whatever they carry."""
        queues = self.view.fact("queues")
        if isinstance(queues, Missing):
            return queues
        members: set[int] = set()
        cites: list[tuple[Cite, ...]] = []
        partly = False
        for queue in INDICES:
            found = self.view.fact(f"queues[{queue}].marking.ecn")
            if isinstance(found, Missing):
                partly = True
            elif found.value:
                members.add(queue)
                cites.append(found.cites)
        return Derived(AtLeast(members) if partly else frozenset(members), union(*cites))

    @cached_property
    def marks_elsewhere(self) -> Result[bool]:
        """Whether a queue of the class does not mark ECN here, and one marks that no other class of the plan uses."""
        ecn, on = self.ecn, self.ecn_queues
        if isinstance(ecn, Missing) or isinstance(on, Missing):
            return ecn if isinstance(ecn, Missing) else cast(Missing, on)
        if ecn.value:
            return Derived(False, ecn.cites)
        free = set(on.value)
        partly: Missing | None = None
        for mark in self._crossing or ():
            if mark.want is self.want:
                continue
            queues = End(self.view, mark, self._crossing).queues
            if isinstance(queues, Missing):
                return queues
            free -= queues.value
            if isinstance(queues.value, AtLeast):
                partly = self._missing(f"the queue of {mark.want.name} from every port")
        if free:
            return partly or Derived(True, on.cites)
        return self._missing("queues[*].marking.ecn") if isinstance(on.value, AtLeast) else Derived(False, on.cites)

    @cached_property
    def watched_elsewhere(self) -> Result[bool]:
        """Whether the watchdog runs on another port of the switch."""
        crossing = self._crossing.get(self.mark) if self._crossing is not None else None
        if crossing is None or crossing.watched - {self.port.name}:
            return Derived(crossing is not None, ())
        return next((missing for name, missing in crossing.unsaid.items() if name != self.port.name), Derived(False, ()))

    @cached_property
    def watched(self) -> Result[bool]:
        """Whether the PFC watchdog runs on the port."""
        return self.view.watched

    @cached_property
    def guarded(self) -> Result[bool]:
        """Whether the watchdog runs on the port and guards every index that the class is paused with."""
        watched, indices, guarded = self.watched, self.pause_emitted, self.view.fact("watchdog.priorities")
        if isinstance(watched, Missing) or not watched.value:
            return watched
        if isinstance(guarded, Missing) or isinstance(indices, Missing):
            return guarded if isinstance(guarded, Missing) else cast(Missing, indices)
        covered = indices.value <= cast("frozenset[int]", guarded.value)
        return Derived(covered, union(guarded.cites, indices.cites, watched.cites))

    @cached_property
    def shares_queue(self) -> Result[bool]:
        """Whether a bulk class of the plan, or what nobody marked, leaves by the queue that this port leads the class to."""
        own = self.own_queue
        if isinstance(own, Missing):
            return own
        unknown: Missing | None = None
        for other in self._bulk_ends():
            queue = other.own_queue
            if isinstance(queue, Missing):
                unknown = queue
            elif queue.value == own.value:
                return Derived(True, union(self._alike(other), own.cites, queue.cites))
        return unknown if unknown is not None else Derived(False, own.cites)

    def _alike(self, other: End) -> tuple[Cite, ...]:
        """What leads both classes to one priority already; nothing where their priorities differ."""
        own, its = self.priority, other.priority
        return own.cites if isinstance(own, Derived) and isinstance(its, Derived) and own.value == its.value else ()

    def _bulk_ends(self) -> list[End]:
        marks = [mark for mark in self._crossing or () if mark.want.role.value in ("rdma_data", "storage")] if self._crossing else []
        unmarked = Mark(self.want, 0, 0)
        return [End(self.view, mark) for mark in (*marks, unmarked)]

    @cached_property
    def paused(self) -> Result[bool]:
        """Whether an index on which this port obeys or sends pause touches the class: its queue is stopped or its group is lossless."""
        lossless = self.lossless
        if isinstance(lossless, Derived) and lossless.value:
            return lossless
        queue, on = self.own_queue, self.pause_heard
        if isinstance(on, Derived) and not on.value:
            return lossless if isinstance(lossless, Missing) else Derived(False, on.cites)
        if isinstance(queue, Missing) or isinstance(on, Missing):
            return queue if isinstance(queue, Missing) else cast(Missing, on)
        stopping = self._leading("pfc.queue", queue, on)
        if isinstance(stopping, Missing):
            return stopping
        if stopping.value:
            return Derived(True, stopping.cites)
        return lossless if isinstance(lossless, Missing) else Derived(False, stopping.cites)


def _keeps(table: Table[int]) -> bool:
    """Whether a rewrite table leaves every mark as it is."""
    return table.otherwise is not None and all(fact.value == KEPT for fact in (table.otherwise, *table.entries.values()))
