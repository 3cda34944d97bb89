"""`check`: exit statuses and bad input, each with its one line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from roce_lint.cli.main import main
from roce_lint.report.json_model import Report

NOTHING = "nothing recognised: no switch configuration, command output or host setting of a known platform\n"


def said(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = main(argv)
    out, err = capsys.readouterr()
    return status, out, err


def test_an_empty_folder_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert said(capsys, "check", str(tmp_path)) == (3, "nothing to read: no file there\n", "")


def test_unrelated_files_are_listed_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("buy milk\n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\x00\x01\x02" * 9)
    assert said(capsys, "check", str(tmp_path)) == (
        3,
        f"not read: picture.png: no text\nnot read: notes.txt: not recognised\n{NOTHING}",
        "",
    )


def test_a_path_that_is_not_there_is_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "leaf1"
    assert said(capsys, "check", str(path)) == (3, f"not read: {path}: no such file or folder\n{NOTHING}", "")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("profil: sonic-azure\n", 1, "unknown key 'profil'; did you mean 'profile'?"),
        ("classes:\n  rdma: {dscp: [64]}\n", 2, "classes.rdma.dscp.0: a whole number from 0 to 63 expected, not 64"),
        ("classes: [\n", 2, ""),
        ("- a\n", 1, "a mapping of intent keys expected, such as 'classes:'"),
    ],
)
def test_a_broken_intent_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, line: int, message: str) -> None:
    path = tmp_path / "roce-lint.yaml"
    path.write_text(text)
    status, out, err = said(capsys, "check", str(tmp_path))
    assert (status, out) == (2, "")
    assert err.startswith(f"roce-lint: {path}:{line}: {message}")
    assert err.count("\n") == 1


def test_a_profile_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = said(capsys, "check", "--profile", "sonic-azur", str(tmp_path))
    assert (status, out, err) == (2, "", "roce-lint: no profile 'sonic-azur'; did you mean 'sonic-azure'?\n")


def test_a_rule_to_select_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = said(capsys, "check", "--select", "pcf", str(tmp_path))
    assert (status, out, err) == (2, "", "roce-lint: --select: no rule or family 'pcf'; did you mean 'pfc'?\n")


def test_a_time_that_is_none_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = said(capsys, "check", "--now", "noon", str(tmp_path))
    assert (status, out, err) == (2, "", "roce-lint: --now: a time such as 2026-01-31T12:00:00Z expected, not 'noon'\n")


def test_json_is_written_where_it_is_wanted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    (tmp_path / "in").mkdir()
    assert said(capsys, "check", str(tmp_path / "in"), "--format", "json", "--output", str(path)) == (3, "", "")
    report = json.loads(path.read_text())
    jsonschema.validate(report, Report.model_json_schema(by_alias=True))
    assert report["incomplete"] is True


def test_a_report_that_cannot_be_written_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "no" / "report.txt"
    status, out, err = said(capsys, "check", str(tmp_path), "--output", str(path))
    assert (status, out, err) == (2, "", f"roce-lint: {path}: cannot be written: No such file or directory\n")


def test_off_a_terminal_neither_rich_nor_netmiko_nor_an_unneeded_format_is_imported(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom roce_lint.cli.main import main\nmain(['check', sys.argv[1]])\n"
        "print(sorted({'rich', 'netmiko', 'textfsm', 'jinja2', 'ruamel', 'roce_lint.report.json'} & sys.modules.keys()))"
    )
    run = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True)
    assert run.stdout.split("\n")[-2] == "[]"


def test_a_reader_that_closes_the_pipe_sees_no_traceback(tmp_path: Path) -> None:
    command = f"{sys.executable} -m roce_lint rules | true"
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert run.stderr == ""
