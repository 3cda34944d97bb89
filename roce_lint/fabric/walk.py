"""The ways between two ports: all shortest paths over the links, which is what a Clos fabric without failures uses. Routing is not read."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from roce_lint.model.devices import Device, Link, PortName

MOST_PATHS = 512


@dataclass(frozen=True, slots=True)
class Step:
    """One link of a path, in the direction of travel."""

    sender: PortName
    receiver: PortName


Path = tuple[Step, ...]


def shortest_paths(devices: Mapping[str, Device], links: Iterable[Link], start: PortName, end: PortName) -> list[Path]:
    """Every path with the fewest links from one host port to another, hosts in between never crossed; at most 512, in name order."""
    steps: dict[str, list[Step]] = {}
    for link in links:
        if link.a.device in devices and link.b.device in devices:
            steps.setdefault(link.a.device, []).append(Step(link.a, link.b))
            steps.setdefault(link.b.device, []).append(Step(link.b, link.a))
    first = [step for step in steps.get(start.device, ()) if step.sender == start]
    distance = _distances(devices, steps, end)
    found: list[Path] = []
    for step in first:
        _extend(steps, distance, end, [step], found)
    shortest = min((len(path) for path in found), default=0)
    return [path for path in found if len(path) == shortest]


def _distances(devices: Mapping[str, Device], steps: Mapping[str, list[Step]], end: PortName) -> dict[str, int]:
    """How many links each device is away from the end."""
    distance: dict[str, int] = {end.device: 0}
    queue = deque(step.receiver.device for step in steps.get(end.device, ()) if step.sender == end)
    for device in queue:
        distance[device] = 1
    while queue:
        here = queue.popleft()
        for step in steps.get(here, ()):
            there = step.receiver.device
            if there not in distance and devices[there].kind != "host":
                distance[there] = distance[here] + 1
                queue.append(there)
    return distance


def _extend(steps: Mapping[str, list[Step]], distance: Mapping[str, int], end: PortName, path: list[Step], found: list[Path]) -> None:
    if len(found) >= MOST_PATHS:
        return
    here = path[-1].receiver
    if here == end:
        found.append(tuple(path))
        return
    left = distance.get(here.device)
    if left is None:
        return
    for step in sorted(steps.get(here.device, ()), key=lambda one: (one.sender.port, one.receiver.device, one.receiver.port)):
        there = step.receiver
        if step.sender == here or distance.get(there.device) != left - 1 or (there.device == end.device and there != end):
            continue
        _extend(steps, distance, end, [*path, step], found)
