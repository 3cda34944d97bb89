"""The part of a file that one command printed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a text, from a character up to one, with what stands over it.

    `first_line` is the number in the file of its first line, counted from 1. `ends` is False where the answer was cut or filtered.
    """

    start: int
    end: int
    first_line: int
    command: str | None = None
    device: str | None = None
    ends: bool = True
    time: datetime | None = None
