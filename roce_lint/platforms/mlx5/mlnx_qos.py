"""`mlnx_qos -i NETDEV`: what a ConnectX port runs on.

Grammar of every release from OFED 4.0 on: Mellanox/mlnx-tools python/mlnx_qos and its history.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from roce_lint.model.devices import Device
from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer, Dcbx, Pfc, Queue, Scheduler, Trust
from roce_lint.platforms.platform import Lines, Reader, Statement, words
from roce_lint.text.numbers import whole

TRUSTS: dict[str, Trust] = {"pcp": "pcp", "dscp": "dscp", "both": "both"}
RATE_CHARACTERS = 16
OVERWRITER = "****** WARNING: lldpad service is running"
REMARKS = (
    "Priority trust state is not supported",
    "Buffers commands are not supported",
    "Rate limit is not supported",
    "ETS features are not supported",
)
CUT = "[...]"
ONCE = ("DCBX mode:", "Priority trust state:", "Priority trust mode:", "PFC configuration:")
INDICES = "01234567"
LONGEST_M, LARGEST = 1 << 16, 1 << 32


@dataclass(slots=True)
class _Unnumbered:
    """A traffic class without its number, and its priorities with their lines."""

    scheduler: Scheduler | None
    line: Line
    priorities: list[tuple[int, Line]] = field(default_factory=list)


@dataclass(slots=True)
class _Answer:
    """What one answer states, while it is read."""

    trust: Fact[Trust] | None = None
    owner: Dcbx | None = None
    default_priority: Fact[int] | None = None
    defaults: set[int | None] = field(default_factory=set)
    cable: Fact[int] | None = None
    map_line: Line | None = None
    dscps: dict[int, Fact[int]] = field(default_factory=dict)
    sizes: dict[int, Fact[Buffer]] = field(default_factory=dict)
    size_line: Line | None = None
    on: Fact[frozenset[int]] | None = None
    buffers: dict[int, Fact[int]] = field(default_factory=dict)
    buffer_line: Line | None = None
    queues: dict[int, Fact[Queue]] = field(default_factory=dict)
    queue_of: dict[int, Fact[int]] = field(default_factory=dict)
    queue_line: Line | None = None
    queue: tuple[int, Line] | None = None
    unnumbered: list[_Unnumbered] = field(default_factory=list)
    in_order: bool = False
    once: set[str] = field(default_factory=set)
    overwriter: Line | None = None


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """A port of each answer; the port's name stands in the command. Lines that are not understood are notes."""
    for document in documents:
        name = interface(document.command)
        answer = _Answer()
        lines = document.lines()
        ended = document.read().endswith("\n")
        for index, text in enumerate(lines):
            line = document.line(index, text)
            cut = not ended and index + 1 == len(lines) and text.lstrip().startswith("Cable len:")
            if _begins_another(answer, text):
                yield Note(line, "the end of the answer expected: what another says of which port is not known")
                break
            reason = "the rest of the answer was cut" if cut else _line(answer, text, line)
            if reason is not None:
                yield Note(line, reason)
        if answer.unnumbered and not _numbered(answer):
            yield Note(answer.unnumbered[0].line, "tc numbers expected: without rate limits mlnx_qos prints none")
        if name is not None:
            yield _port(name, answer)
        elif lines:
            yield Note(document.line(0, lines[0]), "the command with the name of the port expected above", failed=True)
        if answer.overwriter is not None:
            yield Device("", services=Fact({"lldpad": "running"}, (answer.overwriter,), "observed"))


def _begins_another(answer: _Answer, text: str) -> bool:
    """Whether a line begins what an answer says once, for the second time."""
    head = next((head for head in ONCE if text.strip().startswith(head)), None)
    if head is None or head not in answer.once:
        answer.once |= {head} if head is not None else set()
        return False
    return True


def _numbered(answer: _Answer) -> bool:
    """Gives numbers to traffic classes that have none, where that is certain: eight of them, each with its priority, printed in order."""
    if not answer.in_order or len(answer.unnumbered) != len(INDICES) or any(each.scheduler is None for each in answer.unnumbered):
        return False
    if sorted(priority for each in answer.unnumbered for priority, _ in each.priorities) != list(range(len(INDICES))):
        return False
    if any(len(each.priorities) != 1 for each in answer.unnumbered):
        return False
    for number, each in enumerate(answer.unnumbered):
        at = (each.line,)
        answer.queues[number] = Fact(Queue(scheduler=Fact(each.scheduler, at, "observed")), at, "observed")  # type: ignore[arg-type]
        priority, line = each.priorities[0]
        answer.queue_of[priority] = Fact(number, (line, each.line), "observed")
    answer.queue_line = answer.unnumbered[0].line
    return True


