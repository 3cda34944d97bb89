"""An intent file, its profile and the built-in policy, laid over each other value by value; every value cites its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from roce_lint.errors import RoceLintError
from roce_lint.fabric.cabling import cables
from roce_lint.fabric.exceptions import waivers
from roce_lint.fabric.layers import Layer, keys, layer, listed
from roce_lint.fabric.lengths import Lengths, default_lengths
from roce_lint.fabric.selectors import Match, Roles
from roce_lint.fabric.unmatched import Selectors, selectors
from roce_lint.model.devices import Cable
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Fact
from roce_lint.model.plan import Ecn, FabricPlan, Plan, Waiver, Want
from roce_lint.resources import folder

if TYPE_CHECKING:
    from roce_lint.model.intent import EcnPart, FabricPart, Intent, Part, TrafficClass
    from roce_lint.text.userfile import UserFile

FILE_NAME = "roce-lint.yaml"
PROFILES = "profiles"
POLICY = Document(
    "built-in policy",
    lambda: "limits.max_lossless: 7\nwatchdog.required: recommended\n",
)
SECTIONS = ("limits", "watchdog", "buffers", "mtu", "nic")
DATA = ("rdma_data", "storage")
Facts = dict[str, Fact[object]]


@dataclass(frozen=True, slots=True)
class Intended:
    """A site's intent: the plan, the selectors of its fabrics by name, its cables, its own rules and its exceptions.

    `selectors` holds every selector by its path, `keys` every key of the file that has a value, with its line.
    """

    plan: Plan
    matches: Mapping[str, Fact[Match]] = field(default_factory=dict)
    roles: Roles = field(default_factory=dict)
    cables: tuple[Cable, ...] = ()
    packs: tuple[str, ...] = ()
    path: str | None = None
    waivers: tuple[Waiver, ...] = ()
    selectors: Selectors = field(default_factory=dict)
    keys: Mapping[tuple[str | int, ...], Line] = field(default_factory=dict)
    lengths: Lengths = field(default_factory=dict)


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
    own = None
    if path is not None:
        from roce_lint.text.userfile import read

        own = layer(read(path), Path(path).name)
    return combined(own, _beneath(own, profile))


def combined(own: Layer | None, beneath: Layer | None) -> Intended:
    """An intent laid over a profile. Raises RoceLintError where the cables that it names cannot be read."""
    layers = [each for each in (beneath, own) if each is not None]
    if not layers:
        return Intended(Plan())
    named = None if beneath is None else beneath.intent.name or Path(beneath.file.path).stem
    plan = Plan(named, False, tuple(_fabrics(layers)))
    if own is None:
        return Intended(plan)
    _classes_named(own, plan)
    matches = {
        name: own.fact(_selector(part), "fabrics", name, "match") for name, part in own.intent.fabrics.items() if part.match is not None
    }
    return Intended(
        plan,
        matches,  # type: ignore[arg-type]
        _roles(own),
        cables(own),
        _packs(own),
        own.file.path,
        tuple(waivers(own)),
        selectors(own),
        keys(own),
        default_lengths(own),
    )


def profiles() -> Mapping[str, Path]:
    """The profiles that ship with the tool, by name."""
    return {path.stem: path for path in sorted((folder("rules") / PROFILES).glob("*.yaml"))}


def profile(name: str, shipped: Mapping[str, UserFile] | None = None) -> Layer:
    """A profile by its name, of those given or of those that ship with the tool. Raises RoceLintError."""
    from roce_lint.text.userfile import read, suggestion

    if shipped is not None and name in shipped:
        return layer(shipped[name], f"{PROFILES}/{name}.yaml")
    known = profiles()
    if name not in known:
        raise RoceLintError(f"no profile {name!r}{suggestion(name, list(known))}")
    return layer(read(known[name]), f"{PROFILES}/{name}.yaml")


def _beneath(own: Layer | None, named: str | None) -> Layer | None:
    if named is not None:
        return profile(named)
    if own is None or own.intent.profile is None:
        return None
    try:
        return profile(own.intent.profile)
    except RoceLintError as error:
        raise error if error.path is not None else own.error(error.message, "profile") from None


def policy() -> Facts:
    """What holds of every plan that does not say otherwise."""
    found: Facts = {}
    for index, text in enumerate(POLICY.lines()):
        path, _, value = text.partition(": ")
        found[path] = Fact(int(value) if value.isdigit() else value, (POLICY.line(index, text),), "wanted")
    return found


def _fabrics(layers: list[Layer]) -> Iterator[FabricPlan]:
    own = layers[-1]
    roles = _roles(own)
    for name in list(own.intent.fabrics) or ["fabric"]:
        part = own.intent.fabrics.get(name)
        classes: dict[str, Facts] = {}
        settings = policy()
        ecn: list[Ecn] = []
        for each in layers:
            _classes(each, each.intent.classes, ("classes",), classes)
            _settings(each, each.intent, (), settings)
            ecn[:0] = _ecn(each, each.intent.ecn, ("ecn",))
        if part is not None:
            where = ("fabrics", name)
            _classes(own, part.classes, (*where, "classes"), classes)
            if part.loss_model is not None:
                said = {each for each, given in part.classes.items() if given.loss is not None}
                _under(own.fact(part.loss_model, *where, "loss_model"), [facts for each, facts in classes.items() if each not in said])
            if part.families is not None:
                settings["families"] = own.fact(listed(part.families), *where, "families")
            _settings(own, part, where, settings)
            ecn[:0] = _ecn(own, part.ecn, (*where, "ecn"))
        match = _selector(part) if part is not None and part.match is not None else None
        yield FabricPlan(name, tuple(_want(each, facts) for each, facts in classes.items()), tuple(ecn), settings, match, roles)


def _roles(own: Layer) -> Roles:
    return {name: tuple(part.match or ()) for name, part in own.intent.roles.items()}


def _classes_named(own: Layer, plan: Plan) -> None:
    """Raises UserFileErrors where a class may share with one that does not exist."""
    from roce_lint.text.userfile import UserFileErrors, suggestion

    names = {fabric.name: [want.name for want in fabric.classes] for fabric in plan.fabrics}
    every = list(dict.fromkeys(name for some in names.values() for name in some))
    parts = [(("fabrics", name, "classes"), part.classes, names[name]) for name, part in own.intent.fabrics.items()]
    errors: list[RoceLintError] = []
    for where, classes, known in (*parts, (("classes",), own.intent.classes, every)):
        for name, each in classes.items():
            for number, other in enumerate(each.may_share_with or ()):
                if other not in known:
                    said = f"{'.'.join((*where, name))}.may_share_with: no class {other!r}{suggestion(other, known)}"
                    errors.append(own.error(said, *where, name, "may_share_with", number))
    if errors:
        raise UserFileErrors(sorted(errors, key=lambda error: error.line or 0))


def _packs(own: Layer) -> tuple[str, ...]:
    """The paths of a site's own rules. Raises RoceLintError where there is nothing."""
    found = []
    for number, name in enumerate(own.intent.rules or ()):
        path = Path(own.file.path).parent / name
        if not path.exists():
            raise own.error(f"rules: {name!r}: no such file or folder", "rules", number)
        found.append(str(path))
    return tuple(found)


