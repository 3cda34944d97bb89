"""What a plan says against itself, whatever the devices say: each with the facts that cannot be met together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from roce_lint.fabric.intentions import ECN, Intended
from roce_lint.fabric.selectors import takes
from roce_lint.model.devices import Device
from roce_lint.model.facts import Fact
from roce_lint.model.finding import Cite
from roce_lint.model.plan import Ecn, FabricPlan, Want
from roce_lint.model.ports import Port

ROUNDING = 0.001  # of shares that are written as 33.33
PROTECTED = ("lossless", "pfc_only", "edge_lossless")
DATA = ("rdma_data", "storage")
RDMA_HEADERS = 44  # IPv4 20, UDP 8, BTH 12, invariant CRC 4: the least that a RoCEv2 packet adds to its payload
FIELDS: Mapping[str, str] = {"sched": "scheduling", "cnp": "with_data"}
PAIRS = (
    ("watchdog.poll_ms", "watchdog.detect_ms", 0, "watchdog.detect_ms ends at {large}, before one poll of {small} ms is over"),
    ("mtu.rdma", "mtu.host", RDMA_HEADERS, "RDMA packets of {small} bytes with their headers exceed mtu.host, {large}"),
    (
        "mtu.rdma",
        "mtu.switch_min",
        RDMA_HEADERS,
        "RDMA packets of {small} bytes with their headers exceed mtu.switch_min, {large}",
    ),
    ("mtu.host", "mtu.switch_min", 0, "mtu.host is {small} and mtu.switch_min less, {large}"),
)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What wanted facts say against each other, each fact under its path in the intent."""

    text: str
    cites: tuple[Cite, ...]


def contradictions(plan: FabricPlan) -> Iterator[Contradiction]:
    """Where a plan contradicts itself."""
    yield from _shared_marks(plan.classes)
    for want in plan.classes:
        yield from _notifications(want, plan.classes)
    yield from _shared_indices(plan.classes)
    yield from _shares(plan.classes)
    yield from _too_many(plan)
    yield from _pause(plan)
    yield from _thresholds(plan.ecn)
    yield from _numbers(plan)


def overlaps(intent: Intended, ports: Iterable[tuple[Device, Port]]) -> Iterator[Contradiction]:
    """Fabrics that take the same port, where a port is in exactly one: each pair once, with the first port and how many more."""
    if len(intent.matches) < 2:
        return
    found: dict[tuple[str, str], list[str]] = {}
    for device, port in ports:
        names = [name for name, match in intent.matches.items() if takes(match.value, device, port, intent.roles)]
        for number, name in enumerate(names):
            for other in names[number + 1 :]:
                found.setdefault((name, other), []).append(f"{device.name}/{port.name}")
    for (name, other), shared in found.items():
        more = f" and {len(shared) - 1} more" if len(shared) > 1 else ""
        text = f"fabrics {name} and {other} both take {shared[0]}{more}; a port is in one fabric"
        yield Contradiction(text, tuple(Cite(f"fabrics.{each}.match", intent.matches[each]) for each in (name, other)))


def _cite(want: Want, key: str) -> Cite:
    """A stated field of a class by its key in the intent."""
    fact: Fact[object] | None = getattr(want, FIELDS.get(key, key))
    return Cite(f"classes.{want.name}.{key}", fact if fact is not None else want.role)


def _shared_marks(classes: Sequence[Want]) -> Iterator[Contradiction]:
    """Marks that two classes have: a DSCP, or a PCP where one of the two has no DSCP to tell them apart."""
    for number, want in enumerate(classes):
        for other in classes[number + 1 :]:
            if _travels_with(want, other) or _travels_with(other, want):
                continue
            for key, own, others in (("dscp", want.dscp, other.dscp), ("pcp", want.pcp, other.pcp)):
                if own is None or others is None or (key == "pcp" and want.dscp is not None and other.dscp is not None):
                    continue
                for mark in sorted(own.value & others.value):
                    text = f"{key.upper()} {mark} is in class {want.name} and in class {other.name}"
                    yield Contradiction(text, (_cite(other, key), _cite(want, key)))


def _travels_with(want: Want, other: Want) -> bool:
    """Whether a class of notifications may have what a class of data has."""
    return want.role.value == "cnp" and want.with_data is not None and want.with_data.value and other.role.value in DATA


def _notifications(want: Want, classes: Sequence[Want]) -> Iterator[Contradiction]:
    if want.role.value != "cnp":
        if want.with_data is not None:
            text = f"class {want.name} is to travel with the data and carries no notifications"
            yield Contradiction(text, (_cite(want, "cnp"), _cite(want, "role")))
        return
    if want.with_data is not None and want.with_data.value:
        return
    if want.loss.value in PROTECTED:
        yield Contradiction(f"class {want.name} carries notifications and is lossless", (_cite(want, "loss"),))
    for other in classes:
        if other.role.value not in DATA or want.pfc_priority is None or other.pfc_priority is None:
            continue
        if want.pfc_priority.value == other.pfc_priority.value:
            text = f"class {want.name} has the PFC index {want.pfc_priority.value} of class {other.name}"
            yield Contradiction(text, (_cite(want, "pfc_priority"), _cite(other, "pfc_priority")))


