"""Facts as fixtures and cases write them: paths in the words of the design, values as plain data, places as file:line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any

from roce_lint.model.devices import EVERY_PORT, Device, Fabric, Hcas, PortName
from roce_lint.model.facts import Fact, Table, at
from roce_lint.model.paths import stated

_MARKING = "ecn|drops|kmin_bytes|kmax_bytes|kmin_percent|kmax_percent|mark_probability|averaging_weight"
_SCHEDULER = "scheduling|share|weight|rate_limit_bps"
_QUEUE = re.compile(rf"(queues\[\d+\])\.(?:({_MARKING})|({_SCHEDULER}))\b")
_PLAIN = {"roce.mode": "roce_mode", "roce.exceptions": "roce_exceptions"}


def found(fabric: Fabric, of: str, path: str) -> Fact[Any] | None:
    """The fact that a fixture means: of a port, an RDMA device, a job or a device, `device/name` where a name alone is not enough."""
    facts, names = [], 0
    for device, record in holders(fabric, of):
        try:
            fact = _fact(fabric, device, record, path)
        except AttributeError:
            continue
        names += 1
        facts += [fact] if fact is not None else []
    assert names, f"{of} has no {path}"
    assert len(facts) < 2, f"{of} stands for several things that state {path}"
    return facts[0] if facts else None


def holders(fabric: Fabric, of: str) -> Iterator[tuple[Device, object]]:
    """The records that a name may mean."""
    some = False
    for device in fabric.devices.values():
        name = of.removeprefix(f"{device.name}/") if of.startswith(f"{device.name}/") else of
        if of == device.name:
            some = True
            yield device, device
            if EVERY_PORT in device.ports:
                yield device, device.ports[EVERY_PORT]
        for records in (device.ports, device.rdma, device.jobs):
            if name in records:
                some = True
                yield device, records[name]
    assert some, f"nothing is called {of}; devices: {', '.join(fabric.devices)}"


def _fact(fabric: Fabric, device: Device, record: Any, path: str) -> Fact[Any] | None:
    path = _PLAIN.get(path, _QUEUE.sub(lambda match: f"{match[1]}.{'marking' if match[2] else 'scheduler'}.{match[2] or match[3]}", path))
    if path == "peer":
        return _peer(fabric, PortName(device.name, record.name))
    if path.startswith("peer_pfc."):
        facts = (getattr(each, path.replace("peer_pfc.", "pfc_")) for each in record.neighbours)
        return next((fact for fact in facts if fact is not None), None)
    if path.endswith(".count"):
        fact = stated(record, path.removesuffix(".count"))
        return fact and Fact(len(fact.value.entries), fact.lines, fact.basis)
    if path in ("dscp", "ecn_bits"):
        fact = stated(record, "traffic_class")
        return fact and Fact(fact.value >> 2 if path == "dscp" else fact.value & 3, fact.lines, fact.basis)
    path, key = (path.rstrip("]").rsplit("[", 1)) if re.search(r"\[[^\]0-9]+\]$", path) else (path, None)
    fact = stated(record, path)
    return fact.value.get(key) if key is not None and fact is not None else fact


def _peer(fabric: Fabric, port: PortName) -> Fact[Any] | None:
    link = fabric.by_port.get(port)
    if link is None or link.stated is None:
        return None
    other = link.b if link.a == port else link.a
    return Fact({"device": other.device, "port": other.port}, link.stated.lines, link.stated.basis)


def plain(value: Any) -> Any:
    """A value as a fixture writes it: sets as sorted lists, records as mappings of what they state."""
    if isinstance(value, Fact):
        return plain(value.value)
    if isinstance(value, frozenset | set):
        return sorted(value)
    if isinstance(value, Hcas):
        names = sorted(value.names)
        if value.excluded:
            return {"excluded": names}
        whole = value.exact or all(name.rpartition("_")[2].isdigit() for name in names)
        return names if whole else {"prefix": names[0]} if len(names) == 1 else {"prefixes": names}
    if isinstance(value, Table):
        return {key: plain(value.entries[key]) for key in sorted(value.entries)}
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if is_dataclass(value) and not isinstance(value, type):
        fields = ((name, getattr(value, name)) for name in value.__dataclass_fields__)
        return {name: plain(each) for name, each in fields if each is not None}
    return value


def agrees(value: Any, wanted: Any, tolerance: float = 0) -> bool:
    """Whether a plain value is the wanted one; of a record and of a set of names, where the fixture states only a part, that part."""
    if isinstance(wanted, float) or tolerance:
        return isinstance(value, int | float) and abs(value - wanted) <= (tolerance or abs(wanted) * 1e-9)
    if isinstance(wanted, dict) and isinstance(value, dict):
        given = {str(key): each for key, each in value.items()}
        return all(str(key) in given and agrees(given[str(key)], each) for key, each in wanted.items())
    if isinstance(wanted, dict) and set(wanted) == {"prefix"}:
        return value in (wanted, [wanted["prefix"]])
    return bool(value == wanted) and isinstance(value, bool) == isinstance(wanted, bool)


def fault(fabric: Fabric, expected: Mapping[str, Any], file: str) -> str | None:
    """What is wrong with a fact that a fixture lists, None where it is as listed."""
    of, path, wanted = expected["of"], expected["path"], expected["value"]
    fact = found(fabric, of, path)
    if wanted is None:
        return None if fact is None else f"{of} {path}: not stated expected, found {plain(fact.value)} at {places(fact)}"
    if fact is None:
        return f"{of} {path}: {wanted} expected, not stated"
    value = plain(fact.value)
    if not agrees(value, wanted, expected.get("tolerance", 0)):
        return f"{of} {path}: {wanted} expected, found {value} at {places(fact)}"
    basis = expected.get("basis")
    if basis is not None and fact.basis != basis and at(fact, basis) is None:
        return f"{of} {path}: basis {basis} expected, found {fact.basis}"
    first = place(expected["at"], file)
    if fact.lines[0].place != first:
        return f"{of} {path}: stated at {first} expected, found {places(fact)}"
    if expected.get("text", "") not in fact.lines[0].text:
        return f"{of} {path}: {expected['text']!r} expected at {first}, found {fact.lines[0].text!r}"
    for other in expected.get("also", ()):
        if place(other, file) not in places(fact):
            return f"{of} {path}: also {place(other, file)} expected, found {places(fact)}"
    return None


def places(fact: Fact[Any]) -> list[str]:
    """Where a fact is stated."""
    return [line.place for line in fact.lines]


def place(at: str | int, file: str) -> str:
    """A place as file:line; a number alone is a line of the one file."""
    return f"{file}:{at}" if isinstance(at, int) or at.isdecimal() else at
