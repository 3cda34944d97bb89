"""A verdict as a fixture's expect.yaml states it, held against what a run says. Its keys are those of fixtures/cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from roce_lint.lint.book import book
from roce_lint.model.finding import SEVERITIES, Finding, Unknown
from roce_lint.report.result import Result

RULES = {rule.id: rule for rule in book(()).rules}


def faults(result: Result, expected: Mapping[str, Any]) -> Iterator[str]:
    """Everything in which a result differs from an expected verdict. A rule that does not exist yet is left out."""
    left = list(result.findings)
    for wanted in expected.get("findings", ()):
        if wanted["rule"] not in RULES:
            continue
        fitting = [finding for finding in left if fits(finding, wanted)]
        if len(fitting) != 1:
            yield f"one finding {wanted} expected, found {len(fitting)} among {[brief(finding) for finding in result.findings]}"
        for finding in fitting:
            left.remove(finding)
    allowed = SEVERITIES.index(expected.get("nothing_else_above", "info"))
    for finding in left:
        if "exactly" not in expected and SEVERITIES.index(finding.severity) < allowed:
            yield f"nothing else above {SEVERITIES[allowed]} expected, found {brief(finding)}"
    for wanted in expected.get("consequences", ()):
        under = [finding for finding in result.findings if finding.rule == wanted["under"]]
        if not any(each.rule == wanted["rule"] for finding in under for each in finding.consequences):
            yield f"{wanted['rule']} under {wanted['under']} expected"
        if any(finding.rule == wanted["rule"] for finding in result.findings):
            yield f"{wanted['rule']} is a finding of its own"
    if "exactly" in expected:
        yield from exact(result, expected["exactly"])
    for wanted in expected.get("unknown", ()):
        yield from _unknown(result.unknown, wanted)


def exact(result: Result, wanted: Iterable[str]) -> Iterator[str]:
    """`rule@device` of every finding, and `cause => rule` of every consequence: nothing more and nothing less."""
    found = sorted(
        [f"{finding.severity} {finding.rule}@{finding.subjects[0].device}" for finding in result.findings]
        + [f"{finding.rule} => {each.rule}" for finding in result.findings for each in finding.consequences]
    )
    if found != sorted(wanted):
        yield f"{sorted(wanted)} expected, found {found}"


def brief(finding: Finding) -> tuple[str, str, str | None, list[str | None], str]:
    first = finding.cites[0].fact.lines[0] if finding.cites else None
    ports = sorted({subject.port for subject in finding.subjects}, key=str)
    return finding.rule, finding.severity, finding.subjects[0].device, ports, first.place if first is not None else ""


def fits(finding: Finding, wanted: Mapping[str, Any]) -> bool:
    """Whether a finding is the one that is listed: rule, severity, device, ports, and the line of the fact at fault."""
    first = finding.cites[0].fact.lines[0] if finding.cites else None
    ports = {subject.port for subject in finding.subjects}
    listed = wanted.get("port")
    devices = {subject.device for subject in finding.subjects}
    return (
        (finding.rule, finding.severity) == (wanted["rule"], wanted["severity"])
        and (wanted["device"] == "any" or devices == {wanted["device"]})
        and ports == (set(listed) if isinstance(listed, list) else {listed})
        and first is not None
        and first.place == wanted["where"]
        and wanted.get("text", "") in first.text
    )


def _unknown(unknown: Iterable[Unknown], wanted: Mapping[str, Any]) -> Iterator[str]:
    every = tuple(unknown)
    if "family" in wanted:
        lacking = [rule for rule in RULES.values() if rule.needs == "plan" and rule.scope in ("class_port", "hop")]
        rules = {rule for each in every if each.missing == wanted["missing"] for rule in each.rules}
        if any(rule.id not in rules for rule in lacking):
            yield f"every rule that needs a plan unknown for want of {wanted['missing']} expected"
        return
    if wanted["rule"] not in RULES:
        return
    if not any(wanted["rule"] in each.rules and lacks(each, str(wanted["missing"])) for each in every):
        said = [(each.missing, each.device) for each in every if wanted["rule"] in each.rules]
        yield f"{wanted['rule']} unknown for want of {wanted['missing']} expected, found {said}"


def lacks(unknown: Unknown, words: str) -> bool:
    """Whether what is unknown is what the words of a fixture name."""
    ports = {subject.port for subject in unknown.subjects}
    what, _, where = words.partition(" of ")
    if where and where.rpartition("/")[2] in ports:
        return _named(unknown.missing, what)
    if where == unknown.device:
        return _named(unknown.missing, what)
    return _named(unknown.missing, words)


def _named(missing: str, words: str) -> bool:
    if words.startswith("the map "):
        return missing == "dscp_to_priority"
    if words in ("groups", "watchdog"):
        return missing == words or missing.startswith((f"{words}[", f"{words}."))
    return missing == words
