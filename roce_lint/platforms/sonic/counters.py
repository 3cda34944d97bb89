"""What a SONiC switch has counted: PFC frames, drops, ECN marks and watermarks by index, queue and group.

Layouts: sonic-net/sonic-utilities scripts/pfcstat, queuestat, pg-drop and watermarkstat, and their tests. Numbers carry thousands
separators, `N/A` is no number. Queues UC are unicast; MC and ALL are other queues and not read. Watermarks are bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Counters
from roce_lint.platforms.platform import Reader, Statement
from roce_lint.text.columns import Record, tables
from roce_lint.text.numbered_json import Node, numbered
from roce_lint.text.numbers import whole

CUT = "the row is cut"
Counted = Fact[Table[int]]
Kept = Callable[[Counted], Counters]


def count(text: str, line: Line) -> Fact[int] | None:
    """A number as it is printed; None for N/A."""
    number = whole(text.replace(",", "").strip())
    return Fact(number, (line,), "observed") if number is not None else None


def rows(document: Document, *headings: str) -> Iterator[Record | Note]:
    """The whole rows of every table with the headings; a Note for a row that is cut."""
    for table in tables(document):
        if not set(headings) <= set(table.headings):
            continue
        for row in table.rows:
            yield row if row.whole else Note(row.line, CUT)


def read_pfc(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show pfc counters`: frames received and sent by index, in two tables."""
    for document in documents:
        for table in tables(document):
            way = next((way for way in ("Rx", "Tx") if f"Port {way}" in table.headings), None)
            if way is None:
                continue
            for row in table.rows:
                name = row.cells[f"Port {way}"]
                if not row.whole:
                    yield Note(row.line, CUT)
                    yield Port(name)
                    continue
                counted = _numbered(row, "PFC")
                if counted is not None:
                    yield Port(name, counters=Counters(pfc_rx=counted) if way == "Rx" else Counters(pfc_tx=counted))


def _numbered(row: Record, prefix: str) -> Counted | None:
    """The cells whose headings are the prefix and a number."""
    stated: dict[int, Fact[int]] = {}
    for heading, text in row.cells.items():
        index = whole(heading.removeprefix(prefix)) if heading.startswith(prefix) else None
        fact = count(text, row.line) if index is not None else None
        if index is not None and fact is not None:
            stated[index] = fact
    return Fact(Table(stated), (row.line,), "observed") if stated else None


def _by_column(prefix: str, kept: Kept) -> Callable[[Sequence[Document]], Iterator[Statement]]:
    """A reader of tables with a row a port and a column an index, and of the same as a JSON list of objects."""

    def read(documents: Sequence[Document]) -> Iterator[Statement]:
        for document in documents:
            is_json = document.read().lstrip().startswith("[")
            for row in _objects(document) if is_json else rows(document, "Port", f"{prefix}0"):
                if isinstance(row, Note):
                    yield row
                    continue
                name, counted = row.cells.get("Port", ""), _numbered(row, prefix)
                if name and counted is not None:
                    yield Port(name, counters=kept(counted))

    return read


def _objects(document: Document) -> Iterator[Record | Note]:
    """The rows of a table as JSON, each on the line that it begins on."""
    json = numbered(document)
    note = json.note()
    if note is not None:
        yield note
    for item in (json.root.items if json.root is not None else None) or ():
        if item.whole and item.members is not None:
            yield Record(json.value_line(item), {key: value.text() or "" for key, value in item.pairs()})


def _by_queue(heading: str, key: str, kept: Kept) -> Callable[[Sequence[Document]], Iterator[Statement]]:
    """A reader of tables with a row a queue, and of the same as JSON by port and queue."""

    def read(documents: Sequence[Document]) -> Iterator[Statement]:
        for document in documents:
            found: dict[str, dict[int, Fact[int]]] = {}
            is_json = document.read().lstrip().startswith("{")
            for name, queue, fact in _in_json(document, key) if is_json else _in_rows(document, heading):
                if isinstance(name, Note):
                    yield name
                elif (number := whole(queue.removeprefix("UC"))) is not None and queue.startswith("UC") and fact is not None:
                    found.setdefault(name, {})[number] = fact
            for name, entries in found.items():
                yield Port(name, counters=kept(Fact(Table(entries), next(iter(entries.values())).lines, "observed")))

    return read


def _in_rows(document: Document, heading: str) -> Iterator[tuple[str | Note, str, Fact[int] | None]]:
    for row in rows(document, "Port", "TxQ"):
        if isinstance(row, Note):
            yield row, "", None
            continue
        text = next((cell for column, cell in row.cells.items() if column.replace(" ", "").startswith(heading)), "")
        yield row.cells["Port"], row.cells["TxQ"], count(text, row.line)


def _in_json(document: Document, key: str) -> Iterator[tuple[str | Note, str, Fact[int] | None]]:
    json = numbered(document)
    note = json.note()
    if note is not None:
        yield note, "", None
    for name, queues in (json.root or Node(0)).pairs():
        for queue, fields in queues.pairs():
            value = fields.get(key)
            text = value.text() if value is not None else None
            yield name, queue, count(text, json.line(value)) if value is not None and text is not None else None


_DROPS = _by_queue("Drop/pkts", "droppacket", lambda counted: Counters(queue_drops=counted))
_MARKS = _by_queue("EcnMarked/pkts", "ecnmarkedpacket", lambda counted: Counters(queue_ecn_marked=counted))
_SHARED = _by_column("PG", lambda counted: Counters(group_watermark_bytes=counted))
_HEADROOM = _by_column("PG", lambda counted: Counters(headroom_watermark_bytes=counted))
_QUEUE = _by_column("UC", lambda counted: Counters(queue_watermark_bytes=counted))
_GROUP_DROPS = _by_column("PG", lambda counted: Counters(group_drops=counted))


def _reader(command: str, read: Callable[[Sequence[Document]], Iterator[Statement]], *also: str) -> Reader:
    return Reader(command, read, asked=tuple(f"{each} ..." for each in (command, *also)), send=(command,))


READERS = (
    Reader("show pfc counters", read_pfc, asked=("show pfc counters",), send=("show pfc counters",)),
    _reader("show priority-group drop counters", _GROUP_DROPS),
    _reader("show queue counters", _DROPS),
    _reader("show queue wredcounters", _MARKS),
    _reader("show priority-group watermark shared", _SHARED, "show priority-group persistent-watermark shared"),
    _reader("show priority-group watermark headroom", _HEADROOM, "show priority-group persistent-watermark headroom"),
    _reader("show queue watermark unicast", _QUEUE, "show queue persistent-watermark unicast"),
)
