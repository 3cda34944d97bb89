"""A port: what a switch or a host says of one interface."""

from typing import Literal

from pydantic.dataclasses import dataclass

from roce_lint.model.facts import RECORD, Fact, Table
from roce_lint.model.qos import Buffer, Cnp, Counters, Dcbx, GlobalPause, Pfc, Priorities, Queue, Trust, Watchdog


class _Kept(int):
    """No mark that is written: the packet leaves with the one that it came with."""

    def __str__(self) -> str:
        return "kept"


KEPT = _Kept(-1)  # an entry of a rewrite table


@dataclass(frozen=True, slots=True, config=RECORD)
class Neighbour:
    """Who a port says its other end is. `source` tells LLDP from a plan kept on the device (DEVICE_NEIGHBOR)."""

    source: Literal["lldp", "plan"]
    device: Fact[str] | None = None
    port: Fact[str] | None = None
    chassis_mac: Fact[str] | None = None
    port_mac: Fact[str] | None = None
    description: Fact[str] | None = None
    system: Fact[str] | None = None
    pfc_priorities: Fact[frozenset[int]] | None = None  # from the neighbour's own DCBX TLVs
    pfc_willing: Fact[bool] | None = None
    frame_bytes: Fact[int] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Port:
    """One interface. `name` is the platform's canonical name; the name `*` stands for every port of the device.

    Speed in bit/s, MTU in bytes, cable length and reach in metres. `mtu_kind` says what the number counts: `l3` the IP packet, `l2`
    the frame with its Ethernet header. `native_vlan` is what an untagged frame belongs to on a trunk.
    """

    name: str
    admin_up: Fact[bool] | None = None
    oper_up: Fact[bool] | None = None
    mac: Fact[str] | None = None
    alias: Fact[str] | None = None
    description: Fact[str] | None = None
    speed_bps: Fact[int] | None = None
    lanes: Fact[int] | None = None
    fec: Fact[str] | None = None
    mtu: Fact[int] | None = None
    mtu_kind: Fact[Literal["l2", "l3"]] | None = None
    cable_length_m: Fact[int] | None = None
    reach_m: Fact[int] | None = None
    bond: Fact[str] | None = None
    bond_members: Fact[frozenset[str]] | None = None
    access_vlan: Fact[int] | None = None
    trunk_vlans: Fact[str] | None = None
    native_vlan: Fact[int] | None = None
    routed: Fact[bool] | None = None
    internal: Fact[bool] | None = None  # a backplane, CPU or recirculation port
    neighbours: tuple[Neighbour, ...] = ()
    trust: Fact[Trust] | None = None
    default_priority: Fact[int] | None = None
    dscp_to_priority: Fact[Table[int]] | None = None
    pcp_to_priority: Fact[Table[int]] | None = None
    priority_to_queue: Fact[Table[int]] | None = None
    priority_to_group: Fact[Table[int]] | None = None
    rewrite_dscp: Fact[Table[int]] | None = None  # internal priority to the DSCP written on the way out, or KEPT
    rewrite_pcp: Fact[Table[int]] | None = None  # priority to the PCP written on the way out; of a host's VLAN, the socket's priority
    queues: Fact[Table[Queue]] | None = None
    groups: Fact[Table[Buffer]] | None = None
    pfc: Pfc | None = None
    watchdog: Watchdog | None = None
    global_pause: GlobalPause | None = None
    dcbx: Dcbx | None = None
    rp: Priorities | None = None
    np: Priorities | None = None
    cnp: Cnp | None = None
    undefined_names: Fact[frozenset[str]] | None = None  # names of maps and profiles that the port uses and nothing defines
    counters: Counters | None = None
    driver: Fact[str] | None = None
    driver_version: Fact[str] | None = None
    firmware: Fact[str] | None = None
    pci: Fact[str] | None = None
    parent: Fact[str] | None = None  # the lower device of a VLAN, VF or representor
    firmware_settings: Fact[dict[str, str]] | None = None  # names and values as the firmware tool prints them
    firmware_registers: Fact[dict[str, str]] | None = None  # the same of what only lasts until a reset
