"""The PFC watchdog of CONFIG_DB: PFC_WD by port, its GLOBAL row, and the priorities that it guards.

sonic-net/sonic-utilities pfcwd/main.py and sonic-pfcwd.yang: times in ms, action drop where none is stated. Before DB version 3_0_5 there
is no pfcwd_sw_enable, and the watchdog guards what pfc_enable lists; from then on a port without it has no index guarded, which
sonic-net/sonic-swss orchagent/qosorch.cpp sets in any case.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from roce_lint.model.document import Note
from roce_lint.model.facts import Fact
from roce_lint.model.ports import Port
from roce_lint.model.qos import Watchdog
from roce_lint.platforms.sonic.tables import Given, Row, Tables
from roce_lint.text.numbers import whole

GLOBAL, GUARDED = "GLOBAL", "pfcwd_sw_enable"
SINCE = (3, 0, 5)
BIG_RED_SWITCH = "the big red switch is on: every packet of the guarded queues is dropped, storm or not; no fact says so"
Action = Literal["drop", "forward", "alert"]
ACTIONS: dict[str, Action] = {"drop": "drop", "forward": "forward", "alert": "alert"}


def watchdogs(found: Tables) -> Iterator[Port]:
    """The watchdog of every port that has a row, and of every port of a whole configuration."""
    rows = {**found.table("PFC_WD_TABLE"), **found.table("PFC_WD")}
    shared = rows.pop(GLOBAL, None) or found.find("PFC_WD", GLOBAL)
    red = shared.get("BIG_RED_SWITCH") if shared is not None else None
    if red is not None and red.text == "enable":
        found.notes.append(Note(red.line, BIG_RED_SWITCH))
    poll = found.number(shared, "POLL_INTERVAL") if shared is not None else None
    ports = found.table("PORT")
    for name in dict.fromkeys([*rows, *(ports if found.complete is not None else ())]):
        row, port = rows.get(name), ports.get(name)
        enabled: Fact[bool] | None = None
        if row is not None:
            enabled = Fact(True, (row.line,), row.source.basis)
        elif port is not None:
            enabled = Fact(False, (port.line,), "default")
        yield Port(
            name,
            watchdog=Watchdog(
                enabled=enabled,
                running=Fact(True, enabled.lines, "default") if enabled is not None and enabled.value else None,
                priorities=_guarded(found, name),
                poll_ms=poll,
                detect_ms=found.number(row, "detection_time") if row is not None else None,
                restore_ms=found.number(row, "restoration_time") if row is not None else None,
                action=_action(found, row) if row is not None else None,
            ),
        )


def _guarded(found: Tables, name: str) -> Fact[frozenset[int]] | None:
    qos = found.table("PORT_QOS_MAP").get(name)
    if qos is None:
        return None
    if qos.has(GUARDED):
        return found.indices(qos, GUARDED)
    version = _version(found)
    if version is not None and version >= SINCE:
        return Fact(frozenset[int](), (qos.line,), "default") if qos.whole else None
    guarded = found.indices(qos, "pfc_enable")
    return guarded if version is not None or guarded is None else Fact(guarded.value, guarded.lines, "assumed")


def _version(found: Tables) -> tuple[int, ...] | None:
    """The version of the database as numbers: `version_3_0_6`, `version_202305_01`."""
    row = found.find("VERSIONS", "DATABASE")
    text = (row.text("VERSION") if row is not None else None) or ""
    parts = [whole(part) for part in text.removeprefix("version_").split("_")]
    return tuple(part for part in parts if part is not None) if text.startswith("version_") and None not in parts else None


def _action(found: Tables, row: Row) -> Fact[Action] | None:
    def read(given: Given) -> Action | None:
        if given.text not in ACTIONS:
            found.notes.append(Note(given.line, "drop, forward or alert expected"))
        return ACTIONS.get(given.text)

    absent = row.whole and not row.has("action")
    return Fact("drop", (row.line,), "default") if absent else row.fact("action", read)
