"""A port as rules read it, and the marks by which a class is known on the wire."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, cast

from roce_lint.model.devices import Device, PortName
from roce_lint.model.facts import Fact, Table
from roce_lint.model.finding import Cite
from roce_lint.model.outcome import Derived, Missing, union
from roce_lint.model.paths import stated
from roce_lint.model.plan import Want
from roce_lint.model.ports import Port
from roce_lint.model.qos import Pfc

V = TypeVar("V")
INDICES = range(8)
OWN = frozenset({"name", "mac", "alias", "description", "bond", "bond_members", "neighbours", "pci", "parent", "counters"})
Result = Derived[V] | Missing


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """One mark of one class: what its packets carry. `sent` cites a NIC's own setting where it is not the mark of the plan."""

    want: Want
    dscp: int | None = None
    pcp: int | None = None
    sent: Cite | None = None
    unsaid: Missing | None = None  # a NIC sends it with a mark of its own that nobody stated

    @property
    def stated(self) -> bool:
        """Whether the class is known by a mark at all, and not by a PFC index alone."""
        return self.unsaid is not None or self.dscp is not None or self.pcp is not None

    def __str__(self) -> str:
        if self.dscp is not None:
            return f"DSCP {self.dscp}"
        return f"PCP {self.pcp}" if self.pcp is not None else f"PFC {self.want.pfc_priority.value if self.want.pfc_priority else '?'}"


def marks(want: Want) -> tuple[Mark, ...]:
    """The subjects of a class: each DSCP with the class's PCP beside it, else each PCP, else the class by its PFC index alone."""
    pcps = sorted(want.pcp.value) if want.pcp else []
    if want.dscp and want.dscp.value:
        return tuple(Mark(want, dscp, pcps[0] if pcps else None) for dscp in sorted(want.dscp.value))
    return tuple(Mark(want, None, pcp) for pcp in pcps) or (Mark(want),)


