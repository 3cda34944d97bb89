"""The plan for a fabric: what intent wants of each port, or what most of the devices do where there is no intent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from roce_lint.fabric.intentions import Intended, policy
from roce_lint.fabric.selectors import takes
from roce_lint.model.devices import Device, Rdma
from roce_lint.model.facts import Fact
from roce_lint.model.paths import stated
from roce_lint.model.plan import FabricPlan, Plan, Want
from roce_lint.model.ports import Port

LEAST_VOTERS = 3
LEAST_SHARE = 0.6
Chosen = Callable[[Device, Port], FabricPlan | None]


def fabric_of(intent: Intended) -> Chosen:
    """Which part of a plan a port is under: the first fabric whose selector takes it, then one without a selector."""
    open_ones = [fabric for fabric in intent.plan.fabrics if fabric.match is None]

    def chosen(device: Device, port: Port) -> FabricPlan | None:
        for fabric in intent.plan.fabrics:
            if fabric.match is not None and takes(fabric.match, device, port, intent.roles):
                return fabric
        return open_ones[0] if open_ones else None

    return chosen


def declared(intent: Intended) -> Callable[[Device, Port], bool]:
    """Whether intent itself puts a port in scope: by a selector of a fabric or by a cable that it states."""
    ends = {(name.value.device, name.value.port) for cable in intent.cables for name in (cable.a, cable.b)}

    def stated_by_intent(device: Device, port: Port) -> bool:
        if (device.name, port.name) in ends:
            return True
        return any(takes(match, device, port, intent.roles) for match in intent.declares) and _of_fabric(device, port)

    return stated_by_intent


def _of_fabric(device: Device, port: Port) -> bool:
    """Whether a port can carry RDMA at all: a switch port, or a host port that states something of QoS or has an RDMA device."""
    if device.kind != "host":
        return True
    if any(fact is not None for fact in (port.trust, port.dscp_to_priority, port.pfc, port.priority_to_queue, port.rp, port.np)):
        return True
    return any(rdma.netdev is not None and rdma.netdev.value == port.name for rdma in device.rdma.values())


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What two wanted facts say against each other."""

    text: str
    facts: tuple[Fact[object], ...]


def contradictions(plan: FabricPlan) -> Iterator[Contradiction]:
    """Where a plan contradicts itself, whatever the devices say."""
    seen: dict[int, Want] = {}
    for want in plan.classes:
        for dscp in sorted(want.dscp.value) if want.dscp is not None else ():
            other = seen.setdefault(dscp, want)
            if other is not want and want.dscp is not None and other.dscp is not None:
                yield Contradiction(f"DSCP {dscp} is in class {other.name} and in class {want.name}", (want.dscp, other.dscp))
    for want in plan.classes:
        yield from _notifications(want, plan.classes)
    shares = [want.share for want in plan.classes if want.share is not None]
    total = sum(share.value for share in shares)
    if total > 100:
        yield Contradiction(f"the shares of the classes make {total:g} %, more than 100", tuple(shares))
    most = plan.settings.get("limits.max_lossless")
    lossless = [want for want in plan.classes if want.loss.value in ("lossless", "pfc_only", "edge_lossless")]
    if most is not None and isinstance(most.value, int) and len(lossless) > most.value:
        text = f"{len(lossless)} lossless classes, where limits.max_lossless allows {most.value}"
        yield Contradiction(text, (most, *(want.loss for want in lossless)))


def _notifications(want: Want, classes: Sequence[Want]) -> Iterator[Contradiction]:
    if want.role.value != "cnp" or (want.with_data is not None and want.with_data.value):
        return
    if want.loss.value in ("lossless", "pfc_only"):
        yield Contradiction(f"class {want.name} carries notifications and is lossless", (want.loss,))
    for other in classes:
        if other.role.value not in ("rdma_data", "storage") or want.pfc_priority is None or other.pfc_priority is None:
            continue
        if want.pfc_priority.value == other.pfc_priority.value:
            text = f"class {want.name} has the PFC index {want.pfc_priority.value} of class {other.name}"
            yield Contradiction(text, (want.pfc_priority, other.pfc_priority))


