"""Everything that a report needs of one run, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from roce_lint.errors import RoceLintError
from roce_lint.lint.rules import Rule
from roce_lint.model.devices import Device, Link
from roce_lint.model.document import Document, Line, Note
from roce_lint.model.finding import SEVERITIES, Finding, Severity, Subject, Unknown, Unread
from roce_lint.model.plan import Plan


@dataclass(frozen=True, slots=True)
class Size:
    """How much was in scope."""

    devices: int = 0
    ports: int = 0
    links: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """(rule, subject) pairs by outcome. `held_assumed` are those of `held` that rest on a default that nobody confirmed."""

    held: int = 0
    held_assumed: int = 0
    broken: int = 0
    unknown: int = 0

    @property
    def coverage(self) -> float:
        """Percent of the pairs that could be judged; 100 where there was nothing to judge."""
        every = self.held + self.broken + self.unknown
        return 100.0 if every == 0 else 100.0 * (self.held + self.broken) / every


@dataclass(frozen=True)
class Result:
    """What one run gives. Findings are in the order of a report; `rules` holds those that findings and unknowns name.

    `incomplete` tells that something asked for could not be checked; `unrun` are rules that need an intent and had none.
    """

    plan: Plan
    findings: tuple[Finding, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    counts: Counts = Counts()
    size: Size = Size()
    devices: tuple[Device, ...] = ()
    links: tuple[Link, ...] = ()
    documents: tuple[Document, ...] = ()
    notes: tuple[Note, ...] = ()
    remarks: tuple[Note, ...] = ()  # on lines of the intent that do nothing: a selector that takes no port, an exception that has expired
    unjudged: tuple[Note, ...] = ()  # on lines of the intent by which no rule judges yet
    unread: tuple[Unread, ...] = ()
    rules: Mapping[str, Rule] = field(default_factory=dict)
    unrun: tuple[str, ...] = ()
    fabrics: Mapping[str, str] = field(default_factory=dict)
    incomplete: bool = False
    errors: tuple[RoceLintError, ...] = ()  # broken files of the user's, beside which the rest was checked

    @cached_property
    def kinds(self) -> Mapping[str, str | None]:
        """Whether a device is a switch or a host, by its name."""
        return {device.name: device.kind for device in self.devices}

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """The id of a document, by the identity of its record."""
        return {id(document): number for number, document in enumerate(self.documents)}

    @property
    def every_note(self) -> tuple[Note, ...]:
        """The notes of the input, then those on the intent."""
        return (*self.notes, *self.remarks, *self.unjudged)

    @property
    def recognised(self) -> bool:
        """Whether anything was read as a device's word."""
        return bool(self.devices)

    @property
    def touched(self) -> bool:
        """Whether anything was in scope."""
        return self.size.devices > 0

    def severities(self) -> Mapping[Severity, int]:
        """How many findings there are of each severity, waived and accepted ones left out."""
        return {severity: sum(each.severity == severity and each.status == "new" for each in self.findings) for severity in SEVERITIES}

    def statuses(self, status: str) -> int:
        return sum(each.status == status for each in self.findings)

    def worst(self) -> Severity | None:
        """The severity of the worst finding that is neither waived nor accepted."""
        return next((severity for severity, count in self.severities().items() if count), None)


def everything(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Findings with their consequences."""
    for finding in findings:
        yield finding
        yield from finding.consequences


def cited_lines(findings: Iterable[Finding]) -> Iterator[Line]:
    """Every line that findings and their consequences rest on."""
    for finding in everything(findings):
        for cite in finding.cites:
            yield from cite.fact.lines


def ports(subject: Subject) -> Iterator[tuple[str, str]]:
    """The ports at both ends of a subject, as (device, port)."""
    if subject.device is not None and subject.port is not None:
        yield subject.device, subject.port
    if subject.peer is not None:
        yield subject.peer


def touches(finding: Finding, kinds: Mapping[str, str | None]) -> Mapping[str, int]:
    """How many links, NIC ports and hosts a finding concerns."""
    links = {subject.link for subject in finding.subjects if subject.link is not None and subject.link[0] != subject.link[1]}
    ends = {end for subject in finding.subjects for end in ports(subject) if kinds.get(end[0]) == "host"}
    named = {subject.device for subject in finding.subjects if subject.device is not None and kinds.get(subject.device) == "host"}
    return {"links": len(links), "nic_ports": len(ends), "hosts": len({device for device, _ in ends} | named)}
