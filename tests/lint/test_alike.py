"""Links of one shape are judged once: that gives what judging each by itself gives, on every fabric and every case at hand."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from roce_lint.fabric.shapes import ITS_OWN, Shapes
from roce_lint.fabric.views import PortView
from roce_lint.judge import Joined, joined
from roce_lint.lint.book import book
from roce_lint.lint.engine import Run
from roce_lint.model.devices import Device
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer, Pfc

ROOT = Path(__file__).parents[2]
INPUTS = sorted(
    path
    for folder in ("fixtures/fabrics", "fixtures/cases")
    for path in (ROOT / folder).iterdir()
    if path.is_dir() and not path.name.startswith(("_", "."))
)
VIEWED = ("fabric/views.py", "fabric/classified.py", "fabric/pipeline.py", "checks/buffers.py", "checks/mtu.py", "checks/thresholds.py")
OF_DEVICES = {"name", "kind", "platform", "ports"}  # the name goes into words, the ports into `tagged`, whose VLANs are in the shape
DOCUMENT = Document("a.txt", lambda: "")
RULES = book(()).rules


def run(given: Joined, each_by_itself: bool) -> Run:
    made = Run(given.reach, given.plan, RULES)
    made.every_link = each_by_itself
    return made


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.name)
def test_links_of_one_shape_come_out_as_each_judged_by_itself(path: Path) -> None:
    given = joined([str(path)])
    assert run(given, False).result() == run(given, True).result()


def fact(value: object, line: int = 1, basis: str = "configured") -> Fact[object]:
    return Fact(value, (Line(DOCUMENT, line, "text"),), basis)  # type: ignore[arg-type]


def shape(port: Port, device: Device | None = None) -> object:
    return SHAPES._port(PortView(device or Device(f"d{len(SHAPES._views)}", kind="switch"), port))


SHAPES = Shapes(joined([str(ROOT / "fixtures/fabrics/two-racks")]).reach)
GROUPS = fact(Table({3: fact(Buffer("lossless", lossless=fact(True), xoff_bytes=fact(1000)))}))
PORT = Port("e1", trust=fact("dscp"), groups=GROUPS, pfc=Pfc(priorities=fact(frozenset({3}))))  # type: ignore[arg-type]


def test_lines_and_names_are_no_part_of_a_shape() -> None:
    other = Port("e2", trust=fact("dscp", 9), groups=GROUPS, pfc=Pfc(priorities=fact(frozenset({3}), 8)), mac=fact("02:00"))  # type: ignore[arg-type]
    assert shape(PORT) == shape(other)


@pytest.mark.parametrize(
    "change",
    [
        {"trust": fact("pcp")},
        {"trust": fact("dscp", basis="assumed")},
        {"trust": None},
        {"mtu": fact(9216)},
        {"pfc": Pfc(priorities=fact(frozenset({4})))},
        {"pfc": Pfc(priorities=fact(frozenset({3})), for_fcoe=fact(True))},
        {"groups": fact(Table({3: fact(Buffer("lossless", lossless=fact(True), xoff_bytes=fact(1001)))}))},
        {"groups": fact(Table({4: GROUPS.value.entries[3]}))},  # type: ignore[attr-defined]
        {"groups": fact(Table(GROUPS.value.entries, fact(Buffer())))},  # type: ignore[attr-defined]
    ],
)
def test_whatever_else_differs_is_another_shape(change: dict[str, object]) -> None:
    assert shape(PORT) != shape(replace(PORT, **change))  # type: ignore[arg-type]


def test_what_the_device_states_is_part_of_the_shape() -> None:
    assert shape(PORT, Device("x", kind="switch")) != shape(PORT, Device("y", kind="switch", version=fact("1")))  # type: ignore[arg-type]
    assert shape(PORT, Device("z", kind="switch")) != shape(PORT, Device("w", kind="host"))


def test_a_port_whose_own_name_or_address_was_read_is_known_for_no_other() -> None:
    view = PortView(Device("v", kind="switch"), replace(PORT, mac=fact("02:00")))  # type: ignore[arg-type]
    view.fact("trust")
    assert not view.individual
    view.fact("mac")
    assert view.individual


@pytest.mark.parametrize("name", VIEWED)
def test_rules_read_nothing_of_a_port_or_device_past_its_shape(name: str) -> None:
    for node in ast.walk(ast.parse((ROOT / "roce_lint" / name).read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute | ast.Name):
            holder = node.value.attr if isinstance(node.value, ast.Attribute) else node.value.id
            if holder == "device":
                assert node.attr in OF_DEVICES, f"{name}:{node.lineno}: device.{node.attr} is not known to be in the shape of a port"
            if holder == "port":
                assert node.attr not in ITS_OWN[Port] - {"name", "parent"}, f"{name}:{node.lineno}: port.{node.attr} is each port's own"
