"""What a SONiC switch says of itself: `show version`, `show interfaces status`, `show pfc ...`, `show pfcwd ...`, `show lldp table`.

Layouts: sonic-net/sonic-utilities scripts/intfutil, scripts/lldpshow, pfc/main.py, pfcwd/main.py and tests/. `show pfc` and `show pfcwd
config` print what CONFIG_DB holds, the others what runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from roce_lint.model.devices import Device
from roce_lint.model.document import Document, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Neighbour, Port
from roce_lint.model.qos import Pfc, Watchdog, WatchdogQueue
from roce_lint.platforms.platform import Lines, Reader, Statement
from roce_lint.platforms.sonic.answers import ABSENT, Row, asked, begins, number, rows
from roce_lint.platforms.sonic.fields import PORTS_OF
from roce_lint.platforms.sonic.watchdog import ACTIONS, BIG_RED_SWITCH
from roce_lint.text.numbers import numbers, whole

MBIT = 1_000_000
HIGHEST_QUEUE = PORTS_OF["QUEUE"]
UNITS = {"G": 1000, "M": 1}
STATES = {"up": True, "down": False}
SWITCHED = {"on": True, "off": False}
VERSION = "SONiC Software Version"
POLL, RED = "Changed polling interval to ", "BIG_RED_SWITCH status is enable"
_SPEED = re.compile(r"(\d{1,6})(?:\.(\d))?([GM])", re.ASCII)
_MAC = re.compile(r"[0-9a-f]{2}(?::[0-9a-f]{2}){5}", re.IGNORECASE)


def read_version(documents: Sequence[Document]) -> Iterator[Statement]:
    """`SONiC Software Version: SONiC.202305.12`, `HwSKU:`, `ASIC:`."""
    fields = {VERSION: "version", "HwSKU": "model", "ASIC": "asic"}
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
        for row in rows(document, "Interface", "Oper", "Admin", "Type"):
            if isinstance(row, Note):
                yield row
                continue
            at, vlan = (row.line,), row.text("Vlan")
            frame = row.count("MTU")
            asymmetric = row.fact("Asym PFC", SWITCHED.get, "on or off")
            yield Port(
                row.name,
                speed_bps=row.fact("Speed", _speed, "a speed such as 100G or 1000M"),
                mtu=frame,
                mtu_kind=Fact("l3", at, "default") if frame is not None else None,
                fec=row.word("FEC"),
                alias=row.word("Alias"),
                oper_up=row.fact("Oper", STATES.get, "up or down"),
                bond=Fact(vlan, at, "observed") if vlan.startswith("PortChannel") else None,
                routed=Fact(True, at, "observed") if vlan == "routed" else None,
                pfc=_asymmetric(asymmetric),
                admin_up=row.fact("Admin", STATES.get, "up or down"),
            )
            yield from row.notes


def _speed(text: str) -> int | None:
    """`100G`, `2.5G` or `1000M`."""
    match = _SPEED.fullmatch(text)
    return (int(match[1]) * 10 + int(match[2] or 0)) * UNITS[match[3]] * MBIT // 10 if match is not None else None


def _asymmetric(on: Fact[bool] | None) -> Pfc | None:
    """With asymmetric PFC a port obeys every index; that it sends only those that are on is what the others say."""
    return Pfc(rx=Fact(frozenset(range(8)), on.lines, "assumed")) if on is not None and on.value else None


def read_priority(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show pfc priority`: the lossless priorities of each port; N/A where none is set."""
    for document in documents:
        for row in rows(document, "Interface", "Lossless priorities", basis="configured"):
            if isinstance(row, Note):
                yield row
                continue
            name = row.name
            if name == "global":
                continue
            none = Fact(frozenset[int](), (row.line,), "configured") if row.text("Lossless priorities") == "N/A" else None
            yield Port(name, pfc=Pfc(priorities=none or row.fact("Lossless priorities", _indices, "indices such as 3,4")))
            yield from row.notes


