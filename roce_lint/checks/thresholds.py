"""Whether ECN marks before PFC pauses, by the dynamic threshold of a group on a shared pool.

T(n) = alpha B / (1 + n alpha) bytes for n equally full groups on a pool of B bytes. One group alone reaches T(1) before it pauses.
"""

from __future__ import annotations

from typing import cast

from roce_lint.checks.check import Check, Checked, Env, Params
from roce_lint.fabric.marking import threshold
from roce_lint.fabric.pipeline import End
from roce_lint.model.finding import Cite
from roce_lint.model.outcome import Derived, Missing, union
from roce_lint.model.plan import FabricPlan

CONGESTED_PORTS = 8  # how many full groups share the pool where the plan does not say


def dynamic_threshold(alpha: float, pool_bytes: int, groups: int) -> float:
    """The bytes at which each of `groups` equally full groups begins to pause."""
    return alpha * pool_bytes / (1 + groups * alpha)


def ecn_before_pause(env: Env, params: Params) -> Checked:
    """Whether marking begins below the level at which the class is paused: `alone` for one full group, `many` for several."""
    here = cast(End, env["here"])
    kmin = here.kmin_bytes
    if isinstance(kmin, Missing):
        return Checked(kmin)
    fixed = here.limit_bytes
    if isinstance(fixed, Derived):
        holds = kmin.value < fixed.value
        return Checked(Derived(holds, union(kmin.cites, fixed.cites)), _terms("alone", 1, kmin.value, fixed.value))
    alpha, pool = here.alpha, here.pool_bytes
    if isinstance(alpha, Missing) or isinstance(pool, Missing):
        return Checked(alpha if isinstance(alpha, Missing) else cast(Missing, pool))
    cites: tuple[Cite, ...] = union(kmin.cites, alpha.cites, pool.cites)
    alone = dynamic_threshold(alpha.value, pool.value, 1)
    if kmin.value >= alone:
        return Checked(Derived(False, cites), _terms("alone", 1, kmin.value, alone))
    wanted = _congested(getattr(env["plan"], "plan", None), here)
    if isinstance(wanted, Missing):
        return Checked(wanted)
    many = dynamic_threshold(alpha.value, pool.value, wanted.value)
    return Checked(Derived(kmin.value < many, union(cites, wanted.cites)), _terms("many", wanted.value, kmin.value, many))


def _congested(plan: FabricPlan | None, here: End) -> Derived[int] | Missing:
    """How many full groups share the pool by the plan."""
    fact = threshold(plan, "congested_ports", here.device, here.port) if plan is not None else None
    if isinstance(fact, Missing):
        return fact
    if fact is None:
        return Derived(CONGESTED_PORTS, ())
    return Derived(cast(int, fact.value), (Cite("ecn.congested_ports", fact),))


def _terms(level: str, groups: int, kmin: float, threshold: float) -> dict[str, object]:
    return {"level": level, "groups": groups, "kmin_bytes": round(kmin), "threshold_bytes": round(threshold)}


CHECKS = {
    "ecn_before_pause": Check(ecn_before_pause, {"level": str, "groups": int, "kmin_bytes": int, "threshold_bytes": int}),
}
