"""An intent file, its profile and the built-in policy, laid over each other value by value; every value cites its line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from roce_lint.errors import RoceLintError
from roce_lint.fabric.selectors import Roles
from roce_lint.model.devices import Cable, PortName
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Fact
from roce_lint.model.plan import Ecn, FabricPlan, Plan, Want
from roce_lint.resources import folder

if TYPE_CHECKING:
    from roce_lint.model.intent import EcnPart, FabricPart, Intent, Part, TrafficClass
    from roce_lint.text.userfile import UserFile

FILE_NAME = "roce-lint.yaml"
POLICY = Document(
    "built-in policy",
    lambda: "limits.max_lossless: 7\nwatchdog.required: recommended\n",
)
SECTIONS = ("limits", "watchdog", "buffers", "mtu", "nic")
CSV_HEADER = ["device_a", "port_a", "device_b", "port_b", "length_m"]


class IntentErrors(RoceLintError):
    """Everything that is wrong with an intent file, one line each."""

    def __init__(self, errors: Iterable[RoceLintError]) -> None:
        self.errors = tuple(errors)
        first = self.errors[0]
        super().__init__(first.message, first.path, first.line)

    def __str__(self) -> str:
        return "\nroce-lint: ".join(map(str, self.errors))


@dataclass(frozen=True, slots=True)
class Intended:
    """A site's intent: the plan, what it declares in scope, its cables and its own rules."""

    plan: Plan
    declares: tuple[Mapping[str, object], ...] = ()
    roles: Roles = field(default_factory=dict)
    cables: tuple[Cable, ...] = ()
    packs: tuple[str, ...] = ()
    path: str | None = None


def found(paths: Iterable[str]) -> str | None:
    """The intent file that lies nearest above the inputs, the first input's where they differ."""
    for path in paths:
        start = Path(path)
        for place in (start, *start.absolute().parents) if start.is_dir() else start.absolute().parents:
            candidate = place / FILE_NAME
            if candidate.is_file():
                return str(candidate)
    return None


def intended(path: str | None, profile: str | None = None) -> Intended:
    """What an intent file and a profile want together; `profile` replaces the one that the file names. Raises RoceLintError."""
    layers: list[_Layer] = []
    own = _layer(path) if path is not None else None
    named = profile or (own.intent.profile if own is not None else None)
    if named is not None:
        layers.append(_layer(_profile_path(named, own)))
    if own is not None:
        layers.append(own)
    if not layers:
        return Intended(Plan())
    plan = Plan(named, False, tuple(_fabrics(layers)))
    if own is None:
        return Intended(plan)
    match = tuple(_selector(part) for part in own.intent.fabrics.values() if part.match is not None)
    roles = {name: tuple(part.match or ()) for name, part in own.intent.roles.items()}
    base = Path(own.file.path).parent
    packs = tuple(str(base / each) for each in own.intent.rules or ())
    return Intended(plan, match, roles, tuple(_cables(own)), packs, own.file.path)


def profiles() -> Mapping[str, Path]:
    """The profiles that ship with the tool, by name."""
    return {path.stem: path for path in sorted((folder("rules") / "profiles").glob("*.yaml"))}


def _profile_path(name: str, own: _Layer | None) -> str:
    shipped = profiles()
    if name in shipped:
        return str(shipped[name])
    from roce_lint.text.userfile import suggestion

    line = own.file.line("profile") if own is not None else None
    raise RoceLintError(f"no profile {name!r}{suggestion(name, list(shipped))}", own.file.path if own is not None else None, line)


@dataclass(frozen=True, slots=True)
class _Layer:
    file: UserFile
    intent: Intent
    document: Document

    def fact(self, value: object, *where: str | int) -> Fact[object]:
        number = self.file.line(*where)
        return Fact(value, (Line(self.document, number, self.file.line_text(number)),), "wanted")


def _layer(path: str) -> _Layer:
    from pydantic import ValidationError

    from roce_lint.model.intent import Intent
    from roce_lint.text.userfile import problems, read

    file = read(path)
    if not isinstance(file.data, dict):
        raise RoceLintError("a mapping of intent keys expected, such as 'classes:'", path, 1)
    try:
        intent = Intent.model_validate(file.data)
    except ValidationError as error:
        raise IntentErrors(problems(file, error, Intent)) from None
    shown = Path(path).name if Path(path).name == FILE_NAME else f"profiles/{Path(path).name}"
    return _Layer(file, intent, Document(shown, lambda: file.text))


def policy() -> dict[str, Fact[object]]:
    """What holds of every plan that does not say otherwise."""
    found: dict[str, Fact[object]] = {}
    for index, text in enumerate(POLICY.lines()):
        path, _, value = text.partition(": ")
        found[path] = Fact(int(value) if value.isdigit() else value, (POLICY.line(index, text),), "wanted")
    return found


def _fabrics(layers: list[_Layer]) -> Iterator[FabricPlan]:
    own = layers[-1]
    names = list(own.intent.fabrics) or ["fabric"]
    for name in names:
        part = own.intent.fabrics.get(name)
        classes: dict[str, dict[str, Fact[object]]] = {}
        settings = policy()
        ecn: tuple[Ecn, ...] = ()
        for layer in layers:
            _classes(layer, layer.intent.classes, ("classes",), classes)
            settings.update(_settings(layer, layer.intent, ()))
            ecn = tuple(_ecn(layer, layer.intent.ecn, ("ecn",))) or ecn
        loss = None
        if part is not None:
            where = ("fabrics", name)
            _classes(own, part.classes, (*where, "classes"), classes)
            settings.update(_settings(own, part, where))
            ecn = tuple(_ecn(own, part.ecn, (*where, "ecn"))) or ecn
            loss = own.fact(part.loss_model, *where, "loss_model") if part.loss_model is not None else None
        match = _selector(part) if part is not None and part.match is not None else None
        yield FabricPlan(name, tuple(_want(each, facts, loss) for each, facts in classes.items()), ecn, settings, match)


