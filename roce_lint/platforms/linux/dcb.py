"""`dcb -j OBJECT show dev X` of iproute2: PFC, ETS, the application table, buffers and DCBX of any driver with dcbnl.

Keys as printed by iproute2 5.15 to 7.1. From 6.5 each application pair has a third element, a blank. The maximum rate is 125 times too
small before 6.18 and not told apart from one that is right, so that only its absence is of use. What a driver does not support prints a
blank line, and `Attribute ...` on standard error.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer, Counters, Dcbx, Pfc, Queue, Scheduler
from roce_lint.platforms.platform import Lines, Reader, Statement, words
from roce_lint.text.numbered_json import Node, numbered

ALGORITHMS = {"ets", "strict", "vendor", "cbs"}
UNKNOWN = "???"  # of an algorithm that dcb itself does not know
PRIORITIES, DSCPS = 8, 64
MOST_BYTES = 1 << 32
MOST_COUNTED = 1 << 64
MOST_DELAY = 1 << 16
UNSUPPORTED = ("Attribute ", "Failed ", "Cannot find device", "Object ", "rc=", "dcb: ", "sudo: ", "bash: ")
NAMELESS = "the command with the name of the port expected above"


@dataclass(slots=True)
class _Member:
    """A member of an answer, with the line of its key; `lines` are those of a list's items where they are not all the same."""

    value: object
    line: Line
    lines: Sequence[Line] | None = None


@dataclass(slots=True)
class _Answer:
    """The members of an answer. `whole` is the line it begins on where it was read to its end; `notes` gets what is not understood."""

    members: Mapping[str, _Member]
    whole: Line | None
    notes: list[Note] = field(default_factory=list)

    def numbers(self, key: str, below: int) -> Fact[list[int]] | None:
        """A list of eight numbers below a bound."""
        member = self.members.get(key)
        if member is None:
            return None
        value = member.value if isinstance(member.value, list) else []
        found = [each for each in value if type(each) is int and 0 <= each < below]
        if len(value) != PRIORITIES or len(found) != PRIORITIES:
            self.notes.append(Note(member.line, f"eight numbers below {below} expected for {key}"))
            return None
        return Fact(found, (member.line,), "observed")

    def table(self, key: str, below: int) -> Fact[Table[int]] | None:
        """A list of numbers by index as a table."""
        given = self.numbers(key, below)
        if given is None:
            return None
        facts = {number: Fact(number, given.lines, "observed") for number in set(given.value)}
        return Fact(Table({index: facts[number] for index, number in enumerate(given.value)}), given.lines, "observed")

    def pairs(self, key: str, below: int) -> Fact[Table[int]] | None:
        """A list of pairs as a table from what is below a bound to a priority; nothing where one of them is no such pair.

        What follows the two numbers of a pair is passed over. One fact for all pairs alike on one line.
        """
        member = self.members.get(key)
        if member is None:
            return None
        entries: dict[int, Fact[int]] = {}
        facts: dict[tuple[int, int], Fact[int]] = {}
        pairs = member.value if isinstance(member.value, list) else [member.value]
        for index, pair in enumerate(pairs):
            line = member.lines[index] if member.lines is not None else member.line
            match pair:
                case [int(mark), int(priority), *_] if 0 <= mark < below and 0 <= priority < PRIORITIES and bool not in map(type, pair):
                    at = (line.number, priority)
                    if at not in facts:
                        facts[at] = Fact(priority, (line,), "observed")
                    entries[mark] = facts[at]
                case _:
                    self.notes.append(Note(line, f"pairs of a number below {below} and a priority expected for {key}"))
                    return None
        return Fact(Table(entries), (member.line,), "observed") if entries else None

    def truth(self, key: str) -> Fact[bool] | None:
        member = self.members.get(key)
        if member is None:
            return None
        if not isinstance(member.value, bool):
            self.notes.append(Note(member.line, f"true or false expected for {key}"))
            return None
        return Fact(member.value, (member.line,), "observed")


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """A port of each answer; its name stands in the command."""
    for document in documents:
        parts = words(document.command or "")
        lines = document.lines()
        start = next((index for index, text in enumerate(lines) if text.strip()), None)
        if start is None or lines[start].startswith(UNSUPPORTED):
            continue
        first = document.line(start, lines[start])
        if "dev" not in parts[:-1]:
            yield Note(first, NAMELESS, failed=True)
            continue
        name, subject = parts[parts.index("dev") + 1], next((part for part in parts if part in _SUBJECTS), None)
        if subject is None:
            continue
        answer = _of_one_line(document, lines, start) or _numbered(document, first)
        yield _SUBJECTS[subject](name, answer)
        yield from answer.notes