def _selector(part: FabricPart) -> Match:
    return {} if part.match is None else part.match.model_dump(exclude_none=True)


def _classes(layer: Layer, given: Mapping[str, TrafficClass], where: tuple[str, ...], into: dict[str, Facts]) -> None:
    """Lays the classes of one layer over those beneath, field by field; a field with nothing behind it takes away what lies beneath."""
    for name, part in given.items():
        facts = into.setdefault(name, {})
        facts.setdefault("", layer.fact(name, *where, name))
        for key in part.model_fields_set:
            value = getattr(part, key)
            if value is not None:
                facts[key] = layer.fact(frozenset(value) if isinstance(value, list) else value, *where, name, key)
            else:
                facts.pop(key, None)


def _under(model: Fact[object], classes: Iterable[Facts]) -> None:
    """Gives the loss model of a fabric to the classes that are not lossy without it, and to data that states none."""
    for facts in classes:
        own = facts.get("loss") or _loss(facts, model.lines)
        data = "role" not in facts or facts["role"].value in DATA
        if own.value != "lossy" or (data and "loss" not in facts):
            facts["loss"] = model


def _want(name: str, facts: Mapping[str, Fact[object]]) -> Want:
    at = facts[""].lines
    share = facts.get("share")
    return Want(
        name,
        role=facts.get("role") or Fact("rdma_data", at, "wanted"),  # type: ignore[arg-type]
        loss=facts.get("loss") or _loss(facts, at),  # type: ignore[arg-type]
        dscp=facts.get("dscp"),  # type: ignore[arg-type]
        pcp=facts.get("pcp"),  # type: ignore[arg-type]
        pfc_priority=facts.get("pfc_priority"),  # type: ignore[arg-type]
        scheduling=facts.get("sched"),  # type: ignore[arg-type]
        share=share if share is not None and isinstance(share.value, int | float) else None,  # type: ignore[arg-type]
        with_data=Fact(True, facts["cnp"].lines, "wanted") if "cnp" in facts else None,
        may_share_with=facts.get("may_share_with"),  # type: ignore[arg-type]
    )


def _loss(facts: Mapping[str, Fact[object]], at: tuple[Line, ...]) -> Fact[object]:
    """The loss model of a class that states none: lossless on a PFC index, lossy without one and for notifications."""
    index, role = facts.get("pfc_priority"), facts.get("role")
    if index is None or (role is not None and role.value == "cnp"):
        return Fact("lossy", at, "wanted")
    return Fact("lossless", index.lines, "wanted")


def _settings(layer: Layer, part: Intent | FabricPart, where: tuple[str, ...], into: Facts) -> None:
    """Lays the other settings of one layer over those beneath."""
    for section in SECTIONS:
        below: Part | None = getattr(part, section)
        for key in below.model_fields_set if below is not None else ():
            value = getattr(below, key)
            path, at = f"{section}.{key}", (*where, section, key)
            if key == "dcbx":
                path, at, value = "limits.dcbx_willing", (*at, "willing"), value.willing if value is not None else None
            if value is None:
                into.pop(path, None)
            else:
                into[path] = layer.fact(listed(value), *at)
    for application, variables in getattr(part, "apps", {}).items():
        for variable, value in variables.items():
            into[f"apps.{application}.{variable}"] = layer.fact(value, *where, "apps", application, variable)


ECN = {
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


def _ecn(layer: Layer, parts: list[EcnPart] | None, where: tuple[str, ...]) -> Iterator[Ecn]:
    for number, part in enumerate(parts or ()):
        facts = {
            ECN[key]: layer.fact(getattr(part, key), *where, number, key)
            for key in part.model_fields_set
            if key != "match" and getattr(part, key) is not None
        }
        yield Ecn(part.match.model_dump(exclude_none=True), **facts)  # type: ignore[arg-type]
