"""Which ports are in scope, and every class over every link between them, once in each direction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

from roce_lint.fabric.crossing import Crossing
from roce_lint.fabric.pipeline import End
from roce_lint.fabric.views import Mark, PortView, Result, marks
from roce_lint.model.devices import EVERY_PORT, Device, Link, PortName
from roce_lint.model.facts import Fact, now
from roce_lint.model.finding import Cite
from roce_lint.model.outcome import Derived, Missing
from roce_lint.model.paths import stated
from roce_lint.model.plan import ClassRole, FabricPlan, LossModel
from roce_lint.model.ports import Port

if TYPE_CHECKING:
    from roce_lint.fabric.contradictions import Contradiction

DATA_ROLES = frozenset({"rdma_data", "storage"})


class HopWant:
    """What is wanted of one mark of one class on one link."""

    def __init__(self, mark: Mark, nic_link: Result[bool], fabric: FabricPlan) -> None:
        self.mark, self.want, self._nic_link, self.fabric = mark, mark.want, nic_link, fabric

    def __str__(self) -> str:
        return self.want.name

    def read(self, path: str) -> Result[object]:
        return cast("Result[object]", getattr(self, path))

    def _fact(self, name: str) -> Result[object]:
        fact = cast("Fact[object] | None", getattr(self.want, name))
        if fact is None:
            return Missing(((None, f"{name} of class {self.want.name}"),))
        return Derived(fact.value, (Cite(name, fact),))

    @cached_property
    def nic_link(self) -> Result[bool]:
        """Whether one end of the link is a host's."""
        return self._nic_link

    @cached_property
    def name(self) -> Result[str]:
        """The name of the class."""
        return Derived(self.want.name, ())

    @cached_property
    def role(self) -> Result[ClassRole]:
        """What the class is for."""
        return cast("Result[ClassRole]", self._fact("role"))

    @cached_property
    def loss(self) -> Result[LossModel]:
        """The loss model of the class."""
        return cast("Result[LossModel]", self._fact("loss"))

    @cached_property
    def dscp(self) -> Result[int]:
        """The DSCP of this mark."""
        return self._marked("DSCP", self.mark.dscp)

    @cached_property
    def dscps(self) -> Result[frozenset[int]]:
        """Every DSCP of the class."""
        return cast("Result[frozenset[int]]", self._fact("dscp"))

    @cached_property
    def pcp(self) -> Result[int]:
        """The PCP of this mark."""
        return self._marked("PCP", self.mark.pcp)

    def _marked(self, word: str, value: int | None) -> Result[int]:
        return Missing(((None, f"the {word} of class {self.want.name}"),)) if value is None else Derived(value, ())

    @cached_property
    def pfc_priority(self) -> Result[int]:
        """The PFC index that the plan gives the class."""
        return cast("Result[int]", self._fact("pfc_priority"))

    @cached_property
    def marked(self) -> Result[bool]:
        """Whether the class has a mark; one inferred from a PFC index alone has none."""
        return Derived(self.mark.stated, ())

    @cached_property
    def by_dscp(self) -> Result[bool]:
        """Whether the class is marked by a DSCP."""
        return Derived(self.mark.dscp is not None, ())

    @cached_property
    def by_pcp(self) -> Result[bool]:
        """Whether the class is marked by a PCP."""
        return Derived(self.mark.pcp is not None, ())

    @cached_property
    def as_planned(self) -> Result[bool]:
        """Whether the mark is the plan's own, and not what a NIC sends in its place."""
        return self.mark.unsaid or Derived(self.mark.sent is None, ())

    @cached_property
    def data(self) -> Result[bool]:
        """Whether the class carries bulk RDMA data."""
        return Derived(self.want.role.value in DATA_ROLES, (Cite("role", self.want.role),))

    @cached_property
    def cnp(self) -> Result[bool]:
        """Whether the class carries congestion notification packets."""
        return Derived(self.want.role.value == "cnp", (Cite("role", self.want.role),))

    @cached_property
    def with_data(self) -> Result[bool]:
        """Whether the plan lets the class share the queue of the data."""
        return Derived(self.want.with_data is not None and self.want.with_data.value, ())

    @cached_property
    def lossless(self) -> Result[bool]:
        """Whether PFC should protect the class on this link."""
        loss = self.loss
        if isinstance(loss, Missing):
            return loss
        if loss.value == "edge_lossless":
            return self.nic_link if isinstance(self.nic_link, Missing) else Derived(self.nic_link.value, loss.cites)
        return Derived(loss.value in ("lossless", "pfc_only"), loss.cites)

    @cached_property
    def marking(self) -> Result[bool]:
        """Whether ECN and congestion control should govern the class."""
        loss = self.loss
        if isinstance(loss, Missing):
            return loss
        wanted = loss.value in ("lossless", "edge_lossless", "lossy") and self.want.role.value in DATA_ROLES
        return Derived(wanted, loss.cites)

    @cached_property
    def other_loss(self) -> Result[bool]:
        """Whether PFC must not touch the class: it is lossy by the plan."""
        loss = self.loss
        return loss if isinstance(loss, Missing) else Derived(loss.value == "lossy", loss.cites)


