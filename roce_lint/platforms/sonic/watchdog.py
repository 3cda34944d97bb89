"""The PFC watchdog of CONFIG_DB: PFC_WD by port, its GLOBAL row, and the priorities that it guards.

sonic-net/sonic-utilities pfcwd/main.py and sonic-pfcwd.yang: times in ms, action drop where none is stated. Before DB version 3_0_5 there
is no pfcwd_sw_enable, and the watchdog guards what pfc_enable lists.
"""

from __future__ import annotations

from collections.abc import Iterator

from roce_lint.model.facts import Fact
from roce_lint.model.ports import Port
from roce_lint.model.qos import Watchdog
from roce_lint.platforms.sonic.tables import Row, Tables
from roce_lint.text.numbers import numbers, whole

GLOBAL = "GLOBAL"
ACTIONS = ("drop", "forward", "alert")


def watchdogs(found: Tables) -> Iterator[Port]:
    """The watchdog of every port that has a row, and of every port of a whole configuration."""
    rows = {**found.table("PFC_WD_TABLE"), **found.table("PFC_WD")}
    shared = rows.pop(GLOBAL, None)
    guarded = found.table("PORT_QOS_MAP")
    names = dict.fromkeys([*rows, *(found.table("PORT") if found.complete is not None else ())])
    for name in names:
        row, qos = rows.get(name), guarded.get(name)
        port = found.table("PORT").get(name)
        if row is not None:
            enabled = Fact(True, (row.line,), "configured")
        elif port is not None:
            enabled = Fact(False, (port.line,), "default")
        else:
            continue
        listed = (qos.get("pfcwd_sw_enable") or qos.get("pfc_enable")) if qos is not None else None
        yield Port(
            name,
            watchdog=Watchdog(
                enabled=enabled,
                running=Fact(True, enabled.lines, "default") if enabled.value else None,
                priorities=Fact(frozenset(numbers(listed[0])), (listed[1],), "configured") if listed is not None else None,
                poll_ms=_number(shared, "POLL_INTERVAL"),
                detect_ms=_number(row, "detection_time"),
                restore_ms=_number(row, "restoration_time"),
                action=_action(row),  # type: ignore[arg-type]
            ),
        )


def _number(row: Row | None, field: str) -> Fact[int] | None:
    given = row.get(field) if row is not None else None
    number = whole(given[0]) if given is not None else None
    return Fact(number, (given[1],), "configured") if given is not None and number is not None else None


def _action(row: Row | None) -> Fact[str] | None:
    if row is None:
        return None
    given = row.get("action")
    if given is None:
        return Fact("drop", (row.line,), "default")
    return Fact(given[0], (given[1],), "configured") if given[0] in ACTIONS else None
