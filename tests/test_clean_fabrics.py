"""The clean fabrics: one logical fabric on every platform and for two plans. Nothing is wrong, and one change is found where it is.

`.expected/changes.yaml` lists the changes of a fabric's switches: `name`, `file`, `edits` (pairs of a text and what takes its first
place), `rule` and `at` (the device, or its port) that must say so, `elsewhere` where the fact at fault stands on no changed line. Those
of the hosts, which are the same everywhere, are the table below.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from roce_lint.judge import judged
from roce_lint.report.result import everything
from roce_lint.text.userfile import read

FOLDER = Path(__file__).parent.parent / "fixtures" / "fabrics"
FABRICS = sorted(path.parent.parent for path in FOLDER.glob("clean-*/.expected/changes.yaml"))
HOST = "h1/ens1f0np0"
KEYS = {"name", "file", "edits", "rule", "at", "elsewhere"}


@dataclass(frozen=True, slots=True)
class Change:
    """What is changed in which file of a fabric, and the rule and place that must say so."""

    fabric: Path
    name: str
    file: str
    edits: tuple[tuple[str, str], ...]
    rule: str
    at: str
    elsewhere: bool = False

    def __str__(self) -> str:
        return f"{self.fabric.name}: {self.name}"


def row(values: dict[int, str]) -> str:
    """Eight columns of `mlnx_qos`."""
    return "   ".join(values.get(index, "0") for index in range(8))


def truths(on: set[int]) -> str:
    """Eight truths of `dcb -j`."""
    return ", ".join("true" if index in on else "false" for index in range(8))


def of_hosts(dscp: int, index: int) -> Iterator[tuple[str, tuple[tuple[str, str], ...], str, str]]:
    """The changes of a host by a plan's DSCP and PFC index: name, edits, rule, place."""
    enabled, dcb, job = f"enabled     {row({index: '1'})}", f"[{truths({index})}]", f"NCCL_IB_TC={dscp << 2 | 2}"
    first = (dscp & 56) + 7
    mapped = f"prio:{index} dscp:{','.join(f'{each:02}' for each in range(first, first - 8, -1))},"
    file = "h1//etc/nccl.conf"
    for name, on, rule in (
        ("PFC off", {}, "pfc-off"),
        ("PFC on for another index", {5: "1"}, "qos-class-leaves-lossless"),
        ("PFC on for one index more", {index: "1", 5: "1"}, "pfc-extra-priority"),
        ("PFC on for best effort", {0: "1", index: "1"}, "pfc-on-best-effort"),
        ("PFC on for all eight", dict.fromkeys(range(8), "1"), "pfc-too-many-priorities"),
    ):
        yield name, ((enabled, f"enabled     {row(on)}"), (dcb, f"[{truths(set(on))}]")), rule, HOST
    yield "PCP trusted", (("trust state: dscp", "trust state: pcp"),), "qos-trust-wrong", HOST
    elsewhere = (mapped, mapped.replace(f"{dscp},", "")), ("prio:5 dscp:", f"prio:5 dscp:{dscp},")
    yield "the mark elsewhere", elsewhere, "qos-class-leaves-lossless", HOST
    yield "one small buffer", ((f"buffer      {row({index: '1'})}", f"buffer      {row({})}"),), "buffer-nic-small", HOST
    yield "a receive buffer of a kilobyte", (("20016,356096", "20016,1024"),), "buffer-nic-small", HOST
    yield "notifications with the data's mark", (("cnp_dscp:48", f"cnp_dscp:{dscp}"),), "cnp-dscp-mismatch", HOST
    yield "notifications with an unknown mark", (("cnp_dscp:48", "cnp_dscp:4"),), "cnp-dscp-mismatch", HOST
    yield "reaction point off", ((f"roce_rp/enable/{index}:1", f"roce_rp/enable/{index}:0"),), "ecn-nic-rp-off", HOST
    yield "notification point off", ((f"roce_np/enable/{index}:1", f"roce_np/enable/{index}:0"),), "ecn-nic-np-off", HOST
    yield "802.3x obeyed", (("RX:\t\toff", "RX:\t\ton"),), "pfc-global-pause", HOST
    yield "802.3x sent", (("TX:\t\toff", "TX:\t\ton"),), "pfc-global-pause", HOST
    yield "a job without a class", ((job, "NCCL_IB_TC=0"),), "app-class-mismatch", file
    yield "a job that leaves the class unset", ((f"{job}\n", ""),), "app-class-mismatch", file
    yield "a DSCP for a byte", ((job, f"NCCL_IB_TC={dscp}"),), "app-tos-confusion", file
    yield "every packet marked as congested", ((job, f"NCCL_IB_TC={dscp << 2 | 3}"),), "app-tos-confusion", file
    yield "a link-local GID", (("GID_INDEX=3", "GID_INDEX=1"),), "app-gid-index", file
    yield "a v1 GID", (("GID_INDEX=3", "GID_INDEX=2"),), "app-gid-index", file


def listed(fabric: Path) -> Iterator[Change]:
    """Every change of a fabric."""
    plan = (34, 4) if fabric.name.endswith("-34") else (26, 3)
    for name, edits, rule, at in of_hosts(*plan):
        yield Change(fabric, f"{name} at a host", "h1.bundle", edits, rule, at, elsewhere=True)
    for each in read(fabric / ".expected" / "changes.yaml").data["changes"]:
        assert set(each) <= KEYS, f"{fabric.name}: {set(each) - KEYS} is no key of a change"
        edits = tuple((str(old), str(new)) for old, new in each["edits"])
        yield Change(
            fabric, each["name"], each["file"], edits, each["rule"], each["at"], each.get("elsewhere", "no") in (True, "yes", "true")
        )


CHANGES = [change for fabric in FABRICS for change in listed(fabric)]


@pytest.mark.parametrize("fabric", FABRICS, ids=lambda path: path.name)
def test_a_clean_fabric_has_no_finding(fabric: Path) -> None:
    result = judged([str(fabric)])
    assert [(each.rule, each.message) for each in everything(result.findings)] == []
    assert sorted(each.name for each in result.devices) == ["h1", "h2", "leaf1", "leaf2", "spine1"]
    assert len(result.links) == 4


@pytest.mark.parametrize("fabric", FABRICS, ids=lambda path: path.name)
def test_a_clean_fabric_has_forty_changes(fabric: Path) -> None:
    names = [change.name for change in CHANGES if change.fabric == fabric]
    assert len(names) == len(set(names)) >= 40


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_a_change_is_found_where_it_is(change: Change, tmp_path: Path) -> None:
    folder = tmp_path / "fabric"
    shutil.copytree(change.fabric, folder, ignore=shutil.ignore_patterns(".expected"))
    before = after = (folder / change.file).read_text()
    for old, new in change.edits:
        assert old in after, old
        after = after.replace(old, new, 1)
    assert after != before
    (folder / change.file).write_text(after)
    found = [*everything(judged([str(folder)]).findings)]
    own = [
        finding
        for finding in found
        if finding.rule == change.rule
        for each in finding.subjects
        if change.at in (each.device, f"{each.device}/{each.job if each.port is None else each.port}")
    ]
    assert own, [(each.rule, *map(str, each.subjects)) for each in found]
    if not change.elsewhere:
        matched = SequenceMatcher(None, before.split("\n"), after.split("\n"), autojunk=False).get_opcodes()
        lines = {f"{change.file}:{line}" for tag, _, _, first, last in matched if tag != "equal" for line in range(first, last + 2)}
        places = [{line.place for line in finding.cites[0].fact.lines} for finding in own]
        assert any(lines & each for each in places), (sorted(lines), places)
