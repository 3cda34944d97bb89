"""What a rule found of a subject: a finding with what it cites, or what it would need to know."""

from __future__ import annotations

from dataclasses import dataclass as plain_dataclass
from typing import Annotated, Literal

from pydantic.dataclasses import dataclass

from roce_lint.model.document import Note
from roce_lint.model.facts import RECORD, UNCHECKED, Basis, Fact

Severity = Literal["critical", "error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("critical", "error", "warning", "info")
BESIDE_THE_PLAN = ("intent", "fabric")  # names under which a rule reads what follows from several facts of a plan
Status = Literal["new", "waived", "accepted"]


@plain_dataclass(frozen=True, slots=True)
class Cite:
    """A raw fact that an outcome rests on, and whose it is. `raw` is its path below the port, the device or the job that states it.

    `root` is the name that the rule read it under. What the plan wants is of no device; its path begins with a key of the intent.
    """

    raw: str
    fact: Fact[object]
    device: str | None = None
    port: str | None = None
    root: str = ""

    @property
    def path(self) -> str:
        """The path as a rule writes it: `receiver.port.pfc.priorities`; as the intent has it where no rule can: `fabrics.NAME.match`."""
        if self.device is None and self.root in BESIDE_THE_PLAN:
            return self.raw
        return ".".join(part for part in (self.root, self.raw) if part)


@dataclass(frozen=True, slots=True, config=RECORD)
class Subject:
    """What a rule judged. `device` and `port` are the blamed end; `peer` is the other end of its link, as (device, port)."""

    device: str | None
    port: str | None = None
    peer: tuple[str, str] | None = None
    class_name: str | None = None
    direction: Literal["in", "out"] | None = None
    job: str | None = None
    link: Annotated[tuple[tuple[str, str], tuple[str, str]] | None, UNCHECKED] = None

    def fingerprint(self, rule: str) -> str:
        from hashlib import blake2s

        parts = (rule, self.class_name, self.device, self.port, self.job, *(self.peer or ()))
        return blake2s("\x00".join(part or "" for part in parts).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True, config=RECORD)
class Wanted:
    """What the plan wants at a port in place of a cited raw fact."""

    device: str
    port: str | None
    path: str
    value: Annotated[object, UNCHECKED]


@dataclass(frozen=True, slots=True, config=RECORD)
class Finding:
    """One cause, with every subject that it touches. `cites[0]` is the fact at fault; `object_name` the map or profile it stands in."""

    rule: str
    severity: Severity
    confidence: Basis
    message: str
    scope: str
    subjects: Annotated[tuple[Subject, ...], UNCHECKED]
    cites: Annotated[tuple[Cite, ...], UNCHECKED]
    wanted: Annotated[tuple[Wanted, ...], UNCHECKED] = ()
    object_name: str | None = None
    status: Status = "new"
    waiver: str | None = None
    consequences: Annotated[tuple[Finding, ...], UNCHECKED] = ()

    @property
    def fingerprint(self) -> str:
        from hashlib import blake2s

        first = self.subjects[0]
        where = self.object_name or first.port or first.job
        parts = (self.rule, first.class_name, first.device, where)
        return blake2s("\x00".join(part or "" for part in parts).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True, config=RECORD)
class Unknown:
    """What was not stated at a device, the rules that needed it, and for how many subjects."""

    device: str | None
    missing: str
    rules: tuple[str, ...]
    count: int
    subjects: Annotated[tuple[Subject, ...], UNCHECKED] = ()


@dataclass(frozen=True, slots=True, config=RECORD)
class Unread:
    """A file that nobody reads: not recognised, a template, no text, or broken. `failed` where it was asked for and should be readable."""

    path: str
    reason: str
    failed: bool = False


@dataclass(frozen=True, slots=True, config=RECORD)
class Remarks:
    """What reading left: notes, and files that were not read."""

    notes: Annotated[tuple[Note, ...], UNCHECKED] = ()
    unread: tuple[Unread, ...] = ()
