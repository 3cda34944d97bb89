"""The interfaces of an NVUE configuration: link, bond, bridge, address, and the profiles that each binds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from roce_lint.model.facts import Fact
from roce_lint.model.ports import Port
from roce_lint.platforms.nvue.tree import Item, names
from roce_lint.text.numbers import whole

if TYPE_CHECKING:
    from roce_lint.platforms.nvue.qos import Settings

DEFAULT_MTU = 9216  # nv show interface: the default of a switch port
SPEEDS = {"G": 1_000_000_000, "M": 1_000_000, "T": 1_000_000_000_000}
ON = frozenset({"on", "enable", "enabled", "true", "yes", "up"})
OFF = frozenset({"off", "disable", "disabled", "false", "no", "down"})


def switched(item: Item | None) -> Fact[bool] | None:
    """A setting that is on or off, in any of the spellings of the releases; a bare key is on."""
    if item is None:
        return None
    for name in ("state", "enable"):
        below = item.get(name)
        if below is not None:
            item = below
            break
    word = (item.text() or "on").lower()
    if word in ON or word in OFF:
        return Fact(word in ON, (item.deepest(),), "configured")
    return None


def number(item: Item | None) -> Fact[int] | None:
    found = whole(item.text() or "") if item is not None else None
    return Fact(found, (item.deepest(),), "configured") if item is not None and found is not None else None


def bonds(interfaces: Item) -> Mapping[str, Fact[str]]:
    """The bond of each member."""
    found: dict[str, Fact[str]] = {}
    for key, item in interfaces.below.items():
        members = item.get("bond", "member")
        for name in names(key) if members is not None else ():
            for member, below in members.below.items() if members is not None else ():
                for each in names(member):
                    found[each] = Fact(name, (below.line,), "configured")
    return found


def port(name: str, item: Item, complete: bool, bond: Fact[str] | None, settings: Settings) -> Port:
    """An interface with its link facts, and what its own profiles say."""
    link = item.get("link")
    speed = link.get("speed") if link is not None else None
    fec = link.get("fec") if link is not None else None
    mtu = number(link.get("mtu")) if link is not None else None
    if mtu is None and complete:
        mtu = Fact(DEFAULT_MTU, (item.line,), "default")
    state = _state(link.get("state") if link is not None else None)
    if state is None and complete:
        state = Fact(True, (item.line,), "default")
    access, trunk = item.get("bridge", "domain"), None
    vlan = next((below.get("access") for below in access.below.values()), None) if access is not None else None
    address = item.get("ip", "address") or item.get("ipv4", "address")
    description = item.get("description")
    members = item.get("bond", "member")
    return Port(
        name,
        admin_up=state,
        mtu=mtu,
        mtu_kind=Fact("l3", mtu.lines, "default") if mtu is not None else None,
        speed_bps=_speed(speed),
        fec=Fact(fec.text() or "", (fec.deepest(),), "configured") if fec is not None else None,
        description=Fact(description.text() or "", (description.deepest(),), "configured") if description is not None else None,
        access_vlan=number(vlan),
        trunk_vlans=trunk,
        routed=Fact(True, (address.line,), "configured") if address is not None else None,
        bond=bond,
        bond_members=Fact(frozenset(each for key in members.below for each in names(key)), (members.line,), "configured")
        if members is not None
        else None,
        **settings.of_interface(name, item),  # type: ignore[arg-type]
    )


def _state(item: Item | None) -> Fact[bool] | None:
    """`state: up` or `state: {up: {}}`."""
    text = item.text() if item is not None else None
    return Fact(text == "up", (item.deepest(),), "configured") if item is not None and text in ("up", "down") else None


def _speed(item: Item | None) -> Fact[int] | None:
    text = (item.text() or "") if item is not None else ""
    number = whole(text[:-1])
    if item is None or number is None or text[-1:] not in SPEEDS:
        return None
    return Fact(number * SPEEDS[text[-1]], (item.deepest(),), "configured")
