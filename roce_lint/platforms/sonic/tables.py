"""CONFIG_DB as tables: nested or flat keys, old and new references, several files of one device joined.

Forms: sonic-net/sonic-buildimage yang models and sonic-net/sonic-utilities show/main.py, db_migrator.py. References are `[TABLE|name]` up
to DB version 3_0_2 and plain names from 3_0_3; keys may join ports by commas and queues by a range.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from roce_lint.model.document import Document, Line, Note
from roce_lint.text.numbered_json import Json, Node, numbered
from roce_lint.text.numbers import numbers

OURS = frozenset(
    {
        "DEVICE_METADATA",
        "PORT",
        "PORTCHANNEL",
        "PORTCHANNEL_MEMBER",
        "INTERFACE",
        "VLAN_MEMBER",
        "CABLE_LENGTH",
        "DSCP_TO_TC_MAP",
        "DOT1P_TO_TC_MAP",
        "TC_TO_QUEUE_MAP",
        "TC_TO_PRIORITY_GROUP_MAP",
        "MAP_PFC_PRIORITY_TO_QUEUE",
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
        "TC_TO_DSCP_MAP",
        "PORT_QOS_MAP",
        "PFC_WD",
        "PFC_WD_TABLE",
        "WRED_PROFILE",
        "QUEUE",
        "SCHEDULER",
        "BUFFER_POOL",
        "BUFFER_PROFILE",
        "BUFFER_PG",
        "BUFFER_QUEUE",
        "DEVICE_NEIGHBOR",
        "VERSIONS",
    }
)
MAPS = ("DSCP_TO_TC_MAP", "TC_TO_QUEUE_MAP", "PORT_QOS_MAP", "WRED_PROFILE", "BUFFER_PROFILE", "BUFFER_PG", "QUEUE", "PFC_WD")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its own line, and each field with the line that it stands on."""

    line: Line
    fields: Mapping[str, tuple[str, Line]]

    def get(self, name: str) -> tuple[str, Line] | None:
        return self.fields.get(name)


@dataclass(slots=True)
class Tables:
    """All tables of a device. `complete` is the line that proves a whole configuration, None for a fragment."""

    rows: dict[str, dict[str, Row]] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    complete: Line | None = None

    def table(self, name: str) -> Mapping[str, Row]:
        return self.rows.get(name, {})


def tables(documents: Sequence[Document]) -> Tables:
    """The tables of every document, a later row over an earlier one field by field."""
    found = Tables()
    cut = False
    for document in documents:
        json = numbered(document)
        note = json.note()
        if note is not None:
            found.notes.append(note)
            cut = True
        if json.root is not None:
            for node in _databases(json.root):
                _read(found, json, node)
    ports, metadata = found.table("PORT"), found.table("DEVICE_METADATA")
    if ports and metadata and not cut:
        found.complete = next(iter(metadata.values())).line
    return found


def _databases(root: Node) -> Iterator[Node]:
    """The CONFIG_DB itself, or one for each ASIC of a chassis."""
    members = root.members or {}
    wrapped = [node for key, node in members.items() if key == "localhost" or key.startswith("asic")]
    if wrapped and not any(key.split("|")[0] in OURS for key in members):
        yield from wrapped
    else:
        yield root


def _read(found: Tables, json: Json, root: Node) -> None:
    for name, node in root.pairs():
        table, flat, key = name.partition("|")
        if table not in OURS or node.members is None:
            continue
        if flat:
            _row(found, json, table, key, node)
            continue
        for key, row in node.pairs():
            if row.members is not None:
                _row(found, json, table, key, row)
            elif row.text() is not None:
                found.notes.append(Note(json.line(row), f"a row of {table} expected"))


def _row(found: Tables, json: Json, table: str, key: str, node: Node) -> None:
    fields: dict[str, tuple[str, Line]] = {}
    for name, value in node.pairs():
        text = value.text()
        if text is None and value.items is not None:
            text = ",".join(item.text() or "" for item in value.items)
        if text is not None:
            fields[name] = (text, json.line(value))
    line = json.line(node)
    rows = found.rows.setdefault(table, {})
    keys = list(_keys(table, key))
    if not keys:
        found.notes.append(Note(line, f"a key of {table} such as Ethernet0|3-4 expected, not {key!r}"))
    for each in keys:
        old = rows.get(each)
        rows[each] = Row(line, {**old.fields, **fields} if old is not None else fields)


def _keys(table: str, key: str) -> Iterator[str]:
    """The single keys of a key: `A,B|3-4` is A|3, A|4, B|3 and B|4. A key of a chassis loses its host and ASIC."""
    if table not in ("PORT_QOS_MAP", "QUEUE", "BUFFER_PG", "BUFFER_QUEUE"):
        yield key
        return
    *before, last = key.split("|")
    if table == "PORT_QOS_MAP":
        yield from (port.strip() for port in last.split(","))
    elif before:
        yield from (f"{port.strip()}|{index}" for port in before[-1].split(",") for index in numbers(last))


def reference(text: str) -> str:
    """The name in `[TABLE|name]`, `[TABLE:name]` or `name`."""
    if text.startswith("[") and text.endswith("]"):
        inner = text[1:-1]
        return inner[max(inner.find("|"), inner.find(":")) + 1 :]
    return text
