"""The plan for a fabric: what intent wants of each port, or what most of the devices do where there is no intent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from roce_lint.fabric.intentions import Intended, policy
from roce_lint.fabric.neighbours import Names
from roce_lint.fabric.selectors import takes
from roce_lint.model.devices import Device, PortName, Rdma
from roce_lint.model.document import Line
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


def declared(intent: Intended, devices: Mapping[str, Device] | None = None) -> Callable[[Device, Port], bool]:
    """Whether intent itself puts a port in scope: by a selector of a fabric or by a cable that it states.

    Given the devices, the ends of cables may be written by any name that the devices have for themselves and their ports.
    """
    names = Names(devices) if devices else None
    stated_ends = [end.value for cable in intent.cables for end in (cable.a, cable.b)]
    ends = set(stated_ends) | {names.port(end) for end in stated_ends if names is not None}
    matches = [match.value for match in intent.matches.values()]

    def stated_by_intent(device: Device, port: Port) -> bool:
        if ends and PortName(device.name, port.name) in ends:
            return True
        return any(takes(match, device, port, intent.roles) for match in matches) and _of_fabric(device, port)

    return stated_by_intent


def _of_fabric(device: Device, port: Port) -> bool:
    """Whether a port can carry RDMA at all: a switch port, or a host port that states something of QoS or has an RDMA device."""
    if device.kind != "host":
        return True
    if any(fact is not None for fact in (port.trust, port.dscp_to_priority, port.pfc, port.priority_to_queue, port.rp, port.np)):
        return True
    return any(rdma.netdev is not None and rdma.netdev.value == port.name for rdma in device.rdma.values())


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
        at = vote.lines[:1]
        index = _index_of(ports, dscp, left)
        if index is not None:
            by = left.pop(index).lines[:1]
            yield _mark(dscp, at, _loss(ports, index), by, Fact(index, by, "wanted"))
            continue
        loss = _unprotected(ports, dscp, at)
        if loss is not None:
            yield _mark(dscp, at, str(loss.value), loss.lines[:1], None)
    for index, vote in left.items():
        at = vote.lines[:1]
        yield Want(
            f"pfc{index}",
            role=Fact("rdma_data", at, "wanted"),
            loss=Fact(_loss(ports, index), at, "wanted"),  # type: ignore[arg-type]
            pfc_priority=Fact(index, at, "wanted"),
        )


def _mark(dscp: int, at: tuple[Line, ...], loss: str, by: tuple[Line, ...], index: Fact[int] | None) -> Want:
    return Want(
        f"dscp{dscp}",
        role=Fact("rdma_data", at, "wanted"),
        loss=Fact(loss, by, "wanted"),  # type: ignore[arg-type]
        dscp=Fact(frozenset({dscp}), at, "wanted"),
        pfc_priority=index,
    )


def _index_of(ports: list[tuple[Device, Port]], dscp: int, indices: Mapping[int, Fact[object]]) -> int | None:
    """The PFC index, of those given, that equals the priority to which most NIC ports map a DSCP."""
    mapped = [fact.value for device, port in ports if device.kind == "host" and (fact := stated(port, f"dscp_to_priority[{dscp}]"))]
    if not mapped:
        return None
    index, count = Counter(mapped).most_common(1)[0]
    return index if isinstance(index, int) and index in indices and count >= LEAST_SHARE * len(mapped) else None


def _unprotected(ports: list[tuple[Device, Port]], dscp: int, at: tuple[Line, ...]) -> Fact[object] | None:
    """The loss model of a mark without a usual PFC index.

    Lossy where most ports have no PFC, or none for the priority of the mark; lossless where most have, or where no port tells
    anything, so that all of it is unknown; None where they do not agree.
    """
    votes: list[tuple[bool, Fact[object]]] = []
    for _, port in ports:
        on = stated(port, "pfc.priorities")
        if on is None or not isinstance(on.value, frozenset):
            continue
        priority, same = stated(port, f"dscp_to_priority[{dscp}]"), stated(port, "pfc.index_is_priority")
        if not on.value:
            votes.append((False, on))
        elif priority is not None and same is not None and same.value:
            votes.append((priority.value in on.value, on))
    protected = [fact for on, fact in votes if on]
    if not votes:
        return Fact("lossless", at, "wanted")
    if len(protected) >= LEAST_SHARE * len(votes):
        return Fact(_loss(ports, None), protected[0].lines, "wanted")
    if len(votes) - len(protected) >= LEAST_SHARE * len(votes):
        return Fact("lossy", next(fact for on, fact in votes if not on).lines, "wanted")
    return None


def _loss(ports: list[tuple[Device, Port]], index: int | None) -> str:
    """`lossless` where most ports that say so mark ECN on the queue of an index, or none says; else `pfc_only`."""
    stating: list[bool] = []
    for device, port in ports:
        queue = stated(port, f"pfc.queue[{index}]") if device.kind != "host" and index is not None else None
        ecn = stated(port, f"queues[{queue.value}].marking.ecn") if queue is not None else None
        if ecn is not None:
            stating.append(bool(ecn.value))
    return "lossless" if not stating or sum(stating) >= LEAST_SHARE * len(stating) else "pfc_only"
