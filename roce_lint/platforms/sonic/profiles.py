"""The named objects of CONFIG_DB that ports bind: maps, WRED profiles, schedulers, buffer pools and profiles. One object each.

Defaults of a field that a row leaves out: the YANG models of sonic-net/sonic-buildimage (wred_*_enable false, drop probability 100,
scheduler WRR with weight 1, xoff 0). RoCE packets are green unless a policer colours them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeVar

from roce_lint.model.document import Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.qos import Buffer, Marking, Pool, Scheduler
from roce_lint.platforms.sonic.fields import HIGHEST
from roce_lint.platforms.sonic.tables import Given, Row, Tables, reference
from roce_lint.text.numbers import whole

V = TypeVar("V")
GREEN = frozenset({"ecn_all", "ecn_green", "ecn_green_yellow", "ecn_green_red"})
KNOWN_ECN = GREEN | {"ecn_none", "ecn_yellow", "ecn_red", "ecn_yellow_red"}
Service = Literal["strict", "dwrr", "wrr"]
SERVICES: Mapping[str, Service] = {"STRICT": "strict", "DWRR": "dwrr", "WRR": "wrr"}
DIRECTIONS: Mapping[str, Literal["ingress", "egress", "both"]] = {"ingress": "ingress", "egress": "egress", "both": "both"}
TRUTHS: Mapping[str, bool] = {"true": True, "false": False}
UNLIMITED_ALPHA = 128.0  # dynamic_th 7, the largest that YANG allows: 99 % of a pool for one queue
BITS = 8


class Profiles:
    """Every named object of a device, made once."""

    def __init__(self, found: Tables) -> None:
        self.found = found
        self._maps: dict[tuple[str, str], Table[int]] = {}
        self._markings: dict[tuple[str, str], Marking] = {}
        self._schedulers: dict[tuple[str, str], Scheduler] = {}
        self._buffers: dict[tuple[str, str], Buffer] = {}
        self._pools: dict[tuple[str, str], Pool] = {}

    def map(self, table: str, name: str) -> Table[int] | None:
        """A map by its name; DSCPs and PCPs that a whole map of a whole configuration does not list are taken as class 0."""
        return self._once(self._maps, table, name, lambda row: self._table(row, table, name))

    def marking(self, name: str) -> Marking | None:
        return self._once(self._markings, "WRED_PROFILE", name, lambda row: self._marking(row, name))

    def scheduler(self, name: str) -> Scheduler | None:
        return self._once(self._schedulers, "SCHEDULER", name, lambda row: self._scheduler(row, name))

    def buffer(self, name: str) -> Buffer | None:
        return self._once(self._buffers, "BUFFER_PROFILE", name, lambda row: self._buffer(row, name))

    def pool(self, name: str) -> Pool | None:
        return self._once(self._pools, "BUFFER_POOL", name, lambda row: self._pool(row, name))

    def _once(self, made: dict[tuple[str, str], V], table: str, name: str, make: Callable[[Row], V]) -> V | None:
        if (table, name) not in made:
            row = self.found.find(table, name)
            if row is None:
                return None
            made[table, name] = make(row)
        return made[table, name]

    def _note(self, given: Given, expected: str) -> None:
        self.found.notes.append(Note(given.line, f"{expected} expected"))

    def _table(self, row: Row, table: str, name: str) -> Table[int]:
        entries: dict[int, Fact[int]] = {}
        last_key, last_value = HIGHEST[table]
        whole_map = self.found.complete is not None and row.whole and table in ("DSCP_TO_TC_MAP", "DOT1P_TO_TC_MAP")

        def read(given: Given) -> int | None:
            number = whole(given.text)
            if number is None or number > last_value:
                self._note(given, f"a number from 0 to {last_value}")
                return None
            return number

        for key in row.names():
            index = whole(key)
            given = row.get(key)
            fact = row.fact(key, read) if index is not None and index <= last_key else None
            if index is not None and fact is not None:
                entries[index] = fact
                continue
            whole_map = whole_map and key == "NULL"
            if given is not None and key != "NULL" and (index is None or index > last_key):
                self._note(given, f"a number from 0 to {last_key}")
        return Table(entries, Fact(0, (row.line,), "assumed") if whole_map else None, name)

    def _marking(self, row: Row, name: str) -> Marking:
        ecn, enabled = row.fact("ecn", self._ecn), row.fact("wred_green_enable", self._truth)
        if row.whole:
            ecn = ecn or (Fact("ecn_none", (row.line,), "default") if not row.has("ecn") else None)
            enabled = enabled or (Fact(False, (row.line,), "default") if not row.has("wred_green_enable") else None)
        probability = self.found.number(row, "green_drop_probability", most=100)
        if probability is not None:
            chance: Fact[float] | None = Fact(probability.value / 100, probability.lines, probability.basis)
        else:
            absent = row.whole and not row.has("green_drop_probability")
            chance = Fact(1.0, (row.line,), "default") if absent else None
        return Marking(
            name,
            ecn=_marks(ecn, enabled),
            drops=_drops(ecn, enabled),
            kmin_bytes=self.found.number(row, "green_min_threshold"),
            kmax_bytes=self.found.number(row, "green_max_threshold"),
            mark_probability=chance,
        )

    def _ecn(self, given: Given) -> str | None:
        if given.text in KNOWN_ECN:
            return given.text
        self._note(given, "an ecn mode such as ecn_all")
        return None

    def _truth(self, given: Given) -> bool | None:
        if given.text.lower() not in TRUTHS:
            self._note(given, "true or false")
        return TRUTHS.get(given.text.lower())

    def _scheduler(self, row: Row, name: str) -> Scheduler:
        kind: Fact[Service] | None = row.fact("type", self._service)
        if kind is None and row.whole and not row.has("type"):
            kind = Fact("wrr", (row.line,), "default")
        weight = self.found.number(row, "weight", 1, 100)
        if weight is None and row.whole and not row.has("weight") and kind is not None and kind.value != "strict":
            weight = Fact(1, (row.line,), "default")
        metered = row.fact("meter_type", self._meter)
        in_bytes = not row.has("meter_type") or (metered is not None and metered.value == "bytes")
        limit = self.found.number(row, "pir", unit=BITS) if in_bytes else None
        return Scheduler(name, kind, weight=weight, rate_limit_bps=limit if limit is not None and limit.value > 0 else None)

    def _meter(self, given: Given) -> str | None:
        if given.text in ("bytes", "packets"):
            return given.text
        self._note(given, "bytes or packets")
        return None

    def _service(self, given: Given) -> Service | None:
        if given.text.upper() not in SERVICES:
            self._note(given, "STRICT, DWRR or WRR")
        return SERVICES.get(given.text.upper())

    def _pool(self, row: Row, name: str) -> Pool:
        percent = self.found.number(row, "percentage", most=100)
        return Pool(
            name,
            direction=row.fact("type", self._direction),
            mode=row.fact("mode", self._mode),
            size_bytes=self.found.number(row, "size"),
            percent=Fact(float(percent.value), percent.lines, percent.basis) if percent is not None else None,
            shared_headroom_bytes=self._shared_headroom(row),
        )

    def _direction(self, given: Given) -> Literal["ingress", "egress", "both"] | None:
        if given.text not in DIRECTIONS:
            self._note(given, "ingress, egress or both")
        return DIRECTIONS.get(given.text)

    def _mode(self, given: Given) -> Literal["static", "dynamic"] | None:
        if given.text in ("static", "dynamic"):
            return "static" if given.text == "static" else "dynamic"
        self._note(given, "static or dynamic")
        return None

    def _shared_headroom(self, row: Row) -> Fact[int] | None:
        """What the pool states; nothing where the switch computes it, from an oversubscription that is stated."""
        stated = self.found.number(row, "xoff")
        if stated is not None or not row.whole or row.has("xoff") or row.text("type") == "egress":
            return stated
        parameter = self.found.find("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE")
        ratio = parameter.text("over_subscribe_ratio") if parameter is not None else None
        return None if ratio is not None and ratio != "0" else Fact(0, (row.line,), "default")

    def _buffer(self, row: Row, name: str) -> Buffer:
        pool_name = row.get("pool")
        pool = self.pool(reference(pool_name.text)) if pool_name is not None else None
        exponent = self.found.number(row, "dynamic_th", -8, 8)
        alpha = Fact(2.0**exponent.value, exponent.lines, exponent.basis) if exponent is not None else None
        limit = self.found.number(row, "static_th")
        lossless = self._lossless(row, pool_name, pool)
        return Buffer(
            name,
            lossless=lossless,
            size_bytes=self.found.number(row, "size"),
            xon_bytes=self.found.number(row, "xon"),
            xon_offset_bytes=self.found.number(row, "xon_offset"),
            xoff_bytes=self.found.number(row, "xoff"),
            automatic_headroom=_automatic(row) if lossless is not None and lossless.value else None,
            alpha=alpha,
            limit_bytes=limit,
            unlimited=_unlimited(alpha, limit, pool),
            pool=Fact(pool, (pool_name.line,), pool_name.basis) if pool is not None and pool_name is not None else None,
        )

    def _lossless(self, row: Row, pool_name: Given | None, pool: Pool | None) -> Fact[bool] | None:
        """A profile of a lossless ingress pool with headroom, stated or computed; nothing is said of one that is for egress."""
        named = reference(pool_name.text) if pool_name is not None else ""
        direction = pool.direction.value if pool is not None and pool.direction is not None else None
        if direction == "egress" or (direction is None and "egress" in named) or pool_name is None:
            return None
        headroom = row.get("xoff") or (row.get("headroom_type") if row.text("headroom_type") == "dynamic" else None)
        if "lossy" in named:
            return Fact(False, (pool_name.line,), pool_name.basis)
        if headroom is not None:
            return Fact(True, (headroom.line,), headroom.basis)
        return Fact(False, (row.line,), row.source.basis) if row.whole else None


def _marks(ecn: Fact[str] | None, enabled: Fact[bool] | None) -> Fact[bool] | None:
    """Green packets are marked where a mode covers green and WRED is on for green."""
    if ecn is not None and ecn.value not in GREEN:
        return Fact(False, ecn.lines, ecn.basis)
    if enabled is not None and not enabled.value:
        return _both(False, enabled, ecn)
    return _both(True, ecn, enabled) if ecn is not None and enabled is not None else None


def _drops(ecn: Fact[str] | None, enabled: Fact[bool] | None) -> Fact[bool] | None:
    """Green packets are dropped early where WRED is on for green and no mode marks them instead."""
    if enabled is not None and not enabled.value:
        return Fact(False, enabled.lines, enabled.basis)
    if ecn is not None and ecn.value in GREEN:
        return Fact(False, ecn.lines, ecn.basis)
    return _both(True, enabled, ecn) if ecn is not None and enabled is not None else None


def _both(value: bool, first: Fact[object], second: Fact[object] | None) -> Fact[bool]:
    """A truth that rests on one or two facts, the one that decides first."""
    if second is None:
        return Fact(value, first.lines, first.basis)
    lines = tuple(dict.fromkeys((*first.lines, *second.lines)))
    basis = first.basis if first.basis in ("default", "saved") else second.basis if second.basis == "default" else first.basis
    return Fact(value, lines, basis)


def _automatic(row: Row) -> Fact[bool]:
    kind = row.get("headroom_type")
    if kind is not None:
        return Fact(kind.text == "dynamic", (kind.line,), kind.basis)
    return Fact(False, (row.line,), "default")


def _unlimited(alpha: Fact[float] | None, limit: Fact[int] | None, pool: Pool | None) -> Fact[bool] | None:
    """Whether a static threshold is as large as its pool, or a dynamic one as large as can be."""
    if limit is not None:
        size = pool.size_bytes if pool is not None else None
        return Fact(limit.value >= size.value > 0, (*limit.lines, *size.lines), limit.basis) if size is not None else None
    return Fact(alpha.value >= UNLIMITED_ALPHA, alpha.lines, alpha.basis) if alpha is not None else None