class Absent:
    """The other end of a port, of which nothing is stated."""

    def __init__(self, of: PortView) -> None:
        self.missing = Missing(((of.device.name, "the other end"),))

    def __str__(self) -> str:
        return "the other end"

    def read(self, path: str) -> Missing:
        return self.missing


@dataclass(frozen=True, slots=True)
class Span:
    """An in-scope port and what it is cabled to. `b` is None where the other end is not known or not in scope; `down` where it is off."""

    a: PortView
    b: PortView | None
    link: Link | None
    plan: FabricPlan | None
    down: bool = False

    @property
    def nic_link(self) -> Result[bool]:
        if self.a.is_nic or (self.b is not None and self.b.is_nic):
            return Derived(True, ())
        return Derived(False, ()) if self.b is not None else Absent(self.a).missing


class Reach:
    """The in-scope ports of a fabric, their links and the classes wanted on them."""

    def __init__(
        self,
        devices: Mapping[str, Device],
        links: Iterable[Link],
        plan_of: Callable[[Device, Port], FabricPlan | None],
        declared: Callable[[Device, Port], bool],
        overlaps: Callable[[Iterable[tuple[Device, Port]]], Iterable[Contradiction]] | None = None,
    ) -> None:
        self.devices = devices
        self.links: dict[PortName, Link] = {}
        for link in links:
            self.links[link.a] = self.links[link.b] = link
        self.views = in_scope(devices, self.links, declared)
        self._plans = {name: plan_of(view.device, view.port) for name, view in self.views.items()}
        self.overlaps = tuple(overlaps((view.device, view.port) for view in self.views.values())) if overlaps is not None else ()
        self._marks: dict[int, tuple[Mark, ...]] = {}
        self._crossings: dict[tuple[str, int], Mapping[Mark, Crossing]] = {}

    def plan(self, name: PortName) -> FabricPlan | None:
        return self._plans.get(name)

    def marks(self, plan: FabricPlan) -> tuple[Mark, ...]:
        """Every mark of every class of a fabric, the same objects each time."""
        found = self._marks.get(id(plan))
        if found is None:
            found = self._marks[id(plan)] = tuple(mark for want in plan.classes for mark in marks(want))
        return found

    def end(self, view: PortView, mark: Mark, plan: FabricPlan) -> End:
        """A class at a port, with what the other ports of a switch make of it."""
        crossing = None if view.is_nic else self._crossing(view.device, plan)
        return End(view, mark, crossing)

    @cached_property
    def by_device(self) -> Mapping[str, Sequence[PortView]]:
        """The in-scope ports of each device that has one."""
        found: dict[str, list[PortView]] = {}
        for view in self.views.values():
            found.setdefault(view.name.device, []).append(view)
        return found

    def beside(self, device: Device, plan: FabricPlan | None) -> list[PortView]:
        """The in-scope ports of a device in one fabric."""
        return [view for view in self.by_device.get(device.name, ()) if self._plans[view.name] is plan]

    def _crossing(self, device: Device, plan: FabricPlan) -> Mapping[Mark, Crossing]:
        key = (device.name, id(plan))
        found = self._crossings.get(key)
        if found is None:
            views = self.beside(device, plan)
            found = {mark: Crossing(End(view, mark) for view in views) for mark in self.marks(plan)}
            self._crossings[key] = found
        return found

    @cached_property
    def _rdma_mtus(self) -> tuple[tuple[Derived[int], ...], Missing | None]:
        """The largest RDMA MTU of each host, the largest first, and what is missing for those of all."""
        hosts: dict[str, Derived[int]] = {}
        missing: Missing | None = None
        for view in self.views.values():
            if not view.is_nic:
                continue
            mtu = _rdma_mtu(view)
            if isinstance(mtu, Missing):
                missing = mtu
            elif view.device.name not in hosts or mtu.value > hosts[view.device.name].value:
                hosts[view.device.name] = mtu
        return tuple(sorted(hosts.values(), key=lambda each: -each.value)), missing

    def least_rdma_mtu(self, plan: FabricPlan | None) -> Result[int]:
        """An RDMA MTU that is certainly used: two hosts agree on the smaller of theirs, so the second largest of the stated ones.

        Where no NIC is in scope, what the plan wants.
        """
        stated, missing = self._rdma_mtus
        if len(stated) > 1 or (stated and missing is None):
            return stated[min(1, len(stated) - 1)]
        wanted = plan.settings.get("mtu.rdma") if plan is not None and missing is None else None
        if wanted is not None:
            return Derived(cast(int, wanted.value), (Cite("mtu.rdma", wanted),))
        return missing or Missing(((None, "the RDMA MTU of a NIC"),))

    def rdma_mtu(self, plan: FabricPlan | None) -> Result[int]:
        """The largest RDMA MTU that is used in the fabric."""
        return self._rdma_mtus[1] or self.least_rdma_mtu(plan)

    @cached_property
    def host_mtu(self) -> Result[int]:
        """The largest MTU of an in-scope NIC, in bytes of the IP packet."""
        found = [view.fact("mtu") for view in self.views.values() if view.is_nic]
        unknown = next((each for each in found if isinstance(each, Missing)), None)
        stated = [cast("Derived[int]", each) for each in found if isinstance(each, Derived)]
        return unknown or max(stated, key=lambda each: each.value, default=Missing(((None, "the MTU of a NIC"),)))

    def spans(self) -> Iterator[Span]:
        """Every in-scope port once, with its other end."""
        seen: set[PortName] = set()
        for name, view in self.views.items():
            if name in seen:
                continue
            seen.add(name)
            link = self.links.get(name)
            other = None if link is None else link.b if link.a == name else link.a
            peer = self.views.get(other) if other is not None else None
            if peer is not None and other is not None:
                seen.add(other)
            down = other is not None and peer is None and _is_down(self.devices.get(other.device), other.port)
            yield Span(view, peer, link, self._plans[name] or (self._plans.get(other) if other is not None else None), down)

    def sent_mark(self, sender: PortView | None, mark: Mark) -> Mark:
        """The mark as it leaves a sender: a NIC's own CNP DSCP in place of the plan's."""
        if sender is None or not sender.is_nic or mark.want.role.value != "cnp" or mark.dscp is None:
            return mark
        dscp = sender.fact("cnp.dscp")
        if isinstance(dscp, Missing):
            return Mark(mark.want, None, None, None, dscp)
        if dscp.value in (mark.want.dscp.value if mark.want.dscp else ()):
            return mark
        return Mark(mark.want, cast(int, dscp.value), mark.pcp, dscp.cites[0])


