"""Outcomes, their folding by cause, and consequences under their cause."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from roce_lint.fabric.hops import Reach
from roce_lint.lint import clean
from roce_lint.lint.engine import Run, Tally
from roce_lint.lint.rulefile import RuleFile
from roce_lint.lint.rules import Rule, rule
from roce_lint.model.changes import changed, unstated
from roce_lint.model.facts import Basis
from roce_lint.model.finding import Finding

LEAVES: Mapping[str, object] = {
    "id": "qos-leaves",
    "title": "a class stays lossless",
    "severity": "critical",
    "scope": "class_port",
    "when": "want.lossless and here.some_lossless",
    "expect": "here.lossless",
    "message": "{here} loses {want.name}",
    "why": "-",
    "references": ["-"],
}
DIFFERS: Mapping[str, object] = {
    "id": "qos-differs",
    "title": "both ends agree",
    "severity": "critical",
    "scope": "hop",
    "expect": "sender.lossless == receiver.lossless",
    "message": "{sender} and {receiver} differ",
    "why": "-",
    "caused_by": ["qos-leaves"],
    "references": ["-"],
}


def made(*sources: Mapping[str, object]) -> list[Rule]:
    return [rule(RuleFile.model_validate(dict(source)).written()) for source in sources]


def linted(rules: list[Rule], changes: Mapping[str, Mapping[str, object]], basis: Basis = "configured") -> Tally:
    devices = dict(clean.devices())
    for name, facts in changes.items():
        device, _, port = name.partition("/")
        record = devices[device].ports[port]
        for path, value in facts.items():
            record = unstated(record, path) if value is None else changed(record, path, value, clean.LINE, basis)
        devices[device] = replace(devices[device], ports={**devices[device].ports, port: record})
    fabric = clean.plan().fabrics[0]
    reach = Reach(devices, clean.links(), lambda device, port: fabric, lambda device, port: True)
    return Run(reach, clean.plan(), rules).result()


def brief(finding: Finding) -> tuple[str, str, list[str], list[str]]:
    subjects = [f"{subject.device}/{subject.port}" for subject in finding.subjects]
    return finding.rule, finding.severity, subjects, [each.rule for each in finding.consequences]


def test_a_clean_fabric_holds_everywhere() -> None:
    tally = linted(made(LEAVES, DIFFERS), {})
    assert (tally.findings, [each.missing for each in tally.unknown]) == ((), ["the other end"])


def test_one_fault_on_three_ports_is_one_finding_with_what_follows_folded_under_it() -> None:
    fault = {f"leaf1/p{number}": {"dscp_to_priority[26]": 1} for number in (1, 2, 3)}
    tally = linted(made(LEAVES, DIFFERS), fault)
    assert [brief(finding) for finding in tally.findings] == [
        ("qos-leaves", "critical", ["leaf1/p1", "leaf1/p2", "leaf1/p3"], ["qos-differs"]),
    ]
    finding = tally.findings[0]
    assert finding.cites[0].path == "here.port.dscp_to_priority[26]"
    assert finding.cites[0].fact.value == 1
    assert {(wanted.port, wanted.path, wanted.value) for wanted in finding.wanted} == {
        (f"p{number}", "dscp_to_priority[26]", 3) for number in (1, 2, 3)
    }


def test_two_values_at_fault_are_two_findings() -> None:
    tally = linted(made(LEAVES), {"leaf1/p1": {"dscp_to_priority[26]": 1}, "leaf1/p2": {"dscp_to_priority[26]": 2}})
    assert [brief(finding)[2] for finding in tally.findings] == [["leaf1/p1"], ["leaf1/p2"]]


def test_a_broken_rule_on_an_assumed_fact_is_a_warning_at_most() -> None:
    tally = linted(made(LEAVES), {"leaf1/p1": {"dscp_to_priority[26]": 1}}, basis="assumed")
    assert [(finding.severity, finding.confidence) for finding in tally.findings] == [("warning", "assumed")]


def test_a_rule_that_holds_on_an_assumed_fact_is_counted_apart() -> None:
    tally = linted(made(LEAVES), {"leaf1/p1": {"dscp_to_priority[26]": 3}}, basis="assumed")
    assert (tally.findings, tally.held_assumed) == ((), 1)


def test_what_is_not_stated_is_unknown_and_says_what_and_for_whom() -> None:
    tally = linted(made(LEAVES), {"leaf1/p1": {"dscp_to_priority": None}, "leaf1/p2": {"dscp_to_priority": None}})
    assert tally.findings == ()
    (unknown,) = tally.unknown
    assert (unknown.device, unknown.missing, unknown.rules, unknown.count) == ("leaf1", "dscp_to_priority", ("qos-leaves",), 2)
    assert [subject.port for subject in unknown.subjects] == ["p1", "p2"]


def test_a_consequence_stands_alone_where_its_cause_does_not_reach() -> None:
    changes = {"leaf1/p1": {"dscp_to_priority[26]": 1}, "gpu2/eth0": {"dscp_to_priority[26]": 1, "priority_to_group[1]": 0}}
    only_hops = linted(made(DIFFERS), changes)
    assert [finding.rule for finding in only_hops.findings] == ["qos-differs", "qos-differs"]
    both = linted(made(LEAVES, DIFFERS), changes)
    assert [(finding.rule, len(finding.consequences)) for finding in both.findings] == [("qos-leaves", 1), ("qos-leaves", 1)]


def test_the_end_that_differs_from_the_plan_is_blamed() -> None:
    tally = linted(made(DIFFERS), {"gpu1/eth0": {"dscp_to_priority[26]": 2}})
    (finding,) = tally.findings
    assert brief(finding) == ("qos-differs", "critical", ["gpu1/eth0"], [])
    assert finding.subjects[0].peer == ("leaf1", "p1")
