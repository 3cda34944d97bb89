"""What it takes several files or lines of sysfs to state: enabled priorities, receive buffers, GID tables, counters.

Layout of qos/buffer_size and qos/prio2buffer: MLNX_OFED en_sysfs.c. A buffer sends XOFF at its threshold; what is above it is headroom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from roce_lint.model.devices import Gid, Rdma
from roce_lint.model.document import Line, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer, Priorities
from roce_lint.platforms.linux.gids import gid
from roce_lint.platforms.platform import Statement
from roce_lint.text.numbers import whole

Value = tuple[str, Line]
LARGEST = 1 << 32  # bytes of a buffer
INDICES = tuple("01234567")
_BUFFER_HEADS = ("Port buffer size", "Spare buffer size", "Buffer")


@dataclass(slots=True)
class Tables:
    """Values by what they are of: by port and way, by port, by RDMA device."""

    enabled: dict[tuple[str, str], dict[int, Value]] = field(default_factory=dict)
    buffers: dict[str, list[Value]] = field(default_factory=dict)
    groups: dict[str, list[Value]] = field(default_factory=dict)
    gids: dict[str, dict[int, dict[str, Value]]] = field(default_factory=dict)
    counters: dict[str, dict[str, Value]] = field(default_factory=dict)


def every(tables: Tables) -> Iterator[Statement]:
    """What the tables state."""
    for (port, way), values in tables.enabled.items():
        yield from (Note(line, "0 or 1 expected") for text, line in values.values() if text not in ("0", "1"))
        priorities = Priorities(_enabled(values))
        yield Port(port, np=priorities) if way == "roce_np" else Port(port, rp=priorities)
    for port, rows in tables.buffers.items():
        yield from _buffers(port, rows)
    for port, rows in tables.groups.items():
        yield from _groups(port, rows)
    for name, entries in tables.gids.items():
        yield from _gids(name, entries)
    for name, counters in tables.counters.items():
        yield from (Note(line, f"a number expected for {each}") for each, (text, line) in counters.items() if whole(text) is None)
        numbers = {each: number for each, (text, _) in counters.items() if (number := whole(text)) is not None}
        if numbers:
            yield Rdma(name, counters=Fact(numbers, (next(iter(counters.values()))[1],), "observed"))


def _enabled(values: Mapping[int, Value]) -> Fact[Table[bool]] | None:
    """Whether a point is on, for each priority whose file could be read: it is empty where the firmware gave an error."""
    entries = {priority: Fact(text == "1", (line,), "observed") for priority, (text, line) in values.items() if text in ("0", "1")}
    return Fact(Table(entries), next(iter(entries.values())).lines, "observed") if entries else None


def _buffers(port: str, rows: Sequence[Value]) -> Iterator[Statement]:
    """`0 20016 0 0`: buffer, size, threshold to stop and to go on, in bytes; a lossy buffer has no thresholds."""
    entries: dict[int, Fact[Buffer]] = {}
    for text, line in rows:
        if text.startswith(_BUFFER_HEADS):
            continue
        numbers = [number for cell in text.split() if (number := whole(cell)) is not None]
        if len(numbers) != 4 or len(text.split()) != 4 or numbers[0] > 7 or max(numbers[2:]) > numbers[1] or numbers[1] > LARGEST:
            yield Note(line, "a buffer, its size and two thresholds of no more expected")
            continue
        index, size, stop, go = numbers
        lossless = 0 < stop <= size
        buffer = Buffer(
            size_bytes=Fact(size, (line,), "observed"),
            xoff_bytes=Fact(size - stop, (line,), "observed") if lossless else None,
            xon_bytes=Fact(go, (line,), "observed") if lossless else None,
        )
        entries[index] = Fact(buffer, (line,), "observed")
    if entries:
        yield Port(port, groups=Fact(Table(entries), next(iter(entries.values())).lines, "observed"))


def _groups(port: str, rows: Sequence[Value]) -> Iterator[Statement]:
    """`3 1`: a priority and its buffer."""
    entries: dict[int, Fact[int]] = {}
    for text, line in rows:
        match text.split():
            case ["Priority", "Buffer"]:
                pass
            case [priority, buffer] if priority in INDICES and buffer in INDICES:
                entries[int(priority)] = Fact(int(buffer), (line,), "observed")
            case _:
                yield Note(line, "a priority and a buffer expected")
    if entries:
        yield Port(port, priority_to_group=Fact(Table(entries), next(iter(entries.values())).lines, "observed"))


def _gids(name: str, entries: Mapping[int, Mapping[str, Value]]) -> Iterator[Rdma]:
    table: dict[int, Fact[Gid]] = {}
    netdev: Fact[str] | None = None
    for index, parts in sorted(entries.items()):
        device = parts.get("ndevs")
        if device is not None and netdev is None:
            netdev = Fact(device[0], (device[1],), "observed")
        address = parts.get("gid")
        if address is None or set(address[0]) <= set("0:"):
            continue
        kind = parts.get("types")
        lines = tuple(part[1] for part in (address, kind, device) if part is not None)
        table[index] = Fact(gid(address[0], kind[0] if kind else None, device[0] if device else None), lines, "observed")
    known = Fact(Table(table), next(iter(table.values())).lines[:1], "observed") if table else None
    if known is not None or netdev is not None:
        yield Rdma(name, gids=known, netdev=netdev)