RDMA_MTUS = (4096, 2048, 1024, 512, 256)
RDMA_HEADERS = 96  # what Linux takes off an interface's MTU for RoCE: include/rdma/ib_addr.h, iboe_get_mtu


def _rdma_mtu(view: PortView) -> Result[int]:
    for rdma in view.device.rdma.values():
        if rdma.netdev is not None and rdma.netdev.value == view.port.name and rdma.active_mtu is not None and rdma.active_mtu.is_now:
            return Derived(rdma.active_mtu.value, (Cite("active_mtu", rdma.active_mtu, view.device.name, view.port.name),))
    mtu = view.fact("mtu")
    if isinstance(mtu, Missing):
        return mtu
    fitting = next((each for each in RDMA_MTUS if each <= cast(int, mtu.value) - RDMA_HEADERS), RDMA_MTUS[-1])
    return Derived(fitting, mtu.cites)


def in_scope(
    devices: Mapping[str, Device], links: Mapping[PortName, Link], declared: Callable[[Device, Port], bool]
) -> dict[PortName, PortView]:
    """The ports that are judged, in the order of devices and ports: declared, of RoCE by their own configuration, or beside such a one."""
    able = {
        PortName(device.name, port.name): (device, port)
        for device in devices.values()
        for port in device.ports.values()
        if port.name != EVERY_PORT and not _false(port.admin_up) and not _true(port.internal) and port.parent is None
    }
    wanted = [name for name, (device, port) in able.items() if declared(device, port) or _carries(device, port)]
    wanted += [name for name, (device, port) in able.items() if name in links and _is_rdma_nic(device, port)]
    inside: set[PortName] = set()
    bonds: dict[tuple[str, str], list[PortName]] = {}
    for name, (_, port) in able.items():
        if port.bond is not None:
            bonds.setdefault((name.device, port.bond.value), []).append(name)
    while wanted:
        name = wanted.pop()
        if name in inside or name not in able:
            continue
        inside.add(name)
        device, port = able[name]
        link = links.get(name)
        if link is not None:
            other = link.b if link.a == name else link.a
            if other in able and (device.kind != "host" or _is_rdma_nic(device, port)) and _able_peer(*able[other]):
                wanted.append(other)
        if port.bond is not None:
            wanted.extend(bonds[name.device, port.bond.value])
    return {name: PortView(*able[name]) for name in able if name in inside}


