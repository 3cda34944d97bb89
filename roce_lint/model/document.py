"""Documents and their lines: where a statement stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from sys import intern
from typing import Any

CITED_CHARACTERS = 240


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a document: its number in the file, counted from 1, and its text without the end of line."""

    document: Document
    number: int
    text: str

    @property
    def place(self) -> str:
        return f"{self.document.path}:{self.number}"


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One answer of one device: a whole file, or the part of a transcript or bundle that one command printed.

    `device`, `platform` and `role` are what a snapshot, a bundle or a prompt says of it, None where nothing does. `command` is what was
    asked, or the path of the file on the device; None for a configuration file. `folder` groups what names no device. `first_line`
    is the number in the file of the first line of `read()`. `ends` is False where the file stops in the middle of the answer.
    """

    path: str
    read: Callable[[], str]
    device: str | None = None
    platform: str | None = None
    command: str | None = None
    folder: str = ""
    first_line: int = 1
    time: datetime | None = None
    ends: bool = True
    role: str | None = None
    id: int = field(default=0)

    def lines(self) -> list[str]:
        """The lines of the text, each without its end; a line ends at a line feed and nothing else."""
        text = self.read()
        lines = text.split("\n")
        if lines[-1] == "":
            lines.pop()
        return [line[:-1] if line.endswith("\r") else line for line in lines] if "\r" in text else lines

    def line(self, index: int, text: str) -> Line:
        """The line at an index of `lines()`, counted from 0."""
        return Line(self, self.first_line + index, intern(text[:CITED_CHARACTERS]))  # the lines of a fleet repeat themselves


@dataclass(frozen=True, slots=True)
class Note:
    """A line that should be understood and is not, or a fault of the input that a reader passed over.

    `failed` where the rest of the document could not be read, so that something asked for was not checked.
    """

    line: Line
    reason: str
    failed: bool = False


Foreign = Any  # data as a device or a user wrote it, before it is checked
