"""The named objects of CONFIG_DB that ports bind: maps, WRED profiles, schedulers, buffer pools and profiles. One object each.

Defaults of a field that a row leaves out: the yang models of sonic-net/sonic-buildimage (wred_*_enable false, drop probability 100,
scheduler WRR with weight 1). RoCE packets are green unless a policer colours them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from roce_lint.model.document import Line, Note
from roce_lint.model.facts import Basis, Fact, Table
from roce_lint.model.qos import Buffer, Marking, Pool, Scheduler
from roce_lint.platforms.sonic.tables import Row, Tables, reference
from roce_lint.text.numbers import whole

V = TypeVar("V")
GREEN = frozenset({"ecn_all", "ecn_green", "ecn_green_yellow", "ecn_green_red"})
KNOWN_ECN = GREEN | {"ecn_none", "ecn_yellow", "ecn_red", "ecn_yellow_red"}
UNLIMITED_ALPHA = 128.0  # dynamic_th 7, the largest alpha


class Profiles:
    """Every named object of a device, made once."""

    def __init__(self, found: Tables) -> None:
        self.found = found
        self.notes: list[Note] = []
        self._made: dict[tuple[str, str], object] = {}

    def defines(self, table: str, name: str) -> bool:
        return name in self.found.table(table)

    def has(self, table: str) -> bool:
        return bool(self.found.table(table))

    def map(self, table: str, name: str, otherwise: Fact[int] | None = None) -> Table[int] | None:
        """A map by its name; `otherwise` for keys that it does not list."""
        return self._once(table, name, lambda row: self._table(row, name, otherwise))

    def marking(self, name: str) -> Marking | None:
        return self._once("WRED_PROFILE", name, lambda row: self._marking(row, name))

    def scheduler(self, name: str) -> Scheduler | None:
        return self._once("SCHEDULER", name, lambda row: self._scheduler(row, name))

    def buffer(self, name: str) -> Buffer | None:
        return self._once("BUFFER_PROFILE", name, lambda row: self._buffer(row, name))

    def pool(self, name: str) -> Pool | None:
        return self._once("BUFFER_POOL", name, lambda row: self._pool(row, name))

    def _once(self, table: str, name: str, make: Callable[[Row], V]) -> V | None:
        made = self._made.get((table, name))
        if made is None:
            row = self.found.table(table).get(name)
            if row is None:
                return None
            made = self._made[table, name] = make(row)
        return made  # type: ignore[return-value]

    def _table(self, row: Row, name: str, otherwise: Fact[int] | None) -> Table[int]:
        entries: dict[int, Fact[int]] = {}
        for key, (value, line) in row.fields.items():
            index, number = whole(key), whole(value)
            if index is not None and number is not None:
                entries[index] = Fact(number, (line,), "configured")
            elif key != "NULL":
                self.notes.append(Note(line, "a number for a number expected"))
        return Table(entries, otherwise, name)

    def number(self, row: Row, field: str) -> Fact[int] | None:
        """A field as a whole number; a Note where it is none."""
        given = row.get(field)
        if given is None:
            return None
        text, line = given
        number = whole(text.removeprefix("-"))
        if number is None:
            self.notes.append(Note(line, f"a number expected for {field}"))
            return None
        return Fact(-number if text.startswith("-") else number, (line,), "configured")

    def _marking(self, row: Row, name: str) -> Marking:
        ecn, ecn_line = row.get("ecn") or ("ecn_none", row.line)
        if ecn not in KNOWN_ECN:
            self.notes.append(Note(ecn_line, "an ecn mode such as ecn_all expected"))
        enabled = row.get("wred_green_enable")
        on = enabled is not None and enabled[0] == "true"
        at: tuple[Line, ...] = (ecn_line,) if enabled is None else tuple(dict.fromkeys((ecn_line, enabled[1])))
        basis: Basis = "configured" if enabled is not None and row.get("ecn") is not None else "default"
        lines = at if basis == "configured" else (row.line,)
        covered = ecn in GREEN
        probability = self.number(row, "green_drop_probability")
        return Marking(
            name,
            ecn=Fact(covered and on, lines, basis),
            drops=Fact(on and not covered, lines, basis),
            kmin_bytes=self.number(row, "green_min_threshold"),
            kmax_bytes=self.number(row, "green_max_threshold"),
            mark_probability=Fact(probability.value / 100, probability.lines, "configured")
            if probability is not None
            else Fact(1.0, (row.line,), "default"),
        )

    def _scheduler(self, row: Row, name: str) -> Scheduler:
        kind, line = row.get("type") or ("WRR", row.line)
        words: Mapping[str, str] = {"STRICT": "strict", "DWRR": "dwrr", "WRR": "wrr"}
        word = words.get(kind.upper())
        if word is None:
            self.notes.append(Note(line, "STRICT, DWRR or WRR expected"))
        basis: Basis = "configured" if row.get("type") is not None else "default"
        weight = self.number(row, "weight")
        return Scheduler(
            name,
            scheduling=Fact(word, (line,), basis) if word is not None else None,  # type: ignore[arg-type]
            weight=weight or (Fact(1, (row.line,), "default") if word != "strict" else None),
        )

    def _pool(self, row: Row, name: str) -> Pool:
        direction, mode = row.get("type"), row.get("mode")
        return Pool(
            name,
            direction=_word(direction, ("ingress", "egress", "both")),  # type: ignore[arg-type]
            mode=_word(mode, ("static", "dynamic")),  # type: ignore[arg-type]
            size_bytes=self.number(row, "size"),
            shared_headroom_bytes=self.number(row, "xoff") or Fact(0, (row.line,), "default"),
        )

    def _buffer(self, row: Row, name: str) -> Buffer:
        pool_name = row.get("pool")
        pool = self.pool(reference(pool_name[0])) if pool_name is not None else None
        threshold = self.number(row, "dynamic_th")
        limit = self.number(row, "static_th")
        xoff, size = self.number(row, "xoff"), self.number(row, "size")
        alpha = Fact(2.0**threshold.value, threshold.lines, "configured") if threshold is not None else None
        lossless = self._lossless(row, pool_name)
        static_pool = pool is not None and limit is not None and pool.size_bytes is not None and limit.value >= pool.size_bytes.value
        wide = static_pool or (alpha is not None and alpha.value >= UNLIMITED_ALPHA)
        at = (limit or threshold).lines if limit is not None or threshold is not None else (row.line,)  # type: ignore[union-attr]
        dynamic = row.get("headroom_type")
        return Buffer(
            name,
            lossless=lossless,
            size_bytes=size,
            xon_bytes=self.number(row, "xon"),
            xon_offset_bytes=self.number(row, "xon_offset"),
            xoff_bytes=xoff,
            automatic_headroom=Fact(dynamic is not None and dynamic[0] == "dynamic", (dynamic[1] if dynamic else row.line,), "configured")
            if lossless.value
            else None,
            alpha=alpha,
            limit_bytes=limit,
            unlimited=Fact(wide, at, "configured") if limit is not None or alpha is not None else None,
            pool=Fact(pool, (pool_name[1],), "configured") if pool is not None and pool_name is not None else None,
        )

    def _lossless(self, row: Row, pool: tuple[str, Line] | None) -> Fact[bool]:
        """A profile of a lossless ingress pool with headroom, fixed or computed; without headroom it is a lossy one."""
        xoff = row.get("xoff") or row.get("headroom_type")
        named = pool is not None and "lossless" in reference(pool[0]) and "egress" not in reference(pool[0])
        if named and xoff is not None:
            return Fact(True, (xoff[1],), "configured")
        return Fact(False, (pool[1] if pool is not None else row.line,), "configured" if pool is not None else "default")


def _word(given: tuple[str, Line] | None, known: tuple[str, ...]) -> Fact[str] | None:
    return Fact(given[0], (given[1],), "configured") if given is not None and given[0] in known else None