def _able_peer(device: Device, port: Port) -> bool:
    return device.kind != "host" or _is_rdma_nic(device, port)


def _is_rdma_nic(device: Device, port: Port) -> bool:
    if device.kind != "host":
        return False
    if port.pfc is not None and _true(port.pfc.makes_lossless):
        return True
    return any(
        rdma.netdev is not None and rdma.netdev.value == port.name and not (rdma.link_layer and rdma.link_layer.value == "infiniband")
        for rdma in device.rdma.values()
    )


def _carries(device: Device, port: Port) -> bool:
    """Whether the port's own configuration has PFC on, a no-drop class that is not FCoE's, or ECN on a queue."""
    shared = device.ports.get(EVERY_PORT)
    if not (port.pfc is not None and _true(port.pfc.for_fcoe)):
        for path in ("pfc.priorities", "pfc.tx", "pfc.rx"):
            fact = stated(port, path)
            if fact is not None and fact.value and (shared is None or stated(shared, path) is not fact):
                return True
        for key, entry in _entries(port.groups).items():
            if _entries(shared.groups if shared else None).get(key) is not entry and _true(getattr(entry.value, "lossless", None)):
                return True
    for key, entry in _entries(port.queues).items():
        if _entries(shared.queues if shared else None).get(key) is entry:
            continue
        marking = now(getattr(entry.value, "marking", None))
        if marking is not None and marking.basis in ("observed", "configured") and _true(getattr(marking.value, "ecn", None)):
            return True
    return False


def _entries(fact: Fact[object] | None) -> Mapping[int, Fact[object]]:
    return getattr(fact.value, "entries", {}) if fact is not None else {}


def _true(fact: Fact[bool] | None) -> bool:
    return fact is not None and fact.is_now and fact.value


def _false(fact: Fact[bool] | None) -> bool:
    return fact is not None and fact.is_now and not fact.value


def _is_down(device: Device | None, port: str) -> bool:
    return device is not None and port in device.ports and _false(device.ports[port].admin_up)
