"""The examples of a rule run: the scope's clean subject with changes, and the outcome that the rule has for it.

`given` names facts by the roots of the scope, as the rule's expressions do. `sender`, `receiver`, `here`, `port` and `a` alone choose
the subject (`nic` or `switch`), `want` the class; `b: unseen` leaves the device at the other end of a link out. `beside.port.` is
another port of the same switch, `leaf.` every port of it, `peer.port.` the switch port beside a job's host, `rdma.` the RDMA device of
that host, `classes.NAME.` a class of the plan. A list gives the peers that a comparison runs over, one entry a peer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from roce_lint.fabric.hops import HopWant, Reach
from roce_lint.lint import clean
from roce_lint.lint.engine import Run
from roce_lint.lint.rulefile import Example
from roce_lint.lint.rules import Rule
from roce_lint.lint.scopes import Case
from roce_lint.model.changes import ChangeError, changed, unstated
from roce_lint.model.devices import Device
from roce_lint.model.document import Foreign
from roce_lint.model.finding import Severity
from roce_lint.model.plan import FabricPlan, Plan, Want

CHOICES = frozenset({"sender", "receiver", "here", "port", "a", "b", "want"})
DERIVED_ROOTS = ("sender", "receiver", "here")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rule made of an example."""

    word: str
    severity: Severity | None = None
    message: str = ""
    missing: tuple[str, ...] = ()


@dataclass(slots=True)
class _Setting:
    """The fabric of one example while it is changed."""

    devices: dict[str, Device]
    plan: FabricPlan
    roots: dict[str, tuple[str, str]] = field(default_factory=dict)
    class_name: str = "rdma"


def outcomes(rule: Rule) -> Iterator[tuple[Example, Outcome]]:
    """Every example of a rule with what the rule makes of it. Raises ChangeError for a fact that cannot be given."""
    for example in rule.source.examples:
        yield example, outcome(rule, example)


def outcome(rule: Rule, example: Example) -> Outcome:
    """What a rule makes of one example."""
    given = example.given if isinstance(example.given, list) else [example.given]
    setting = _Setting(dict(clean.devices()), clean.plan().fabrics[0])
    if len(given) > 1 or isinstance(example.given, list):
        setting.devices = {name: device for name, device in setting.devices.items() if device.kind != "host" or int(name[3:]) <= len(given)}
        for number, each in enumerate(given, 1):
            setting.roots = _peer(number)
            _give(rule, setting, each)
        setting.roots = _peer(1)
    else:
        _choose(rule, setting, given[0])
        _give(rule, setting, given[0])
    plan = Plan("example", False, (setting.plan,))
    reach = Reach(setting.devices, clean.links(), lambda device, port: setting.plan, lambda device, port: True)
    run = Run(reach, plan, [rule])
    judged = run.only(lambda case: _is_subject(setting, case))
    if judged is None:
        word = "unknown" if run.lacking else "not_applicable"
        return Outcome(word, missing=tuple(text for _, text in run.lacking))
    if judged:
        return Outcome("pass")
    finding = run.fold.findings(run.rules)[0]
    return Outcome("fail", finding.severity, finding.message)


def _peer(number: int) -> dict[str, tuple[str, str]]:
    near, far = (f"gpu{number}", "eth0"), ("leaf1", f"p{number}")
    return {"job": near, "rdma": near, "device": near, "port": far, "here": far, "peer": far}


def _choose(rule: Rule, setting: _Setting, given: Mapping[str, Foreign]) -> None:
    """Which ports and which class the roots of the scope stand for."""
    nic, near, leaf, spine, beside = ("gpu1", "eth0"), ("leaf1", "p1"), ("leaf1", "p5"), ("spine1", "p1"), ("leaf1", "p2")
    setting.class_name = str(given.get("want", "rdma"))
    if setting.plan.want(setting.class_name) is None:
        raise ChangeError(f"no class {setting.class_name!r} in the clean plan; rdma or cnp expected")
    one = str(given.get("here") or given.get("port") or ("nic" if rule.scope == "nic_port" else "switch"))
    at = nic if one == "nic" or rule.scope == "job" else near
    if given.get("sender") == "switch":
        sender, receiver = leaf, spine
    elif given.get("receiver") == "nic":
        sender, receiver = near, nic
    else:
        sender, receiver = nic, near
    a, b = (leaf, spine) if given.get("a") == "switch" else (nic, near)
    if given.get("b") == "unseen":
        del setting.devices[b[0]]
    device = nic if rule.scope == "host" else near
    setting.roots = {
        "sender": sender, "receiver": receiver, "here": at, "port": at, "a": a, "b": b,
        "device": device, "job": nic, "rdma": nic, "beside": beside, "peer": near, "leaf": near,
    }  # fmt: skip


