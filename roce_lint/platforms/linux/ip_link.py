"""`ip -d -j link show`: MTU, state, address, bond and VLAN of every interface. Keys: iproute2 ip/ipaddress.c and ip/iplink_vlan.c."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_lint.model.document import Document
from roce_lint.model.facts import Fact
from roce_lint.model.ports import Port
from roce_lint.platforms.platform import Reader, Statement
from roce_lint.text.numbered_json import Json, Node, numbered


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """A port of each interface; one that stands on another names it as its parent."""
    for document in documents:
        json = numbered(document)
        note = json.note()
        if note is not None and document.read().strip():
            yield note
        for item in (json.root.items if json.root is not None else None) or ():
            name = item.get("ifname")
            text = name.text() if name is not None else None
            if text is not None and text != "lo":
                yield _port(text, json, item)


def _port(name: str, json: Json, item: Node) -> Port:
    mtu, state, address, master, parent = (item.get(key) for key in ("mtu", "operstate", "address", "master", "link"))
    flags, info, bus = item.get("flags"), item.get("linkinfo"), item.get("parentdev")
    kind = info.get("info_kind") if info is not None else None
    slave = info.get("info_slave_kind") if info is not None else None
    bonded = slave is not None and slave.text() == "bond"
    up = None
    if flags is not None and flags.items is not None:
        up = Fact(any(flag.text() == "UP" for flag in flags.items), (json.line(flags),), "observed")
    known = state is not None and state.text() in ("UP", "DOWN", "LOWERLAYERDOWN")
    virtual = kind is not None and kind.text() == "vlan"
    return Port(
        name,
        mtu=Fact(mtu.scalar, (json.line(mtu),), "observed") if mtu is not None and isinstance(mtu.scalar, int) else None,
        mtu_kind=Fact("l3", (json.line(mtu),), "default") if mtu is not None else None,
        admin_up=up,
        oper_up=Fact(state.text() == "UP", (json.line(state),), "observed") if state is not None and known else None,
        mac=_text(json, address, lower=True),
        bond=_text(json, master) if bonded else None,
        parent=_text(json, parent) if virtual else None,
        pci=_text(json, bus),
    )


def _text(json: Json, node: Node | None, lower: bool = False) -> Fact[str] | None:
    text = node.text() if node is not None else None
    if node is None or text is None:
        return None
    return Fact(text.lower() if lower else text, (json.line(node),), "observed")


READER = Reader(
    "ip link",
    read,
    asked=("ip -d -j link show", "ip -d -j link", "ip -j -d link show", "ip -j link show", "ip -j link", "ip -d -j link show dev {port}"),
    send=("ip -d -j link show",),
)
