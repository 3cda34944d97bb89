"""roce-lint.yaml: what a site wants of its fabric. A profile is a file of the same kind with a name."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag

from roce_lint.model.plan import ClassRole, LossModel
from roce_lint.model.quantities import (
    Alpha,
    Band,
    Bytes,
    Classes,
    Day,
    Dscp,
    Dscps,
    Flag,
    Fraction,
    Hours,
    Index,
    Indices,
    Mask,
    Metres,
    Milliseconds,
    MtuBytes,
    Name,
    Names,
    Patterns,
    Percent,
    Ports,
    Rates,
    Ratio,
    Seconds,
    Switch,
    Truth,
    Value,
    Weight,
    truth,
)

SCHEMA = "roce-lint/intent/v1"
V = TypeVar("V")


def _mapping(value: object) -> object:
    """A key with nothing behind it as an empty mapping."""
    return {} if value is None else value


Named = Annotated[dict[Name, V], BeforeValidator(_mapping)]


class Part(BaseModel):
    """A part of the file; a key that it does not know is an error."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, defer_build=True, allow_inf_nan=False)


class Selector(Part):
    """Which ports: every key must fit, of a list any member. Names are patterns with * and ?, also ranges: Ethernet49-64.

    `role` beside `nic` takes the ports of switches by their role and those of hosts by their NIC.
    """

    device: Patterns | None = None
    port: Patterns | None = None
    role: Patterns | None = None
    nic: Patterns | None = None
    speed: Rates | None = None
    model: Patterns | None = None


class TrafficClass(Part):
    """A traffic class by what is on the wire."""

    role: ClassRole | None = None
    dscp: Dscps | None = None
    pcp: Indices | None = None
    pfc_priority: Index | None = None
    loss: LossModel | None = None
    sched: Literal["strict", "dwrr"] | None = None
    share: Percent | dict[str, Percent] | None = None
    cnp: Literal["with_data"] | None = None
    may_share_with: Names | None = None


class Dcbx(Part):
    willing: Literal["none", "host", "switch"] | None = None


class Limits(Part):
    max_lossless: Classes | None = None
    pfc_mode: Literal["forced", "auto"] | None = None
    dcbx: Dcbx | None = None
    global_pause: Flag | None = None
    allow_dscp_block: Flag | None = None


class EcnPart(Part):
    """Marking thresholds for the ports that `match` takes in."""

    match: Selector = Selector()
    kmin: Bytes | None = None
    kmax: Bytes | None = None
    kmin_percent: Percent | None = None
    kmax_percent: Percent | None = None
    pmax: Fraction | None = None
    weight: Weight | None = None
    tolerance: Fraction | None = None
    scale: Literal["flat", "linear"] | None = None
    congested_ports: Ports | None = None


class WatchdogPart(Part):
    required: (
        Annotated[Literal["yes", "recommended", "no"], BeforeValidator(truth, json_schema_input_type=Literal["recommended"] | Truth)] | None
    ) = None
    poll_ms: Milliseconds | None = None
    detect_ms: Band | None = None
    restore_ms: Band | None = None
    action: Literal["drop", "forward", "alert"] | None = None
    nic_stall_ms_max: Milliseconds | None = None


class Buffers(Part):
    alpha_min: Alpha | None = None
    max_shp_oversub: Ratio | None = None
    mode: str | None = None
    headroom_floor: Literal["physical", "ieee", "vendor"] | None = None
    accept_vendor_tables: Names | None = None


class Mtu(Part):
    host: MtuBytes | None = None
    switch_min: MtuBytes | None = None
    rdma: Literal[256, 512, 1024, 2048, 4096] | None = None


class Nic(Part):
    cc: str | None = None
    np: Switch | None = None
    rp: Switch | None = None
    cnp_dscp: Dscp | None = None
    cc_prio_mask: Mask | None = None
    trust: Literal["dscp", "pcp", "both"] | None = None
    persist: Literal["required", "recommended", "no"] | None = None
    models: Names | None = None


class FabricPart(Part):
    """A fabric: its ports, and what is wanted there beside or in place of what the file wants of all."""

    match: Selector | None = None
    loss_model: LossModel | None = None
    families: list[Literal["ipv4", "ipv6"]] | None = None
    classes: Named[TrafficClass] = Field(default_factory=dict)
    limits: Limits | None = None
    ecn: list[EcnPart] | None = None
    watchdog: WatchdogPart | None = None
    buffers: Buffers | None = None
    mtu: Mtu | None = None
    nic: Nic | None = None


class RolePart(Part):
    """The devices that have a role, by name; their ports up and down the tree."""

    match: Patterns | None = None
    up: Names | None = None
    down: Names | None = None
    lossless: Flag | None = None


class LinkPart(Part):
    device_a: Name
    port_a: Name
    device_b: Name
    port_b: Name
    length_m: Metres | None = None


class CableLengths(Part):
    host: Metres | None = None
    fabric: Metres | None = None


class LinksFile(Part):
    """A CSV with the header device_a,port_a,device_b,port_b,length_m, beside the intent file, and lengths for the cables it gives none."""

    file: Name
    cable_len_default: CableLengths | None = None


def _links_branch(value: object) -> str:
    return "list[LinkPart]" if isinstance(value, list) else "LinksFile"


Links = Annotated[Annotated[list[LinkPart], Tag("list[LinkPart]")] | Annotated[LinksFile, Tag("LinksFile")], Discriminator(_links_branch)]


class Versions(Part):
    fw: str | None = None
    driver: str | None = None
    nos: str | None = None


class Evidence(Part):
    max_age_h: Hours | None = None
    min_interval_s: Seconds | None = None
    pause_ratio_max: Fraction | None = None


def _where_branch(value: object) -> str:
    return "Selector" if isinstance(value, dict) else "Name"


Where = Annotated[Annotated[Name, Tag("Name")] | Annotated[Selector, Tag("Selector")], Discriminator(_where_branch)]


class ExceptionPart(Part):
    """Findings of a rule that are waived up to the end of a day in UTC: on a device, `DEVICE/PORT` or what a selector takes.

    Names are patterns as in a selector; without `where` it is everywhere. A finding is on the end that it blames.
    """

    rule: str
    where: Where | None = None
    reason: str | None = None
    owner: str | None = None
    expires: Day | None = None


class Intent(Part):
    """The whole file."""

    schema_: Literal["roce-lint/intent/v1"] | None = Field(default=None, alias="schema")
    name: str | None = None
    title: str | None = None
    sources: list[str] | None = None
    profile: str | None = None
    fabrics: Named[FabricPart] = Field(default_factory=dict)
    classes: Named[TrafficClass] = Field(default_factory=dict)
    limits: Limits | None = None
    ecn: list[EcnPart] | None = None
    watchdog: WatchdogPart | None = None
    buffers: Buffers | None = None
    mtu: Mtu | None = None
    nic: Nic | None = None
    apps: Named[dict[Name, str | Value | None]] = Field(default_factory=dict)
    roles: Named[RolePart] = Field(default_factory=dict)
    links: Links | None = None
    versions: Named[Versions] = Field(default_factory=dict)
    evidence: Evidence | None = None
    exceptions: list[ExceptionPart] | None = None
    rules: Names | None = None


def intent_schema() -> dict[str, object]:
    """The JSON Schema of roce-lint.yaml, for what users write: sizes with their unit, one name in place of a list."""
    return Intent.model_json_schema(by_alias=True)