def _give(rule: Rule, setting: _Setting, given: Mapping[str, Foreign]) -> None:
    for path, value in given.items():
        if path in CHOICES:
            continue
        root, _, rest = path.partition(".")
        if root == "plan":
            _set_plan(setting, rest, value)
        elif root == "want":
            _set_class(setting, setting.class_name, rest, value)
        elif root == "classes":
            name, _, below = rest.partition(".")
            _set_class(setting, name, below, value)
        elif root in setting.roots:
            _set_device(rule, setting, root, rest, value)
        else:
            raise ChangeError(f"no root {root!r}; one of {', '.join(sorted((*setting.roots, 'want', 'plan', 'classes')))} expected")


def _set_plan(setting: _Setting, path: str, value: Foreign) -> None:
    settings = dict(setting.plan.settings)
    if value is None:
        settings.pop(path, None)
    else:
        settings[path] = clean.wanting(value)
    setting.plan = replace(setting.plan, settings=settings)


def _set_class(setting: _Setting, name: str, path: str, value: Foreign) -> None:
    def one(want: Want) -> Want:
        if want.name != name:
            return want
        if path not in Want.__dataclass_fields__:
            raise ChangeError(f"{path!r} follows from others; dscp, pcp, pfc_priority, loss, role, scheduling, share or with_data expected")
        return unstated(want, path) if value is None else changed(want, path, value, clean.LINE, "wanted")

    setting.plan = replace(setting.plan, classes=tuple(one(want) for want in setting.plan.classes))


def _set_device(rule: Rule, setting: _Setting, root: str, path: str, value: Foreign) -> None:
    name, port = setting.roots[root]
    if name not in setting.devices:
        raise ChangeError(f"{root} was not seen and states nothing")
    device = setting.devices[name]
    if root == "leaf":
        setting.devices[name] = replace(device, ports={each: _with(record, path, value) for each, record in device.ports.items()})
        return
    if root in ("job", "rdma"):
        jobs = {key: _with(job, path, value) if root == "job" else job for key, job in device.jobs.items()}
        rdma = {key: _with(each, path, value) if root == "rdma" else each for key, each in device.rdma.items()}
        setting.devices[name] = replace(device, jobs=jobs, rdma=rdma)
        return
    if root == "device":
        setting.devices[name] = _with(device, path, value)
        return
    if root in DERIVED_ROOTS or root in ("beside", "peer"):
        if not path.startswith("port."):
            raise ChangeError(f"{root}.{path} follows from raw facts; give those under {root}.port")
        path = path[5:]
    ports = dict(device.ports)
    ports[port] = _with(ports[port], path, value)
    setting.devices[name] = replace(device, ports=ports)


def _with(record: Foreign, path: str, value: Foreign) -> Foreign:
    if value is None:
        return unstated(record, path)
    basis = "configured"
    if isinstance(value, Mapping) and set(value) == {"value", "basis"}:
        value, basis = value["value"], value["basis"]
    return changed(record, path, value, clean.LINE, basis)  # type: ignore[arg-type]


def _is_subject(setting: _Setting, case: Case) -> bool:
    want = case.env.get("want")
    if isinstance(want, HopWant) and want.want.name != setting.class_name:
        return False
    for name in ("sender", "receiver", "here", "port", "a"):
        if name in case.env and name in setting.roots and str(case.env[name]) != "/".join(setting.roots[name]):
            return False
    if case.subject.job is not None or "device" in case.env:
        return case.subject.device == setting.roots["job" if case.subject.job is not None else "device"][0]
    return True
