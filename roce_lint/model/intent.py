"""roce-lint.yaml: what a site wants of its fabric. A profile is a file of the same kind with a name."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from roce_lint.model.plan import ClassRole, LossModel

SCHEMA = "roce-lint/intent/v1"
SIZE = r"^[0-9]+(\.[0-9]+)? ?([Bb]|[KkMm][Ii]?[Bb])?$"
RATE = r"^[0-9]+ ?[GgMm]$"
PERCENT = r"^[0-9]+(\.[0-9]+)? ?%$"
_SIZES = {"": 1, "b": 1, "kb": 1000, "kib": 1024, "mb": 1_000_000, "mib": 1_048_576}
_RATES = {"g": 1_000_000_000, "m": 1_000_000}


def _whole(value: object) -> object:
    if isinstance(value, bool):
        raise PydanticCustomError("expected", "a whole number")
    return value


def _bytes(value: object) -> object:
    """150000, 950KB or 1MiB in bytes."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str) or re.match(SIZE, value.strip()) is None:
        raise PydanticCustomError("expected", "a size such as 950KB or 150000")
    unit = value.strip().lstrip("0123456789.")
    return round(float(value.strip().removesuffix(unit)) * _SIZES[unit.strip().lower()])


def _rate(value: object) -> object:
    """400G in bit/s."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str) or re.match(RATE, value.strip()) is None:
        raise PydanticCustomError("expected", "a speed such as 400G")
    return int(value.strip()[:-1]) * _RATES[value.strip()[-1].lower()]


def _fraction(value: object) -> object:
    """10% as 0.1."""
    if isinstance(value, str) and re.match(PERCENT, value.strip()) is not None:
        return float(value.strip().removesuffix("%")) / 100
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("expected", "a fraction such as 0.1 or 10%")
    return value


def _percent(value: object) -> object:
    """50 or 50% as 50."""
    return float(value.strip().removesuffix("%")) if isinstance(value, str) and re.match(PERCENT, value.strip()) is not None else value


def _listed(value: object) -> object:
    return value if isinstance(value, list) or value is None else [value]


def _word(value: object) -> object:
    """A truth as the word that a user wrote: yes, on and true are one."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return {"on": "yes", "true": "yes", "off": "no", "false": "no"}.get(value, value) if isinstance(value, str) else value


def _mapping(value: object) -> object:
    """A key with nothing behind it as an empty mapping."""
    return {} if value is None else value


def _rising(value: list[int]) -> list[int]:
    if value != sorted(value):
        raise PydanticCustomError("expected", "the smaller number first")
    return value


_NUMBER = BeforeValidator(_whole)
Truth = Literal["yes", "no", "on", "off"] | bool
Natural = Annotated[int, Field(ge=0), _NUMBER]
Positive = Annotated[int, Field(gt=0), _NUMBER]
Dscp = Annotated[int, Field(ge=0, le=63), _NUMBER]
Index = Annotated[int, Field(ge=0, le=7), _NUMBER]
Bytes = Annotated[int, Field(ge=0), BeforeValidator(_bytes, json_schema_input_type=Natural | Annotated[str, Field(pattern=SIZE)])]
Rate = Annotated[int, Field(gt=0), BeforeValidator(_rate, json_schema_input_type=Positive | Annotated[str, Field(pattern=RATE)])]
Fraction = Annotated[
    float,
    Field(ge=0, le=1),
    BeforeValidator(_fraction, json_schema_input_type=Annotated[float, Field(ge=0, le=1)] | Annotated[str, Field(pattern=PERCENT)]),
]
Percent = Annotated[
    float,
    Field(ge=0, le=100),
    BeforeValidator(_percent, json_schema_input_type=Annotated[float, Field(ge=0, le=100)] | Annotated[str, Field(pattern=PERCENT)]),
]
Dscps = Annotated[list[Dscp], BeforeValidator(_listed, json_schema_input_type=Dscp | list[Dscp])]
Indices = Annotated[list[Index], BeforeValidator(_listed, json_schema_input_type=Index | list[Index])]
Rates = Annotated[list[Rate], BeforeValidator(_listed, json_schema_input_type=Rate | list[Rate])]
Names = Annotated[list[str], BeforeValidator(_listed, json_schema_input_type=str | list[str])]
Switch = Annotated[Literal["yes", "no"], BeforeValidator(_word, json_schema_input_type=Truth)]
Flag = Annotated[bool, Field(json_schema_extra={"type": ["boolean", "string"], "enum": [True, False, "yes", "no", "on", "off"]})]
_PAIR = Field(min_length=1, max_length=2)
Band = Annotated[
    list[Positive],
    _PAIR,
    AfterValidator(_rising),
    BeforeValidator(_listed, json_schema_input_type=Positive | Annotated[list[Positive], _PAIR]),
]
V = TypeVar("V")
Named = Annotated[dict[str, V], BeforeValidator(_mapping)]