class PortView:
    """The raw facts of a port, each read with the words for it where it is not stated."""

    def __init__(self, device: Device, port: Port) -> None:
        self.device, self.port = device, port
        self.name = PortName(device.name, port.name)
        self.is_nic = device.kind == "host"
        self._facts: dict[str, Result[object]] = {}
        self.individual = False  # something was read that is this port's own, so that no other port is known by it

    def __str__(self) -> str:
        return str(self.name)

    def read(self, path: str) -> Result[object]:
        """A fact of the port by its path, or what follows from several."""
        return cast("Result[object]", getattr(self, path)) if path in DERIVED else self.fact(path)

    def fact(self, path: str) -> Result[object]:
        """The fact at a path of the port, or that it is missing."""
        found = self._facts.get(path)
        if found is None:
            self.individual = self.individual or path.partition(".")[0] in OWN
            fact = stated(self.port, path)
            if fact is None:
                found = Missing(((self.device.name, self._lacking(path)),))
            else:
                found = Derived(fact.value, (Cite(path, fact, self.device.name, self.port.name),))
            self._facts[path] = found
        return found

    def forget(self) -> None:
        """Drops what was read; a large fabric has more ports than there is memory for their readings."""
        self._facts.clear()
        for name in DERIVED:
            self.__dict__.pop(name, None)

    def _lacking(self, path: str) -> str:
        """The shortest part of a path that is not stated, `groups` for `groups[3].xoff_bytes` of a port without groups."""
        parts = path.split(".")
        for end in range(1, len(parts)):
            head = ".".join(parts[:end])
            if "[" in head:
                table = head.split("[")[0]
                if stated(self.port, table) is None:
                    return table
                if stated(self.port, head) is None:
                    return head
        if path.endswith("]"):
            table = path[: path.rindex("[")]
            if stated(self.port, table) is None:
                return table
        return path

    @cached_property
    def nic(self) -> Result[bool]:
        """Whether the port is a host's."""
        return Derived(self.is_nic, ())

    @cached_property
    def tagged(self) -> Result[bool]:
        """Whether frames carry a VLAN tag here: a trunk, or a host interface with VLANs on it."""
        for name in ("access_vlan", "routed"):
            fact = self.fact(name)
            if isinstance(fact, Derived) and fact.value is not False:
                return Derived(False, fact.cites)
        trunk = self.fact("trunk_vlans")
        if isinstance(trunk, Derived):
            return Derived(True, trunk.cites)
        if not self.is_nic:
            return trunk
        upper = [port.parent for port in self.device.ports.values() if port.parent is not None and port.parent.value == self.port.name]
        if upper:
            return Derived(True, (Cite("parent", upper[0], self.device.name, self.port.name),))
        listed = self.fact("admin_up")
        return Derived(False, listed.cites) if isinstance(listed, Derived) else trunk

    @cached_property
    def some_lossless(self) -> Result[bool]:
        """Whether any group of the port is lossless."""
        makes, on = self.fact("pfc.makes_lossless"), self.fact("pfc.priorities")
        if not isinstance(makes, Missing) and makes.value:
            return on if isinstance(on, Missing) else Derived(bool(on.value), on.cites)
        groups = self.fact("groups")
        unknown: Missing | None = None
        cites: list[Cite] = []
        if isinstance(groups, Missing):
            unknown = groups
        else:
            table = cast("Table[object]", groups.value)
            paused = (
                [self.fact(f"pfc.group[{index}]") for index in sorted(cast("frozenset[int]", on.value))] if isinstance(on, Derived) else []
            )
            first = [cast(int, each.value) for each in paused if isinstance(each, Derived)]
            for key in dict.fromkeys((*(key for key in first if key in table.entries), *sorted(table.entries))):
                found = self.fact(f"groups[{key}].lossless")
                if isinstance(found, Missing):
                    unknown = found
                elif found.value:
                    return Derived(True, found.cites)
                else:
                    cites.extend(found.cites)
            if unknown is None and not table.complete(len(INDICES)):
                unknown = Missing(((self.device.name, "groups"),))
        if unknown is not None:
            return on if isinstance(on, Missing) and self.is_nic else unknown
        return Derived(False, union(cites[:1], () if isinstance(on, Missing) else on.cites))

    @cached_property
    def pause_sent(self) -> Result[frozenset[int]]:
        """The indices on which the port may send pause."""
        return self._enabled("tx")

    @cached_property
    def pause_heard(self) -> Result[frozenset[int]]:
        """The indices on which the port obeys pause."""
        return self._enabled("rx")

    def _enabled(self, direction: str) -> Result[frozenset[int]]:
        found = self.fact(f"pfc.{direction}") if _states(self.port.pfc, direction) else self.fact("pfc.priorities")
        return found if isinstance(found, Missing) else Derived(cast("frozenset[int]", found.value), found.cites)

    @cached_property
    def watched(self) -> Result[bool]:
        """Whether the PFC watchdog runs on the port."""
        on, running = self.fact("watchdog.enabled"), self.fact("watchdog.running")
        if isinstance(on, Missing) or not on.value:
            return on if isinstance(on, Missing) else Derived(False, on.cites)
        if not isinstance(running, Missing) and not running.value:
            return Derived(False, union(running.cites, on.cites))
        return Derived(True, on.cites)

    @cached_property
    def watchdog_reports(self) -> Result[bool]:
        """Whether the watchdog's statistics of the port were collected."""
        return Derived(not isinstance(self.fact("watchdog.queues"), Missing), ())

    @cached_property
    def stormed(self) -> Result[bool]:
        """Whether the watchdog holds a queue of the port down now."""
        read = self._watchdog("status")
        found = [each for each in read if isinstance(each, Derived) and each.value == "stormed"]
        unknown = next((each for each in read if isinstance(each, Missing)), None)
        return unknown if unknown is not None and not found else Derived(bool(found), union(*(each.cites for each in found)))

    @cached_property
    def storms(self) -> Result[int]:
        """How many storms the watchdog counted on the port, since an unknown start, as far as it is stated."""
        read = self._watchdog("detected")
        found = [each for each in read if isinstance(each, Derived) and each.value]
        unknown = next((each for each in read if isinstance(each, Missing)), None)
        if unknown is not None and not found:
            return unknown
        return Derived(sum(cast(int, each.value) for each in found), union(*(each.cites for each in found)))

    def _watchdog(self, name: str) -> list[Result[object]]:
        """A count or state of every queue that has one or that the watchdog guards; of any where that is not stated."""
        queues, guarded = self.fact("watchdog.queues"), self.fact("watchdog.priorities")
        if isinstance(queues, Missing):
            return [queues]
        indices = cast("frozenset[int]", guarded.value) if isinstance(guarded, Derived) else INDICES
        keys = sorted({*cast("Table[object]", queues.value).entries, *indices})
        return [self.fact(f"watchdog.queues[{key}].{name}") for key in keys]


DERIVED = frozenset({"tagged", "watched", "watchdog_reports", "stormed", "storms", "nic", "some_lossless", "pause_sent", "pause_heard"})


def _states(pfc: Pfc | None, direction: str) -> bool:
    fact: Fact[object] | None = getattr(pfc, direction, None)
    return fact is not None and fact.is_now
