"""A CONFIG_DB read: its files and answers as one database for each ASIC, and what the device and its ports are.

Meaning of the fields: sonic-net/sonic-buildimage src/sonic-yang-models. Several ASICs: `sonic-cfggen -n asic0`, /etc/sonic/config_db0.json,
and the running configuration wrapped by ASIC of sonic-net/sonic-utilities show/main.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from roce_lint.model.devices import Device
from roce_lint.model.document import Document, Note
from roce_lint.model.facts import Basis, Fact
from roce_lint.model.ports import Neighbour, Port
from roce_lint.platforms.platform import Lines, Reader, Statement, words
from roce_lint.platforms.sonic import blocks
from roce_lint.platforms.sonic.bindings import bindings
from roce_lint.platforms.sonic.fields import READ
from roce_lint.platforms.sonic.groups import buffer_model
from roce_lint.platforms.sonic.profiles import Profiles
from roce_lint.platforms.sonic.tables import Given, Tables, read_json, settle_cards
from roce_lint.platforms.sonic.watchdog import watchdogs
from roce_lint.text.numbers import whole

INTERNAL_ROLES = frozenset({"Int", "Inb", "Rec", "Dpc"})
FRONT = "Ext"
MBIT, MOST_MBPS, LARGEST_MTU = 1_000_000, 10_000_000, 1 << 16
RUNNING = "show buffer information"  # of the state database; the others show the configuration
CONFIGS = (
    "show runningconfiguration all",
    "sonic-cfggen -d --print-data",
    "sonic-cfggen -d --print-data -n {asic}",
    "sonic-cfggen -d -n {asic} --print-data",
    "sonic-cfggen -n {asic} -d --print-data",
)
SHOWS = ("show ecn", "ecnconfig -l", "show mmu", "mmuconfig -l", "show buffer configuration", RUNNING)
TELLING = READ - {"PORT", "INTERFACE"}
STATES: Mapping[str, bool] = {"up": True, "down": False}


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """What all CONFIG_DB files of a device say together."""
    spaces = databases(documents)
    made = {space: Profiles(found) for space, found in spaces.items()}
    yield _device(spaces)
    for space, found in spaces.items():
        yield from _ports(found)
        yield from _members(found)
        yield from _neighbours(found)
        yield from bindings(found, made[space])
        yield from watchdogs(found)
    for found in spaces.values():
        yield from dict.fromkeys(found.notes)


def databases(documents: Sequence[Document]) -> dict[str, Tables]:
    """The tables of the device itself, under an empty name, and of each of its ASICs."""
    spaces = {"": Tables()}

    def tables_of(space: str) -> Tables:
        if space not in spaces:
            spaces[space] = Tables(shared=spaces[""])
        return spaces[space]

    runs = any(_is_running(document) for document in documents)
    ends = True
    for document in documents:
        if _lists(document):
            running = " ".join(words(document.command or "")).startswith(RUNNING)
            blocks.read_blocks(document, "observed" if running else "configured", tables_of)
        else:
            basis: Basis = "saved" if runs and _is_saved(document) else "configured"
            ends = read_json(document, basis, _space(document), tables_of) and ends
    for space, found in spaces.items():
        settle_cards(found, space)
        metadata = found.metadata
        if ends and metadata is not None and found.table("PORT"):
            found.complete = metadata.line
    return spaces


def _lists(document: Document) -> bool:
    """Whether a document is the answer of a show command that lists objects, and no JSON."""
    if document.command is not None:
        return " ".join(words(document.command)).startswith(SHOWS)
    return not document.read().lstrip().startswith("{") and blocks.recognise(document.lines())


def _is_saved(document: Document) -> bool:
    return document.command is not None and document.command.startswith("/")


def _is_running(document: Document) -> bool:
    return document.command is not None and not _is_saved(document) and not _lists(document)


def _space(document: Document) -> str:
    """The ASIC that a command or a file on the device is about, an empty text for the device itself."""
    parts = words(document.command or "")
    if "-n" in parts[:-1]:
        return parts[parts.index("-n") + 1]
    match parts:
        case [path] if path.startswith("/etc/sonic/config_db"):
            number = path.removeprefix("/etc/sonic/config_db").removesuffix(".json")
            return f"asic{number}" if number.isdecimal() else ""
    return ""


def _device(spaces: Mapping[str, Tables]) -> Device:
    lines = [found.complete for found in spaces.values() if found.complete is not None]
    complete = Fact(True, (lines[0],), "configured") if lines else None
    own = next((found for found in spaces.values() if found.metadata is not None), None)
    row = own.metadata if own is not None else None
    if own is None or row is None:
        return Device("", complete=complete)
    model = buffer_model(own)
    return Device(
        "",
        named=row.word("hostname"),
        mac=row.word("mac"),
        model=row.word("hwsku"),
        asic=row.word("asic_type"),
        buffer_model=model if complete is not None or (model is not None and model.basis != "default") else None,
        complete=complete,
    )


def _ports(found: Tables) -> Iterator[Port]:
    lengths: dict[str, Fact[int]] = {}
    for row in found.table("CABLE_LENGTH").values():
        for name in row.names():
            length = found.number(row, name, suffix="m")
            if length is not None:
                lengths[name] = length
    for name, row in found.table("PORT").items():
        mtu = found.number(row, "mtu", 1, LARGEST_MTU)
        admin = row.fact("admin_status", lambda given: _state(found, given))
        if found.complete is not None and not row.has("admin_status"):
            admin = Fact(False, (row.line,), "default")
        yield Port(
            name,
            admin_up=admin,
            alias=row.word("alias"),
            description=row.word("description"),
            speed_bps=found.number(row, "speed", most=MOST_MBPS, unit=MBIT),
            lanes=row.fact("lanes", lambda given: given.text.count(",") + 1 if given.text else None),
            fec=row.word("fec"),
            mtu=mtu,
            mtu_kind=Fact("l3", mtu.lines, "default") if mtu is not None else None,
            internal=row.fact("role", lambda given: _internal(found, given)),
            cable_length_m=lengths.pop(name, None),
        )
    for name, length in lengths.items():
        yield Port(name, cable_length_m=length)


def _state(found: Tables, given: Given) -> bool | None:
    if given.text not in STATES:
        found.notes.append(Note(given.line, "up or down expected"))
    return STATES.get(given.text)


def _internal(found: Tables, given: Given) -> bool | None:
    """Whether a role is none of the front panel; nothing is said of a port of it."""
    if given.text != FRONT and given.text not in INTERNAL_ROLES:
        found.notes.append(Note(given.line, f"{', '.join((FRONT, *sorted(INTERNAL_ROLES)))} expected for role"))
    return given.text in INTERNAL_ROLES or None


def _members(found: Tables) -> Iterator[Port]:
    for key, row in found.table("PORTCHANNEL_MEMBER").items():
        bundle, _, name = key.partition("|")
        if name:
            yield Port(name, bond=Fact(bundle, (row.line,), row.source.basis))
    for table in ("INTERFACE", "PORTCHANNEL_INTERFACE"):
        for name in dict.fromkeys(key.partition("|")[0] for key in found.table(table)):
            row = next(row for key, row in found.table(table).items() if key.partition("|")[0] == name)
            yield Port(name, routed=Fact(True, (row.line,), row.source.basis))
    for key, row in found.table("VLAN_MEMBER").items():
        vlan, _, name = key.partition("|")
        mode, number = row.get("tagging_mode"), whole(vlan.removeprefix("Vlan"))
        if not name or number is None:
            continue
        if mode is not None and mode.text == "untagged":
            yield Port(name, access_vlan=Fact(number, (mode.line,), mode.basis))
        else:
            yield Port(name, trunk_vlans=Fact(str(number), (row.line,), row.source.basis))


def _neighbours(found: Tables) -> Iterator[Port]:
    for name, row in found.table("DEVICE_NEIGHBOR").items():
        device = row.word("name")
        if device is not None:
            yield Port(name, neighbours=(Neighbour("plan", device=device, port=row.word("port")),))


def recognise(lines: Lines) -> bool:
    """A JSON object with a table of CONFIG_DB among its keys, or a list of pools and profiles."""
    first = next((line.lstrip() for line in lines if line.strip()), "")
    if not first.startswith("{"):
        return blocks.recognise(lines)
    return any(piece.split("|")[0] in TELLING for line in lines for piece in line.split('"')[1::2])


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
    asked=(*CONFIGS, "/etc/sonic/{name}.json", *(f"{each}{of}" for each in SHOWS for of in ("", " -n {asic}"))),
    recognise=recognise,
    named=named,
    send=("show runningconfiguration all", "show buffer information"),
)
