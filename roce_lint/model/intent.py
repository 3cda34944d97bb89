"""roce-lint.yaml: what a site wants of its fabric. A profile is a file of the same kind with a name."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from roce_lint.model.plan import ClassRole, LossModel

SCHEMA = "roce-lint/intent/v1"
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(B|KB|KiB|MB|MiB)?", re.IGNORECASE)
_SIZES = {None: 1, "b": 1, "kb": 1000, "kib": 1024, "mb": 1_000_000, "mib": 1_048_576}
_RATE = re.compile(r"(\d+)\s*([GM])", re.IGNORECASE)


def _bytes(value: object) -> object:
    """150000, 950KB or 1MiB in bytes."""
    match = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    return round(float(match[1]) * _SIZES[match[2] and match[2].lower()]) if match else value


def _rate(value: object) -> object:
    """400G in bit/s."""
    match = _RATE.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(match[1]) * {"g": 1_000_000_000, "m": 1_000_000}[match[2].lower()] if match else value


def _fraction(value: object) -> object:
    """10% as 0.1."""
    if isinstance(value, str) and value.strip().endswith("%"):
        try:
            return float(value.strip()[:-1]) / 100
        except ValueError:
            return value
    return value


def _listed(value: object) -> object:
    return value if isinstance(value, list) or value is None else [value]


def _word(value: object) -> object:
    """A truth as the word that a user wrote: yes, on and true are one."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return {"on": "yes", "true": "yes", "off": "no", "false": "no"}.get(value, value) if isinstance(value, str) else value


Bytes = Annotated[int, BeforeValidator(_bytes), Field(ge=0)]
Rate = Annotated[int, BeforeValidator(_rate), Field(gt=0)]
Fraction = Annotated[float, BeforeValidator(_fraction), Field(ge=0, le=1)]
Dscp = Annotated[int, Field(ge=0, le=63)]
Index = Annotated[int, Field(ge=0, le=7)]
Dscps = Annotated[list[Dscp], BeforeValidator(_listed)]
Indices = Annotated[list[Index], BeforeValidator(_listed)]
Names = Annotated[list[str], BeforeValidator(_listed)]
Switch = Annotated[Literal["yes", "no"], BeforeValidator(_word)]
Milliseconds = Annotated[int, Field(gt=0)]
Band = Annotated[list[Milliseconds], BeforeValidator(_listed), Field(min_length=1, max_length=2)]


