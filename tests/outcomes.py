"""Every outcome of a run by its rule and subject, and what becomes of them where nobody states a fact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from roce_lint.fabric.hops import Reach
from roce_lint.judge import Joined
from roce_lint.lint.book import book
from roce_lint.lint.engine import Run
from roce_lint.lint.rules import Rule
from roce_lint.lint.same import Compared
from roce_lint.lint.scopes import Case
from roce_lint.model.changes import ChangeError, unstated
from roce_lint.model.devices import Device, PortName
from roce_lint.report.facts import facts

Outcome = Literal["holds", "broken", "unknown"]
Key = tuple[str, ...]
Outcomes = Mapping[Key, Outcome]
ENDS = ("sender", "receiver", "here", "a", "b", "port", "device", "job", "want")


class Recorded(Run):
    """A run that keeps every outcome by its rule and subject; one that does not apply has none."""

    def __init__(self, given: Joined, reach: Reach) -> None:
        super().__init__(reach, given.plan, book(given.packs).rules)
        self.every_link = True
        self.outcomes: dict[Key, Outcome] = {}

    def judge(self, rule: Rule, case: Case) -> bool | None:
        before = self.tally.unjudged
        outcome = super().judge(rule, case)
        if outcome is not None or self.tally.unjudged > before:
            self.outcomes[_key(rule, case)] = "unknown" if outcome is None else "holds" if outcome else "broken"
        return outcome

    def _collect(self, rule: Rule, case: Case) -> None:
        before = self.tally.unjudged
        super()._collect(rule, case)
        if self.tally.unjudged > before:
            self.outcomes[_key(rule, case)] = "unknown"

    def _compared(self, rule: Rule, compared: Compared) -> None:
        self.outcomes[_key(rule, compared.peer.case)] = "holds" if compared.agrees else "broken"
        super()._compared(rule, compared)


def _key(rule: Rule, case: Case) -> Key:
    return (rule.id, *(str(case.env[name]) for name in ENDS if name in case.env))


def outcomes(given: Joined, devices: Mapping[str, Device]) -> Outcomes:
    """Every outcome for devices in place of those that were read. What is in scope stays as it was read."""
    inside = given.reach.views.keys()
    reach = Reach(
        devices,
        given.fabric.links,
        lambda device, port: given.reach.plan(PortName(device.name, port.name)),
        lambda device, port: PortName(device.name, port.name) in inside,
    )
    run = Recorded(given, reach)
    run.result()
    return run.outcomes


Unsaid = tuple[str, str, dict[str, Device]]


def unsaid(devices: Mapping[str, Device], names: Iterable[str]) -> Iterator[Unsaid]:
    """Whose fact, its path, and the devices without it: every fact of ports, RDMA devices, jobs and devices by their names.

    Of a table of DSCPs only the entries that some plan here reads; of a table or profile also itself and what it holds together.
    """
    for name in names:
        owner, _, below = name.partition("/")
        device = devices[owner]
        own: Any = replace(device, ports={}, rdma={}, jobs={})
        for path in sorted(_paths(own)) if not below else ():
            yield owner, path, {**devices, owner: replace(unstated(own, path), ports=device.ports, rdma=device.rdma, jobs=device.jobs)}
        for kind in ("ports", "rdma", "jobs"):
            records = getattr(device, kind)
            for path in sorted(_paths(records[below])) if below in records else ():
                try:
                    record = unstated(records[below], path)
                except ChangeError:
                    continue
                yield name, path, {**devices, owner: replace(device, **{kind: {**records, below: record}})}


def _paths(record: object) -> set[str]:
    found = set()
    for path, _ in facts(record):
        key = re.search(r"dscp_to_priority\[(\d+)\]", path)
        if "otherwise" not in path and not path.startswith(("name", "neighbours")) and (key is None or key[1] in READ):
            found |= {path[: match.start()] for match in re.finditer(r"[.\[]|$", path)} - {""}
    return found


READ = frozenset({"0", "3", "4", "24", "26", "46", "48"})


def differences(before: Outcomes, after: Outcomes) -> Iterator[tuple[Key, Outcome | None, Outcome | None]]:
    """Outcomes that became anything but unknown."""
    for key in sorted(before.keys() | after.keys()):
        if before.get(key) != after.get(key) and after.get(key) != "unknown":
            yield key, before.get(key), after.get(key)
