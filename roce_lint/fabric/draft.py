"""An intent file to start from: an inferred plan, or the profile that was named, written so that it loads back to the same plan."""

from __future__ import annotations

from collections.abc import Iterator

from roce_lint.model.facts import Fact
from roce_lint.model.plan import Plan, Want

HEAD = """\
# yaml-language-server: $schema=intent.json
# What this fabric should be. Every line is a wish to check: change what is not meant.
# For completion in an editor, beside this file: roce-lint schema intent > intent.json
schema: roce-lint/intent/v1"""
NOTHING = """\
# classes:   # nothing could be inferred: fewer than three ports, NICs or jobs agree
#   rdma: {role: rdma_data, dscp: [26], pfc_priority: 3, loss: lossless}
#   cnp: {role: cnp, dscp: [48], sched: strict, loss: lossy}"""
REST = """\
# fabrics:   # which ports carry RDMA where the devices do not show it; classes and limits may differ by fabric
#   backend: {match: {device: ['leaf*', 'gpu*']}}
# limits: {max_lossless: 2, global_pause: false}
# watchdog: {required: yes}
# buffers: {alpha_min: 0.0625}
# links: {file: cabling.csv}   # device_a,port_a,device_b,port_b,length_m
# exceptions:   # findings that are waived for a time
#   - {rule: watchdog-missing, where: 'leaf07/swp3', reason: burn-in, owner: net-ops, expires: 2027-01-31}"""


def draft(plan: Plan) -> str:
    """A roce-lint.yaml that wants the classes of a plan; those of a profile are left to the profile."""
    return "\n".join(_lines(plan)) + "\n"


def _lines(plan: Plan) -> Iterator[str]:
    yield HEAD
    if plan.profile is not None:
        yield f"profile: {plan.profile}"
    else:
        yield "# profile: NAME   # start from a vendor's plan; roce-lint profiles lists them"
        classes = [want for fabric in plan.fabrics for want in fabric.classes]
        if classes:
            yield "classes:"
            yield from (f"  {want.name}: {{{', '.join(_fields(want))}}}" for want in classes)
        else:
            yield NOTHING
    yield REST


def _fields(want: Want) -> Iterator[str]:
    yield f"role: {want.role.value}"
    for name, fact in (("dscp", want.dscp), ("pcp", want.pcp)):
        if fact is not None:
            yield f"{name}: [{_listed(fact)}]"
    if want.pfc_priority is not None:
        yield f"pfc_priority: {want.pfc_priority.value}"
    yield f"loss: {want.loss.value}"


def _listed(fact: Fact[frozenset[int]]) -> str:
    return ", ".join(str(member) for member in sorted(fact.value))
