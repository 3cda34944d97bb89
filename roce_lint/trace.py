"""A class followed hop by hop between two ports, in both directions, with the line behind every number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from roce_lint.errors import RoceLintError
from roce_lint.fabric.hops import Reach
from roce_lint.fabric.pipeline import End
from roce_lint.fabric.views import Mark
from roce_lint.fabric.walk import Path, Step, shortest_paths
from roce_lint.model.devices import Link, PortName
from roce_lint.model.finding import Cite, Finding
from roce_lint.model.outcome import Missing
from roce_lint.model.plan import FabricPlan

Verdict = Literal["holds", "broken", "unknown"]
LEAVING: Sequence[tuple[str, str]] = (
    ("queues", "leaves by queue"),
    ("ecn", "ECN marks there"),
    ("kmin_bytes", "marking begins at bytes"),
    ("kmax_bytes", "marking is full at bytes"),
    ("pauses_obeyed", "stopped by PFC index"),
)
ENTERING: Sequence[tuple[str, str]] = (
    ("priority", "internal priority"),
    ("group", "priority group"),
    ("lossless", "lossless"),
    ("headroom_bytes", "headroom bytes"),
    ("pause_emitted", "pauses with PFC index"),
)
NEEDED = frozenset({"lossless", "pause_emitted", "pauses_obeyed", "queues"})


@dataclass(frozen=True, slots=True)
class Number:
    """One step of the chain at one end: its value, or what is missing for it, and the facts that it rests on."""

    name: str
    words: str
    value: object
    cites: tuple[Cite, ...]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hop:
    """A class over one link. `findings` are those that break it there."""

    sender: PortName
    receiver: PortName
    leaving: tuple[Number, ...]
    entering: tuple[Number, ...]
    verdict: Verdict
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """One class in one direction over paths that give the same numbers; `paths` counts them."""

    class_name: str
    mark: str
    hops: tuple[Hop, ...]
    paths: int

    @property
    def verdict(self) -> Verdict:
        words = {hop.verdict for hop in self.hops}
        return "broken" if "broken" in words else "unknown" if "unknown" in words or not self.hops else "holds"

    @property
    def first_broken(self) -> Hop | None:
        return next((hop for hop in self.hops if hop.verdict == "broken"), None)


@dataclass(frozen=True, slots=True)
class Traced:
    """Every class between two ports: there, back, and the way of the notifications."""

    start: PortName
    end: PortName
    there: tuple[Way, ...]
    back: tuple[Way, ...]

    @property
    def verdict(self) -> Verdict:
        words = {way.verdict for way in (*self.there, *self.back)}
        return "broken" if "broken" in words else "unknown" if "unknown" in words or not words else "holds"


def traced(reach: Reach, links: Iterable[Link], findings: Iterable[Finding], start: PortName, end: PortName, only: str | None) -> Traced:
    """Follows every class, or the one named, between two host ports. Raises RoceLintError where a port, class or path does not exist."""
    every = tuple(links)
    for name in (start, end):
        if name not in reach.views:
            known = ", ".join(str(each) for each in reach.views if each.device == name.device) or ", ".join(sorted(reach.devices))
            raise RoceLintError(f"no port {name} in scope; one of {known or 'none'} expected")
    paths = shortest_paths(reach.devices, every, start, end)
    if not paths:
        raise RoceLintError(
            f"no path of known links from {start} to {end}; LLDP of the switches between them or links in the intent expected"
        )
    plan = reach.plan(start)
    if plan is None or not plan.classes:
        raise RoceLintError("no plan to trace: an intent with classes, or --profile, expected")
    if only is not None and plan.want(only) is None:
        raise RoceLintError(f"no class {only!r} in the plan; one of {', '.join(want.name for want in plan.classes)} expected")
    broken = _by_link(findings)
    back = [tuple(Step(step.receiver, step.sender) for step in reversed(path)) for path in paths]
    return Traced(start, end, tuple(_ways(reach, plan, broken, paths, only)), tuple(_ways(reach, plan, broken, back, only)))


Broken = Mapping[tuple[str | None, object], list[Finding]]


def _by_link(findings: Iterable[Finding]) -> Broken:
    found: dict[tuple[str | None, object], list[Finding]] = {}
    for finding in findings:
        for each in (finding, *finding.consequences):
            if each.severity not in ("critical", "error") or finding.severity not in ("critical", "error"):
                continue
            for subject in each.subjects:
                here = found.setdefault((subject.class_name, subject.link), [])
                if finding not in here:
                    here.append(finding)
    return found


def _ways(reach: Reach, plan: FabricPlan, broken: Broken, paths: Sequence[Path], only: str | None) -> Iterator[Way]:
    for mark in reach.marks(plan):
        if only is not None and mark.want.name != only:
            continue
        folded: dict[object, tuple[tuple[Hop, ...], int]] = {}
        for path in paths:
            hops = tuple(_hop(reach, plan, broken, mark, step) for step in path)
            key = tuple(
                (hop.sender.device, hop.receiver.device, hop.verdict, *(str(number.value) for number in (*hop.leaving, *hop.entering)))
                for hop in hops
            )
            first, count = folded.get(key, (hops, 0))
            folded[key] = (first, count + 1)
        for hops, count in folded.values():
            yield Way(mark.want.name, str(mark), hops, count)


def _hop(reach: Reach, plan: FabricPlan, broken: Broken, mark: Mark, step: Step) -> Hop:
    views = reach.views.get(step.sender), reach.views.get(step.receiver)
    sent = reach.sent_mark(views[0], mark)
    sender, receiver = (reach.end(view, each, plan) if view is not None else None for view, each in zip(views, (mark, sent), strict=True))
    leaving = _numbers(sender, LEAVING)
    entering = _numbers(receiver, ENTERING)
    link = tuple(sorted([(step.sender.device, step.sender.port), (step.receiver.device, step.receiver.port)]))
    findings = tuple(broken.get((mark.want.name, link), ()))
    protected = mark.want.loss.value in ("lossless", "pfc_only") or (
        mark.want.loss.value == "edge_lossless" and any(view is not None and view.is_nic for view in views)
    )
    unknown = protected and any(number.missing and number.name in NEEDED for number in (*leaving, *entering))
    broken_here = any(finding.severity == "critical" for finding in findings)
    verdict: Verdict = "broken" if broken_here else "unknown" if unknown or sender is None or receiver is None else "holds"
    return Hop(step.sender, step.receiver, leaving, entering, verdict, findings)


def _numbers(end: End | None, wanted: Sequence[tuple[str, str]]) -> tuple[Number, ...]:
    if end is None:
        return ()
    found = []
    for name, words in wanted:
        if end.view.is_nic and name in ("ecn", "kmin_bytes", "kmax_bytes", "headroom_bytes"):
            continue
        result = end.read(name)
        if isinstance(result, Missing):
            found.append(Number(name, words, None, (), tuple(text for _, text in result.what)))
        else:
            found.append(Number(name, words, result.value, result.cites))
    return tuple(found)