def _of_one_line(document: Document, lines: Sequence[str], index: int) -> _Answer | None:
    """An answer as dcb prints it; None where it is something else."""
    if any(lines[index + 1 :]):
        return None
    try:
        found = json.loads(lines[index])
    except (ValueError, RecursionError):
        return None
    line = document.line(index, lines[index])
    return _Answer({key: _Member(value, line) for key, value in found.items()}, line) if isinstance(found, dict) else None


def _numbered(document: Document, first: Line) -> _Answer:
    """An answer over several lines, or one that is cut; a member that is not whole is left out."""
    found = numbered(document)
    members: dict[str, _Member] = {}
    for key, node in found.root.pairs() if found.root is not None else ():
        if node.whole:
            lines = [found.value_line(item) for item in node.items] if node.items is not None else None
            members[key] = _Member(_plain(node), found.line(node), lines)
    note = found.note()
    is_object = found.root is not None and found.root.members is not None
    if note is None and not is_object:
        note = Note(first, "a JSON object expected", failed=True)
    return _Answer(members, first if note is None else None, [note] if note is not None else [])


def _plain(node: Node) -> object:
    return [_plain(item) for item in node.items] if node.items is not None else node.scalar


def _pfc(name: str, answer: _Answer) -> Port:
    """PFC by priority. The unit of `delay` is the driver's."""
    allowance, pfc = _delay(answer), None
    on = answer.members.get("prio_pfc")
    if on is not None:
        bits = on.value if isinstance(on.value, list) else []
        if len(bits) == PRIORITIES and all(isinstance(bit, bool) for bit in bits):
            at = (on.line,)
            priorities = frozenset(index for index, bit in enumerate(bits) if bit)
            pfc = Pfc(
                priorities=Fact(priorities, at, "observed"),
                operational=Fact(True, at, "observed") if priorities else None,
                index_is_priority=Fact(True, at, "default"),
                delay=allowance,
            )
        else:
            answer.notes.append(Note(on.line, "eight times true or false expected for prio_pfc"))
    sent, heard = answer.table("requests", MOST_COUNTED), answer.table("indications", MOST_COUNTED)
    return Port(
        name,
        pfc=pfc or (Pfc(delay=allowance) if allowance is not None else None),
        counters=Counters(pfc_tx=sent, pfc_rx=heard) if sent is not None or heard is not None else None,
    )


def _delay(answer: _Answer) -> Fact[int] | None:
    member = answer.members.get("delay")
    if member is None:
        return None
    if type(member.value) is int and 0 <= member.value < MOST_DELAY:
        return Fact(member.value, (member.line,), "observed")
    answer.notes.append(Note(member.line, f"a number below {MOST_DELAY} expected for delay"))
    return None


def _ets(name: str, answer: _Answer) -> Port:
    algorithms = answer.members.get("tc_tsa")
    shares, willing = answer.numbers("tc_bw", 101), answer.truth("willing")
    queues: dict[int, Fact[Queue]] = {}
    made: dict[tuple[object, int | None], Fact[Queue]] = {}
    given = algorithms.value if algorithms is not None and isinstance(algorithms.value, list) else []
    if algorithms is not None and (len(given) != PRIORITIES or any(word not in ALGORITHMS and word != UNKNOWN for word in given)):
        answer.notes.append(Note(algorithms.line, f"eight of {', '.join(sorted(ALGORITHMS))} expected for tc_tsa"))
    for index, word in enumerate(given if algorithms is not None and len(given) == PRIORITIES else ()):
        if algorithms is None or word not in ALGORITHMS:
            continue
        at = (algorithms.line,)
        part = shares.value[index] if shares is not None and word == "ets" else None
        if (word, part) not in made:
            share = Fact(float(part), shares.lines, "observed") if shares is not None and part is not None else None
            scheduler = Scheduler(scheduling=Fact(word, at, "observed"), share=share)
            made[word, part] = Fact(Queue(scheduler=Fact(scheduler, at, "observed")), at, "observed")
        queues[index] = made[word, part]
    return Port(
        name,
        priority_to_queue=answer.table("prio_tc", PRIORITIES),
        queues=Fact(Table(queues), next(iter(queues.values())).lines, "observed") if queues else None,
        dcbx=Dcbx(willing=willing) if willing is not None else None,
    )


