"""What follows on Cumulus Linux from PFC: the index is the switch priority, its group is lossless and the switch sizes it."""

from __future__ import annotations

from dataclasses import replace

from roce_lint.model.devices import Device
from roce_lint.model.facts import Fact, Table, now
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer, Queue

LOSSLESS_ALPHA = 1.0  # qos_infra.conf of Cumulus Linux 5.14: the default alpha of a lossless priority group
OTHERS = 0


def completed(device: Device) -> Device:
    """The device with the groups, the maps of the PFC indices and the egress buffers of each port."""
    return replace(device, ports={name: _completed(port) for name, port in device.ports.items()})


def _completed(port: Port) -> Port:
    pfc = port.pfc
    on = now(pfc.priorities) if pfc is not None else None
    if pfc is None or on is None:
        return port
    at = on.lines
    others = next((index for index in (OTHERS, *range(8)) if index not in on.value), 8)
    own = {index: Fact(index, at, "default") for index in on.value}
    rest = {index: Fact(others, at, "default") for index in range(8) if index not in on.value}
    group_of = Fact(Table({**own, **rest}), at, on.basis)
    lossless = Buffer(
        lossless=Fact(True, at, on.basis),
        automatic_headroom=Fact(True, at, "default"),
        alpha=Fact(LOSSLESS_ALPHA, at, "default"),
    )
    groups = {index: Fact(lossless, at, on.basis) for index in on.value}
    groups[others] = Fact(Buffer(lossless=Fact(False, at, on.basis)), at, on.basis)
    queue_of = now(port.priority_to_queue)
    pfc = replace(
        pfc,
        index_is_priority=Fact(True, at, "default"),
        group=pfc.group or group_of,
        queue=pfc.queue or queue_of,
        operational=pfc.operational or (Fact(True, at, on.basis) if on.value else None),
    )
    return replace(
        port,
        pfc=pfc,
        priority_to_group=port.priority_to_group or group_of,
        groups=port.groups or Fact(Table(groups, groups[others]), at, on.basis),
        queues=_unlimited(port, on, queue_of),
        watchdog=replace(port.watchdog, priorities=port.watchdog.priorities or on) if port.watchdog is not None else None,
    )


def _unlimited(port: Port, on: Fact[frozenset[int]], queue_of: Fact[Table[int]] | None) -> Fact[Table[Queue]] | None:
    """The queues, those of lossless priorities without a limit of their own: egress lossless pools are infinite."""
    queues = port.queues
    if queues is None or queue_of is None:
        return queues
    lossless = {fact.value for index in on.value if (fact := queue_of.value.get(index)) is not None}
    buffer = Fact(Buffer(unlimited=Fact(True, on.lines, "default")), on.lines, "default")
    entries = {
        key: Fact(replace(fact.value, buffer=buffer), fact.lines, fact.basis, fact.also)
        if key in lossless and fact.value.buffer is None
        else fact
        for key, fact in queues.value.entries.items()
    }
    return Fact(Table(entries, queues.value.otherwise, queues.value.name), queues.lines, queues.basis, queues.also)
