"""Snapshots: a folder with what was collected, `snapshot.yaml` and the answers of each device.

    version: 1
    tool: roce-lint 0.1.0
    time: 2026-12-01T10:00:00Z
    devices:
      leaf1:
        platform: PLATFORM
        role: leaf
        time: 2026-12-01T10:00:02Z
        answers:
          - {command: show version, file: leaf1/show-version.txt, outcome: ok}
          - {command: /etc/lldpd.conf, file: leaf1/lldpd.conf, outcome: ok}
          - {command: show counters, outcome: no answer in 30 s}

`file` is relative to the folder. The outcome `absent` is a command that the device does not know; any other but `ok` is a failure. A file
below the folder of a device that is not listed is that device's, and answers no command. YAML may be written as JSON, which is read fast.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from roce_lint.errors import RoceLintError
from roce_lint.model.document import Foreign
from roce_lint.model.finding import Unread
from roce_lint.text.bundle import moment

NAME = "snapshot.yaml"
ANSWERED = frozenset({"ok", "absent"})
VERSION = 1


@dataclass(frozen=True, slots=True)
class Told:
    """What a snapshot says of a file."""

    device: str | None = None
    platform: str | None = None
    role: str | None = None
    command: str | None = None
    time: datetime | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The files of a snapshot by absolute path, its devices, and the questions that were not answered."""

    folder: str
    files: Mapping[str, Told]
    devices: Mapping[str, Told]
    unread: tuple[Unread, ...]

    def told(self, path: str) -> Told | None:
        """What is said of a file: its own row, else the device whose folder it stands in."""
        found = self.files.get(path)
        if found is None:
            found = self.devices.get(os.path.relpath(path, self.folder).split(os.sep)[0])
        return found


def read(path: Path, shown: str) -> Snapshot | Unread:
    """The snapshot that a `snapshot.yaml` describes; a failed Unread where it is broken."""
    try:
        data = _data(path)
        if not isinstance(data, dict) or data.get("version") != VERSION or not isinstance(data.get("devices"), dict):
            return Unread(shown, f"a snapshot of version {VERSION} with devices expected", failed=True)
    except (RoceLintError, OSError, ValueError) as error:
        return Unread(shown, f"cannot be read: {error}", failed=True)
    folder = os.path.abspath(path.parent)
    files: dict[str, Told] = {}
    devices: dict[str, Told] = {}
    unread: list[Unread] = []
    for name, each in data["devices"].items():
        if not isinstance(each, dict):
            continue
        own = Told(str(name), _text(each, "platform"), _text(each, "role"), None, _time(each) or _time(data))
        devices[str(name)] = own
        for row in _rows(each.get("answers")):
            command, file, outcome = _text(row, "command"), _text(row, "file"), _text(row, "outcome")
            if file is not None:
                files[os.path.join(folder, *file.split("/"))] = replace(own, command=command, time=_time(row) or own.time)
            if outcome is not None and outcome not in ANSWERED:
                unread.append(Unread(shown, f"{name}: {command}: {outcome}", failed=True))
    return Snapshot(folder, files, devices, tuple(unread))


def _data(path: Path) -> Foreign:
    text = path.read_text(encoding="utf-8")
    if text.lstrip().startswith("{"):
        return json.loads(text)
    from roce_lint.text import userfile

    return userfile.parsed(str(path), text).data


def _rows(answers: Foreign) -> Iterator[Mapping[str, Foreign]]:
    yield from (row for row in answers if isinstance(row, dict)) if isinstance(answers, list) else ()


def _text(row: Mapping[str, Foreign], key: str) -> str | None:
    value = row.get(key)
    return None if value is None else str(value)


def _time(row: Mapping[str, Foreign]) -> datetime | None:
    value = row.get("time")
    return moment(str(value)) if value is not None else None
