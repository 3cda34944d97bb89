"""The lengths of cables that an intent states, as facts of the ports at their ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from roce_lint.fabric.layers import Layer
from roce_lint.model.devices import Device, Fabric, Link
from roce_lint.model.facts import Fact, combined, now
from roce_lint.model.ports import Port

Lengths = Mapping[str, Fact[int]]


def default_lengths(layer: Layer) -> dict[str, Fact[int]]:
    """What an intent says of cables that have no length of their own: `host` of those to a host, `fabric` of those between switches."""
    links = layer.intent.links
    given = None if links is None or isinstance(links, list) else links.cable_len_default
    stated = {"host": given.host, "fabric": given.fabric} if given is not None else {}
    return {
        kind: layer.fact(length, "links", "cable_len_default", kind)  # type: ignore[misc]
        for kind, length in stated.items()
        if length is not None
    }


def lengthened(fabric: Fabric, defaults: Lengths) -> Fabric:
    """A fabric whose ports have the lengths that intent states.

    The length of a cable of its own is read before that which a device is set to, which stays beside it; a default only where there
    is neither.
    """
    changes: dict[str, dict[str, Port]] = {}
    for link in fabric.links:
        length = link.length_m
        default = defaults.get(_kind(link, fabric.devices) or "") if length is None else None
        if length is None and default is None:
            continue
        for end in (link.a, link.b):
            device = fabric.devices.get(end.device)
            port = device.ports.get(end.port) if device is not None else None
            if port is None:
                continue
            if length is not None:
                changes.setdefault(end.device, {})[end.port] = replace(port, cable_length_m=combined(port.cable_length_m, length))
            elif now(port.cable_length_m) is None:
                changes.setdefault(end.device, {})[end.port] = replace(port, cable_length_m=combined(port.cable_length_m, default))
    if not changes:
        return fabric
    changed = {name: replace(fabric.devices[name], ports={**fabric.devices[name].ports, **ports}) for name, ports in changes.items()}
    return replace(fabric, devices={**fabric.devices, **changed})


def _kind(link: Link, devices: Mapping[str, Device]) -> str | None:
    """`host` of a cable with a host at one end, `fabric` of one between switches; None where an end is not known."""
    kinds = [devices[end.device].kind if end.device in devices else None for end in (link.a, link.b)]
    return "host" if "host" in kinds else "fabric" if kinds == ["switch", "switch"] else None
