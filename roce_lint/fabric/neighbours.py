"""What a name in LLDP or in a plan stands for: a port of a device by its name, alias, description or MAC."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from roce_lint.model.devices import EVERY_PORT, Device, PortName
from roce_lint.model.facts import Fact
from roce_lint.model.ports import Neighbour, Port

_MAC = re.compile(r"[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}", re.IGNORECASE)
_WORD = re.compile(r"[\w./:-]*\w")


class Names:
    """The names of the devices of a fabric and of their ports."""

    def __init__(self, devices: Mapping[str, Device]) -> None:
        self.devices = devices
        self._by_name = _unique((name, device.name) for device in devices.values() for name in _device_names(device))
        self._by_label = _unique((name.split(".")[0], device.name) for device in devices.values() for name in _device_names(device))
        self._by_mac = _unique((mac, device.name) for device in devices.values() for mac in _device_macs(device))
        self._ports: dict[str, _Ports] = {}

    def peer(self, neighbour: Neighbour) -> PortName | None:
        """The port that a neighbour's words mean; None where they name no device or no port."""
        device = self._device(neighbour)
        if device is None:
            name = _text(neighbour.device) or _text(neighbour.chassis_mac)
            port = _text(neighbour.port) or _text(neighbour.port_mac) or _text(neighbour.description)
            return PortName(name, port) if name and port else None
        found = self._of(device).meant(neighbour)
        if found is not None:
            return PortName(device.name, found)
        port = _text(neighbour.port) or _text(neighbour.port_mac) or _text(neighbour.description)
        return PortName(device.name, port) if port else None

    def port(self, stated: PortName) -> PortName:
        """A port as a plan writes it, by the names that the device itself uses."""
        name = self._by_name.get(stated.device.lower()) or self._by_label.get(stated.device.split(".")[0].lower())
        if name is None:
            return stated
        return PortName(name, self._of(self.devices[name]).named(stated.port) or stated.port)

    def member(self, peer: PortName, own: PortName) -> PortName:
        """For a bond, its one member that may be meant: the one that names the port itself, else the only one."""
        device = self.devices.get(peer.device)
        port = device.ports.get(peer.port) if device is not None else None
        if device is None or port is None or port.bond_members is None:
            return peer
        members = sorted(name for name in port.bond_members.value if name in device.ports)
        claiming = [name for name in members if any(self.peer(each) == own for each in device.ports[name].neighbours)]
        chosen = claiming if len(claiming) == 1 else members
        return PortName(peer.device, chosen[0]) if len(chosen) == 1 else peer

    def _device(self, neighbour: Neighbour) -> Device | None:
        mac = normal_mac(_text(neighbour.chassis_mac))
        name = (_text(neighbour.device) or "").lower()
        found = self._by_mac.get(mac) if mac else None
        found = found or self._by_name.get(name) or self._by_label.get(name.split(".")[0])
        return self.devices[found] if found is not None else None

    def _of(self, device: Device) -> _Ports:
        found = self._ports.get(device.name)
        if found is None:
            found = self._ports[device.name] = _Ports(device)
        return found


class _Ports:
    """The ports of one device by every name that they have."""

    def __init__(self, device: Device) -> None:
        ports = [port for port in device.ports.values() if port.name != EVERY_PORT]
        self._names = {port.name for port in ports}
        self._folded = _unique((port.name.lower(), port.name) for port in ports)
        self._aliases = _unique((port.alias.value.lower(), port.name) for port in ports if port.alias is not None)
        self._macs = _unique((normal_mac(port.mac.value), port.name) for port in ports if port.mac is not None and _is_plain(port))

    def named(self, word: str | None) -> str | None:
        """The port with a name or an alias."""
        if not word:
            return None
        return word if word in self._names else self._folded.get(word.lower()) or self._aliases.get(word.lower())

    def meant(self, neighbour: Neighbour) -> str | None:
        """The port that LLDP means: by port id as name or alias, by MAC, by a name within the description."""
        port, description = _text(neighbour.port), _text(neighbour.description)
        found = self.named(port) or self.named(description)
        if found is not None:
            return found
        mac = normal_mac(_text(neighbour.port_mac)) or normal_mac(port)
        if mac in self._macs:
            return self._macs[mac]
        words = {self.named(word) for word in _WORD.findall(description or "")} - {None}
        return words.pop() if len(words) == 1 else None


def normal_mac(text: str | None) -> str:
    """A MAC address in small letters with colons, empty where the text is none."""
    if text is None or _MAC.fullmatch(text.strip()) is None:
        return ""
    digits = re.sub(r"[^0-9a-f]", "", text.lower())
    return ":".join(digits[index : index + 2] for index in range(0, 12, 2))


def _is_plain(port: Port) -> bool:
    return port.bond_members is None and port.parent is None


def _text(fact: Fact[str] | None) -> str | None:
    return fact.value if fact is not None else None


def _device_names(device: Device) -> set[str]:
    return {name.lower() for name in (device.name, _text(device.named)) if name}


def _device_macs(device: Device) -> set[str]:
    macs = {normal_mac(_text(device.mac)), *(normal_mac(_text(port.mac)) for port in device.ports.values() if port.mac is not None)}
    return macs - {""}


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What each key stands for, without keys that stand for several things."""
    found: dict[str, str | None] = {}
    for key, value in pairs:
        found[key] = value if found.get(key, value) == value else None
    return {key: value for key, value in found.items() if key and value is not None}
