"""The priority groups of a CONFIG_DB: those that ports bind, those that the switch makes, and what holds for the others.

In the traditional buffer model buffermgrd makes the group of each index that PFC is on for, of that number, when a port has a cable that is
not of 0 m: sonic-net/sonic-swss cfgmgr/buffermgr.cpp. Its profile bears the port's speed and cable in its name; one that is there already
is taken before a new one. In the dynamic model a group without a profile of its own is bound to NULL and its headroom is computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from roce_lint.model.document import Line, Note
from roce_lint.model.facts import Basis, Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer
from roce_lint.platforms.sonic.profiles import Profiles
from roce_lint.platforms.sonic.tables import Given, Row, Tables, reference

COMPUTED = "NULL"
MADE = "pg_lossless_"
Model = Literal["traditional", "dynamic"]


def buffer_model(found: Tables) -> Fact[Model] | None:
    """The buffer model; the traditional one where a whole configuration states none."""

    def read(given: Given) -> Model | None:
        match given.text:
            case "traditional" | "dynamic":
                return given.text
        found.notes.append(Note(given.line, "traditional or dynamic expected"))
        return None

    row = found.metadata
    if row is None or row.has("buffer_model"):
        return row.fact("buffer_model", read) if row is not None else None
    return Fact("traditional", (row.line,), "default")


def groups(found: Tables, profiles: Profiles, mapped: Mapping[str, Port]) -> Iterator[Port]:
    """The groups of every port that binds some, and of every port of a whole configuration."""
    bound, ports = found.of_ports("BUFFER_PG"), found.table("PORT")
    made: dict[int, Fact[Buffer]] = {}
    model = buffer_model(found)
    for name in dict.fromkeys((*bound, *(ports if found.complete is not None else ()))):
        rows, port = bound.get(name, {}), ports.get(name)
        entries: dict[int, Fact[Buffer]] = {}
        for index, row in rows.items():
            if id(row) not in made:
                made[id(row)] = _group(profiles, row)
            entries[index] = made[id(row)]
        basis: Basis = next((fact.basis for fact in entries.values()), "default")
        of_pfc = _of_pfc(found, profiles, mapped.get(name)) if model is not None and model.value == "traditional" else {}
        readable = found.is_silent("BUFFER_PG", name)
        if found.complete is None or readable:
            entries |= {index: fact for index, fact in (of_pfc or {}).items() if index not in entries}
        lossy = _lossy(port.line) if readable and port is not None and model is not None and of_pfc is not None else None
        if entries or lossy is not None:
            lines = next(iter(entries.values()), lossy).lines  # type: ignore[union-attr]
            undefined = _undefined(found, rows)
            yield Port(
                name,
                groups=Fact(Table(entries, lossy), lines, basis),
                undefined_names=Fact(frozenset(undefined), tuple(undefined.values()), "configured") if undefined else None,
            )


def _lossy(line: Line) -> Fact[Buffer]:
    return Fact(Buffer(lossless=Fact(False, (line,), "default")), (line,), "default")


def _group(profiles: Profiles, row: Row) -> Fact[Buffer]:
    """A group that is bound; nothing is known of one whose profile nothing defines."""
    given = row.get("profile")
    if given is None:
        return Fact(Buffer(), (row.line,), row.source.basis)
    at = (given.line,)
    if reference(given.text) == COMPUTED:
        computed = Buffer(lossless=Fact(True, at, given.basis), automatic_headroom=Fact(True, at, given.basis))
        return Fact(computed, at, given.basis)
    return Fact(profiles.buffer(reference(given.text)) or Buffer(), at, given.basis)


def _undefined(found: Tables, rows: Mapping[int, Row]) -> dict[str, Line]:
    """The profiles that groups name and nothing defines, without those that the switch makes."""
    given = [profile for row in rows.values() if (profile := row.get("profile")) is not None and found.has("BUFFER_PROFILE")]
    names = {reference(each.text): each.line for each in given}
    return {
        name: line
        for name, line in names.items()
        if name and name != COMPUTED and not name.startswith(MADE) and found.find("BUFFER_PROFILE", name) is None
    }


def _of_pfc(found: Tables, profiles: Profiles, port: Port | None) -> dict[int, Fact[Buffer]] | None:
    """The groups that the traditional model makes for a port; None where that is not known."""
    on = port.pfc.priorities if port is not None and port.pfc is not None else None
    if port is None or on is None:
        return None
    if not on.value:
        return {}
    rows = [row for row in found.table("CABLE_LENGTH").values() if row.has(port.name)]
    length = found.number(rows[-1], port.name, suffix="m") if rows else None
    own = found.table("PORT").get(port.name)
    if length is None or own is None:
        return None if rows or own is None or found.complete is None else _all(on, _without(on, own.line))
    if length.value == 0:
        return _all(on, _without(on, length.lines[0]))
    profile = profiles.buffer(f"{MADE}{own.text('speed')}_{rows[-1].text(port.name)}_profile")
    if profile is not None:
        return _all(on, Fact(profile, on.lines, "default"))
    if found.complete is None:
        return {}
    lines = tuple(dict.fromkeys((*on.lines, *length.lines)))
    made = Buffer(lossless=Fact(True, lines, "default"), automatic_headroom=Fact(True, lines, "default"))
    return _all(on, Fact(made, on.lines, "default"))


def _all(on: Fact[frozenset[int]], buffer: Fact[Buffer]) -> dict[int, Fact[Buffer]]:
    return dict.fromkeys(sorted(on.value), buffer)


def _without(on: Fact[frozenset[int]], line: Line) -> Fact[Buffer]:
    """A group that is not made, for the reason at a line."""
    lines = tuple(dict.fromkeys((*on.lines, line)))
    return Fact(Buffer(lossless=Fact(False, lines, "default")), on.lines, "default")
