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
    """Broken outcomes as they arrive, by their cause and then by their subject."""

    found: dict[tuple[object, ...], dict[str, Broken]] = field(default_factory=dict)

    def add(self, broken: Broken) -> None:
        subjects = self.found.setdefault(broken.cause, {})
        name = broken.subject.fingerprint(broken.rule.id)
        subjects[name] = _of_marks(subjects[name], broken) if name in subjects else broken

    def findings(self, rules: Sequence[Rule]) -> tuple[Finding, ...]:
        """Every finding, consequences under their cause, the worst and widest first."""
        rank = {rule.id: index for index, rule in enumerate(rules)}
        grown = sorted(
            (tuple(each.values()) for each in self.found.values()), key=lambda each: (rank[each[0].rule.id], _finding(each).fingerprint)
        )
        return tuple(sorted(_under_causes(grown), key=_order))


def _of_marks(one: Broken, other: Broken) -> Broken:
    """Outcomes of two marks of one class at one subject."""
    severity = min(one.severity, other.severity, key=SEVERITIES.index)
    confidence = max(one.confidence, other.confidence, key=STRENGTH.__getitem__)
    return replace(one, severity=severity, confidence=confidence, wanted=tuple(dict.fromkeys((*one.wanted, *other.wanted))))


def _finding(brokens: Sequence[Broken]) -> Finding:
    """Outcomes of one cause as one finding, as grave and as sure as the gravest and the least sure of them."""
    first = brokens[0]
    wanted: dict[tuple[object, ...], Wanted] = {}
    for broken in brokens:
        for each in broken.wanted:
            wanted.setdefault((each.device, each.port, each.path), each)
    return Finding(
        rule=first.rule.id,
        severity=min((broken.severity for broken in brokens), key=SEVERITIES.index),
        confidence=max((broken.confidence for broken in brokens), key=STRENGTH.__getitem__),
        message=first.message,
        scope=first.rule.scope,
        subjects=tuple(broken.subject for broken in brokens),
        cites=first.cites,
        wanted=tuple(wanted.values()),
        object_name=first.object_name,
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


def _under_causes(grown: Iterable[Sequence[Broken]]) -> list[Finding]:
    """Findings with every consequence under the finding that causes it; what only partly follows is split."""
    roots: list[Finding] = []
    under: dict[int, list[Finding]] = {}
    index = _Index()
    for brokens in grown:
        shares: dict[int | None, list[Broken]] = {}
        for broken in brokens:
            shares.setdefault(index.root(broken), []).append(broken)
        for root, some in shares.items():
            part = _finding(some)
            if root is None:
                roots.append(part)
            else:
                under.setdefault(root, []).append(part)
            index.add(some, len(roots) - 1 if root is None else root)
    return [replace(root, consequences=tuple(sorted(under.get(number, ()), key=_order))) for number, root in enumerate(roots)]


def _concerned(subject: Subject) -> tuple[str | None, str]:
    """The names under which a cause is looked up: its class, None where it concerns every class, and ANY."""
    return subject.class_name, ANY


class _Index:
    """Where findings of each rule touch: their links, devices and cited facts."""

    def __init__(self) -> None:
        self._at: dict[tuple[object, ...], int] = {}

    def add(self, brokens: Iterable[Broken], root: int) -> None:
        for broken in brokens:
            rule, subject = broken.rule.id, broken.subject
            for name in _concerned(subject):
                self._at.setdefault((rule, name, "link", subject.link), root)
                self._at.setdefault((rule, name, broken.rule.scope in DEVICE_SCOPES, subject.device), root)
                for cite in broken.cites:
                    if cite.device is not None:
                        self._at.setdefault((rule, name, "fact", id(cite.fact)), root)

    def root(self, broken: Broken) -> int | None:
        """The finding that an outcome follows from, None where there is none."""
        subject = broken.subject
        for cause in sorted(broken.rule.caused_by):
            for name in (ANY,) if subject.class_name is None else (subject.class_name, None):
                keys: list[tuple[object, ...]] = []
                if subject.link is not None:
                    keys.append((cause, name, "link", subject.link))
                keys.append((cause, name, True, subject.device))
                if broken.rule.scope in DEVICE_SCOPES:
                    keys.append((cause, name, False, subject.device))
                keys.extend((cause, name, "fact", id(cite.fact)) for cite in broken.cites if cite.device is not None)
                for key in keys:
                    if key in self._at:
                        return self._at[key]
        return None
