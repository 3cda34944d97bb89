"""A class at a port: the chain from the mark to the pause, and what is known when a part of it is not."""

from __future__ import annotations

from dataclasses import replace

from roce_lint.fabric.hops import Reach
from roce_lint.fabric.pipeline import End
from roce_lint.lint import clean
from roce_lint.model.changes import changed, unstated
from roce_lint.model.devices import Device, PortName
from roce_lint.model.outcome import AtLeast, Derived, Missing


def reach(**ports: dict[str, object]) -> Reach:
    """The clean fabric with facts of ports changed: `leaf1_p2={"trust": "pcp"}`; None un-states."""
    devices = dict(clean.devices())
    for name, facts in ports.items():
        device, _, port = name.partition("_")
        record = devices[device].ports[port]
        for path, value in facts.items():
            record = unstated(record, path) if value is None else changed(record, path, value, clean.LINE)
        devices[device] = replace(devices[device], ports={**devices[device].ports, port: record})
    fabric = clean.plan().fabrics[0]
    return Reach(devices, clean.links(), lambda device, port: fabric, lambda device, port: True)


def end(of: Reach, device: str, port: str, class_name: str = "rdma") -> End:
    fabric = clean.plan().fabrics[0]
    mark = next(mark for mark in of.marks(fabric) if mark.want.name == class_name)
    return of.end(of.views[PortName(device, port)], mark, fabric)


def value(result: object) -> object:
    assert isinstance(result, Derived), result
    return result.value


def raws(result: object) -> list[tuple[str | None, str]]:
    assert isinstance(result, Derived), result
    return [(cite.port, cite.raw) for cite in result.cites]


def test_a_priority_cites_the_map_entry_before_the_trust() -> None:
    assert raws(end(reach(), "leaf1", "p1").priority) == [("p1", "dscp_to_priority[26]"), ("p1", "trust")]


def test_an_untagged_port_that_trusts_pcp_gives_its_default_priority() -> None:
    here = end(reach(leaf1_p1={"trust": "pcp", "default_priority": 2}), "leaf1", "p1")
    assert value(here.priority) == 2


def test_the_queues_of_an_egress_port_are_those_that_the_other_ports_lead_to() -> None:
    here = end(reach(leaf1_p2={"priority_to_queue[3]": 5}), "leaf1", "p1")
    assert value(here.queues) == frozenset({3, 5})
    assert value(end(reach(leaf1_p1={"priority_to_queue[3]": 5}), "leaf1", "p1").queues) == frozenset({3})


def test_an_ingress_port_that_states_no_map_leaves_the_queues_open() -> None:
    here = end(reach(leaf1_p2={"dscp_to_priority": None}), "leaf1", "p1")
    queues = value(here.queues)
    assert isinstance(queues, AtLeast)
    assert queues == frozenset({3})
    assert isinstance(here.ecn, Missing)


def test_a_queue_that_does_not_mark_decides_though_others_are_not_known() -> None:
    here = end(reach(leaf1_p2={"dscp_to_priority": None}, leaf1_p1={"queues[3].marking.ecn": False}), "leaf1", "p1")
    assert value(here.ecn) is False


def test_a_nic_without_stated_buffers_is_lossless_where_pfc_is_on() -> None:
    here = end(reach(gpu1_eth0={"groups": None, "priority_to_group": None}), "gpu1", "eth0")
    assert value(here.lossless) is True
    assert value(here.pause_emitted) == frozenset({3})
    assert isinstance(here.has_headroom, Missing)


def test_a_nic_priority_without_pfc_and_without_stated_buffers_is_unknown() -> None:
    here = end(reach(gpu1_eth0={"groups": None, "priority_to_group": None, "dscp_to_priority[26]": 2}), "gpu1", "eth0")
    assert here.lossless == Missing((("gpu1", "priority_to_group"),))


def test_pfc_off_for_all_is_known_whatever_the_map() -> None:
    here = end(reach(gpu1_eth0={"pfc.priorities": [], "groups": None, "priority_to_group": None, "trust": None}), "gpu1", "eth0")
    assert value(here.some_lossless) is False
    assert value(here.pause_emitted) == frozenset()


def test_an_index_of_another_number_closes_the_chain() -> None:
    here = end(reach(leaf1_p1={"pfc.queue": {5: 3}, "pfc.group": {5: 3}, "pfc.priorities": [5]}), "leaf1", "p1")
    assert value(here.chain_closes) is True
    assert value(here.pause_emitted) == frozenset({5})
    assert value(here.pauses_obeyed) == frozenset({5})


def test_what_is_missing_is_named_by_the_first_thing_that_is_not_stated() -> None:
    view = reach(leaf1_p1={"groups": None}).views[PortName("leaf1", "p1")]
    assert view.fact("groups[3].xoff_bytes") == Missing((("leaf1", "groups"),))
    assert reach(leaf1_p1={"pfc": None}).views[PortName("leaf1", "p1")].fact("pfc.priorities") == Missing((("leaf1", "pfc.priorities"),))


def test_the_notifications_of_a_nic_carry_its_own_mark() -> None:
    of = reach(gpu1_eth0={"cnp.dscp": 4})
    mark = next(mark for mark in of.marks(clean.plan().fabrics[0]) if mark.want.name == "cnp")
    sent = of.sent_mark(of.views[PortName("gpu1", "eth0")], mark)
    assert (sent.dscp, sent.sent.raw if sent.sent else None) == (4, "cnp.dscp")
    assert of.sent_mark(of.views[PortName("leaf1", "p1")], mark) is mark


def test_a_port_that_is_down_or_internal_is_out_of_scope() -> None:
    of = reach(leaf1_p1={"admin_up": False}, leaf1_p2={"internal": True})
    assert [str(name) for name in of.views if name.device == "leaf1"] == ["leaf1/p3", "leaf1/p4", "leaf1/p5"]


def test_without_intent_a_port_is_in_scope_by_its_own_pfc_and_its_neighbour_with_it() -> None:
    devices: dict[str, Device] = dict(clean.devices())
    silent = replace(clean.switch("p1"), pfc=None, queues=None, groups=None)
    devices["spine1"] = replace(devices["spine1"], ports={"p1": silent, "p2": silent})
    of = Reach(devices, clean.links(), lambda device, port: None, lambda device, port: False)
    assert PortName("spine1", "p1") in of.views
    assert PortName("spine1", "p2") not in of.views
