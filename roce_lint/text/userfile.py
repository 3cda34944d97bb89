"""YAML that a user writes: intents, rules, profiles, inventories. Plain data in which every key and value knows its line.

YAML 1.2 as ruamel.yaml reads it: `on` and `yes` are texts. Duplicate keys and unknown tags are errors; dates stay texts.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from roce_lint.errors import RoceLintError
from roce_lint.model.document import Foreign

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

Key = str | int
_TAG = "tag:yaml.org,2002:"


@dataclass(frozen=True, slots=True)
class UserFile:
    """A file as plain data: mappings, lists, texts, numbers, truths and None."""

    path: str
    text: str
    data: Foreign
    root: Foreign  # the node of the whole file, None of an empty one

    def line(self, *where: Key) -> int:
        """The line, counted from 1, of a key or a list member; of the nearest one above it where there is none."""
        node, line = self.root, 1
        for step in where:
            found = _child(node, step)
            if found is None:
                break
            line, node = found
        return line

    def where(self, loc: Sequence[Key]) -> tuple[Key, ...]:
        """The steps of a location that are keys or members here; others name the branch of a union."""
        node, found = self.root, []
        for step in loc:
            child = _child(node, step)
            if child is not None:
                found.append(step)
                node = child[1]
        return tuple(found)

    def line_text(self, number: int) -> str:
        """The text of a line, counted from 1."""
        lines = self.text.split("\n")
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


def _child(node: Foreign, step: Key) -> tuple[int, Foreign] | None:
    kind = getattr(node, "id", "")
    if kind == "mapping":
        for key, value in node.value:
            if key.value == str(step):
                return key.start_mark.line + 1, value
    elif kind == "sequence" and isinstance(step, int) and step < len(node.value):
        return node.value[step].start_mark.line + 1, node.value[step]
    return None


def read(path: str | Path) -> UserFile:
    """A file of the user's. Raises RoceLintError where it cannot be read or is no YAML."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RoceLintError(f"cannot be read: {error.strerror or error}", str(path)) from None
    except UnicodeDecodeError:
        raise RoceLintError("text in UTF-8 expected", str(path)) from None
    return parsed(str(path), text)


def parsed(path: str, text: str) -> UserFile:
    """A text of the user's as if it stood in a file. Raises RoceLintError."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    yaml = YAML(typ="safe", pure=True)
    try:
        root = yaml.compose(text)
        return UserFile(path, text, None if root is None else _Plain(path).of(root), root)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = str(error.problem or error.context or "no YAML").split("\n")[0]
        raise RoceLintError(said, path, None if mark is None else mark.line + 1) from None
    except YAMLError as error:
        raise RoceLintError(str(error).split("\n")[0], path) from None
    except RecursionError:
        raise RoceLintError("less deep nesting expected", path) from None


class _Plain:
    """Nodes as plain data; an alias gives the same object each time."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.done: dict[int, Foreign] = {}
        self.above: set[int] = set()

    def of(self, node: Foreign) -> Foreign:
        if id(node) in self.done:
            return self.done[id(node)]
        if id(node) in self.above:
            raise self._error("a value cannot hold itself", node)
        self.above.add(id(node))
        value = self.done[id(node)] = self._made(node)
        self.above.discard(id(node))
        return value

    def _made(self, node: Foreign) -> Foreign:
        if node.id == "mapping":
            return self._mapping(node)
        if node.id == "sequence":
            return [self.of(each) for each in node.value]
        return self._scalar(node)

    def _mapping(self, node: Foreign) -> Foreign:
        made: dict[Foreign, Foreign] = {}
        merged: dict[Foreign, Foreign] = {}
        for key, value in node.value:
            if str(key.tag) == _TAG + "merge":
                for each in value.value if value.id == "sequence" else [value]:
                    below = self.of(each)
                    if isinstance(below, dict):
                        merged = {**below, **merged}
                continue
            if key.id != "scalar":
                raise self._error("a key of one word expected", key)
            name = self._scalar(key)
            if name in made:
                raise self._error(f"key {key.value!r} stands here twice", key)
            made[name] = self.of(value)
        return {**merged, **made} if merged else made

    def _scalar(self, node: Foreign) -> Foreign:
        tag, text = str(node.tag).removeprefix(_TAG), node.value
        convert = _SCALARS.get(tag)
        if convert is None:
            raise self._error(f"no tag expected, found {node.tag}", node)
        try:
            return convert(text)
        except ValueError:
            return text

    def _error(self, message: str, node: Foreign) -> RoceLintError:
        return RoceLintError(message, self.path, node.start_mark.line + 1)