def interface(command: str | None) -> str | None:
    """The port that a command line asks about."""
    parts = words(command or "")
    for before, after in pairwise(parts):
        if before in ("-i", "--interface"):
            return after.rstrip(";")
    return next((part.partition("=")[2] for part in parts if part.startswith("--interface=")), None)


def _line(answer: _Answer, text: str, line: Line) -> str | None:
    """Reads one line; gives the reason where it is not understood."""
    match text.split():
        case ["priority:", number]:
            if len(number) != 1 or number not in INDICES:
                return "a priority from 0 to 7 expected"
            if answer.queue is not None:
                queue, at = answer.queue
                answer.queue_of[int(number)] = Fact(queue, (line, at), "observed")
            elif answer.unnumbered:
                answer.unnumbered[-1].priorities.append((int(number), line))
        case ["tc:", number, "ratelimit:", *rest] if len(number) == 1 and number in INDICES:
            return _traffic_class(answer, int(number), rest, line)
        case [first, second] if first.startswith("prio:") and second.startswith("dscp:"):
            return _dscps(answer, first[5:], second[5:], line)
        case []:
            return None
        case ["DCBX", "mode:", "OS" | "Firmware" as owner, "controlled"]:
            answer.owner = Dcbx(owner=Fact("host" if owner == "OS" else "firmware", (line,), "observed"))
        case ["Priority", "trust", "state:" | "mode:", word]:
            if word in TRUSTS:
                answer.trust = Fact(TRUSTS[word], (line,), "observed")
            elif word != "none":
                return "pcp, dscp, both or none expected"
        case ["dscp2prio", "mapping:"]:
            answer.map_line = line
        case ["default", "priority:"]:
            pass
        case [first] if first.startswith("prio:"):
            return _default(answer, first[5:], line)
        case ["Receive", "buffer", "size", "(bytes):", *rest]:
            return _sizes(answer, "".join(rest), line)
        case ["Cable", "len:", metres]:
            length = whole(metres)
            if length is None or length > LONGEST_M:
                return "a cable length in metres expected"
            answer.cable = Fact(length, (line,), "observed")
        case ["PFC", "configuration:"] | ["priority", "0", "1", "2", "3", "4", "5", "6", "7"]:
            pass
        case ["enabled", *bits]:
            if len(bits) != 8 or not set(bits) <= {"0", "1"}:
                return "eight bits expected"
            on = frozenset(index for index, bit in enumerate(bits) if bit == "1")
            answer.on = Fact(on, (line,), "observed")
        case ["buffer", *numbers]:
            if len(numbers) != 8 or not all(len(number) == 1 and number in INDICES for number in numbers):
                return "eight buffer numbers expected"
            answer.buffer_line = line
            made = {number: Fact(int(number), (line,), "observed") for number in set(numbers)}
            answer.buffers = {priority: made[number] for priority, number in enumerate(numbers)}
        case ["strict"] | ["vendor"] | ["unknown"] | ["ets,", "bw:", _] as said:
            answer.queue = None
            answer.unnumbered.append(_Unnumbered(_scheduler(said, None, line), line))
        case _:
            return _remark(answer, text.strip(), line)
    return None


def _remark(answer: _Answer, text: str, line: Line) -> str | None:
    if text.startswith(OVERWRITER):
        answer.overwriter = line
        return None
    if text.startswith(REMARKS):
        return None
    return "the rest of the answer was cut" if text.startswith(CUT) else "no line of mlnx_qos"


def _default(answer: _Answer, number: str, line: Line) -> str | None:
    """A row below `default priority:`; where there are several, none of them is known to count."""
    if len(number) != 1 or number not in INDICES:
        answer.defaults |= {None}
        answer.default_priority = None
        return "a priority from 0 to 7 expected"
    answer.defaults |= {int(number)}
    if len(answer.defaults) > 1:
        answer.default_priority = None
        return "one default priority expected"
    answer.default_priority = Fact(int(number), (line,), "observed")
    return None


def _dscps(answer: _Answer, priority: str, listed: str, line: Line) -> str | None:
    """`07,06,05,04,`: decimal, in any order; a comma ends each, so that a number without one was cut."""
    *texts, rest = listed.split(",")
    numbers = [number for text in texts if (number := whole(text)) is not None and number < 64]
    if len(priority) != 1 or priority not in INDICES or len(numbers) < len(texts):
        return "a priority and DSCPs from 0 to 63 expected"
    fact = Fact(int(priority), (line,), "observed")
    for number in numbers:
        answer.dscps[number] = fact
    return f"a comma expected behind {rest!r}" if rest else None


