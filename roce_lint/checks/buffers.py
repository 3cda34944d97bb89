"""Whether headroom and receive buffers hold what arrives after a pause."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from roce_lint.checks.check import Check, Checked, Env, Params
from roce_lint.checks.headroom import ieee, physical
from roce_lint.fabric.pipeline import End
from roce_lint.fabric.views import PortView
from roce_lint.model.finding import Cite
from roce_lint.model.outcome import Derived, Missing, union
from roce_lint.platforms import PLATFORMS

LARGEST_RDMA_MTU = 4096  # IBTA, the largest path MTU


def headroom(env: Env, params: Params) -> Checked:
    """Whether the headroom of a class is above the physical floor and that of IEEE 802.3."""
    here = cast(End, env["here"])
    bytes_, speed, cable = here.headroom_bytes, here.view.fact("speed_bps"), here.view.fact("cable_length_m")
    for each in (bytes_, speed, cable):
        if isinstance(each, Missing):
            return Checked(each)
    assert isinstance(bytes_, Derived) and isinstance(speed, Derived) and isinstance(cable, Derived)
    shared = here.shared_headroom
    if isinstance(shared, Derived) and shared.value:
        return Checked(Derived(True, union(shared.cites)))
    mtu = here.view.fact("mtu")
    rdma = LARGEST_RDMA_MTU
    cites = union(bytes_.cites, speed.cites, cable.cites)
    least = physical(cast(int, speed.value), cast(int, cable.value), rdma).total_bytes
    if bytes_.value < least:
        return Checked(Derived(False, cites), _terms("physical", bytes_.value, least))
    if isinstance(mtu, Missing):
        return Checked(mtu)
    terms = ieee(cast(int, speed.value), cast(int, cable.value), cast(int, mtu.value), rdma)
    if terms is None:
        return Checked(Missing(((here.device.name, f"the pause response of {speed.value} bit/s in IEEE 802.3"),)))
    cites = union(cites, mtu.cites)
    if bytes_.value < terms.total_bytes:
        return Checked(Derived(False, cites), _terms("ieee", bytes_.value, terms.total_bytes))
    return Checked(Derived(True, cites), _terms("ieee", bytes_.value, terms.total_bytes))


def _terms(floor: str, bytes_: int, least: int) -> dict[str, object]:
    return {"floor": floor, "headroom_bytes": bytes_, "floor_bytes": least}


def nic_receive_buffer(env: Env, params: Params) -> Checked:
    """Whether every buffer that holds a PFC priority has the size that the driver asks for.

    What is not stated counts as little as it can: a buffer that is too small even so is too small.
    """
    port = cast(PortView, env["port"])
    least = next((row.receive_buffer for row in PLATFORMS if row.name == port.device.platform and row.receive_buffer), None)
    if least is None:
        return Checked(Missing(((port.device.name, "what its driver asks of a receive buffer"),)))
    sent = port.pause_sent
    if isinstance(sent, Missing):
        return Checked(sent)
    missing: Missing | None = None
    cites: list[tuple[Cite, ...]] = []
    for priority in sorted(sent.value):
        buffer = port.fact(f"priority_to_group[{priority}]")
        if isinstance(buffer, Missing):
            missing = buffer
            continue
        size = port.fact(f"groups[{buffer.value}].size_bytes")
        if isinstance(size, Missing):
            missing = size
            continue
        needed, unknown = _needed(port, least)
        if cast(int, size.value) < needed:
            found = union(size.cites, buffer.cites, sent.cites)
            terms = {"buffer": buffer.value, "priority": priority, "size_bytes": size.value, "needed_bytes": needed}
            return Checked(Derived(False, found), terms)
        missing = unknown or missing
        cites.extend((size.cites, buffer.cites))
    return Checked(missing) if missing is not None else Checked(Derived(True, union(*cites, sent.cites)))


def _needed(port: PortView, least: Callable[[int, int, int], int]) -> tuple[int, Missing | None]:
    """The least size by what is stated, and what would raise it."""
    stated = [port.fact(path) for path in ("speed_bps", "cable_length_m", "mtu")]
    speed, cable, mtu = (cast(int, each.value) if isinstance(each, Derived) else 0 for each in stated)
    return least(speed, cable, mtu), next((each for each in stated if isinstance(each, Missing)), None)


CHECKS = {
    "headroom": Check(headroom, {"floor": str, "headroom_bytes": int, "floor_bytes": int}),
    "nic_receive_buffer": Check(nic_receive_buffer, {"buffer": int, "priority": int, "size_bytes": int, "needed_bytes": int}),
}
