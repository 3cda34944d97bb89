"""The cases: small inputs made after real ones, each with its exact verdict in expect.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from expected import fault
from verdicts import faults

from roce_lint.cli.main import main
from roce_lint.collect.files import documents
from roce_lint.collect.read import grouped
from roce_lint.fabric.assemble import collected
from roce_lint.judge import Options, joined, judged
from roce_lint.text.userfile import read

FOLDER = Path(__file__).parent.parent / "fixtures" / "cases"
CASES = sorted(path for path in FOLDER.iterdir() if path.is_dir())


def expected(case: Path) -> dict[str, Any]:
    data: dict[str, Any] = read(case / "expect.yaml").data
    return data


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_a_case_gives_its_verdict(case: Path) -> None:
    assert list(faults(judged([str(case)]), expected(case))) == []


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_a_case_gives_its_exit_status(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(case)]) == expected(case)["exit"]


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_a_case_states_its_facts_and_notes(case: Path) -> None:
    data = expected(case)
    fabric = collected([case], strict=True)
    wrong = [fault(fabric, each, "") for each in data["facts"] if each["of"] != "plan"]
    assert [each for each in wrong if each] == []
    assert [note.line.place for note in fabric.notes] == [each["at"] for each in data["notes"]]
    assert all(each["text"] in note.line.text for note, each in zip(fabric.notes, data["notes"], strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_a_case_is_read_by_the_platforms_that_it_names(case: Path) -> None:
    found, _ = documents([case])
    groups, unread = grouped(found)
    readers: dict[str, set[str]] = {}
    for group in groups:
        for taken in group.taken:
            readers.setdefault(taken.document.path, set()).add(taken.platform.name)
    left = {each.path for each in unread}
    for name, platform in expected(case)["platform"].items():
        assert (name in left) if platform == "none" else platform in readers.get(name, ()), (name, platform, readers.get(name))


@pytest.mark.parametrize("case", [case for case in CASES if "in_scope" in expected(case)], ids=lambda path: path.name)
def test_a_case_has_its_ports_in_scope(case: Path) -> None:
    assert [name.port for name in joined([str(case)], Options()).reach.views] == expected(case)["in_scope"]


def test_a_plan_is_inferred_from_indices_alone() -> None:
    plan = joined([str(FOLDER / "45-sonic-inventec-grouped-keys")], Options()).plan
    wants = plan.fabrics[0].classes
    assert plan.inferred
    assert [(want.pfc_priority.value, want.dscp, want.pfc_priority.lines[0].place) for want in wants if want.pfc_priority] == [
        (2, None, "qos.json:13"),
        (5, None, "qos.json:13"),
    ]
