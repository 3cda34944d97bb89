"""What the ports of a CONFIG_DB bind: maps, PFC, WRED profiles, schedulers and buffers.

SONiC's TC is the internal priority, and trust is which map is bound: files/build_templates/qos_config.j2 of sonic-net/sonic-buildimage. The
lossless groups that the traditional buffer model makes are of the profile that bears the port's speed and cable in its name, one that is
there already before a new one: sonic-net/sonic-swss cfgmgr/buffermgr.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from roce_lint.model.document import Line
from roce_lint.model.facts import Basis, Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer, Pfc, Queue, Trust
from roce_lint.platforms.sonic.fields import MAPS
from roce_lint.platforms.sonic.profiles import Profiles
from roce_lint.platforms.sonic.tables import Row, Tables, reference

Bound = Fact[Table[int]]
COMPUTED = "NULL"  # the profile of a group whose headroom the dynamic model computes
MADE = "pg_lossless_"


def bindings(found: Tables, profiles: Profiles) -> Iterator[Port]:
    """What every port binds."""
    mapped = {port.name: port for port in _maps(found, profiles)}
    yield from mapped.values()
    yield from _queues(found, profiles)
    yield from _groups(found, profiles, mapped)


def _maps(found: Tables, profiles: Profiles) -> Iterator[Port]:
    """What PORT_QOS_MAP binds; the row `global` holds the switch-wide DSCP map."""
    rows = found.table("PORT_QOS_MAP")
    shared = rows.get("global")
    names = dict.fromkeys(name for name in rows if name != "global")
    if found.complete is not None:
        names |= dict.fromkeys(found.table("PORT"))
    for name in names:
        yield _port_maps(found, profiles, name, rows.get(name), shared)


def _port_maps(found: Tables, profiles: Profiles, name: str, row: Row | None, shared: Row | None) -> Port:
    undefined: dict[str, Line] = {}
    bound: dict[str, Bound] = {}
    for field, table in MAPS.items():
        given = (row.get(field) if row is not None else None) or (shared.get(field) if shared is not None else None)
        if given is None or not given.text:
            continue
        named = reference(given.text)
        made = profiles.map(table, named)
        if made is not None:
            bound[field] = Fact(made, (given.line,), given.basis)
        elif found.complete is not None or found.has(table):
            undefined[named] = given.line
    port = found.table("PORT").get(name)
    at = tuple(dict.fromkeys(undefined.values())) or ((row or port).line,)  # type: ignore[union-attr]
    return Port(
        name,
        trust=_trust(found, name, row, shared),
        dscp_to_priority=bound.get("dscp_to_tc_map"),
        pcp_to_priority=bound.get("dot1p_to_tc_map"),
        priority_to_queue=bound.get("tc_to_queue_map"),
        priority_to_group=bound.get("tc_to_pg_map"),
        rewrite_dscp=bound.get("tc_to_dscp_map"),
        pfc=_pfc(found, name, row, bound),
        undefined_names=Fact(frozenset(undefined), at, "configured"),
    )


def _trust(found: Tables, name: str, row: Row | None, shared: Row | None) -> Fact[Trust] | None:
    """Which map is bound, whether or not something defines it; none at all in a whole configuration is no trust."""
    dscp, pcp = (row.get(field) if row is not None else None for field in ("dscp_to_tc_map", "dot1p_to_tc_map"))
    dscp = dscp or (shared.get("dscp_to_tc_map") if shared is not None else None)
    if dscp is not None:
        return Fact("both" if pcp is not None else "dscp", (dscp.line,) if pcp is None else (dscp.line, pcp.line), dscp.basis)
    if pcp is not None:
        return Fact("pcp", (pcp.line,), pcp.basis)
    port = found.table("PORT").get(name)
    return Fact("port", ((row or port).line,), "default") if found.complete is not None and port is not None else None


def _pfc(found: Tables, name: str, row: Row | None, bound: Mapping[str, Bound]) -> Pfc | None:
    port = found.table("PORT").get(name)
    priorities = found.indices(row, "pfc_enable") if row is not None else None
    if priorities is not None and row is not None:
        priorities = replace(priorities, lines=tuple(dict.fromkeys((*priorities.lines, row.line))))
    elif found.complete is not None and port is not None and (row is None or row.get("pfc_enable") is None):
        priorities = Fact(frozenset[int](), ((row or port).line,), "default")
    asymmetric = port.get("pfc_asym") if port is not None else None
    rx = None
    if asymmetric is not None and asymmetric.text == "on" and priorities is not None:
        rx = Fact(frozenset(range(8)), (asymmetric.line,), "assumed")
    if priorities is None and not {"pfc_to_queue_map", "pfc_to_pg_map"} & bound.keys():
        return None
    return Pfc(priorities=priorities, rx=rx, queue=bound.get("pfc_to_queue_map"), group=bound.get("pfc_to_pg_map"))


def _queues(found: Tables, profiles: Profiles) -> Iterator[Port]:
    """The queues of QUEUE and BUFFER_QUEUE; ports that bind the same rows have the same object."""
    queues, buffers = found.of_ports("QUEUE"), found.of_ports("BUFFER_QUEUE")
    made: dict[tuple[int, int], Fact[Queue]] = {}
    tables: dict[tuple[int, ...], Fact[Table[Queue]]] = {}
    for name in dict.fromkeys((*queues, *buffers)):
        own, stored = queues.get(name, {}), buffers.get(name, {})
        entries: dict[int, Fact[Queue]] = {}
        undefined: dict[str, Line] = {}
        for index in dict.fromkeys((*own, *stored)):
            row, buffer = own.get(index), stored.get(index)
            key = (id(row), id(buffer))
            if key not in made:
                made[key] = _queue(profiles, row, buffer)
            entries[index] = made[key]
            undefined |= _undefined(found, profiles, row, buffer)
        alike = tuple(part for index, fact in entries.items() for part in (index, id(fact)))
        if alike not in tables:
            tables[alike] = Fact(Table(entries), next(iter(entries.values())).lines, next(iter(entries.values())).basis)
        yield Port(
            name,
            queues=tables[alike],
            undefined_names=Fact(frozenset(undefined), tuple(dict.fromkeys(undefined.values())), "configured") if undefined else None,
        )


def _queue(profiles: Profiles, row: Row | None, buffer: Row | None) -> Fact[Queue]:
    wred, scheduler = (row.get(field) if row is not None else None for field in ("wred_profile", "scheduler"))
    stored = buffer.get("profile") if buffer is not None else None
    marking = profiles.marking(reference(wred.text)) if wred is not None else None
    served = profiles.scheduler(reference(scheduler.text)) if scheduler is not None else None
    limit = profiles.buffer(reference(stored.text)) if stored is not None else None
    queue = Queue(
        marking=Fact(marking, (wred.line,), wred.basis) if marking is not None and wred is not None else None,
        scheduler=Fact(served, (scheduler.line,), scheduler.basis) if served is not None and scheduler is not None else None,
        buffer=Fact(limit, (stored.line,), stored.basis) if limit is not None and stored is not None else None,
    )
    first = row or buffer
    return Fact(queue, (first.line,), first.source.basis)  # type: ignore[union-attr]


def _undefined(found: Tables, profiles: Profiles, row: Row | None, buffer: Row | None) -> dict[str, Line]:
    """The profiles that a queue names and nothing defines, with the lines that name them."""
    names: dict[str, Line] = {}
    for of, field, table in ((row, "wred_profile", "WRED_PROFILE"), (row, "scheduler", "SCHEDULER"), (buffer, "profile", "BUFFER_PROFILE")):
        given = of.get(field) if of is not None else None
        if given is None or not given.text or found.find(table, reference(given.text)) is not None:
            continue
        if found.has(table) or (found.complete is not None and table != "BUFFER_PROFILE"):
            names[reference(given.text)] = given.line
    return names


def _groups(found: Tables, profiles: Profiles, mapped: Mapping[str, Port]) -> Iterator[Port]:
    bound = found.of_ports("BUFFER_PG")
    made: dict[int, Fact[Buffer] | None] = {}
    for name in dict.fromkeys((*bound, *(found.table("PORT") if found.complete is not None else ()))):
        entries: dict[int, Fact[Buffer]] = {}
        for index, row in bound.get(name, {}).items():
            if id(row) not in made:
                made[id(row)] = _group(profiles, row)
            fact = made[id(row)]
            if fact is not None:
                entries[index] = fact
        basis: Basis = next((fact.basis for fact in entries.values()), "default")
        for index, fact in _made_groups(found, profiles, mapped.get(name)):
            entries.setdefault(index, fact)
        if entries:
            yield Port(name, groups=Fact(Table(entries), next(iter(entries.values())).lines, basis))


def _group(profiles: Profiles, row: Row) -> Fact[Buffer] | None:
    given = row.get("profile")
    if given is None:
        return None
    at = (given.line,)
    if reference(given.text) == COMPUTED:
        computed = Buffer(lossless=Fact(True, at, given.basis), automatic_headroom=Fact(True, at, given.basis))
        return Fact(computed, at, given.basis)
    buffer = profiles.buffer(reference(given.text))
    return Fact(buffer, at, given.basis) if buffer is not None else None


def _made_groups(found: Tables, profiles: Profiles, port: Port | None) -> Iterator[tuple[int, Fact[Buffer]]]:
    """The lossless groups of the traditional model whose profile is known."""
    metadata = found.metadata
    if port is None or port.pfc is None or port.pfc.priorities is None or metadata is None or metadata.text("buffer_model") == "dynamic":
        return
    row = found.table("PORT").get(port.name)
    cable = next((each.text(port.name) for each in found.table("CABLE_LENGTH").values() if each.text(port.name) is not None), None)
    speed = row.text("speed") if row is not None else None
    buffer = profiles.buffer(f"{MADE}{speed}_{cable}_profile") if cable not in (None, "0m") else None
    if buffer is None:
        return
    groups = port.pfc.group
    for index in sorted(port.pfc.priorities.value):
        group = groups.value.get(index) if groups is not None else None
        if groups is None or group is not None:
            yield group.value if group is not None else index, Fact(buffer, port.pfc.priorities.lines, "default")
