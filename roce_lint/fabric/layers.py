"""An intent file or a profile as one layer of a plan: its values, each as a fact that cites the line it stands on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from roce_lint.errors import RoceLintError
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Fact

if TYPE_CHECKING:
    from roce_lint.model.intent import Intent
    from roce_lint.text.userfile import UserFile


MANY = frozenset({"links", "exceptions"})


@dataclass(frozen=True, slots=True)
class Layer:
    """A checked file. `document` is what its facts cite."""

    file: UserFile
    intent: Intent
    document: Document

    def fact(self, value: object, *where: str | int) -> Fact[object]:
        """A value as wanted on the line of a key or a list member."""
        number = self.file.line(*where)
        return Fact(value, (self.document.line(number - 1, self.file.line_text(number)),), "wanted")

    def error(self, message: str, *where: str | int) -> RoceLintError:
        """What is wrong at a key or a list member."""
        return RoceLintError(message, self.file.path, self.file.line(*where))


def layer(file: UserFile, shown: str) -> Layer:
    """A file of the user's as a layer that reports show under a name. Raises RoceLintError with everything that is wrong with it."""
    from roce_lint.model.intent import Intent
    from roce_lint.text.userfile import checked

    if not isinstance(file.data, dict):
        raise RoceLintError("a mapping of intent keys expected, such as 'classes:'", file.path, 1)
    return Layer(file, checked(file, Intent), Document(shown, lambda: file.text))


def keys(layer: Layer) -> dict[tuple[str | int, ...], Line]:
    """Every key of a file that has a value, by the keys above it, with its line; cables and exceptions left out, which may be many."""
    found: dict[tuple[str | int, ...], Line] = {}

    def walk(value: object, where: tuple[str | int, ...]) -> None:
        if isinstance(value, dict):
            for key, each in value.items():
                walk(each, (*where, str(key)))
        elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
            for number, each in enumerate(value):
                walk(each, (*where, number))
        elif value is not None:
            found[where] = layer.fact(value, *where).lines[0]

    walk({key: each for key, each in layer.file.data.items() if key not in MANY}, ())
    return found


def listed(value: object) -> object:
    """A list of a file as the tuple that a fact holds, anything else as it is."""
    return tuple(value) if isinstance(value, Sequence) and not isinstance(value, str | tuple) else value