def _float(text: str) -> float:
    word = text.replace("_", "").lower()
    return float(word.replace(".inf", "inf").replace(".nan", "nan"))


_SCALARS: Mapping[str, Callable[[str], Foreign]] = {
    "str": str,
    "null": lambda text: None,
    "bool": lambda text: text.lower() == "true",
    "int": lambda text: int(text.replace("_", ""), 0 if text.lower().lstrip("+-")[:2] in ("0x", "0o", "0b") else 10),
    "float": _float,
    "timestamp": str,
}


def problems(file: UserFile, error: ValidationError, model: type[BaseModel]) -> tuple[RoceLintError, ...]:
    """What pydantic found wrong with a file's data, each with its line and a suggestion for a misspelt key."""
    found: dict[tuple[int, str], RoceLintError] = {}
    places = [file.where(each["loc"]) for each in error.errors(include_url=False)]
    for each, where in zip(error.errors(include_url=False), places, strict=True):
        if isinstance(each["input"], dict | list) and any(len(other) > len(where) and other[: len(where)] == where for other in places):
            continue
        line = file.line(*where)
        name = ".".join(map(str, where)) or "file"
        message = _said(name, each["type"], each["msg"], each["loc"], each["input"], model)
        found.setdefault((line, name), RoceLintError(message, file.path, line))
    return tuple(sorted(found.values(), key=lambda each: each.line or 0))


def _said(name: str, kind: str, text: str, loc: Sequence[Key], given: Foreign, model: type[BaseModel]) -> str:
    if kind == "extra_forbidden":
        key = str(loc[-1])
        return f"unknown key {key!r}{suggestion(key, keys(model, loc[:-1]))}"
    if kind == "missing":
        return f"key {str(loc[-1])!r} expected" + (f" in {name}" if name != "file" else "")
    said = text[0].lower() + text[1:]
    for before, after in (("input should be ", ""), ("value error, ", "")):
        said = said.removeprefix(before) if after == "" else said
    return f"{name}: {said} expected, not {given!r}" if text.startswith("Input should be ") else f"{name}: {said}"


def keys(model: type[BaseModel], loc: Iterable[Key]) -> Sequence[str]:
    """The keys that a model takes below a location; none where that is not known."""
    from pydantic import BaseModel as Base

    here: Foreign = model
    for step in loc:
        field = next((f for n, f in here.model_fields.items() if step in (n, f.alias)), None) if _is_model(here, Base) else None
        if field is not None:
            here = _models(field.annotation, Base)
    return [field.alias or name for name, field in here.model_fields.items()] if _is_model(here, Base) else []


def _is_model(kind: Foreign, base: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, base)


def _models(annotation: Foreign, base: type) -> Foreign:
    """The first model that an annotation names, itself or within a union, a list or a mapping."""
    if _is_model(annotation, base):
        return annotation
    for arg in getattr(annotation, "__args__", ()):
        found = _models(arg, base)
        if found is not None:
            return found
    return None


def suggestion(word: str, known: Sequence[str]) -> str:
    """The known word that is meant, else all of them."""
    close = difflib.get_close_matches(word, known, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; one of {', '.join(sorted(known))} expected" if known else ""
