"""Lengths of cables from an intent as facts of the ports at their ends, and what rules make of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from roce_lint.fabric.intentions import combined
from roce_lint.fabric.layers import layer
from roce_lint.fabric.lengths import default_lengths, lengthened
from roce_lint.judge import judged
from roce_lint.model.changes import changed
from roce_lint.model.devices import Device, Fabric, Link, PortName
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Fact
from roce_lint.model.ports import Port
from roce_lint.text.userfile import parsed

LINE = Line(Document("leaf1.txt", lambda: ""), 3, "")
ROW = Line(Document("cables.csv", lambda: ""), 2, "")
INTENT = "links:\n  file: cables.csv\n  cable_len_default:\n    host: 5\n    fabric: 40\n"
CLEAN = Path(__file__).parent.parent.parent / "fixtures" / "fabrics" / "two-racks-clean"


def fabric(length: int | None, set_to: int | None, ends: tuple[str, str]) -> Fabric:
    """A cable between two ports p1, of which the first is set to a length; the name of a device tells its kind."""
    port = changed(Port("p1"), "cable_length_m", set_to, LINE) if set_to is not None else Port("p1")
    devices = {
        name: Device(
            name, kind="host" if name.startswith("gpu") else "switch" if name.startswith(("leaf", "spine")) else None, ports={"p1": each}
        )
        for name, each in ((ends[0], port), (ends[1], Port("p1")))
        if not name.startswith("unseen")
    }
    stated = Fact(length, (ROW,), "wanted") if length is not None else None
    return Fabric(devices, (Link(PortName(ends[0], "p1"), PortName(ends[1], "p1"), "intent", stated),))  # type: ignore[arg-type]


def said(fact: Fact[int] | None) -> tuple[object, ...] | None:
    return fact and (fact.value, fact.lines[0].place, fact.basis, [(each.value, each.basis) for each in fact.also])


@pytest.mark.parametrize(
    ("length", "set_to", "ends", "first", "second"),
    [
        (7, None, ("leaf1", "gpu1"), (7, "cables.csv:2", "wanted", []), (7, "cables.csv:2", "wanted", [])),
        (7, 40, ("leaf1", "gpu1"), (7, "cables.csv:2", "wanted", [(40, "configured")]), (7, "cables.csv:2", "wanted", [])),
        (None, None, ("leaf1", "gpu1"), (5, "roce-lint.yaml:4", "wanted", []), (5, "roce-lint.yaml:4", "wanted", [])),
        (None, None, ("leaf1", "spine1"), (40, "roce-lint.yaml:5", "wanted", []), (40, "roce-lint.yaml:5", "wanted", [])),
        (None, 300, ("leaf1", "spine1"), (300, "leaf1.txt:3", "configured", []), (40, "roce-lint.yaml:5", "wanted", [])),
        (None, None, ("gpu1", "unseen1"), (5, "roce-lint.yaml:4", "wanted", []), None),
        (None, None, ("leaf1", "unseen1"), None, None),
        (None, None, ("leaf1", "thing1"), None, None),
    ],
)  # fmt: skip
def test_a_port_has_the_length_of_its_cable(
    length: int | None, set_to: int | None, ends: tuple[str, str], first: object, second: object
) -> None:
    defaults = default_lengths(layer(parsed("roce-lint.yaml", INTENT), "roce-lint.yaml"))
    found = lengthened(fabric(length, set_to, ends), defaults)
    ports = [found.devices[name].ports["p1"] if name in found.devices else None for name in ends]
    assert [port and said(port.cable_length_m) for port in ports] == [first, second]


@pytest.mark.parametrize("text", ["", "links: {file: c.csv}\n", "links: []\n", "links: {file: c.csv, cable_len_default: {host: null}}\n"])
def test_without_a_default_nothing_is_said_of_a_cable(text: str) -> None:
    defaults = default_lengths(layer(parsed("roce-lint.yaml", f"classes: {{}}\n{text}"), "roce-lint.yaml"))
    before = fabric(None, None, ("leaf1", "gpu1"))
    assert (defaults, lengthened(before, defaults)) == ({}, before)


def test_cables_that_stand_in_the_file_have_no_default() -> None:
    text = "links:\n  - {device_a: leaf1, port_a: p1, device_b: gpu1, port_b: p1, length_m: 3}\n"
    found = combined(layer(parsed("roce-lint.yaml", text), "roce-lint.yaml"), None)
    assert (found.lengths, [said(cable.length_m) for cable in found.cables]) == ({}, [(3, "roce-lint.yaml:2", "wanted", [])])


def test_headroom_is_judged_by_the_length_that_the_csv_states(tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(CLEAN, site)
    with (site / "roce-lint.yaml").open("a") as file:
        file.write("links: {file: cables.csv, cable_len_default: {host: 5}}\n")
    (site / "cables.csv").write_text(
        "device_a,port_a,device_b,port_b,length_m\nleaf1,Ethernet32,spine1,Ethernet0,9000\ngpu1,ens1f0np0,leaf1,Ethernet0,\n"
    )
    short = [each for each in judged([str(site)]).findings if each.rule == "buffer-headroom-short"]
    assert [(each.device, each.port) for finding in short for each in finding.subjects] == [
        ("leaf1", "Ethernet32"),
        ("spine1", "Ethernet0"),
    ]
    lines = {
        line.place: line.text for finding in short for cite in finding.cites if cite.raw == "cable_length_m" for line in cite.fact.lines
    }
    assert lines == {"cables.csv:2": "leaf1,Ethernet32,spine1,Ethernet0,9000"}
