"""Findings that an intent waives: subject by subject, for a time. What a waiver does not name stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from roce_lint.errors import RoceLintError
from roce_lint.fabric.selectors import Roles, takes
from roce_lint.lint.book import near
from roce_lint.model.devices import Device
from roce_lint.model.document import Note
from roce_lint.model.finding import SEVERITIES, Finding, Subject
from roce_lint.model.plan import Waiver
from roce_lint.model.ports import Port

OF_A_PORT = frozenset({"port", "nic", "speed"})  # what a selector may ask of a port and of nothing else
PLACES = 3


def unknown_rules(waivers: Iterable[Waiver], known: Iterable[str], path: str | None) -> tuple[RoceLintError, ...]:
    """Exceptions for rules that do not exist, each with its line and the rule that may be meant. `path` is that of the intent file."""
    names = tuple(known)
    return tuple(_unknown(waiver, names, path) for waiver in waivers if waiver.rule.value not in names)


def _unknown(waiver: Waiver, names: Sequence[str], path: str | None) -> RoceLintError:
    meant = near(waiver.rule.value, names) or "; roce-lint rules lists them"
    return RoceLintError(f"exceptions: no rule {waiver.rule.value!r}{meant}", path, waiver.rule.lines[0].number)


@dataclass(slots=True)
class Waiving:
    """The waivers of a run on a day. It keeps which of them took a subject."""

    waivers: tuple[Waiver, ...]
    devices: Mapping[str, Device]
    roles: Roles
    today: date
    used: set[int] = field(default_factory=set)

    def of(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings with their status: waived where every subject is, behind those that stand.

        What follows from a waived finding and is not waived itself stands alone.
        """
        found = tuple(findings)
        if not self.waivers:
            return found
        judged = [each for finding in found for each in self._with_consequences(finding)]
        return tuple(sorted(judged, key=lambda each: (each.status != "new", SEVERITIES.index(each.severity))))

    def _with_consequences(self, finding: Finding) -> Iterator[Finding]:
        own = self._judged(finding)
        under = tuple(self._judged(each) for each in finding.consequences)
        if own.status != "waived":
            yield replace(own, consequences=under)
            return
        yield replace(own, consequences=tuple(each for each in under if each.status == "waived"))
        yield from (each for each in under if each.status != "waived")

    def _judged(self, finding: Finding) -> Finding:
        taken: dict[int, list[Subject]] = {}
        for subject in finding.subjects:
            number = self._first(finding.rule, subject)
            if number is not None:
                taken.setdefault(number, []).append(subject)
        count = sum(map(len, taken.values()))
        if not count:
            return finding
        if count == len(finding.subjects):
            return replace(finding, status="waived", waiver="; ".join(said(self.waivers[number]) for number in taken))
        parts = (f"{_places(subjects)}: {said(self.waivers[number])}" for number, subjects in taken.items())
        return replace(finding, waiver=f"{count} of {len(finding.subjects)}, {'; '.join(parts)}")

    def _first(self, rule: str, subject: Subject) -> int | None:
        """The number of the first waiver in force that takes a subject; every one that takes it is kept."""
        first: int | None = None
        for number, waiver in enumerate(self.waivers):
            if waiver.rule.value == rule and self._takes(waiver, subject):
                self.used.add(number)
                if first is None and not self._expired(waiver):
                    first = number
        return first

    def _expired(self, waiver: Waiver) -> bool:
        return waiver.expires is not None and self.today > waiver.expires

    def _takes(self, waiver: Waiver, subject: Subject) -> bool:
        if not waiver.match:
            return True
        device = self.devices.get(subject.device or "")
        if device is None:
            return False
        name = subject.port or subject.job
        if name is None and OF_A_PORT & waiver.match.keys():
            return False
        return takes(waiver.match, device, device.ports.get(name or "") or Port(name or ""), self.roles)

    def notes(self, run: Iterable[str]) -> Iterator[Note]:
        """What is to be said of exceptions that waive nothing: expired ones, and those of rules that were run which no finding meets."""
        rules = frozenset(run)
        for number, waiver in enumerate(self.waivers):
            what = f"the exception for {waiver.rule.value}" + (f" at {waiver.where}" if waiver.where is not None else "")
            if self._expired(waiver):
                yield Note(waiver.rule.lines[0], f"{what} expired on {waiver.expires} and waives nothing")
            elif number not in self.used and waiver.rule.value in rules:
                yield Note(waiver.rule.lines[0], f"{what} meets no finding")


def said(waiver: Waiver) -> str:
    """A waiver in words: reason, owner, last day, and its line."""
    until = f"until {waiver.expires}" if waiver.expires is not None else None
    words = ", ".join(each for each in (waiver.reason, waiver.owner, until) if each)
    place = waiver.rule.lines[0].place
    return f"{words} ({place})" if words else place


def _places(subjects: Sequence[Subject]) -> str:
    names = list(dict.fromkeys("/".join(part for part in (each.device, each.port or each.job) if part) or "the plan" for each in subjects))
    more = f" and {len(names) - PLACES} more" if len(names) > PLACES else ""
    return ", ".join(names[:PLACES]) + more
