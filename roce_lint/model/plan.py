"""What is wanted of a fabric: classes, limits, thresholds. Each value is a Fact on the basis `wanted` that cites its line."""

from collections.abc import Mapping
from dataclasses import field
from datetime import date
from typing import Annotated, Literal

from pydantic.dataclasses import dataclass

from roce_lint.model.facts import RECORD, UNCHECKED, Fact

LossModel = Literal["lossless", "pfc_only", "edge_lossless", "lossy", "global_pause"]
ClassRole = Literal["rdma_data", "rdma_ctrl", "cnp", "storage", "cluster_hb", "mgmt", "best_effort"]


@dataclass(frozen=True, slots=True, config=RECORD)
class Want:
    """A traffic class as it should be. Only what is on the wire is stated: marks, PFC index, share, loss model.

    A class inferred from a PFC index alone has neither `dscp` nor `pcp`.
    """

    name: str
    role: Fact[ClassRole]
    loss: Fact[LossModel]
    dscp: Fact[frozenset[int]] | None = None
    pcp: Fact[frozenset[int]] | None = None
    pfc_priority: Fact[int] | None = None
    scheduling: Fact[Literal["strict", "dwrr"]] | None = None
    share: Fact[float] | None = None
    with_data: Fact[bool] | None = None  # a CNP class that may share the data queue
    may_share_with: Fact[frozenset[str]] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Ecn:
    """Wanted thresholds for the ports that a selector takes in. Bytes; probability 0 to 1; tolerance as a fraction."""

    match: Annotated[Mapping[str, object], UNCHECKED]
    kmin_bytes: Fact[int] | None = None
    kmax_bytes: Fact[int] | None = None
    kmin_percent: Fact[float] | None = None
    kmax_percent: Fact[float] | None = None
    mark_probability: Fact[float] | None = None
    averaging_weight: Fact[int] | None = None
    congested_ports: Fact[int] | None = None
    tolerance: Fact[float] | None = None
    scale: Fact[Literal["flat", "linear"]] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class FabricPlan:
    """What is wanted of the ports of one fabric. `settings` holds the other wanted facts by dotted path.

    The paths: limits.max_lossless, limits.pfc_mode, limits.global_pause, limits.allow_dscp_block, limits.dcbx_willing,
    watchdog.required (yes, recommended or no), watchdog.poll_ms, watchdog.detect_ms and watchdog.restore_ms (pairs), watchdog.action,
    watchdog.nic_stall_ms_max, buffers.alpha_min, buffers.max_shp_oversub, buffers.mode, buffers.headroom_floor,
    buffers.accept_vendor_tables, mtu.host, mtu.switch_min, mtu.rdma, nic.cc, nic.np, nic.rp, nic.cnp_dscp, nic.cc_prio_mask, nic.trust,
    nic.persist, nic.models, families, and apps.<application>.<variable>.
    """

    name: str
    classes: tuple[Want, ...] = ()
    ecn: tuple[Ecn, ...] = ()
    settings: Annotated[Mapping[str, Fact[object]], UNCHECKED] = field(default_factory=dict)
    match: Annotated[Mapping[str, object] | None, UNCHECKED] = None  # None takes every port
    roles: Annotated[Mapping[str, tuple[str, ...]], UNCHECKED] = field(default_factory=dict)  # the patterns of the devices of each

    def want(self, name: str) -> Want | None:
        return next((want for want in self.classes if want.name == name), None)


@dataclass(frozen=True, slots=True, config=RECORD)
class Plan:
    """The plan of the whole input. `inferred` where no intent stated it; then only internal contradictions are findings."""

    profile: str | None = None
    inferred: bool = False
    fabrics: tuple[FabricPlan, ...] = ()


@dataclass(frozen=True, slots=True, config=RECORD)
class Waiver:
    """Findings of a rule that intent waives, on the ports and devices that `match` takes, to the end of the day `expires` in UTC.

    `where` is what `match` takes in the words of the file.
    """

    rule: Fact[str]
    match: Annotated[Mapping[str, object], UNCHECKED]
    where: str | None = None
    reason: str | None = None
    owner: str | None = None
    expires: date | None = None
