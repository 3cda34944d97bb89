"""`ethtool -i`, `-a` and `-S`: driver, 802.3x pause and counters. Text and JSON as ethtool prints them: netlink/pause.c, ethtool.c."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Counters, GlobalPause
from roce_lint.platforms.platform import Lines, Reader, Statement, words
from roce_lint.text.numbered_json import Node, numbered
from roce_lint.text.numbers import whole

_FIELDS = {"driver": "driver", "version": "driver_version", "firmware-version": "firmware", "bus-info": "pci"}
_PASSED = ("expansion-rom-version", "supports-")
_SAID = {"on": True, "off": False}
_COUNTED = {
    ("rx", "pause"): "pfc_rx",
    ("tx", "pause"): "pfc_tx",
    ("rx", "packets"): "priority_rx_packets",
    ("tx", "packets"): "priority_tx_packets",
    ("rx", "discards"): "priority_discards",
}
_PAUSES = frozenset({"autonegotiate", "rx", "tx", "rx negotiated", "tx negotiated"})
Said = dict[str, tuple[bool, Line]]
PAUSE = "Pause parameters for "
COUNTERS = "NIC statistics"


def read_driver(documents: Sequence[Document]) -> Iterator[Statement]:
    """`driver: mlx5_core`, `version:`, `firmware-version:`, `bus-info:`. Without its command the port is named by its PCI address."""
    for document in documents:
        facts: dict[str, Fact[str]] = {}
        for index, text in enumerate(document.lines()):
            key, colon, value = text.partition(":")
            key, value = key.strip(), value.strip()
            name = _FIELDS.get(key)
            if name is not None and colon:
                if value and value != "N/A":
                    said = value.split()[0] if name == "firmware" else value
                    facts[name] = Fact(said, (document.line(index, text),), "observed")
            elif text.strip() and not key.startswith(_PASSED):
                yield Note(document.line(index, text), "no line of ethtool -i")
        port = _last(document) or (facts["pci"].value if "pci" in facts else None)
        if port is not None and facts:
            yield Port(port, **facts)  # type: ignore[arg-type]


def read_pause(documents: Sequence[Document]) -> Iterator[Statement]:
    """`RX: on`, `TX: on`, and below them what was negotiated, where that is known.

    With autonegotiation on, RX and TX are what the port offers. RX off is then never on, TX off only where RX is off too.
    """
    for document in documents:
        said: dict[str | None, Said] = {}
        is_json = document.read().lstrip().startswith("[")
        yield from _pause_in_json(document, said) if is_json else _pause_in_text(document, said)
        yield from (Port(name, global_pause=_pause(each)) for name, each in said.items() if name is not None and each)


def _pause_in_text(document: Document, said: dict[str | None, Said]) -> Iterator[Note]:
    name = _last(document)
    for index, text in enumerate(document.lines()):
        key, colon, value = (part.strip() for part in text.partition(":"))
        line = document.line(index, text)
        if key.startswith(PAUSE) and colon:
            name = key[len(PAUSE) :]
        elif colon and value in _SAID and key.lower() in _PAUSES:
            said.setdefault(name, {})[key.lower()] = (_SAID[value], line)
        elif text.strip():
            yield Note(line, "no line of ethtool -a")


def _pause_in_json(document: Document, said: dict[str | None, Said]) -> Iterator[Note]:
    json = numbered(document)
    note = json.note()
    if note is not None:
        yield note
    for item in (json.root.items if json.root is not None else None) or ():
        ifname, negotiated = item.get("ifname"), item.get("negotiated")
        name = (ifname.text() if ifname is not None else None) or _last(document)
        given: list[tuple[str, Node]] = [*item.pairs(), *((f"{key} negotiated", node) for key, node in (negotiated or Node(0)).pairs())]
        for key, node in given:
            if key not in _PAUSES:
                continue
            if isinstance(node.scalar, bool):
                said.setdefault(name, {})[key] = (node.scalar, json.line(node))
            else:
                yield Note(json.line(node), f"true or false expected for {key}")


def _pause(said: Said) -> GlobalPause:
    rx, tx = said.get("rx negotiated", said.get("rx")), said.get("tx negotiated", said.get("tx"))
    if "autonegotiate" in said and said["autonegotiate"][0] and "rx negotiated" not in said:
        never = rx is not None and not rx[0]
        rx, tx = (rx if never else None), (tx if never and tx is not None and not tx[0] else None)
    return GlobalPause(
        rx=Fact(rx[0], (rx[1],), "observed") if rx is not None else None,
        tx=Fact(tx[0], (tx[1],), "observed") if tx is not None else None,
    )


def read_counters(documents: Sequence[Document]) -> Iterator[Statement]:
    """`     name: value`, without the counters of single channels (`rx0_packets`); and by priority those of priorities."""
    for document in documents:
        port = _last(document)
        if port is None:
            head = next(((index, text) for index, text in enumerate(document.lines()) if text.strip()), None)
            if head is not None:
                yield Note(document.line(*head), "the command with the name of the port expected above", failed=True)
            continue
        named: dict[str, int] = {}
        by_kind: dict[str, dict[int, Fact[int]]] = {}
        first: Line | None = None
        for index, text in enumerate(document.lines()):
            key, _, value = text.strip().partition(": ")
            if key[2:3].isdecimal() and key[:2] in ("rx", "tx", "ch"):
                continue
            number = whole(value)
            if number is None:
                if key and not text.startswith(COUNTERS):
                    yield Note(document.line(index, text), "a counter and its value expected")
                continue
            first = first or document.line(index, text)
            named[key] = number
            if "_prio" in key:
                kind = _kind(key)
                if kind is not None:
                    by_kind.setdefault(kind[0], {})[kind[1]] = Fact(number, (document.line(index, text),), "observed")
        if first is not None:
            tables = {kind: Fact(Table(entries), next(iter(entries.values())).lines, "observed") for kind, entries in by_kind.items()}
            yield Port(port, counters=Counters(named=Fact(named, (first,), "observed"), **tables))


def _kind(name: str) -> tuple[str, int] | None:
    """The table and the priority of a counter of a priority: rx_prio3_pause."""
    way, _, rest = name.partition("_prio")
    number, _, what = rest.partition("_")
    kind = _COUNTED.get((way, what))
    return (kind, int(number)) if kind is not None and len(number) == 1 and number in "01234567" else None


def _last(document: Document) -> str | None:
    parts = words(document.command or "")
    return parts[-1] if len(parts) > 2 else None


def _shows_driver(lines: Lines) -> bool:
    return any(line.startswith("driver: ") for line in lines[:2]) and any(line.startswith("bus-info:") for line in lines[:8])


def _shows_pause(lines: Lines) -> bool:
    head = "".join(lines[:8]).strip()
    return any(line.startswith(PAUSE) for line in lines[:3]) or (head.startswith("[") and '"autonegotiate"' in head and '"ifname"' in head)


def _shows_counters(lines: Lines) -> bool:
    return any(line.rstrip() == f"{COUNTERS}:" for line in lines[:3])


READERS = (
    Reader(
        "ethtool -i",
        read_driver,
        asked=("ethtool -i {port}", "ethtool --driver {port}"),
        recognise=_shows_driver,
        send=("ethtool -i {port}",),
    ),
    Reader(
        "ethtool -a",
        read_pause,
        asked=("ethtool -a {port}", "ethtool --show-pause {port}", "ethtool --json -a {port}", "ethtool --json --show-pause {port}"),
        recognise=_shows_pause,
        send=("ethtool -a {port}",),
    ),
    Reader(
        "ethtool -S",
        read_counters,
        asked=("ethtool -S {port}", "ethtool --statistics {port}"),
        recognise=_shows_counters,
        send=("ethtool -S {port}",),
    ),
)
