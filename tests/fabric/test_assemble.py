"""Fragments as devices: merged, laid over what holds for every port, joined by PCI address, with the platform's defaults."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest

from roce_lint.collect.read import Stated
from roce_lint.fabric.assemble import assembled, device
from roce_lint.model.devices import Cable, Device, Gid, Job, PortName, Rdma
from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Basis, Fact, Table
from roce_lint.model.finding import Unread
from roce_lint.model.ports import Neighbour, Port
from roce_lint.model.qos import Pfc
from roce_lint.platforms.platform import Platform, Statement

TEXT = Document("x.txt", lambda: "", role="leaf")
SWITCH, HOST, MORE = Platform("toyswitch", "switch", ()), Platform("toyhost", "host", ()), Platform("toymore", "host", ())


def fact(value: Any, line: int = 1, basis: Basis = "configured") -> Fact[Any]:
    return Fact(value, (Line(TEXT, line, str(value)),), basis)


def stated(*statements: Statement, name: str = "x", platforms: tuple[Platform, ...] = (HOST,)) -> Stated:
    return Stated(name, platforms, statements, (TEXT,))


def test_fragments_of_one_port_are_one_port() -> None:
    found = device(
        stated(Port("e1", mtu=fact(9000)), Port("e2"), Port("e1", pfc=Pfc(mode=fact("on"))), Port("e1", mtu=fact(4000, 2, "observed")))
    )
    assert list(found.ports) == ["e1", "e2"]
    assert found.ports["e1"] == Port("e1", mtu=Fact(4000, fact(4000, 2).lines, "observed", (fact(9000),)), pfc=Pfc(mode=fact("on")))


def test_a_single_fragment_is_not_copied() -> None:
    port, rdma, job = Port("e1"), Rdma("mlx5_0"), Job("job.env")
    found = device(stated(port, rdma, job))
    assert found.ports["e1"] is port and found.rdma["mlx5_0"] is rdma and found.jobs["job.env"] is job


def test_what_holds_for_every_port_lies_beneath_each_and_stays_reachable() -> None:
    table = Table({0: fact(1, 3)}, fact(7, 3))
    shared = Port("*", mtu=fact(9000, 3), dscp_to_priority=fact(table, 3))
    found = device(stated(shared, Port("e1", mtu=fact(1500)), Port("e2")))
    assert {name: port.mtu and port.mtu.value for name, port in found.ports.items()} == {"*": 9000, "e1": 1500, "e2": 9000}
    assert found.ports["e1"].dscp_to_priority is found.ports["e2"].dscp_to_priority is shared.dscp_to_priority
    assert device(stated(shared)).ports == {"*": shared}


def test_a_device_is_what_its_documents_say_and_keeps_its_name() -> None:
    found = device(stated(Device("", version=fact("5.9")), Device("real", named=fact("real")), name="inventory"))
    assert (found.name, found.named, found.version) == ("inventory", fact("real"), fact("5.9"))
    assert (found.platform, found.kind, found.role, found.documents) == ("toyhost", "host", "leaf", (TEXT,))


def test_a_switch_that_a_host_platform_also_reads_is_a_switch() -> None:
    found = device(stated(platforms=(HOST, SWITCH)))
    assert (found.platform, found.kind) == ("toyswitch", "switch")
    found = device(stated(platforms=(HOST, MORE)))
    assert (found.platform, found.kind) == ("toyhost", "host")


def test_each_platform_completes_the_device_once_after_all_is_laid() -> None:
    seen: list[Device] = []

    def completed(given: Device) -> Device:
        seen.append(given)
        return replace(given, buffer_model=fact("dynamic", basis="default"))

    platform = Platform("toy", "switch", (), completed)
    found = device(stated(Port("*", mtu=fact(9000)), Port("e1"), platforms=(platform,)))
    assert found.buffer_model == fact("dynamic", basis="default")
    assert [each.ports["e1"].mtu for each in seen] == [fact(9000)]


def test_an_rdma_device_gets_the_port_of_its_pci_address() -> None:
    found = device(stated(Port("e1", pci=fact("0000:3b:00.0", 4)), Rdma("mlx5_0", pci=fact("0000:3B:00.0", 5))))
    netdev = found.rdma["mlx5_0"].netdev
    assert netdev is not None and netdev.value == "e1" and [line.number for line in netdev.lines] == [5, 4]
    told = Rdma("mlx5_0", pci=fact("0000:3b:00.0"), netdev=fact("e9"))
    assert device(stated(Port("e1", pci=fact("0000:3b:00.0")), told)).rdma["mlx5_0"] is told


def test_what_is_stated_under_a_pci_address_or_an_rdma_device_is_the_port_s() -> None:
    found = device(
        stated(
            Port("0000:3b:00.0", firmware_settings=fact({"A": "1"})),
            Port("mlx5_0", global_pause=None, mtu=fact(9000)),
            Port("e1", pci=fact("0000:3b:00.0")),
            Rdma("mlx5_0", netdev=fact("e1")),
            Rdma("0000:3b:00.0", firmware=fact("1.2"), pci=fact("0000:3b:00.0")),
        )
    )
    assert found.ports == {"e1": Port("e1", pci=fact("0000:3b:00.0"), firmware_settings=fact({"A": "1"}), mtu=fact(9000))}
    unjoined = device(stated(Port("0000:5e:00.0", firmware_settings=fact({"A": "1"})), Rdma("mlx5_0", netdev=fact("e1"))))
    assert list(unjoined.ports) == ["0000:5e:00.0"]


def test_a_lower_device_that_is_stated_by_pci_address_gets_its_name() -> None:
    found = device(
        stated(Port("e1", pci=fact("0000:3b:00.0")), Port("e1v0", parent=fact("0000:3b:00.0")), Port("e1.40", parent=fact("e1")))
    )
    parents = {name: port.parent and port.parent.value for name, port in found.ports.items()}
    assert parents == {"e1": None, "e1v0": "e1", "e1.40": "e1"}


def test_two_ports_of_one_pci_address_are_not_told_apart_by_it() -> None:
    found = device(
        stated(Port("e1", pci=fact("0000:3b:00.0")), Port("e2", pci=fact("0000:3b:00.0")), Rdma("mlx5_0", pci=fact("0000:3b:00.0")))
    )
    assert found.rdma["mlx5_0"].netdev is None


def test_gids_of_two_documents_are_one_table() -> None:
    one, two = Gid("v1", "fe80::1", True), Gid("v2", "fe80::1", True)
    found = device(stated(Rdma("mlx5_0", gids=fact(Table({0: fact(one)}))), Rdma("mlx5_0", gids=fact(Table({1: fact(two)})))))
    gids = found.rdma["mlx5_0"].gids
    assert gids is not None and {key: each.value for key, each in gids.value.entries.items()} == {0: one, 1: two}


def test_a_fabric_holds_devices_links_notes_and_what_was_not_read() -> None:
    note = Note(Line(TEXT, 3, "x"), "what is this")
    lldp = Neighbour("lldp", fact("b"), fact("e2"))
    cable = Cable(fact(PortName("a", "e1")), fact(PortName("b", "e2")), fact(3))
    one = stated(Port("e1", neighbours=(lldp,)), note, note, name="a")
    two = replace(stated(Port("e2"), name="b"), unread=(Unread("y", "broken", failed=True),))
    found = assembled((one, two), (cable,), (Unread("z", "not recognised"),))
    assert list(found.devices) == ["a", "b"] and found.notes == (note,)
    assert found.unread == (Unread("z", "not recognised"), Unread("y", "broken", failed=True))
    [link] = found.links
    assert (link.a, link.b, link.source, link.length_m) == (PortName("a", "e1"), PortName("b", "e2"), "lldp", fact(3))
    assert found.by_port == {PortName("a", "e1"): link, PortName("b", "e2"): link}


def test_a_device_that_cannot_be_put_together_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    def completed(given: Device) -> Device:
        raise RuntimeError("broken")

    bad = stated(Port("e1"), name="a", platforms=(Platform("toy", "switch", (), completed),))
    with caplog.at_level(logging.ERROR):
        found = assembled((bad, stated(Port("e1"), name="b")))
    assert (list(found.devices), [each.failed for each in found.unread]) == (["b"], [True])
    assert "RuntimeError: broken" in caplog.text
    with pytest.raises(RuntimeError):
        assembled((bad,), strict=True)