def _selector(part: FabricPart) -> Mapping[str, object]:
    return {} if part.match is None else part.match.model_dump(exclude_none=True)


def _classes(layer: _Layer, given: Mapping[str, TrafficClass], where: tuple[str, ...], into: dict[str, dict[str, Fact[object]]]) -> None:
    """Lays the classes of one layer over those beneath, field by field."""
    for name, part in given.items():
        facts = into.setdefault(name, {})
        facts.setdefault("", layer.fact(name, *where, name))
        for key in part.model_fields_set:
            value = getattr(part, key)
            if value is not None:
                facts[key] = layer.fact(frozenset(value) if isinstance(value, list) else value, *where, name, key)
            else:
                facts.pop(key, None)


def _want(name: str, facts: Mapping[str, Fact[object]], loss: Fact[object] | None) -> Want:
    at = facts[""]
    default = loss or Fact("lossless" if "pfc_priority" in facts else "lossy", at.lines, "wanted")
    share = facts.get("share")
    own_loss = facts.get("loss")
    return Want(
        name,
        role=facts.get("role") or Fact("rdma_data", at.lines, "wanted"),  # type: ignore[arg-type]
        loss=_over(own_loss, loss) or default,  # type: ignore[arg-type]
        dscp=facts.get("dscp"),  # type: ignore[arg-type]
        pcp=facts.get("pcp"),  # type: ignore[arg-type]
        pfc_priority=facts.get("pfc_priority"),  # type: ignore[arg-type]
        scheduling=facts.get("sched"),  # type: ignore[arg-type]
        share=share if share is not None and isinstance(share.value, int | float) else None,  # type: ignore[arg-type]
        with_data=Fact(True, facts["cnp"].lines, "wanted") if "cnp" in facts else None,
        may_share_with=facts.get("may_share_with"),  # type: ignore[arg-type]
    )


def _over(own: Fact[object] | None, fabric: Fact[object] | None) -> Fact[object] | None:
    """The loss model of a class: its fabric's takes the place of its own, save that a lossy class stays lossy."""
    if fabric is None or (own is not None and own.value == "lossy"):
        return own
    return fabric


def _settings(layer: _Layer, part: Intent | FabricPart, where: tuple[str, ...]) -> Iterator[tuple[str, Fact[object]]]:
    for section in SECTIONS:
        below: Part | None = getattr(part, section)
        if below is None:
            continue
        for key in below.model_fields_set:
            value = getattr(below, key)
            if key == "dcbx":
                if value is not None and value.willing is not None:
                    yield "limits.dcbx_willing", layer.fact(value.willing, *where, section, key, "willing")
            elif value is not None:
                yield f"{section}.{key}", layer.fact(tuple(value) if isinstance(value, list) else value, *where, section, key)
    for application, variables in getattr(part, "apps", {}).items():
        for variable, value in variables.items():
            yield f"apps.{application}.{variable}", layer.fact(value, *where, "apps", application, variable)


def _ecn(layer: _Layer, parts: list[EcnPart] | None, where: tuple[str, ...]) -> Iterator[Ecn]:
    names = {
        "kmin": "kmin_bytes",
        "kmax": "kmax_bytes",
        "kmin_percent": "kmin_percent",
        "kmax_percent": "kmax_percent",
        "pmax": "mark_probability",
        "weight": "averaging_weight",
        "congested_ports": "congested_ports",
        "tolerance": "tolerance",
        "scale": "scale",
    }
    for number, part in enumerate(parts or ()):
        facts = {
            names[key]: layer.fact(getattr(part, key), *where, number, key)
            for key in part.model_fields_set
            if key != "match" and getattr(part, key) is not None
        }
        yield Ecn(part.match.model_dump(exclude_none=True), **facts)  # type: ignore[arg-type]


def _cables(layer: _Layer) -> Iterator[Cable]:
    links = layer.intent.links
    if links is None:
        return
    if isinstance(links, list):
        for number, link in enumerate(links):
            where = ("links", number)
            length = layer.fact(link.length_m, *where, "length_m") if link.length_m is not None else None
            ends = (PortName(link.device_a, link.port_a), PortName(link.device_b, link.port_b))
            yield Cable(layer.fact(ends[0], *where), layer.fact(ends[1], *where), length)  # type: ignore[arg-type]
        return
    path = Path(layer.file.path).parent / links.file
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise RoceLintError(f"links: {links.file} cannot be read: {error}", layer.file.path, layer.file.line("links", "file")) from None
    yield from _csv(path, text)


def _csv(path: Path, text: str) -> Iterator[Cable]:
    document = Document(path.name, lambda: text)
    rows = csv.reader(io.StringIO(text))
    header = [each.strip() for each in next(rows, [])]
    if header[:4] != CSV_HEADER[:4] or header[4:] not in ([], CSV_HEADER[4:]):
        raise RoceLintError(f"the header {','.join(CSV_HEADER)} expected", str(path), 1)
    for row in rows:
        cells = [each.strip() for each in row]
        if not any(cells):
            continue
        line = (Line(document, rows.line_num, ",".join(row)),)
        length = cells[4] if len(cells) > 4 else ""
        if len(cells) not in (len(header), 4) or not all(cells[:4]) or (length and not length.isdigit()):
            raise RoceLintError("two devices and ports and a whole number of metres expected", str(path), rows.line_num)
        yield Cable(
            Fact(PortName(cells[0], cells[1]), line, "wanted"),
            Fact(PortName(cells[2], cells[3]), line, "wanted"),
            Fact(int(length), line, "wanted") if length else None,
        )