def inferred(ports: Iterable[tuple[Device, Port]], devices: Iterable[Device]) -> Plan:
    """The classes that at least 60 % of at least three voters use: a mark of jobs and NICs, an index with PFC on at ports."""
    every = list(ports)
    indices = _usual([fact for _, port in every if (fact := stated(port, "pfc.priorities")) is not None])
    marks = _usual(_marks(list(devices)))
    wants = list(_inferred(every, marks, indices))
    if not wants:
        return Plan(None, True, ())
    return Plan(None, True, (FabricPlan("fabric", tuple(wants), (), policy()),))


def _marks(devices: list[Device]) -> list[Fact[frozenset[int]]]:
    found: list[Fact[frozenset[int]]] = []
    for device in devices:
        for job in device.jobs.values():
            if job.traffic_class is not None and job.traffic_class.is_now:
                found.append(_dscp(job.traffic_class))
        for rdma in device.rdma.values():
            fact = _byte(rdma)
            if fact is not None:
                found.append(_dscp(fact))
    return found


def _byte(rdma: Rdma) -> Fact[int] | None:
    return next((fact for fact in (rdma.global_tclass, rdma.rdma_cm_tos) if fact is not None and fact.is_now), None)


def _dscp(byte: Fact[int]) -> Fact[frozenset[int]]:
    return Fact(frozenset({byte.value >> 2}), byte.lines, byte.basis)


def _usual(votes: Sequence[Fact[object]]) -> list[tuple[int, Fact[object]]]:
    """The members that at least 60 % of the votes name, each with the first vote that names it; none of fewer than three votes."""
    if len(votes) < LEAST_VOTERS:
        return []
    counts: Counter[int] = Counter()
    first: dict[int, Fact[object]] = {}
    for vote in votes:
        for member in vote.value if isinstance(vote.value, frozenset) else ():
            counts[member] += 1
            first.setdefault(member, vote)
    return [(member, first[member]) for member in sorted(counts) if counts[member] >= LEAST_SHARE * len(votes)]


def _inferred(
    ports: list[tuple[Device, Port]], marks: list[tuple[int, Fact[object]]], indices: list[tuple[int, Fact[object]]]
) -> Iterator[Want]:
    left = dict(indices)
    for dscp, vote in marks:
        index = _index_of(ports, dscp, left)
        at = vote.lines[:1]
        own = left.pop(index) if index is not None else None
        loss = "lossy" if own is None and not indices else _loss(ports, index) if own is not None else None
        if loss is None:
            continue
        yield Want(
            f"dscp{dscp}",
            role=Fact("rdma_data", at, "wanted"),
            loss=Fact(loss, (own or vote).lines[:1], "wanted"),  # type: ignore[arg-type]
            dscp=Fact(frozenset({dscp}), at, "wanted"),
            pfc_priority=Fact(index, own.lines[:1], "wanted") if own is not None and index is not None else None,
        )
    for index, vote in left.items():
        at = vote.lines[:1]
        yield Want(
            f"pfc{index}",
            role=Fact("rdma_data", at, "wanted"),
            loss=Fact(_loss(ports, index), at, "wanted"),  # type: ignore[arg-type]
            pfc_priority=Fact(index, at, "wanted"),
        )


def _index_of(ports: list[tuple[Device, Port]], dscp: int, indices: dict[int, Fact[object]]) -> int | None:
    """The PFC index that most host ports have on for the priority of a DSCP."""
    found: Counter[int] = Counter()
    for device, port in ports:
        fact = stated(port, f"dscp_to_priority[{dscp}]") if device.kind == "host" else None
        if fact is not None and isinstance(fact.value, int):
            found[fact.value] += 1
    if not found:
        return next(iter(indices)) if len(indices) == 1 else None
    index, count = found.most_common(1)[0]
    return index if index in indices and count >= LEAST_SHARE * sum(found.values()) else None


def _loss(ports: list[tuple[Device, Port]], index: int | None) -> str:
    """`lossless` where most ports that say so mark ECN on the queue of an index, or none says; else `pfc_only`."""
    stating: list[bool] = []
    for device, port in ports:
        queue = stated(port, f"pfc.queue[{index}]") if device.kind != "host" else None
        if queue is None:
            continue
        ecn = stated(port, f"queues[{queue.value}].marking.ecn")
        if ecn is not None:
            stating.append(bool(ecn.value))
    return "lossless" if not stating or sum(stating) >= LEAST_SHARE * len(stating) else "pfc_only"
