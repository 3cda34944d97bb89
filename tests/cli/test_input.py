"""Commands on a small input from raw text to the whole output. The answers are hand-written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from roce_lint.cli.main import main
from roce_lint.report.json_model import Report

HOST = """\
root@gpu1:~# mlnx_qos -i ens1f0np0
DCBX mode: OS controlled
Priority trust state: dscp
dscp2prio mapping:
\tprio:0 dscp:07,06,05,04,03,02,01,00,
\tprio:1 dscp:15,14,13,12,11,10,09,08,
\tprio:2 dscp:23,22,21,20,19,18,17,16,
\tprio:3 dscp:31,30,29,28,27,26,25,24,
\tprio:4 dscp:39,38,37,36,35,34,33,32,
\tprio:5 dscp:47,46,45,44,43,42,41,40,
\tprio:6 dscp:55,54,53,52,51,50,49,48,
\tprio:7 dscp:63,62,61,60,59,58,57,56,
Receive buffer size (bytes): 130944,130944,0,0,0,0,0,0,max_buffer_size=1027728
Cable len: 7
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   0   1   0   0   0
\tbuffer      0   0   0   0   1   0   0   0
tc: 0 ratelimit: unlimited, tsa: vendor
\t priority:  0
root@gpu1:~# ethtool -a ens1f0np0
Pause parameters for ens1f0np0:
Autonegotiate:\toff
RX:\t\ton
TX:\t\ton

"""
INTENT = "limits: {global_pause: false}\nclasses:\n  rdma: {role: rdma_data, dscp: [26], pfc_priority: 3, loss: lossless}\n"
RULE = """\
id: site-cable
title: A cable is at most 5 m long
severity: warning
scope: port
expect: port.cable_length_m <= 5
message: "{port} has a cable of {port.cable_length_m} m"
why: long cables need more headroom
references: []
"""
PAUSE = """\
error[pfc-global-pause] gpu1/ens1f0np0
  gpu1/ens1f0np0 has 802.3x pause on (receive yes, send yes) beside PFC on {4}
  --> gpu1 $ ethtool -a ens1f0np0:24 (gpu1.txt)   port.global_pause.rx = yes
      | RX:  on
  --> gpu1 $ mlnx_qos -i ens1f0np0:17 (gpu1.txt)   port.pfc.priorities = {4}
      | enabled     0   0   0   0   1   0   0   0
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with one host's transcript and an intent."""
    (tmp_path / "gpu1.txt").write_text(HOST)
    (tmp_path / "roce-lint.yaml").write_text(INTENT)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = main(argv)
    out, err = capsys.readouterr()
    return status, out, err


