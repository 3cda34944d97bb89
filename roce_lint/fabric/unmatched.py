"""Selectors of an intent that take nothing of an input: a misspelt one leaves ports out without a word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from roce_lint.fabric.layers import Layer
from roce_lint.fabric.selectors import Match, Roles, takes
from roce_lint.model.devices import EVERY_PORT, Device
from roce_lint.model.document import Note
from roce_lint.model.facts import Fact

if TYPE_CHECKING:
    from roce_lint.model.intent import EcnPart

Selectors = Mapping[str, Fact[Match]]


def selectors(layer: Layer) -> dict[str, Fact[Match]]:
    """Every selector of a file by its path: those of fabrics and of thresholds, and the names that have a role."""
    found: dict[str, Fact[Match]] = {}

    def add(match: Match, *where: str | int) -> None:
        if match:
            found[".".join(map(str, where))] = layer.fact(match, *where)  # type: ignore[assignment]

    def thresholds(parts: list[EcnPart] | None, *where: str) -> None:
        for number, part in enumerate(parts or ()):
            add(part.match.model_dump(exclude_none=True), *where, number, "match")

    for name, part in layer.intent.fabrics.items():
        if part.match is not None:
            add(part.match.model_dump(exclude_none=True), "fabrics", name, "match")
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
    for path, match in given.items() if ports else ():
        if not any(takes(match.value, device, port, roles) for device, port in ports):
            yield Note(match.lines[0], f"{path} takes nothing of the input: {worded(match.value)}")


def worded(match: Match) -> str:
    """A selector as one would write it: `role leaf, spine; nic mlx5_*`."""
    stated = ((key, value if isinstance(value, list) else [value]) for key, value in match.items())
    return "; ".join(f"{key} {', '.join(_named(key, each) for each in values)}" for key, values in stated)


def _named(key: str, value: object) -> str:
    if key != "speed" or not isinstance(value, int):
        return str(value)
    return f"{value // 10**9}G" if value % 10**9 == 0 else f"{value / 10**6:g}M"
