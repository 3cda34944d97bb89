"""Who is cabled to whom: LLDP from either end, then plans; two claims on one port are no link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from roce_lint.fabric.links import Links, linked
from roce_lint.model.devices import Cable, Device, Link, PortName
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Fact
from roce_lint.model.ports import Neighbour, Port

TEXT = Document("lldp.txt", lambda: "")
PLAN = Document("roce-lint.yaml", lambda: "")


def says(value: str, line: int = 1) -> Fact[str]:
    return Fact(value, (Line(TEXT, line, value),), "observed")


def lldp(device: str | None = None, port: str | None = None, line: int = 1, **more: str) -> Neighbour:
    facts = {key: says(value, line) for key, value in more.items()}
    return Neighbour("lldp", device and says(device, line), port and says(port, line + 1), **facts)


def plan(device: str, port: str, line: int = 1) -> Neighbour:
    return Neighbour("plan", says(device, line), says(port, line))


def port(name: str, *neighbours: Neighbour, **more: str) -> Port:
    return Port(name, neighbours=neighbours, **{key: says(value) for key, value in more.items()})


def device(name: str, *ports: Port, named: str | None = None, mac: str | None = None) -> Device:
    return Device(name, named=named and says(named), mac=mac and says(mac), ports={each.name: each for each in ports})


def cable(a: str, b: str, length: int | None = None, line: int = 1) -> Cable:
    lines = (Line(PLAN, line, f"{a} {b}"),)
    ends = [Fact(PortName(*end.split("/", 1)), lines, "wanted") for end in (a, b)]
    return Cable(ends[0], ends[1], Fact(length, lines, "wanted") if length is not None else None)


def of(devices: Sequence[Device], cables: Sequence[Cable] = ()) -> Links:
    return linked({each.name: each for each in devices}, cables)


def shown(links: Sequence[Link]) -> list[str]:
    return [f"{link.a} {link.source} {link.b}" for link in links]


HOST = device("gpu1", port("ens1"))


def test_lldp_from_either_end_is_enough() -> None:
    near = device("gpu1", port("ens1", lldp("leaf1", "Ethernet0")))
    far = device("leaf1", port("Ethernet0", lldp("gpu1", "ens1")))
    expected = ["gpu1/ens1 lldp leaf1/Ethernet0"]
    assert shown(of([near, device("leaf1", port("Ethernet0"))]).links) == expected
    assert shown(of([HOST, far]).links) == expected
    assert shown(of([near, far]).links) == expected
    assert shown(of([far, near]).links) == ["leaf1/Ethernet0 lldp gpu1/ens1"]


def test_a_link_cites_the_port_first_and_both_ends() -> None:
    near = device("gpu1", port("ens1", lldp("leaf1", "Ethernet0", 20)))
    far = device("leaf1", port("Ethernet0", lldp("gpu1", "ens1", 30)))
    [link] = of([near, far]).links
    assert link.stated is not None and link.stated.value == "leaf1/Ethernet0"
    assert [line.number for line in link.stated.lines] == [21, 20, 31, 30]


def test_the_device_is_found_by_chassis_name_or_unique_first_label() -> None:
    leaf = device("leaf1", port("Ethernet0"), named="leaf1.dc.example", mac="02:00:00:00:00:01")
    expected = ["gpu1/ens1 lldp leaf1/Ethernet0"]
    for words in ({"chassis_mac": "0200.0000.0001"}, {"chassis_mac": "02-00-00-00-00-01"}):
        assert shown(of([device("gpu1", port("ens1", lldp("renamed", "Ethernet0", **words))), leaf]).links) == expected
    for name in ("leaf1", "LEAF1", "leaf1.dc.example", "leaf1.other.example"):
        assert shown(of([device("gpu1", port("ens1", lldp(name, "Ethernet0"))), leaf]).links) == expected


def test_a_first_label_that_two_devices_share_names_neither() -> None:
    leaves = [device(f"leaf1.{site}", port("Ethernet0")) for site in ("x", "y")]
    near = device("gpu1", port("ens1", lldp("leaf1", "Ethernet0")))
    assert shown(of([near, *leaves]).links) == ["gpu1/ens1 lldp leaf1/Ethernet0"]
    assert shown(of([device("gpu1", port("ens1", lldp("leaf1.y", "Ethernet0"))), *leaves]).links) == ["gpu1/ens1 lldp leaf1.y/Ethernet0"]


def test_the_port_is_found_by_name_alias_description_or_mac() -> None:
    leaf = device("leaf1", port("Ethernet0", alias="etp1", mac="02:00:00:00:00:09"), port("Ethernet4", alias="etp2"))
    for words in (
        lldp("leaf1", "Ethernet0"),
        lldp("leaf1", "etp1"),
        lldp("leaf1", "513", description="Ethernet0"),
        lldp("leaf1", "513", description="port Ethernet0 to gpu1"),
        lldp("leaf1", port_mac="02:00:00:00:00:09"),
        lldp("leaf1", "0200.0000.0009"),
    ):
        assert shown(of([device("gpu1", port("ens1", words)), leaf]).links) == ["gpu1/ens1 lldp leaf1/Ethernet0"]


def test_a_mac_that_a_bond_shares_with_its_member_means_the_member() -> None:
    members = Fact(frozenset({"ens1"}), says("x").lines, "observed")
    bond = Port("bond0", mac=says("02:00:00:00:00:05"), bond_members=members)
    host = device("gpu1", port("ens1", mac="02:00:00:00:00:05"), bond)
    leaf = device("leaf1", port("Ethernet0", lldp("gpu1", port_mac="02:00:00:00:00:05")))
    assert shown(of([host, leaf]).links) == ["gpu1/ens1 lldp leaf1/Ethernet0"]


def test_a_bond_stands_for_its_member_that_names_the_port() -> None:
    members = Fact(frozenset({"ens1", "ens2"}), says("x").lines, "observed")
    host = device(
        "gpu1", port("ens1", lldp("leaf1", "Ethernet0")), port("ens2", lldp("leaf2", "Ethernet0")), Port("bond0", bond_members=members)
    )
    leaves = [device(name, port("Ethernet0", lldp("gpu1", "bond0"))) for name in ("leaf1", "leaf2")]
    found = of([host, *leaves])
    assert (shown(found.links), found.notes) == (["gpu1/ens1 lldp leaf1/Ethernet0", "gpu1/ens2 lldp leaf2/Ethernet0"], ())


def test_a_peer_that_was_not_collected_is_the_other_end_of_a_link() -> None:
    near = device(
        "gpu1",
        port("ens1", lldp("leaf9", "Ethernet0")),
        port("ens2", lldp(None, "7", chassis_mac="02:00:00:00:00:77")),
        port("ens3", lldp()),
    )
    found = of([near])
    assert shown(found.links) == ["gpu1/ens1 lldp leaf9/Ethernet0", "gpu1/ens2 lldp 02:00:00:00:00:77/7"]
    assert found.by_port[PortName("leaf9", "Ethernet0")] is found.by_port[PortName("gpu1", "ens1")]


def test_two_claims_on_one_port_are_no_link_and_a_note_each() -> None:
    one = device("gpu1", port("ens1", lldp("leaf1", "Ethernet0", 5)))
    two = device("gpu2", port("ens1", lldp("leaf1", "Ethernet0", 7)))
    found = of([one, two, device("leaf1", port("Ethernet0", plan("gpu1", "ens1")))])
    assert found.links == () and found.by_port == {}
    assert [(note.line.number, note.reason) for note in found.notes] == [
        (6, "leaf1/Ethernet0 is claimed to be cabled to gpu1/ens1, gpu2/ens1: no link"),
        (8, "leaf1/Ethernet0 is claimed to be cabled to gpu1/ens1, gpu2/ens1: no link"),
    ]


def test_a_port_that_hears_itself_is_no_link() -> None:
    found = of([device("leaf1", port("Ethernet0", lldp("leaf1", "Ethernet0")))])
    assert (found.links, [note.reason for note in found.notes]) == ((), ["a cable from a port to itself: no link"])


def test_plan_and_intent_count_where_lldp_is_silent() -> None:
    leaf = device("leaf1", port("Ethernet0", plan("gpu1", "ens1")), port("Ethernet4", alias="etp2"))
    assert shown(of([HOST, leaf]).links) == ["gpu1/ens1 plan leaf1/Ethernet0"]
    assert shown(of([HOST, leaf], [cable("gpu1/ens1", "leaf1/Ethernet0", 5)]).links) == ["gpu1/ens1 intent leaf1/Ethernet0"]
    hosts = [HOST, device("gpu2", port("ens1"))]
    assert shown(of([*hosts, leaf], [cable("gpu2/ens1", "leaf1/etp2")]).links) == [
        "gpu1/ens1 plan leaf1/Ethernet0",
        "gpu2/ens1 intent leaf1/Ethernet4",
    ]


def test_a_plan_that_contradicts_intent_is_no_link() -> None:
    leaf = device("leaf1", port("Ethernet0", plan("gpu1", "ens1")))
    found = of([HOST, device("gpu2", port("ens1")), leaf], [cable("gpu2/ens1", "leaf1/Ethernet0")])
    assert (found.links, len(found.notes)) == ((), 2)


def test_lldp_wins_over_a_plan_which_is_kept_as_contradicted() -> None:
    leaf = device("leaf1", port("Ethernet0", lldp("gpu1", "ens1"), plan("gpu2", "ens1")), port("Ethernet4"))
    found = of([HOST, device("gpu2", port("ens1")), leaf], [cable("gpu1/ens1", "leaf1/Ethernet4")])
    assert shown(found.links) == ["gpu1/ens1 lldp leaf1/Ethernet0"]
    assert shown(found.contradicted) == ["leaf1/Ethernet0 plan gpu2/ens1", "gpu1/ens1 intent leaf1/Ethernet4"]


def test_intent_gives_a_link_of_lldp_its_length() -> None:
    leaf = device("leaf1", port("Ethernet0", lldp("gpu1", "ens1")))
    [link] = of([HOST, leaf], [cable("leaf1/Ethernet0", "gpu1/ens1", 12)]).links
    assert (link.source, link.length_m and link.length_m.value) == ("lldp", 12)
    assert of([HOST, leaf], [cable("leaf1/Ethernet0", "gpu1/ens1", 12)]).contradicted == ()


def test_links_stand_in_the_order_of_devices_and_ports() -> None:
    leaf = device("leaf1", *(port(f"Ethernet{n}", lldp("spine", f"{n}")) for n in (10, 9, 100)))
    assert shown(of([leaf]).links) == [f"leaf1/Ethernet{n} lldp spine/{n}" for n in (9, 10, 100)]


def test_cables_between_devices_that_were_not_collected_are_no_links() -> None:
    found = of([HOST], [cable("leaf8/Ethernet0", "spine8/Ethernet0", 5), cable("gpu1/ens1", "leaf9/Ethernet0")])
    assert (shown(found.links), list(map(str, found.by_port)), found.notes) == (
        ["gpu1/ens1 intent leaf9/Ethernet0"],
        ["gpu1/ens1", "leaf9/Ethernet0"],
        (),
    )


def test_a_cable_to_a_port_that_a_whole_device_does_not_have_is_a_note() -> None:
    whole = replace(device("leaf1", port("Ethernet0", alias="etp1")), complete=says("x"))
    cables = [cable("leaf1/Ethernet1", "gpu1/ens1", line=4), cable("leaf1/etp1", "gpu1/ens2", line=5)]
    assert [(note.line.number, note.reason) for note in of([HOST, whole], cables).notes] == [
        (4, "a port of leaf1 expected, which has no Ethernet1")
    ]