def test_a_finding_exits_1_and_names_its_lines(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    status, out, err = said(capsys, "check", str(place), "--select", "pfc-global-pause")
    assert (status, err) == (1, "")
    assert out.startswith(PAUSE)
    assert out.endswith("plan: rdma lossless, DSCP 26, PFC 3\n1 line of the intent by which no rule judges yet (--notes lists them)\n"
                        "0 critical, 1 error, 0 warnings, 0 info; 0 held, 0 unknown, 100 % judged; "
                        "1 device, 1 port, 0 links\n")  # fmt: skip


def test_what_is_milder_than_asked_for_exits_0(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    assert said(capsys, "check", str(place), "--select", "pfc-global-pause", "--fail-on", "critical")[0] == 0


def test_a_host_without_its_switch_is_unknown_and_never_a_pass(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    (place / "gpu1.txt").write_text(
        HOST.replace("RX:\t\ton\nTX:\t\ton", "RX:\t\toff\nTX:\t\toff").replace("0   0   0   0   1", "0   0   0   1   0")
    )
    status, out, _ = said(capsys, "check", str(place), "--select", "pfc-index-mismatch,pfc-off")
    assert "  gpu1: the other end (" in out
    assert status == 0
    assert said(capsys, "check", str(place), "--select", "pfc-index-mismatch,pfc-off", "--require-coverage", "90")[0] == 3


def test_a_recognised_input_without_roce_exits_0_and_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "host.txt").write_text(
        "root@web1:~# ethtool -a eth0\nPause parameters for eth0:\nAutonegotiate:\toff\nRX:\t\toff\nTX:\t\toff\n"
    )
    assert said(capsys, "check", str(tmp_path)) == (
        0,
        "no RoCE in scope: 1 device read, none has PFC, ECN or a lossless class on a port\n",
        "",
    )


def test_findings_beat_what_could_not_be_checked_and_json_says_incomplete(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    status, out, _ = said(capsys, "check", str(place), str(place / "absent.txt"), "--format", "json")
    report = json.loads(out)
    assert (status, report["incomplete"]) == (1, True)
    jsonschema.validate(report, Report.model_json_schema(by_alias=True))
    assert said(capsys, "check", str(place), str(place / "absent.txt"), "--fail-on", "critical", "--select", "pfc-global-pause")[0] == 3


def test_a_pack_that_the_intent_names_is_run(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    (place / "rules").mkdir()
    (place / "rules/site-cable.yaml").write_text(RULE)
    (place / "roce-lint.yaml").write_text(f"rules: [rules]\n{INTENT}")
    status, out, err = said(capsys, "check", str(place / "gpu1.txt"), "--select", "site")
    assert (status, err) == (0, "")
    assert out.startswith("warning[site-cable] gpu1/ens1f0np0\n  gpu1/ens1f0np0 has a cable of 7 m\n")


def test_a_broken_rule_exits_2_and_the_rest_is_checked(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    (place / "rules").mkdir()
    path = place / "rules/site-cable.yaml"
    path.write_text(RULE.replace("title:", "titel:"))
    (place / "roce-lint.yaml").write_text(f"rules: [rules]\n{INTENT}")
    status, out, err = said(capsys, "check", str(place / "gpu1.txt"), "--select", "pfc-global-pause")
    assert status == 2
    assert f"roce-lint: {path}:2: unknown key 'titel'; did you mean 'title'?\n" in err
    assert out.startswith("error[pfc-global-pause] gpu1/ens1f0np0\n")


def test_two_runs_give_the_same_bytes_whatever_the_hash_seed(place: Path) -> None:
    for kind in ("text", "json"):
        outputs = {
            subprocess.run(
                [sys.executable, "-m", "roce_lint", "check", str(place), "--format", kind, "--notes"],
                capture_output=True,
                check=False,
                env={**os.environ, "PYTHONHASHSEED": seed},
            ).stdout
            for seed in ("0", "1", "77")
        }
        assert len(outputs) == 1
        assert outputs != {b""}


def test_facts_are_shown_with_their_places(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    status, out, err = said(capsys, "show", str(place), "gpu1/ens1f0np0")
    assert (status, err) == (0, "")
    assert out.startswith("gpu1/ens1f0np0\n")
    for line in (
        "  trust = dscp   observed   gpu1 $ mlnx_qos -i ens1f0np0:3 (gpu1.txt)\n",
        "  dscp_to_priority[24-31] = 3   observed   gpu1 $ mlnx_qos -i ens1f0np0:8 (gpu1.txt)\n",
        "  pfc.priorities = {4}   observed   gpu1 $ mlnx_qos -i ens1f0np0:17 (gpu1.txt)\n",
    ):
        assert line in out


def test_a_device_or_port_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    assert said(capsys, "show", str(place), "gpu2") == (2, "", f"roce-lint: {place}: no device 'gpu2'; did you mean 'gpu1'?\n")
    assert said(capsys, "show", str(place), "gpu1/ens1f0np1") == (
        2,
        "",
        "roce-lint: gpu1 has no port 'ens1f0np1'; did you mean 'ens1f0np0'?\n",
    )


def test_an_intent_to_start_from_is_written_once(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    path = place / "roce-lint.yaml"
    path.unlink()
    status, out, err = said(capsys, "init", str(place))
    assert (status, out, err) == (0, f"wrote {path}; edit it, then: roce-lint check {place}\n", "")
    assert said(capsys, "check", str(place))[0] in (0, 1)
    assert said(capsys, "init", str(place))[::2] == (
        2,
        f"roce-lint: {path}: a file is there; --force replaces it, --output FILE writes elsewhere\n",
    )


def test_a_byte_is_named_by_the_class_of_the_plan(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    intent = str(place / "roce-lint.yaml")
    assert said(capsys, "decode", "106", "--intent", intent)[1].endswith("class rdma\n")
    assert said(capsys, "decode", "41", "--intent", intent)[1].endswith(
        "class none: no class of the plan has DSCP 10\nnote  41 as a byte is DSCP 10; for DSCP 41 the byte is 164 (0xa4), 166 with ECT(0)\n"
    )


def test_the_rest_of_the_fabric_is_read_and_not_reported_on(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    (place / "gpu2.txt").write_text(HOST.replace("gpu1", "gpu2"))
    status, out, _ = said(capsys, "check", str(place / "gpu1.txt"), "--context", str(place), "--format", "json")
    report = json.loads(out)
    assert status == 1
    assert {device["name"] for device in report["devices"]} == {"gpu1", "gpu2"}
    assert {subject["device"] for finding in report["findings"] for subject in finding["subjects"]} == {"gpu1"}


def test_a_contradiction_of_the_plan_cites_the_lines_by_their_path_in_the_file(capsys: pytest.CaptureFixture[str], place: Path) -> None:
    (place / "roce-lint.yaml").write_text(
        "limits: {max_lossless: 0}\nclasses: {rdma: {dscp: [26], pfc_priority: 3}}\n"
        "fabrics:\n  a: {match: {device: gpu*}}\n  b:\n    match: {port: ens1f0np0, speed: 400G}\n  c: {match: {port: [ens*, eth*]}}\n"
    )
    status, out, _ = said(capsys, "check", str(place), "--select", "intent-inconsistent")
    assert (status, out[: out.index("plan:")]) == (
        1,
        "error[intent-inconsistent] the plan\n"
        "  1 lossless class, where limits.max_lossless allows 0\n"
        "  --> roce-lint.yaml:1   limits.max_lossless = 0\n"
        "      | limits: {max_lossless: 0}\n"
        "  --> roce-lint.yaml:2   classes.rdma.loss = lossless\n"
        "      | classes: {rdma: {dscp: [26], pfc_priority: 3}}\n"
        "\n"
        "error[intent-inconsistent] the plan\n"
        "  fabrics a and c both take gpu1/ens1f0np0; a port is in one fabric\n"
        "  --> roce-lint.yaml:4   fabrics.a.match = {device: [gpu*]}\n"
        "      | a: {match: {device: gpu*}}\n"
        "  --> roce-lint.yaml:7   fabrics.c.match = {port: [ens*, eth*]}\n"
        "      | c: {match: {port: [ens*, eth*]}}\n"
        "\n",
    )
    report = json.loads(said(capsys, "check", str(place), "--select", "intent-inconsistent", "--format", "json")[1])
    assert [[(cite["path"], cite["line"]) for cite in finding["cites"]] for finding in report["findings"]] == [
        [("limits.max_lossless", 1), ("classes.rdma.loss", 2)],
        [("fabrics.a.match", 4), ("fabrics.c.match", 7)],
    ]
