"""What the user can put right."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class RoceLintError(Exception):
    """A wrong file or a wrong call: what is, what should be, and where."""

    message: str
    path: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line) if part is not None)
        return f"{place}: {self.message}" if place else self.message
