"""What follows for a port of the mlx5 driver: only from what is stated, and once."""

from __future__ import annotations

from typing import Any

import pytest

from roce_lint.model.devices import Device
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Basis, Fact, Table
from roce_lint.model.outcome import AtLeast
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer, Counters, Pfc
from roce_lint.platforms.mlx5.completion import completed

TEXT = Document("a.txt", lambda: "")


def fact(value: Any, line: int = 1, basis: Basis = "observed") -> Fact[Any]:
    return Fact(value, (Line(TEXT, line, f"line {line}"),), basis)


def table(entries: dict[int, Any], line: int) -> Fact[Table[Any]]:
    return fact(Table({key: fact(value, line) for key, value in entries.items()}), line)


DRIVER = fact("mlx5_core", 1)
MAP = table({priority: int(priority == 3) for priority in range(8)}, 3)
GROUPS = table({0: Buffer(size_bytes=fact(1, 4)), 1: Buffer(size_bytes=fact(2, 4))}, 4)
WHOLE = Port("e1", driver=DRIVER, pfc=Pfc(priorities=fact(frozenset({3}), 2), delay=fact(7, 2)), priority_to_group=MAP, groups=GROUPS)


def port(given: Port) -> Port:
    return completed(Device("h", ports={given.name: given})).ports[given.name]


def lossless(given: Port) -> dict[int, Any]:
    groups = port(given).groups
    assert groups is not None
    return {index: each.value.lossless for index, each in groups.value.entries.items()}


def test_a_buffer_with_a_pfc_priority_is_lossless_and_cites_why() -> None:
    assert lossless(WHOLE) == {
        0: Fact(False, (*fact(0, 2).lines, *MAP.lines), "observed"),
        1: Fact(True, (*fact(0, 2).lines, *MAP.lines), "observed"),
    }


def test_the_delay_is_the_cable_and_the_buffer_of_an_index_that_of_its_priority() -> None:
    found = port(WHOLE)
    assert found.cable_length_m == fact(7, 2)
    assert found.pfc is not None and found.pfc.group is MAP and found.pfc.queue is None
    assert found.pfc.makes_lossless == fact(True, 2, "default")


def test_completing_twice_changes_nothing() -> None:
    once = completed(Device("h", ports={"e1": WHOLE}))
    assert completed(once) == once


def test_a_port_of_another_driver_is_left_alone() -> None:
    other = Port("e1", driver=fact("ice"), pfc=WHOLE.pfc, groups=GROUPS, priority_to_group=MAP, dscp_to_priority=fact(Table({})))
    assert port(other) is other


@pytest.mark.parametrize(
    "given",
    [
        Port("e1", driver=DRIVER, groups=GROUPS, priority_to_group=MAP),
        Port("e1", driver=DRIVER, groups=GROUPS, pfc=WHOLE.pfc),
        Port("e1", driver=DRIVER, groups=GROUPS, pfc=WHOLE.pfc, priority_to_group=table({0: 0}, 3)),
    ],
)
def test_a_buffer_is_not_lossy_where_something_is_not_stated(given: Port) -> None:
    assert lossless(given) == {0: None, 1: None}


def test_some_pfc_priorities_make_no_buffer_lossy() -> None:
    some = Port("e1", driver=DRIVER, groups=GROUPS, priority_to_group=MAP, pfc=Pfc(priorities=fact(AtLeast({3}), 2)))
    assert {index: each and each.value for index, each in lossless(some).items()} == {0: None, 1: True}


@pytest.mark.parametrize(
    ("named", "on"),
    [
        ({**{f"rx_prio{n}_bytes": 0 for n in range(8)}, "rx_prio5_pause": 9}, frozenset({5})),
        ({f"rx_prio{n}_bytes": 0 for n in range(8)}, frozenset()),
        ({"rx_prio5_pause": 9}, AtLeast({5})),
        ({"rx_prio0_bytes": 9}, None),
    ],
)
def test_pause_counters_tell_pfc_only_where_all_counters_are_there(named: dict[str, int], on: frozenset[int] | None) -> None:
    pfc = port(Port("e1", driver=DRIVER, counters=Counters(named=fact(named)))).pfc
    found = pfc.priorities.value if pfc is not None and pfc.priorities is not None else None
    assert found == on and type(found) is type(on)


@pytest.mark.parametrize(("entries", "trust"), [({}, "pcp"), ({26: fact(3)}, "dscp")])
def test_the_application_table_tells_the_trust_mode(entries: dict[int, Fact[int]], trust: str) -> None:
    found = port(Port("e1", driver=DRIVER, dscp_to_priority=fact(Table(entries), 6), trust=fact("pcp", 9, "next_boot")))
    assert found.trust == Fact(trust, fact(0, 6).lines, "observed", (fact("pcp", 9, "next_boot"),))
