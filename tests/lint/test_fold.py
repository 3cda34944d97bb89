"""Outcomes of one cause are one finding; what follows from another is under it, each with its own facts."""

from __future__ import annotations

from roce_lint.lint.book import book
from roce_lint.lint.clean import LINE
from roce_lint.lint.fold import Broken, Fold
from roce_lint.lint.rules import ordered
from roce_lint.model.facts import Fact
from roce_lint.model.finding import Cite, Finding, Severity, Subject

RULES = ordered(book().rules)


def broken(rule: str, port: str, severity: Severity = "critical") -> Broken:
    cite = Cite("queues[3].marking.ecn", Fact(False, (LINE,), "configured"), "leaf1", port)
    subject = Subject("leaf1", port, ("spine1", port), "rdma", "out", link=(("leaf1", port), ("spine1", port)))
    return Broken(
        next(each for each in RULES if each.id == rule), severity, "configured", f"{rule} at {port}", subject, (cite,), (), "ECN_MAP"
    )


def folded(*outcomes: Broken) -> list[Finding]:
    fold = Fold()
    for each in outcomes:
        fold.add(each)
    return list(fold.findings(RULES))


def said(finding: Finding) -> tuple[str, str, list[str | None], list[str | None]]:
    return finding.rule, finding.message, [each.port for each in finding.subjects], [cite.port for cite in finding.cites]


def test_outcomes_of_one_object_are_one_finding_as_grave_as_the_gravest() -> None:
    (finding,) = folded(broken("ecn-off", "e1", "error"), broken("ecn-off", "e2"))
    assert (finding.severity, *said(finding)) == ("critical", "ecn-off", "ecn-off at e1", ["e1", "e2"], ["e1"])


def test_what_only_partly_follows_is_split_and_each_part_rests_on_its_own_facts() -> None:
    alone, cause = folded(broken("ecn-off", "e1"), broken("ecn-off", "e2"), broken("ecn-off", "e3"), broken("ecn-wred-drops", "e1"))
    assert said(cause) == ("ecn-wred-drops", "ecn-wred-drops at e1", ["e1"], ["e1"])
    assert said(alone) == ("ecn-off", "ecn-off at e2", ["e2", "e3"], ["e2"])
    assert [said(each) for each in cause.consequences] == [("ecn-off", "ecn-off at e1", ["e1"], ["e1"])]


def test_two_marks_of_a_class_at_one_port_are_one_subject() -> None:
    (finding,) = folded(broken("ecn-off", "e1", "warning"), broken("ecn-off", "e1"))
    assert (finding.severity, len(finding.subjects)) == ("critical", 1)
