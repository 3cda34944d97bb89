"""Exceptions of an intent: which subjects they take, for how long, and what is said of those that do nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from roce_lint.fabric.exceptions import waivers
from roce_lint.fabric.layers import layer
from roce_lint.lint.waivers import Waiving, unknown_rules
from roce_lint.model.devices import Device
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Fact
from roce_lint.model.finding import Cite, Finding, Severity, Subject
from roce_lint.model.plan import Waiver
from roce_lint.model.ports import Port
from roce_lint.text.userfile import parsed

LINE = Line(Document("leaf1.txt", lambda: ""), 3, "")
FAST = Port("swp1", speed_bps=Fact(400_000_000_000, (LINE,), "observed"))
DEVICES = {
    "leaf1": Device("leaf1", kind="switch", role="leaf", ports={"swp1": FAST, "swp2": Port("swp2")}),
    "leaf2": Device("leaf2", kind="switch", ports={"Ethernet1/1": Port("Ethernet1/1")}),
    "gpu1": Device("gpu1", kind="host", ports={"eth0": Port("eth0")}),
}
ROLES = {"tor": ("leaf2",)}
TODAY = date(2026, 12, 1)


def exceptions(text: str) -> tuple[Waiver, ...]:
    return tuple(waivers(layer(parsed("roce-lint.yaml", text), "roce-lint.yaml")))


def finding(rule: str, *subjects: str | None, severity: Severity = "error", under: Sequence[Finding] = ()) -> Finding:
    """A finding on `device`, `device/port`, `device job` or the plan."""
    made = []
    for each in subjects:
        own, _, job = (each or "").partition(" ")
        device, _, port = own.partition("/")
        made.append(Subject(device or None, port or None, ("gpu9", "eth9"), "rdma", job=job or None))
    cite = Cite("mtu", Fact(1500, (LINE,), "observed"), "leaf1", "swp1")
    return Finding(rule, severity, "observed", "-", "port", tuple(made), (cite,), consequences=tuple(under))


def waived(text: str, *findings: Finding, today: date = TODAY, run: Sequence[str] = ("mtu-path",)) -> tuple[list[object], list[str]]:
    """Status and waiver of each finding, those that follow from it behind it, and the notes."""
    waiving = Waiving(exceptions(text), DEVICES, ROLES, today)
    found = waiving.of(findings)
    told: list[object] = []
    for each in found:
        told.append((each.rule, each.status, each.waiver))
        told.extend((" ", under.rule, under.status) for under in each.consequences)
    return told, [f"{note.line.place}: {note.reason}" for note in waiving.notes(run)]


ALL = "exceptions:\n  - {rule: mtu-path, where: leaf1/swp1, reason: burn-in, owner: net-ops, expires: 2027-01-31}\n"
WORDS = "burn-in, net-ops, until 2027-01-31 (roce-lint.yaml:2)"


def test_a_finding_whose_every_subject_is_taken_is_waived_in_the_words_of_the_file() -> None:
    assert waived(ALL, finding("mtu-path", "leaf1/swp1")) == ([("mtu-path", "waived", WORDS)], [])


def test_a_finding_of_which_one_subject_stands_stands() -> None:
    assert waived(ALL, finding("mtu-path", "leaf1/swp1", "leaf1/swp2", "gpu1/eth0")) == (
        [("mtu-path", "new", f"1 of 3, leaf1/swp1: {WORDS}")],
        [],
    )


def test_subjects_may_be_waived_by_several_exceptions() -> None:
    text = "exceptions:\n  - {rule: mtu-path, where: leaf1}\n  - {rule: mtu-path, where: gpu1, owner: hosts}\n"
    assert waived(text, finding("mtu-path", "leaf1/swp1", "leaf1/swp2", "gpu1/eth0")) == (
        [("mtu-path", "waived", "roce-lint.yaml:2; hosts (roce-lint.yaml:3)")],
        [],
    )


@pytest.mark.parametrize(
    ("where", "takes"),
    [
        ("leaf1", ["leaf1/swp1", "leaf1/swp2", "leaf1"]),
        ("leaf1/", ["leaf1/swp1", "leaf1/swp2", "leaf1"]),
        ("leaf1/swp*", ["leaf1/swp1", "leaf1/swp2"]),
        ("leaf*/swp2-9", ["leaf1/swp2"]),
        ("leaf1-2", ["leaf1/swp1", "leaf1/swp2", "leaf1", "leaf2/Ethernet1/1"]),
        ("leaf2/Ethernet1/1", ["leaf2/Ethernet1/1"]),
        ("gpu1/env/job.conf", ["gpu1 env/job.conf"]),
        ("gpu9", []),
        ("{role: [leaf, tor]}", ["leaf1/swp1", "leaf1/swp2", "leaf1", "leaf2/Ethernet1/1"]),
        ("{speed: 400G}", ["leaf1/swp1"]),
        ("{device: leaf1, port: '*'}", ["leaf1/swp1", "leaf1/swp2"]),
    ],
)
def test_where_names_the_blamed_end(where: str, takes: list[str]) -> None:
    every = ["leaf1/swp1", "leaf1/swp2", "leaf1", "leaf2/Ethernet1/1", "gpu1/eth0", "gpu1 env/job.conf", None]
    found, notes = waived(f"exceptions:\n  - {{rule: mtu-path, where: {where}}}\n", *(finding("mtu-path", each) for each in every))
    waiving = Waiving(exceptions(f"exceptions:\n  - {{rule: mtu-path, where: {where}}}\n"), DEVICES, ROLES, TODAY)
    names = [each for each in every if waiving.of([finding("mtu-path", each)])[0].status == "waived"]
    assert names == takes
    assert bool(notes) is (takes == [])
    assert len(found) == len(every)


def test_without_where_every_subject_of_the_rule_is_taken_and_no_other_rule() -> None:
    text = "exceptions:\n  - {rule: mtu-path}\n"
    found = waived(text, finding("mtu-path", None), finding("pfc-off", "leaf1/swp1"), finding("mtu-path", "gpu1/eth0"))
    assert found == (
        [("pfc-off", "new", None), ("mtu-path", "waived", "roce-lint.yaml:2"), ("mtu-path", "waived", "roce-lint.yaml:2")],
        [],
    )


@pytest.mark.parametrize(
    ("today", "status", "notes"),
    [
        (date(2027, 1, 31), "waived", []),
        (date(2027, 2, 1), "new", ["roce-lint.yaml:2: the exception for mtu-path at leaf1/swp1 expired on 2027-01-31 and waives nothing"]),
    ],
)
def test_an_exception_lasts_to_the_end_of_its_day(today: date, status: str, notes: list[str]) -> None:
    found, said = waived(ALL, finding("mtu-path", "leaf1/swp1"), today=today)
    assert (found, said) == ([("mtu-path", status, WORDS if status == "waived" else None)], notes)


def test_an_expired_exception_does_not_hide_one_in_force() -> None:
    text = "exceptions:\n  - {rule: mtu-path, expires: 2026-01-01}\n  - {rule: mtu-path, where: leaf1, owner: b}\n"
    assert waived(text, finding("mtu-path", "leaf1/swp1")) == (
        [("mtu-path", "waived", "b (roce-lint.yaml:3)")],
        ["roce-lint.yaml:2: the exception for mtu-path expired on 2026-01-01 and waives nothing"],
    )


def test_an_exception_that_meets_no_finding_is_said_where_its_rule_was_run() -> None:
    text = "exceptions:\n  - {rule: mtu-path, where: {role: tor, speed: 400G}}\n  - {rule: pfc-off}\n"
    assert waived(text, finding("mtu-path", "leaf1/swp1")) == (
        [("mtu-path", "new", None)],
        ["roce-lint.yaml:2: the exception for mtu-path at role tor; speed 400G meets no finding"],
    )


def test_what_follows_from_a_waived_finding_stands_unless_it_is_waived_itself() -> None:
    under = [finding("pfc-off", "leaf1/swp1", severity="critical"), finding("qos-off", "leaf1/swp1", severity="info")]
    text = f"{ALL}  - {{rule: qos-off}}\n"
    assert waived(text, finding("mtu-path", "leaf1/swp1", under=under)) == (
        [("pfc-off", "new", None), ("mtu-path", "waived", WORDS), (" ", "qos-off", "waived")],
        [],
    )
    assert waived(text, finding("mtu-path", "leaf1/swp1", "gpu1/eth0", under=under))[0] == [
        ("mtu-path", "new", f"1 of 2, leaf1/swp1: {WORDS}"),
        (" ", "pfc-off", "new"),
        (" ", "qos-off", "waived"),
    ]


def test_a_rule_that_does_not_exist_is_an_error_with_its_line() -> None:
    text = "exceptions:\n  - {rule: mtu-path}\n  - where: leaf1\n    rule: mtu-pth\n  - {rule: zebra}\n"
    assert [str(each) for each in unknown_rules(exceptions(text), ["mtu-path", "pfc-off"], "site/roce-lint.yaml")] == [
        "site/roce-lint.yaml:4: exceptions: no rule 'mtu-pth'; did you mean 'mtu-path'?",
        "site/roce-lint.yaml:5: exceptions: no rule 'zebra'; roce-lint rules lists them",
    ]
