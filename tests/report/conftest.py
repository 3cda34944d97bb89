"""A result made by hand: a clean fabric with a few facts of two documents changed, judged by three rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from roce_lint.fabric.hops import Reach
from roce_lint.judge import Joined, Options, verdict
from roce_lint.lint import clean
from roce_lint.lint.book import Book
from roce_lint.lint.rulefile import RuleFile
from roce_lint.lint.rules import rule
from roce_lint.model.changes import changed, unstated
from roce_lint.model.devices import Device, Fabric
from roce_lint.model.document import Document, Line, Note
from roce_lint.model.finding import Unread
from roce_lint.report.result import Result

CONFIG = Document("leaf1/config_db.json", lambda: "", device="leaf1")
ANSWER = Document("gpu2.txt", lambda: "", device="gpu2", command="mlnx_qos -i eth0")
RULES: tuple[Mapping[str, object], ...] = (
    {
        "id": "pfc-closed",
        "title": "Both ends obey what the other sends",
        "severity": "critical",
        "scope": "hop",
        "when": "want.lossless",
        "expect": "len(receiver.pause_emitted & sender.pause_heard) > 0",
        "message": "{receiver} pauses {receiver.pause_emitted}; {sender} obeys {sender.pause_heard}",
        "why": "-",
        "references": ["IEEE 802.1Qbb"],
    },
    {
        "id": "pfc-same",
        "title": "Both ends have the same indices",
        "severity": "warning",
        "scope": "link",
        "expect": "a.pause_heard == b.pause_heard",
        "message": "{a} has {a.pause_heard}, {b} has {b.pause_heard}",
        "why": "-",
        "caused_by": ["pfc-closed"],
        "references": [],
    },
    {
        "id": "mtu-enough",
        "title": "The MTU is enough",
        "severity": [{"when": "port.nic", "is": "error"}, {"is": "info"}],
        "scope": "port",
        "expect": "port.mtu >= 9000",
        "message": "{port} has an MTU of {port.mtu}",
        "why": "-",
        "references": [],
    },
)


def given(devices: dict[str, Device], name: str, path: str, value: object, line: Line) -> None:
    device, _, port = name.partition("/")
    ports = dict(devices[device].ports)
    ports[port] = changed(ports[port], path, value, line) if value is not None else unstated(ports[port], path)
    devices[device] = replace(devices[device], ports=ports)


@pytest.fixture
def result() -> Result:
    devices = dict(clean.devices())
    enabled = Line(CONFIG, 812, '    "pfc_enable": "4",')
    for number in (1, 2, 3):
        given(devices, f"leaf1/p{number}", "pfc.priorities", [4], enabled)
    given(devices, "gpu2/eth0", "mtu", 1500, Line(ANSWER, 21, "\tmtu 1500 \x1b[3m"))
    given(devices, "leaf1/p4", "mtu", None, enabled)
    notes = (Note(Line(ANSWER, 30, "  a strange line"), "a setting expected"),)
    fabric = Fabric(devices, clean.links(), notes=notes, unread=(Unread("old.bin", "no text"),))
    plan = clean.plan()
    reach = Reach(devices, clean.links(), lambda device, port: plan.fabrics[0], lambda device, port: True)
    book = Book(tuple(rule(RuleFile.model_validate(dict(source)).written()) for source in RULES))
    return verdict(Joined((CONFIG, ANSWER), fabric, plan, reach), Options(), book)
