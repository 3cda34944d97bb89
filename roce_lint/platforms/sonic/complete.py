"""What follows for a SONiC port from what it says: PFC is forced and not negotiated, 802.3x pause is no feature of CONFIG_DB."""

from __future__ import annotations

from dataclasses import replace

from roce_lint.model.devices import EVERY_PORT, Device
from roce_lint.model.document import Line
from roce_lint.model.facts import Fact
from roce_lint.model.ports import Port
from roce_lint.model.qos import GlobalPause


def completed(device: Device) -> Device:
    """The device with what follows for each of its ports."""
    ports = {
        name: _completed(device, port) if name != EVERY_PORT and not name.startswith("PortChannel") else port
        for name, port in device.ports.items()
    }
    return replace(device, ports=ports)


def _completed(device: Device, port: Port) -> Port:
    pfc = port.pfc
    if pfc is not None and pfc.priorities is not None:
        on = pfc.priorities
        forced = Fact(bool(on.value), on.lines, on.basis) if on.value else None
        pfc = replace(pfc, operational=pfc.operational or forced, mode=pfc.mode or Fact("on" if on.value else "off", on.lines, on.basis))
        port = replace(port, pfc=pfc)
    at = _own_line(port)
    if device.complete is None or at is None:
        return port
    return replace(
        port,
        default_priority=port.default_priority or Fact(0, at, "assumed"),
        global_pause=port.global_pause or GlobalPause(rx=Fact(False, at, "assumed"), tx=Fact(False, at, "assumed")),
    )


def _own_line(port: Port) -> tuple[Line, ...] | None:
    """The line of the port's own row."""
    for fact in (port.speed_bps, port.lanes, port.mtu, port.admin_up, port.alias):
        if fact is not None and fact.basis == "configured":
            return fact.lines
    return None
