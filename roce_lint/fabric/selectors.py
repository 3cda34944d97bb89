"""Which ports a selector of the intent takes in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fnmatch import translate
from functools import lru_cache

from roce_lint.model.devices import Device
from roce_lint.model.facts import now
from roce_lint.model.ports import Port
from roce_lint.text.numbers import whole

Match = Mapping[str, object]
Roles = Mapping[str, tuple[str, ...]]
_RANGE = re.compile(r"(.*?)([0-9]{1,9})-([0-9]{1,9})")


def takes(match: Match, device: Device, port: Port, roles: Roles | None = None) -> bool:
    """Whether every key of a selector fits a port; of a list, any member. A key whose fact the port does not state does not fit.

    Where a selector has both `role` and `nic`, a switch needs no NIC, and a host without a role needs none.
    """
    return fits(match, device, port, roles) is True


def fits(match: Match, device: Device, port: Port, roles: Roles | None = None) -> bool | str:
    """The same where a fact that is not stated leaves it open: then the path of that fact."""
    roles = roles or {}
    passed = _passed(device, roles) if "nic" in match and "role" in match else None
    unstated: str | None = None
    for key, wanted in match.items():
        if wanted is None or key == passed:
            continue
        fit = _FITS[key](wanted, device, port, roles)
        if fit is False:
            return False
        unstated = unstated or (fit if isinstance(fit, str) else None)
    return unstated or True


def _passed(device: Device, roles: Roles) -> str | None:
    if device.kind == "switch":
        return "nic"
    return "role" if role_of(device, roles) is None else None


def role_of(device: Device, roles: Roles) -> str | None:
    """The role of a device: the first whose patterns take its name, else the one that its snapshot gives it."""
    for role, patterns in roles.items():
        if any(named(pattern, device.name) for pattern in patterns):
            return role
    return device.role


def named(pattern: str, name: str) -> bool:
    """Whether a name is the pattern, fits its * and ?, or lies in the range at its end: Ethernet49-64."""
    return name == pattern or _tests(pattern)(name)


@lru_cache(maxsize=1024)
def _tests(pattern: str) -> Callable[[str], bool]:
    ranged = _RANGE.fullmatch(pattern)
    if ranged is not None and "*" not in pattern:
        prefix, first, last = ranged[1], int(ranged[2]), int(ranged[3])

        def inside(name: str) -> bool:
            number = whole(name.removeprefix(prefix))
            return name.startswith(prefix) and number is not None and first <= number <= last

        return inside
    compiled = re.compile(translate(pattern))
    return lambda name: compiled.match(name) is not None


def _any(patterns: object, name: str | None) -> bool:
    return name is not None and isinstance(patterns, Iterable) and any(named(str(pattern), name) for pattern in patterns)


def _model(patterns: object, device: Device, port: Port, roles: Roles) -> bool | str:
    rdma = next((each for each in device.rdma.values() if each.netdev is not None and each.netdev.value == port.name), None)
    names = [fact.value for fact in (device.model, device.asic, rdma.model if rdma is not None else None) if fact is not None]
    return any(_any(patterns, name) for name in names) if names else "model"


def _nic(patterns: object, device: Device, port: Port, roles: Roles) -> bool:
    return any(_any(patterns, each.name) for each in device.rdma.values() if each.netdev is not None and each.netdev.value == port.name)


def _speed(wanted: object, device: Device, port: Port, roles: Roles) -> bool | str:
    speed = now(port.speed_bps)
    return isinstance(wanted, Iterable) and speed.value in wanted if speed is not None else "speed_bps"


_FITS: Mapping[str, Callable[[object, Device, Port, Roles], bool | str]] = {
    "device": lambda wanted, device, port, roles: _any(wanted, device.name),
    "port": lambda wanted, device, port, roles: _any(wanted, port.name),
    "role": lambda wanted, device, port, roles: _any(wanted, role_of(device, roles)),
    "nic": _nic,
    "speed": _speed,
    "model": _model,
}
