"""`dcb -j OBJECT show dev X` of iproute2: PFC, ETS, the application table, buffers and DCBX of any driver with dcbnl.

Keys as printed by iproute2 5.15 to 7.1. From 6.5 each application pair has a third element, a blank; the maximum rate is 125 times too
small before 6.18 and is not read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer, Counters, Dcbx, Pfc, Queue, Scheduler
from roce_lint.platforms.platform import Reader, Statement, words
from roce_lint.text.numbered_json import Node, numbered

ALGORITHMS = {"ets", "strict", "vendor", "cbs"}


@dataclass(slots=True)
class _Member:
    """A member of an answer, with the line of its key; `lines` are those of a list's items where they are not all the same."""

    value: object
    line: Line
    lines: Sequence[Line] | None = None

    @property
    def numbers(self) -> list[int] | None:
        """A list of numbers or of true and false; None where it is anything else."""
        if not isinstance(self.value, list):
            return None
        numbers = [each for each in self.value if isinstance(each, int)]
        return numbers if len(numbers) == len(self.value) else None

    @property
    def table(self) -> Fact[Table[int]]:
        """A list by index as a table."""
        numbers = self.numbers or []
        facts = {number: Fact(number, (self.line,), "observed") for number in set(numbers)}
        return Fact(Table({index: facts[number] for index, number in enumerate(numbers)}), (self.line,), "observed")


Answer = Mapping[str, _Member]


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """A port of each answer; its name stands in the command. What a driver does not support prints nothing but a blank line."""
    for document in documents:
        parts = words(document.command or "")
        lines = document.lines()
        if "dev" not in parts[:-1] or not any(lines):
            continue
        name, subject = parts[parts.index("dev") + 1], next((part for part in parts if part in _SUBJECTS), None)
        if subject is None:
            continue
        start = next(index for index, text in enumerate(lines) if text)
        answer, first = _of_one_line(document, lines, start), document.line(start, lines[start])
        if answer is None:
            answer, note = _numbered(document)
            if note is not None:
                yield note
                yield _SUBJECTS[subject](name, answer, None)
                continue
        yield _SUBJECTS[subject](name, answer, first)


def _of_one_line(document: Document, lines: Sequence[str], index: int) -> Answer | None:
    """An answer as dcb prints it; None where it is something else."""
    if any(lines[index + 1 :]):
        return None
    try:
        found = json.loads(lines[index])
    except (ValueError, RecursionError):
        return None
    line = document.line(index, lines[index])
    return {key: _Member(value, line) for key, value in found.items()} if isinstance(found, dict) else None


def _numbered(document: Document) -> tuple[Answer, Note | None]:
    """An answer over several lines, or one that is cut; a member that is not whole is left out."""
    found = numbered(document)
    members: dict[str, _Member] = {}
    for key, node in found.root.pairs() if found.root is not None else ():
        if node.whole:
            lines = [found.value_line(item) for item in node.items] if node.items is not None else None
            members[key] = _Member(_plain(node), found.line(node), lines)
    return members, found.note()


def _plain(node: Node) -> object:
    return [_plain(item) for item in node.items] if node.items is not None else node.scalar


def _table(answer: Answer, key: str) -> Fact[Table[int]] | None:
    member = answer.get(key)
    return member.table if member is not None and member.numbers else None


def _pairs(answer: Answer, key: str) -> Fact[Table[int]] | None:
    """A list of pairs as a table; what follows the two numbers of a pair is passed over. One fact for all pairs alike on one line."""
    member = answer.get(key)
    if member is None or not isinstance(member.value, list):
        return None
    entries: dict[int, Fact[int]] = {}
    facts: dict[tuple[int, int], Fact[int]] = {}
    for index, pair in enumerate(member.value):
        if not (isinstance(pair, list) and len(pair) > 1 and isinstance(pair[0], int) and isinstance(pair[1], int)):
            continue
        line = member.lines[index] if member.lines is not None else member.line
        at = (line.number, pair[1])
        if at not in facts:
            facts[at] = Fact(pair[1], (line,), "observed")
        entries[pair[0]] = facts[at]
    return Fact(Table(entries), (member.line,), "observed") if entries else None


