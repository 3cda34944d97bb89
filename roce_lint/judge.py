"""The way from paths to a result: collect, read, assemble, plan, judge. The commands, the demo and the tests all go it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import partial
from time import time

from roce_lint.collect.files import documents
from roce_lint.collect.read import grouped, read
from roce_lint.fabric.assemble import assembled
from roce_lint.fabric.contradictions import overlaps
from roce_lint.fabric.hops import Reach, in_scope
from roce_lint.fabric.intentions import Intended, found, intended
from roce_lint.fabric.lengths import lengthened
from roce_lint.fabric.plan import declared, fabric_of, inferred
from roce_lint.fabric.unmatched import unmatched
from roce_lint.lint.book import Book, book, chosen
from roce_lint.lint.engine import Run
from roce_lint.lint.rules import Rule
from roce_lint.lint.unjudged import unjudged
from roce_lint.lint.waivers import Waiving, unknown_rules
from roce_lint.model.devices import Cable, Fabric
from roce_lint.model.document import Document, Note
from roce_lint.model.facts import STRENGTH, Basis
from roce_lint.model.finding import Finding, Unread
from roce_lint.model.plan import Plan
from roce_lint.report.result import Counts, Result, Size, cited_lines, everything


@dataclass(frozen=True, slots=True)
class Options:
    """What a run is asked for.

    `context` is the rest of the fabric, on which nothing is reported; `now` in seconds since 1970; `least_coverage` in percent.
    """

    intent: str | None = None
    profile: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    min_confidence: Basis = "assumed"
    context: tuple[str, ...] = ()
    now: float | None = None
    least_coverage: float = 0.0


@dataclass(frozen=True, slots=True)
class Joined:
    """An input put together: its documents, the fabric, what is wanted of it, how far RoCE reaches, and the user's rule packs."""

    documents: tuple[Document, ...]
    fabric: Fabric
    plan: Plan
    reach: Reach
    packs: tuple[str, ...] = ()
    own: frozenset[int] | None = None  # the documents, by identity, that are reported on; None where all are
    intent: Intended = field(default_factory=lambda: Intended(Plan()))


def joined(paths: Sequence[str], options: Options = Options()) -> Joined:
    """Files and folders put together as one fabric. A path that does not exist is left out and listed. Raises RoceLintError."""
    intent = intended(options.intent or found(paths), options.profile)
    fabric, own, rest = _fabric(paths, options.context, intent.cables)
    fabric = lengthened(fabric, intent.lengths)
    claims = declared(intent, fabric.devices)
    plan = intent.plan
    plan_of = fabric_of(intent)
    if not plan.fabrics and plan.profile is None and intent.path is None:
        inside = in_scope(fabric.devices, fabric.by_port, claims)
        plan = inferred([(view.device, view.port) for view in inside.values()], fabric.devices.values())
        plan_of = fabric_of(replace(intent, plan=plan))
    reach = Reach(fabric.devices, fabric.links, plan_of, claims, partial(overlaps, intent))
    return Joined((*own, *rest), fabric, plan, reach, intent.packs, frozenset(map(id, own)) if options.context else None, intent)


def _fabric(
    paths: Sequence[str], context: Sequence[str], cables: Iterable[Cable]
) -> tuple[Fabric, tuple[Document, ...], tuple[Document, ...]]:
    """The fabric, the documents of the paths and those of the context alone."""
    absent = [Unread(path, "no such file or folder", failed=True) for path in (*paths, *context) if not os.path.exists(path)]
    own, unread = documents([path for path in paths if os.path.exists(path)])
    if not context:
        groups, unrecognised = grouped(own)
        return assembled(read(groups), cables, (*absent, *unread, *unrecognised)), own, ()
    from roce_lint.collect import context as beside

    rest, failed = documents([path for path in context if os.path.exists(path)])
    rest = beside.others(rest, own)
    groups, unrecognised = grouped((*own, *rest))
    names = {each.path for each in own}
    left = (*absent, *unread, *(each for each in failed if each.failed), *(each for each in unrecognised if each.path in names))
    return assembled(beside.read(groups, own), cables, left), own, rest


def judged(paths: Sequence[str], options: Options = Options()) -> Result:
    """The result of one run. Raises RoceLintError for a wrong option or a broken intent."""
    given = joined(paths, options)
    return verdict(given, options)


