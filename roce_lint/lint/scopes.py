"""What a rule may be about: the names that each scope binds, and its subjects in a fabric."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from roce_lint.fabric.contradictions import contradictions
from roce_lint.fabric.hops import Absent, HopWant, Reach, Span
from roce_lint.fabric.pipeline import End
from roce_lint.fabric.views import Mark, PortView
from roce_lint.lint.expr import Env, Root
from roce_lint.lint.kinds import Kind, members
from roce_lint.lint.records import SETTINGS, Contradicted, DeviceView, FabricView, JobView, PlanView
from roce_lint.model.finding import Subject
from roce_lint.model.plan import FabricPlan
from roce_lint.model.ports import Port

Scope = Literal["port", "switch_port", "nic_port", "class_port", "hop", "link", "device", "switch", "host", "job", "intent", "fabric"]
Needs = Literal["nothing", "plan", "intent"]

_PORT: Mapping[str, Kind] = {**members(Port), **members(PortView)}
_END: Mapping[str, Kind] = {**members(End), "port": Kind("record", record=Port)}
_WANT: Mapping[str, Kind] = members(HopWant)
_PLAN: Mapping[str, Kind] = {**members(PlanView), **SETTINGS}

NAMES: Mapping[Scope, Mapping[str, Mapping[str, Kind]]] = {
    "port": {"port": _PORT, "plan": _PLAN},
    "switch_port": {"port": _PORT, "plan": _PLAN},
    "nic_port": {"port": _PORT, "plan": _PLAN},
    "class_port": {"want": _WANT, "here": _END, "plan": _PLAN},
    "hop": {"want": _WANT, "sender": _END, "receiver": _END, "plan": _PLAN, "fabric": members(FabricView)},
    "link": {"a": _PORT, "b": _PORT, "plan": _PLAN, "fabric": members(FabricView)},
    "device": {"device": members(DeviceView), "plan": _PLAN},
    "switch": {"device": members(DeviceView), "plan": _PLAN},
    "host": {"device": members(DeviceView), "plan": _PLAN},
    "job": {"job": members(JobView), "plan": _PLAN},
    "fabric": {"plan": _PLAN},
    "intent": {"plan": _PLAN, "intent": members(Contradicted)},
}
DEFAULT_NEEDS: Mapping[Scope, Needs] = {"class_port": "plan", "hop": "plan", "intent": "intent"}
ENDS = ("receiver", "sender", "here", "a", "b", "port")


@dataclass(frozen=True, slots=True)
class Case:
    """A subject with what a rule's names are bound to for it."""

    env: Env
    subject: Subject
    plan: FabricPlan | None


def cases(reach: Reach, plans: Sequence[FabricPlan], scope: Scope) -> Iterator[Case]:
    """The subjects of a scope that does not run along the links."""
    if scope in ("device", "switch", "host"):
        for device in reach.devices.values():
            if device.name in reach.by_device and scope in ("device", device.kind):
                plan = reach.plan(reach.by_device[device.name][0].name)
                yield Case({"device": DeviceView(device), "plan": PlanView(plan)}, Subject(device.name), plan)
    elif scope == "job":
        for device in reach.devices.values():
            for job in device.jobs.values():
                view = JobView(device, job, reach)
                plan = view.plan or (plans[0] if len(plans) == 1 else None)
                yield Case({"job": view, "plan": PlanView(plan)}, Subject(device.name, job=job.name), plan)
    elif scope == "intent":
        for plan in plans:
            for each in (*contradictions(plan), *(each for each in reach.overlaps if plan is plans[0])) or (None,):
                yield Case({"plan": PlanView(plan), "intent": Contradicted(each)}, Subject(None), plan)
    elif scope == "fabric":
        for plan in plans:
            yield Case({"plan": PlanView(plan)}, Subject(None), plan)


def port_cases(span: Span, scope: Scope) -> Iterator[Case]:
    """The ports at the ends of a span, for scopes about a port without a class."""
    for view, peer in _ends(span):
        if scope == "port" or (scope == "nic_port") is view.is_nic:
            yield Case({"port": view, "plan": PlanView(span.plan)}, _subject(view, peer), span.plan)


def link_cases(span: Span, reach: Reach) -> Iterator[Case]:
    if span.down:
        return
    far: Root = span.b if span.b is not None else Absent(span.a)
    env: Env = {"a": span.a, "b": far, "plan": PlanView(span.plan), "fabric": FabricView(reach, span.plan)}
    yield Case(env, _subject(span.a, span.b), span.plan)


def class_cases(span: Span, mark: Mark, ends: Mapping[int, End]) -> Iterator[Case]:
    """One mark at each end of a span."""
    if span.plan is None:
        return
    want = HopWant(mark, span.nic_link, span.plan)
    for view, peer in _ends(span):
        env: Env = {"want": want, "here": ends[id(view)], "plan": PlanView(span.plan)}
        yield Case(env, _subject(view, peer, mark), span.plan)


def hop_cases(span: Span, mark: Mark, ends: Mapping[int, End], reach: Reach) -> Iterator[Case]:
    """One mark over a span in each direction."""
    if span.plan is None or span.down:
        return
    far: End | Absent = ends[id(span.b)] if span.b is not None else Absent(span.a)
    near = ends[id(span.a)]
    for sender, receiver in ((near, far), (far, near)):
        sent = reach.sent_mark(sender.view if isinstance(sender, End) else None, mark)
        into = receiver if sent is mark or not isinstance(receiver, End) else reach.end(receiver.view, sent, span.plan)
        want = HopWant(sent, span.nic_link, span.plan)
        env: Env = {"want": want, "sender": sender, "receiver": into, "plan": PlanView(span.plan), "fabric": FabricView(reach, span.plan)}
        yield Case(env, _subject(span.a, span.b, mark), span.plan)


def _ends(span: Span) -> Iterator[tuple[PortView, PortView | None]]:
    yield span.a, span.b
    if span.b is not None:
        yield span.b, span.a


def _subject(view: PortView, peer: PortView | None, mark: Mark | None = None) -> Subject:
    near = (view.name.device, view.name.port)
    far = (peer.name.device, peer.name.port) if peer is not None else None
    link = (near, near) if far is None else (near, far) if near <= far else (far, near)
    return Subject(*near, peer=far, class_name=mark.want.name if mark is not None else None, link=link)
