"""What a SONiC switch has counted: PFC frames, drops, ECN marks and watermarks by index, queue and group.

Layouts: sonic-net/sonic-utilities scripts/pfcstat, queuestat, wredstat, pg-drop and watermarkstat, and their tests. Numbers carry
thousands separators, `N/A` is no number. Queues UC are unicast; MC, ALL and VOQ are other queues and not read. Watermarks are bytes. As
JSON, each ASIC prints a value of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from roce_lint.model.document import Document, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Counters
from roce_lint.platforms.platform import Lines, Reader, Statement
from roce_lint.platforms.sonic.answers import ABSENT, Row, asked, begins, number, rows
from roce_lint.text.columns import Record
from roce_lint.text.numbered_json import Json, Node, every
from roce_lint.text.numbers import whole

Counted = Fact[Table[int]]
Kept = Callable[[Counted], Counters]
Read = Callable[[Sequence[Document]], Iterator[Statement]]
Entries = dict[str, dict[int, Fact[int]]]
_QUEUE = re.compile(r"(UC|MC|ALL|VOQ)(\d{1,2})", re.ASCII)
_HEAD = 60  # lines of JSON that tell what it is of


def read_pfc(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show pfc counters`: frames received and sent by index, in two tables."""
    for document in documents:
        for row in rows(document, "Port Rx", "PFC0", also=("Port Tx",)):
            if isinstance(row, Note):
                yield row
                continue
            counted = _by_index(row, "PFC")
            kept = None if counted is None else Counters(pfc_rx=counted) if row.of == "Port Rx" else Counters(pfc_tx=counted)
            yield Port(row.name, counters=kept)
            yield from row.notes


def _by_index(row: Row, prefix: str) -> Counted | None:
    """The cells whose headings are the prefix and a number."""
    stated: dict[int, Fact[int]] = {}
    for heading in row.record.cells:
        index = whole(heading.removeprefix(prefix)) if heading.startswith(prefix) else None
        fact = row.count(heading) if index is not None else None
        if index is not None and fact is not None:
            stated[index] = fact
    return Fact(Table(stated), (row.line,), "observed") if stated else None


def _by_column(prefix: str, kept: Kept) -> Read:
    """A reader of tables with a row a port and a column an index, and of the same as a JSON list of objects."""

    def read(documents: Sequence[Document]) -> Iterator[Statement]:
        for document in documents:
            is_json = document.read().lstrip().startswith("[")
            for row in _objects(document) if is_json else rows(document, "Port", f"{prefix}0"):
                if isinstance(row, Note):
                    yield row
                    continue
                counted = _by_index(row, prefix)
                if counted is not None:
                    yield Port(row.name, counters=kept(counted))
                yield from row.notes

    return read


def _objects(document: Document) -> Iterator[Row | Note]:
    """The rows of a table as JSON, each on the line that it begins on."""
    for json in every(document):
        note = json.note()
        if note is not None:
            yield note
        for item in (json.root.items if json.root is not None else None) or ():
            cells = {key: value.text() or "" for key, value in item.pairs()}
            line = json.value_line(item)
            if not item.whole:
                continue
            yield Row(Record(line, cells), "observed", "Port", cells["Port"]) if cells.get("Port") else Note(line, "a Port expected")


def _by_queue(heading: str, key: str, kept: Kept, beside: Sequence[str] = ()) -> Read:
    """A reader of tables with a row a queue, and of the same as JSON by port and queue."""

    def read(documents: Sequence[Document]) -> Iterator[Statement]:
        for document in documents:
            found: Entries = {}
            is_json = document.read().lstrip().startswith("{")
            yield from _json_queues(document, key, found) if is_json else _queue_rows(document, heading, beside, found)
            for name, entries in found.items():
                yield Port(name, counters=kept(Fact(Table(entries), next(iter(entries.values())).lines, "observed")))

    return read


def _queue_rows(document: Document, heading: str, beside: Sequence[str], found: Entries) -> Iterator[Note]:
    for row in rows(document, "Port", "TxQ", heading, beside=(*beside, "Voq")):
        if isinstance(row, Note):
            yield row
            continue
        queue = _QUEUE.fullmatch(row.text("TxQ"))
        if queue is None:
            yield Note(row.line, "a queue such as UC3 expected")
            continue
        if queue[1] == "UC" and (fact := row.count(heading)) is not None:
            found.setdefault(row.name, {})[int(queue[2])] = fact
        yield from row.notes