def verdict(given: Joined, options: Options, rulebook: Book | None = None) -> Result:
    """What the rules make of an input that is put together; the built-in rules and the user's packs where no book is given."""
    rulebook = rulebook or book(given.packs)
    rules = chosen(rulebook.rules, options.select, options.ignore)
    run = Run(given.reach, given.plan, rules)
    tally = run.result()
    intent = given.intent
    waiving = Waiving(intent.waivers, given.fabric.devices, intent.roles, _day(options.now))
    findings = tuple(_reported(_confident(waiving.of(tally.findings), options.min_confidence), given.own))
    read = set(map(id, given.documents))
    cabled = [note for note in given.fabric.notes if id(note.line.document) not in read]
    remarks = (*cabled, *unmatched(intent.selectors, given.fabric.devices, intent.roles), *waiving.notes(rule.id for rule in rules))
    without_rule = tuple(unjudged(intent.keys, rulebook.rules))
    counts = Counts(tally.held, tally.held_assumed, tally.broken, tally.unjudged)
    named = {each.rule for each in everything(findings)} | {rule for each in tally.unknown for rule in each.rules}
    views = given.reach.views
    inside = {name.device for name in views} | {device.name for device in given.fabric.devices.values() if device.jobs}
    failed = any(each.failed for each in given.fabric.unread) or any(each.failed for each in given.fabric.notes)
    return Result(
        plan=given.plan,
        findings=findings,
        unknown=tally.unknown,
        counts=counts,
        size=Size(len(inside), tally.ports, tally.links),
        devices=tuple(given.fabric.devices.values()),
        links=given.fabric.links,
        documents=_documents(given.documents, findings, (*remarks, *without_rule)),
        notes=tuple(note for note in given.fabric.notes if id(note.line.document) in read),
        remarks=remarks,
        unjudged=without_rule,
        unread=given.fabric.unread,
        rules={rule.id: rule for rule in rules if rule.id in named},
        unrun=_unrun(rules, given.plan),
        fabrics=_fabrics(given.reach),
        incomplete=failed or not given.fabric.devices or counts.coverage < options.least_coverage,
        errors=(*rulebook.errors, *unknown_rules(intent.waivers, (rule.id for rule in rulebook.rules), intent.path)),
    )


def _day(now: float | None) -> date:
    """The day in UTC that a time is on, today where it is not given."""
    return datetime.fromtimestamp(now if now is not None else time(), UTC).date()


def _documents(own: Iterable[Document], findings: Iterable[Finding], notes: Iterable[Note]) -> tuple[Document, ...]:
    """The documents that were read, and behind them those of the plan that findings cite or notes stand in."""
    every = {id(each): each for each in own}
    for line in (*cited_lines(findings), *(note.line for note in notes)):
        every.setdefault(id(line.document), line.document)
    return tuple(every.values())


def _confident(findings: Iterable[Finding], least: Basis) -> Iterable[Finding]:
    """The findings that rest on facts of at least this strength; a consequence whose cause falls away stands alone."""
    for finding in findings:
        kept = tuple(each for each in finding.consequences if STRENGTH[each.confidence] <= STRENGTH[least])
        if STRENGTH[finding.confidence] <= STRENGTH[least]:
            yield replace(finding, consequences=kept)
        else:
            yield from kept


def _reported(findings: Iterable[Finding], own: frozenset[int] | None) -> Iterable[Finding]:
    """The findings with a fact at fault in one's own documents; a consequence whose cause lies elsewhere stands alone."""
    for finding in findings:
        if own is None or _at_fault(finding, own):
            yield finding
        else:
            yield from (each for each in finding.consequences if _at_fault(each, own))


def _at_fault(finding: Finding, own: frozenset[int]) -> bool:
    return any(id(line.document) in own for line in finding.cites[0].fact.lines) if finding.cites else False


def _unrun(rules: Iterable[Rule], plan: Plan) -> tuple[str, ...]:
    if plan.fabrics and not plan.inferred:
        return ()
    return tuple(sorted(rule.id for rule in rules if rule.needs == "intent"))


def _fabrics(reach: Reach) -> Mapping[str, str]:
    """The fabric of each device that has an in-scope port in one."""
    found: dict[str, str] = {}
    for name in reach.views:
        plan = reach.plan(name)
        if plan is not None:
            found.setdefault(name.device, plan.name)
    return found
