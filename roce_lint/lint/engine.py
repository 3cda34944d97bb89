"""The loop: every rule on every subject, with three outcomes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from roce_lint.fabric.hops import HopWant, Reach, Span
from roce_lint.fabric.pipeline import End
from roce_lint.fabric.shapes import Shapes
from roce_lint.lint import same
from roce_lint.lint.expr import Env, Trace
from roce_lint.lint.fold import Broken, Fold
from roce_lint.lint.kleene import UNKNOWN
from roce_lint.lint.rules import Rule, ordered
from roce_lint.lint.scopes import Case, cases, class_cases, hop_cases, link_cases, port_cases
from roce_lint.lint.wanted import Fault, fault
from roce_lint.lint.words import shown
from roce_lint.model.devices import PortName
from roce_lint.model.facts import Fact, Table, now, weakest
from roce_lint.model.finding import Cite, Finding, Severity, Subject, Unknown
from roce_lint.model.outcome import Derived, Missing
from roce_lint.model.paths import steps
from roce_lint.model.plan import Plan
from roce_lint.model.ports import Port

PORT_SCOPES = frozenset({"port", "switch_port", "nic_port"})
RANKS = frozenset({"job"})  # peers that must agree, whatever they are set to
ALONG_LINKS = PORT_SCOPES | {"link", "class_port", "hop"}


@dataclass(slots=True)
class Tally:
    """What came of a run: findings, what could not be judged, and (rule, subject) pairs by outcome."""

    findings: tuple[Finding, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    held: int = 0
    held_assumed: int = 0
    broken: int = 0
    unjudged: int = 0
    ports: int = 0
    links: int = 0


@dataclass(slots=True)
class _Lacking:
    rules: dict[str, None] = field(default_factory=dict)
    count: int = 0
    subjects: dict[tuple[str | None, ...], Subject] = field(default_factory=dict)


Lacking = tuple[tuple[int | None, str], ...]  # the place in the link of the device that lacks something, and the words for it


@dataclass(frozen=True, slots=True)
class _Alike:
    """What came of a link, for others of its shape: the pairs that hold, and the turns of which each link has to say something.

    That is what is missing, or None where the link itself has to be judged.
    """

    held: int
    held_assumed: int
    again: Mapping[int, Lacking | None]


class Run:
    """One pass of rules over a fabric."""

    def __init__(self, reach: Reach, plan: Plan, rules: Iterable[Rule]) -> None:
        self.reach, self.plan = reach, plan
        self.rules = ordered(tuple(rules))
        active = [rule for rule in self.rules if rule.needs != "intent" or not (plan.inferred or not plan.fabrics)]
        self.by_scope: dict[str, list[Rule]] = {}
        for rule in active:
            self.by_scope.setdefault(rule.scope, []).append(rule)
        self.fold = Fold()
        self.lacking: dict[tuple[str | None, str], _Lacking] = {}
        self.peers: dict[tuple[str, tuple[object, ...]], list[same.Peer]] = {}
        self.accepted: Callable[[Case], bool] | None = None
        self.tally = Tally()
        self.shapes = Shapes(reach)
        self.alike: dict[Hashable, _Alike] = {}
        self.every_link = False  # judge also the links of a shape that was judged
        self.turn, self.again = 0, dict[int, Lacking | None]()
        self.due: Mapping[int, Lacking | None] | None = None  # the turns of which to say something; None is all
        self.ends: tuple[PortName, ...] = ()
        self.missing: tuple[tuple[str | None, str], ...] = ()  # what was missing last
        self.compares = any(rule.same is not None for rule in active if rule.scope in ALONG_LINKS)

    def result(self) -> Tally:
        """Judges everything once."""
        self._all()
        self.tally.findings = self.fold.findings(self.rules)
        self.tally.unknown = tuple(
            Unknown(device, missing, tuple(each.rules), each.count, tuple(each.subjects.values()))
            for (device, missing), each in sorted(self.lacking.items(), key=lambda item: (item[0][0] or "", item[0][1]))
        )
        return self.tally

    def only(self, accepted: Callable[[Case], bool]) -> bool | None:
        """Whether the rules hold for the accepted subjects alone; None where they do not apply or it is not known."""
        self.accepted = accepted
        self._all()
        return False if self.fold.found else True if self.tally.held else None

    def _all(self) -> None:
        for span in self.reach.spans():
            self._link(span)
            for view in (span.a, span.b):
                if view is not None:
                    view.forget()
        for scope, rules in self.by_scope.items():
            if scope not in ALONG_LINKS:
                for case in cases(self.reach, self.plan.fabrics, rules[0].scope):
                    self._each(rules, case)
        for (rule_id, _), peers in self.peers.items():
            rule = next(rule for rule in self.rules if rule.id == rule_id)
            for compared in same.compared(peers):
                self._compared(rule, compared)

    def _each(self, rules: Iterable[Rule], case: Case) -> None:
        accepted = self.accepted is None or self.accepted(case)
        for rule in rules:
            if rule.same is not None:
                self._collect(rule, case)
            elif accepted:
                self.turn += 1
                if self.due is None:
                    broken, unjudged = self.tally.broken, self.tally.unjudged
                    self.judge(rule, case)
                    if (broken, unjudged) != (self.tally.broken, self.tally.unjudged):
                        self.again[self.turn] = None if self.tally.broken > broken else self._placed()
                elif self.turn in self.due:
                    lacking = self.due[self.turn]
                    if lacking is None:
                        self.judge(rule, case)
                    else:
                        self._lacks(rule, case.subject, [(None if at is None else self.ends[at].device, text) for at, text in lacking])

    def _placed(self) -> Lacking | None:
        """What was missing last, for any link of the shape; None where its words or devices are this link's alone."""
        names = {name for end in self.ends for name in (end.device, end.port)}
        places = {end.device: at for at, end in enumerate(self.ends)}
        if len(places) < len(self.ends) or any(name in text for _, text in self.missing for name in names):
            return None
        if any(device is not None and device not in places for device, _ in self.missing):
            return None
        return tuple((None if device is None else places[device], text) for device, text in self.missing)

    def _collect(self, rule: Rule, case: Case) -> None:
        """Keeps a subject for the comparison with its peers."""
        trace = Trace()
        if rule.when is not None and rule.when(case.env, trace) is not True:
            if trace.missing and rule.when(case.env, Trace()) is UNKNOWN:
                self._lack(rule, case.subject, trace.missing)
            return
        keys = tuple(across(case.env, trace) for across in rule.across)
        trace = Trace(missing=trace.missing)
        value = rule.same(case.env, trace) if rule.same is not None else UNKNOWN
        if value is UNKNOWN or UNKNOWN in keys:
            self._lack(rule, case.subject, trace.missing)
        else:
            self.peers.setdefault((rule.id, keys), []).append(same.Peer(case, value, trace))

    def _compared(self, rule: Rule, compared: same.Compared) -> None:
        case = compared.peer.case
        if self.accepted is not None and not self.accepted(case):
            return
        if compared.agrees:
            self.tally.held += 1
            return
        terms = {"usual": shown(compared.usual), "count": compared.count, "total": compared.total}
        env = {**case.env, "peers": _Terms(terms)}
        severity = self._severity(rule, env)
        if rule.scope not in RANKS and severity in ("critical", "error"):
            severity = "warning"
        self.tally.broken += 1
        self.fold.add(self._broken(rule, replace(case, env=env), _cites(compared.peer.trace, Trace()), severity))

    def _link(self, span: Span) -> None:
        """Judges a link; where one of its shape was judged, only what has to be said of each."""
        tally = self.tally
        tally.ports += 1 if span.b is None else 2
        tally.links += span.link is not None and span.b is not None
        if self.every_link or self.accepted is not None:
            self._span(span)
            return
        shape = self.shapes.span(span)
        known = self.alike.get(shape)
        self.turn, self.again, self.due = 0, {}, known.again if known is not None else None
        self.ends = tuple(view.name for view in (span.a, span.b) if view is not None)
        held, assumed = tally.held, tally.held_assumed
        if known is None or known.again or self.compares:
            self._span(span)
        self.due = None
        if known is not None:
            tally.held, tally.held_assumed = held + known.held, assumed + known.held_assumed
        elif not any(view is not None and view.individual for view in (span.a, span.b)):
            self.alike[shape] = _Alike(tally.held - held, tally.held_assumed - assumed, self.again)

    def _span(self, span: Span) -> None:
        for scope in PORT_SCOPES & self.by_scope.keys():
            rules = self.by_scope[scope]
            for case in port_cases(span, rules[0].scope):
                self._each(rules, case)
        for case in link_cases(span, self.reach):
            self._each(self.by_scope.get("link", ()), case)
        if span.plan is None or not span.plan.classes:
            self._without_plan(span)
            return
        for mark in self.reach.marks(span.plan):
            views = [span.a] if span.b is None else [span.a, span.b]
            ends = {id(view): self.reach.end(view, mark, span.plan) for view in views}
            for case in class_cases(span, mark, ends):
                self._each(self.by_scope.get("class_port", ()), case)
            for case in hop_cases(span, mark, ends, self.reach):
                self._each(self.by_scope.get("hop", ()), case)

    def _without_plan(self, span: Span) -> None:
        self.again[0] = None
        subject = Subject(span.a.name.device, span.a.name.port)
        for scope in ("class_port", "hop"):
            for rule in self.by_scope.get(scope, ()):
                self._lack(rule, subject, [Missing(((None, "plan"),))])

    def judge(self, rule: Rule, case: Case) -> bool | None:
        """Whether a rule holds for a subject, None where it does not apply or is not known; the outcome is kept."""
        before = Trace()
        if rule.when is not None:
            applies = rule.when(case.env, before)
            if applies is False:
                return None
            if applies is UNKNOWN:
                if rule.expect is not None:
                    rule.expect(case.env, before)
                self._lack(rule, case.subject, before.missing)
                return None
        trace = Trace()
        env = case.env
        if rule.check is not None:
            checked = rule.check(case.env, rule.params)
            env = {**case.env, "found": _Terms(checked.terms)}
            if isinstance(checked.holds, Missing):
                self._lack(rule, case.subject, [checked.holds])
                return None
            trace.add("", checked.holds.cites)
            holds: object = checked.holds.value
        else:
            assert rule.expect is not None
            holds = rule.expect(case.env, trace)
        if holds is UNKNOWN:
            self._lack(rule, case.subject, trace.missing)
            return None
        if holds:
            self.tally.held += 1
            self.tally.held_assumed += trace.assumed or before.assumed
            return True
        cites = _cites(trace, before)
        confidence = weakest([cite.fact.basis for cite in cites])
        if not trace.cites and trace.missing:
            self._lack(rule, case.subject, trace.missing)
            return None
        severity = self._severity(rule, env)
        if confidence == "assumed" and severity in ("critical", "error"):
            severity = "warning"
        self.tally.broken += 1
        self.fold.add(self._broken(rule, replace(case, env=env), cites, severity))
        return False

    def _severity(self, rule: Rule, env: Env) -> Severity:
        for when, severity in rule.severities:
            if when is None or when(env, Trace()) is True:
                return severity
        return "info"

    def _broken(self, rule: Rule, case: Case, cites: Sequence[Cite], severity: Severity) -> Broken:
        want = case.env.get("want")
        wanted = want.want if isinstance(want, HopWant) else None
        found = fault(cites, case.env, rule.blame, wanted, case.plan, self.reach.devices, by_chain=rule.check is None)
        confidence = weakest([cite.fact.basis for cite in cites])
        if found is None:
            return Broken(rule, severity, confidence, rule.message.of(case.env), case.subject, tuple(cites), (), None)
        subject = _blamed(case, found)
        port = self._port(found)
        name = object_name(port, found.cites[0].raw) if port is not None else None
        return Broken(rule, severity, confidence, rule.message.of(case.env), subject, found.cites, found.wanted, name)

    def _port(self, found: Fault) -> Port | None:
        device = self.reach.devices.get(found.device or "")
        return device.ports.get(found.port or "") if device is not None else None

    def _lack(self, rule: Rule, subject: Subject, missing: Iterable[Missing]) -> None:
        every = dict.fromkeys(pair for each in missing for pair in each.what) or {(subject.device, "facts"): None}
        self.missing = tuple(every)
        self._lacks(rule, subject, every)

    def _lacks(self, rule: Rule, subject: Subject, missing: Iterable[tuple[str | None, str]]) -> None:
        self.tally.unjudged += 1
        for device, text in missing:
            lacking = self.lacking.setdefault((device, text), _Lacking())
            lacking.rules.setdefault(rule.id)
            lacking.count += 1
            lacking.subjects.setdefault((subject.device, subject.port, subject.class_name, subject.job), subject)


