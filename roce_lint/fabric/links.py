"""Who is cabled to whom: LLDP from either end, and where it is silent the plan of a device or of intent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from roce_lint.fabric.neighbours import Names
from roce_lint.model.devices import EVERY_PORT, Cable, Device, Link, PortName
from roce_lint.model.document import Line, Note
from roce_lint.model.facts import Basis, Fact

Source = Literal["lldp", "plan", "intent"]


@dataclass(frozen=True, slots=True)
class Links:
    """The links of a fabric by port, what a plan says otherwise than LLDP, and the claims that contradict each other."""

    links: tuple[Link, ...] = ()
    contradicted: tuple[Link, ...] = ()
    notes: tuple[Note, ...] = ()
    by_port: Mapping[PortName, Link] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Claim:
    """That two ports are cabled together, and the lines that say so."""

    a: PortName
    b: PortName
    lines: tuple[Line, ...]
    basis: Basis
    length_m: Fact[int] | None = None
    source: Source = "lldp"

    @property
    def ends(self) -> frozenset[PortName]:
        return frozenset((self.a, self.b))


def linked(devices: Mapping[str, Device], cables: Iterable[Cable] = ()) -> Links:
    """The links between the ports of devices. One end of a link may be a port of a device that is not among them."""
    names = Names(devices)
    heard = list(_heard(devices, names, "lldp"))
    stated = [claim for claim in _stated(cables, names) if claim.a.device in devices or claim.b.device in devices]
    planned = [*_heard(devices, names, "plan"), *stated]
    lengths = {claim.ends: claim.length_m for claim in planned if claim.length_m is not None}
    notes = list(_without_port(stated, devices))
    taken: dict[PortName, Link] = {}
    disputed: set[PortName] = set()
    for link in _agreed(heard, notes, disputed):
        taken[link.a] = taken[link.b] = link
    silent, contradicted = [], []
    for claim in planned:
        if claim.a in taken or claim.b in taken or claim.a in disputed or claim.b in disputed:
            if taken.get(claim.a) is not taken.get(claim.b) or claim.a not in taken:
                contradicted.append(_link([claim]))
        else:
            silent.append(claim)
    for link in _agreed(silent, notes, disputed):
        taken[link.a] = taken[link.b] = link
    order = {name: index for index, name in enumerate(devices)}
    by_port: dict[PortName, Link] = {}
    for link in dict.fromkeys(taken.values()):
        placed = _placed(link, lengths.get(frozenset((link.a, link.b))), order)
        by_port[placed.a] = by_port[placed.b] = placed
    links = sorted(dict.fromkeys(by_port.values()), key=lambda link: (order[link.a.device], _natural(link.a.port), str(link.b)))
    return Links(tuple(links), tuple(contradicted), tuple(dict.fromkeys(notes)), by_port)


def _heard(devices: Mapping[str, Device], names: Names, source: Literal["lldp", "plan"]) -> Iterator[_Claim]:
    for device in devices.values():
        for port in device.ports.values():
            if port.name == EVERY_PORT:
                continue
            for neighbour in port.neighbours:
                peer = names.peer(neighbour) if neighbour.source == source else None
                if peer is None:
                    continue
                own = PortName(device.name, port.name)
                said = (neighbour.port, neighbour.port_mac, neighbour.device, neighbour.chassis_mac)
                stating = [fact for fact in said if fact is not None]
                lines = tuple(dict.fromkeys(line for fact in stating for line in fact.lines))
                yield _Claim(own, names.member(peer, own), lines, stating[0].basis, None, source)


def _stated(cables: Iterable[Cable], names: Names) -> Iterator[_Claim]:
    for cable in cables:
        a, b = names.port(cable.a.value), names.port(cable.b.value)
        lines = tuple(dict.fromkeys((*cable.a.lines, *cable.b.lines)))
        yield _Claim(a, b, lines, cable.a.basis, cable.length_m, "intent")


def _without_port(claims: Iterable[_Claim], devices: Mapping[str, Device]) -> Iterator[Note]:
    """A Note at each cable of the plan that ends on a port which a device that was read whole does not have."""
    for claim in claims:
        for end in (claim.a, claim.b):
            device = devices.get(end.device)
            if device is not None and device.complete is not None and device.complete.value and end.port not in device.ports:
                yield Note(claim.lines[0], f"a port of {end.device} expected, which has no {end.port}")


def _agreed(claims: Sequence[_Claim], notes: list[Note], disputed: set[PortName]) -> Iterator[Link]:
    """One link for each pair of ports that nothing contradicts; a Note at each claim on a port that has two."""
    by_ends: dict[frozenset[PortName], list[_Claim]] = {}
    peers: dict[PortName, set[PortName]] = {}
    for claim in claims:
        by_ends.setdefault(claim.ends, []).append(claim)
        peers.setdefault(claim.a, set()).add(claim.b)
        peers.setdefault(claim.b, set()).add(claim.a)
    disputed.update(port for port, others in peers.items() if len(others) > 1 or port in others)
    for some in by_ends.values():
        port = next((each for each in (some[0].a, some[0].b) if each in disputed), None)
        if port is None:
            yield _link(some)
            continue
        others = ", ".join(sorted(map(str, peers[port])))
        why = "a cable from a port to itself" if peers[port] == {port} else f"{port} is claimed to be cabled to {others}"
        notes.extend(Note(claim.lines[0], f"{why}: no link") for claim in some)


def _link(claims: Sequence[_Claim]) -> Link:
    first = claims[0]
    lines = tuple(dict.fromkeys(line for claim in claims for line in claim.lines))
    intent = next((claim for claim in claims if claim.source == "intent"), first)
    length = next((claim.length_m for claim in claims if claim.length_m is not None), None)
    return Link(first.a, first.b, intent.source, length, Fact(str(first.b), lines, first.basis))


def _placed(link: Link, length: Fact[int] | None, order: Mapping[str, int]) -> Link:
    """A link with the end of the collected device first, of two the one that comes first, and with the length that intent gives it."""
    ends = sorted((link.a, link.b), key=lambda end: (order.get(end.device, len(order)), end.device, _natural(end.port)))
    length = link.length_m or length
    if ends[0] == link.a and length is link.length_m:
        return link
    stated = link.stated and Fact(str(ends[1]), link.stated.lines, link.stated.basis)
    return Link(ends[0], ends[1], link.source, length, stated)


def _natural(name: str) -> tuple[tuple[bool, int, str], ...]:
    """A key that sorts the numbers in a name as numbers."""
    parts: list[tuple[bool, int, str]] = []
    word = ""
    for character in name:
        if word and character.isdecimal() != word[-1].isdecimal():
            parts.append((not word.isdecimal(), len(word.lstrip("0")) if word.isdecimal() else 0, word))
            word = ""
        word += character
    parts.append((not word.isdecimal(), len(word.lstrip("0")) if word.isdecimal() else 0, word))
    return tuple(parts)
