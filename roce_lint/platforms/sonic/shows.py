"""What a SONiC switch says of itself: `show version`, `show interfaces status`, `show pfc priority`, `show pfcwd ...`.

Layouts: sonic-net/sonic-utilities and its tests/.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_lint.model.devices import Device
from roce_lint.model.document import Document, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Pfc, Watchdog, WatchdogQueue
from roce_lint.platforms.platform import Reader, Statement
from roce_lint.platforms.sonic.counters import count, rows
from roce_lint.platforms.sonic.watchdog import BIG_RED_SWITCH
from roce_lint.text.columns import Record
from roce_lint.text.numbers import numbers, whole

SPEEDS = {"G": 1_000_000_000, "M": 1_000_000}


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
        for row in rows(document, "Interface"):
            if isinstance(row, Note):
                yield row
                continue
            at, cells = (row.line,), row.cells
            speed, mtu = cells.get("Speed", ""), cells.get("MTU", "")
            number = whole(speed[:-1]) if speed[-1:] in SPEEDS else None
            frame, vlan = count(mtu, row.line), cells.get("Vlan", "")
            yield Port(
                cells["Interface"],
                speed_bps=Fact(number * SPEEDS[speed[-1]], at, "observed") if number is not None else None,
                mtu=frame,
                mtu_kind=Fact("l3", at, "default") if frame is not None else None,
                fec=Fact(cells["FEC"], at, "observed") if cells.get("FEC", "N/A") != "N/A" else None,
                alias=Fact(cells["Alias"], at, "observed") if cells.get("Alias", "N/A") != "N/A" else None,
                oper_up=Fact(cells["Oper"] == "up", at, "observed") if cells.get("Oper") in ("up", "down") else None,
                bond=Fact(vlan, at, "observed") if vlan.startswith("PortChannel") else None,
                routed=Fact(True, at, "observed") if vlan == "routed" else None,
                pfc=Pfc(rx=Fact(frozenset(range(8)), at, "assumed")) if cells.get("Asym PFC") == "on" else None,
                admin_up=Fact(cells["Admin"] == "up", at, "observed") if cells.get("Admin") in ("up", "down") else None,
            )


def read_priority(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show pfc priority`: the lossless priorities of each port; N/A where none is set."""
    for document in documents:
        for row in rows(document, "Interface", "Lossless priorities"):
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
            if text.strip().startswith("BIG_RED_SWITCH status is enable"):
                yield Note(document.line(index, text), BIG_RED_SWITCH)
        for row in rows(document, "PORT", "ACTION"):
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
                    detect_ms=count(detect, row.line),
                    restore_ms=count(restore, row.line),
                    action=Fact(action, at, "observed") if action in ("drop", "forward", "alert") else None,  # type: ignore[arg-type]
                ),
            )


def read_storms(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show pfcwd stats`: `Ethernet48:4`, its status, storms detected and restored, packets sent and dropped.

    A queue without a storm and a packet has no row (pfcwd/main.py of sonic-net/sonic-utilities).
    """
    for document in documents:
        by_port: dict[str, dict[int, Fact[WatchdogQueue]]] = {}
        for row in rows(document, "QUEUE", "STATUS"):
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
            first = next(iter(entries.values()))
            quiet = WatchdogQueue(*(Fact(each, first.lines, "observed") for each in ("operational", 0, 0, 0, 0)))  # type: ignore[arg-type]
            rest = Fact(quiet, first.lines, "observed") if document.ends and ":" not in (document.command or "") else None
            yield Port(name, watchdog=Watchdog(queues=Fact(Table(entries, rest), first.lines, "observed")))


def _pair(row: Record, heading: str) -> tuple[Fact[int] | None, Fact[int] | None]:
    first, _, second = row.cells.get(heading, "").partition("/")
    return count(first, row.line), count(second, row.line)


READERS = (
    Reader("show version", read_version, asked=("show version",), send=("show version",)),
    Reader(
        "show interfaces status", read_status, asked=("show interfaces status", "show interface status"), send=("show interfaces status",)
    ),
    Reader("show pfc priority", read_priority, asked=("show pfc priority ...",), send=("show pfc priority",)),
    Reader("show pfcwd config", read_watchdog, asked=("show pfcwd config ...",), send=("show pfcwd config",)),
    Reader("show pfcwd stats", read_storms, asked=("show pfcwd stats ...",), send=("show pfcwd stats",)),
)
