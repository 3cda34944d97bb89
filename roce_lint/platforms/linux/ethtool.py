"""`ethtool -i`, `-a` and `-S`: driver, 802.3x pause and counters. Text as ethtool prints it; `--json -a` from 6.1 on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Counters, GlobalPause
from roce_lint.platforms.platform import Reader, Statement, words
from roce_lint.text.numbered_json import numbered


def read_driver(documents: Sequence[Document]) -> Iterator[Statement]:
    """`driver: mlx5_core`, `version:`, `firmware-version:`, `bus-info:`."""
    fields = {"driver": "driver", "version": "driver_version", "firmware-version": "firmware", "bus-info": "pci"}
    for document in documents:
        facts: dict[str, Fact[str]] = {}
        for index, text in enumerate(document.lines()):
            key, colon, value = text.partition(":")
            name = fields.get(key.strip())
            if colon and name is not None and value.strip():
                said = value.split()[0] if name == "firmware" else value.strip()
                facts[name] = Fact(said, (document.line(index, text),), "observed")
        port = _last(document)
        if port is not None and facts:
            yield Port(port, **facts)  # type: ignore[arg-type]


def read_pause(documents: Sequence[Document]) -> Iterator[Statement]:
    """`RX: on`, `TX: on`. What is negotiated is not forced: with autonegotiation on, only off is stated."""
    for document in documents:
        port = _last(document)
        said = dict(_json_pause(document) if document.read().lstrip().startswith("[") else _text_pause(document))
        if port is None or not said:
            continue
        negotiated = "autonegotiate" in said and said["autonegotiate"][0]
        yield Port(port, global_pause=GlobalPause(rx=_forced(said.get("rx"), negotiated), tx=_forced(said.get("tx"), negotiated)))


def _forced(said: tuple[bool, Line] | None, negotiated: bool) -> Fact[bool] | None:
    if said is None or (negotiated and said[0]):
        return None
    return Fact(said[0], (said[1],), "observed")


def _text_pause(document: Document) -> Iterator[tuple[str, tuple[bool, Line]]]:
    for index, text in enumerate(document.lines()):
        key, colon, value = text.partition(":")
        if colon and value.strip() in ("on", "off"):
            yield key.strip().lower(), (value.strip() == "on", document.line(index, text))


def _json_pause(document: Document) -> Iterator[tuple[str, tuple[bool, Line]]]:
    json = numbered(document)
    for item in (json.root.items if json.root is not None else None) or ():
        for key, node in item.pairs():
            if isinstance(node.scalar, bool):
                yield key.lower(), (node.scalar, json.line(node))


def read_counters(documents: Sequence[Document]) -> Iterator[Statement]:
    """`     name: value`; of an mlx5 port a pause counter of a priority is there only where PFC is on for it."""
    for document in documents:
        port = _last(document)
        if port is None:
            continue
        named: dict[str, int] = {}
        by_kind: dict[str, dict[int, Fact[int]]] = {}
        first: Line | None = None
        for index, text in enumerate(document.lines()):
            key, colon, value = text.partition(":")
            number = value.strip()
            if not colon or not number.isdigit():
                continue
            line = document.line(index, text)
            first = first or line
            named[key.strip()] = int(number)
            kind = _kind(key.strip())
            if kind is not None:
                by_kind.setdefault(kind[0], {})[kind[1]] = Fact(int(number), (line,), "observed")
        if first is not None:
            tables = {kind: Fact(Table(entries), next(iter(entries.values())).lines, "observed") for kind, entries in by_kind.items()}
            yield Port(port, counters=Counters(named=Fact(named, (first,), "observed"), **tables))


def _kind(name: str) -> tuple[str, int] | None:
    """The table and the priority of a counter of a priority: rx_prio3_pause."""
    kinds = {
        ("rx", "pause"): "pfc_rx",
        ("tx", "pause"): "pfc_tx",
        ("rx", "packets"): "priority_rx_packets",
        ("tx", "packets"): "priority_tx_packets",
        ("rx", "discards"): "priority_discards",
    }
    way, _, rest = name.partition("_prio")
    number, _, what = rest.partition("_")
    kind = kinds.get((way, what))
    return (kind, int(number)) if kind is not None and number.isdigit() else None


def _last(document: Document) -> str | None:
    parts = words(document.command or "")
    return parts[-1] if len(parts) > 2 else None


READERS = (
    Reader("ethtool -i", read_driver, asked=("ethtool -i {port}", "ethtool --driver {port}"), send=("ethtool -i {port}",)),
    Reader(
        "ethtool -a",
        read_pause,
        asked=("ethtool -a {port}", "ethtool --show-pause {port}", "ethtool --json -a {port}"),
        send=("ethtool -a {port}",),
    ),
    Reader("ethtool -S", read_counters, asked=("ethtool -S {port}", "ethtool --statistics {port}"), send=("ethtool -S {port}",)),
)
