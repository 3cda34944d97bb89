"""One cause, one finding: broken outcomes of one fact folded together, and what follows from a finding put under it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from roce_lint.lint.rules import Rule
from roce_lint.lint.words import shown
from roce_lint.model.facts import STRENGTH, Basis
from roce_lint.model.finding import SEVERITIES, Cite, Finding, Severity, Subject, Wanted

DEVICE_SCOPES = frozenset({"device", "switch", "host", "job"})
ANY = "*"  # whatever the class


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that does not hold for a subject."""

    rule: Rule
    severity: Severity
    confidence: Basis
    message: str
    subject: Subject
    cites: tuple[Cite, ...]
    wanted: tuple[Wanted, ...]
    object_name: str | None

    @property
    def cause(self) -> tuple[object, ...]:
        """What outcomes of one cause share: rule, class, device and the fact at fault, by its object or its value."""
        first = self.cites[0] if self.cites else None
        at = (first.raw, shown(first.fact.value)) if first is not None else None
        if self.subject.device is None:
            return self.rule.id, self.message
        return self.rule.id, self.subject.class_name, self.subject.device, self.subject.job, self.object_name, at


@dataclass(slots=True)
class Fold:
    """Findings as they arrive."""

    found: dict[tuple[object, ...], _Growing] = field(default_factory=dict)

    def add(self, broken: Broken) -> None:
        growing = self.found.get(broken.cause)
        if growing is None:
            self.found[broken.cause] = growing = _Growing(broken)
        growing.add(broken)

    def findings(self, rules: Sequence[Rule]) -> tuple[Finding, ...]:
        """Every finding, consequences under their cause, the worst and widest first."""
        placed = _under_causes((growing.finding() for growing in self.found.values()), rules)
        return tuple(sorted(placed, key=_order))


@dataclass(slots=True)
class _Growing:
    first: Broken
    subjects: dict[str, Subject] = field(default_factory=dict)
    wanted: dict[tuple[object, ...], Wanted] = field(default_factory=dict)
    severity: Severity = "info"
    confidence: Basis = "observed"

    def add(self, broken: Broken) -> None:
        self.subjects.setdefault(broken.subject.fingerprint(broken.rule.id), broken.subject)
        for wanted in broken.wanted:
            self.wanted.setdefault((wanted.device, wanted.port, wanted.path), wanted)
        if SEVERITIES.index(broken.severity) < SEVERITIES.index(self.severity):
            self.severity = broken.severity
        if STRENGTH[broken.confidence] > STRENGTH[self.confidence]:
            self.confidence = broken.confidence

    def finding(self) -> Finding:
        return Finding(
            rule=self.first.rule.id,
            severity=self.severity,
            confidence=self.confidence,
            message=self.first.message,
            scope=self.first.rule.scope,
            subjects=tuple(self.subjects.values()),
            cites=self.first.cites,
            wanted=tuple(self.wanted.values()),
            object_name=self.first.object_name,
        )


def _order(finding: Finding) -> tuple[object, ...]:
    first = finding.subjects[0]
    return (
        SEVERITIES.index(finding.severity),
        -len({subject.link for subject in finding.subjects}),
        finding.rule,
        first.device or "",
        first.port or "",
        first.class_name or "",
        finding.fingerprint,
    )


def _under_causes(findings: Iterable[Finding], rules: Sequence[Rule]) -> list[Finding]:
    """Findings with every consequence under the finding that causes it; what only partly follows is split."""
    rank = {rule.id: index for index, rule in enumerate(rules)}
    causes = {rule.id: rule.caused_by for rule in rules}
    roots: list[Finding] = []
    under: dict[int, list[Finding]] = {}
    index = _Index()
    for finding in sorted(findings, key=lambda each: (rank.get(each.rule, len(rank)), each.fingerprint)):
        shares: dict[int, list[Subject]] = {}
        alone: list[Subject] = []
        for subject in finding.subjects:
            root = index.root(finding, subject, causes.get(finding.rule, frozenset()))
            if root is None:
                alone.append(subject)
            else:
                shares.setdefault(root, []).append(subject)
        for root, subjects in shares.items():
            part = replace(finding, subjects=tuple(subjects))
            under.setdefault(root, []).append(part)
            index.add(part, root)
        if alone:
            part = replace(finding, subjects=tuple(alone))
            roots.append(part)
            index.add(part, len(roots) - 1)
    return [replace(root, consequences=tuple(sorted(under.get(number, ()), key=_order))) for number, root in enumerate(roots)]


def _concerned(subject: Subject) -> tuple[str | None, str]:
    """The names under which a cause is looked up: its class, None where it concerns every class, and ANY."""
    return subject.class_name, ANY


class _Index:
    """Where findings of each rule touch: their links, devices and cited facts."""

    def __init__(self) -> None:
        self._at: dict[tuple[object, ...], int] = {}

    def add(self, finding: Finding, root: int) -> None:
        for subject in finding.subjects:
            for name in _concerned(subject):
                self._at.setdefault((finding.rule, name, "link", subject.link), root)
                self._at.setdefault((finding.rule, name, finding.scope in DEVICE_SCOPES, subject.device), root)
        for cite in finding.cites:
            if cite.device is not None:
                for name in _concerned(finding.subjects[0]):
                    self._at.setdefault((finding.rule, name, "fact", id(cite.fact)), root)

    def root(self, finding: Finding, subject: Subject, causes: Iterable[str]) -> int | None:
        for cause in sorted(causes):
            for name in (ANY,) if subject.class_name is None else (subject.class_name, None):
                keys: list[tuple[object, ...]] = []
                if subject.link is not None:
                    keys.append((cause, name, "link", subject.link))
                keys.append((cause, name, True, subject.device))
                if finding.scope in DEVICE_SCOPES:
                    keys.append((cause, name, False, subject.device))
                keys.extend((cause, name, "fact", id(cite.fact)) for cite in finding.cites if cite.device is not None)
                for key in keys:
                    if key in self._at:
                        return self._at[key]
        return None
