"""`mlxconfig -d BDF [-e] q`: what the firmware holds, by default, now and after the next boot.

Columns, names and the JSON of -j: Mellanox/mstflint mlxconfig/mlxcfg_ui.cpp. Long values break the columns, so a row is split at blanks.
What the driver may set differently afterwards (CNP marks, the priorities of DCQCN) is a `default` by the current column, what only the
firmware decides is `observed`; the trust state is stated for the next boot alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Basis, Fact, Table, combined, derived
from roce_lint.model.ports import Port
from roce_lint.model.qos import Cnp, Dcbx, Priorities, Trust
from roce_lint.platforms.platform import Lines, Reader, Statement, words
from roce_lint.text.numbered_json import Node, numbered

ADDRESS = re.compile(r"(?:([0-9a-f]{4}):)?([0-9a-f]{2}:[0-9a-f]{2})\.([0-7])", re.IGNORECASE)
_NUMBER = re.compile(r"(?:[\w.\-]*\((0x[0-9a-fA-F]{1,16}|\d{1,20})\)|(0x[0-9a-fA-F]{1,16}|\d{1,20}))", re.ASCII)
_NOTHING = ("N/A", "-")
_HIGHEST = {
    "ROCE_CC_PRIO_MASK": 255,
    "CNP_DSCP": 63,
    "CNP_802P_PRIO": 7,
    "MIN_TIME_BETWEEN_CNPS": 1 << 16,
    "QOS_TRUST_STATE": 3,
    "LLDP_NB_DCBX": 1,
    "LLDP_NB_RX_MODE": 2,
    "LLDP_NB_TX_MODE": 2,
    "DCBX_WILLING": 1,
}  # of the settings that are read
_ROW = re.compile(r"[A-Z][A-Z0-9_]+ [\w.\-]+(?:\(\w+\)|\[[\d.]+\])?(?: [\w.\-]+(?:\(\w+\)|\[[\d.]+\])?){0,2}", re.ASCII)
_TRUST: Mapping[int, Trust] = {0: "port", 1: "pcp", 2: "dscp", 3: "both"}
_MARKS = ("*", "RO")
_FOOTER = "The '*' shows parameters with next value different from default/current value"
_HEAD = ("Device #", "Device type:", "Name:", "Description:", "Configurations:", "---", _FOOTER)
LLDP_OFF, LLDP_ALL = 0, 2


@dataclass(slots=True)
class _Value:
    """A setting now and after the next boot, as printed; None where that column is not there."""

    now: str | None
    later: str
    line: Line


@dataclass(slots=True)
class _Card:
    """One device of an answer: its PCI address and its settings."""

    address: str | None
    line: Line
    values: dict[str, _Value] = field(default_factory=dict)


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """Ports by their PCI address: a setting that ends in _P1 is of function 0 of a card, one in _P2 of function 1."""
    for document in documents:
        structured = document.read().lstrip()[:1] == "{"
        cards: list[_Card] = []
        yield from _json(document, cards) if structured else _text(document, cards)
        for card in cards:
            yield from _faults(card)
            yield from _ports(card)


def _faults(card: _Card) -> Iterator[Note]:
    """A Note for each setting that is read and holds no number that it can hold."""
    for name, value in card.values.items():
        most = _HIGHEST.get(name[:-3])
        if most is not None and any(
            each not in (None, *_NOTHING) and _number(name[:-3], each) is None for each in (value.now, value.later)
        ):
            yield Note(value.line, f"a number from 0 to {most} expected for {name}")


def _text(document: Document, cards: list[_Card]) -> Iterator[Note]:
    asked, card = address(_asked(document.command)), None
    columns: int | None = None
    for index, text in enumerate(document.lines()):
        parts = text.split()
        line = document.line(index, text)
        match parts:
            case ["Device:", *_]:
                card = _Card(address(parts[-1]) or asked, line)
                cards.append(card)
            case ["Configurations:", *_]:
                columns = 3 if "Current" in parts else 1
                if card is None:
                    card = _Card(asked, line)
                    cards.append(card)
            case _ if not parts or text.lstrip().startswith(_HEAD):
                pass
            case _:
                columns = columns or (3 if len(parts) - (parts[0] in _MARKS) > 3 else 1)
                row = _row(parts, columns)
                if card is None and row is not None:
                    card = _Card(asked, line)
                    cards.append(card)
                if row is None or card is None:
                    yield Note(line, f"a name and {columns} value{'s' if columns > 1 else ''} expected")
                else:
                    card.values[row[0]] = _Value(row[1], row[2], line)
    for each in cards:
        if each.address is None and each.values:
            yield Note(each.line, "the PCI address of the card expected", failed=True)


def _row(parts: Sequence[str], columns: int) -> tuple[str, str | None, str] | None:
    """Name, current and next value of a row; the marks * and RO before the name are passed over."""
    rest = list(parts)
    while rest and rest[0] in _MARKS:
        rest.pop(0)
    if len(rest) != columns + 1 or not rest[0].isupper() or not rest[0].replace("_", "").isalnum():
        return None
    return rest[0], rest[2] if columns == 3 else None, rest[-1]


def _json(document: Document, cards: list[_Card]) -> Iterator[Note]:
    json = numbered(document)
    note = json.note()
    if note is not None:
        yield note
    for _, device in json.root.pairs() if json.root is not None else ():
        settings, where = device.get("tlv_configuration"), device.get("device")
        if settings is None:
            continue
        card = _Card(address(where.text() if where is not None else None) or address(_asked(document.command)), json.line(device))
        for name, node in settings.pairs():
            later = _member(node, "next_value")
            if later is not None:
                card.values[name] = _Value(_member(node, "current_value"), later, json.line(node))
        if card.address is None:
            yield Note(card.line, "the PCI address of the card expected", failed=True)
        cards.append(card)


def _member(node: Node, key: str) -> str | None:
    member = node.get(key)
    return member.text() if member is not None else None


def _asked(command: str | None) -> str | None:
    parts = words(command or "")
    return next((after for before, after in pairwise(parts) if before in ("-d", "--dev", "--device")), None)


def address(text: str | None) -> str | None:
    """A PCI address with its domain; None where the text is none, as the name of an mst device is not."""
    match = ADDRESS.fullmatch(text or "")
    return f"{match[1] or '0000'}:{match[2]}.{match[3]}".lower() if match is not None else None


def _ports(card: _Card) -> Iterator[Port]:
    if card.address is None or not card.values:
        return
    first = next(iter(card.values.values()))
    now = {name: value.now for name, value in card.values.items() if value.now is not None}
    later = Fact({name: value.later for name, value in card.values.items()}, (first.line,), "next_boot")
    observed = Fact(now, (first.line,), "observed") if now else None
    yield Port(card.address, firmware_settings=combined(observed, later))
    for port in (1, 2):
        own = {name[:-3]: value for name, value in card.values.items() if name.endswith(f"_P{port}")}
        if own:
            yield _port(f"{card.address[:-1]}{port - 1}", own)


def _port(name: str, values: Mapping[str, _Value]) -> Port:
    masks = _both(values, "ROCE_CC_PRIO_MASK", "default")
    marked = {"dscp": "CNP_DSCP", "pcp": "CNP_802P_PRIO", "interval_us": "MIN_TIME_BETWEEN_CNPS"}
    stated = {each: fact for each, setting in marked.items() if (fact := _both(values, setting, "default")) is not None}
    priorities = _mapped(masks) if masks is not None else None
    trust = _later(values, "QOS_TRUST_STATE")
    word = _TRUST.get(trust.value) if trust is not None else None
    return Port(
        name,
        trust=Fact(word, trust.lines, "next_boot") if trust is not None and word is not None else None,
        cnp=Cnp(**stated) if stated else None,
        np=Priorities(priorities) if priorities is not None else None,
        rp=Priorities(priorities) if priorities is not None else None,
        dcbx=_dcbx(values),
    )


def _mapped(mask: Fact[int]) -> Fact[Table[bool]]:
    """Whether the bit of each priority is set in a mask, on each basis that it is stated on."""
    also = tuple(_mapped(each) for each in mask.also)
    bits = {priority: Fact(bool(mask.value >> priority & 1), mask.lines, mask.basis) for priority in range(8)}
    return Fact(Table(bits), mask.lines, mask.basis, also)


def _dcbx(values: Mapping[str, _Value]) -> Dcbx | None:
    """Whether the firmware exchanges DCBX and takes what the neighbour says; only then is it stated."""
    facts = [_both(values, name, "observed") for name in ("LLDP_NB_DCBX", "LLDP_NB_RX_MODE", "LLDP_NB_TX_MODE", "DCBX_WILLING")]
    given = [fact for fact in facts if fact is not None and fact.is_now]
    if len(given) < len(facts):
        return None
    on, receiving, sending, willing = (fact.value for fact in given)
    if not (on and receiving == LLDP_ALL and sending != LLDP_OFF):
        return None
    return Dcbx(owner=derived("firmware", *given[:3]), willing=derived(bool(willing), given[3], *given[:3]))


def _both(values: Mapping[str, _Value], name: str, basis: Basis) -> Fact[int] | None:
    """A setting now, on a basis, with what it is after the next boot."""
    value = values.get(name)
    current = _number(name, value.now) if value is not None and value.now is not None else None
    fact = Fact(current, (value.line,), basis) if value is not None and current is not None else None
    return combined(fact, _later(values, name))


def _later(values: Mapping[str, _Value], name: str) -> Fact[int] | None:
    value = values.get(name)
    number = _number(name, value.later) if value is not None else None
    return Fact(number, (value.line,), "next_boot") if value is not None and number is not None else None


def _number(name: str, text: str | None) -> int | None:
    """48 of `48`, 2 of `TRUST_DSCP(2)`; None where it is no number that the setting can hold."""
    match = _NUMBER.fullmatch(text or "")
    if match is None:
        return None
    digits = match[1] or match[2]
    number = int(digits, 16 if digits.startswith("0x") else 10)
    return number if number <= _HIGHEST.get(name, number) else None


def recognise(lines: Lines) -> bool:
    """Whether a text is an answer of mlxconfig without its command."""
    if any('"tlv_configuration"' in line for line in lines[:12]):
        return True
    rows = [parts for line in lines if (parts := [part for part in line.split() if part not in _MARKS])]
    if len(rows) > 1 and all(_ROW.fullmatch(" ".join(parts)) for parts in rows):
        return any(parts[0][:-3] in _HIGHEST and parts[0][-3:] in ("_P1", "_P2") for parts in rows)
    return any(line.startswith("Device type:") for line in lines[:12]) and any(line.startswith("Configurations:") for line in lines[:40])


TOOLS = ("mlxconfig", "mstconfig")
ASKED = tuple(
    f"{tool} {rest}"
    for tool in TOOLS
    for rest in ("-d {pci} -e q", "-d {pci} q", "-e -d {pci} q", "-d {pci} -e query", "-d {pci} query", "-d {pci} q {names} ...")
)
READER = Reader("mlxconfig", read, asked=ASKED, recognise=recognise, send=("mlxconfig -d {pci} -e q",))
