"""What a SONiC switch says of itself: `show version`, `show interfaces status`, `show pfc ...`, `show pfcwd ...`, `show ecn`.

Layouts: sonic-net/sonic-utilities and its tests/.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_lint.model.devices import Device
from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Counters, Pfc, Watchdog, WatchdogQueue
from roce_lint.platforms.platform import Reader, Statement
from roce_lint.text.columns import Record, tables
from roce_lint.text.numbers import numbers, whole

CUT = "the row is cut"
SPEEDS = {"G": 1_000_000_000, "M": 1_000_000}


def _rows(document: Document, *headings: str) -> Iterator[Record | Note]:
    """The whole rows of every table with the headings; a Note for a row that is cut."""
    for table in tables(document):
        if not set(headings) <= set(table.headings):
            continue
        for row in table.rows:
            yield row if row.whole else Note(row.line, CUT)


def read_version(documents: Sequence[Document]) -> Iterator[Statement]:
    """`SONiC Software Version: SONiC.202305.12`, `HwSKU:`, `ASIC:`."""
    fields = {"SONiC Software Version": "version", "HwSKU": "model", "ASIC": "asic"}
    for document in documents:
        facts: dict[str, Fact[str]] = {}
        for index, text in enumerate(document.lines()):
            key, colon, value = text.partition(":")
            if colon and key.strip() in fields and value.strip():
                facts.setdefault(fields[key.strip()], Fact(value.strip(), (document.line(index, text),), "observed"))
        if facts:
            yield Device("", **facts)  # type: ignore[arg-type]


def read_status(documents: Sequence[Document]) -> Iterator[Statement]:
    """Interface, speed, MTU, FEC, alias and states."""
    for document in documents:
        for row in _rows(document, "Interface"):
            if isinstance(row, Note):
                yield row
                continue
            at, cells = (row.line,), row.cells
            speed, mtu = cells.get("Speed", ""), cells.get("MTU", "")
            number = whole(speed[:-1]) if speed[-1:] in SPEEDS else None
            frame = _count(mtu, row.line)
            yield Port(
                cells["Interface"],
                speed_bps=Fact(number * SPEEDS[speed[-1]], at, "observed") if number is not None else None,
                mtu=frame,
                mtu_kind=Fact("l3", at, "default") if frame is not None else None,
                fec=Fact(cells["FEC"], at, "observed") if cells.get("FEC", "N/A") != "N/A" else None,
                alias=Fact(cells["Alias"], at, "observed") if cells.get("Alias", "N/A") != "N/A" else None,
                oper_up=Fact(cells["Oper"] == "up", at, "observed") if cells.get("Oper") in ("up", "down") else None,
                admin_up=Fact(cells["Admin"] == "up", at, "observed") if cells.get("Admin") in ("up", "down") else None,
            )


def read_priority(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show pfc priority`: the lossless priorities of each port; N/A where none is set."""
    for document in documents:
        for row in _rows(document, "Interface", "Lossless priorities"):
            if isinstance(row, Note):
                yield row
                continue
            name, listed = row.cells["Interface"], row.cells["Lossless priorities"]
            if name == "global":
                continue
            indices = numbers(listed)
            if not indices and listed not in ("N/A", ""):
                yield Note(row.line, "priorities such as 3,4 expected")
                continue
            on = Fact(frozenset(indices), (row.line,), "observed")
            yield Port(name, pfc=Pfc(priorities=on, operational=Fact(True, on.lines, "observed") if indices else None))


