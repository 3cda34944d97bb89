"""A selector: every key must fit, of a list any member, and what a port does not state fits nothing."""

from __future__ import annotations

import pytest

from roce_lint.fabric.selectors import Match, named, role_of, takes
from roce_lint.model.devices import Device, Rdma
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Fact
from roce_lint.model.ports import Port

LINE = Line(Document("devices.txt", lambda: ""), 1, "")


def fact(value: str) -> Fact[str]:
    return Fact(value, (LINE,), "observed")


UPLINK = Port("Ethernet52", speed_bps=Fact(400_000_000_000, (LINE,), "observed"))
TOR = Device("tor3", kind="switch", model=fact("MSN3700"), asic=fact("asic-b"), ports={"Ethernet52": UPLINK})
NIC = Port("ens3f0")
GPU = Device("gpu7", kind="host", ports={"ens3f0": NIC}, rdma={"rocep3": Rdma("rocep3", netdev=fact("ens3f0"), model=fact("CX7"))})
ROLES = {"tor": ("tor*",), "core": ("core*",)}


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("Ethernet49-64", "Ethernet49", True),
        ("Ethernet49-64", "Ethernet64", True),
        ("Ethernet49-64", "Ethernet5", False),
        ("Ethernet49-64", "Ethernet65", False),
        ("Ethernet49-64", "Ethernet49-64", True),
        ("Ethernet1/1-32", "Ethernet1/7", True),
        ("leaf01-16", "leaf07", True),
        ("gpu-1-4", "gpu-1-4", True),
        ("gpu-1-4", "gpu-3", True),
        ("mlx5_[0-3]", "mlx5_2", True),
        ("mlx5_[0-3]", "mlx5_7", False),
        ("gpu*", "gpu7", True),
        ("gpu?", "gpu17", False),
        ("gpu", "gpu7", False),
        ("leaf1-٩", "leaf5", False),
        ("leaf1-9", "leaf٥", False),
        (f"leaf1-{'9' * 5000}", "leaf5", False),
        ("leaf1-9", f"leaf{'9' * 5000}", False),
    ],
)
def test_a_name_is_a_pattern_or_in_a_range(pattern: str, name: str, fits: bool) -> None:
    assert named(pattern, name) is fits


@pytest.mark.parametrize(
    ("match", "of_tor", "of_gpu"),
    [
        ({}, True, True),
        ({"device": ["tor*", "core*"]}, True, False),
        ({"device": ["*"], "port": ["Ethernet49-64"]}, True, False),
        ({"role": ["tor"]}, True, False),
        ({"speed": [400_000_000_000]}, True, False),
        ({"speed": [100_000_000_000]}, False, False),
        ({"model": ["MSN*"]}, True, False),
        ({"model": ["asic-?"]}, True, False),
        ({"model": ["CX7"]}, False, True),
        ({"nic": ["rocep*"]}, False, True),
        ({"nic": ["rocep*"], "device": ["tor*", "gpu*"]}, False, True),
        ({"nic": ["rocep*"], "role": ["tor", "core"]}, True, True),
        ({"nic": ["rocep*"], "role": ["core"]}, False, True),
        ({"nic": ["mlx5_*"], "role": ["core"]}, False, False),
    ],
)
def test_every_key_of_a_selector_must_fit(match: Match, of_tor: bool, of_gpu: bool) -> None:
    assert (takes(match, TOR, UPLINK, ROLES), takes(match, GPU, NIC, ROLES)) == (of_tor, of_gpu)


def test_a_role_is_that_of_the_intent_before_that_of_the_snapshot() -> None:
    assert role_of(Device("tor3", role="edge"), ROLES) == "tor"
    assert role_of(Device("sw3", role="edge"), ROLES) == "edge"
    assert role_of(Device("sw3"), ROLES) is None


def test_a_host_with_a_role_must_have_the_role_beside_a_nic() -> None:
    assert not takes({"nic": ["rocep*"], "role": ["tor"]}, GPU, NIC, {"compute": ("gpu*",)})
    assert takes({"nic": ["rocep*"], "role": ["compute"]}, GPU, NIC, {"compute": ("gpu*",)})
