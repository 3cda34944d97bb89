"""A small fabric with every fact stated and nothing wrong: what the examples of rules change."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeVar

from roce_lint.model.devices import Device, Gid, Hcas, Job, Link, PortName, Rdma
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Basis, Fact, Table
from roce_lint.model.plan import Ecn, FabricPlan, Plan, Want
from roce_lint.model.ports import KEPT, Port
from roce_lint.model.qos import (
    Buffer,
    Cnp,
    Dcbx,
    GlobalPause,
    Marking,
    Pfc,
    Pool,
    Priorities,
    Queue,
    Scheduler,
    Watchdog,
)
from roce_lint.platforms import PLATFORMS

V = TypeVar("V")
NIC, SWITCH = "nic", "switch"
_DOCUMENT = Document("example", lambda: "")
LINE = Line(_DOCUMENT, 1, "")
HOSTS = 4


def stating(value: V, basis: Basis = "configured") -> Fact[V]:
    """A fact of the clean fabric."""
    return Fact(value, (LINE,), basis)


def table(entries: Mapping[int, V], otherwise: V | None = None) -> Fact[Table[V]]:
    """A table of the clean fabric, with every key stated."""
    rest = stating(otherwise) if otherwise is not None else None
    return stating(Table({key: stating(value) for key, value in entries.items()}, rest))


def _identity() -> dict[int, int]:
    return {index: index for index in range(8)}


def nic(name: str) -> Port:
    """A host port: DSCP 26 to priority 3, PFC on 3 with a receive buffer of its own, DCQCN on, CNPs with DSCP 48."""
    return Port(
        name,
        admin_up=stating(True),
        oper_up=stating(True),
        speed_bps=stating(100_000_000_000),
        mtu=stating(9000),
        mtu_kind=stating("l3"),
        cable_length_m=stating(5),
        trust=stating("dscp"),
        default_priority=stating(0),
        dscp_to_priority=table({dscp: dscp >> 3 for dscp in range(64)}),
        pcp_to_priority=table(_identity()),
        priority_to_queue=table(_identity()),
        priority_to_group=table({priority: int(priority == 3) for priority in range(8)}),
        queues=table({queue: Queue(scheduler=stating(Scheduler(scheduling=stating("vendor")))) for queue in range(8)}),
        groups=table(
            {
                0: Buffer(lossless=stating(False), size_bytes=stating(130_944)),
                1: Buffer(lossless=stating(True), size_bytes=stating(262_016)),
            }
        ),
        pfc=Pfc(
            mode=stating("on"),
            priorities=stating(frozenset({3})),
            operational=stating(True),
            queue=table(_identity()),
            group=table({index: int(index == 3) for index in range(8)}),
            index_is_priority=stating(True),
            makes_lossless=stating(True),
        ),
        global_pause=GlobalPause(rx=stating(False), tx=stating(False)),
        dcbx=Dcbx(willing=stating(False), owner=stating("host")),
        rp=Priorities(table({priority: priority == 3 for priority in range(8)})),
        np=Priorities(table({priority: priority == 3 for priority in range(8)})),
        cnp=Cnp(dscp=stating(48), pcp=stating(6), interval_us=stating(4)),
    )


def switch(name: str) -> Port:
    """A switch port: DSCP 26 to priority 3, queue 3 with ECN, group 3 with headroom; DSCP 48 to a strict queue 6; a watchdog."""
    marking = Marking(
        ecn=stating(True),
        drops=stating(False),
        kmin_bytes=stating(150_000),
        kmax_bytes=stating(1_500_000),
        mark_probability=stating(1.0),
        averaging_weight=stating(0),
    )
    silent = Marking(ecn=stating(False), drops=stating(False))
    pool = Pool(mode=stating("dynamic"), size_bytes=stating(32_000_000), shared_headroom_bytes=stating(0))
    return Port(
        name,
        admin_up=stating(True),
        oper_up=stating(True),
        speed_bps=stating(100_000_000_000),
        mtu=stating(9216),
        mtu_kind=stating("l2"),
        cable_length_m=stating(5),
        routed=stating(True),
        trust=stating("dscp"),
        default_priority=stating(0),
        dscp_to_priority=table({dscp: dscp >> 3 for dscp in range(64)}),
        pcp_to_priority=table(_identity()),
        priority_to_queue=table({priority: priority if priority in (3, 6) else 0 for priority in range(8)}),
        priority_to_group=table({priority: 3 if priority == 3 else 0 for priority in range(8)}),
        rewrite_dscp=table({}, KEPT),
        queues=table(
            {
                queue: Queue(
                    marking=stating(marking if queue == 3 else silent),
                    scheduler=stating(Scheduler(scheduling=stating("strict" if queue == 6 else "dwrr"), share=stating(50.0))),
                    buffer=stating(Buffer(unlimited=stating(queue == 3))),
                )
                for queue in range(8)
            }
        ),
        groups=table(
            {
                0: Buffer(lossless=stating(False), alpha=stating(8.0), pool=stating(pool)),
                3: Buffer(
                    lossless=stating(True),
                    size_bytes=stating(19_456),
                    xon_bytes=stating(19_456),
                    xoff_bytes=stating(113_664),
                    automatic_headroom=stating(False),
                    alpha=stating(1.0),
                    pool=stating(pool),
                ),
            },
            Buffer(lossless=stating(False)),
        ),
        pfc=Pfc(
            mode=stating("on"),
            priorities=stating(frozenset({3})),
            operational=stating(True),
            queue=table(_identity()),
            group=table({index: 3 if index == 3 else 0 for index in range(8)}),
            index_is_priority=stating(True),
            makes_lossless=stating(False),
            for_fcoe=stating(False),
        ),
        watchdog=Watchdog(
            enabled=stating(True),
            priorities=stating(frozenset({3})),
            poll_ms=stating(100),
            detect_ms=stating(200),
            restore_ms=stating(400),
            action=stating("drop"),
            running=stating(True),
        ),
        global_pause=GlobalPause(rx=stating(False), tx=stating(False)),
        dcbx=Dcbx(willing=stating(False), owner=stating("host")),
        undefined_names=stating(frozenset[str]()),
    )


def host(number: int) -> Device:
    """A host with one RDMA port and one job whose traffic class is DSCP 26."""
    name = f"gpu{number}"
    gids = {
        1: Gid("v2", "fe80::1", True, None, "eth0"),
        3: Gid("v2", f"::ffff:10.0.0.{number}", False, f"10.0.0.{number}", "eth0"),
    }
    rdma = Rdma(
        "rdma0",
        netdev=stating("eth0"),
        link_layer=stating("ethernet"),
        active_mtu=stating(4096),
        gids=table(gids),
    )
    job = Job(
        "job.conf",
        application=stating("example"),
        traffic_class=stating(106),
        default_traffic_class=stating(0),
        hcas=stating(Hcas(frozenset({"rdma0"}), True)),
    )
    driver = next(row.name for row in PLATFORMS if row.receive_buffer is not None)
    return Device(name, driver, "host", ports={"eth0": nic("eth0")}, rdma={"rdma0": rdma}, jobs={"job.conf": job})


def leaf() -> Device:
    ports = {f"p{number}": switch(f"p{number}") for number in range(1, HOSTS + 2)}
    return Device(
        "leaf1",
        "example",
        "switch",
        role="leaf",
        version=stating("1.0"),
        undefined_names=stating(frozenset[str]()),
        unattached_names=stating(frozenset[str]()),
        roce_exceptions=stating(()),
        ports=ports,
    )


def spine() -> Device:
    return Device("spine1", "example", "switch", role="spine", ports={"p1": switch("p1"), "p2": switch("p2")})


@cache
def devices() -> Mapping[str, Device]:
    """Four hosts on one leaf, which has one link to a spine."""
    every = [*(host(number) for number in range(1, HOSTS + 1)), leaf(), spine()]
    return {device.name: device for device in every}


@cache
def links() -> tuple[Link, ...]:
    down = [Link(PortName(f"gpu{number}", "eth0"), PortName("leaf1", f"p{number}"), "lldp") for number in range(1, HOSTS + 1)]
    return (*down, Link(PortName("leaf1", f"p{HOSTS + 1}"), PortName("spine1", "p1"), "lldp"))


@cache
def plan() -> Plan:
    """One lossless data class, one class for CNPs, and every limit stated."""
    rdma = Want(
        "rdma",
        role=wanting("rdma_data"),
        loss=wanting("lossless"),
        dscp=wanting(frozenset({26})),
        pfc_priority=wanting(3),
    )
    cnp = Want(
        "cnp",
        role=wanting("cnp"),
        loss=wanting("lossy"),
        dscp=wanting(frozenset({48})),
        pcp=wanting(frozenset({6})),
        scheduling=wanting("strict"),
    )
    settings: dict[str, object] = {
        "limits.max_lossless": 2,
        "limits.global_pause": False,
        "limits.pfc_mode": "forced",
        "limits.allow_dscp_block": True,
        "watchdog.required": "yes",
        "buffers.alpha_min": 0.0625,
        "mtu.host": 9000,
        "mtu.switch_min": 9214,
        "mtu.rdma": 4096,
    }
    ecn = Ecn({}, kmin_bytes=wanting(150_000), kmax_bytes=wanting(1_500_000), congested_ports=wanting(8), tolerance=wanting(0.1))
    fabric = FabricPlan("fabric", (rdma, cnp), (ecn,), {path: wanting(value) for path, value in settings.items()})
    return Plan("example", False, (fabric,))


def wanting(value: V) -> Fact[V]:
    """A wanted value of the clean plan."""
    return Fact(value, (LINE,), "wanted")
