"""A class hop by hop: the whole text for the shipped faulty fabric, and what cannot be traced."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from test_commands import said

FABRICS = Path(__file__).parent.parent.parent / "fixtures" / "fabrics"
FAULTY = FABRICS / "two-racks"
CLEAN = FABRICS / "two-racks-clean"
BETWEEN = ("--from", "gpu1/ens1f0np0", "--to", "gpu3/ens1f0np0")


def test_the_faulty_fabric_is_traced_both_ways_with_every_line(capsys: pytest.CaptureFixture[str], update: bool) -> None:
    status, out, err = said(capsys, "trace", str(FAULTY), *BETWEEN)
    golden = FAULTY / ".expected" / "trace.txt"
    if update:
        golden.write_text(out)
    assert (status, err, out) == (1, "", golden.read_text())


def test_the_json_names_the_first_broken_hop_of_every_way(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "trace", str(FAULTY), *BETWEEN, "--format", "json")
    told = json.loads(out)
    assert (status, told["verdict"]) == (1, "broken")
    assert [(way["direction"], way["class"], way["verdict"], way["paths"], way["first_broken"]) for way in told["ways"]] == [
        ("there", "rdma", "broken", 4, {"from": "leaf1/Ethernet32", "to": "spine1/Ethernet0"}),
        ("there", "cnp", "holds", 4, None),
        ("back", "rdma", "broken", 4, {"from": "leaf2/swp5", "to": "spine1/Ethernet16"}),
        ("back", "cnp", "holds", 4, None),
    ]
    first = told["ways"][0]["hops"][1]["entering"][0]
    assert (first["name"], first["value"], [(cite["document"], cite["line"]) for cite in first["cites"]]) == (
        "priority",
        1,
        [("spine1/config_db.json", 148), ("spine1/config_db.json", 275)],
    )


def test_one_class_of_the_clean_fabric_holds(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = said(capsys, "trace", str(CLEAN), *BETWEEN, "--class", "rdma")
    assert (status, err) == (0, "")
    assert [line for line in out.splitlines() if line.startswith(("rdma", "cnp", "verdict")) or " hop " in line] == [
        "rdma (DSCP 26): gpu1/ens1f0np0 -> gpu3/ens1f0np0, 4 equal paths: holds",
        "  hop 1: gpu1/ens1f0np0 -> leaf1/Ethernet0: holds",
        "  hop 2: leaf1/Ethernet32 -> spine1/Ethernet0: holds",
        "  hop 3: spine1/Ethernet16 -> leaf2/swp5: holds",
        "  hop 4: leaf2/swp1 -> gpu3/ens1f0np0: holds",
        "rdma (DSCP 26): gpu3/ens1f0np0 -> gpu1/ens1f0np0, 4 equal paths: holds",
        "  hop 1: gpu3/ens1f0np0 -> leaf2/swp1: holds",
        "  hop 2: leaf2/swp5 -> spine1/Ethernet16: holds",
        "  hop 3: spine1/Ethernet0 -> leaf1/Ethernet32: holds",
        "  hop 4: leaf1/Ethernet0 -> gpu1/ens1f0np0: holds",
        "verdict: holds",
    ]


def test_a_waived_break_is_still_a_break_and_says_who_waived_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shutil.copytree(FAULTY, tmp_path / "fabric")
    intent = tmp_path / "fabric" / "roce-lint.yaml"
    intent.write_text(intent.read_text() + "exceptions:\n  - {rule: qos-class-leaves-lossless, reason: lab spine, owner: net}\n")
    status, out, _ = said(capsys, "trace", str(tmp_path / "fabric"), *BETWEEN, "--class", "rdma")
    assert status == 1
    line = intent.read_text().splitlines().index("  - {rule: qos-class-leaves-lossless, reason: lab spine, owner: net}") + 1
    assert out.splitlines().count(f"      waived: lab spine, net (roce-lint.yaml:{line})") == 4


@pytest.mark.parametrize(
    ("ends", "said_of_it"),
    [
        (("--from", "gpu1", "--to", "gpu3/ens1f0np0"), "HOST/PORT expected, not 'gpu1'"),
        (
            ("--from", "gpu1/eth9", "--to", "gpu3/ens1f0np0"),
            "no port gpu1/eth9 in scope; one of gpu1/ens1f0np0, gpu1/ens2f0np0 expected",
        ),
        (
            ("--from", "gpu9/eth9", "--to", "gpu3/ens1f0np0"),
            "no port gpu9/eth9 in scope; one of gpu1, gpu2, gpu3, gpu4, leaf1, leaf2, spine1 expected",
        ),
        ((*BETWEEN, "--class", "storage"), "no class 'storage' in the plan; one of rdma, cnp expected"),
    ],
)
def test_what_cannot_be_traced_is_one_line(capsys: pytest.CaptureFixture[str], ends: tuple[str, ...], said_of_it: str) -> None:
    assert said(capsys, "trace", str(FAULTY), *ends) == (2, "", f"roce-lint: {said_of_it}\n")
