"""QoS of an NVUE configuration: profiles, what `default-global` states for every port, and the defaults beneath.

Defaults: CumulusNetworks/docs Quality-of-Service. Trust is l2, DSCP d is switch priority d >> 3, PCP and egress queue are the identity,
PFC is off, ECN is on for traffic class 0 alone (150000, 1500000, 100 %), a PFC profile has rx and tx on and a cable of 10 m.
"""

from __future__ import annotations

from collections.abc import Mapping

from roce_lint.model.devices import EVERY_PORT
from roce_lint.model.document import Line, Note
from roce_lint.model.facts import Basis, Fact, Table
from roce_lint.model.ports import KEPT, Port
from roce_lint.model.qos import GlobalPause, Marking, Pfc, Queue, Scheduler, Trust, Watchdog
from roce_lint.platforms.nvue.interfaces import number, switched
from roce_lint.platforms.nvue.roce import CABLE_M, KMAX_BYTES, KMIN_BYTES, MODES, PROBABILITY, Mode
from roce_lint.platforms.nvue.tree import Item, Tree
from roce_lint.text.numbers import numbers

TRUSTS: Mapping[str, Trust] = {"l2": "pcp", "l3": "dscp", "both": "both", "port": "port"}
GLOBAL = "default-global"
REWRITES = ("l2", "l3", "both")
PFC_CABLE_M = 10
POLL_MS, ROBUSTNESS = 100, 3
KNOWN = frozenset(
    {
        "roce",
        "mapping",
        "pfc",
        "pfc-watchdog",
        "congestion-control",
        "egress-scheduler",
        "egress-queue-mapping",
        "egress-shaper",
        "remark",
        "traffic-pool",
        "link-pause",
        "advance-buffer-config",
        "buffer",
    }
)


def of_device(tree: Tree) -> dict[str, object]:
    """The RoCE mode of the switch."""
    item = tree.root.get("qos", "roce")
    on = switched(item)
    if item is None or on is None or not on.value:
        return {}
    mode = item.get("mode")
    text = mode.text() if mode is not None else None
    fact = Fact(text, (mode.deepest(),), "configured") if mode is not None and text is not None else Fact("lossless", on.lines, "default")
    return {"roce_mode": fact}


