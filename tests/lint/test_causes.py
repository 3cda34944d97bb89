"""One cause is one finding: faults of the clean fabric under every built-in rule, and what is folded under each finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from roce_lint.fabric.hops import Reach
from roce_lint.lint import clean
from roce_lint.lint.book import book
from roce_lint.lint.engine import Run
from roce_lint.model.changes import changed, unstated

LEAF = tuple(f"leaf1/p{number}" for number in range(1, 6))
HOST = ("gpu1/eth0",)
Facts = Mapping[str, object]


def linted(*faults: tuple[Sequence[str], Facts], want: Facts | None = None) -> list[tuple[str, str, list[str]]]:
    """Findings of every built-in rule: rule, severity, and the rules that follow from it."""
    devices = dict(clean.devices())
    for ports, facts in faults:
        for name in ports:
            device, _, port = name.partition("/")
            record = devices[device].ports[port]
            for path, value in facts.items():
                record = unstated(record, path) if value is None else changed(record, path, value, clean.LINE)
            devices[device] = replace(devices[device], ports={**devices[device].ports, port: record})
    fabric = clean.plan().fabrics[0]
    for path, value in (want or {}).items():
        classes = tuple(changed(each, path, value, clean.LINE, "wanted") if each.name == "rdma" else each for each in fabric.classes)
        fabric = replace(fabric, classes=classes)
    plan = replace(clean.plan(), fabrics=(fabric,))
    reach = Reach(devices, clean.links(), lambda device, port: fabric, lambda device, port: True)
    found = Run(reach, plan, book().rules).result().findings
    return [(each.rule, each.severity, sorted({under.rule for under in each.consequences})) for each in found]


SILENT = {"queues[3].marking.ecn": False}
STILL = {"rp.priorities[3]": False, "np.priorities[3]": False}


def test_the_clean_fabric_has_no_finding() -> None:
    assert linted() == []


@pytest.mark.parametrize(
    ("ports", "facts", "findings"),
    [
        (LEAF, SILENT, [("ecn-off", "critical", ["pfc-no-congestion-control"])]),
        (LEAF, {**SILENT, "queues[3].marking.drops": True}, [("ecn-wred-drops", "critical", ["ecn-off", "pfc-no-congestion-control"])]),
        (LEAF, {**SILENT, "queues[5].marking.ecn": True}, [("ecn-wrong-queue", "critical", ["pfc-no-congestion-control"])]),
        (LEAF, {"dscp_to_priority[26]": 1}, [("qos-class-leaves-lossless", "critical", ["ecn-wrong-queue", "qos-map-mismatch"])]),
        (
            LEAF[:1],
            {"dscp_to_priority[26]": 1},
            [("qos-class-leaves-lossless", "critical", ["ecn-wrong-queue", "pfc-no-congestion-control", "qos-map-mismatch"])],
        ),
        (
            LEAF,
            {"groups[3].alpha": 1 / 64, "groups[3].pool.size_bytes": 10_000_000},
            [("buffer-alpha", "error", ["ecn-after-pause"])],
        ),
        (LEAF, {"queues[3].marking.kmin_bytes": 3_000_000}, [("ecn-thresholds-malformed", "error", [])]),
        (HOST, {"cnp.dscp": 4}, [("cnp-dscp-mismatch", "critical", ["cnp-shares-data-queue"])]),
        (HOST, {"cnp.dscp": 26}, [("cnp-dscp-mismatch", "critical", ["cnp-shares-data-queue", "pfc-on-cnp"])]),
        (HOST, {"rp.priorities[3]": False}, [("ecn-nic-rp-off", "critical", [])]),
        (HOST, {"np.priorities[3]": False}, [("ecn-nic-np-off", "critical", [])]),
        (
            HOST,
            {"pfc.priorities": list(range(8))},
            [("pfc-too-many-priorities", "critical", ["pfc-extra-priority", "pfc-on-cnp", "qos-map-mismatch"])],
        ),
        (LEAF, {"watchdog.enabled": False}, [("watchdog-missing", "error", [])]),
        (LEAF[:2], {"watchdog.enabled": False}, [("watchdog-partial", "error", [])]),
        (LEAF[:1], {"mtu": 1500}, [("mtu-path", "critical", ["mtu-mismatch"])]),
    ],
)
def test_a_fault_is_one_finding_with_what_follows_from_it(ports: Sequence[str], facts: Facts, findings: list[object]) -> None:
    assert linted((ports, facts)) == findings


def test_pfc_without_congestion_control_is_a_design_where_the_plan_says_so_and_one_finding_where_not() -> None:
    hosts = [f"gpu{number}/eth0" for number in range(1, 5)]
    faults = ((LEAF, SILENT), (hosts, STILL))
    assert linted(*faults, want={"loss": "pfc_only"}) == []
    assert linted(*faults) == [("ecn-off", "critical", ["ecn-nic-np-off", "ecn-nic-rp-off", "pfc-no-congestion-control"])]


def test_ecn_off_beside_another_class_that_marks_is_its_own_finding() -> None:
    assert linted((LEAF, {**SILENT, "queues[6].marking.ecn": True})) == [("ecn-off", "critical", ["pfc-no-congestion-control"])]


def test_a_port_under_no_class_causes_what_is_found_of_every_class() -> None:
    fault = {"undefined_names": ["SITE"], "dscp_to_priority[48]": 0}
    assert linted((LEAF[:1], fault)) == [("qos-policy-unattached", "critical", ["cnp-shares-data-queue"])]
