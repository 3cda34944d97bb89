"""Exceptions and selectors of an intent from the file to the exit status and the report. The answers are hand-written."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from roce_lint.cli.main import main
from roce_lint.report.json_model import Report

HOST = """\
root@gpu1:~# mlnx_qos -i ens1f0np0
Priority trust state: dscp
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   1   0   0   0   0
root@gpu1:~# ethtool -a ens1f0np0
Pause parameters for ens1f0np0:
Autonegotiate:\toff
RX:\t\ton
TX:\t\ton

"""
INTENT = "classes:\n  rdma: {role: rdma_data, dscp: [26], pfc_priority: 3, loss: lossless}\n"
PAUSE = "  - {rule: pfc-global-pause, where: gpu1/ens1f0np0, reason: burn-in, owner: net-ops, expires: 2027-01-31}\n"
END = "; 0 held, 0 unknown, 100 % judged; 1 device, 1 port, 0 links\n"
PLAN = "plan: rdma lossless, DSCP 26, PFC 3\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "gpu1.txt").write_text(HOST)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], place: Path, intent: str, *argv: str) -> tuple[int, str, str]:
    (place / "roce-lint.yaml").write_text(INTENT + intent)
    status = main(["check", str(place), "--select", "pfc-global-pause", "--now", "2026-12-01", *argv])
    out, err = capsys.readouterr()
    return status, out, err


def test_a_waived_finding_is_one_line_and_exits_0(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    assert said(capsys, place, f"exceptions:\n{PAUSE}") == (
        0,
        "waived: error[pfc-global-pause] gpu1/ens1f0np0: burn-in, net-ops, until 2027-01-31 (roce-lint.yaml:4)\n"
        f"{PLAN}0 critical, 0 errors, 0 warnings, 0 info, 1 waived{END}",
        "",
    )


def test_json_has_the_status_the_waiver_and_the_sum(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    status, out, _ = said(capsys, place, f"exceptions:\n{PAUSE}", "--format", "json")
    report = json.loads(out)
    jsonschema.validate(report, Report.model_json_schema(by_alias=True))
    (finding,) = report["findings"]
    assert status == 0
    assert (finding["status"], finding["waiver"]) == ("waived", "burn-in, net-ops, until 2027-01-31 (roce-lint.yaml:4)")
    assert {key: report["summary"][key] for key in ("critical", "error", "warning", "info", "waived", "accepted", "notes")} == {
        "critical": 0,
        "error": 0,
        "warning": 0,
        "info": 0,
        "waived": 1,
        "accepted": 0,
        "notes": 0,
    }


def test_an_expired_exception_waives_nothing_and_is_said(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    status, out, err = said(capsys, place, f"exceptions:\n{PAUSE}", "--now", "2027-02-01T00:00:00Z")
    assert (status, err) == (1, "")
    assert out.startswith("error[pfc-global-pause] gpu1/ens1f0np0\n")
    assert out.endswith(
        f"{PLAN}note: roce-lint.yaml:4: the exception for pfc-global-pause at gpu1/ens1f0np0 expired on 2027-01-31 and waives nothing\n"
        f"0 critical, 1 error, 0 warnings, 0 info{END}"
    )


def test_a_misspelt_rule_exits_2_with_its_line(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    status, out, err = said(capsys, place, "exceptions:\n  - {rule: pfc-gobal-pause}\n")
    assert (status, err) == (
        2,
        f"roce-lint: {place / 'roce-lint.yaml'}:4: exceptions: no rule 'pfc-gobal-pause'; did you mean 'pfc-global-pause'?\n",
    )
    assert out.startswith("error[pfc-global-pause] gpu1/ens1f0np0\n")


def test_selectors_that_take_nothing_are_said_in_text_and_json(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    intent = (
        "fabrics:\n  a:\n    match: {device: gpux*, speed: [400G, 25500M]}\n  b: {match: {device: gpu1}}\n"
        "roles: {leaf: {match: [leef*]}, border: {lossless: false}, gpu: {match: gpu?}}\n"
        "ecn:\n  - {match: {role: [spine, leaf]}, congested_ports: 4}\n"
        "exceptions:\n  - {rule: pfc-global-pause, where: gpu1/ens2}\n"
    )
    notes = [
        (5, "fabrics.a.match takes nothing of the input: device gpux*; speed 400G, 25500M"),
        (9, "ecn.0.match takes nothing of the input: role spine, leaf"),
        (7, "roles.leaf.match takes nothing of the input: device leef*, where no earlier role does"),
        (7, "roles.border takes nothing of the input: role border, where no earlier role does"),
        (11, "the exception for pfc-global-pause at gpu1/ens2 meets no finding"),
    ]
    status, out, err = said(capsys, place, intent)
    assert (status, err) == (1, "")
    assert [line for line in out.split("\n") if line.startswith("note: ")] == [
        f"note: roce-lint.yaml:{line}: {text}" for line, text in notes
    ]
    report = json.loads(said(capsys, place, intent, "--format", "json")[1])
    names = {document["id"]: document["path"] for document in report["documents"]}
    assert [(names[note["document"]], note["line"], note["text"].split(": ")[0]) for note in report["notes"][:5]] == [
        ("roce-lint.yaml", line, text.split(": ")[0]) for line, text in notes
    ]
    assert (report["summary"]["notes"], len(report["notes"])) == (6, 6)


def test_a_selector_that_leaves_everything_out_is_said_where_nothing_is_judged(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    (place / "gpu1.txt").write_text(
        "root@gpu1:~# ethtool -a eth0\nPause parameters for eth0:\nAutonegotiate:\toff\nRX:\t\toff\nTX:\t\toff\n"
    )
    status, out, _ = said(capsys, place, "fabrics: {a: {match: {device: gpux1}}}\n")
    assert (status, out) == (
        0,
        "note: roce-lint.yaml:3: fabrics.a.match takes nothing of the input: device gpux1\n"
        "no RoCE in scope: 1 device read, none has PFC, ECN or a lossless class on a port\n",
    )


def test_keys_by_which_no_rule_judges_are_counted_and_listed_with_their_lines(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    intent = (
        "limits: {max_lossless: 2, pfc_mode: forced}\nwatchdog:\n  required: yes\n  poll_ms: 100\n"
        "fabrics: {all: {match: {device: '*'}, families: [ipv4], mtu: {rdma: 4096, host: 9000}}}\n"
        "apps: {nccl: {NCCL_IB_TC: 106, NCCL_IB_FIFO_TC: null}}\nversions: {CX7: {fw: '>=28'}}\n"
    )
    status, out, _ = said(capsys, place, intent)
    assert (status, out.split("\n")[-3]) == (1, "5 lines of the intent by which no rule judges yet (--notes lists them)")
    listed = [line for line in said(capsys, place, intent, "--notes")[1].split("\n") if line.startswith("note: ")]
    assert listed == [
        "note: roce-lint.yaml:3: no rule judges by limits.pfc_mode yet",
        "note: roce-lint.yaml:6: no rule judges by watchdog.poll_ms yet",
        "note: roce-lint.yaml:7: no rule judges by fabrics.all.families, fabrics.all.mtu.host yet",
        "note: roce-lint.yaml:8: no rule judges by apps.nccl.NCCL_IB_TC yet",
        "note: roce-lint.yaml:9: no rule judges by versions.CX7.fw yet",
    ]


def test_a_key_that_a_rule_of_the_site_reads_is_judged_by(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    (place / "rules").mkdir()
    (place / "rules/site-poll.yaml").write_text(
        "id: site-poll\ntitle: The watchdog polls as planned\nseverity: info\nscope: switch_port\n"
        'expect: port.watchdog.poll_ms == plan.watchdog.poll_ms\nmessage: "{port}"\nwhy: "-"\nreferences: []\n'
    )
    status, out, err = said(capsys, place, "rules: [rules]\nwatchdog: {poll_ms: 100}\n", "--notes")
    assert (status, err, "poll_ms" in out) == (1, "", False)
