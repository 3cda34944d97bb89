"""The words of fixtures for facts: every way to write a path and a value, and that a wrong one is said."""

from __future__ import annotations

from typing import Any

import pytest
from expected import fault

from roce_lint.model.devices import Device, Fabric, Gid, Hcas, Job, Link, PortName, Rdma
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Basis, Fact, Table
from roce_lint.model.ports import Neighbour, Port
from roce_lint.model.qos import Marking, Pfc, Priorities, Queue, Scheduler

TEXT = Document("a.txt", lambda: "")


def fact(value: Any, line: int = 1, basis: Basis = "configured") -> Fact[Any]:
    return Fact(value, (Line(TEXT, line, f"line {line}"),), basis)


PORT = Port(
    "e1",
    trust=fact("dscp"),
    dscp_to_priority=fact(Table({key: fact(key // 8) for key in range(64)})),
    queues=fact(Table({3: fact(Queue(fact(Marking("W", ecn=fact(True, 5))), fact(Scheduler(share=fact(50.0, 6)))), 4)})),
    pfc=Pfc(priorities=Fact(frozenset({3, 4}), fact(0, 7).lines, "observed", (fact(frozenset({3}), 8, "boot"),))),
    np=Priorities(fact(Table({0: fact(False)}))),
    neighbours=(Neighbour("lldp", pfc_priorities=fact(frozenset({3}))),),
)
RDMA = Rdma("mlx5_0", gids=fact(Table({0: fact(Gid("v2", "fe80::1", True, None, "e1"))})))
JOB = Job("job.env", traffic_class=fact(106), hcas=fact(Hcas(frozenset({"a", "b"}), True)))
PREFIX = Job("job2.env", hcas=fact(Hcas(frozenset({"mlx5"}), False)))
LINK = Link(PortName("h", "e1"), PortName("leaf", "Ethernet0"), "lldp", None, fact("leaf/Ethernet0"))
DEVICE = Device(
    "h",
    roce_mode=fact("lossless"),
    ports={"e1": PORT, "*": Port("*", mtu=fact(9000))},
    rdma={"mlx5_0": RDMA},
    jobs={"job.env": JOB, "job2.env": PREFIX},
)
FABRIC = Fabric({"h": DEVICE}, (LINK,), by_port={LINK.a: LINK, LINK.b: LINK})


@pytest.mark.parametrize(
    ("of", "path", "value", "at"),
    [
        ("e1", "trust", "dscp", 1),
        ("h/e1", "trust", "dscp", "a.txt:1"),
        ("e1", "dscp_to_priority[26]", 3, 1),
        ("e1", "dscp_to_priority.count", 64, 1),
        ("e1", "queues[3].ecn", True, 5),
        ("e1", "queues[3].marking.ecn", True, 5),
        ("e1", "queues[3].share", 50, 6),
        ("e1", "pfc.priorities", [3, 4], 7),
        ("e1", "pfc.priorities.boot", [3], 8),
        ("e1", "np.priorities[0]", False, 1),
        ("e1", "rp.priorities[0]", None, 1),
        ("e1", "peer", {"device": "leaf", "port": "Ethernet0"}, 1),
        ("e1", "peer_pfc.priorities", [3], 1),
        ("h", "roce.mode", "lossless", 1),
        ("h", "mtu", 9000, 1),
        ("mlx5_0", "gids[0]", {"type": "v2", "link_local": True}, 1),
        ("job.env", "dscp", 26, 1),
        ("job.env", "ecn_bits", 2, 1),
        ("job.env", "hcas", ["a", "b"], 1),
        ("job2.env", "hcas", {"prefix": "mlx5"}, 1),
    ],
)
def test_a_fact_as_it_is_stated_is_no_fault(of: str, path: str, value: Any, at: int | str) -> None:
    assert fault(FABRIC, {"of": of, "path": path, "value": value, "at": at}, "a.txt") is None


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ({"path": "trust", "value": "pcp", "at": 1}, "e1 trust: pcp expected, found dscp at ['a.txt:1']"),
        ({"path": "trust", "value": "dscp", "at": 2}, "e1 trust: stated at a.txt:2 expected, found ['a.txt:1']"),
        ({"path": "trust", "value": None}, "e1 trust: not stated expected, found dscp at ['a.txt:1']"),
        ({"path": "mtu", "value": 9000, "at": 1}, "e1 mtu: 9000 expected, not stated"),
        ({"path": "trust", "value": "dscp", "at": 1, "text": "zzz"}, "e1 trust: 'zzz' expected at a.txt:1, found 'line 1'"),
        ({"path": "trust", "value": "dscp", "at": 1, "basis": "observed"}, "e1 trust: basis observed expected, found configured"),
        ({"path": "trust", "value": "dscp", "at": 1, "also": ["a.txt:9"]}, "e1 trust: also a.txt:9 expected, found ['a.txt:1']"),
        ({"path": "queues[3].ecn", "value": 1, "at": 5}, "e1 queues[3].ecn: 1 expected, found True at ['a.txt:5', 'a.txt:1', 'a.txt:4']"),
    ],
)
def test_a_fact_that_differs_is_said(expected: dict[str, Any], said: str) -> None:
    assert fault(FABRIC, {"of": "e1", **expected}, "a.txt") == said


def test_a_path_or_a_name_that_nothing_has_is_no_silence() -> None:
    with pytest.raises(AssertionError, match="e1 has no trusts"):
        fault(FABRIC, {"of": "e1", "path": "trusts", "value": None}, "a.txt")
    with pytest.raises(AssertionError, match="nothing is called e9"):
        fault(FABRIC, {"of": "e9", "path": "trust", "value": None}, "a.txt")
