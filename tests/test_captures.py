"""Every capture: what a device really prints, and the facts that stand in it.

A capture is fixtures/captures/<platform>/<command>/<case>.yaml: `origin` says where its text comes from, `files` names the files beside it
(<case>.txt where it is left out; a name ending in / is a folder), `device` the one device, `facts` what is stated and where, `notes` every
Note, `unread` each file that nobody reads with the reason. A device that its text does not name is called `device`.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from expected import fault, place

from roce_lint.collect.files import Source, documents_of
from roce_lint.collect.read import grouped, read
from roce_lint.fabric.assemble import assembled, collected
from roce_lint.model.devices import Fabric
from roce_lint.text import userfile

CAPTURES = Path(__file__).parent.parent / "fixtures" / "captures"
CASES = sorted(path for path in CAPTURES.rglob("*.yaml") if "\norigin:" in f"\n{path.read_text(errors='replace')}")
KEYS = {"origin", "files", "device", "facts", "notes", "unread"}
FACT_KEYS = {"of", "path", "value", "at", "text", "also", "basis", "tolerance", "why"}
SMALL_BYTES = 2048
CUTS = 100
SLICE = 256


def capture(path: Path) -> dict[str, Any]:
    data = userfile.read(path).data
    assert set(data) <= KEYS and data.get("origin"), f"{path}: keys {KEYS} expected, origin among them"
    assert data.get("facts") or data.get("notes") or data.get("unread"), f"{path}: a fact, a note or an unread file expected"
    return data


def files(path: Path, data: dict[str, Any]) -> list[str]:
    """The capture's files; `<case>.yaml` may name its own answer only where it is YAML itself."""
    return data.get("files") or [f"{path.stem}.txt"]


def named(path: Path) -> str:
    return path.relative_to(CAPTURES).with_suffix("").as_posix()


@pytest.mark.parametrize("path", CASES, ids=named)
def test_capture_states_its_facts(path: Path, tmp_path: Path) -> None:
    data = capture(path)
    names = files(path, data)
    folder = tmp_path / "device"
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if name.endswith("/") else shutil.copyfile)(path.parent / name, target)
    fabric = collected([folder], strict=True)
    assert {each.path: each.reason for each in fabric.unread} == data.get("unread", {})
    faults = [fault(fabric, each, names[0]) for each in data.get("facts", ())]
    unknown = [f"unknown keys {set(each) - FACT_KEYS}" for each in data.get("facts", ()) if set(each) - FACT_KEYS]
    assert [each for each in (*faults, *unknown) if each is not None] == []
    if "device" in data:
        assert list(fabric.devices) == [data["device"]]
    expected = sorted((place(each["at"], names[0]), each["text"]) for each in data.get("notes", ()))
    notes = sorted((note.line.place, note.line.text, note.reason) for note in fabric.notes)
    assert len(notes) == len(expected), notes
    for (at, text), (found_at, found_text, _) in zip(expected, notes, strict=True):
        assert (at, text in found_text) == (found_at, True), notes


def slices() -> Iterator[Any]:
    """Pieces of work of a bounded size: a capture's file and the lengths at which it is cut."""
    for path in CASES:
        for name in files(path, userfile.read(path).data):
            file = path.parent / name
            for each in sorted(file.rglob("*")) if file.is_dir() else [file]:
                lengths = cuts(each.read_bytes()) if each.is_file() else []
                for start in range(0, len(lengths), SLICE):
                    yield pytest.param(each, start, id=f"{each.relative_to(CAPTURES).as_posix()}-{start}")


def cuts(data: bytes) -> list[int]:
    """Every length of a small text; of a larger one evenly spread ones, half of them in the middle of a token."""
    if len(data) <= SMALL_BYTES:
        return list(range(len(data) + 1))
    even = [len(data) * step // CUTS for step in range(1, CUTS + 1)]
    return [inside(data, length) if index % 2 else length for index, length in enumerate(even)]


def inside(data: bytes, length: int) -> int:
    """The next length at which the text ends within a word."""
    for end in range(length, len(data)):
        if data[end - 1 : end].isalnum() and data[end : end + 1].isalnum():
            return end
    return length


@pytest.mark.parametrize(("file", "start"), list(slices()))
def test_capture_cut_anywhere_reads(file: Path, start: int) -> None:
    data = file.read_bytes()
    for length in cuts(data)[start : start + SLICE]:
        cut(file.name, data[:length])


def test_capture_with_bytes_changed_reads() -> None:
    chance = random.Random(2)
    for path in CASES:
        for name in files(path, userfile.read(path).data):
            file = path.parent / name
            data = bytearray(file.read_bytes() if file.is_file() else b"")
            for _ in range(3 if data else 0):
                data[chance.randrange(len(data))] = chance.choice(b'0 \t"{},:x9-\n')
                cut(file.name, bytes(data))


def cut(name: str, data: bytes) -> Fabric:
    documents, _ = documents_of(Source(name, lambda: data, "cut"), asked_for=True)
    groups, unread = grouped(documents, strict=True)
    return assembled(read(groups, strict=True), (), unread, strict=True)
