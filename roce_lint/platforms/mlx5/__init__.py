"""NVIDIA ConnectX and BlueField: the tools and files that only they have, and what follows for a port of the mlx5 driver.

A priority with PFC makes its whole receive buffer lossless: torvalds/linux drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c.
Setting the first DSCP entry makes the port trust DSCP, deleting the last makes it trust PCP: MLNX_OFED en_dcbnl.c.
"""

from __future__ import annotations

from dataclasses import replace

from roce_lint.model.devices import Device
from roce_lint.model.facts import Fact, Table, derived, now
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer
from roce_lint.platforms.mlx5 import buffer_size, mlnx_qos, mlxconfig
from roce_lint.platforms.platform import Platform

DRIVER = "mlx5_core"


def completed(device: Device) -> Device:
    """The device with what follows for each ConnectX port."""
    ports = {name: _completed(port) for name, port in device.ports.items()}
    if all(ports[name] is port for name, port in device.ports.items()):
        return device
    return replace(device, ports=ports)


def _completed(port: Port) -> Port:
    pfc = port.pfc
    on = now(pfc.priorities) if pfc is not None else None
    ours = (pfc is not None and pfc.makes_lossless is not None) or (port.driver is not None and port.driver.value == DRIVER)
    if not ours:
        return port
    if pfc is not None and on is not None:
        at = on.lines
        pfc = replace(
            pfc,
            index_is_priority=pfc.index_is_priority or Fact(True, at, "default"),
            makes_lossless=pfc.makes_lossless or Fact(True, at, "default"),
            queue=pfc.queue or now(port.priority_to_queue),
            group=pfc.group or now(port.priority_to_group),
        )
    groups = _lossless(port, on)
    trust = port.trust
    if now(trust) is None and port.dscp_to_priority is not None:
        trust = Fact("dscp", port.dscp_to_priority.lines, "observed", trust.also if trust is not None else ())
    return replace(port, pfc=pfc, groups=groups, trust=trust)


def _lossless(port: Port, on: Fact[frozenset[int]] | None) -> Fact[Table[Buffer]] | None:
    """The receive buffers with whether each is lossless: it holds a priority with PFC."""
    groups, buffer_of = port.groups, now(port.priority_to_group)
    if groups is None or on is None or buffer_of is None:
        return groups
    holding = {fact.value: fact for priority, fact in buffer_of.value.entries.items() if priority in on.value}
    entries = {}
    for index, fact in groups.value.entries.items():
        buffer = fact.value
        if buffer.lossless is None:
            lossless = derived(True, on, holding[index]) if index in holding else Fact(False, on.lines, on.basis)
            buffer = replace(buffer, lossless=lossless)
        entries[index] = Fact(buffer, fact.lines, fact.basis, fact.also)
    return Fact(Table(entries, groups.value.otherwise), groups.lines, groups.basis, groups.also)


PLATFORM = Platform("mlx5", "host", (mlnx_qos.READER, mlxconfig.READER, buffer_size.READER), completed)
