"""The RDMA MTU that a fabric certainly uses, and the ports that must carry it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from roce_lint.fabric.hops import Reach
from roce_lint.lint import clean
from roce_lint.lint.book import book
from roce_lint.lint.engine import Run, Tally
from roce_lint.model.changes import changed, unstated
from roce_lint.model.outcome import Derived, Missing
from roce_lint.model.plan import FabricPlan


def reach(rdma_mtus: Mapping[str, int | None], ports: Mapping[str, int | None] | None = None, hosts: bool = True) -> Reach:
    """The clean fabric with these RDMA MTUs by host, these MTUs of the ports of leaf1, and no host at all."""
    devices = dict(clean.devices())
    for name, mtu in rdma_mtus.items():
        given = {
            key: unstated(each, "active_mtu") if mtu is None else changed(each, "active_mtu", mtu, clean.LINE)
            for key, each in devices[name].rdma.items()
        }
        own = {key: unstated(each, "mtu") if mtu is None else each for key, each in devices[name].ports.items()}
        devices[name] = replace(devices[name], rdma=given, ports=own)
    for port, mtu in (ports or {}).items():
        own = devices["leaf1"].ports
        devices["leaf1"] = replace(devices["leaf1"], ports={**own, port: changed(own[port], "mtu", mtu, clean.LINE)})
    if not hosts:
        devices = {name: device for name, device in devices.items() if device.kind != "host"}
    return Reach(devices, clean.links() if hosts else clean.links()[-1:], lambda device, port: plan(), lambda device, port: True)


def plan() -> FabricPlan:
    return clean.plan().fabrics[0]


def linted(given: Reach) -> Tally:
    return Run(given, clean.plan(), [rule for rule in book().rules if rule.id == "mtu-path"]).result()


@pytest.mark.parametrize(
    ("rdma_mtus", "least", "largest"),
    [
        ({}, 4096, 4096),
        ({"gpu1": 1024}, 4096, 4096),
        ({"gpu1": 4096, "gpu2": 1024, "gpu3": 1024, "gpu4": 1024}, 1024, 1024),
        ({"gpu1": 1024, "gpu2": None, "gpu3": None, "gpu4": 2048}, 1024, None),
        ({"gpu1": None, "gpu2": None, "gpu3": None}, None, None),
    ],
)
def test_two_hosts_agree_on_the_smaller_of_their_mtus(rdma_mtus: Mapping[str, int | None], least: int | None, largest: int | None) -> None:
    given = reach(rdma_mtus)
    found = [given.least_rdma_mtu(plan()), given.rdma_mtu(plan())]
    assert [each.value if isinstance(each, Derived) else None for each in found] == [least, largest]


def test_without_a_host_the_plan_says() -> None:
    given = reach({}, hosts=False)
    found = given.rdma_mtu(plan())
    assert isinstance(found, Derived) and (found.value, [cite.path for cite in found.cites]) == (4096, ["mtu.rdma"])
    silent = replace(plan(), settings={})
    assert given.rdma_mtu(silent) == Missing(((None, "the RDMA MTU of a NIC"),))


def test_the_port_that_is_too_small_is_named_with_what_it_needs() -> None:
    (finding,) = linted(reach({}, {"p2": 1500})).findings
    assert [(each.device, each.port, each.peer) for each in finding.subjects] == [("leaf1", "p2", ("gpu2", "eth0"))]
    assert finding.message == "leaf1/p2 has an MTU of 1500; RDMA packets of 4096 bytes need 4154"


def test_an_mtu_of_1500_everywhere_carries_what_hosts_of_1500_send() -> None:
    small = {"gpu1": 1024, "gpu2": 1024, "gpu3": 1024, "gpu4": 1024}
    assert linted(reach(small, {f"p{number}": 1500 for number in range(1, 6)})).findings == ()


def test_a_fabric_whose_largest_mtu_is_not_known_is_not_passed() -> None:
    tally = linted(reach({"gpu1": 1024, "gpu2": 1024, "gpu3": None}))
    assert (tally.findings, tally.held) == ((), 0)
    assert ("gpu3", "mtu") in [(each.device, each.missing) for each in tally.unknown]