def _shared_indices(classes: Sequence[Want]) -> Iterator[Contradiction]:
    """Classes on one PFC index that may not share it: one is lossy and the other paused, or one says with whom it shares."""
    for number, want in enumerate(classes):
        for other in classes[number + 1 :]:
            own, others = want.pfc_priority, other.pfc_priority
            if own is None or others is None or own.value != others.value or "cnp" in (want.role.value, other.role.value):
                continue
            on = (_cite(other, "pfc_priority"), _cite(want, "pfc_priority"))
            for one, two in ((want, other), (other, want)):
                if one.may_share_with is not None and two.name not in one.may_share_with.value:
                    text = f"class {one.name} has the PFC index {own.value} of class {two.name}, with which it may not share"
                    yield Contradiction(text, (_cite(one, "may_share_with"), *on))
                elif one.loss.value == "lossy" and two.loss.value in PROTECTED and one.may_share_with is None:
                    text = f"class {one.name} is lossy and has the PFC index {own.value} of class {two.name}, which is paused"
                    yield Contradiction(text, (_cite(one, "loss"), *on))


def _shares(classes: Sequence[Want]) -> Iterator[Contradiction]:
    stating = [want for want in classes if want.share is not None]
    total = sum(want.share.value for want in stating if want.share is not None)
    if total > 100 + ROUNDING:
        yield Contradiction(f"the shares of the classes make {total:g} %, more than 100", tuple(_cite(want, "share") for want in stating))


def _too_many(plan: FabricPlan) -> Iterator[Contradiction]:
    """More PFC indices than are allowed; a class without an index counts as one of its own."""
    most = plan.settings.get("limits.max_lossless")
    lossless = [want for want in plan.classes if want.loss.value in PROTECTED]
    indices = {want.pfc_priority.value for want in lossless if want.pfc_priority is not None}
    count = len(indices) + sum(want.pfc_priority is None for want in lossless)
    if most is not None and isinstance(most.value, int) and count > most.value:
        text = f"{count} lossless {'class' if count == 1 else 'classes'}, where limits.max_lossless allows {most.value}"
        yield Contradiction(text, (Cite("limits.max_lossless", most), *(_cite(want, "loss") for want in lossless)))


def _pause(plan: FabricPlan) -> Iterator[Contradiction]:
    """802.3x beside PFC, and 802.3x both wanted and not."""
    paused = [want for want in plan.classes if want.loss.value == "global_pause"]
    protected = [want for want in plan.classes if want.loss.value in PROTECTED]
    if paused and protected:
        text = f"class {paused[0].name} is to be protected by 802.3x pause and class {protected[0].name} by PFC; a port does one of them"
        yield Contradiction(text, (_cite(paused[0], "loss"), _cite(protected[0], "loss")))
    wanted = plan.settings.get("limits.global_pause")
    if wanted is None:
        return
    cite = Cite("limits.global_pause", wanted)
    if paused and wanted.value is False:
        text = f"class {paused[0].name} is to be protected by 802.3x pause, which limits.global_pause forbids"
        yield Contradiction(text, (_cite(paused[0], "loss"), cite))
    if protected and not paused and wanted.value is True:
        text = f"limits.global_pause wants 802.3x pause, and class {protected[0].name} PFC; a port does one of them"
        yield Contradiction(text, (cite, _cite(protected[0], "loss")))


def _thresholds(entries: Sequence[Ecn]) -> Iterator[Contradiction]:
    """A lower threshold above the upper one of the same ports, which may stand in another entry."""
    seen: set[tuple[int, int]] = set()
    for each in entries:
        covering = [other for other in entries if all(each.match.get(key) == value for key, value in other.match.items())]
        for low_key, high_key in (("kmin", "kmax"), ("kmin_percent", "kmax_percent")):
            low, high = _first(covering, low_key), _first(covering, high_key)
            if low is None or high is None or low.value <= high.value or (id(low), id(high)) in seen:
                continue
            seen.add((id(low), id(high)))
            text = f"ECN is to mark from {low.value:.15g} on and always from {high.value:.15g} on, which is less"
            yield Contradiction(text, (Cite(f"ecn.{low_key}", low), Cite(f"ecn.{high_key}", high)))


def _first(entries: Sequence[Ecn], key: str) -> Fact[float] | None:
    facts: Iterator[Fact[float] | None] = (getattr(each, ECN[key]) for each in entries)
    return next((fact for fact in facts if fact is not None), None)


def _numbers(plan: FabricPlan) -> Iterator[Contradiction]:
    """Pairs of numbers of which the one must not be above the other, and the DSCP of notifications."""
    for low, high, more, text in PAIRS:
        one, two = plan.settings.get(low), plan.settings.get(high)
        small, large = (_most(fact) for fact in (one, two))
        if one is not None and two is not None and small + more > large:
            yield Contradiction(text.format(small=small, large=large), (Cite(low, one), Cite(high, two)))
    wanted = plan.settings.get("nic.cnp_dscp")
    classes = [want for want in plan.classes if want.role.value == "cnp" and want.dscp is not None]
    if wanted is not None and classes and not any(want.dscp is not None and wanted.value in want.dscp.value for want in classes):
        text = f"nic.cnp_dscp is {wanted.value}, which no class for notifications has"
        yield Contradiction(text, (Cite("nic.cnp_dscp", wanted), *(_cite(want, "dscp") for want in classes)))


def _most(fact: Fact[object] | None) -> int:
    """A number, of a pair the larger one."""
    value = fact.value if fact is not None else 0
    numbers = value if isinstance(value, tuple) else (value,)
    return max(each for each in numbers if isinstance(each, int))
