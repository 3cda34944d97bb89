"""What the plan wants in place of a raw fact, and which fact of an outcome is at fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from roce_lint.checks.buffers import LARGEST_RDMA_MTU
from roce_lint.checks.headroom import ieee
from roce_lint.fabric.marking import threshold
from roce_lint.fabric.views import INDICES
from roce_lint.lint.expr import Env
from roce_lint.model.devices import Device
from roce_lint.model.facts import Fact
from roce_lint.model.finding import Cite, Wanted
from roce_lint.model.paths import stated, steps
from roce_lint.model.plan import FabricPlan, Want
from roce_lint.model.ports import Port

CHAIN = (
    "undefined_names",
    "trust",
    "default_priority",
    "dscp_to_priority",
    "pcp_to_priority",
    "cnp",
    "priority_to_group",
    "priority_to_queue",
    "groups",
    "pfc",
    "queues",
)
TOLERANCE = 0.1  # of thresholds where the plan states none: chips round them to their cells
FIRST = ("global_pause", "mtu", "watchdog", "rp", "np")  # not links of the chain: where a rule reads one, it is about that


@dataclass(frozen=True, slots=True)
class Wish:
    """A wanted value, and whether what is stated differs from it in what the class needs."""

    value: object
    differs: bool


def wish(cite: Cite, want: Want | None, plan: FabricPlan | None, port: Port | None, device: Device | None = None) -> Wish | None:
    """What a plan wants of a cited fact; None where it says nothing of it."""
    if plan is None or port is None:
        return None
    head = steps(cite.raw)
    value = cite.fact.value
    match head:
        case ("pfc", "priorities" | "rx" | "tx"):
            indices = lossless_indices(plan)
            if not indices and any(each.loss.value not in ("lossy", "global_pause") for each in plan.classes):
                return None
            own = want.pfc_priority.value if want is not None and want.pfc_priority is not None else None
            carried = isinstance(value, frozenset)
            if own is None or want is None or want.loss.value == "lossy":
                return Wish(indices, value != indices)
            return Wish(indices, not carried or own not in value)  # type: ignore[operator]
        case ("pfc", "operational"):
            return Wish(True, value is not True)
        case ("pfc", "mode"):
            return Wish("on", value == "off") if lossless_indices(plan) else None
        case ("trust",):
            return _trust(want, str(value))
        case ("dscp_to_priority", int() as mark) if want is not None and want.dscp is not None and mark in want.dscp.value:
            return _priority(want, plan, port, value)
        case ("pcp_to_priority", int() as mark) if want is not None and want.pcp is not None and mark in want.pcp.value:
            return _priority(want, plan, port, value)
        case ("priority_to_group", int()) if want is not None:
            return _own_group(want, port, value)
        case ("groups", int() as group, "lossless") if want is not None:
            return _lossless(want, plan, port, group, value)
        case ("queues", int(), "marking", "ecn") if want is not None:
            marking = want.loss.value in ("lossless", "lossy", "edge_lossless")
            return Wish(marking, value is not marking)
        case ("queues", int(), "marking", "drops"):
            return Wish(False, value is not False)
        case ("queues", int(), "marking", str() as name):
            return _threshold(plan, name, value, device, port)
        case ("global_pause", "rx" | "tx"):
            return Wish(False, value is not False)
        case ("cnp", "dscp"):
            return _cnp(plan, value)
        case ("watchdog", "enabled"):
            return Wish(True, value is not True)
        case ("rp" | "np", "priorities", int() as priority):
            return _reaction(want, port, priority, value)
        case ("groups", int(), "alpha"):
            least = plan.settings.get("buffers.alpha_min")
            if least is None or not isinstance(least.value, int | float):
                return None
            return Wish(least.value, isinstance(value, int | float) and value < least.value)
        case ("groups", int(), "xoff_bytes"):
            return Wish(_headroom(port), value == 0)
        case ("mtu",):
            setting = plan.settings.get("mtu.host" if device is not None and device.kind == "host" else "mtu.switch_min")
            if setting is None or not isinstance(setting.value, int):
                return None
            return Wish(setting.value, isinstance(value, int) and value < setting.value)
    return None


def lossless_indices(plan: FabricPlan) -> frozenset[int]:
    """The PFC indices of the classes that PFC protects."""
    return frozenset(
        want.pfc_priority.value
        for want in plan.classes
        if want.loss.value not in ("lossy", "global_pause") and want.pfc_priority is not None
    )


def _headroom(port: Port) -> int | None:
    """The least headroom of IEEE 802.3 for the port; None where speed, cable or MTU are not stated."""
    speed, cable, mtu = (stated(port, name) for name in ("speed_bps", "cable_length_m", "mtu"))
    if speed is None or cable is None or mtu is None:
        return None
    terms = ieee(int(str(speed.value)), int(str(cable.value)), int(str(mtu.value)), LARGEST_RDMA_MTU)
    return terms.total_bytes if terms is not None else None


def _trust(want: Want | None, value: str) -> Wish | None:
    if want is None or (want.dscp is None and want.pcp is None):
        return None
    good = ["both"]
    if want.pcp is not None:
        good.insert(0, "pcp")
    if want.dscp is not None:
        good.insert(0, "dscp")
    return Wish(good[0], value not in good)


def _priority(want: Want, plan: FabricPlan, port: Port, value: object) -> Wish | None:
    """The internal priorities from which the class reaches its PFC index here; the identity where the maps do not tell.

    A lossy class wants any that no lossless one needs.
    """
    if _is_lossy(want):
        taken = {priority for index in lossless_indices(plan) for priority in _leading_to(port, index)}
        return Wish(None, value in taken)
    if want.pfc_priority is None:
        return None
    fitting = _leading_to(port, want.pfc_priority.value)
    return Wish(fitting[0], value not in fitting)


def _leading_to(port: Port, index: int) -> list[int]:
    """The internal priorities that are received into the group of a PFC index; its own number first, or alone where no map tells."""
    group = stated(port, f"pfc.group[{index}]")
    fitting = [
        priority
        for priority in INDICES
        if group is not None and (found := stated(port, f"priority_to_group[{priority}]")) is not None and found.value == group.value
    ]
    return [index, *fitting] if index in fitting or not fitting else fitting


def _own_group(want: Want, port: Port, value: object) -> Wish | None:
    """The group for which the PFC index of a class is sent."""
    if want.pfc_priority is None or _is_lossy(want):
        return None
    group = stated(port, f"pfc.group[{want.pfc_priority.value}]")
    return None if group is None else Wish(group.value, value != group.value)


def _lossless(want: Want, plan: FabricPlan, port: Port, group: int, value: object) -> Wish | None:
    """Lossless is the group of a lossless class's PFC index; of others it is only wanted that a lossy class finds one that is not."""
    indices = {want.pfc_priority.value} if want.pfc_priority is not None and not _is_lossy(want) else lossless_indices(plan)
    groups = {found.value for index in indices if (found := stated(port, f"pfc.group[{index}]")) is not None}
    if _is_lossy(want):
        return None if group in groups else Wish(False, value is not False)
    return Wish(True, value is not True) if group in groups or not groups else None


