"""lldpd's JSON, of `lldpcli -f json0` and `lldpctl -f json`: who is at the other end of each port, and what its DCBX TLVs say.

Shapes: lldpd 1.0.16, json0 always with lists, json with an object where there is one. TLVs of OUI 00,80,C2: IEEE 802.1Qaz annex D,
subtype 11 PFC: willing in bit 7 of the first byte, the enabled priorities as a bitmap in the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from roce_lint.model.document import Document, Note
from roce_lint.model.facts import Fact
from roce_lint.model.ports import Neighbour, Port
from roce_lint.text.numbered_json import Json, Node, numbered
from roce_lint.text.numbers import whole

IEEE_OUI = "00,80,C2"
PFC_SUBTYPE = "11"
_OCTETS = re.compile(r"([0-9A-Fa-f]{2}),([0-9A-Fa-f]{2})")


def neighbours(documents: Sequence[Document]) -> Iterator[Port | Note]:
    """A port for each interface that heard a neighbour."""
    for document in documents:
        if not document.read().strip():
            continue
        json = numbered(document)
        note = json.note()
        if note is not None:
            yield note
        for root in _all(json.root.get("lldp") if json.root is not None else None):
            for name, item in _interfaces(root.get("interface")):
                notes: list[Note] = []
                port = _port(json, name, item, notes)
                if port is not None:
                    yield port
                yield from notes


def _all(node: Node | None) -> list[Node]:
    """A list's members, or the one object."""
    if node is None:
        return []
    return node.items if node.items is not None else [node]


def _interfaces(node: Node | None) -> Iterator[tuple[str, Node]]:
    """json0 has a list of objects with a name; json an object by name, or a list of such objects."""
    for item in _all(node):
        name = item.get("name")
        text = name.text() if name is not None else None
        if text is not None:
            yield text, item
            continue
        for key, below in item.pairs():
            for each in _all(below):
                yield key, each


def _first(node: Node | None) -> Node | None:
    found = _all(node)
    return found[0] if found else None


def _value(json: Json, node: Node | None) -> Fact[str] | None:
    """The value of `[{"value": ...}]`, `{"value": ...}` or a bare text."""
    first = _first(node)
    inner = first.get("value") if first is not None and first.members is not None else first
    text = inner.text() if inner is not None else None
    return Fact(text, (json.value_line(inner),), "observed") if inner is not None and text is not None else None


def _named(json: Json, chassis: Node | None) -> tuple[Fact[str] | None, Node | None]:
    """The neighbour's name and what is known of it; plain json has the name as the key."""
    first = _first(chassis)
    if first is None:
        return None, None
    name = _value(json, first.get("name"))
    if name is not None or first.get("id") is not None:
        return name, first
    for key, below in first.pairs():
        return Fact(key, (json.line(below),), "observed"), below
    return None, first


def _port(json: Json, name: str, item: Node, notes: list[Note]) -> Port | None:
    device, chassis = _named(json, item.get("chassis"))
    port = _first(item.get("port"))
    kind, identity = _identity(json, port)
    chassis_kind, chassis_id = _identity(json, chassis)
    description = _value(json, port.get("descr")) if port is not None else None
    frame = _value(json, port.get("mfs")) if port is not None else None
    if device is None and identity is None and chassis_id is None:
        return None
    size = whole(frame.value) if frame is not None else None
    if frame is not None and size is None:
        notes.append(Note(frame.lines[0], "a number of bytes expected for mfs"))
    willing, enabled = _pfc(json, item, notes)
    neighbour = Neighbour(
        "lldp",
        device=device,
        port=identity if kind != "mac" else description,
        chassis_mac=chassis_id if chassis_kind == "mac" else None,
        port_mac=identity if kind == "mac" else None,
        description=description,
        system=_value(json, chassis.get("descr")) if chassis is not None else None,
        pfc_priorities=enabled,
        pfc_willing=willing,
        frame_bytes=Fact(size, frame.lines, "observed") if frame is not None and size is not None else None,
    )
    return Port(name, neighbours=(neighbour,))


def _identity(json: Json, node: Node | None) -> tuple[str | None, Fact[str] | None]:
    """The type and value of an id."""
    first = _first(node.get("id")) if node is not None else None
    if first is None:
        return None, None
    kind = first.get("type")
    return kind.text() if kind is not None else None, _value(json, first)


def _pfc(json: Json, item: Node, notes: list[Note]) -> tuple[Fact[bool] | None, Fact[frozenset[int]] | None]:
    for group in _all(item.get("unknown-tlvs")):
        for tlv in _all(group.get("unknown-tlv")):
            oui, subtype, value = (tlv.get(key) for key in ("oui", "subtype", "value"))
            if oui is None or subtype is None or value is None or (oui.text() or "").upper() != IEEE_OUI or subtype.text() != PFC_SUBTYPE:
                continue
            octets = _OCTETS.fullmatch(value.text() or "")
            at = (json.line(value),)
            if octets is None:
                notes.append(Note(at[0], "two octets such as 08,08 expected"))
                continue
            first, second = int(octets[1], 16), int(octets[2], 16)
            return Fact(bool(first & 0x80), at, "observed"), Fact(frozenset(n for n in range(8) if second >> n & 1), at, "observed")
    return None, None