def _app(name: str, answer: _Answer) -> Port:
    """The application table. A table that was read whole and lists no DSCP is stated as one without entries."""
    dscps = answer.pairs("dscp_prio", DSCPS)
    if dscps is None and answer.whole is not None and "dscp_prio" not in answer.members:
        dscps = Fact(Table({}), (answer.whole,), "observed")
    return Port(
        name,
        default_priority=_default(answer),
        dscp_to_priority=dscps,
        pcp_to_priority=answer.pairs("pcp_prio", PRIORITIES),
    )


def _default(answer: _Answer) -> Fact[int] | None:
    """The priority of what has no other; where several are listed none of them is known to count."""
    member = answer.members.get("default_prio")
    match member.value if member is not None else None:
        case [int(priority)] if member is not None and type(priority) is int and 0 <= priority < PRIORITIES:
            return Fact(priority, (member.line,), "observed")
    if member is not None:
        answer.notes.append(Note(member.line, "one priority expected for default_prio"))
    return None


def _buffer(name: str, answer: _Answer) -> Port:
    sizes = answer.numbers("buffer_size", MOST_BYTES)
    groups: Fact[Table[Buffer]] | None = None
    if sizes is not None:
        at = sizes.lines
        made = {size: Fact(Buffer(size_bytes=Fact(size, at, "observed")), at, "observed") for size in set(sizes.value)}
        groups = Fact(Table({index: made[size] for index, size in enumerate(sizes.value)}), at, "observed")
    return Port(name, priority_to_group=answer.table("prio_buffer", PRIORITIES), groups=groups)


def _maxrate(name: str, answer: _Answer) -> Port:
    """The maximum rates, in bytes a second; 0 is none."""
    rates = answer.numbers("tc_maxrate", MOST_COUNTED)
    if rates is not None and any(rates.value):
        answer.notes.append(Note(rates.lines[0], "a maximum rate is not read: before iproute2 6.18 it is 125 times too small"))
    return Port(name)


def _dcbx(name: str, answer: _Answer) -> Port:
    """The flags that are on; of a port with a version of DCBX, `host` is left out where the firmware owns it."""
    host, versions = answer.truth("host"), [answer.truth(key) for key in ("ieee", "cee")]
    if host is not None and host.value:
        return Port(name, dcbx=Dcbx(owner=Fact("host", host.lines, "observed")))
    if answer.whole is not None and not answer.notes and any(each is not None and each.value for each in versions):
        return Port(name, dcbx=Dcbx(owner=Fact("firmware", (answer.whole,), "observed")))
    return Port(name)


_SUBJECTS: Mapping[str, Callable[[str, _Answer], Port]] = {
    "pfc": _pfc,
    "ets": _ets,
    "app": _app,
    "buffer": _buffer,
    "dcbx": _dcbx,
    "maxrate": _maxrate,
}
_OWN_KEYS = ('"prio_pfc"', '"tc_tsa"', '"dscp_prio"', '"dgram_port_prio"', '"prio_buffer"', '"tc_maxrate"')


def recognise(lines: Lines) -> bool:
    """Whether a text is an answer without its command: an object with a key that is dcb's alone."""
    head = "".join(lines[:200]).lstrip()[:20000]
    return head.startswith("{") and any(key in head for key in _OWN_KEYS)


def _asked() -> Iterable[str]:
    for subject in _SUBJECTS:
        yield f"dcb -j {subject} show dev {{port}}"
        yield from (f"dcb {flags} {subject} show dev {{port}}" for flags in ("-j -s", "-s -j", "-j -p", "-p -j"))


SEND = tuple(f"dcb -j {'-s ' if subject == 'pfc' else ''}{subject} show dev {{port}}" for subject in _SUBJECTS if subject != "maxrate")
READER = Reader("dcb", read, asked=tuple(_asked()), recognise=recognise, send=SEND)
