"""Files and folders as documents: order, names, what is left out and why."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from roce_lint.collect.files import Source, documents, documents_of
from roce_lint.errors import RoceLintError
from roce_lint.model.document import Document
from roce_lint.model.finding import Unread


def known(command: str) -> bool:
    return command.startswith(("show", "mlnx_qos"))


def written(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def shown(found: tuple[Document, ...]) -> list[tuple[str, str | None, str | None, int]]:
    return [(each.path, each.device, each.command, each.first_line) for each in found]


def one(name: str, text: str) -> tuple[tuple[Document, ...], tuple[Unread, ...]]:
    return documents_of(Source(name, text.encode, "x"), known)


def test_a_folder_is_walked_in_order_and_paths_are_relative_to_it(tmp_path: Path) -> None:
    root = written(tmp_path, {"b/x.cfg": "x\n", "a/config_db.json": "{}\n", "z.txt": "z\n", ".git/config": "x\n", ".hidden": "x\n"})
    found, unread = documents([root], known)
    assert [each.path for each in found] == ["a/config_db.json", "b/x.cfg", "z.txt"]
    assert ([each.id for each in found], unread) == ([0, 1, 2], ())
    assert [Path(each.folder).name for each in found] == ["a", "b", tmp_path.name]


def test_a_file_is_shown_as_it_was_given_and_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, {"a/x.cfg": "x\n", "b/y.cfg": "y\n"})
    monkeypatch.chdir(tmp_path)
    assert [each.path for each in documents(["a/x.cfg"], known)[0]] == ["a/x.cfg"]
    assert [each.path for each in documents(["a", "b"], known)[0]] == ["a/x.cfg", "b/y.cfg"]
    assert [each.path for each in documents([".", "a", "b/y.cfg"], known)[0]] == ["a/x.cfg", "b/y.cfg"]


def test_links_that_lead_in_circles_or_beside_are_not_followed(tmp_path: Path) -> None:
    root = written(tmp_path, {"runs/1/x.cfg": "x\n"})
    os.symlink("1", root / "runs" / "latest")
    os.symlink("..", root / "runs" / "1" / "up")
    os.symlink("nowhere", root / "runs" / "broken")
    assert [each.path for each in documents([root], known)[0]] == ["runs/1/x.cfg"]


def test_what_nobody_reads_is_listed_with_its_reason(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "roce-lint.yaml": "classes: []\n",
        "links.csv": "device_a,port_a,device_b,port_b,length_m\na,1,b,2,3\n",
        "picture.png": b"\x89PNG\x00\x00",
        "empty.txt": "\n \n",
        "README.md": "# show version\n",
        "leaf.j2": "hostname {{ name }}\n",
        "leaf.cfg": "hostname {{ name }}\n{% for p in ports %}\ninterface {{ p }}\n{% endfor %}\n",
        "main.tf": "",
        "net.conf": 'resource "x" "y" {\n  a = 1\n}\n',
        "run.sh": "#!/bin/sh\ndocker ps --format '{{ .Names }}'\n",
    }
    found, unread = documents([written(tmp_path, files)], known)
    assert [each.path for each in found] == ["run.sh"]
    assert unread == (
        Unread("README.md", "not recognised"),
        Unread("empty.txt", "empty"),
        Unread("leaf.cfg", "a Jinja template: what it becomes is not known"),
        Unread("leaf.j2", "a Jinja template: what it becomes is not known"),
        Unread("main.tf", "a HCL template: what it becomes is not known"),
        Unread("net.conf", "a HCL template: what it becomes is not known"),
        Unread("picture.png", "no text"),
    )


def test_an_empty_folder_has_nothing_and_a_missing_one_is_the_user_s_error(tmp_path: Path) -> None:
    assert documents([tmp_path], known) == ((), ())
    with pytest.raises(RoceLintError, match="no such file or folder"):
        documents([tmp_path / "nowhere"], known)


def test_a_file_that_cannot_be_read_failed() -> None:
    def refuse() -> bytes:
        raise PermissionError(13, "Permission denied")

    assert documents_of(Source("x", refuse)) == ((), (Unread("x", "cannot be read: Permission denied", failed=True),))


def test_braces_of_json_are_no_template() -> None:
    assert shown(one("x.json", '{"a":{"b":{"c":"{d}"}}}\n')[0]) == [("x.json", None, None, 1)]


def test_a_transcript_falls_into_answers_with_lines_of_the_file() -> None:
    text = "\x1b[32mleaf1#\x1b[0m show version\r\nA\r\n--More--\r        \rB\r\nleaf1# show run | include x\r\nC\r\n"
    found, unread = one("t.txt", text)
    assert unread == ()
    assert shown(found) == [("t.txt", "leaf1", "show version", 2), ("t.txt", "leaf1", "show run", 5)]
    assert [each.lines() for each in found] == [["A", "B"], ["C"]]
    assert [each.line(0, "").number for each in found] == [2, 5]
    assert [each.ends for each in found] == [True, False]


def test_a_bundle_falls_into_answers_of_its_host() -> None:
    text = (
        "#roce-lint-bundle 1 tag=k7 host=gpu1 time=2026-12-01T10:04:05Z uid=0\n"
        "#k7 begin mlnx_qos -i e1\nA\n#k7 stderr\noops\n#k7 end 0\n"
        "#k7 begin niccli --list\n#k7 stderr\nnot found\n#k7 end 127\n"
        "#k7 begin /sys/x\n#k7 end 0\n"
        "#k7 begin dcb pfc show\nB\n#k7 end 124\n#k7 begin ethtool -i e1\nC\n"
    )
    found, unread = one("gpu1.txt", text)
    assert unread == (Unread("gpu1.txt", "the bundle of gpu1 ends early", failed=True),)
    assert shown(found) == [
        ("gpu1.txt", "gpu1", "mlnx_qos -i e1", 3),
        ("gpu1.txt", "gpu1", "/sys/x", 12),
        ("gpu1.txt", "gpu1", "dcb pfc show", 14),
        ("gpu1.txt", "gpu1", "ethtool -i e1", 17),
    ]
    assert [(each.lines(), each.ends) for each in found] == [(["A"], True), ([], True), (["B"], False), (["C"], False)]


def test_a_bundle_of_a_version_to_come_failed() -> None:
    text = "#roce-lint-bundle 2 tag=k host=gpu1\n#k begin x\n#k end 0\n#k close\n"
    assert one("b.txt", text) == ((), (Unread("b.txt", "a bundle of version 1 expected, not 2", failed=True),))


def test_what_can_be_read_only_once_is_kept(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("leaf1# show version\nA\n"))
    writer.start()
    found, _ = documents([pipe], known)
    writer.join()
    assert [each.lines() for each in found] == [["A"]]


def test_a_file_is_read_again_on_demand_and_not_kept(tmp_path: Path) -> None:
    written(tmp_path, {f"{index}.txt": f"{index}\n" for index in range(20)})
    found, _ = documents([tmp_path], known)
    assert {each.path: each.lines() for each in found} == {f"{index}.txt": [str(index)] for index in range(20)}


SNAPSHOT = """version: 1
tool: roce-lint 0.1.0
time: 2026-12-01T10:00:00Z
devices:
  leaf1:
    platform: sonic
    role: leaf
    answers:
      - {command: show version, file: leaf1/show-version.txt, outcome: ok, time: 2026-12-01T10:00:02Z}
      - {command: /sys/x, file: leaf1/traffic-class.txt, outcome: ok}
      - {command: niccli, outcome: absent}
      - {command: show pfcwd stats, outcome: no answer in 30 s}
  gpu1: {platform: linux}