class Settings:
    """The QoS part of a configuration. `complete` is whether its silence is a default."""

    def __init__(self, tree: Tree, complete: bool) -> None:
        self.qos = tree.root.get("qos") or Item(tree.root.line)
        self.interfaces = tree.root.get("interface") or Item(tree.root.line)
        self.complete = complete
        self.header = tree.header.line if tree.header is not None else tree.root.line
        self.notes = [Note(item.line, "no setting of qos that is known") for key, item in self.qos.below.items() if key not in KNOWN]
        self.mode, self.roce_line = self._roce(tree)

    def _roce(self, tree: Tree) -> tuple[Mode | None, tuple[Line, ...]]:
        fact = of_device(tree).get("roce_mode")
        if not isinstance(fact, Fact):
            return None, ()
        item = self.qos.get("roce")
        lines = dict.fromkeys([*(fact.lines), *((item.line,) if item is not None else ())])
        mode = MODES.get(str(fact.value))
        if mode is None:
            self.notes.append(Note(fact.lines[0], f"a RoCE mode expected: {', '.join(MODES)}"))
        return mode, tuple(lines)

    def _implied(self) -> tuple[Line, ...] | None:
        """The lines on which what is not written stands: those of the shortcut, else those of a whole configuration."""
        return self.roce_line if self.mode is not None else (self.header,) if self.complete else None

    def every_port(self) -> Port:
        """What holds for every port of the switch."""
        pfc = self.qos.get("pfc", GLOBAL)
        pause = self.qos.get("link-pause", GLOBAL)
        cable = number(pfc.get("cable-length")) if pfc is not None else None
        if cable is None and self.mode is not None and self.mode.pfc:
            cable = number(self.qos.get("roce", "cable-length")) or Fact(CABLE_M, self.roce_line, "default")
        return Port(
            EVERY_PORT,
            trust=self._trust(self.qos.get("mapping", GLOBAL)),
            default_priority=self._default_priority(self.qos.get("mapping", GLOBAL)),
            dscp_to_priority=self._marks(self.qos.get("mapping", GLOBAL), "dscp", None),
            pcp_to_priority=self._marks(self.qos.get("mapping", GLOBAL), "pcp", None),
            priority_to_queue=self._queue_of(),
            rewrite_dscp=self._rewritten(),
            queues=self._queues(),
            pfc=self._pfc(pfc, None),
            cable_length_m=cable,
            global_pause=self._pause(pause),
            watchdog=self._watchdog(None),
        )

    def of_interface(self, name: str, item: Item) -> dict[str, object]:
        """What an interface states beside or in place of what holds for every port, through the profiles that it binds."""
        qos = item.get("qos")
        found: dict[str, object] = {"watchdog": self._watchdog(item)}
        undefined: set[str] = set()
        bound = self._bound(qos, "mapping", undefined)
        if bound is not None:
            profile, by = bound
            found.update(
                trust=_through(self._trust(profile), by),
                default_priority=_through(self._default_priority(profile), by),
                dscp_to_priority=self._marks(profile, "dscp", by),
                pcp_to_priority=self._marks(profile, "pcp", by),
            )
        bound = self._bound(qos, "pfc", undefined)
        if bound is not None:
            profile, by = bound
            cable = number(profile.get("cable-length")) or Fact(PFC_CABLE_M, (profile.line,), "default")
            found.update(pfc=self._pfc(profile, by), cable_length_m=_through(cable, by))
        bound = self._bound(qos, "congestion-control", undefined)
        if bound is not None:
            profile, by = bound
            entries = {tc: Fact(Queue(marking=_by(marking, by)), by.lines, by.basis) for tc, marking in self._markings(profile).items()}
            found["queues"] = Fact(Table(entries), by.lines, by.basis)
        bound = self._bound(qos, "link-pause", undefined)
        if bound is not None:
            found["global_pause"] = self._pause(bound[0])
        named = [name for name in ("mapping", "pfc", "congestion-control", "link-pause") if qos is not None and qos.get(name, "profile")]
        if self.complete or named:
            at = qos.get(named[0], "profile") if qos is not None and named else None
            found["undefined_names"] = Fact(frozenset(undefined), (at.line if at is not None else item.line,), "configured")
        return found

    def _bound(self, qos: Item | None, kind: str, undefined: set[str]) -> tuple[Item, Fact[str]] | None:
        """The profile of a kind that an interface binds, and the fact that binds it."""
        at = qos.get(kind, "profile") if qos is not None else None
        name = at.text() if at is not None else None
        if at is None or name is None:
            return None
        profile = self.qos.get(kind, name)
        if profile is None:
            if name != GLOBAL and (self.complete or self.qos.get(kind) is not None):
                undefined.add(name)
            return None
        return profile, Fact(name, (at.deepest(),), "configured")

    def _trust(self, profile: Item | None) -> Fact[Trust] | None:
        item = profile.get("trust") if profile is not None else None
        text = item.text() if item is not None else None
        if item is not None and text is not None:
            word = TRUSTS.get(text.replace("dscp", "l3").replace("pcp", "l2"))
            if word is None:
                self.notes.append(Note(item.line, "trust l2, l3, both or port expected"))
                return None
            return Fact(word, (item.deepest(),), "configured")
        if profile is None and self.mode is not None:
            return Fact("both", self.roce_line, "default")
        at = (profile.line,) if profile is not None else self._implied()
        return Fact("pcp", at, "default") if at is not None else None

    def _default_priority(self, profile: Item | None) -> Fact[int] | None:
        stated = number(profile.get("port-default-sp")) if profile is not None else None
        at = (profile.line,) if profile is not None else self._implied()
        return stated or (Fact(0, at, "default") if at is not None else None)

    def _marks(self, profile: Item | None, kind: str, by: Fact[str] | None) -> Fact[Table[int]] | None:
        """DSCP or PCP to switch priority: the listed ones above the defaults."""
        count = 64 if kind == "dscp" else 8
        entries: dict[int, Fact[int]] = {}
        at = (profile.line,) if profile is not None else self._implied()
        if at is not None:
            by_value: dict[int, Fact[int]] = {}
            for mark in range(count):
                value = mark if kind == "pcp" else self.mode.dscp[mark] if self.mode is not None else mark >> 3
                entries[mark] = by_value.setdefault(value, Fact(value, at, "default"))
        listed = profile.get(kind) if profile is not None else None
        for key, item in listed.below.items() if listed is not None else ():
            priority = number(item.get("switch-priority"))
            marks = numbers(key)
            if priority is None or not marks or max(marks) >= count:
                self.notes.append(Note(item.line, f"{kind} and a switch priority expected"))
                continue
            for mark in marks:
                entries[mark] = priority
        if not entries:
            return None
        lines = by.lines if by is not None else at or next(iter(entries.values())).lines
        basis: Basis = by.basis if by is not None else "configured" if profile is not None else "default"
        return Fact(Table(entries, name=by.value if by is not None else None), lines, basis)

    def _rewritten(self) -> Fact[Table[int]] | None:
        """The DSCP written for each switch priority: that of `default-global` where it says to rewrite, else none.

        An interface's own profile says for what comes in there whether it is rewritten where it leaves: then nothing is said of any port.
        """
        if any(item.get("qos", "remark", "profile") is not None for item in self.interfaces.below.values()):
            return None
        profile = self.qos.get("remark", GLOBAL)
        way = profile.get("rewrite") if profile is not None else None
        if profile is None or way is None:
            at = (profile.line,) if profile is not None else (self.header,) if self.complete else None
            kept = Fact(KEPT, at, "default") if at is not None else None
        else:
            kept = Fact(KEPT, (way.deepest(),), "configured") if way.text() == "l2" else None
            if way.text() not in REWRITES:
                self.notes.append(Note(way.line, "rewrite l2, l3 or both expected"))
        if kept is not None:
            return Fact(Table({}, kept), kept.lines, kept.basis)
        entries: dict[int, Fact[int]] = {}
        listed = profile.get("switch-priority") if profile is not None else None
        for key, item in listed.below.items() if listed is not None else ():
            dscp = number(item.get("dscp"))
            entries |= dict.fromkeys(numbers(key), dscp) if dscp is not None else {}
        return Fact(Table(entries), (way.deepest(),), "configured") if way is not None else None

    def _queue_of(self) -> Fact[Table[int]] | None:
        profile = self.qos.get("egress-queue-mapping", GLOBAL)
        at = self._implied() or ((profile.line,) if profile is not None else None)
        if at is None:
            return None
        entries: dict[int, Fact[int]] = {}
        if self._implied() is not None:
            for priority in range(8):
                entries[priority] = Fact(self.mode.queues[priority] if self.mode is not None else priority, at, "default")
        listed = profile.get("switch-priority") if profile is not None else None
        for key, item in listed.below.items() if listed is not None else ():
            queue = number(item.get("traffic-class"))
            for priority in numbers(key) if queue is not None else ():
                entries[priority] = queue if queue is not None else entries[priority]
        return Fact(Table(entries), at, "configured" if profile is not None else "default") if entries else None

    def _markings(self, profile: Item | None) -> dict[int, Fact[Marking]]:
        """ECN by traffic class. A profile says all: a traffic class that it leaves out is not marked."""
        found: dict[int, Fact[Marking]] = {}
        if profile is not None:
            at = (profile.line,)
            silent = Fact(Marking(ecn=Fact(False, at, "default"), drops=Fact(False, at, "default")), at, "default")
            found = dict.fromkeys(range(8), silent)
            listed = profile.get("traffic-class")
            for key, item in listed.below.items() if listed is not None else ():
                for tc in numbers(key):
                    found[tc] = Fact(_marking(item), (item.line,), "configured")
            return found
        implied = self._implied()
        if implied is None:
            return found
        on = self.mode.ecn if self.mode is not None else frozenset({0})
        kmin, kmax, probability = (
            (self.mode.kmin_bytes, self.mode.kmax_bytes, self.mode.probability) if self.mode else (KMIN_BYTES, KMAX_BYTES, PROBABILITY)
        )
        for tc in range(8):
            ecn, drops = Fact(tc in on, implied, "default"), Fact(False, implied, "default")
            marking = Marking(
                ecn=ecn,
                drops=drops,
                kmin_bytes=Fact(kmin, implied, "default") if tc in on else None,
                kmax_bytes=Fact(kmax, implied, "default") if tc in on else None,
                mark_probability=Fact(probability, implied, "default") if tc in on else None,
            )
            found[tc] = Fact(marking, implied, "default")
        return found

    def _schedulers(self) -> dict[int, Fact[Scheduler]]:
        profile = self.qos.get("egress-scheduler", GLOBAL)
        implied = self._implied()
        found: dict[int, Fact[Scheduler]] = {}
        if self.mode is not None and implied is not None:
            shares = dict(self.mode.shares)
            for tc in {*shares, *self.mode.strict}:
                share = Fact(shares[tc], implied, "default") if tc in shares else None
                word = Fact("strict" if tc in self.mode.strict else "dwrr", implied, "default")
                found[tc] = Fact(Scheduler(scheduling=word, share=share), implied, "default")  # type: ignore[arg-type]
        elif implied is not None:
            for tc in range(8):
                share = Fact(12.0 if tc % 2 == 0 else 13.0, implied, "default")
                found[tc] = Fact(Scheduler(scheduling=Fact("dwrr", implied, "default"), share=share), implied, "default")
        listed = profile.get("traffic-class") if profile is not None else None
        for key, item in listed.below.items() if listed is not None else ():
            mode, percent = item.get("mode"), number(item.get("bw-percent"))
            strict = mode is not None and mode.text() == "strict"
            at = (mode.deepest(),) if mode is not None else (item.line,)
            scheduler = Scheduler(
                scheduling=Fact("strict" if strict else "dwrr", at, "configured"),
                share=Fact(float(percent.value), percent.lines, "configured") if percent is not None and not strict else None,
            )
            for tc in numbers(key):
                found[tc] = Fact(scheduler, (item.line,), "configured")
        return found

    def _queues(self) -> Fact[Table[Queue]] | None:
        profile = self.qos.get("congestion-control", GLOBAL)
        markings, schedulers = self._markings(profile), self._schedulers()
        keys = sorted({*markings, *schedulers})
        if not keys:
            return None
        entries: dict[int, Fact[Queue]] = {}
        for tc in keys:
            marking, scheduler = markings.get(tc), schedulers.get(tc)
            first = marking or scheduler
            if first is not None:
                entries[tc] = Fact(Queue(marking=marking, scheduler=scheduler), first.lines, first.basis)
        first_entry = entries[keys[0]]
        return Fact(Table(entries), first_entry.lines, first_entry.basis)

    def _pfc(self, profile: Item | None, by: Fact[str] | None) -> Pfc | None:
        """PFC by a profile; without one what the shortcut implies, else off in a whole configuration."""
        if profile is None:
            implied = self._implied()
            if implied is None:
                return None
            on = Fact(self.mode.pfc if self.mode is not None else frozenset[int](), implied, "default")
            return Pfc(mode=Fact("on" if on.value else "off", implied, "default"), priorities=on)
        listed = profile.get("switch-priority")
        keys = [number for key in (listed.below if listed is not None else ()) for number in numbers(key)]
        basis: Basis = "configured" if listed is not None else "default"
        first = next(iter(listed.below.values())).line if listed is not None and listed.below else profile.line
        lines = tuple(dict.fromkeys((first, *(by.lines if by is not None else ()))))
        priorities = Fact(frozenset(keys), lines, basis)
        rx, tx = (_way(profile, way, priorities) for way in ("rx", "tx"))
        return Pfc(mode=Fact("on" if keys else "off", lines, basis), priorities=priorities, rx=rx, tx=tx)

    def _pause(self, profile: Item | None) -> GlobalPause | None:
        if profile is None:
            implied = (self.header,) if self.complete else None
            return GlobalPause(rx=Fact(False, implied, "default"), tx=Fact(False, implied, "default")) if implied else None
        rx, tx = (switched(profile.get(way)) or Fact(True, (profile.line,), "default") for way in ("rx", "tx"))
        return GlobalPause(rx=rx, tx=tx)

    def _watchdog(self, interface: Item | None) -> Watchdog:
        """The watchdog of an interface; the timing is the switch's."""
        timing = self.qos.get("pfc-watchdog")
        poll = number(timing.get("polling-interval")) if timing is not None else None
        robustness = number(timing.get("robustness")) if timing is not None else None
        on = switched(interface.get("qos", "pfc-watchdog")) if interface is not None else None
        if on is None and interface is not None and self.complete:
            on = Fact(False, (interface.line,), "default")
        if interface is not None:
            return Watchdog(enabled=on, action=Fact("drop", on.lines, "default") if on is not None and on.value else None)
        implied = (self.header,) if self.complete else None
        poll = poll or (Fact(POLL_MS, implied, "default") if implied else None)
        times = robustness or (Fact(ROBUSTNESS, implied, "default") if implied else None)
        detect = Fact(poll.value * times.value, (*poll.lines, *times.lines), poll.basis) if poll is not None and times is not None else None
        return Watchdog(poll_ms=poll, detect_ms=detect)


