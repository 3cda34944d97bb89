"""Rules as they are written, with reasons and examples: what explain and test-rules read."""

from __future__ import annotations

from collections.abc import Iterator

from roce_lint.errors import RoceLintError
from roce_lint.lint import book
from roce_lint.lint.rulefile import RuleFile
from roce_lint.resources import folder


def sources(pack: str | None = None) -> Iterator[RuleFile]:
    """The rule files of a pack, of the built-in rules where none is named. Raises RoceLintError for the first that is wrong."""
    errors: list[RoceLintError] = []
    for _, rule in book.read(pack if pack is not None else folder("rules"), errors):
        yield rule
    if errors:
        raise errors[0]


def source(name: str, pack: str | None = None) -> RuleFile | None:
    """The rule of a name, None where there is none."""
    if pack is None:
        path = folder("rules") / name.split("-")[0] / f"{name}.yaml"
        if path.is_file():
            return next(sources(str(path)), None)
    return next((each for each in sources(pack) if each.id == name), None)
