"""`mlnx_qos -i NETDEV`: what a ConnectX port runs on.

Grammar of every release from OFED 4.0 on: Mellanox/mlnx-tools python/mlnx_qos and its history.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer, Dcbx, Pfc, Queue, Scheduler, Trust
from roce_lint.platforms.platform import Lines, Reader, Statement, words

TRUSTS: dict[str, Trust] = {"pcp": "pcp", "dscp": "dscp", "both": "both"}
ALGORITHMS = {"ets", "strict", "vendor"}
REMARKS = (
    "****** WARNING: lldpad service",
    "Priority trust state is not supported",
    "Buffers commands are not supported",
    "Rate limit is not supported",
    "ETS features are not supported",
)
CUT = "[...]"


@dataclass(slots=True)
class _Answer:
    """What one answer states, while it is read."""

    trust: Fact[Trust] | None = None
    owner: Dcbx | None = None
    default_priority: Fact[int] | None = None
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


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """A port of each answer; the port's name stands in the command."""
    for document in documents:
        name = interface(document.command)
        answer = _Answer()
        for index, text in enumerate(document.lines()):
            reason = _line(answer, text.strip(), document.line(index, text))
            if reason is not None:
                yield Note(document.line(index, text), reason)
        if name is not None:
            yield _port(name, answer)


def interface(command: str | None) -> str | None:
    """The port that a command line asks about."""
    parts = words(command or "")
    for before, after in pairwise(parts):
        if before in ("-i", "--interface"):
            return after
    return next((part.partition("=")[2] for part in parts if part.startswith("--interface=")), None)


def _line(answer: _Answer, text: str, line: Line) -> str | None:
    """Reads one line; gives the reason where it is not understood."""
    parts = text.split()
    match parts:
        case []:
            return None
        case ["DCBX", "mode:", owner, "controlled"]:
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
            return _number_into(answer, first[5:], line)
        case [first, second] if first.startswith("prio:") and second.startswith("dscp:"):
            return _dscps(answer, first[5:], second[5:], line)
        case ["Receive", "buffer", "size", "(bytes):", *rest]:
            return _sizes(answer, "".join(rest), line)
        case ["Cable", "len:", metres]:
            if not metres.isdigit():
                return "a cable length in metres expected"
            answer.cable = Fact(int(metres), (line,), "observed")
        case ["PFC", "configuration:"] | ["priority", "0", "1", "2", "3", "4", "5", "6", "7"]:
            pass
        case ["enabled", *bits]:
            if len(bits) != 8 or not set(bits) <= {"0", "1"}:
                return "eight bits expected"
            on = frozenset(index for index, bit in enumerate(bits) if bit == "1")
            answer.on = Fact(on, (line,), "observed")
        case ["buffer", *numbers]:
            if len(numbers) != 8 or not all(number.isdigit() for number in numbers):
                return "eight buffer numbers expected"
            answer.buffer_line = line
            answer.buffers = {priority: Fact(int(number), (line,), "observed") for priority, number in enumerate(numbers)}
        case ["tc:", number, "ratelimit:", *rest] if number.isdigit():
            return _traffic_class(answer, int(number), rest, line)
        case ["priority:", number]:
            if not number.isdigit() or int(number) > 7:
                return "a priority from 0 to 7 expected"
            if answer.queue is not None:
                queue, at = answer.queue
                answer.queue_of[int(number)] = Fact(queue, (line, at), "observed")
        case _ if text.startswith(REMARKS):
            return None
        case _ if text.startswith(("ets, bw:", "strict", "vendor")):
            answer.queue = None
            return "a tc number expected: without rate limits this release prints none"
        case _:
            return "the rest of the answer was cut" if text.startswith(CUT) else "no line of mlnx_qos"
    return None


def _number_into(answer: _Answer, number: str, line: Line) -> str | None:
    if not number.isdigit():
        return "a priority expected"
    answer.default_priority = Fact(int(number), (line,), "observed")
    return None


def _dscps(answer: _Answer, priority: str, listed: str, line: Line) -> str | None:
    numbers = [number for number in listed.split(",") if number]
    if not priority.isdigit() or not all(number.isdigit() and int(number) < 64 for number in numbers):
        return "a priority and DSCPs from 0 to 63 expected"
    fact = Fact(int(priority), (line,), "observed")
    for number in numbers:
        answer.dscps[int(number)] = fact
    return None


def _sizes(answer: _Answer, listed: str, line: Line) -> str | None:
    numbers = [number for number in listed.split(",") if number and "=" not in number]
    if len(numbers) != 8 or not all(number.isdigit() for number in numbers):
        return "eight sizes expected"
    answer.size_line = line
    for index, number in enumerate(numbers):
        answer.sizes[index] = Fact(Buffer(size_bytes=Fact(int(number), (line,), "observed")), (line,), "observed")
    return None


def _traffic_class(answer: _Answer, queue: int, rest: Sequence[str], line: Line) -> str | None:
    """`unlimited, tsa: ets, bw: 10%` or `25.6 Gbps, tsa: strict`."""
    said = " ".join(rest).split(", ")
    algorithm = next((each[5:] for each in said if each.startswith("tsa: ")), None)
    share = next((each[4:].rstrip("%") for each in said if each.startswith("bw: ")), None)
    if algorithm not in ALGORITHMS or (share is not None and not share.isdigit()):
        return "tsa: ets, strict or vendor expected"
    rate: Fact[int] | None = None
    if said[0].endswith(" Gbps"):
        try:
            rate = Fact(round(float(said[0][:-5]) * 1e9), (line,), "observed")
        except ValueError:
            return "a rate in Gbps expected"
    scheduler = Scheduler(
        scheduling=Fact("ets" if algorithm == "ets" else "strict" if algorithm == "strict" else "vendor", (line,), "observed"),
        share=Fact(float(share), (line,), "observed") if share is not None else None,
        rate_limit_bps=rate,
    )
    answer.queues[queue] = Fact(Queue(scheduler=Fact(scheduler, (line,), "observed")), (line,), "observed")
    answer.queue = (queue, line)
    answer.queue_line = answer.queue_line or line
    return None


def _table(entries: dict[int, Fact[int]], line: Line | None) -> Fact[Table[int]] | None:
    return Fact(Table(entries), (line,), "observed") if entries and line is not None else None


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
    return any(line.strip().startswith(("Priority trust state: ", "Priority trust mode: ")) for line in lines[:12])


READER = Reader(
    "mlnx_qos",
    read,
    asked=("mlnx_qos -i {port} ...", "mlnx_qos --interface={port} ..."),
    recognise=recognise,
    send=("mlnx_qos -i {port}",),
)
