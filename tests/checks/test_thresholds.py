"""Dynamic thresholds, against worked numbers: alpha 1/64, 1/16, 1 and 8 on pools of 10 MB."""

from __future__ import annotations

from dataclasses import replace

import pytest

from roce_lint.checks.thresholds import dynamic_threshold
from roce_lint.fabric.hops import Reach
from roce_lint.lint import clean
from roce_lint.lint.book import book
from roce_lint.lint.engine import Run, Tally
from roce_lint.model.changes import changed, unstated
from roce_lint.model.plan import Ecn

FAST, SLOW = [400_000_000_000], [100_000_000_000]
BUSY = Ecn({"speed": FAST}, congested_ports=clean.wanting(64))
CALM = Ecn({"speed": SLOW, "role": ["tor"]}, congested_ports=clean.wanting(2))


@pytest.mark.parametrize(
    ("alpha", "groups", "threshold"),
    [
        (1 / 64, 1, 153_846),
        (1 / 64, 8, 138_889),
        (1 / 16, 1, 588_235),
        (1 / 16, 8, 416_667),
        (1, 8, 1_111_111),
        (8, 1, 8_888_889),
        (8, 8, 1_230_769),
    ],
)
def test_a_group_begins_to_pause_at_its_share_of_what_is_left(alpha: float, groups: int, threshold: int) -> None:
    assert round(dynamic_threshold(alpha, 10_000_000, groups)) == threshold


def after_pause(rows: tuple[Ecn, ...], speed: int | None = 100_000_000_000, kmin: int = 150_000) -> Tally:
    """What `ecn-after-pause` says of leaf1, with one port, an alpha of 1/4 on 1 MB."""
    leaf = clean.devices()["leaf1"]
    record = leaf.ports["p1"]
    facts = {"groups[3].alpha": 0.25, "groups[3].pool.size_bytes": 1_000_000, "queues[3].marking.kmin_bytes": kmin}
    for path, value in facts.items():
        record = changed(record, path, value, clean.LINE)
    record = changed(record, "speed_bps", speed, clean.LINE) if speed is not None else unstated(record, "speed_bps")
    fabric = replace(clean.plan().fabrics[0], ecn=rows, roles={"tor": ("leaf*",)})
    reach = Reach({"leaf1": replace(leaf, ports={"p1": record})}, (), lambda device, port: fabric, lambda device, port: True)
    rules = [rule for rule in book().rules if rule.id == "ecn-after-pause"]
    return Run(reach, replace(clean.plan(), fabrics=(fabric,)), rules).result()


def told(tally: Tally) -> tuple[list[str], int, list[tuple[str | None, str]]]:
    return [each.message for each in tally.findings], tally.held, [(each.device, each.missing) for each in tally.unknown]


MANY = "leaf1/p1 begins to mark rdma at 150,000 bytes; {} full groups are paused at {}"


@pytest.mark.parametrize(
    ("rows", "speed", "kmin", "expected"),
    [
        ((), 100_000_000_000, 150_000, ([MANY.format(8, "83,333")], 0, [])),
        ((BUSY, CALM), 100_000_000_000, 150_000, ([], 1, [])),
        ((BUSY, CALM), 400_000_000_000, 150_000, ([MANY.format(64, "14,706")], 0, [])),
        ((BUSY,), 100_000_000_000, 150_000, ([MANY.format(8, "83,333")], 0, [])),
        ((BUSY,), None, 150_000, ([], 0, [("leaf1", "speed_bps")])),
        ((BUSY,), None, 250_000, (["leaf1/p1 begins to mark rdma at 250,000 bytes; 1 full groups are paused at 200,000"], 0, [])),
        ((replace(CALM, match={"role": ["core"], "speed": FAST}),), None, 150_000, ([MANY.format(8, "83,333")], 0, [])),
    ],
)
def test_the_first_entry_that_fits_the_port_says_how_many_groups_are_full(
    rows: tuple[Ecn, ...], speed: int | None, kmin: int, expected: object
) -> None:
    assert told(after_pause(rows, speed, kmin)) == expected


def test_the_line_of_the_plan_is_cited() -> None:
    (finding,) = after_pause((BUSY,), 400_000_000_000).findings
    assert [(cite.path, cite.fact.value) for cite in finding.cites if cite.device is None and cite.raw.startswith("ecn")] == [
        ("ecn.congested_ports", 64)
    ]