def _indices(text: str) -> frozenset[int] | None:
    found = numbers(text)
    return frozenset(found) if found and max(found) < 8 else None


def read_asymmetric(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show pfc asymmetric`: on or off for each port."""
    for document in documents:
        for row in rows(document, "Interface", "Asymmetric", basis="configured"):
            if isinstance(row, Note):
                yield row
                continue
            yield Port(row.name, pfc=_asymmetric(row.fact("Asymmetric", SWITCHED.get, "on or off")))
            yield from row.notes


def read_watchdog(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show pfcwd config`: the ports that have a watchdog, what it does, and how often it polls."""
    for document in documents:
        polls: list[Fact[int]] = []
        for index, text in enumerate(document.lines()):
            stripped, line = text.strip(), document.line(index, text)
            if stripped.startswith(POLL):
                digits, unit, _ = stripped[len(POLL) :].partition("ms")
                interval = whole(digits) if unit else None
                if interval is not None:
                    polls.append(Fact(interval, (line,), "configured"))
                else:
                    yield Note(line, "an interval in ms expected")
            elif stripped.startswith(RED):
                yield Note(line, BIG_RED_SWITCH)
        alike = polls[0] if len({poll.value for poll in polls}) == 1 else None
        if polls and alike is None:
            yield Note(polls[1].lines[0], "one interval expected: which ASIC a port is of is not told")
        for row in rows(document, "PORT", "ACTION", "DETECTION TIME", "RESTORATION TIME", basis="configured"):
            if isinstance(row, Note):
                yield row
                continue
            at, has_one = (row.line,), row.text("ACTION") not in ABSENT
            yield Port(
                row.name,
                watchdog=Watchdog(
                    enabled=Fact(True, at, "configured") if has_one else None,
                    running=Fact(True, at, "default") if has_one else None,
                    poll_ms=alike,
                    detect_ms=row.count("DETECTION TIME"),
                    restore_ms=row.count("RESTORATION TIME") if row.text("RESTORATION TIME") != "infinite" else None,
                    action=row.fact("ACTION", ACTIONS.get, "drop, forward or alert"),
                ),
            )
            yield from row.notes


def read_storms(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show pfcwd stats`: `Ethernet48:4`, its status, storms detected and restored, packets sent and dropped.

    A queue without a storm and a packet has no row (pfcwd/main.py of sonic-net/sonic-utilities); of one without a row nothing is known
    where any row could not be read.
    """
    for document in documents:
        readable = document.ends and ":" not in (document.command or "")
        by_port: dict[str, dict[int, Fact[WatchdogQueue]]] = {}
        for row in rows(document, "QUEUE", "STATUS", "STORM DETECTED/RESTORED", "RX OK/DROP"):
            if isinstance(row, Note):
                readable = False
                yield row
                continue
            name, _, index = row.name.rpartition(":")
            queue = whole(index)
            if not name or queue is None or queue > HIGHEST_QUEUE:
                readable = False
                yield Note(row.line, "a port and a queue such as Ethernet0:3 expected")
                continue
            storms, sent, received = (_pair(row, heading) for heading in ("STORM DETECTED/RESTORED", "TX OK/DROP", "RX OK/DROP"))
            found = WatchdogQueue(
                status=row.fact("STATUS", _status, "operational or stormed"),
                detected=storms[0],
                restored=storms[1],
                tx_dropped=sent[1],
                rx_dropped=received[1],
            )
            by_port.setdefault(name, {})[queue] = Fact(found, (row.line,), "observed")
            yield from row.notes
        for name, entries in by_port.items():
            first = next(iter(entries.values()))
            quiet = WatchdogQueue(*(Fact(each, first.lines, "observed") for each in ("operational", 0, 0, 0, 0)))  # type: ignore[arg-type]
            rest = Fact(quiet, first.lines, "observed") if readable else None
            yield Port(name, watchdog=Watchdog(queues=Fact(Table(entries, rest), first.lines, "observed")))


def _status(text: str) -> Literal["operational", "stormed"] | None:
    match text:
        case "operational" | "stormed":
            return text
    return None


def _pair(row: Row, heading: str) -> tuple[Fact[int] | None, Fact[int] | None]:
    """Two counts such as `3/2`."""
    both = row.fact(heading, _counts, "two numbers such as 3/2")
    if both is None:
        return None, None
    first, second = both.value
    return Fact(first, both.lines, both.basis), Fact(second, both.lines, both.basis)


def _counts(text: str) -> tuple[int, int] | None:
    first, _, second = text.partition("/")
    one, other = number(first), number(second)
    return (one, other) if one is not None and other is not None else None


def read_neighbours(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show lldp table`: the neighbour's name and its id and description of the port; a port id that is a MAC tells no name."""
    for document in documents:
        for row in rows(document, "LocalPort", "RemoteDevice", "RemotePortID"):
            if isinstance(row, Note):
                yield row
                continue
            if row.text("RemoteDevice") in ABSENT and row.text("RemotePortID") in ABSENT:
                continue
            identity, description = row.word("RemotePortID"), row.word("RemotePortDescr")
            mac = identity if identity is not None and _MAC.fullmatch(identity.value) else None
            neighbour = Neighbour(
                "lldp",
                device=row.word("RemoteDevice"),
                port=description if mac is not None else identity,
                port_mac=mac,
                description=description,
            )
            yield Port(row.name, neighbours=(neighbour,))


def read_expected(documents: Sequence[Document]) -> Iterator[Statement]:
    """`show interfaces neighbor expected`: what DEVICE_NEIGHBOR plans."""
    for document in documents:
        for row in rows(document, "LocalPort", "Neighbor", "NeighborPort", basis="configured"):
            if isinstance(row, Note):
                yield row
                continue
            if row.text("Neighbor") not in (*ABSENT, "None"):
                yield Port(row.name, neighbours=(Neighbour("plan", device=row.word("Neighbor"), port=row.word("NeighborPort")),))


def _shows_version(lines: Lines) -> bool:
    return any(line.strip().startswith(f"{VERSION}:") for line in lines[:3])


READERS = (
    Reader("show version", read_version, asked=("show version",), recognise=_shows_version, send=("show version",)),
    Reader(
        "show interfaces status",
        read_status,
        asked=asked("show interfaces status", "show interface status"),
        recognise=begins("Interface", "Lanes", "Speed", "MTU", "Oper", "Admin"),
        send=("show interfaces status",),
    ),
    Reader(
        "show pfc priority",
        read_priority,
        asked=asked("show pfc priority"),
        recognise=begins("Interface", "Lossless priorities"),
        send=("show pfc priority",),
    ),
    Reader("show pfc asymmetric", read_asymmetric, asked=asked("show pfc asymmetric"), recognise=begins("Interface", "Asymmetric")),
    Reader(
        "show pfcwd config",
        read_watchdog,
        asked=asked("show pfcwd config"),
        recognise=begins("PORT", "ACTION", "DETECTION TIME", "RESTORATION TIME"),
        send=("show pfcwd config",),
    ),
    Reader(
        "show pfcwd stats",
        read_storms,
        asked=asked("show pfcwd stats"),
        recognise=begins("QUEUE", "STATUS", "STORM DETECTED/RESTORED"),
        send=("show pfcwd stats",),
    ),
    Reader(
        "show interfaces neighbor expected",
        read_expected,
        asked=asked("show interfaces neighbor expected", "show interface neighbor expected"),
        recognise=begins("LocalPort", "Neighbor", "NeighborPort"),
    ),
    Reader(
        "show lldp table",
        read_neighbours,
        asked=("show lldp table",),
        recognise=begins("LocalPort", "RemoteDevice", "RemotePortID"),
    ),
)
