"""The plan: which fabric a port is in, what an intent says against itself, and what most devices do where there is no intent."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from roce_lint.fabric.draft import draft
from roce_lint.fabric.intentions import Intended, combined
from roce_lint.fabric.layers import layer
from roce_lint.fabric.plan import declared, fabric_of, inferred
from roce_lint.model.changes import changed
from roce_lint.model.devices import Device, Job, Rdma
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Fact
from roce_lint.model.plan import Plan, Want
from roce_lint.model.ports import Port
from roce_lint.text.userfile import parsed


def wanted(text: str) -> Intended:
    return combined(layer(parsed("roce-lint.yaml", text), "roce-lint.yaml"), None)


def line(path: str, number: int = 1) -> Line:
    return Line(Document(path, lambda: ""), number, "")


def port(device: str, name: str, **facts: object) -> Port:
    """A port whose facts stand in a file of the device: `pfc__priorities` is the path `pfc.priorities`, a mapping a table."""
    result, number = Port(name), 0
    for key, value in facts.items():
        path = key.replace("__", ".")
        for index, each in value.items() if isinstance(value, dict) else [(None, value)]:
            number += 1
            result = changed(result, path if index is None else f"{path}[{index}]", each, line(f"{device}.txt", number))
    return result


def host(name: str, *ports: Port, tc: int | None = None, tos: int | None = None, job: int | None = None) -> Device:
    """A host of which each port has an RDMA device; the bytes are of its first RDMA device and of its only job."""
    rdma = {}
    for number, each in enumerate(ports or (Port("p0"),)):
        byte = {"global_tclass": tc, "rdma_cm_tos": tos} if number == 0 else {}
        facts = {key: Fact(value, (line(f"{name}.txt", 30),), "observed") for key, value in byte.items() if value is not None}
        rdma[f"rdma{number}"] = Rdma(f"rdma{number}", netdev=Fact(each.name, (line(f"{name}.txt"),), "observed"), **facts)  # type: ignore[arg-type]
    jobs = {"job": Job("job", traffic_class=Fact(job, (line(f"{name}.env", 2),), "configured"))} if job is not None else {}
    return Device(name, kind="host", ports={each.name: each for each in ports}, rdma=rdma, jobs=jobs)


def switch(name: str, *ports: Port) -> Device:
    return Device(name, kind="switch", ports={each.name: each for each in ports})


def every(devices: Iterable[Device]) -> list[tuple[Device, Port]]:
    return [(device, port) for device in devices for port in device.ports.values()]


def plan_of(devices: Iterable[Device]) -> Plan:
    devices = list(devices)
    return inferred(every(devices), devices)


def told(plan: Plan) -> dict[str, tuple[object, ...]]:
    """Each class of the only fabric: loss, DSCPs, PFC index, and the place of each."""

    def value(fact: Fact[object] | None) -> object:
        return None if fact is None else (set(fact.value) if isinstance(fact.value, frozenset) else fact.value, fact.lines[0].place)

    classes: tuple[Want, ...] = plan.fabrics[0].classes if plan.fabrics else ()
    return {want.name: (value(want.loss), value(want.dscp), value(want.pfc_priority)) for want in classes}


TWO = "fabrics:\n  compute: {match: {device: ['gpu*', 'leaf*']}}\n  disks: {match: {device: 'nvme*'}}\n"


def test_a_port_is_in_the_fabric_whose_selector_takes_it() -> None:
    chosen = fabric_of(wanted(TWO + "  rest: {}\n"))
    names = {name: plan.name if (plan := chosen(Device(name), Port("p0"))) else None for name in ("gpu1", "nvme3", "office")}
    assert names == {"gpu1": "compute", "nvme3": "disks", "office": "rest"}


def test_a_port_that_no_selector_takes_is_in_no_fabric() -> None:
    assert fabric_of(wanted(TWO))(Device("office"), Port("p0")) is None


def test_without_fabrics_every_port_is_in_the_one() -> None:
    chosen = fabric_of(wanted("classes: {}\n"))(Device("office"), Port("p0"))
    assert chosen is not None
    assert chosen.name == "fabric"


def test_only_a_selector_or_a_cable_puts_a_port_in_scope() -> None:
    assert not declared(wanted("classes: {bulk: {dscp: 1}}\n"))(switch("leaf1", Port("p0")), Port("p0"))
    claims = declared(wanted(TWO + "links:\n  - {device_a: tor9, port_a: p7, device_b: x, port_b: y}\n"))
    assert claims(switch("leaf1"), Port("p0"))
    assert not claims(switch("office"), Port("p0"))
    assert claims(switch("tor9"), Port("p7"))
    assert not claims(switch("tor9"), Port("p8"))


def test_a_selector_takes_of_a_host_only_what_can_carry_rdma() -> None:
    claims = declared(wanted(TWO))
    plain, nic = Port("eth0"), Port("p0")
    assert not claims(host("gpu1", nic), plain)
    assert claims(host("gpu1", nic), nic)
    assert claims(host("gpu1", nic), port("gpu1", "eth0", trust="dscp"))


def test_a_cable_may_name_a_port_by_its_alias_and_a_device_by_its_label() -> None:
    text = "links:\n  - {device_a: leaf1.example.net, port_a: etp1, device_b: gpu1, port_b: p0}\n"
    leaf = switch("leaf1", port("leaf1", "Ethernet0", alias="etp1"))
    assert declared(wanted(text), {"leaf1": leaf})(leaf, leaf.ports["Ethernet0"])
    assert not declared(wanted(text))(leaf, leaf.ports["Ethernet0"])


def test_indices_that_most_ports_pause_are_classes_without_a_mark() -> None:
    leaf = switch("leaf1", *(port("leaf1", f"swp{number}", pfc__priorities=frozenset({2, 5} if number else {2})) for number in range(4)))
    assert told(plan_of([leaf])) == {
        "pfc2": (("lossless", "leaf1.txt:1"), None, (2, "leaf1.txt:1")),
        "pfc5": (("lossless", "leaf1.txt:1"), None, (5, "leaf1.txt:1")),
    }


def test_fewer_than_three_voters_make_no_plan() -> None:
    two = switch("leaf1", *(port("leaf1", f"swp{number}", pfc__priorities=frozenset({3})) for number in range(2)))
    assert plan_of([two, host("gpu1", job=106), host("gpu2", job=106)]) == Plan(None, True, ())


@pytest.mark.parametrize(("on", "of", "inside"), [(3, 5, True), (6, 10, True), (27, 45, True), (2, 4, False), (11, 20, False)])
def test_a_class_needs_three_votes_in_five(on: int, of: int, inside: bool) -> None:
    ports = [port("leaf1", f"swp{number}", pfc__priorities=frozenset({3} if number < on else ())) for number in range(of)]
    assert list(told(plan_of([switch("leaf1", *ports)]))) == (["pfc3"] if inside else [])


def test_a_port_that_does_not_state_pfc_has_no_vote() -> None:
    ports = [port("leaf1", f"swp{number}", pfc__priorities=frozenset({3})) for number in range(3)]
    assert list(told(plan_of([switch("leaf1", *ports, *(Port(f"mgmt{number}") for number in range(20)))]))) == ["pfc3"]


def nic(name: str, priority: int | None = 4, on: frozenset[int] = frozenset({4})) -> Port:
    facts = {"dscp_to_priority": {34: priority}} if priority is not None else {}
    return port(name, "p0", pfc__priorities=on, pfc__index_is_priority=True, **facts)


def test_a_mark_and_the_index_that_nics_map_it_to_are_one_class() -> None:
    hosts = [host(f"gpu{number}", nic(f"gpu{number}"), job=138) for number in range(3)]
    assert told(plan_of(hosts)) == {"dscp34": (("lossless", "gpu0.txt:1"), ({34}, "gpu0.env:2"), (4, "gpu0.txt:1"))}


def test_a_mark_is_that_of_jobs_and_of_rdma_devices() -> None:
    hosts = [host("gpu0", nic("gpu0"), tc=136), host("gpu1", nic("gpu1"), tos=137), host("gpu2", nic("gpu2"), job=139), host("gpu3", job=8)]
    assert told(plan_of(hosts)) == {"dscp34": (("lossless", "gpu0.txt:1"), ({34}, "gpu0.txt:30"), (4, "gpu0.txt:1"))}


def test_a_mark_that_nics_map_elsewhere_is_not_the_class_of_the_index() -> None:
    hosts = [host(f"gpu{number}", nic(f"gpu{number}", 0), job=138) for number in range(3)]
    assert told(plan_of(hosts)) == {
        "dscp34": (("lossy", "gpu0.txt:1"), ({34}, "gpu0.env:2"), None),
        "pfc4": (("lossless", "gpu0.txt:1"), None, (4, "gpu0.txt:1")),
    }


def test_a_mark_without_pfc_anywhere_is_lossy() -> None:
    hosts = [host(f"gpu{number}", nic(f"gpu{number}", None, frozenset()), job=138) for number in range(3)]
    assert told(plan_of(hosts)) == {"dscp34": (("lossy", "gpu0.txt:1"), ({34}, "gpu0.env:2"), None)}


def test_a_mark_of_which_no_port_tells_is_a_class_all_the_same() -> None:
    hosts = [host(f"gpu{number}", job=138) for number in range(3)]
    assert told(plan_of(hosts)) == {"dscp34": (("lossless", "gpu0.env:2"), ({34}, "gpu0.env:2"), None)}


def test_a_mark_on_whose_loss_ports_do_not_agree_is_no_class() -> None:
    hosts = [host(f"gpu{number}", nic(f"gpu{number}", on=frozenset({4} if number % 2 else ())), job=138) for number in range(4)]
    assert told(plan_of(hosts)) == {}


@pytest.mark.parametrize(("marking", "loss"), [((True, True, False), "lossless"), ((True, False, False), "pfc_only"), ((), "lossless")])
def test_a_class_whose_queue_does_not_mark_is_pfc_only(marking: tuple[bool, ...], loss: str) -> None:
    ports = [
        port("leaf1", f"swp{number}", pfc__priorities=frozenset({4}), pfc__queue={4: 7}, **{"queues[7]__marking__ecn": marks})
        for number, marks in enumerate(marking)
    ]
    ports += [port("leaf1", f"swp{number}", pfc__priorities=frozenset({4})) for number in range(3, 6)]
    assert told(plan_of([switch("leaf1", *ports)]))["pfc4"][0] == (loss, "leaf1.txt:1")


def test_what_is_written_down_loads_back_to_the_same_plan() -> None:
    hosts = [host(f"gpu{number}", nic(f"gpu{number}"), job=138) for number in range(3)]
    leaf = switch("leaf1", *(port("leaf1", f"swp{number}", pfc__priorities=frozenset({2, 4})) for number in range(9)))
    plan = plan_of([*hosts, leaf])
    again = wanted(draft(plan)).plan

    def values(of: Plan) -> list[tuple[object, ...]]:
        names = ("role", "loss", "dscp", "pcp", "pfc_priority", "scheduling", "share", "with_data", "may_share_with")
        classes = [(fabric.name, fabric.match, want) for fabric in of.fabrics for want in fabric.classes]
        facts = [(name, match, want.name, [getattr(want, each) for each in names]) for name, match, want in classes]
        return [(*head, [fact and fact.value for fact in found]) for *head, found in facts]

    assert values(again) == values(plan)
    assert [want.name for want in plan.fabrics[0].classes] == ["dscp34", "pfc2"]
    assert {path: fact.value for path, fact in again.fabrics[0].settings.items()} == {
        path: fact.value for path, fact in plan.fabrics[0].settings.items()
    }
    assert not again.inferred


@pytest.mark.parametrize("plan", [Plan(None, True, ()), Plan("sonic-azure", False, ())])
def test_where_nothing_is_inferred_a_start_is_written_that_loads(plan: Plan) -> None:
    text = draft(plan)
    assert text.startswith("# yaml-language-server: $schema=intent.json\n")
    found = layer(parsed("roce-lint.yaml", text), "roce-lint.yaml").intent
    assert (found.profile, found.classes, found.fabrics) == (plan.profile, {}, {})
    uncommented = text.replace("# classes:   #", "classes:   #").replace("#   rdma:", "  rdma:").replace("#   cnp:", "  cnp:")
    assert set(layer(parsed("", uncommented), "").intent.classes) == (set() if plan.profile else {"rdma", "cnp"})
