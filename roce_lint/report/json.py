"""A result as JSON, version 1. `schemas/report.json`, made from json_model.py, is its definition."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from roce_lint import VERSION
from roce_lint.lint.rules import Rule
from roce_lint.lint.words import plain
from roce_lint.model.devices import PortName
from roce_lint.model.facts import Fact
from roce_lint.model.finding import SEVERITIES, Cite, Finding, Severity, Subject
from roce_lint.model.plan import Plan, Want
from roce_lint.report.result import Result, touches

Json = dict[str, object]


def text(result: Result) -> str:
    """The report, one value a line, ending in a line feed."""
    return json.dumps(document(result), indent=1) + "\n"


def document(result: Result) -> Json:
    """The report as plain data, every field present and in a fixed order."""
    return {
        "version": 1,
        "tool": f"roce-lint {VERSION}",
        "incomplete": result.incomplete,
        "plan": _plan(result.plan),
        "summary": _summary(result),
        "rules": [_rule(rule) for _, rule in sorted(result.rules.items())],
        "documents": [
            {"id": number, "device": each.device, "path": each.path, "command": each.command}
            for number, each in enumerate(result.documents)
        ],
        "findings": [_finding(result, finding) for finding in result.findings],
        "unknown": [
            {
                "device": each.device,
                "missing": each.missing,
                "rules": sorted(each.rules),
                "count": each.count,
                "subjects": [_subject(subject, each.rules[0] if each.rules else "") for subject in each.subjects],
            }
            for each in result.unknown
        ],
        "notes": [
            {
                "document": result.numbers.get(id(note.line.document)),
                "line": note.line.number,
                "text": f"{note.reason}: {note.line.text.strip()}",
            }
            for note in result.every_note
        ],
        "devices": [
            {
                "name": device.name,
                "platform": device.platform,
                "version": device.version.value if device.version is not None else None,
                "role": device.role,
                "fabric": result.fabrics.get(device.name),
                "documents": sorted({result.numbers[id(each)] for each in device.documents if id(each) in result.numbers}),
            }
            for device in result.devices
        ],
        "links": [{"a": _port(link.a), "b": _port(link.b), "source": link.source} for link in result.links],
    }


def _port(name: PortName) -> Json:
    return {"device": name.device, "port": name.port}


def _summary(result: Result) -> Json:
    return {
        **{str(word): number for word, number in result.severities().items()},
        "waived": result.statuses("waived"),
        "accepted": result.statuses("accepted"),
        "held": result.counts.held,
        "held_assumed": result.counts.held_assumed,
        "unknown": result.counts.unknown,
        "notes": len(result.every_note),
        "devices": result.size.devices,
        "ports": result.size.ports,
        "links": result.size.links,
    }


def _plan(plan: Plan) -> Json:
    classes = [_class(fabric.name, want) for fabric in plan.fabrics for want in fabric.classes]
    return {"profile": plan.profile, "inferred": plan.inferred, "classes": classes}


def _class(fabric: str, want: Want) -> Json:
    return {
        "fabric": fabric,
        "name": want.name,
        "role": want.role.value,
        "loss": want.loss.value,
        "dscp": _value(want.dscp),
        "pcp": _value(want.pcp),
        "pfc_priority": _value(want.pfc_priority),
        "scheduling": _value(want.scheduling),
        "share": _value(want.share),
    }


def _value(fact: Fact[object] | None) -> object:
    return None if fact is None else plain(fact.value)


def severity(rule: Rule) -> Severity:
    """The worst severity that a rule can give."""
    return min((severity for _, severity in rule.severities), key=SEVERITIES.index)


def _rule(rule: Rule) -> Json:
    return {"id": rule.id, "title": rule.title, "severity": severity(rule), "references": list(rule.references)}


def _finding(result: Result, finding: Finding) -> Json:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "status": finding.status,
        "waiver": finding.waiver,
        "fingerprint": finding.fingerprint,
        "message": finding.message,
        "scope": finding.scope,
        "touches": dict(touches(finding, result.kinds)),
        "subjects": _subjects(finding),
        "cites": list(_cites(result.numbers, finding.cites)),
        "wanted": [{"device": each.device, "port": each.port, "path": each.path, "value": plain(each.value)} for each in finding.wanted],
        "consequences": [
            {
                "rule": each.rule,
                "severity": each.severity,
                "fingerprint": each.fingerprint,
                "subjects": _subjects(each),
                "message": each.message,
                "cites": list(_cites(result.numbers, each.cites)),
            }
            for each in finding.consequences
        ],
    }


def _subjects(finding: Finding) -> list[Json]:
    return [_subject(subject, finding.rule) for subject in finding.subjects]


def _subject(subject: Subject, rule: str) -> Json:
    return {
        "device": subject.device,
        "port": subject.port,
        "peer": None if subject.peer is None else {"device": subject.peer[0], "port": subject.peer[1]},
        "class": subject.class_name,
        "direction": subject.direction,
        "fingerprint": subject.fingerprint(rule),
    }


def _cites(numbers: Mapping[int, int], cites: Iterable[Cite]) -> Iterator[Json]:
    """A line each. `stated` is false for a line that binds the profile, or that lacks the statement for which a default stands."""
    for cite in cites:
        fact = cite.fact
        for index, line in enumerate(fact.lines):
            yield {
                "path": cite.path,
                "value": plain(fact.value),
                "basis": fact.basis,
                "stated": index == 0 and fact.basis not in ("default", "assumed"),
                "document": numbers[id(line.document)],
                "line": line.number,
                "text": line.text,
            }
