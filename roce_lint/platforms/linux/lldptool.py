"""`lldptool -t -i X`: what lldpad sends on a port, and with -n what the neighbour said there.

Text: intel/openlldp lldp_basman_clif.c, lldp_8021qaz_clif.c and dcb_clif.c. A neighbour that speaks CEE writes its PFC priorities with
commas. What a port sends is what it runs on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Neighbour, Port
from roce_lint.model.qos import Dcbx, Pfc, Queue, Scheduler
from roce_lint.platforms.platform import Lines, Reader, Statement, words
from roce_lint.text.numbers import whole

Value = tuple[str, Line]
PFC, ETS, APP = "IEEE 8021QAZ PFC TLV", "IEEE 8021QAZ ETS Configuration TLV", "IEEE 8021QAZ APP TLV"
_ENABLED = ("PFC enabled:", "PFC enabled priorities:")
_FAULTS = ("Failed to connect", "connect:", "Device not", "Agent instance")
_ALGORITHMS: Mapping[str, Literal["strict", "ets", "vendor"]] = {"strict": "strict", "ets": "ets", "vendor": "vendor"}


@dataclass(slots=True)
class _Told:
    """The first row below each TLV, the rows of `Key: value` below it, and what enables PFC in any of them."""

    first: dict[str, Value] = field(default_factory=dict)
    rows: dict[tuple[str, str], Value] = field(default_factory=dict)
    enabled: Value | None = None


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """A port of each answer; its name stands in the command."""
    for document in documents:
        name, theirs = _asked(document.command)
        told = _told(document)
        if name is None:
            if told.first:
                yield Note(next(iter(told.first.values()))[1], "the command with the name of the port expected above", failed=True)
            continue
        enabled = None if told.enabled is None else _priorities(*told.enabled)
        if told.enabled is not None and enabled is None:
            yield Note(told.enabled[1], "priorities or none expected")
        if not theirs:
            yield from _own(name, told, enabled)
            continue
        neighbour = _neighbour(told, enabled)
        if neighbour is not None:
            yield Port(name, neighbours=(neighbour,))


def _asked(command: str | None) -> tuple[str | None, bool]:
    """The port that a command asks about, and whether about what its neighbour said."""
    flags, name, theirs = words(command or ""), None, False
    for index, word in enumerate(flags):
        if word.startswith("-") and not word.startswith("--"):
            theirs = theirs or "n" in word
            if word.endswith("i") and index + 1 < len(flags):
                name = flags[index + 1]
    return name, theirs


def _told(document: Document) -> _Told:
    told = _Told()
    tlv: str | None = None
    for index, text in enumerate(document.lines()):
        stripped = text.strip()
        if not stripped or text.startswith(_FAULTS):
            continue
        if not text[:1].isspace():
            tlv = stripped
            continue
        value = stripped, document.line(index, text)
        if tlv is not None:
            told.first.setdefault(tlv, value)
            told.rows.setdefault((tlv, stripped.partition(":")[0]), value)
        if stripped.startswith(_ENABLED):
            told.enabled = value
    return told


def _priorities(text: str, line: Line) -> Fact[frozenset[int]] | None:
    """`3 4`, `2, 3` or `none`."""
    given = text.partition(":")[2].replace(",", " ").split()
    numbers = [number for word in given if (number := whole(word)) is not None and number < 8]
    if not given or (given != ["none"] and len(numbers) < len(given)):
        return None
    return Fact(frozenset(numbers), (line,), "observed")


def _truth(value: Value | None) -> Fact[bool] | None:
    """`Willing: no`."""
    said = value[0].partition(":")[2].strip() if value is not None else ""
    return Fact(said == "yes", (value[1],), "observed") if value is not None and said in ("yes", "no") else None


def _own(name: str, told: _Told, enabled: Fact[frozenset[int]] | None) -> Iterator[Statement]:
    willing = _truth(told.rows.get((PFC, "Willing")))
    notes: list[Note] = []
    queues, queue_of = _queues(told, notes), _map(told.rows.get((ETS, "PRIO_MAP")), notes)
    yield from notes
    yield Port(
        name,
        pfc=Pfc(priorities=enabled, index_is_priority=Fact(True, enabled.lines, "default")) if enabled is not None else None,
        priority_to_queue=queue_of,
        queues=queues,
        dcbx=Dcbx(willing=willing) if willing is not None else None,
    )


def _map(row: Value | None, notes: list[Note]) -> Fact[Table[int]] | None:
    """`PRIO_MAP: 0:1 1:0 2:2`."""
    if row is None:
        return None
    entries: dict[int, Fact[int]] = {}
    for pair in row[0].split()[1:]:
        key, _, value = pair.partition(":")
        priority, queue = whole(key), whole(value)
        if priority is None or queue is None or priority > 7 or queue > 7:
            notes.append(Note(row[1], "pairs of a priority and a queue from 0 to 7 expected"))
            return None
        entries[priority] = Fact(queue, (row[1],), "observed")
    return Fact(Table(entries), (row[1],), "observed") if entries else None


def _queues(told: _Told, notes: list[Note]) -> Fact[Table[Queue]] | None:
    """`TC Bandwidth: 10% 90%` and `TSA_MAP: 0:ets 1:ets 2:strict`; the share of a queue that is not ets means nothing."""
    shares, algorithms = told.rows.get((ETS, "TC Bandwidth")), told.rows.get((ETS, "TSA_MAP"))
    if algorithms is None:
        return None
    percents = [whole(word.removesuffix("%")) for word in shares[0].split()[2:]] if shares is not None else []
    if shares is not None and any(percent is None or percent > 100 for percent in percents):
        notes.append(Note(shares[1], "percents expected"))
        percents = []
    entries: dict[int, Fact[Queue]] = {}
    for pair in algorithms[0].split()[1:]:
        key, _, word = pair.partition(":")
        index, algorithm = whole(key), _ALGORITHMS.get(word)
        if index is None or index > 7 or algorithm is None:
            notes.append(Note(algorithms[1], "pairs of a queue and strict, ets or vendor expected"))
            continue
        percent = percents[index] if algorithm == "ets" and index < len(percents) else None
        share = Fact(float(percent), (shares[1],), "observed") if shares is not None and percent is not None else None
        scheduler = Scheduler(scheduling=Fact(algorithm, (algorithms[1],), "observed"), share=share)
        entries[index] = Fact(Queue(scheduler=Fact(scheduler, (algorithms[1],), "observed")), (algorithms[1],), "observed")
    return Fact(Table(entries), (algorithms[1],), "observed") if entries else None


def _neighbour(told: _Told, enabled: Fact[frozenset[int]] | None) -> Neighbour | None:
    port_kind, port = _identity(told.first.get("Port ID TLV"))
    chassis_kind, chassis = _identity(told.first.get("Chassis ID TLV"))
    device = _text(told.first.get("System Name TLV"))
    if port is None and chassis is None and device is None and enabled is None:
        return None
    frame = _text(told.first.get("Maximum Frame Size TLV"))
    size = whole(frame.value) if frame is not None else None
    return Neighbour(
        "lldp",
        device=device,
        port=port if port_kind != "MAC" else None,
        port_mac=port if port_kind == "MAC" else None,
        chassis_mac=chassis if chassis_kind == "MAC" else None,
        description=_text(told.first.get("Port Description TLV")),
        system=_text(told.first.get("System Description TLV")),
        pfc_priorities=enabled,
        pfc_willing=_truth(told.rows.get((PFC, "Willing"))),
        frame_bytes=Fact(size, frame.lines, "observed") if frame is not None and size is not None else None,
    )


def _text(value: Value | None) -> Fact[str] | None:
    return Fact(value[0], (value[1],), "observed") if value is not None else None


def _identity(value: Value | None) -> tuple[str | None, Fact[str] | None]:
    """The kind and the text of an id: `MAC: 02:00:5e:00:00:01`, `Ifname: Ethernet1/1`."""
    if value is None:
        return None, None
    kind, colon, text = value[0].partition(": ")
    return (kind, Fact(text.strip(), (value[1],), "observed")) if colon else (None, None)


def recognise(lines: Lines) -> bool:
    """Whether a text is an answer of lldptool without its command."""
    return any(line.strip() in ("Chassis ID TLV", PFC, ETS, APP) for line in lines[:3])


def _questions() -> tuple[str, ...]:
    flags = ("-t -n -i", "-n -t -i", "-tni", "-nti", "get-tlv -n -i", "-t -i", "-ti", "get-tlv -i")
    return tuple(f"lldptool {each} {{port}}{more}" for each in flags for more in ("", " -V {tlv}"))


READER = Reader("lldptool", read, asked=_questions(), recognise=recognise, send=("lldptool -t -n -i {port}",))
