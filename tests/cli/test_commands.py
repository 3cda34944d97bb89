"""Commands that need no input of devices."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_lint import VERSION
from roce_lint.cli.main import COMMANDS, main


def said(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    """The exit status, standard output and standard error of a command line."""
    status = main(argv)
    out, err = capsys.readouterr()
    return status, out, err


def test_without_a_command_it_says_how_to_begin(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = said(capsys)
    assert (status, err) == (0, "")
    assert all(f"  {name} " in out for name in COMMANDS)
    assert "roce-lint demo" in out


def test_it_tells_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "--version") == (0, f"roce-lint {VERSION}\n", "")


def test_a_misspelt_command_is_one_line_with_the_command_that_is_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "chek", ".") == (2, "", "roce-lint: no command 'chek'; did you mean 'check'?\n")


def test_a_path_in_place_of_a_command_is_one_line_with_what_to_write(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert said(capsys, str(tmp_path)) == (
        2,
        "",
        f"roce-lint: a command expected before '{tmp_path}': roce-lint check {tmp_path}\n",
    )


def test_a_wrong_option_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "rules", "--colour") == (
        2,
        "",
        "roce-lint: unrecognized arguments: --colour (roce-lint rules --help tells more)\n",
    )


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("106", "byte  106 = 0x6a = 01101010\nDSCP  26 = AF31\nECN   2 = ECT(0)\n"),
        ("0xb8", "byte  184 = 0xb8 = 10111000\nDSCP  46 = EF\nECN   0 = Not-ECT, no ECN\n"),
        (
            "26",
            "byte  26 = 0x1a = 00011010\nDSCP  6\nECN   2 = ECT(0)\n"
            "note  26 as a byte is DSCP 6; for DSCP 26 the byte is 104 (0x68), 106 with ECT(0)\n",
        ),
        ("195", "byte  195 = 0xc3 = 11000011\nDSCP  48 = CS6\nECN   3 = CE, congestion experienced\n"),
    ],
)
def test_a_byte_is_taken_apart(capsys: pytest.CaptureFixture[str], given: str, wanted: str) -> None:
    assert said(capsys, "decode", given) == (0, wanted, "")


@pytest.mark.parametrize("given", ["256", "-1", "0x", "0x1ff", "af31", "", "١٠٤", "0x٦", "1_0", "+5", " 5", "9" * 5000])
def test_what_is_no_byte_is_refused(capsys: pytest.CaptureFixture[str], given: str) -> None:
    status, out, err = said(capsys, "decode", "--", given)
    assert (status, out) == (2, "")
    assert err == f"roce-lint: a byte from 0 to 255 expected, as 106 or 0x6a, not {given!r}\n"


@pytest.mark.parametrize(
    ("option", "given", "said_of_it"),
    [
        ("--speed", "٤٠٠G", "a speed from 1M to 10000G expected, such as 400G"),
        ("--speed", "0G", "a speed from 1M to 10000G expected, such as 400G"),
        ("--speed", "400", "a speed from 1M to 10000G expected, such as 400G"),
        ("--cable", "nan", "metres from 0 to 100000 expected"),
        ("--cable", "-1", "metres from 0 to 100000 expected"),
        ("--cable", "١٠", "metres from 0 to 100000 expected"),
        ("--cable", "1e9", "metres from 0 to 100000 expected"),
        ("--mtu", "٩٠٠٠", "bytes from 64 to 65535 expected"),
        ("--mtu", "100000000000000000000", "bytes from 64 to 65535 expected"),
        ("--mtu", "63", "bytes from 64 to 65535 expected"),
    ],
)
def test_what_is_no_speed_cable_or_frame_is_refused(capsys: pytest.CaptureFixture[str], option: str, given: str, said_of_it: str) -> None:
    options = {"--speed": "400G", "--cable": "5", option: given}
    argv = [f"{name}={value}" for name, value in options.items()]
    assert said(capsys, "headroom", *argv) == (2, "", f"roce-lint: {option}: {said_of_it}, not {given!r}\n")


@pytest.mark.parametrize("given", ["nan", "inf", "-5", "101", "٩٠", ""])
def test_what_is_no_percentage_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path, given: str) -> None:
    expected = f"roce-lint: --require-coverage: a percentage from 0 to 100 expected, not {given!r}\n"
    assert said(capsys, "check", str(tmp_path), f"--require-coverage={given}") == (2, "", expected)


def test_a_rule_is_explained_from_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = said(capsys, "explain", "pfc-off")
    assert (status, err) == (0, "")
    assert out.startswith("pfc-off: ")
    for part in ("No fault: ", "  expect ", "  message ", "references\n", "examples, "):
        assert part in out


def test_a_misspelt_rule_is_one_line_with_the_rule_that_is_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "explain", "pfc-of") == (2, "", "roce-lint: no rule 'pfc-of'; did you mean 'pfc-off'?\n")


def test_rules_are_listed_as_text_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, text, _ = said(capsys, "rules", "pfc")
    _, listed, _ = said(capsys, "rules", "pfc", "--format", "json")
    rows = json.loads(listed)
    assert [line.split()[0] for line in text.splitlines()] == [row["id"] for row in rows]
    assert list(rows[0]) == ["id", "title", "severities", "scope", "caused_by", "references"]


def test_every_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    _, names, _ = said(capsys, "schema")
    for name in names.splitlines():
        _, text, _ = said(capsys, "schema", name)
        assert json.loads(text)["type"] == "object"


def test_a_wrong_schema_name_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "schema", "reprt") == (2, "", "roce-lint: no schema 'reprt'; did you mean 'report'?\n")


def test_the_examples_of_the_built_in_rules_hold(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "test-rules")
    assert (status, out.rstrip().endswith(" 0 wrong")) == (0, True), out


RULE = """\
id: site-mtu
title: The MTU is enough
severity: error
scope: port
expect: port.mtu >= 9000
message: "{port} has an MTU of {port.mtu}"
why: small frames cost
references: []
examples:
  - {name: the clean subject, given: {}, then: pass}
  - {name: too small, given: {port.mtu: 1500}, then: fail}
  - {name: nobody says, given: {port.mtu: null}, then: unknown}
"""


def test_a_pack_whose_examples_hold_passes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "site-mtu.yaml").write_text(RULE)
    assert said(capsys, "test-rules", str(tmp_path)) == (0, "1 rule, 3 examples, 0 wrong\n", "")


def test_an_example_with_another_outcome_is_named_with_its_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "site-mtu.yaml"
    path.write_text(RULE.replace("1500}, then: fail", "9500}, then: fail"))
    assert said(capsys, "test-rules", str(tmp_path)) == (
        1,
        f"{path}:11: site-mtu: too small: fail expected, it passes\n1 rule, 3 examples, 1 wrong\n",
        "",
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("title:", "titel:", 2, "unknown key 'titel'; did you mean 'title'?"),
        ("severity: error", "severity: eror", 3, "severity: 'critical', 'error', 'warning' or 'info' expected, not 'eror'"),
        ("port.mtu >= 9000\n", "port.mut >= 9000\n", 5, "expect: 'port.mut': unknown field 'mut'; did you mean 'mtu'?"),
        ("scope: port", "scope: prot", 4, ""),
        ("id: site-mtu", "id: site-mtu\nid: again", 2, "key 'id' stands here twice"),
    ],
)
def test_a_wrong_rule_file_is_named_with_line_and_suggestion(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    path = tmp_path / "site-mtu.yaml"
    path.write_text(RULE.replace(old, new, 1))
    status, out, _ = said(capsys, "test-rules", str(tmp_path))
    assert status == 2
    assert f"{path}:{line}: {message}" in out
