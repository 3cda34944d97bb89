"""What the ports of a CONFIG_DB bind: maps, PFC, WRED profiles and schedulers, and what holds where they bind none.

SONiC's TC is the internal priority, and trust is which map is bound: files/build_templates/qos_config.j2 of sonic-net/sonic-buildimage. Of
the row `global` the switch takes the DSCP map alone: sonic-net/sonic-swss orchagent/qosorch.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from roce_lint.model.document import Line, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import KEPT, Port
from roce_lint.model.qos import Marking, Pfc, Queue, Trust
from roce_lint.platforms.sonic.fields import MAPS
from roce_lint.platforms.sonic.groups import groups
from roce_lint.platforms.sonic.profiles import Profiles
from roce_lint.platforms.sonic.tables import Given, Row, Tables, reference

Bound = Fact[Table[int]]
SHARED = "dscp_to_tc_map"  # what the row `global` may bind
DIRECT = ("tc_to_queue_map", "tc_to_pg_map", "pfc_to_queue_map", "pfc_to_pg_map")  # a number stays what it is where none is bound
INDICES = range(8)
SWITCHED = {"on": True, "off": False}


def bindings(found: Tables, profiles: Profiles) -> Iterator[Port]:
    """What every port binds."""
    mapped = {port.name: port for port in _maps(found, profiles)}
    yield from mapped.values()
    yield from _queues(found, profiles)
    yield from groups(found, profiles, mapped)


def _maps(found: Tables, profiles: Profiles) -> Iterator[Port]:
    """What PORT_QOS_MAP binds; the row `global` holds the switch-wide DSCP map."""
    rows = found.table("PORT_QOS_MAP")
    shared = rows.get("global")
    for field in shared.fields if shared is not None else ():
        if field in MAPS and field != SHARED and (given := shared.get(field) if shared is not None else None) is not None:
            found.notes.append(Note(given.line, f"the row global binds {SHARED} alone: {field} has no effect"))
    names = dict.fromkeys(name for name in rows if name != "global")
    if found.complete is not None:
        names |= dict.fromkeys(found.table("PORT"))
    for name in names:
        yield _port_maps(found, profiles, name, rows.get(name), shared)


def _port_maps(found: Tables, profiles: Profiles, name: str, row: Row | None, shared: Row | None) -> Port:
    undefined: dict[str, Line] = {}
    bound: dict[str, Bound] = {}
    port = found.table("PORT").get(name)
    own = row or port
    direct: Bound | None = None
    for field, table in MAPS.items():
        given = row.get(field) if row is not None else None
        if given is None and field == SHARED and shared is not None:
            given = shared.get(field)
        if given is None or not given.text:
            if field in DIRECT and found.complete is not None and port is not None and own is not None and not own.has(field):
                direct = direct or _identity(own.line)
                bound[field] = direct
            continue
        named = reference(given.text)
        made = profiles.map(table, named)
        if made is not None:
            bound[field] = Fact(made, (given.line,), given.basis)
        elif found.complete is not None or found.has(table):
            undefined[named] = given.line
    at = tuple(dict.fromkeys(undefined.values())) or ((row or port).line,)  # type: ignore[union-attr]
    return Port(
        name,
        trust=_trust(found, name, row, shared),
        dscp_to_priority=bound.get("dscp_to_tc_map"),
        pcp_to_priority=bound.get("dot1p_to_tc_map"),
        priority_to_queue=bound.get("tc_to_queue_map"),
        priority_to_group=bound.get("tc_to_pg_map"),
        rewrite_dscp=bound.get("tc_to_dscp_map") or _kept(found, port, own),
        pfc=_pfc(found, name, row, bound),
        undefined_names=Fact(frozenset(undefined), at, "configured"),
    )


def _identity(line: Line) -> Bound:
    return Fact(Table({index: Fact(index, (line,), "default") for index in INDICES}), (line,), "default")


def _kept(found: Tables, port: Row | None, own: Row | None) -> Bound | None:
    """No map of a whole configuration is no rewriting."""
    if found.complete is None or port is None or own is None or own.has("tc_to_dscp_map"):
        return None
    kept = Fact(KEPT, (own.line,), "default")
    return Fact(Table({}, kept), kept.lines, kept.basis)


def _trust(found: Tables, name: str, row: Row | None, shared: Row | None) -> Fact[Trust] | None:
    """Which map is bound, whether or not something defines it; none at all in a whole configuration is no trust."""
    dscp, pcp = (row.get(field) if row is not None else None for field in ("dscp_to_tc_map", "dot1p_to_tc_map"))
    dscp = dscp or (shared.get("dscp_to_tc_map") if shared is not None else None)
    if dscp is not None:
        return Fact("both" if pcp is not None else "dscp", (dscp.line,) if pcp is None else (dscp.line, pcp.line), dscp.basis)
    if pcp is not None:
        return Fact("pcp", (pcp.line,), pcp.basis)
    port = found.table("PORT").get(name)
    if (
        found.complete is None
        or port is None
        or any(of is not None and (of.has(SHARED) or of.has("dot1p_to_tc_map")) for of in (row, shared))
    ):
        return None
    return Fact("port", ((row or port).line,), "default")


def _pfc(found: Tables, name: str, row: Row | None, bound: Mapping[str, Bound]) -> Pfc | None:
    port = found.table("PORT").get(name)
    priorities = found.indices(row, "pfc_enable") if row is not None else None
    if priorities is not None and row is not None:
        priorities = replace(priorities, lines=tuple(dict.fromkeys((*priorities.lines, row.line))))
    elif found.complete is not None and port is not None and (row is None or not row.has("pfc_enable")):
        priorities = Fact(frozenset[int](), ((row or port).line,), "default")
    asymmetric = port.fact("pfc_asym", lambda given: _switched(found, given)) if port is not None else None
    rx = None
    if asymmetric is not None and asymmetric.value and priorities is not None:
        rx = Fact(frozenset(range(8)), asymmetric.lines, "assumed")
    if priorities is None and not {"pfc_to_queue_map", "pfc_to_pg_map"} & bound.keys():
        return None
    return Pfc(priorities=priorities, rx=rx, queue=bound.get("pfc_to_queue_map"), group=bound.get("pfc_to_pg_map"))


def _switched(found: Tables, given: Given) -> bool | None:
    if given.text not in SWITCHED:
        found.notes.append(Note(given.line, "on or off expected"))
    return SWITCHED.get(given.text)


def _queues(found: Tables, profiles: Profiles) -> Iterator[Port]:
    """The queues of QUEUE and BUFFER_QUEUE, and what holds for the others; ports that bind the same rows have the same entries."""
    queues, buffers, ports = found.of_ports("QUEUE"), found.of_ports("BUFFER_QUEUE"), found.table("PORT")
    made: dict[tuple[int, int], Fact[Queue]] = {}
    tables: dict[tuple[int, ...], Fact[Table[Queue]]] = {}
    for name in dict.fromkeys((*queues, *buffers, *(ports if found.complete is not None else ()))):
        own, stored, port = queues.get(name, {}), buffers.get(name, {}), ports.get(name)
        silent = _silent(port.line) if port is not None and found.is_silent("QUEUE", name) else None
        entries: dict[int, Fact[Queue]] = {}
        undefined: dict[str, Line] = {}
        for index in dict.fromkeys((*own, *stored)):
            row, buffer = own.get(index), stored.get(index)
            key = (id(row), id(buffer)) if row is not None else (id(port), id(buffer))
            if key not in made:
                made[key] = _queue(found, profiles, row, buffer, silent)
            entries[index] = made[key]
            undefined |= _undefined(found, row, buffer)
        if not entries and silent is None:
            continue
        alike = (id(port) if silent is not None else 0, *(part for index, fact in entries.items() for part in (index, id(fact))))
        if alike not in tables:
            first = next(iter(entries.values()), silent)
            tables[alike] = Fact(Table(entries, silent), first.lines, first.basis)  # type: ignore[union-attr]
        yield Port(
            name,
            queues=tables[alike],
            undefined_names=Fact(frozenset(undefined), tuple(dict.fromkeys(undefined.values())), "configured") if undefined else None,
        )


def _silent(line: Line) -> Fact[Queue]:
    """A queue without a WRED profile, which neither marks nor drops early, cited where that is not stated."""
    marking = Marking(ecn=Fact(False, (line,), "default"), drops=Fact(False, (line,), "default"))
    return Fact(Queue(marking=Fact(marking, (line,), "default")), (line,), "default")


def _queue(found: Tables, profiles: Profiles, row: Row | None, buffer: Row | None, silent: Fact[Queue] | None) -> Fact[Queue]:
    """A queue. One of a whole configuration that names no WRED profile does not mark."""
    wred, scheduler = (row.get(field) if row is not None else None for field in ("wred_profile", "scheduler"))
    stored = buffer.get("profile") if buffer is not None else None
    marking = profiles.marking(reference(wred.text)) if wred is not None else None
    served = profiles.scheduler(reference(scheduler.text)) if scheduler is not None else None
    limit = profiles.buffer(reference(stored.text)) if stored is not None else None
    marked = Fact(marking, (wred.line,), wred.basis) if marking is not None and wred is not None else None
    if row is None and silent is not None:
        marked = silent.value.marking
    elif row is not None and row.whole and found.complete is not None and not row.has("wred_profile"):
        marked = _silent(row.line).value.marking
    queue = Queue(
        marking=marked,
        scheduler=Fact(served, (scheduler.line,), scheduler.basis) if served is not None and scheduler is not None else None,
        buffer=Fact(limit, (stored.line,), stored.basis) if limit is not None and stored is not None else None,
    )
    first = row or buffer
    return Fact(queue, (first.line,), first.source.basis)  # type: ignore[union-attr]


def _undefined(found: Tables, row: Row | None, buffer: Row | None) -> dict[str, Line]:
    """The profiles that a queue names and nothing defines, with the lines that name them."""
    names: dict[str, Line] = {}
    for of, field, table in ((row, "wred_profile", "WRED_PROFILE"), (row, "scheduler", "SCHEDULER"), (buffer, "profile", "BUFFER_PROFILE")):
        given = of.get(field) if of is not None else None
        if given is None or not given.text or found.find(table, reference(given.text)) is not None:
            continue
        if found.has(table) or (found.complete is not None and table != "BUFFER_PROFILE"):
            names[reference(given.text)] = given.line
    return names
