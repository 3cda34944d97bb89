"""`nv show qos roce` and `nv show interface X qos roce status`: what RoCE runs as, in tables for people.

Layout: CumulusNetworks/docs RDMA-over-Converged-Ethernet-RoCE. Sizes are 1024-based and rounded: 146.48 KB is 150000 bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_lint.model.devices import EVERY_PORT, Device
from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Marking, Pfc, Queue, Scheduler, Trust
from roce_lint.platforms.platform import Reader, Statement, words
from roce_lint.text.numbers import numbers, whole

SIZES = {"bytes": 1, "b": 1, "kb": 1024, "mb": 1024**2, "gb": 1024**3}
TRUSTS: dict[str, Trust] = {"pcp": "pcp", "dscp": "dscp", "pcp,dscp": "both", "dscp,pcp": "both", "port": "port"}
ON = frozenset({"enabled", "yes", "on"})


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """The port that was asked about, or every port of the switch."""
    for document in documents:
        parts = words(document.command or "")
        name = parts[3] if parts[:3] == ["nv", "show", "interface"] and len(parts) > 3 else EVERY_PORT
        yield from _answer(document, name)


def _answer(document: Document, name: str) -> Iterator[Statement]:
    values: dict[str, tuple[str, Line]] = {}
    rows: dict[str, list[tuple[list[str], Line]]] = {}
    section, group = "", ""
    for index, text in enumerate(document.lines()):
        line = document.line(index, text)
        stripped = text.strip()
        if not stripped or set(stripped) <= set("-= "):
            continue
        if stripped.startswith(("RoCE ", "Exception List")):
            section, group = stripped, ""
        elif section == "":
            cells = _cells(text)
            if len(cells) == 1 and not text.startswith(" "):
                group = cells[0]
            elif len(cells) > 1 and cells[0] not in ("operational", "applied"):
                values[f"{group}.{cells[0]}" if text.startswith(" ") else cells[0]] = (cells[1], line)
        else:
            rows.setdefault(section, []).append((_cells(text), line))
    yield from _device(values, rows)
    yield from _port(name, values, rows)


def _cells(text: str) -> list[str]:
    """The cells of a row, which two blanks or more part."""
    return [cell.strip() for cell in text.replace("\t", "  ").split("  ") if cell.strip()]


def _device(values: dict[str, tuple[str, Line]], rows: dict[str, list[tuple[list[str], Line]]]) -> Iterator[Device]:
    mode = values.get("mode")
    listed = rows.get("Exception List")
    exceptions = None
    if listed:
        said = tuple(" ".join(cells) for cells, _ in listed if cells not in (["No Data"], ["No", "Data"]) and not _is_head(cells))
        exceptions = Fact(said, (listed[0][1],), "observed")
    if mode is not None or exceptions is not None:
        yield Device("", roce_mode=Fact(mode[0], (mode[1],), "observed") if mode else None, roce_exceptions=exceptions)


def _is_head(cells: list[str]) -> bool:
    return cells[0] in ("description", "exception")


def _port(name: str, values: dict[str, tuple[str, Line]], rows: dict[str, list[tuple[list[str], Line]]]) -> Iterator[Port | Note]:
    maps = next((found for title, found in rows.items() if "->SP mapping" in title), [])
    scheduling = next((found for title, found in rows.items() if "SP->TC mapping" in title), [])
    pcps, dscps = _marks(maps)
    queue_of, schedulers = _traffic_classes(scheduling)
    markings = _markings(values)
    queues = {
        tc: Fact(Queue(marking=markings.get(tc), scheduler=schedulers.get(tc)), (markings.get(tc) or schedulers[tc]).lines, "observed")
        for tc in sorted({*markings, *schedulers})
    }
    trust = values.get("trust.trust-mode")
    cable = values.get("pfc.cable-length")
    yield Port(
        name,
        trust=Fact(TRUSTS[trust[0]], (trust[1],), "observed") if trust is not None and trust[0] in TRUSTS else None,
        cable_length_m=_whole(cable),
        pfc=_pfc(values),
        dscp_to_priority=_table(dscps),
        pcp_to_priority=_table(pcps),
        priority_to_queue=_table(queue_of),
        queues=Fact(Table(queues), next(iter(queues.values())).lines, "observed") if queues else None,
    )


def _whole(said: tuple[str, Line] | None) -> Fact[int] | None:
    number = whole(said[0]) if said is not None else None
    return Fact(number, (said[1],), "observed") if said is not None and number is not None else None


def _table(entries: dict[int, Fact[int]]) -> Fact[Table[int]] | None:
    return Fact(Table(entries), next(iter(entries.values())).lines, "observed") if entries else None


def _pfc(values: dict[str, tuple[str, Line]]) -> Pfc | None:
    on = values.get("pfc.pfc-priority")
    if on is None:
        return None
    listed, line = on
    indices = Fact(frozenset(numbers(listed)), (line,), "observed")
    ways = {}
    for way in ("rx", "tx"):
        said = values.get(f"pfc.{way}-enabled")
        if said is not None and said[0] not in ON:
            ways[way] = Fact(frozenset[int](), (said[1], line), "observed")
    return Pfc(mode=Fact("on" if indices.value else "off", (line,), "observed"), priorities=indices, rx=ways.get("rx"), tx=ways.get("tx"))


def _size(text: str) -> int | None:
    number, _, unit = text.partition(" ")
    try:
        return round(float(number) * SIZES[unit.strip().lower() or "bytes"])
    except (ValueError, KeyError):
        return None


def _markings(values: dict[str, tuple[str, Line]]) -> dict[int, Fact[Marking]]:
    enabled, mode = values.get("congestion-control.enabled-tc"), values.get("congestion-control.congestion-mode")
    if enabled is None:
        return {}
    marks = mode is None or "ecn" in mode[0].lower()
    low, high, probability = (values.get(f"congestion-control.{name}") for name in ("min-threshold", "max-threshold", "probability"))
    sizes = [
        Fact(size, (said[1],), "observed") if said is not None and (size := _size(said[0])) is not None else None for said in (low, high)
    ]
    percent = _whole(probability)
    chance = Fact(percent.value / 100, percent.lines, "observed") if percent is not None else None
    found: dict[int, Fact[Marking]] = {}
    on = numbers(enabled[0].replace(" ", ""))
    at = (enabled[1],)
    for tc in range(8):
        active = tc in on and marks
        marking = Marking(
            ecn=Fact(active, at, "observed"),
            drops=Fact(False, at, "observed") if active else None,
            kmin_bytes=sizes[0] if active else None,
            kmax_bytes=sizes[1] if active else None,
            mark_probability=chance if active else None,
        )
        found[tc] = Fact(marking, at, "observed")
    return found


def _marks(rows: list[tuple[list[str], Line]]) -> tuple[dict[int, Fact[int]], dict[int, Fact[int]]]:
    """PCP and DSCP to switch priority: row number, PCPs, DSCPs, switch priority."""
    pcps: dict[int, Fact[int]] = {}
    dscps: dict[int, Fact[int]] = {}
    for cells, line in rows:
        priority = whole(cells[3]) if len(cells) == 4 else None
        if priority is None:
            continue
        fact = Fact(priority, (line,), "observed")
        pcps.update(dict.fromkeys(numbers(cells[1]), fact))
        dscps.update(dict.fromkeys(numbers(cells[2]), fact))
    return pcps, dscps


def _traffic_classes(rows: list[tuple[list[str], Line]]) -> tuple[dict[int, Fact[int]], dict[int, Fact[Scheduler]]]:
    queue_of: dict[int, Fact[int]] = {}
    schedulers: dict[int, Fact[Scheduler]] = {}
    for cells, line in rows:
        tc = whole(cells[2]) if len(cells) == 4 else None
        if tc is None:
            continue
        queue_of.update(dict.fromkeys(numbers(cells[1]), Fact(tc, (line,), "observed")))
        word = cells[3].lower()
        percent = word.partition("-")[2].rstrip("%")
        share = Fact(float(percent), (line,), "observed") if word.startswith("dwrr") and percent.replace(".", "").isdigit() else None
        scheduling = Fact("strict" if word.startswith("strict") else "dwrr", (line,), "observed")
        schedulers.setdefault(tc, Fact(Scheduler(scheduling=scheduling, share=share), (line,), "observed"))  # type: ignore[arg-type]
    return queue_of, schedulers


READERS = (
    Reader("nv show qos roce", read, asked=("nv show qos roce",), send=("nv show qos roce",)),
    Reader("nv show interface qos roce", read, asked=("nv show interface {port} qos roce", "nv show interface {port} qos roce status")),
)
