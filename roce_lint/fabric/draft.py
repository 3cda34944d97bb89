"""An intent file to start from: the plan that was inferred or the profile that was named, and the cables that LLDP tells of."""

from __future__ import annotations

from collections.abc import Iterator

from roce_lint.model.devices import Fabric
from roce_lint.model.facts import Fact
from roce_lint.model.plan import Plan, Want

SCHEMA_LINE = "# yaml-language-server: $schema=intent.json"


def draft(plan: Plan, fabric: Fabric) -> str:
    """A roce-lint.yaml that says what is so today; it loads back to the same classes."""
    return "\n".join(_lines(plan, fabric)) + "\n"


def _lines(plan: Plan, fabric: Fabric) -> Iterator[str]:
    yield SCHEMA_LINE
    yield "# What this fabric should be. Every line is a wish to check: change what is not meant."
    yield "schema: roce-lint/intent/v1"
    if plan.profile is not None:
        yield f"profile: {plan.profile}"
    else:
        yield "# profile: NAME   # start from a vendor's plan; roce-lint profiles lists them"
    yield "fabrics:"
    yield "  backend: {match: {device: '*'}}   # which ports carry RDMA; take out what does not"
    classes = [want for part in plan.fabrics for want in part.classes] if plan.profile is None else []
    if classes:
        yield "classes:"
        for want in classes:
            yield f"  {want.name}: {{{', '.join(_fields(want))}}}"
    elif plan.profile is None:
        yield "# classes:   # nothing could be inferred: fewer than three ports, NICs or jobs agree"
        yield "#   rdma: {role: rdma_data, dscp: [26], pfc_priority: 3, loss: lossless}"
        yield "#   cnp: {role: cnp, dscp: [48], sched: strict, loss: lossy}"
    yield "# limits: {max_lossless: 2, global_pause: false}"
    yield "# watchdog: {required: yes}"
    yield "# buffers: {alpha_min: 0.0625}"
    known = [link for link in fabric.links if link.source == "intent"]
    if known:
        yield "links:"
        for link in known:
            length = f", length_m: {link.length_m.value}" if link.length_m is not None else ""
            ends = f"device_a: {link.a.device}, port_a: {link.a.port}, device_b: {link.b.device}, port_b: {link.b.port}"
            yield f"  - {{{ends}{length}}}"


def _fields(want: Want) -> Iterator[str]:
    yield f"role: {want.role.value}"
    for name, fact in (("dscp", want.dscp), ("pcp", want.pcp)):
        if fact is not None:
            yield f"{name}: [{_listed(fact)}]"
    if want.pfc_priority is not None:
        yield f"pfc_priority: {want.pfc_priority.value}"
    if want.scheduling is not None:
        yield f"sched: {want.scheduling.value}"
    yield f"loss: {want.loss.value}"


def _listed(fact: Fact[frozenset[int]]) -> str:
    return ", ".join(str(member) for member in sorted(fact.value))