def _pfc(name: str, answer: Answer, _: Line | None) -> Port:
    """PFC by priority. The unit of `delay` is the driver's."""
    on, delay = answer.get("prio_pfc"), answer.get("delay")
    allowance = Fact(delay.value, (delay.line,), "observed") if delay is not None and isinstance(delay.value, int) else None
    pfc = Pfc(delay=allowance) if allowance is not None else None
    bits = on.numbers if on is not None else None
    if on is not None and bits is not None and len(bits) == 8:
        at = (on.line,)
        priorities = frozenset(index for index, bit in enumerate(bits) if bit)
        pfc = Pfc(
            priorities=Fact(priorities, at, "observed"),
            operational=Fact(True, at, "observed") if priorities else None,
            index_is_priority=Fact(True, at, "default"),
            delay=allowance,
        )
    sent, heard = _table(answer, "requests"), _table(answer, "indications")
    return Port(name, pfc=pfc, counters=Counters(pfc_tx=sent, pfc_rx=heard) if sent is not None or heard is not None else None)


def _ets(name: str, answer: Answer, _: Line | None) -> Port:
    algorithms, shares, willing = answer.get("tc_tsa"), answer.get("tc_bw"), answer.get("willing")
    percents = (shares.numbers if shares is not None else None) or []
    queues: dict[int, Fact[Queue]] = {}
    made: dict[tuple[object, int | None], Fact[Queue]] = {}
    if algorithms is not None and isinstance(algorithms.value, list):
        at = (algorithms.line,)
        for index, word in enumerate(algorithms.value):
            if not isinstance(word, str) or word not in ALGORITHMS:
                continue
            part = percents[index] if word == "ets" and index < len(percents) else None
            if (word, part) not in made:
                share = Fact(float(part), (shares.line,), "observed") if shares is not None and part is not None else None
                scheduler = Scheduler(scheduling=Fact(word, at, "observed"), share=share)  # type: ignore[arg-type]
                made[word, part] = Fact(Queue(scheduler=Fact(scheduler, at, "observed")), at, "observed")
            queues[index] = made[word, part]
    return Port(
        name,
        priority_to_queue=_table(answer, "prio_tc"),
        queues=Fact(Table(queues), next(iter(queues.values())).lines, "observed") if queues else None,
        dcbx=Dcbx(willing=Fact(willing.value, (willing.line,), "observed")) if willing and isinstance(willing.value, bool) else None,
    )


def _app(name: str, answer: Answer, whole: Line | None) -> Port:
    """The application table. A table that was read whole and lists no DSCP is stated as one without entries."""
    default = answer.get("default_prio")
    priorities = (default.numbers if default is not None else None) or []
    dscps = _pairs(answer, "dscp_prio")
    if dscps is None and whole is not None:
        dscps = Fact(Table({}), (whole,), "observed")
    return Port(
        name,
        default_priority=Fact(priorities[0], (default.line,), "observed") if default is not None and len(priorities) == 1 else None,
        dscp_to_priority=dscps,
        pcp_to_priority=_pairs(answer, "pcp_prio"),
    )


def _buffer(name: str, answer: Answer, _: Line | None) -> Port:
    sizes = answer.get("buffer_size")
    numbers = sizes.numbers if sizes is not None else None
    groups: Fact[Table[Buffer]] | None = None
    if sizes is not None and numbers:
        at = (sizes.line,)
        made = {size: Fact(Buffer(size_bytes=Fact(size, at, "observed")), at, "observed") for size in set(numbers)}
        groups = Fact(Table({index: made[size] for index, size in enumerate(numbers)}), at, "observed")
    return Port(name, priority_to_group=_table(answer, "prio_buffer"), groups=groups)


def _dcbx(name: str, answer: Answer, whole: Line | None) -> Port:
    """The flags that are on; of a port with a version of DCBX, `host` is left out where the firmware owns it."""
    if "host" in answer:
        return Port(name, dcbx=Dcbx(owner=Fact("host", (answer["host"].line,), "observed")))
    if whole is not None and ("ieee" in answer or "cee" in answer):
        return Port(name, dcbx=Dcbx(owner=Fact("firmware", (whole,), "observed")))
    return Port(name)


_SUBJECTS: Mapping[str, Callable[[str, Answer, Line | None], Port]] = {
    "pfc": _pfc,
    "ets": _ets,
    "app": _app,
    "buffer": _buffer,
    "dcbx": _dcbx,
}


def _asked() -> Iterable[str]:
    for subject in _SUBJECTS:
        yield f"dcb -j {subject} show dev {{port}}"
        yield from (f"dcb {flags} {subject} show dev {{port}}" for flags in ("-j -s", "-s -j", "-j -p", "-p -j"))


SEND = tuple(f"dcb -j {'-s ' if subject == 'pfc' else ''}{subject} show dev {{port}}" for subject in _SUBJECTS)
READER = Reader("dcb", read, asked=tuple(_asked()), send=SEND)
