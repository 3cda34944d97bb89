"""What a SONiC switch does where its whole configuration is silent, and what buffermgrd adds at run time.

In the traditional buffer model the lossless groups of the PFC priorities are made from speed and cable when a port comes up, save for a
cable of 0 m: sonic-net/sonic-swss cfgmgr/buffermgr.cpp. PFC is forced and not negotiated. 802.3x pause is no feature of CONFIG_DB.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from roce_lint.model.devices import EVERY_PORT, Device
from roce_lint.model.document import Line
from roce_lint.model.facts import Basis, Fact, Table, derived, now
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer, GlobalPause, Marking, Pfc, Queue

INDICES = range(8)


def completed(device: Device) -> Device:
    """The device with defaults and what follows, where its configuration is whole."""
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
    at = _own_line(port)
    if device.complete is None or at is None:
        return port if pfc is port.pfc else replace(port, pfc=pfc)
    if pfc is not None and (pfc.queue is None or pfc.group is None):
        pfc = replace(pfc, queue=pfc.queue or _identity(at), group=pfc.group or _identity(at))
    return replace(
        port,
        pfc=pfc,
        admin_up=port.admin_up or Fact(False, at, "default"),
        default_priority=port.default_priority or Fact(0, at, "assumed"),
        priority_to_queue=port.priority_to_queue or _identity(at),
        priority_to_group=port.priority_to_group or _identity(at),
        global_pause=port.global_pause or GlobalPause(rx=Fact(False, at, "assumed"), tx=Fact(False, at, "assumed")),
        groups=_groups(device, port, pfc, at),
        queues=_queues(port, at),
    )


@lru_cache(maxsize=4)
def _identity(at: tuple[Line, ...]) -> Fact[Table[int]]:
    """Each index as itself, one object for the maps that one line's port lacks."""
    return Fact(Table({index: Fact(index, at, "default") for index in INDICES}), at, "default")


def _own_line(port: Port) -> tuple[Line, ...] | None:
    """The line of the port's own row."""
    for fact in (port.speed_bps, port.lanes, port.mtu, port.admin_up, port.alias):
        if fact is not None and fact.basis == "configured":
            return fact.lines
    return None


def _groups(device: Device, port: Port, pfc: Pfc | None, at: tuple[Line, ...]) -> Fact[Table[Buffer]]:
    """The groups: those that are bound, those that the switch makes for its PFC priorities, and the rest, which are lossy."""
    stated = dict(port.groups.value.entries) if port.groups is not None else {}
    on = now(pfc.priorities) if pfc is not None else None
    traditional = device.buffer_model is not None and device.buffer_model.value == "traditional"
    if pfc is not None and on is not None and traditional:
        for index in sorted(on.value):
            group = pfc.group.value.get(index) if pfc.group is not None else None
            if group is not None and group.value not in stated:
                stated[group.value] = _made(port, on)
    lossy = Fact(Buffer(lossless=Fact(False, at, "default")), at, "default")
    lines = port.groups.lines if port.groups is not None else at
    return Fact(Table(stated, lossy), lines, port.groups.basis if port.groups is not None else "default")


def _made(port: Port, on: Fact[frozenset[int]]) -> Fact[Buffer]:
    cable = port.cable_length_m
    none = cable is not None and cable.value == 0
    rests = (on,) if cable is None else (on, cable)
    lossless = derived(not none, *rests)
    basis: Basis = "default"
    fact = Fact(lossless.value, lossless.lines, basis)
    automatic = Fact(True, lossless.lines, basis) if not none else None
    return Fact(Buffer(lossless=fact, automatic_headroom=automatic), on.lines, basis)


def _queues(port: Port, at: tuple[Line, ...]) -> Fact[Table[Queue]]:
    """The queues: one without a WRED profile does not mark."""
    silent = Fact(Marking(ecn=Fact(False, at, "default"), drops=Fact(False, at, "default")), at, "default")
    entries = {}
    for index, fact in (port.queues.value.entries if port.queues is not None else {}).items():
        queue = fact.value
        if queue.marking is None:
            own = Fact(Marking(ecn=Fact(False, fact.lines, "default"), drops=Fact(False, fact.lines, "default")), fact.lines, "default")
            queue = replace(queue, marking=own)
        entries[index] = Fact(queue, fact.lines, fact.basis, fact.also)
    otherwise = Fact(Queue(marking=silent), at, "default")
    lines = port.queues.lines if port.queues is not None else at
    return Fact(Table(entries, otherwise), lines, port.queues.basis if port.queues is not None else "default")