"""


def test_a_snapshot_says_whose_a_file_is_and_what_was_asked(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "snapshot.yaml": SNAPSHOT,
        "leaf1/show-version.txt": "leaf9# show nothing\nx\n",
        "leaf1/config_db.json": "{}\n",
        "leaf1/traffic-class.txt": "",
        "gpu1/bundle.txt": "#roce-lint-bundle 1 tag=k host=node-7 uid=0\n#k begin mlnx_qos -i e1\nA\n#k end 0\n#k close\n",
        "other/x.txt": "x\n",
    }
    found, unread = documents([written(tmp_path, files)], known)
    assert shown(found) == [
        ("gpu1/bundle.txt", "gpu1", "mlnx_qos -i e1", 3),
        ("leaf1/config_db.json", "leaf1", None, 1),
        ("leaf1/show-version.txt", "leaf1", "show version", 1),
        ("leaf1/traffic-class.txt", "leaf1", "/sys/x", 1),
        ("other/x.txt", None, None, 1),
    ]
    assert [(each.platform, each.role, each.time and each.time.isoformat()) for each in found] == [
        ("linux", None, "2026-12-01T10:00:00+00:00"),
        ("sonic", "leaf", "2026-12-01T10:00:00+00:00"),
        ("sonic", "leaf", "2026-12-01T10:00:02+00:00"),
        ("sonic", "leaf", "2026-12-01T10:00:00+00:00"),
        (None, None, None),
    ]
    assert unread == (Unread("snapshot.yaml", "leaf1: show pfcwd stats: no answer in 30 s", failed=True),)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("version: 9\ndevices: {}\n", "a snapshot of version 1 with devices expected"),
        ("version: 1\n", "a snapshot of version 1 with devices expected"),
        ("- x\n", "a snapshot of version 1 with devices expected"),
        ('{"version": 1, "devices": [}', "cannot be read: Expecting value: line 1 column 28 (char 27)"),
    ],
)
def test_a_broken_snapshot_failed_and_its_files_are_read_as_any(tmp_path: Path, text: str, reason: str) -> None:
    found, unread = documents([written(tmp_path, {"snapshot.yaml": text, "leaf1/x.txt": "x\n"})], known)
    assert unread == (Unread("snapshot.yaml", reason, failed=True),)
    assert shown(found) == [("leaf1/x.txt", None, None, 1)]


def test_a_snapshot_written_as_json_is_the_same(tmp_path: Path) -> None:
    text = '{"version": 1, "devices": {"leaf1": {"answers": [{"command": "show version", "file": "leaf1/v.txt", "outcome": "ok"}]}}}'
    found, unread = documents([written(tmp_path, {"snapshot.yaml": text, "leaf1/v.txt": "x\n"})], known)
    assert (shown(found), unread) == ([("leaf1/v.txt", "leaf1", "show version", 1)], ())