def _json_queues(document: Document, key: str, found: Entries) -> Iterator[Note]:
    """Ports with their queues; beside those of a port stand the times of the reading."""
    for json in every(document):
        note = json.note()
        if note is not None:
            yield note
        for name, queues in json.root.pairs() if json.root is not None else ():
            for queue, fields in queues.pairs():
                match = _QUEUE.fullmatch(queue)
                if match is None or match[1] != "UC":
                    if match is None and fields.members is not None:
                        yield Note(json.line(fields), "a queue such as UC3 expected")
                    continue
                yield from _json_count(json, fields, key, found.setdefault(name, {}), int(match[2]))
        for name in [name for name, entries in found.items() if not entries]:
            del found[name]


def _json_count(json: Json, fields: Node, key: str, entries: dict[int, Fact[int]], queue: int) -> Iterator[Note]:
    node = fields.get(key)
    text = node.text() if node is not None else None
    if node is None or text in ABSENT:
        return
    value, line = number(text or ""), json.line(node)
    if value is None:
        yield Note(line, f"a number expected for {key}")
    else:
        entries[queue] = Fact(value, (line,), "observed")


def _shows_queues(key: str) -> Callable[[Lines], bool]:
    """Whether a text is JSON by port and queue with such a count."""

    def recognise(lines: Lines) -> bool:
        head = "".join(lines[:_HEAD])[: _HEAD * 80]
        return head.lstrip().startswith("{") and f'"{key}"' in head and any(_QUEUE.fullmatch(word) for word in head.split('"')[1:60:2])

    return recognise


def _shows_watermarks(lines: Lines) -> bool:
    """Whether a text is a JSON list of objects by unicast queue. One by group does not tell which of three things it counts."""
    head = "".join(lines[:_HEAD])[: _HEAD * 80]
    return head.lstrip().startswith("[") and '"Port"' in head and '"UC0"' in head


def _either(first: Callable[[Lines], bool], second: Callable[[Lines], bool]) -> Callable[[Lines], bool]:
    return lambda lines: first(lines) or second(lines)


_DROPS = _by_queue("Drop/pkts", "droppacket", lambda counted: Counters(queue_drops=counted), beside=("Trim/pkts",))
_MARKS = _by_queue("EcnMarked/pkts", "ecnmarkedpacket", lambda counted: Counters(queue_ecn_marked=counted))
_SHARED = _by_column("PG", lambda counted: Counters(group_watermark_bytes=counted))
_HEADROOM = _by_column("PG", lambda counted: Counters(headroom_watermark_bytes=counted))
_QUEUE_SHARED = _by_column("UC", lambda counted: Counters(queue_watermark_bytes=counted))
_GROUP_DROPS = _by_column("PG", lambda counted: Counters(group_drops=counted))


def _reader(command: str, read: Read, recognise: Callable[[Lines], bool], *also: str) -> Reader:
    return Reader(command, read, asked=asked(command, *also), recognise=recognise, send=(command,))


READERS = (
    Reader(
        "show pfc counters",
        read_pfc,
        asked=(
            "show pfc counters",
            "show pfc counters -n {asic}",
            "show pfc counters -d {which}",
            "show pfc counters -d {which} -n {asic}",
        ),
        recognise=begins("Port Rx", "PFC0"),
        send=("show pfc counters",),
    ),
    _reader("show priority-group drop counters", _GROUP_DROPS, begins("Port", "PG0", title="Ingress PG dropped packets:")),
    _reader("show queue counters", _DROPS, _either(begins("Port", "TxQ", "Drop/pkts"), _shows_queues("droppacket"))),
    _reader("show queue wredcounters", _MARKS, _either(begins("Port", "TxQ", "EcnMarked/pkts"), _shows_queues("ecnmarkedpacket"))),
    _reader(
        "show priority-group watermark shared",
        _SHARED,
        begins("Port", "PG0", title="Ingress shared pool occupancy per PG:"),
        "show priority-group persistent-watermark shared",
    ),
    _reader(
        "show priority-group watermark headroom",
        _HEADROOM,
        begins("Port", "PG0", title="Ingress headroom per PG:"),
        "show priority-group persistent-watermark headroom",
    ),
    _reader(
        "show queue watermark unicast",
        _QUEUE_SHARED,
        _either(begins("Port", "UC0", title="Egress shared pool occupancy per unicast queue:"), _shows_watermarks),
        "show queue persistent-watermark unicast",
    ),
)
