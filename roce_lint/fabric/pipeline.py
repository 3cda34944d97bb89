"""A class at a port: how a mark is classified there, buffered, paused and marked. Every step cites the facts that it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import cast

from roce_lint.fabric.views import INDICES, Mark, PortView, Result
from roce_lint.model.finding import Cite
from roce_lint.model.outcome import AtLeast, Derived, Missing, union
from roce_lint.model.paths import stated
from roce_lint.model.ports import Port


class Crossing:
    """Which queues a class takes when it leaves through a port of a switch: what the maps of the other ports lead to."""

    def __init__(self, ends: Iterable[End]) -> None:
        ends = tuple(ends)
        self.watched = {end.port.name for end in ends if isinstance(end.view.watched, Derived) and end.view.watched.value}
        self.queues: dict[int, list[tuple[str, tuple[Cite, ...]]]] = {}
        self.missing: dict[str, Missing] = {}
        for end in ends:
            queue = end.own_queue
            if isinstance(queue, Missing):
                self.missing[end.port.name] = queue
            else:
                self.queues.setdefault(queue.value, []).append((end.port.name, queue.cites))
        self.ports = sum(map(len, self.queues.values())) + len(self.missing)

    def leaving(self, port: str) -> Result[frozenset[int]] | None:
        """The queues of the class at a port as seen from every other port; None where there is no other port."""
        others = {queue: next((cites for name, cites in found if name != port), None) for queue, found in self.queues.items()}
        cites = {queue: each for queue, each in others.items() if each is not None}
        unknown = [missing for name, missing in self.missing.items() if name != port]
        if not cites:
            return unknown[0] if unknown else None
        members = frozenset(cites)
        return Derived(AtLeast(members) if unknown else members, union(*cites.values()))

    def usual(self) -> int | None:
        """The queue that most ports lead the class to, None where no queue has more ports than every other."""
        ranked = Counter({queue: len(found) for queue, found in self.queues.items()}).most_common(2)
        if len(ranked) < 2:
            return ranked[0][0] if ranked else None
        return ranked[0][0] if ranked[0][1] > ranked[1][1] else None


class End:
    """A class at one end of a hop."""

    port: Port

    def __init__(self, view: PortView, mark: Mark, crossing: Mapping[Mark, Crossing] | None = None) -> None:
        self.view, self.mark, self.want = view, mark, mark.want
        self.device, self.port = view.device, view.port
        self._crossing = crossing

    def __str__(self) -> str:
        return str(self.view.name)

    def read(self, path: str) -> Result[object]:
        """A raw fact below `port.`, or what follows for the class here."""
        return self.view.read(path[5:]) if path.startswith("port.") else cast("Result[object]", getattr(self, path))

    def _missing(self, what: str) -> Missing:
        return Missing(((self.device.name, what),))

    @cached_property
    def priority(self) -> Result[int]:
        """The internal priority that the port gives the mark."""
        if not self.mark.stated:
            return self._by_index()
        trust = self.view.fact("trust")
        if isinstance(trust, Missing):
            return trust
        path = self._deciding(str(trust.value))
        if path is None:
            return self._missing(f"the DSCP of {self.want.name}")
        found = self.view.fact(path)
        if isinstance(found, Missing):
            return found
        sent = (self.mark.sent,) if self.mark.sent is not None else ()
        return Derived(cast(int, found.value), union(sent, found.cites, trust.cites))

    def _deciding(self, trust: str) -> str | None:
        """The path of the fact that decides under a trust mode; None where it needs a mark that the class does not state."""
        if trust in ("dscp", "both"):
            return f"dscp_to_priority[{self.mark.dscp}]" if self.mark.dscp is not None else None
        tagged = self.port.access_vlan is None and not (self.port.routed and self.port.routed.value)
        if trust == "pcp" and self.mark.pcp is not None and tagged:
            return f"pcp_to_priority[{self.mark.pcp}]"
        return "default_priority"

    def _by_index(self) -> Result[int]:
        same = self.view.fact("pfc.index_is_priority")
        if isinstance(same, Missing) or not same.value or self.want.pfc_priority is None:
            return self._missing(f"the mark of {self.want.name}")
        return Derived(self.want.pfc_priority.value, same.cites)

    @cached_property
    def group(self) -> Result[int]:
        """The priority group that the class is received into."""
        if not self.mark.stated and self.want.pfc_priority is not None:
            found = self.view.fact(f"pfc.group[{self.want.pfc_priority.value}]")
            return found if isinstance(found, Missing) else Derived(cast(int, found.value), found.cites)
        return self._mapped("priority_to_group")

    @cached_property
    def own_queue(self) -> Result[int]:
        """The egress queue that this port's maps lead the class to."""
        if not self.mark.stated and self.want.pfc_priority is not None:
            found = self.view.fact(f"pfc.queue[{self.want.pfc_priority.value}]")
            return found if isinstance(found, Missing) else Derived(cast(int, found.value), found.cites)
        return self._mapped("priority_to_queue")

    def _mapped(self, table: str) -> Result[int]:
        priority = self.priority
        if isinstance(priority, Missing):
            return priority
        found = self.view.fact(f"{table}[{priority.value}]")
        if isinstance(found, Missing):
            return found
        return Derived(cast(int, found.value), union(priority.cites, found.cites))

    @cached_property
    def lossless(self) -> Result[bool]:
        """Whether the class is received into a lossless group."""
        by_driver = self._by_driver()
        if by_driver is not None:
            return by_driver
        group = self.group
        if isinstance(group, Missing):
            return group
        found = self.view.fact(f"groups[{group.value}].lossless")
        return found if isinstance(found, Missing) else Derived(bool(found.value), union(group.cites, found.cites))

    def _by_driver(self) -> Result[bool] | None:
        """Losslessness where the driver makes the buffer of a PFC priority lossless; None where that is the platform's own setting."""
        makes = self.view.fact("pfc.makes_lossless")
        if isinstance(makes, Missing) or not makes.value:
            return None
        on, priority = self.view.fact("pfc.priorities"), self.priority
        if isinstance(on, Missing):
            return on
        if not on.value:
            return Derived(False, union(on.cites))
        if isinstance(priority, Missing):
            return priority
        if priority.value in cast(frozenset[int], on.value):
            return Derived(True, union(priority.cites, on.cites))
        group = self.group
        if isinstance(group, Missing):
            return group
        shared = [p for p in cast(frozenset[int], on.value) if self._group_of(p) == group.value]
        return Derived(bool(shared), union(group.cites, on.cites))

    def _group_of(self, priority: int) -> int | None:
        fact = stated(self.port, f"priority_to_group[{priority}]")
        return cast(int, fact.value) if fact is not None else None

    @cached_property
    def nic(self) -> Result[bool]:
        """Whether the port is a host's."""
        return self.view.nic

    @cached_property
    def some_lossless(self) -> Result[bool]:
        """Whether any group of the port is lossless."""
        return self.view.some_lossless

    @cached_property
    def has_headroom(self) -> Result[bool]:
        """Whether the group of the class has headroom: bytes, a share of a pool, or what the platform computes itself."""
        group, groups = self.group, self.view.fact("groups")
        if isinstance(group, Missing):
            return groups if isinstance(groups, Missing) else group
        base = f"groups[{group.value}]"
        automatic = self.view.fact(f"{base}.automatic_headroom")
        if not isinstance(automatic, Missing) and automatic.value:
            return Derived(True, union(automatic.cites))
        xoff = self.view.fact(f"{base}.xoff_bytes")
        if not isinstance(xoff, Missing):
            shared = self.view.fact(f"{base}.pool.shared_headroom_bytes")
            pooled = not isinstance(shared, Missing) and cast(int, shared.value) > 0
            return Derived(cast(int, xoff.value) > 0 or pooled, union(xoff.cites, group.cites))
        size = self.view.fact(f"{base}.size_bytes")
        if not isinstance(size, Missing) and self._by_driver() is not None:
            return Derived(cast(int, size.value) > 0, union(size.cites, group.cites))
        return xoff

    @cached_property
    def headroom_bytes(self) -> Result[int]:
        """The headroom of the group of the class as stated."""
        group = self.group
        if isinstance(group, Missing):
            return group
        xoff = self.view.fact(f"groups[{group.value}].xoff_bytes")
        return xoff if isinstance(xoff, Missing) else Derived(cast(int, xoff.value), union(xoff.cites, group.cites))

    @cached_property
    def shared_headroom(self) -> Result[bool]:
        """Whether the pool of the group of the class has headroom that its groups share."""
        group = self.group
        if isinstance(group, Missing):
            return group
        shared = self.view.fact(f"groups[{group.value}].pool.shared_headroom_bytes")
        return shared if isinstance(shared, Missing) else Derived(cast(int, shared.value) > 0, shared.cites)

    @cached_property
    def alpha(self) -> Result[float]:
        """The dynamic threshold of the group of the class."""
        group = self.group
        if isinstance(group, Missing):
            return group
        found = self.view.fact(f"groups[{group.value}].alpha")
        return found if isinstance(found, Missing) else Derived(cast(float, found.value), union(found.cites, group.cites))

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
        partly = isinstance(target, Missing)
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
                partly = True
            elif isinstance(target, Derived) and found.value == target.value:
                members.add(index)
                cites.append(found.cites)
        if partly and not members:
            return target if isinstance(target, Missing) else self.view.fact(f"{table}[{min(on.value)}]")  # type: ignore[return-value]
        reached = target.cites if isinstance(target, Derived) else ()
        return Derived(AtLeast(members) if partly else frozenset(members), union(reached, on.cites, *cites))

    def _numbers_itself(self, table: str) -> bool:
        """Whether the priority at this port is the one that counts: always on the way in, and on the way out of a host."""
        return table == "pfc.group" or self.view.is_nic

    @cached_property
    def queues(self) -> Result[frozenset[int]]:
        """The egress queues of the class at this port: on a host by its own map, on a switch by those of the other ports."""
        crossing = self._crossing.get(self.mark) if self._crossing is not None and not self.view.is_nic else None
        if crossing is not None:
            leaving = crossing.leaving(self.port.name)
            if leaving is not None:
                return leaving
        own = self.own_queue
        return own if isinstance(own, Missing) else Derived(frozenset({own.value}), own.cites)

    @cached_property
    def agrees(self) -> Result[bool]:
        """Whether this port leads the class to the queue that most ports of the device lead it to."""
        own = self.own_queue
        if isinstance(own, Missing):
            return own
        crossing = self._crossing.get(self.mark) if self._crossing is not None and not self.view.is_nic else None
        usual = crossing.usual() if crossing is not None else own.value
        return Derived(usual is None or own.value == usual, own.cites)

    @cached_property
    def chain_closes(self) -> Result[bool]:
        """Whether some PFC index is both sent for the group of the class and stops its queue."""
        group, queue = self.group, self.own_queue
        if isinstance(group, Missing) or isinstance(queue, Missing):
            return group if isinstance(group, Missing) else cast(Missing, queue)
        unknown: Missing | None = None
        cites = [group.cites, queue.cites]
        for index in INDICES:
            sent, stops = self.view.fact(f"pfc.group[{index}]"), self.view.fact(f"pfc.queue[{index}]")
            if isinstance(sent, Missing) or isinstance(stops, Missing):
                unknown = sent if isinstance(sent, Missing) else cast(Missing, stops)
                continue
            if sent.value == group.value:
                cites.extend((sent.cites, stops.cites))
                if stops.value == queue.value:
                    return Derived(True, union(*cites))
        return unknown if unknown is not None else Derived(False, union(*cites))

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
    def limit_bytes(self) -> Result[int]:
        """The static threshold of the group of the class."""
        group = self.group
        if isinstance(group, Missing):
            return group
        found = self.view.fact(f"groups[{group.value}].limit_bytes")
        return found if isinstance(found, Missing) else Derived(cast(int, found.value), union(found.cites, group.cites))

    @cached_property
    def pool_bytes(self) -> Result[int]:
        """The size of the pool of the group of the class."""
        group = self.group
        if isinstance(group, Missing):
            return group
        found = self.view.fact(f"groups[{group.value}].pool.size_bytes")
        return found if isinstance(found, Missing) else Derived(cast(int, found.value), union(found.cites, group.cites))

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
        """Whether ECN is known to mark a queue here that no class of the plan uses, and not the queue of this class."""
        on, own = self.ecn_queues, self.queues
        if isinstance(on, Missing) or isinstance(own, Missing) or (on.value & own.value):
            return Derived(False, ())
        used: set[int] = set()
        for mark in self._crossing or ():
            queues = End(self.view, mark, self._crossing).queues
            if isinstance(queues, Missing):
                return Derived(False, ())
            used |= queues.value
        return Derived(bool(on.value - used), on.cites)

    @cached_property
    def watched_elsewhere(self) -> Result[bool]:
        """Whether the watchdog is known to run on another port of the switch."""
        crossing = self._crossing.get(self.mark) if self._crossing is not None else None
        return Derived(crossing is not None and bool(crossing.watched - {self.port.name}), ())

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
                return Derived(True, union(own.cites, queue.cites))
        return unknown if unknown is not None else Derived(False, own.cites)

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
