"""`init`: an intent file to start from, which `check` then takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_lint.cli.main import main

QOS = {
    "PORT_QOS_MAP": {f"Ethernet{number * 4}": {"pfc_enable": "2,5"} for number in range(4)},
    "DEVICE_METADATA": {"localhost": {"hostname": "tor1"}},
    "PORT": {f"Ethernet{number * 4}": {"admin_status": "up", "lanes": str(number)} for number in range(4)},
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "config_db.json").write_text(json.dumps(QOS, indent=1))
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = main(argv)
    out, err = capsys.readouterr()
    return status, out, err


def test_what_most_ports_do_is_written_and_checks_as_an_intent(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    path = place / "roce-lint.yaml"
    assert said(capsys, "init", str(place)) == (0, f"wrote {path}; edit it, then: roce-lint check {place}\n", "")
    assert "  pfc2: {role: rdma_data, pfc_priority: 2, loss: pfc_only}\n" in path.read_text()
    status, out, _ = said(capsys, "check", str(place), "--format", "json")
    plan = json.loads(out)["plan"]
    assert status in (0, 1)
    assert (plan["inferred"], [each["name"] for each in plan["classes"]]) == (False, ["pfc2", "pfc5"])


def test_an_intent_that_is_there_is_replaced_and_not_started_from(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    path = place / "roce-lint.yaml"
    path.write_text("profil: broken\n")
    assert said(capsys, "init", str(place), "--force")[0] == 0
    assert "  pfc5: {role: rdma_data, pfc_priority: 5, loss: pfc_only}\n" in path.read_text()


def test_a_profile_is_named_and_not_written_out(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    status, out, err = said(capsys, "init", str(place), "--profile", "sonic-azure", "--output", "-")
    assert (status, err) == (0, "")
    assert [row for row in out.split("\n") if row and not row.startswith("#")] == ["schema: roce-lint/intent/v1", "profile: sonic-azure"]


def test_where_nothing_is_recognised_nothing_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("buy milk\n")
    assert said(capsys, "init", str(tmp_path)) == (3, "", f"roce-lint: {tmp_path}: nothing recognised, so there is nothing to write down\n")
    assert not (tmp_path / "roce-lint.yaml").exists()
