"""The JSON report, version 1, as models: what its schema is made from."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from roce_lint.model.facts import Basis
from roce_lint.model.finding import Severity, Status
from roce_lint.model.plan import ClassRole, LossModel

Value = bool | int | float | str | list[object] | dict[str, object] | None
Count = Annotated[int, Field(ge=0)]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Class(Part):
    """A class of the plan; only what is on the wire."""

    fabric: str
    name: str
    role: ClassRole
    loss: LossModel
    dscp: list[int] | None
    pcp: list[int] | None
    pfc_priority: int | None
    scheduling: str | None
    share: float | None


class Planned(Part):
    """The plan that was judged by. `inferred` where no intent stated it."""

    profile: str | None
    inferred: bool
    classes: list[Class]


class Summary(Part):
    """Folded findings by severity; waived and accepted ones apart. `held` and `unknown` count (rule, subject) pairs."""

    critical: Count
    error: Count
    warning: Count
    info: Count
    waived: Count
    accepted: Count
    held: Count
    held_assumed: Count
    unknown: Count
    notes: Count
    devices: Count
    ports: Count
    links: Count


class RuleInfo(Part):
    """A rule that the report names, with the worst severity that it can give."""

    id: str
    title: str
    severity: Severity
    references: list[str]


class DocumentInfo(Part):
    """A file, or what one command printed; `command` is null for a configuration file."""

    id: int
    device: str | None
    path: str
    command: str | None


class PortInfo(Part):
    """A port by the name of its device and its own."""

    device: str
    port: str


class SubjectInfo(Part):
    """What was judged. `device` and `port` are the blamed end; `direction` is that of the class's traffic there."""

    device: str | None
    port: str | None
    peer: PortInfo | None
    class_: str | None = Field(alias="class")
    direction: Literal["in", "out"] | None
    fingerprint: str


class CiteInfo(Part):
    """A line that a finding rests on, with the fact that it states or binds. `stated` is false where it does not itself state the value."""

    path: str
    value: Value
    basis: Basis
    stated: bool
    document: int
    line: int
    text: str


class WantedInfo(Part):
    """What the plan wants in place of a cited fact."""

    device: str
    port: str | None
    path: str
    value: Value


class Touches(Part):
    """How much a finding concerns."""

    links: Count
    nic_ports: Count
    hosts: Count


class ConsequenceInfo(Part):
    """A finding that follows from another."""

    rule: str
    severity: Severity
    fingerprint: str
    subjects: list[SubjectInfo]
    message: str
    cites: list[CiteInfo]


class FindingInfo(Part):
    """One cause with every subject it touches. `cites[0]` is the fact at fault."""

    rule: str
    severity: Severity
    confidence: Basis
    status: Status
    waiver: str | None
    fingerprint: str
    message: str
    scope: str
    touches: Touches
    subjects: list[SubjectInfo]
    cites: list[CiteInfo]
    wanted: list[WantedInfo]
    consequences: list[ConsequenceInfo]


class UnknownInfo(Part):
    """What was not stated at a device, null for the whole input, and the rules that needed it."""

    device: str | None
    missing: str
    rules: list[str]
    count: Count
    subjects: list[SubjectInfo]


class NoteInfo(Part):
    """A line that should have been understood and was not."""

    document: int | None
    line: int
    text: str


class DeviceInfo(Part):
    """A device that was read."""

    name: str
    platform: str | None
    version: str | None
    role: str | None
    fabric: str | None
    documents: list[int]


class LinkInfo(Part):
    """A cable, and what says so."""

    a: PortInfo
    b: PortInfo
    source: Literal["lldp", "plan", "intent"]


class Report(Part):
    """What `roce-lint check --format json` writes. Every field is always present."""

    version: Literal[1]
    tool: str
    incomplete: bool
    plan: Planned
    summary: Summary
    rules: list[RuleInfo]
    documents: list[DocumentInfo]
    findings: list[FindingInfo]
    unknown: list[UnknownInfo]
    notes: list[NoteInfo]
    devices: list[DeviceInfo]
    links: list[LinkInfo]
