"""Intent files and cabling files as people break them: exit status 2 and one clear line for each fault, with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_lint.cli.main import main

HOST = "root@gpu1:~# ethtool -a eth0\nPause parameters for eth0:\nAutonegotiate:\toff\nRX:\t\toff\nTX:\t\toff\n"
HEADER = "device_a,port_a,device_b,port_b,length_m"
CSV = "links: {file: c.csv}\n"


def said(
    capsys: pytest.CaptureFixture[str], place: Path, intent: bytes | str, cables: bytes | str | None = None
) -> tuple[int, str, list[str]]:
    (place / "gpu1.txt").write_text(HOST)
    (place / "roce-lint.yaml").write_bytes(intent.encode() if isinstance(intent, str) else intent)
    if cables is not None:
        (place / "c.csv").write_bytes(cables.encode() if isinstance(cables, str) else cables)
    status = main(["check", str(place)])
    out, err = capsys.readouterr()
    return status, out, [line.removeprefix(f"roce-lint: {place}/") for line in err.split("\n")[:-1]]


@pytest.mark.parametrize(
    ("intent", "lines"),
    [
        ("", ["roce-lint.yaml:1: a mapping of intent keys expected, such as 'classes:'"]),
        ("# nothing\n", ["roce-lint.yaml:1: a mapping of intent keys expected, such as 'classes:'"]),
        ("hello\n", ["roce-lint.yaml:1: a mapping of intent keys expected, such as 'classes:'"]),
        ("classes: {}\n---\nclasses: {}\n", ["roce-lint.yaml:2: not YAML: expected a single document in the stream but found another document"]),
        ("classes:\n\ta: 1\n", ["roce-lint.yaml:2: not YAML: while scanning for the next token found character '\\t' that cannot start any token"]),
        ("classes:\n  a: {dscp: 1}\n  a: {dscp: 2}\n", ["roce-lint.yaml:3: key 'a' stands here twice"]),
        ("mtu: {host: 9000}\nmtu: {host: 1500}\n", ["roce-lint.yaml:2: key 'mtu' stands here twice"]),
        ("classes: &a\n  x: *a\n", ["roce-lint.yaml:1: a value cannot hold itself"]),
        ("profile: nope\n", ["roce-lint.yaml:1: no profile 'nope'; one of nvidia-cumulus-lossless, sonic-azure expected"]),
        ("title: x\nprofile: 5\n", ["roce-lint.yaml:2: profile: a text expected, not 5"]),
        ("rules: [nowhere]\n", ["roce-lint.yaml:1: rules: 'nowhere': no such file or folder"]),
        (b"title: x\nname: caf\xe9\n", ["roce-lint.yaml:2: text in UTF-8 expected"]),
        (b"\xff\xfec\x00l\x00", ["roce-lint.yaml:1: text in UTF-8 expected"]),
        ("title: 'a\x00b'\n", ["roce-lint.yaml:1: text expected, found the character U+0000"]),
        ("5: 6\n", ["roce-lint.yaml:1: file: a text as key expected, not 5"]),
        ("classes: {1: {dscp: 3}}\n", ["roce-lint.yaml:1: classes: a text as key expected, not 1"]),
        ("classes:\n  '': {dscp: 3}\n", ["roce-lint.yaml:2: classes: a name as key expected, not ''"]),
        ("classes:\n  a: {dscp: []}\n", ["roce-lint.yaml:2: classes.a.dscp: one at least expected, not an empty list"]),
        ("fabrics: {a: }\n", ["roce-lint.yaml:1: fabrics.a: a mapping expected, not nothing"]),
        ("fabrics: {a: {match: {device: ''}}}\n", ["roce-lint.yaml:1: fabrics.a.match.device: a name expected, not ''"]),
        ("fabrics: {a: {match: {device: []}}}\n", ["roce-lint.yaml:1: fabrics.a.match.device: one at least expected, not an empty list"]),
        (
            "fabrics:\n  a:\n    match:\n      device: [null, 3]\n",
            ["roce-lint.yaml:4: fabrics.a.match.device.0: a text expected, not nothing",
             "roce-lint.yaml:4: fabrics.a.match.device.1: a text expected, not 3"],
        ),
        ("fabrics: {a: {match: {speed: 400gbps}}}\n", ["roce-lint.yaml:1: fabrics.a.match.speed: a speed such as 400G expected, not '400gbps'"]),
        ("exceptions: {rule: x}\n", ["roce-lint.yaml:1: exceptions: a list expected, not a mapping"]),
        ("exceptions:\n  - {where: a}\n", ["roce-lint.yaml:2: key 'rule' expected in exceptions.0"]),
        ("exceptions:\n  - {rule: pfc-off, expires: 2027-02-30}\n",
         ["roce-lint.yaml:2: exceptions.0.expires: a date such as 2027-01-31 expected, not '2027-02-30'"]),
        ("exceptions:\n  - {rule: pfc-off, expires: 5}\n", ["roce-lint.yaml:2: exceptions.0.expires: a date such as 2027-01-31 expected, not 5"]),
        ("exceptions:\n  - {rule: pfc-off, expires: '٢٠٢٧-01-31'}\n",
         ["roce-lint.yaml:2: exceptions.0.expires: a date such as 2027-01-31 expected, not '٢٠٢٧-01-31'"]),
        ("exceptions:\n  - {rule: pfc-off, where: [a]}\n  - {rule: pfc-off, where: {devic: x}}\n  - {rule: pfc-off, where: ''}\n",
         ["roce-lint.yaml:2: exceptions.0.where: a text expected, not a list",
          "roce-lint.yaml:3: unknown key 'devic'; did you mean 'device'?",
          "roce-lint.yaml:4: exceptions.2.where: a name expected, not ''"]),
        ("links:\n  - {device_a: x, port_a: y, device_b: z}\n", ["roce-lint.yaml:2: key 'port_b' expected in links.0"]),
        ("links:\n  - {device_a: '', port_a: y, device_b: z, port_b: q}\n", ["roce-lint.yaml:2: links.0.device_a: a name expected, not ''"]),
        ("links:\n  - {device_a: x, port_a: y, device_b: z, port_b: q, length_m: 3}\n  - {device_a: z, port_a: q, device_b: x, port_b: y, length_m: 4}\n",
         ["roce-lint.yaml:3: one length of a cable expected, found 4 m here and 3 m on line 2"]),
        ("links: {file: none.csv}\n", ["roce-lint.yaml:1: links.file: 'none.csv' cannot be read: No such file or directory"]),
        ("links: {file: .}\n", ["roce-lint.yaml:1: links.file: '.' cannot be read: Is a directory"]),
    ],
)  # fmt: skip
def test_a_broken_intent_is_a_line_for_each_fault(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, intent: bytes | str, lines: list[str]
) -> None:
    assert said(capsys, tmp_path, intent) == (2, "", lines)


@pytest.mark.parametrize(
    ("cables", "lines"),
    [
        ("", [f"c.csv:1: the header {HEADER} expected, found nothing"]),
        ("device_a,port_a,device_b\na,b,c\n", [f"c.csv:1: the header {HEADER} expected; the first row lacks port_b"]),
        (f"{HEADER};\n".replace(",", ";"), [f"c.csv:1: the header {HEADER} expected; the first row lacks device_a"]),
        (f"{HEADER},label\n", [f"c.csv:1: the header {HEADER} expected; the first row has more, or another order"]),
        (f'{HEADER}\na,"b,c,d,1\n', [f"c.csv:2: {HEADER} expected, found a,b,c,d,1"]),
        (f"{HEADER}\na,b\x00,c,d,1\n", ["c.csv:2: names in print expected, found 'a,b\\x00,c,d,1'"]),
        (f"{HEADER}\n{'a' * 200_000},b,c,d,1\n", ["c.csv:2: a row of a CSV expected: field larger than field limit (131072)"]),
        (f"{HEADER}\r\na,b,c,d,1\r\n\r\nc,d,a,b,2\r\na,b,c,d,x\r\n".encode("utf-8-sig"),
         ["c.csv:5: length_m: a whole number of metres from 0 to 100000 expected, not 'x'"]),
        (f"{HEADER}\r\na,b,c,d,1\r\n\r\nc,d,a,b,2\r\n".encode("utf-8-sig"),
         ["c.csv:4: one length of a cable expected, found 2 m here and 1 m on line 2"]),
    ],
)  # fmt: skip
def test_a_broken_cabling_is_a_line_for_each_fault(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, cables: bytes | str, lines: list[str]
) -> None:
    assert said(capsys, tmp_path, CSV, cables) == (2, "", lines)


@pytest.mark.parametrize(
    ("intent", "cables", "notes"),
    [
        ("classes:\n  a: &x {dscp: 1, pfc_priority: 3}\n  b:\n    <<: *x\n    dscp: 2\n", None, []),
        ("fabrics: {a: {}, b: {}}\n", None,
         ["roce-lint.yaml:1: fabrics.b takes nothing of the input: it has no selector, and every port is in another fabric"]),
        ("fabrics:\n  a: {match: {}}\n  b: {match: }\n", None,
         ["roce-lint.yaml:3: fabrics.b takes nothing of the input: it has no selector, and every port is in another fabric"]),
        ("fabrics:\n  a: {match: {device: gpu1}}\n  b: {}\n", None,
         ["roce-lint.yaml:3: fabrics.b takes nothing of the input: it has no selector, and every port is in another fabric"]),
        ("fabrics:\n  a: {match: {device: gpu1, port: eth1}}\n  b: {}\n", None,
         ["roce-lint.yaml:2: fabrics.a.match takes nothing of the input: device gpu1; port eth1"]),
        ("fabrics: {a: {match: {device: '['}}}\n", None, ["roce-lint.yaml:1: fabrics.a.match takes nothing of the input: device ["]),
        ("roles: {leaf: {match: '*'}, spine: {match: gpu1}}\n", None,
         ["roce-lint.yaml:1: roles.spine.match takes nothing of the input: device gpu1, where no earlier role does"]),
        (CSV, f"{HEADER}\r\ngpu1,eth0,leaf1,p1,5\r\ngpu1,eth0,leaf1,p1,5\r\nx,y,z,q,3\r\n".encode("utf-8-sig"), []),
        (CSV, "device_a,port_a,device_b,port_b\ngpu1,eth0,leaf1,p1\n", []),
        (CSV, f"{HEADER}\ngpu1,eth0,leaf1,p1,5\ngpu1,eth0,leaf1,p2,5\n",
         ["c.csv:2: gpu1/eth0 is claimed to be cabled to leaf1/p1, leaf1/p2: no link",
          "c.csv:3: gpu1/eth0 is claimed to be cabled to leaf1/p1, leaf1/p2: no link"]),
        (CSV, f"{HEADER}\ngpu1,eth0,gpu1,eth0,5\n", ["c.csv:2: a cable from a port to itself: no link"]),
    ],
)  # fmt: skip
def test_what_is_odd_and_lawful_is_taken_with_a_note_at_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, intent: str, cables: bytes | str | None, notes: list[str]
) -> None:
    status, out, err = said(capsys, tmp_path, intent, cables)
    assert (status, err) == (0, [])
    assert [line.removeprefix("note: ") for line in out.split("\n") if line.startswith("note: ")] == notes