def _marking(item: Item) -> Marking:
    """One traffic class of a profile: what it leaves out has the documented default."""
    at = (item.line,)
    ecn = switched(item.get("ecn")) or Fact(False, at, "default")
    red = switched(item.get("red")) or Fact(False, at, "default")
    probability = number(item.get("probability"))
    return Marking(
        ecn=ecn,
        drops=Fact(red.value and not ecn.value, red.lines, red.basis),
        kmin_bytes=number(item.get("min-threshold")) or Fact(KMIN_BYTES, at, "default"),
        kmax_bytes=number(item.get("max-threshold")) or Fact(KMAX_BYTES, at, "default"),
        mark_probability=Fact(probability.value / 100, probability.lines, "configured")
        if probability is not None
        else Fact(PROBABILITY, at, "default"),
    )


def _way(profile: Item, way: str, priorities: Fact[frozenset[int]]) -> Fact[frozenset[int]] | None:
    """The indices of one direction where it is switched off; on is the default and needs no word."""
    on = switched(profile.get(way))
    if on is None or on.value:
        return None
    return Fact(frozenset(), (*on.lines, *priorities.lines), "configured")


def _through(fact: Fact[object] | None, by: Fact[str]) -> Fact[object] | None:
    """A fact of a profile with the line that binds it."""
    return None if fact is None else Fact(fact.value, tuple(dict.fromkeys((*fact.lines, *by.lines))), fact.basis)


def _by(marking: Fact[Marking], by: Fact[str]) -> Fact[Marking]:
    """A marking of a profile as an interface binds it."""
    value = marking.value
    named = Marking(**{**{name: getattr(value, name) for name in value.__dataclass_fields__}, "name": by.value})
    return Fact(named, by.lines, by.basis)
