"""What a plan wants of the marking at a port: the first entry that fits it and states the value."""

from __future__ import annotations

import pytest

from roce_lint.fabric.intentions import combined, profile
from roce_lint.fabric.layers import layer
from roce_lint.fabric.marking import threshold
from roce_lint.lint.wanted import Wish, wish
from roce_lint.model.changes import changed, unstated
from roce_lint.model.devices import Device
from roce_lint.model.document import Document, Line
from roce_lint.model.finding import Cite
from roce_lint.model.outcome import Missing
from roce_lint.model.paths import stated
from roce_lint.model.plan import FabricPlan
from roce_lint.model.ports import Port
from roce_lint.text.userfile import parsed

LINE = Line(Document("leaf1.txt", lambda: ""), 7, "")
INTENT = """\
profile: nvidia-cumulus-lossless
roles: {leaf: {match: 'leaf*'}}
ecn:
  - {match: {speed: 400G, role: leaf}, kmin: 950KB, tolerance: 50%}
  - {match: {speed: 400G}, kmin: 700KB, kmax: 3000KB}
  - {match: {role: spine}, pmax: 7%}
  - {match: {model: 'MSN*'}, congested_ports: 3}
"""


def plan() -> FabricPlan:
    own = layer(parsed("roce-lint.yaml", INTENT), "roce-lint.yaml")
    (only,) = combined(own, profile("nvidia-cumulus-lossless")).plan.fabrics
    return only


def port(speed: int | None) -> Port:
    return changed(Port("swp1"), "speed_bps", speed, LINE) if speed else Port("swp1")


@pytest.mark.parametrize(
    ("name", "device", "speed", "expected"),
    [
        ("kmin_bytes", "leaf1", 400, (950_000, "roce-lint.yaml:4")),
        ("kmin_bytes", "spine1", 400, (700_000, "roce-lint.yaml:5")),
        ("kmin_bytes", "leaf1", 100, (150_000, "profiles/nvidia-cumulus-lossless.yaml:11")),
        ("kmin_bytes", "leaf1", None, Missing((("leaf1", "speed_bps"),))),
        ("kmax_bytes", "leaf1", 400, (3_000_000, "roce-lint.yaml:5")),
        ("kmax_bytes", "leaf1", 100, (1_500_000, "profiles/nvidia-cumulus-lossless.yaml:11")),
        ("mark_probability", "leaf1", None, (1.0, "profiles/nvidia-cumulus-lossless.yaml:11")),
        ("tolerance", "leaf1", 400, (0.5, "roce-lint.yaml:4")),
        ("tolerance", "spine1", 400, (0.1, "profiles/nvidia-cumulus-lossless.yaml:11")),
        ("averaging_weight", "leaf1", 400, None),
        ("congested_ports", "leaf1", 400, Missing((("leaf1", "model"),))),
    ],
)
def test_the_first_entry_that_fits_and_states_the_value_is_taken(name: str, device: str, speed: int | None, expected: object) -> None:
    found = threshold(plan(), name, Device(device, kind="switch"), port(speed and speed * 10**9))
    assert (found if found is None or isinstance(found, Missing) else (found.value, found.lines[0].place)) == expected


@pytest.mark.parametrize(
    ("device", "speed", "kmin", "expected"),
    [
        ("leaf1", 400, 1_400_000, Wish(950_000, False)),
        ("leaf1", 400, 1_450_000, Wish(950_000, True)),
        ("spine1", 400, 760_000, Wish(700_000, False)),
        ("spine1", 400, 780_000, Wish(700_000, True)),
        ("leaf1", 100, 950_000, Wish(150_000, True)),
        ("leaf1", None, 950_000, None),
    ],
)
def test_the_wish_for_a_port_is_that_of_its_role_and_speed(device: str, speed: int | None, kmin: int, expected: Wish | None) -> None:
    record = changed(port(speed and speed * 10**9), "queues[3].marking.kmin_bytes", kmin, LINE)
    fact = stated(record, "queues[3].marking.kmin_bytes")
    assert fact is not None
    cite = Cite("queues[3].marking.kmin_bytes", fact, device, "swp1")
    assert wish(cite, None, plan(), record, Device(device, kind="switch")) == expected


def test_a_speed_that_is_only_saved_is_not_that_of_now() -> None:
    saved = changed(Port("swp1"), "speed_bps", 400 * 10**9, LINE, "saved")
    assert threshold(plan(), "kmin_bytes", Device("leaf1"), saved) == Missing((("leaf1", "speed_bps"),))
    assert threshold(plan(), "kmin_bytes", Device("leaf1"), unstated(saved, "speed_bps")) == Missing((("leaf1", "speed_bps"),))