def read_watchdog(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show pfcwd config`: what the watchdog does on each port, and how often it polls."""
    for document in documents:
        poll: Fact[int] | None = None
        for index, text in enumerate(document.lines()):
            before, found, after = text.partition("Changed polling interval to ")
            interval = whole(after.partition("ms")[0]) if found and not before.strip() and "ms" in after else None
            if interval is not None:
                poll = Fact(interval, (document.line(index, text),), "observed")
        for row in _rows(document, "PORT", "ACTION"):
            if isinstance(row, Note):
                yield row
                continue
            at, cells = (row.line,), row.cells
            action = cells["ACTION"]
            detect, restore = cells.get("DETECTION TIME", ""), cells.get("RESTORATION TIME", "")
            yield Port(
                cells["PORT"],
                watchdog=Watchdog(
                    enabled=Fact(action != "N/A", at, "observed"),
                    running=Fact(True, at, "observed") if action != "N/A" else None,
                    poll_ms=poll,
                    detect_ms=_count(detect, row.line),
                    restore_ms=_count(restore, row.line),
                    action=Fact(action, at, "observed") if action in ("drop", "forward", "alert") else None,  # type: ignore[arg-type]
                ),
            )


def read_storms(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show pfcwd stats`: `Ethernet48:4`, its status, storms detected and restored, packets sent and dropped."""
    for document in documents:
        by_port: dict[str, dict[int, Fact[WatchdogQueue]]] = {}
        for row in _rows(document, "QUEUE", "STATUS"):
            if isinstance(row, Note):
                yield row
                continue
            name, _, index = row.cells["QUEUE"].rpartition(":")
            queue = whole(index)
            storms, tx, rx = (_pair(row, heading) for heading in ("STORM DETECTED/RESTORED", "TX OK/DROP", "RX OK/DROP"))
            status = row.cells["STATUS"]
            if not name or queue is None:
                yield Note(row.line, "a port and a queue such as Ethernet0:3 expected")
                continue
            found = WatchdogQueue(
                status=Fact(status, (row.line,), "observed") if status in ("operational", "stormed") else None,  # type: ignore[arg-type]
                detected=storms[0],
                restored=storms[1],
                tx_dropped=tx[1],
                rx_dropped=rx[1],
            )
            by_port.setdefault(name, {})[queue] = Fact(found, (row.line,), "observed")
        for name, entries in by_port.items():
            yield Port(name, watchdog=Watchdog(queues=Fact(Table(entries), next(iter(entries.values())).lines, "observed")))


def _pair(row: Record, heading: str) -> tuple[Fact[int] | None, Fact[int] | None]:
    first, _, second = row.cells.get(heading, "").partition("/")
    return _count(first, row.line), _count(second, row.line)


def _count(text: str, line: Line) -> Fact[int] | None:
    number = whole(text.replace(",", "").strip())
    return Fact(number, (line,), "observed") if number is not None else None


def read_pfc_counters(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show pfc counters`: frames received and sent by index, in two tables."""
    for document in documents:
        for table in tables(document):
            way = next((way for way in ("Rx", "Tx") if f"Port {way}" in table.headings), None)
            if way is None:
                continue
            for row in table.rows:
                counts = {index: _count(row.cells.get(f"PFC{index}", ""), row.line) for index in range(8)}
                stated = {index: fact for index, fact in counts.items() if fact is not None}
                name = row.cells[f"Port {way}"]
                if not row.whole:
                    yield Note(row.line, CUT)
                    yield Port(name)
                elif stated:
                    counted = Fact(Table(stated), (row.line,), "observed")
                    yield Port(name, counters=Counters(pfc_rx=counted) if way == "Rx" else Counters(pfc_tx=counted))


def read_group_drops(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show priority-group drop counters`: packets dropped by group, PG0 to PG7."""
    for document in documents:
        for row in _rows(document, "PG3"):
            if isinstance(row, Note):
                yield row
                continue
            name = row.cells.get("Port", "")
            counts = {index: _count(row.cells.get(f"PG{index}", ""), row.line) for index in range(8)}
            stated = {index: fact for index, fact in counts.items() if fact is not None}
            if name and stated:
                yield Port(name, counters=Counters(group_drops=Fact(Table(stated), (row.line,), "observed")))


def read_queue_drops(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show queue counters`: packets dropped by unicast queue, rows UC0 to UC7 of each port."""
    for document in documents:
        by_port: dict[str, dict[int, Fact[int]]] = {}
        for row in _rows(document, "Port", "TxQ"):
            if isinstance(row, Note):
                yield row
                continue
            queue = row.cells["TxQ"]
            dropped = next((row.cells[heading] for heading in row.cells if heading.replace(" ", "").startswith("Drop/pkts")), "")
            count, number = _count(dropped, row.line), whole(queue.removeprefix("UC"))
            if queue.startswith("UC") and number is not None and count is not None:
                by_port.setdefault(row.cells["Port"], {})[number] = count
        for name, entries in by_port.items():
            yield Port(name, counters=Counters(queue_drops=Fact(Table(entries), next(iter(entries.values())).lines, "observed")))


READERS = (
    Reader("show version", read_version, asked=("show version",), send=("show version",)),
    Reader(
        "show interfaces status", read_status, asked=("show interfaces status", "show interface status"), send=("show interfaces status",)
    ),
    Reader("show pfc priority", read_priority, asked=("show pfc priority ...",), send=("show pfc priority",)),
    Reader("show pfcwd config", read_watchdog, asked=("show pfcwd config ...",), send=("show pfcwd config",)),
    Reader("show pfcwd stats", read_storms, asked=("show pfcwd stats ...",), send=("show pfcwd stats",)),
    Reader("show pfc counters", read_pfc_counters, asked=("show pfc counters",), send=("show pfc counters",)),
    Reader(
        "show priority-group drop counters",
        read_group_drops,
        asked=("show priority-group drop counters",),
        send=("show priority-group drop counters",),
    ),
    Reader("show queue counters", read_queue_drops, asked=("show queue counters ...",), send=("show queue counters",)),
)