class Part(BaseModel):
    """A part of the file; a key that it does not know is an error."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Selector(Part):
    """Which ports: every key must fit, of a list any member. Names are patterns with * and ?, ports also ranges: Ethernet49-64."""

    device: Names | None = None
    port: Names | None = None
    role: Names | None = None
    nic: Names | None = None
    speed: Annotated[list[Rate], BeforeValidator(_listed)] | None = None
    model: Names | None = None


class TrafficClass(Part):
    """A traffic class by what is on the wire."""

    role: ClassRole | None = None
    dscp: Dscps | None = None
    pcp: Indices | None = None
    pfc_priority: Index | None = None
    loss: LossModel | None = None
    sched: Literal["strict", "dwrr"] | None = None
    share: float | dict[str, float] | None = None
    cnp: Literal["with_data"] | None = None
    may_share_with: Names | None = None


class Dcbx(Part):
    willing: Literal["none", "host", "switch"] | None = None


class Limits(Part):
    max_lossless: Annotated[int, Field(ge=0, le=8)] | None = None
    pfc_mode: Literal["forced", "auto"] | None = None
    dcbx: Dcbx | None = None
    global_pause: bool | None = None
    allow_dscp_block: bool | None = None


class EcnPart(Part):
    """Marking thresholds for the ports that `match` takes in."""

    match: Selector = Selector()
    kmin: Bytes | None = None
    kmax: Bytes | None = None
    kmin_percent: float | None = None
    kmax_percent: float | None = None
    pmax: Fraction | None = None
    weight: int | None = None
    tolerance: Fraction | None = None
    scale: Literal["flat", "linear"] | None = None
    congested_ports: Annotated[int, Field(gt=0)] | None = None


class WatchdogPart(Part):
    required: Annotated[Literal["yes", "recommended", "no"], BeforeValidator(_word)] | None = None
    poll_ms: Milliseconds | None = None
    detect_ms: Band | None = None
    restore_ms: Band | None = None
    action: Literal["drop", "forward", "alert"] | None = None
    nic_stall_ms_max: Milliseconds | None = None


class Buffers(Part):
    alpha_min: Annotated[float, Field(gt=0)] | None = None
    max_shp_oversub: Annotated[float, Field(gt=0)] | None = None
    mode: str | None = None
    headroom_floor: Literal["physical", "ieee", "vendor"] | None = None
    accept_vendor_tables: Names | None = None


class Mtu(Part):
    host: int | None = None
    switch_min: int | None = None
    rdma: Literal[256, 512, 1024, 2048, 4096] | None = None


class Nic(Part):
    cc: str | None = None
    np: Switch | None = None
    rp: Switch | None = None
    cnp_dscp: Dscp | None = None
    cc_prio_mask: Annotated[int, Field(ge=0, le=255)] | None = None
    trust: Literal["dscp", "pcp", "both"] | None = None
    persist: Literal["required", "recommended", "no"] | None = None
    models: Names | None = None


class FabricPart(Part):
    """A fabric: its ports, and what is wanted there beside or in place of what the file wants of all."""

    match: Selector | None = None
    loss_model: LossModel | None = None
    families: list[Literal["ipv4", "ipv6"]] | None = None
    classes: dict[str, TrafficClass] = Field(default_factory=dict)
    limits: Limits | None = None
    ecn: list[EcnPart] | None = None
    watchdog: WatchdogPart | None = None
    buffers: Buffers | None = None
    mtu: Mtu | None = None
    nic: Nic | None = None


class RolePart(Part):
    match: Names | None = None
    up: str | None = None
    down: str | None = None
    lossless: bool | None = None


class LinkPart(Part):
    device_a: str
    port_a: str
    device_b: str
    port_b: str
    length_m: Annotated[int, Field(ge=0)] | None = None


class CableLengths(Part):
    host: Annotated[int, Field(ge=0)] | None = None
    fabric: Annotated[int, Field(ge=0)] | None = None


class LinksFile(Part):
    file: str
    cable_len_default: CableLengths | None = None


class Versions(Part):
    fw: str | None = None
    driver: str | None = None
    nos: str | None = None


class Evidence(Part):
    max_age_h: float | None = None
    min_interval_s: float | None = None
    pause_ratio_max: Fraction | None = None


class ExceptionPart(Part):
    """A finding that is accepted for a time."""

    rule: str
    where: str | None = None
    reason: str | None = None
    owner: str | None = None
    expires: date | None = None


class Intent(Part):
    """The whole file."""

    schema_: Literal["roce-lint/intent/v1"] | None = Field(default=None, alias="schema")
    name: str | None = None
    title: str | None = None
    sources: list[str] | None = None
    profile: str | None = None
    fabrics: dict[str, FabricPart] = Field(default_factory=dict)
    classes: dict[str, TrafficClass] = Field(default_factory=dict)
    limits: Limits | None = None
    ecn: list[EcnPart] | None = None
    watchdog: WatchdogPart | None = None
    buffers: Buffers | None = None
    mtu: Mtu | None = None
    nic: Nic | None = None
    apps: dict[str, dict[str, str | int | None]] = Field(default_factory=dict)
    roles: dict[str, RolePart] = Field(default_factory=dict)
    links: list[LinkPart] | LinksFile | None = None
    versions: dict[str, Versions] = Field(default_factory=dict)
    evidence: Evidence | None = None
    exceptions: list[ExceptionPart] = Field(default_factory=list)
    rules: Names | None = None


def schema() -> dict[str, object]:
    """The JSON Schema of roce-lint.yaml."""
    return Intent.model_json_schema(by_alias=True)