def _is_lossy(want: Want) -> bool:
    return want.loss.value not in ("lossless", "pfc_only", "edge_lossless")


def _threshold(plan: FabricPlan, name: str, value: object, device: Device | None, port: Port) -> Wish | None:
    fact = threshold(plan, name, device, port) if device is not None else None
    if not isinstance(fact, Fact) or not isinstance(fact.value, int | float) or not isinstance(value, int | float):
        return None
    given = threshold(plan, "tolerance", device, port) if device is not None else None
    tolerance = given.value if isinstance(given, Fact) and isinstance(given.value, int | float) else TOLERANCE
    return Wish(fact.value, abs(value - fact.value) > tolerance * abs(fact.value))


def _cnp(plan: FabricPlan, value: object) -> Wish | None:
    dscps = [dscp for want in plan.classes if want.role.value == "cnp" and want.dscp is not None for dscp in sorted(want.dscp.value)]
    return Wish(dscps[0], value not in dscps) if dscps else None


def _reaction(want: Want | None, port: Port, priority: int, value: object) -> Wish | None:
    own = stated(port, f"dscp_to_priority[{min(want.dscp.value)}]") if want is not None and want.dscp is not None else None
    return Wish(True, value is not True) if own is not None and own.value == priority else None


@dataclass(frozen=True, slots=True)
class Fault:
    """The end that an outcome blames, the facts with the one at fault first, and what the plan wants in their place."""

    device: str | None
    port: str | None
    cites: tuple[Cite, ...]
    wanted: tuple[Wanted, ...]


def fault(
    cites: Sequence[Cite],
    env: Env,
    blame: str,
    want: Want | None,
    plan: FabricPlan | None,
    devices: Mapping[str, Device],
    by_chain: bool = True,
) -> Fault | None:
    """Who is blamed for a broken outcome: the first raw fact of the chain that differs from the plan.

    Where none does, the first that is cited, of a host before that of a switch: a derivation cites what decided it first. What a check
    cites stands in its own order. None where the outcome rests on no device.
    """
    raw = [cite for cite in cites if cite.device is not None]
    rest = [cite for cite in cites if cite.device is None]
    if not raw:
        return None
    side = str(env[blame]) if blame in env else None
    eligible = [cite for cite in raw if side is None or f"{cite.device}/{cite.port}" == side] or raw
    wishes = [(cite, wish(cite, want, plan, _port(devices, cite), devices.get(cite.device or ""))) for cite in eligible]
    differing = sorted((cite for cite, each in wishes if each is not None and each.differs), key=_rank)
    at_fault = (
        raw[0] if not by_chain else differing[0] if differing else min(eligible, key=lambda cite: devices[cite.device or ""].kind != "host")
    )
    chain = sorted(raw, key=_rank) if by_chain else raw
    own = [cite for cite in chain if (cite.device, cite.port) == (at_fault.device, at_fault.port) and cite is not at_fault]
    other = [cite for cite in chain if (cite.device, cite.port) != (at_fault.device, at_fault.port)]
    found: dict[tuple[str | None, str | None], Wanted] = {}
    for cite, each in sorted(wishes, key=lambda pair: _rank(pair[0])):  # what stands later in the chain is only wrong because of the first
        if each is not None and each.differs and each.value is not None and cite.device is not None:
            found.setdefault((cite.device, cite.port), Wanted(cite.device, cite.port, cite.raw, each.value))
    return Fault(at_fault.device, at_fault.port, (at_fault, *own, *other, *rest), tuple(found.values()))


def _rank(cite: Cite) -> int:
    head = cite.raw.split(".")[0].split("[")[0]
    if head in FIRST:
        return -1
    return CHAIN.index(head) if head in CHAIN else len(CHAIN)


def _port(devices: Mapping[str, Device], cite: Cite) -> Port | None:
    device = devices.get(cite.device or "")
    return device.ports.get(cite.port) if device is not None and cite.port is not None else None