class Part(BaseModel):
    """A part of the file; a key that it does not know is an error."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, defer_build=True)


class Selector(Part):
    """Which ports: every key must fit, of a list any member. Names are patterns with * and ?, also ranges: Ethernet49-64.

    `role` beside `nic` takes the ports of switches by their role and those of hosts by their NIC.
    """

    device: Names | None = None
    port: Names | None = None
    role: Names | None = None
    nic: Names | None = None
    speed: Rates | None = None
    model: Names | None = None


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
    max_lossless: Annotated[int, Field(ge=0, le=8), _NUMBER] | None = None
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
    weight: Natural | None = None
    tolerance: Fraction | None = None
    scale: Literal["flat", "linear"] | None = None
    congested_ports: Positive | None = None


class WatchdogPart(Part):
    required: (
        Annotated[Literal["yes", "recommended", "no"], BeforeValidator(_word, json_schema_input_type=Literal["recommended"] | Truth)] | None
    ) = None
    poll_ms: Positive | None = None
    detect_ms: Band | None = None
    restore_ms: Band | None = None
    action: Literal["drop", "forward", "alert"] | None = None
    nic_stall_ms_max: Positive | None = None


class Buffers(Part):
    alpha_min: Annotated[float, Field(gt=0)] | None = None
    max_shp_oversub: Annotated[float, Field(gt=0)] | None = None
    mode: str | None = None
    headroom_floor: Literal["physical", "ieee", "vendor"] | None = None
    accept_vendor_tables: Names | None = None


class Mtu(Part):
    host: Positive | None = None
    switch_min: Positive | None = None
    rdma: Literal[256, 512, 1024, 2048, 4096] | None = None


class Nic(Part):
    cc: str | None = None
    np: Switch | None = None
    rp: Switch | None = None
    cnp_dscp: Dscp | None = None
    cc_prio_mask: Annotated[int, Field(ge=0, le=255), _NUMBER] | None = None
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

    match: Names | None = None
    up: Names | None = None
    down: Names | None = None
    lossless: Flag | None = None


class LinkPart(Part):
    device_a: str
    port_a: str
    device_b: str
    port_b: str
    length_m: Natural | None = None


class CableLengths(Part):
    host: Natural | None = None
    fabric: Natural | None = None


class LinksFile(Part):
    """A CSV with the header device_a,port_a,device_b,port_b,length_m, beside the intent file, and lengths for the cables it gives none."""

    file: str
    cable_len_default: CableLengths | None = None


def _links_branch(value: object) -> str:
    return "list[LinkPart]" if isinstance(value, list) else "LinksFile"


Links = Annotated[Annotated[list[LinkPart], Tag("list[LinkPart]")] | Annotated[LinksFile, Tag("LinksFile")], Discriminator(_links_branch)]


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
    fabrics: Named[FabricPart] = Field(default_factory=dict)
    classes: Named[TrafficClass] = Field(default_factory=dict)
    limits: Limits | None = None
    ecn: list[EcnPart] | None = None
    watchdog: WatchdogPart | None = None
    buffers: Buffers | None = None
    mtu: Mtu | None = None
    nic: Nic | None = None
    apps: Named[dict[str, str | int | None]] = Field(default_factory=dict)
    roles: Named[RolePart] = Field(default_factory=dict)
    links: Links | None = None
    versions: Named[Versions] = Field(default_factory=dict)
    evidence: Evidence | None = None
    exceptions: list[ExceptionPart] | None = None
    rules: Names | None = None


def intent_schema() -> dict[str, object]:
    """The JSON Schema of roce-lint.yaml, for what users write: sizes with their unit, one name in place of a list."""
    return Intent.model_json_schema(by_alias=True)
