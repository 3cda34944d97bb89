"""CONFIG_DB as tables: nested or flat keys, several files of one device joined, one database for each ASIC.

Forms: sonic-net/sonic-buildimage YANG models, sonic-net/sonic-utilities show/main.py and db_migrator.py, sonic-py-swsssdk redis dumps.
References are `[TABLE|name]` up to DB version 3_0_2 and plain names from 3_0_3, `[TABLE:name]` in APPL_DB; keys may join ports by
commas and numbers by a range; on a chassis with virtual output queues a key begins with the line card and its ASIC.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Basis, Fact, combined
from roce_lint.platforms.sonic.fields import FIELDS, PORTS_OF, READ, is_unknown
from roce_lint.text.numbered_json import Node, numbered
from roce_lint.text.numbers import numbers, whole

V = TypeVar("V")
LARGEST = 1 << 40  # of any number of bytes or milliseconds


class Given(NamedTuple):
    """A field as it is written, where, and how far it holds."""

    text: str
    line: Line
    basis: Basis


@dataclass(slots=True, eq=False)
class Source:
    """A document that rows come from. A line is made once, when it is cited."""

    document: Document
    texts: list[str]
    basis: Basis
    made: dict[int, Line] = field(default_factory=dict)

    def line(self, index: int) -> Line:
        line = self.made.get(index)
        if line is None:
            line = self.made[index] = self.document.line(index, self.texts[index])
        return line


@dataclass(slots=True, eq=False)
class Row:
    """A row of a table. `whole` is False where the text ends within it; `earlier` is what an earlier document says of the same row."""

    source: Source
    index: int
    fields: Mapping[str, Node]
    whole: bool = True
    earlier: Row | None = None

    @property
    def line(self) -> Line:
        """The line of its key."""
        return self.source.line(self.index)

    def get(self, name: str) -> Given | None:
        node = self.fields.get(name)
        if node is None:
            return self.earlier.get(name) if self.earlier is not None else None
        text = _text(node)
        if text is None:
            return None
        return Given(text, self.source.line(node.key_index), self.source.basis)

    def has(self, name: str) -> bool:
        """Whether there is such a field, readable or not."""
        return name in self.fields or (self.earlier is not None and self.earlier.has(name))

    def text(self, name: str) -> str | None:
        """A field without its line."""
        node = self.fields.get(name)
        if node is None:
            return self.earlier.text(name) if self.earlier is not None else None
        return _text(node)

    def names(self) -> Iterator[str]:
        yield from self.fields
        if self.earlier is not None:
            yield from (name for name in self.earlier.names() if name not in self.fields)

    def fact(self, name: str, read: Callable[[Given], V | None]) -> Fact[V] | None:
        """A field as a fact; None where it is not there or `read` gives none. Where two documents differ, the earlier is beside."""
        older = self.earlier.fact(name, read) if self.earlier is not None else None
        if name not in self.fields:
            return older
        given = self.get(name)
        value = read(given) if given is not None else None
        return older if value is None or given is None else combined(older, Fact(value, (given.line,), given.basis))

    def word(self, name: str) -> Fact[str] | None:
        """A field that is not empty."""
        return self.fact(name, lambda given: given.text or None)


def _text(node: Node) -> str | None:
    if node.items is not None:
        return ",".join(item.text() or "" for item in node.items)
    return node.scalar if type(node.scalar) is str else node.text()


@dataclass(slots=True, eq=False)
class Tables:
    """The tables of one database. `complete` is the line that proves a whole configuration, None for a fragment.

    `numbered` holds the rows of tables whose key is a port and a number, by port. `shared` are the tables of the device beside those of
    one of its ASICs. `unreadable` names by table the ports of keys whose numbers could not be read.
    """

    rows: dict[str, dict[str, Row]] = field(default_factory=dict)
    numbered: dict[str, dict[str, dict[int, Row]]] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    complete: Line | None = None
    shared: Tables | None = None
    unreadable: dict[str, set[str]] = field(default_factory=dict)
    cards: list[tuple[str, str, str, str, list[int], Row]] = field(default_factory=list)  # card, ASIC, table, ports, numbers

    def table(self, name: str) -> Mapping[str, Row]:
        return self.rows.get(name, {})

    def of_ports(self, name: str) -> Mapping[str, Mapping[int, Row]]:
        return self.numbered.get(name, {})

    def find(self, table: str, name: str) -> Row | None:
        row = self.table(table).get(name)
        return row if row is not None or self.shared is None else self.shared.find(table, name)

    def has(self, table: str) -> bool:
        """Whether anything of a kind is defined here."""
        return bool(self.table(table)) or (self.shared is not None and self.shared.has(table))

    def is_silent(self, table: str, port: str) -> bool:
        """Whether what a whole configuration does not say of a port in a table is a default: every key of it could be read."""
        names = self.unreadable.get(table, set())
        return self.complete is not None and port not in names and names <= self.table("PORT").keys()

    @property
    def metadata(self) -> Row | None:
        return self.find("DEVICE_METADATA", "localhost")

    def number(self, row: Row, name: str, least: int = 0, most: int = LARGEST, unit: int = 1, suffix: str = "") -> Fact[int] | None:
        """A field as a whole number within bounds, times a unit; a Note where it is none."""

        def read(given: Given) -> int | None:
            text = given.text.removesuffix(suffix) if given.text.endswith(suffix) else ""
            digits = whole(text.removeprefix("-") if least < 0 else text)
            value = None if digits is None else -digits if text.startswith("-") else digits
            if value is None or not least <= value <= most:
                self.notes.append(Note(given.line, f"a number{_bounds(least, most)}{suffix and f' with {suffix}'} expected for {name}"))
                return None
            return value * unit

        return row.fact(name, read)

    def indices(self, row: Row, name: str) -> Fact[frozenset[int]] | None:
        """A field as indices on a PFC frame: `3,4`, or nothing at all where none is on; a Note where it is neither."""

        def read(given: Given) -> frozenset[int] | None:
            if not given.text.strip():
                return frozenset()
            found = [whole(part.strip()) for part in given.text.split(",")]
            if any(each is None or each > 7 for each in found):
                self.notes.append(Note(given.line, f"indices such as 3,4 expected for {name}"))
                return None
            return frozenset(each for each in found if each is not None)

        return row.fact(name, read)


def _bounds(least: int, most: int) -> str:
    return f" from {least} to {most}" if most < LARGEST else ""


def read_json(document: Document, basis: Basis, space: str, tables_of: Callable[[str], Tables]) -> bool:
    """Puts what a document in JSON says into the tables of each ASIC; False where it ends early or is no JSON."""
    json = numbered(document)
    note = json.note()
    if note is not None:
        tables_of(space).notes.append(note)
    source = Source(document, json.lines, basis)
    for name, node in _databases(json.root):
        found = tables_of(name or space)
        for key, below in node.pairs():
            _table(found, source, key, below)
    return note is None and document.ends


def _databases(root: Node | None) -> Iterator[tuple[str, Node]]:
    """The CONFIG_DB itself, or one for each ASIC by its name."""
    members = (root.members if root is not None else None) or {}
    wrapped = [key for key in members if key == "localhost" or (key.startswith("asic") and key[4:].isdecimal())]
    if wrapped and all(members[key].members is not None for key in wrapped):
        yield from (("" if key == "localhost" else key, members[key]) for key in wrapped)
    elif root is not None:
        yield "", root


def _table(found: Tables, source: Source, name: str, node: Node) -> None:
    table, flat, key = name.partition("|")
    if table not in READ:
        if is_unknown(table):
            found.notes.append(Note(source.line(node.key_index), f"no table of CONFIG_DB is called {table}"))
        return
    if node.members is None:
        found.notes.append(Note(source.line(node.key_index), f"rows of {table} expected"))
    elif flat:
        _row(found, source, table, key, _dumped(node))
    else:
        for key, row in node.members.items():
            _row(found, source, table, key, row)


def _dumped(node: Node) -> Node:
    """The row itself in a dump of the database, which says `type`, `ttl` and `value` of each."""
    kind, value = node.get("type"), node.get("value")
    if kind is None or value is None or value.members is None or kind.text() != "hash":
        return node
    return Node(node.index, members=value.members, key_index=node.key_index, whole=value.whole)


def _row(found: Tables, source: Source, table: str, key: str, node: Node) -> None:
    if node.members is None:
        found.notes.append(Note(source.line(node.key_index), f"a row of {table} expected"))
        return
    check(found, table, source, node.members)
    add(found, table, key, Row(source, node.key_index, node.members, node.whole))


def check(found: Tables, table: str, source: Source, fields: Mapping[str, Node]) -> None:
    """A Note for each field that a row of a table cannot have, and for each that holds no text."""
    known = FIELDS.get(table)
    for name, each in fields.items():
        if known is not None and name not in known and name != "NULL":
            found.notes.append(Note(source.line(each.key_index), f"no field of {table} is called {name}"))
        elif each.scalar is None and each.whole and _text(each) is None:
            found.notes.append(Note(source.line(each.key_index), f"a text expected for {name}"))


def add(found: Tables, table: str, key: str, row: Row) -> None:
    """A row under every single key of its key: `A,B|3-4` is A|3, A|4, B|3 and B|4."""
    if table not in PORTS_OF:
        names = key.split(",") if table == "PORT_QOS_MAP" else [key]
        rows = found.rows.setdefault(table, {})
        for each in names:
            name = each.strip()
            old = rows.get(name)
            rows[name] = row if old is None else Row(row.source, row.index, row.fields, row.whole, old)
        return
    parts = key.split("|")
    indices = numbers(parts[-1])
    if len(parts) not in (2, 4) or not indices or max(indices) > PORTS_OF[table]:
        found.notes.append(Note(row.line, f"a key of {table} such as Ethernet0|3-4 expected, not {key!r}"))
        ports = parts[2] if len(parts) == 4 else parts[0]
        found.unreadable.setdefault(table, set()).update(each.strip() for each in ports.split(","))
    elif len(parts) == 4:
        found.cards.append((parts[0], parts[1], table, parts[2], indices, row))
    else:
        _number(found, table, parts[0], indices, row)


def _number(found: Tables, table: str, ports: str, indices: list[int], row: Row) -> None:
    by_port = found.numbered.setdefault(table, {})
    for port in ports.split(","):
        rows = by_port.setdefault(port.strip(), {})
        for index in indices:
            old = rows.get(index)
            rows[index] = row if old is None else Row(row.source, row.index, row.fields, row.whole, old)


def settle_cards(found: Tables, space: str) -> None:
    """Takes of a chassis the rows of this line card and ASIC; where nothing says which it is, those of the only one that is named."""
    metadata = found.metadata
    host, asic = (metadata.text("hostname"), metadata.text("asic_name")) if metadata is not None else (None, None)
    asic = asic or space or None
    named = {card.lower() for card, *_ in found.cards}
    own = host.lower() if host is not None and host.lower() in named else named.pop() if len(named) == 1 else None
    if own is None and found.cards:
        row = found.cards[0][-1]
        found.notes.append(Note(row.line, "the rows of several line cards, and nothing says which of them this is"))
        for _, _, table, *_ in found.cards:
            found.unreadable.setdefault(table, set()).add("")
    for card, of, table, ports, indices, row in found.cards:
        if card.lower() == own and (asic is None or of.lower() == asic.lower()):
            _number(found, table, ports, indices, row)


def reference(text: str) -> str:
    """The name in `[TABLE|name]`, `[TABLE:name]` or `name`."""
    if text.startswith("[") and text.endswith("]"):
        inner = text[1:-1]
        return inner[max(inner.find("|"), inner.find(":")) + 1 :]
    return text
