"""`ip -d -j link show`: MTU, state, address, bond, VLAN and lower device of every interface.

Keys: iproute2 ip/ipaddress.c, ip/iplink_vlan.c and ip/iplink_bond_slave.c. A VLAN without an egress map sends PCP 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from roce_lint.model.document import Document, Note
from roce_lint.model.facts import Fact, Table, derived
from roce_lint.model.ports import Port
from roce_lint.platforms.platform import Lines, Reader, Statement
from roce_lint.text.numbered_json import Json, Node, numbered

_UPLINK = re.compile(r"p\d+")
_REPRESENTOR = re.compile(r"(?:c\d+)?pf(\d+)(?:vf|sf)\d+")
LARGEST_MTU, HIGHEST_VLAN, HIGHEST_PRIORITY = 1 << 32, 4095, (1 << 32) - 1
_NEITHER = ("UNKNOWN", "TESTING", "DORMANT")
_UP = {"UP": True, "DOWN": False, "LOWERLAYERDOWN": False, "NOTPRESENT": False}


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """A port of each interface; one that stands on another names it as its parent, a bond its members."""
    for document in documents:
        if not document.read().strip():
            continue
        json = numbered(document)
        note = json.note()
        if note is not None:
            yield note
        items = {name: item for item in (json.root.items if json.root is not None else None) or () if (name := _name(item)) is not None}
        parents, members = _parents(json, items), _members(json, items)
        for name, item in items.items():
            if name != "lo":
                notes: list[Note] = []
                yield _port(name, json, item, parents.get(name), members.get(name), notes)
                yield from notes


def _name(item: Node) -> str | None:
    name = item.get("ifname")
    return name.text() if name is not None else None


def _parents(json: Json, items: Mapping[str, Node]) -> dict[str, Fact[str]]:
    """The lower device of each VLAN, and the uplink of each representor: the port of that number of the same embedded switch."""
    found: dict[str, Fact[str]] = {}
    uplinks: dict[tuple[str, str], tuple[str, Fact[str]]] = {}
    representors: list[tuple[str, tuple[str, str], Fact[str]]] = []
    for name, item in items.items():
        link, switch, place = item.get("link"), _string(json, item, "phys_switch_id"), _string(json, item, "phys_port_name")
        if link is not None and _kind(item) == "vlan":
            fact = _string(json, item, "link")
            if fact is not None:
                found[name] = fact
        elif switch is not None and place is not None:
            match = _REPRESENTOR.fullmatch(place.value)
            if match is not None:
                representors.append((name, (switch.value, f"p{match[1]}"), place))
            elif _UPLINK.fullmatch(place.value):
                uplinks[switch.value, place.value] = (name, place)
    for name, key, place in representors:
        if key in uplinks:
            uplink, stated = uplinks[key]
            found[name] = derived(uplink, place, stated)
    return found


def _members(json: Json, items: Mapping[str, Node]) -> dict[str, Fact[frozenset[str]]]:
    """The members of each bond."""
    stated: dict[str, dict[str, Fact[str]]] = {}
    for name, item in items.items():
        master = _string(json, item, "master")
        if master is not None and _is_bonded(item):
            stated.setdefault(master.value, {})[name] = master
    return {bond: derived(frozenset(members), *members.values()) for bond, members in stated.items()}


def _port(name: str, json: Json, item: Node, parent: Fact[str] | None, members: Fact[frozenset[str]] | None, notes: list[Note]) -> Port:
    flags, state = item.get("flags"), _string(json, item, "operstate")
    frame = _number(json, item, "mtu", LARGEST_MTU, notes)
    mac = _own_mac(json, item) or _string(json, item, "address")
    if state is not None and state.value not in _UP and state.value not in _NEITHER:
        notes.append(Note(state.lines[0], "a state such as UP or DOWN expected"))
    admin = None
    if flags is not None and flags.items is not None and flags.whole:
        admin = Fact(any(flag.text() == "UP" for flag in flags.items), (json.line(flags),), "observed")
    tagged, written = _vlan(json, item, notes)
    return Port(
        name,
        mtu=frame,
        mtu_kind=Fact("l3", frame.lines, "default") if frame is not None else None,
        admin_up=admin,
        oper_up=Fact(_UP[state.value], state.lines, "observed") if state is not None and state.value in _UP else None,
        mac=Fact(mac.value.lower(), mac.lines, "observed") if mac is not None else None,
        alias=_alias(json, item),
        bond=_string(json, item, "master") if _is_bonded(item) else None,
        bond_members=members,
        parent=parent,
        trunk_vlans=tagged,
        rewrite_pcp=written,
        pci=_pci(json, item),
    )


def _own_mac(json: Json, item: Node) -> Fact[str] | None:
    """The address of a bond member before it took that of the bond."""
    info = item.get("linkinfo")
    data = info.get("info_slave_data") if info is not None and _is_bonded(item) else None
    return _string(json, data, "perm_hwaddr") if data is not None else None


def _alias(json: Json, item: Node) -> Fact[str] | None:
    names = item.get("altnames")
    first = names.items[0].text() if names is not None and names.items else None
    return Fact(first, (json.line(names),), "observed") if names is not None and first is not None else None


def _pci(json: Json, item: Node) -> Fact[str] | None:
    bus = item.get("parentbus")
    return _string(json, item, "parentdev") if bus is None or bus.text() == "pci" else None


def _kind(item: Node) -> str | None:
    info = item.get("linkinfo")
    kind = info.get("info_kind") if info is not None else None
    return kind.text() if kind is not None else None


def _is_bonded(item: Node) -> bool:
    info = item.get("linkinfo")
    kind = info.get("info_slave_kind") if info is not None else None
    return kind is not None and kind.text() == "bond"


def _number(json: Json, item: Node, key: str, most: int, notes: list[Note]) -> Fact[int] | None:
    """A member that is a number from 0 to `most`."""
    node = item.get(key)
    if node is None:
        return None
    if type(node.scalar) is int and 0 <= node.scalar <= most:
        return Fact(node.scalar, (json.line(node),), "observed")
    if node.whole:
        notes.append(Note(json.line(node), f"a number from 0 to {most} expected for {key}"))
    return None


def _vlan(json: Json, item: Node, notes: list[Note]) -> tuple[Fact[str] | None, Fact[Table[int]] | None]:
    """The tag of a VLAN interface, and which PCP it writes for each priority of a socket."""
    info = item.get("linkinfo")
    data = info.get("info_data") if info is not None and _kind(item) == "vlan" else None
    if data is None:
        return None, None
    number, egress = _number(json, data, "id", HIGHEST_VLAN, notes), data.get("egress_qos")
    tagged = Fact(str(number.value), number.lines, "observed") if number is not None else None
    entries: dict[int, Fact[int]] = {}
    pairs = (egress.items if egress is not None else None) or ()
    for each in pairs:
        given, written = _number(json, each, "from", HIGHEST_PRIORITY, notes), _number(json, each, "to", 7, notes)
        if given is not None and written is not None:
            entries[given.value] = Fact(written.value, written.lines, "observed")
    if not data.whole or len(entries) < len(pairs) or (egress is not None and egress.items is None):
        return tagged, None
    at = (json.line(egress if egress is not None else data),)
    return tagged, Fact(Table(entries, Fact(0, at, "default")), at, "observed")


def _string(json: Json, item: Node, key: str) -> Fact[str] | None:
    node = item.get(key)
    text = node.text() if node is not None else None
    return Fact(text, (json.line(node),), "observed") if node is not None and text is not None else None


def recognise(lines: Lines) -> bool:
    """Whether a text is a list of links without its command."""
    start = "".join(line.strip() for line in lines[:4])
    return start.startswith("[") and '"ifindex"' in start and '"ifname"' in start


READER = Reader(
    "ip link",
    read,
    asked=(
        "ip -d -j link show",
        "ip -d -j link",
        "ip -j -d link show",
        "ip -j -d link",
        "ip -j link show",
        "ip -j link",
        "ip -d -j link show dev {port}",
        "ip -j -d link show dev {port}",
        "ip -d -j link show {port}",
    ),
    recognise=recognise,
    send=("ip -d -j link show",),
)
