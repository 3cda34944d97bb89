"""What follows for a port of the mlx5 driver from what its tools and the kernel's say.

A priority with PFC makes its whole receive buffer lossless: torvalds/linux drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c.
Setting the first DSCP entry makes the port trust DSCP, deleting the last makes it trust PCP; the delay of dcbnl is the length of the
cable in metres: MLNX_OFED en_dcbnl.c. A port counts the pauses of a priority only where PFC is on for it: Documentation/networking/
device_drivers/ethernet/mellanox/mlx5/counters.rst.
"""

from __future__ import annotations

from dataclasses import replace

from roce_lint.model.devices import Device
from roce_lint.model.facts import Fact, Table, combined, derived, now
from roce_lint.model.outcome import AtLeast
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer, Pfc, Trust

DRIVER = "mlx5_core"
PRIORITIES = range(8)


def completed(device: Device) -> Device:
    """The device with what follows for each ConnectX port; doing it twice changes nothing more."""
    ports = {name: _completed(port) for name, port in device.ports.items()}
    if all(ports[name] is port for name, port in device.ports.items()):
        return device
    return replace(device, ports=ports)


def _completed(port: Port) -> Port:
    by_tool = port.pfc is not None and port.pfc.makes_lossless is not None
    if not by_tool and (port.driver is None or port.driver.value != DRIVER):
        return port
    on = now(port.pfc.priorities) if port.pfc is not None else None
    on = on or _paused(port)
    found = {
        "pfc": _pfc(port, on),
        "groups": _lossless(port, on),
        "trust": _trust(port),
        "cable_length_m": port.cable_length_m or (port.pfc.delay if port.pfc is not None else None),
    }
    changes = {name: value for name, value in found.items() if value is not getattr(port, name)}
    return replace(port, **changes) if changes else port  # type: ignore[arg-type]


def _pfc(port: Port, on: Fact[frozenset[int]] | None) -> Pfc | None:
    pfc = port.pfc
    if on is None:
        return pfc
    pfc = pfc or Pfc()
    return _changed(
        pfc,
        Pfc(
            priorities=pfc.priorities if now(pfc.priorities) is not None else on,
            operational=pfc.operational or (Fact(True, on.lines, on.basis) if on.value else None),
            index_is_priority=pfc.index_is_priority or Fact(True, on.lines, "default"),
            makes_lossless=pfc.makes_lossless or Fact(True, on.lines, "default"),
            queue=pfc.queue or now(port.priority_to_queue),
            group=pfc.group or now(port.priority_to_group),
        ),
    )


def _changed(pfc: Pfc, wanted: Pfc) -> Pfc:
    names = ("priorities", "operational", "index_is_priority", "makes_lossless", "queue", "group")
    changes = {name: getattr(wanted, name) for name in names if getattr(wanted, name) is not getattr(pfc, name)}
    return replace(pfc, **changes) if changes else pfc


def _paused(port: Port) -> Fact[frozenset[int]] | None:
    """The priorities with PFC by the pause counters that are there; none by that none is, where all other counters are."""
    counters = port.counters
    named = now(counters.named) if counters is not None else None
    if counters is None or named is None:
        return None
    pauses = now(counters.pfc_rx)
    on = [priority for priority in PRIORITIES if f"rx_prio{priority}_pause" in named.value]
    complete = all(f"rx_prio{priority}_bytes" in named.value for priority in PRIORITIES)
    if not complete and not on:
        return None
    stated = [pauses.value.entries[priority] for priority in on if pauses is not None and priority in pauses.value.entries]
    lines = tuple(dict.fromkeys(line for fact in stated for line in fact.lines)) or named.lines
    return Fact(frozenset(on) if complete else AtLeast(on), lines, "observed")


def _trust(port: Port) -> Fact[Trust] | None:
    """PCP where the application table was read and lists no DSCP, else DSCP."""
    table = now(port.dscp_to_priority)
    if now(port.trust) is not None or table is None:
        return port.trust
    word: Trust = "dscp" if table.value.entries else "pcp"
    return combined(port.trust, Fact(word, table.lines, table.basis))


def _lossless(port: Port, on: Fact[frozenset[int]] | None) -> Fact[Table[Buffer]] | None:
    """The receive buffers with whether each is lossless: it holds a priority with PFC."""
    groups, buffer_of = port.groups, now(port.priority_to_group)
    if groups is None or on is None or buffer_of is None or all(fact.value.lossless is not None for fact in groups.value.entries.values()):
        return groups
    holding = {fact.value: fact for priority, fact in buffer_of.value.entries.items() if priority in on.value}
    known = not isinstance(on.value, AtLeast) and all(priority in buffer_of.value.entries for priority in on.value)
    without = derived(False, on, buffer_of) if known else None
    entries: dict[int, Fact[Buffer]] = {}
    for index, fact in groups.value.entries.items():
        held = holding.get(index)
        lossless = fact.value.lossless or (derived(True, on, held) if held is not None else without)
        entries[index] = fact if lossless is None else Fact(replace(fact.value, lossless=lossless), fact.lines, fact.basis, fact.also)
    return Fact(Table(entries, groups.value.otherwise), groups.lines, groups.basis, groups.also)
