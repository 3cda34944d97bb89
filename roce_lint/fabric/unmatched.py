"""Selectors of an intent that take nothing of an input: a misspelt one leaves ports out without a word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from roce_lint.fabric.layers import Layer
from roce_lint.fabric.selectors import Match, Roles, role_of, takes
from roce_lint.model.devices import EVERY_PORT, Device
from roce_lint.model.document import Note
from roce_lint.model.facts import Fact

if TYPE_CHECKING:
    from roce_lint.model.intent import EcnPart

Path = tuple[str | int, ...]
OPEN = 2  # steps of the path of a fabric without a selector
Selectors = Mapping[Path, Fact[Match]]


def selectors(layer: Layer) -> dict[Path, Fact[Match]]:
    """Every selector of a file by its path: those of fabrics and of thresholds, and the names that have a role.

    A fabric without a selector stands under its own path with an empty one.
    """
    found: dict[Path, Fact[Match]] = {}

    def add(match: Match, *where: str | int) -> None:
        found[where] = layer.fact(match, *where)  # type: ignore[assignment]

    def thresholds(parts: list[EcnPart] | None, *where: str) -> None:
        for number, part in enumerate(parts or ()):
            add(part.match.model_dump(exclude_none=True), *where, number, "match")

    for name, part in layer.intent.fabrics.items():
        if part.match is not None:
            add(part.match.model_dump(exclude_none=True), "fabrics", name, "match")
        else:
            add({}, "fabrics", name)
        thresholds(part.ecn, "fabrics", name, "ecn")
    thresholds(layer.intent.ecn, "ecn")
    for name, role in layer.intent.roles.items():
        if role.match is not None:
            add({"device": role.match}, "roles", name, "match")
        else:
            add({"role": [name]}, "roles", name)
    return found


def unmatched(given: Selectors, devices: Mapping[str, Device], roles: Roles) -> Iterator[Note]:
    """A Note at each selector that takes no port of any device; none where there is no device at all."""
    ports = [(device, port) for device in devices.values() for port in device.ports.values() if port.name != EVERY_PORT]
    above = [match.value for path, match in given.items() if path[0] == "fabrics" and path[2:] == ("match",)]
    for path, match in given.items() if ports else ():
        why: str | None = None
        if path[0] == "roles":
            if not any(role_of(device, roles) == path[1] for device in devices.values()):
                why = f"{worded(match.value)}, where no earlier role does"
        elif path[0] == "fabrics" and len(path) == OPEN:
            if all(any(takes(each, device, port, roles) for each in above) for device, port in ports):
                why = "it has no selector, and every port is in another fabric"
            above.append({})
        elif not any(takes(match.value, device, port, roles) for device, port in ports):
            why = worded(match.value)
        if why is not None:
            yield Note(match.lines[0], f"{'.'.join(map(str, path))} takes nothing of the input: {why}")


def worded(match: Match) -> str:
    """A selector as one would write it: `role leaf, spine; nic mlx5_*`."""
    stated = ((key, value if isinstance(value, list) else [value]) for key, value in match.items())
    return "; ".join(f"{key} {', '.join(_named(key, each) for each in values)}" for key, values in stated)


def _named(key: str, value: object) -> str:
    if key != "speed" or not isinstance(value, int):
        return str(value)
    return f"{value // 10**9}G" if value % 10**9 == 0 else f"{value / 10**6:g}M"