def _sizes(answer: _Answer, listed: str, line: Line) -> str | None:
    """`262016,0,0,0,0,0,0,0,` with a total behind it in some releases, which not all of them mean alike."""
    *texts, total = listed.split(",")
    sizes = [size for text in texts if (size := whole(text)) is not None and size <= LARGEST]
    if len(texts) != 8 or len(sizes) != 8:
        return "eight sizes expected"
    answer.size_line = line
    answer.in_order = total.startswith("max_buffer_size=")  # by then classes are printed in order
    made = {size: Fact(Buffer(size_bytes=Fact(size, (line,), "observed")), (line,), "observed") for size in set(sizes)}
    answer.sizes = {index: made[size] for index, size in enumerate(sizes)}
    return None if not total or total.startswith(("total_size=", "max_buffer_size=")) else "total_size or max_buffer_size expected"


def _traffic_class(answer: _Answer, queue: int, rest: Sequence[str], line: Line) -> str | None:
    """`unlimited, tsa: ets, bw: 10%` or `25.6 Gbps, tsa: strict`."""
    answer.queue = None
    match rest:
        case ["unlimited,", "tsa:", *said]:
            rate = None
        case [number, "Gbps,", "tsa:", *said] if (
            number.isascii() and number.replace(".", "", 1).isdecimal() and len(number) <= RATE_CHARACTERS
        ):
            rate = Fact(round(float(number) * 1e9), (line,), "observed")
        case _:
            return "a rate limit and a tsa expected"
    scheduler = _scheduler(said, rate, line)
    if scheduler is None:
        return "tsa: ets with its bw, strict or vendor expected"
    answer.queues[queue] = Fact(Queue(scheduler=Fact(scheduler, (line,), "observed")), (line,), "observed")
    answer.queue = (queue, line)
    answer.queue_line = answer.queue_line or line
    return None


def _scheduler(said: Sequence[str], rate: Fact[int] | None, line: Line) -> Scheduler | None:
    match said:
        case ["strict"]:
            return Scheduler(scheduling=Fact("strict", (line,), "observed"), rate_limit_bps=rate)
        case ["vendor"]:
            return Scheduler(scheduling=Fact("vendor", (line,), "observed"), rate_limit_bps=rate)
        case ["unknown"]:
            return Scheduler(rate_limit_bps=rate)
        case ["ets,", "bw:", percent] if percent.endswith("%") and (share := whole(percent[:-1])) is not None and share <= 100:
            shared = Fact(float(share), (line,), "observed")
            return Scheduler(scheduling=Fact("ets", (line,), "observed"), share=shared, rate_limit_bps=rate)
    return None


def _table(entries: dict[int, Fact[int]], line: Line | None) -> Fact[Table[int]] | None:
    if not entries:
        return None
    return Fact(Table(entries), (line,) if line is not None else next(iter(entries.values())).lines, "observed")


def _port(name: str, answer: _Answer) -> Port:
    pfc = None
    if answer.on is not None:
        at = answer.on.lines
        pfc = Pfc(
            priorities=answer.on,
            operational=Fact(True, at, "observed") if answer.on.value else None,
            index_is_priority=Fact(True, at, "default"),
            makes_lossless=Fact(True, at, "default"),
        )
    return Port(
        name,
        trust=answer.trust,
        dcbx=answer.owner,
        default_priority=answer.default_priority,
        cable_length_m=answer.cable,
        dscp_to_priority=_table(answer.dscps, answer.map_line),
        priority_to_group=_table(answer.buffers, answer.buffer_line),
        priority_to_queue=_table(answer.queue_of, answer.queue_line),
        queues=Fact(Table(answer.queues), (answer.queue_line,), "observed") if answer.queues and answer.queue_line else None,
        groups=Fact(Table(answer.sizes), (answer.size_line,), "observed") if answer.sizes and answer.size_line else None,
        pfc=pfc,
    )


def recognise(lines: Lines) -> bool:
    """Whether a text is an answer of mlnx_qos without its command."""
    heads = ("Priority trust state: ", "Priority trust mode: ", "Priority trust state is not supported on your system")
    return any(line.strip().startswith(heads) for line in lines[:12])


READER = Reader(
    "mlnx_qos",
    read,
    asked=(
        "mlnx_qos -i {port} ...",
        "mlnx_qos --interface={port} ...",
        "mlnx_qos --interface {port} ...",
        "mlnx_qos {option} {value} -i {port} ...",
    ),
    recognise=recognise,
    send=("mlnx_qos -i {port}",),
)
