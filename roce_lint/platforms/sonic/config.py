"""A CONFIG_DB read: the device, its ports, and what each port binds.

Meaning of the fields: sonic-net/sonic-buildimage src/sonic-yang-models and files/build_templates/qos_config.j2. SONiC's TC is the internal
priority. What trust is elsewhere is here which map is bound to the port.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_lint.model.devices import Device
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Neighbour, Port
from roce_lint.model.qos import Buffer, Pfc, Queue, Trust
from roce_lint.platforms.platform import Lines, Reader, Statement
from roce_lint.platforms.sonic.profiles import Profiles
from roce_lint.platforms.sonic.tables import MAPS, OURS, Row, Tables, reference, tables
from roce_lint.platforms.sonic.watchdog import watchdogs
from roce_lint.text.numbers import numbers, whole

INTERNAL_ROLES = frozenset({"Int", "Inb", "Rec", "Dpc"})
MAP_OF = {
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "dot1p_to_tc_map": "DOT1P_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "tc_to_dscp_map": "TC_TO_DSCP_MAP",
}
Bound = Fact[Table[int]]


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """What all CONFIG_DB files of a device say together."""
    found = tables(documents)
    yield from found.notes
    profiles = Profiles(found)
    yield _device(found)
    used: dict[str, list[Port]] = {}
    for port in (*_ports(found), *_members(found), *_neighbours(found), *_maps(found, profiles), *_queues(found, profiles),
                 *_groups(found, profiles), *watchdogs(found)):  # fmt: skip
        used.setdefault(port.name, []).append(port)
    for some in used.values():
        yield from some
    yield from dict.fromkeys(profiles.notes)


def _text(row: Row, name: str) -> Fact[str] | None:
    given = row.get(name)
    return Fact(given[0], (given[1],), "configured") if given is not None and given[0] else None


def _device(found: Tables) -> Device:
    row = found.table("DEVICE_METADATA").get("localhost")
    complete = Fact(True, (found.complete,), "configured") if found.complete is not None else None
    if row is None:
        return Device("", complete=complete)
    model = row.get("buffer_model")
    return Device(
        "",
        named=_text(row, "hostname"),
        mac=_text(row, "mac"),
        model=_text(row, "hwsku"),
        asic=_text(row, "asic_type"),
        buffer_model=Fact("dynamic" if model[0] == "dynamic" else "traditional", (model[1],), "configured")
        if model is not None
        else Fact("traditional", (row.line,), "default")
        if complete is not None
        else None,
        complete=complete,
    )


def _ports(found: Tables) -> Iterator[Port]:
    lengths = {name: _metres(value) for row in found.table("CABLE_LENGTH").values() for name, value in row.fields.items()}
    for name, row in found.table("PORT").items():
        speed, mtu, lanes, state, role = (row.get(field) for field in ("speed", "mtu", "lanes", "admin_status", "role"))
        internal = role is not None and role[0] in INTERNAL_ROLES
        yield Port(
            name,
            admin_up=Fact(state[0] == "up", (state[1],), "configured") if state is not None else None,
            alias=_text(row, "alias"),
            description=_text(row, "description"),
            speed_bps=_whole(speed, 1_000_000),
            lanes=Fact(lanes[0].count(",") + 1, (lanes[1],), "configured") if lanes is not None else None,
            fec=_text(row, "fec"),
            mtu=_whole(mtu),
            mtu_kind=Fact("l3", (mtu[1],), "default") if mtu is not None else None,
            internal=Fact(True, (role[1],), "configured") if internal and role is not None else None,
            cable_length_m=lengths.pop(name, None),
        )
    for name, length in lengths.items():
        if length is not None:
            yield Port(name, cable_length_m=length)


def _metres(value: tuple[str, Line]) -> Fact[int] | None:
    text, line = value
    return _whole((text[:-1], line)) if text.endswith("m") else None


def _whole(given: tuple[str, Line] | None, unit: int = 1) -> Fact[int] | None:
    number = whole(given[0]) if given is not None else None
    return Fact(number * unit, (given[1],), "configured") if given is not None and number is not None else None


def _members(found: Tables) -> Iterator[Port]:
    for key, row in found.table("PORTCHANNEL_MEMBER").items():
        bundle, _, name = key.partition("|")
        if name:
            yield Port(name, bond=Fact(bundle, (row.line,), "configured"))
    for key, row in found.table("INTERFACE").items():
        name = key.partition("|")[0]
        yield Port(name, routed=Fact(True, (row.line,), "configured"))
    for key, row in found.table("VLAN_MEMBER").items():
        vlan, _, name = key.partition("|")
        mode, number = row.get("tagging_mode"), whole(vlan.removeprefix("Vlan"))
        if not name or number is None:
            continue
        if mode is not None and mode[0] == "untagged":
            yield Port(name, access_vlan=Fact(number, (mode[1],), "configured"))
        else:
            yield Port(name, trunk_vlans=Fact(str(number), (row.line,), "configured"))


def _neighbours(found: Tables) -> Iterator[Port]:
    for name, row in found.table("DEVICE_NEIGHBOR").items():
        device, port = _text(row, "name"), _text(row, "port")
        if device is not None:
            yield Port(name, neighbours=(Neighbour("plan", device=device, port=port),))


def _maps(found: Tables, profiles: Profiles) -> Iterator[Port]:
    """What PORT_QOS_MAP binds; the row `global` holds the switch-wide DSCP map."""
    rows = found.table("PORT_QOS_MAP")
    shared = rows.get("global")
    ports = [name for name in rows if name != "global"]
    ports += [name for name in found.table("PORT") if name not in rows] if found.complete is not None else []
    for name in ports:
        row = rows.get(name)
        yield _port_maps(found, profiles, name, row, shared)


def _port_maps(found: Tables, profiles: Profiles, name: str, row: Row | None, shared: Row | None) -> Port:
    undefined: set[str] = set()
    at: list[Line] = []
    bound: dict[str, Bound] = {}
    for field, table in MAP_OF.items():
        given = (row.get(field) if row is not None else None) or (shared.get(field) if shared is not None else None)
        if given is None:
            continue
        named, line = reference(given[0]), given[1]
        otherwise = None
        if field == "dscp_to_tc_map" and found.complete is not None and profiles.defines(table, named):
            otherwise = Fact(0, (found.table(table)[named].line,), "assumed")
        made = profiles.map(table, named, otherwise)
        if made is not None:
            bound[field] = Fact(made, (line,), "configured")
        elif found.complete is not None or profiles.has(table):
            undefined.add(named)
            at.append(line)
    first = row.line if row is not None else found.table("PORT")[name].line if name in found.table("PORT") else None
    lines = tuple(dict.fromkeys(at)) or ((first,) if first is not None else ())
    return Port(
        name,
        trust=_trust(found, name, row, bound, shared),
        dscp_to_priority=bound.get("dscp_to_tc_map"),
        pcp_to_priority=bound.get("dot1p_to_tc_map"),
        priority_to_queue=bound.get("tc_to_queue_map"),
        priority_to_group=bound.get("tc_to_pg_map"),
        rewrite_dscp=bound.get("tc_to_dscp_map"),
        pfc=_pfc(found, name, row, bound),
        undefined_names=Fact(frozenset(undefined), lines, "configured") if lines else None,
    )


def _trust(found: Tables, name: str, row: Row | None, bound: dict[str, Bound], shared: Row | None) -> Fact[Trust] | None:
    """Which map is bound, whether or not something defines it; none at all in a whole configuration is no trust."""
    given = [row.get(field) if row is not None else None for field in ("dscp_to_tc_map", "dot1p_to_tc_map")]
    given[0] = given[0] or (shared.get("dscp_to_tc_map") if shared is not None else None)
    dscp, pcp = given
    if dscp is not None:
        return Fact("both" if pcp is not None else "dscp", (dscp[1],) if pcp is None else (dscp[1], pcp[1]), "configured")
    if pcp is not None:
        return Fact("pcp", (pcp[1],), "configured")
    port = found.table("PORT").get(name)
    return Fact("port", ((row or port).line,), "default") if found.complete is not None and port is not None else None


def _pfc(found: Tables, name: str, row: Row | None, bound: dict[str, Bound]) -> Pfc | None:
    enabled = row.get("pfc_enable") if row is not None else None
    port = found.table("PORT").get(name)
    asymmetric = port.get("pfc_asym") if port is not None else None
    priorities: Fact[frozenset[int]] | None = None
    if enabled is not None:
        lines = tuple(dict.fromkeys((enabled[1], row.line))) if row is not None else (enabled[1],)
        priorities = Fact(frozenset(numbers(enabled[0])), lines, "configured")
    elif found.complete is not None and port is not None:
        priorities = Fact(frozenset[int](), ((row or port).line,), "default")
    rx = None
    if asymmetric is not None and asymmetric[0] == "on" and priorities is not None:
        rx = Fact(frozenset(range(8)), (asymmetric[1],), "assumed")
    if priorities is None and not {"pfc_to_queue_map", "pfc_to_pg_map"} & bound.keys():
        return None
    return Pfc(priorities=priorities, rx=rx, queue=bound.get("pfc_to_queue_map"), group=bound.get("pfc_to_pg_map"))


def _queues(found: Tables, profiles: Profiles) -> Iterator[Port]:
    by_port: dict[str, dict[int, Fact[Queue]]] = {}
    undefined: dict[str, dict[str, Line]] = {}
    for key, row in found.table("QUEUE").items():
        name, _, index = key.rpartition("|")
        wred, scheduler = row.get("wred_profile"), row.get("scheduler")
        marking = profiles.marking(reference(wred[0])) if wred is not None and wred[0] else None
        served = profiles.scheduler(reference(scheduler[0])) if scheduler is not None and scheduler[0] else None
        queue = Queue(
            marking=Fact(marking, (wred[1],), "configured") if marking is not None and wred is not None else None,
            scheduler=Fact(served, (scheduler[1],), "configured") if served is not None and scheduler is not None else None,
        )
        for given, made, table in ((wred, marking, "WRED_PROFILE"), (scheduler, served, "SCHEDULER")):
            if given is not None and given[0] and made is None and (found.complete is not None or profiles.has(table)):
                undefined.setdefault(name, {})[reference(given[0])] = given[1]
        by_port.setdefault(name, {})[int(index)] = Fact(queue, (row.line,), "configured")
    for key, row in found.table("BUFFER_QUEUE").items():
        name, _, index = key.rpartition("|")
        given = row.get("profile")
        buffer = profiles.buffer(reference(given[0])) if given is not None else None
        if given is None or buffer is None:
            continue
        entries = by_port.setdefault(name, {})
        old = entries.get(int(index))
        bound = Fact(buffer, (given[1],), "configured")
        queue = Queue(buffer=bound) if old is None else Queue(old.value.marking, old.value.scheduler, bound)
        entries[int(index)] = Fact(queue, old.lines if old is not None else (row.line,), "configured")
    for name, entries in by_port.items():
        names = undefined.get(name)
        yield Port(
            name,
            queues=Fact(Table(entries), next(iter(entries.values())).lines, "configured"),
            undefined_names=Fact(frozenset(names), tuple(names.values()), "configured") if names else None,
        )


def _groups(found: Tables, profiles: Profiles) -> Iterator[Port]:
    by_port: dict[str, dict[int, Fact[Buffer]]] = {}
    for key, row in found.table("BUFFER_PG").items():
        name, _, index = key.rpartition("|")
        given = row.get("profile")
        if given is None:
            continue
        text, line = reference(given[0]), given[1]
        if text == "NULL":
            computed = Buffer(lossless=Fact(True, (line,), "configured"), automatic_headroom=Fact(True, (line,), "configured"))
            by_port.setdefault(name, {})[int(index)] = Fact(computed, (line,), "configured")
            continue
        buffer = profiles.buffer(text)
        if buffer is not None:
            by_port.setdefault(name, {})[int(index)] = Fact(buffer, (line,), "configured")
    for name, entries in by_port.items():
        yield Port(name, groups=Fact(Table(entries), next(iter(entries.values())).lines, "configured"))


def recognise(lines: Lines) -> bool:
    """A JSON object with a table of CONFIG_DB among its first keys, or wrapped by ASIC."""
    first = next((line.lstrip() for line in lines if line.strip()), "")
    if not first.startswith("{"):
        return False
    for line in lines:
        for piece in line.split('"')[1::2]:
            table = piece.split("|")[0]
            if table in MAPS or (table in OURS and table not in ("PORT", "INTERFACE", "QUEUE")):
                return True
    return False


def named(lines: Lines) -> str | None:
    """The hostname in DEVICE_METADATA."""
    for line in lines:
        if '"hostname"' in line:
            after = line.partition('"hostname"')[2].split('"')
            return after[1] if len(after) > 1 and after[1] else None
    return None


READER = Reader(
    "config_db",
    read,
    asked=("show runningconfiguration all", "sonic-cfggen -d --print-data ...", "/etc/sonic/{name}.json"),
    recognise=recognise,
    named=named,
    send=("show runningconfiguration all",),
)