class _Terms:
    def __init__(self, terms: Mapping[str, object]) -> None:
        self.terms = terms

    def read(self, path: str) -> Derived[object]:
        return Derived(self.terms[path], ())


def _cites(trace: Trace, before: Trace) -> tuple[Cite, ...]:
    every = {**trace.cites, **{key: value for key, value in before.cites.items() if key not in trace.cites}}
    return tuple(replace(cite, root=_below(root, cite)) for root, cite in every.values())


def _below(root: str, cite: Cite) -> str:
    return f"{root}.port" if root in ("sender", "receiver", "here") and cite.port is not None else root


def _blamed(case: Case, found: Fault) -> Subject:
    """The subject with the blamed end first, and the direction of the class's traffic there."""
    subject = case.subject
    receiver = case.env.get("receiver")
    sender = case.env.get("sender")
    direction = subject.direction
    if isinstance(receiver, End) and (receiver.device.name, receiver.port.name) == (found.device, found.port):
        direction = "in"
    elif isinstance(sender, End) and (sender.device.name, sender.port.name) == (found.device, found.port):
        direction = "out"
    near, far = (subject.device or "", subject.port or ""), subject.peer
    if (found.device, found.port) == far:
        return replace(subject, device=found.device, port=found.port, peer=near, direction=direction)
    if (found.device, found.port) != near and found.port is not None:
        return replace(subject, device=found.device, port=found.port, peer=None, direction=direction)
    return replace(subject, direction=direction)


def object_name(port: Port, raw: str) -> str | None:
    """The name of the map or profile that a path of a port reads; None where the port states it itself."""
    here: object = port
    name: str | None = None
    for step in steps(raw):
        if isinstance(here, Fact):
            fact = now(here)
            here = fact.value if fact is not None else None
            name = getattr(here, "name", None) or name
        here = here.get(step) if isinstance(here, Table) and isinstance(step, int) else getattr(here, str(step), None)
    return name
