"""What rules can tell of a port, without the lines: over links whose ends have equal shapes every rule comes out alike.

A shape is everything that a port and its device state, but for what is each one's own: names, addresses, neighbours, counters. Whoever
reads one of those through a view marks the view, and what was found over its link is then kept for no other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from operator import attrgetter

from roce_lint.fabric.hops import Reach, Span
from roce_lint.fabric.views import OWN, PortView
from roce_lint.model.devices import Device, PortName, Rdma
from roce_lint.model.facts import Fact, Table
from roce_lint.model.plan import FabricPlan
from roce_lint.model.ports import Port

PLAIN = frozenset({int, str, bool, float})
ITS_OWN: Mapping[type, frozenset[str]] = {
    Port: OWN,
    Device: frozenset({"name", "named", "mac", "ports", "rdma", "jobs", "documents", "services"}),
    Rdma: frozenset({"name", "netdev", "pci", "gids", "counters"}),
}
MOST = 200_000  # kept at a time, so that a fabric of a hundred thousand different ports does not fill the memory


class Shapes:
    """The shapes of the in-scope ports of a fabric. What is kept by identity lives as long as the fabric does."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._named: dict[int, Hashable] = {}
        self._tables: dict[int, Hashable] = {}  # of one port, whose maps are often the same one
        self._objects: dict[Hashable, object] = {}
        self._values: dict[type, Callable[[object], tuple[object, ...]]] = {}
        self._views: dict[PortName, Hashable] = {}
        self._devices: dict[str, Hashable] = {}
        self._orders: dict[tuple[str, int], _Order] = {}

    def span(self, span: Span) -> Hashable:
        """What decides every outcome over a link but for the names and lines in it."""
        ends = tuple((self._port(view), self._beside(view, span.plan)) for view in (span.a, span.b) if view is not None)
        itself = span.b is not None and span.a.device is span.b.device
        return id(span.plan), span.down, itself, ends

    def _port(self, view: PortView) -> Hashable:
        found = self._views.get(view.name)
        if found is None:
            if len(self._named) + len(self._objects) > MOST:
                self._named.clear()
                self._objects.clear()
            self._tables.clear()
            found = self._views[view.name] = self._object((self._device(view.device), self._record(view.port), *_below(self, view)))
        return found

    def _device(self, device: Device) -> Hashable:
        found = self._devices.get(device.name)
        if found is None:
            found = self._devices[device.name] = self._record(device)
        return found

    def _beside(self, view: PortView, plan: FabricPlan | None) -> Hashable:
        """The other ports of a switch, which decide by what queues a class leaves here."""
        if view.is_nic:
            return None
        key = (view.name.device, id(plan))
        order = self._orders.get(key)
        if order is None:
            views = self._reach.beside(view.device, plan)
            order = self._orders[key] = _Order({each.name: self._port(each) for each in views})
        return order.without(view.name)

    def of(self, value: object) -> Hashable:
        """The shape of a record, a fact or what a fact holds."""
        kind = type(value)
        if kind in PLAIN:
            return kind, value
        if isinstance(value, Fact):
            if type(value.value) in PLAIN and not value.also:
                return type(value.value), value.value, value.basis  # most facts are of this kind
            return self._object((Fact, self.of(value.value), value.basis, *(self.of(each) for each in value.also)))
        found = self._named.get(id(value))
        if found is not None:
            return found
        if isinstance(value, Table):
            found = self._table(value)
        elif isinstance(value, tuple):
            return kind, *(self.of(each) for each in value)
        elif isinstance(value, dict):
            return self._object((kind, frozenset((key, self.of(each)) for key, each in value.items())))
        elif is_dataclass(value):
            found = self._record(value)
        else:
            return kind, value
        if getattr(value, "name", None) is not None:
            self._named[id(value)] = found
        return found

    def _record(self, record: object) -> Hashable:
        kind = type(record)
        values = self._values.get(kind)
        if values is None:
            own = ITS_OWN.get(kind, frozenset())
            names = [each.name for each in fields(kind) if each.name not in own]  # type: ignore[arg-type]
            values = self._values[kind] = attrgetter(*names) if len(names) > 1 else lambda record: (getattr(record, names[0]),)
        return self._object((kind, *[None if value is None else self.of(value) for value in values(record)]))

    def _table(self, table: Table[object]) -> Hashable:
        found = self._tables.get(id(table))
        if found is not None:
            return found
        shapes: dict[int, Hashable] = {}
        entries: list[Hashable] = []
        for fact in table.entries.values():
            shape = shapes.get(id(fact))
            if shape is None:
                shape = shapes[id(fact)] = self.of(fact)
            entries.append(shape)
        otherwise = None if table.otherwise is None else self.of(table.otherwise)
        found = self._tables[id(table)] = self._object((Table, tuple(table.entries), tuple(entries), otherwise, table.name))
        return found

    def _object(self, parts: Hashable) -> object:
        """One object for equal parts, quickly told from others."""
        return self._objects.setdefault(parts, object())


def _below(shapes: Shapes, view: PortView) -> Iterator[Hashable]:
    """The RDMA devices of a host's port, and the VLANs upon it."""
    if view.is_nic:
        name = view.port.name
        yield tuple(shapes.of(each) for each in view.device.rdma.values() if each.netdev is not None and each.netdev.value == name)
        upper = (each.parent for each in view.device.ports.values() if each.parent is not None and each.parent.value == name)
        yield tuple(parent.basis for parent in upper)


class _Order:
    """The shapes of the ports of a switch: the order in which they first occur, and how often each does where there are several."""

    def __init__(self, shapes: Mapping[PortName, Hashable]) -> None:
        self._shapes = shapes
        self._first: dict[Hashable, PortName] = {}
        for name, shape in shapes.items():
            self._first.setdefault(shape, name)
        counts = Counter(shapes.values())
        self._counts = tuple(counts.values()) if len(counts) > 1 else ()
        self._whole = tuple(counts)

    def without(self, name: PortName) -> Hashable:
        """What the ports but this one make of a class: the first port of each shape is the one that is cited."""
        shape = self._shapes.get(name)
        if shape is None or self._first[shape] != name:
            return self._whole, self._counts
        return tuple(dict.fromkeys(each for other, each in self._shapes.items() if other != name)), self._counts
