"""What an intent says against itself: in words, and with the line and the path of each fact that takes part."""

from __future__ import annotations

import pytest

from roce_lint.fabric.contradictions import contradictions, overlaps
from roce_lint.fabric.intentions import Intended, combined, profile
from roce_lint.fabric.layers import layer
from roce_lint.model.devices import Device
from roce_lint.model.ports import Port
from roce_lint.text.userfile import parsed

BULK = "classes:\n  bulk: {role: rdma_data, dscp: [34], pcp: [4], pfc_priority: 4, loss: lossless, share: 60}\n"
HOUSE = """\
name: house
ecn:
  - {kmin: 1MB, kmax: 2MB}
watchdog: {poll_ms: 100, detect_ms: [100, 400]}
"""
Said = list[tuple[str, list[str]]]


def wanted(text: str, beneath: str | None = None) -> Intended:
    under = layer(parsed("house.yaml", beneath), "house.yaml") if beneath is not None else None
    return combined(layer(parsed("roce-lint.yaml", text), "roce-lint.yaml"), under)


def against(text: str, beneath: str | None = None) -> Said:
    (plan,) = wanted(text, beneath).plan.fabrics
    return [
        (each.text, [f"{cite.fact.lines[0].place.removeprefix('roce-lint.yaml:')} {cite.path}" for cite in each.cites])
        for each in contradictions(plan)
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BULK, []),
        (
            BULK + "  more: {dscp: [33, 34]}\n",
            [("DSCP 34 is in class bulk and in class more", ["3 classes.more.dscp", "2 classes.bulk.dscp"])],
        ),
        (BULK + "  more: {dscp: [33], pcp: [4]}\n", []),
        (BULK + "  more: {pcp: [4]}\n", [("PCP 4 is in class bulk and in class more", ["3 classes.more.pcp", "2 classes.bulk.pcp"])]),
        (
            BULK + "  note: {role: cnp, dscp: [34]}\n",
            [("DSCP 34 is in class bulk and in class note", ["3 classes.note.dscp", "2 classes.bulk.dscp"])],
        ),
        (BULK + "  note: {role: cnp, dscp: [34], pfc_priority: 4, loss: lossless, cnp: with_data}\n", []),
        (
            BULK + "  more: {role: storage, dscp: [1], cnp: with_data}\n",
            [("class more is to travel with the data and carries no notifications", ["3 classes.more.cnp", "3 classes.more.role"])],
        ),
        (
            BULK + "  note: {role: cnp, dscp: [50], loss: lossless}\n",
            [("class note carries notifications and is lossless", ["3 classes.note.loss"])],
        ),
        (
            BULK + "  note: {role: cnp, dscp: [50], pfc_priority: 4}\n",
            [("class note has the PFC index 4 of class bulk", ["3 classes.note.pfc_priority", "2 classes.bulk.pfc_priority"])],
        ),
        (BULK + "  note: {role: cnp, dscp: [50], pfc_priority: 6}\n", []),
        (
            BULK + "  more: {dscp: [1], pfc_priority: 4, loss: lossy}\n",
            [
                (
                    "class more is lossy and has the PFC index 4 of class bulk, which is paused",
                    ["3 classes.more.loss", "3 classes.more.pfc_priority", "2 classes.bulk.pfc_priority"],
                )
            ],
        ),
        (BULK + "  more: {dscp: [1], pfc_priority: 4, loss: lossy, may_share_with: bulk}\n", []),
        (
            BULK + "  more: {dscp: [1], pfc_priority: 4, may_share_with: []}\n",
            [
                (
                    "class more has the PFC index 4 of class bulk, with which it may not share",
                    ["3 classes.more.may_share_with", "3 classes.more.pfc_priority", "2 classes.bulk.pfc_priority"],
                )
            ],
        ),
        (BULK + "  more: {dscp: [1], pfc_priority: 4}\n", []),
        (
            BULK + "  more: {dscp: [1], share: 40.5}\n",
            [("the shares of the classes make 100.5 %, more than 100", ["2 classes.bulk.share", "3 classes.more.share"])],
        ),
        (BULK + "  more: {dscp: [1], share: 40}\n", []),
        (
            BULK + "  more: {dscp: [1], pfc_priority: 1}\nlimits:\n  max_lossless: 1\n",
            [
                (
                    "2 lossless classes, where limits.max_lossless allows 1",
                    ["5 limits.max_lossless", "2 classes.bulk.loss", "3 classes.more.loss"],
                )
            ],
        ),
        (BULK + "  more: {dscp: [1], pfc_priority: 4}\nlimits:\n  max_lossless: 1\n", []),
        (
            BULK + "  old: {dscp: [1], loss: global_pause}\n",
            [
                (
                    "class old is to be protected by 802.3x pause and class bulk by PFC; a port does one of them",
                    ["3 classes.old.loss", "2 classes.bulk.loss"],
                )
            ],
        ),
        (
            "classes:\n  old: {dscp: [1], loss: global_pause}\nlimits: {global_pause: no}\n",
            [("class old is to be protected by 802.3x pause, which limits.global_pause forbids", ["2 classes.old.loss", "3 limits.global_pause"])],
        ),
        (
            BULK + "limits: {global_pause: yes}\n",
            [("limits.global_pause wants 802.3x pause, and class bulk PFC; a port does one of them", ["3 limits.global_pause", "2 classes.bulk.loss"])],
        ),
        (
            "ecn:\n  - {kmin: 2MB, kmax: 1MB}\n",
            [("ECN is to mark from 2000000 on and always from 1000000 on, which is less", ["2 ecn.kmin", "2 ecn.kmax"])],
        ),
        ("ecn:\n  - {kmin: 1MB, kmax: 1MB}\n", []),
        (
            "ecn:\n  - {kmin_percent: 60}\n  - {match: {}, kmax_percent: 55%}\n",
            [("ECN is to mark from 60 on and always from 55 on, which is less", ["2 ecn.kmin_percent", "3 ecn.kmax_percent"])],
        ),
        (
            "ecn:\n  - {match: {speed: 400G}, kmin: 5MB}\n  - {match: {speed: 100G}, kmax: 1MB}\n  - {kmin: 1MB, kmax: 2MB}\n",
            [("ECN is to mark from 5000000 on and always from 2000000 on, which is less", ["2 ecn.kmin", "4 ecn.kmax"])],
        ),
        ("ecn:\n  - {kmin: 1MB, kmax: 2MB}\n  - {kmin: 5MB, kmax: 3MB}\n", []),
        (
            "watchdog: {poll_ms: 500, detect_ms: [100, 400]}\n",
            [
                (
                    "watchdog.detect_ms ends at 400, before one poll of 500 ms is over",
                    ["1 watchdog.poll_ms", "1 watchdog.detect_ms"],
                )
            ],
        ),
        ("watchdog: {poll_ms: 400, detect_ms: 400}\n", []),
        ("mtu: {host: 9000, switch_min: 8000}\n", [("mtu.host is 9000 and mtu.switch_min less, 8000", ["1 mtu.host", "1 mtu.switch_min"])]),
        (
            "mtu: {rdma: 4096, host: 1500}\n",
            [("RDMA packets of 4096 bytes with their headers exceed mtu.host, 1500", ["1 mtu.rdma", "1 mtu.host"])],
        ),
        (
            "mtu: {rdma: 4096, switch_min: 4139}\n",
            [("RDMA packets of 4096 bytes with their headers exceed mtu.switch_min, 4139", ["1 mtu.rdma", "1 mtu.switch_min"])],
        ),
        ("mtu: {rdma: 4096, host: 4200, switch_min: 4200}\n", []),
        (
            BULK + "  note: {role: cnp, dscp: [50]}\nnic: {cnp_dscp: 48}\n",
            [("nic.cnp_dscp is 48, which no class for notifications has", ["4 nic.cnp_dscp", "3 classes.note.dscp"])],
        ),
        (BULK + "nic: {cnp_dscp: 48}\n", []),
    ],
)  # fmt: skip
def test_what_an_intent_says_against_itself_is_said_with_its_lines(text: str, said: Said) -> None:
    assert against(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ecn:\n  - {kmin: 3MB}\n", [("ECN is to mark from 3000000 on and always from 2000000 on, which is less", ["2 ecn.kmin", "house.yaml:3 ecn.kmax"])]),
        ("watchdog:\n  poll_ms: 500\n", [("watchdog.detect_ms ends at 400, before one poll of 500 ms is over", ["2 watchdog.poll_ms", "house.yaml:4 watchdog.detect_ms"])]),
        ("watchdog:\n  poll_ms: 500\n  detect_ms:\n", []),
    ],
)  # fmt: skip
def test_what_lies_over_a_profile_may_contradict_it(text: str, said: Said) -> None:
    assert against(text, HOUSE) == said


@pytest.mark.parametrize("name", ["nvidia-cumulus-lossless", "sonic-azure"])
def test_a_shipped_profile_does_not_contradict_itself(name: str) -> None:
    for fabric in combined(None, profile(name)).plan.fabrics:
        assert list(contradictions(fabric)) == []


TWO = "fabrics:\n  compute: {match: {device: ['gpu*', 'leaf*']}}\n  disks: {match: {device: 'nvme*'}}\n"


def test_two_selectors_that_take_one_port_are_reported_once() -> None:
    devices = [Device("leaf1", kind="switch", ports={name: Port(name) for name in ("p0", "p1")})]
    ports = [(device, port) for device in devices for port in device.ports.values()]
    found = list(overlaps(wanted(TWO + "  all: {match: {port: 'p*'}}\n"), ports))
    assert [(each.text, [(cite.path, cite.fact.lines[0].place) for cite in each.cites]) for each in found] == [
        (
            "fabrics compute and all both take leaf1/p0 and 1 more; a port is in one fabric",
            [("fabrics.compute.match", "roce-lint.yaml:2"), ("fabrics.all.match", "roce-lint.yaml:4")],
        )
    ]
    assert list(overlaps(wanted(TWO), ports)) == []
