"""YAML that a user writes: intents, rules, profiles, inventories. Plain data in which every key and value knows its line.

YAML 1.2 as ruamel.yaml reads it: `on` and `yes` are texts. Duplicate keys and unknown tags are errors; dates stay texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, get_args, get_origin

from roce_lint.errors import RoceLintError
from roce_lint.model.document import Foreign

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

Key = str | int
Checked = TypeVar("Checked", bound="BaseModel")
_TAG = "tag:yaml.org,2002:"


class UserFileErrors(RoceLintError):
    """Everything that is wrong with a file, one line each."""

    def __init__(self, errors: Iterable[RoceLintError]) -> None:
        self.errors = tuple(errors)
        first = self.errors[0]
        super().__init__(first.message, first.path, first.line)

    def __str__(self) -> str:
        return "\nroce-lint: ".join(map(str, self.errors))


@dataclass(frozen=True, slots=True)
class UserFile:
    """A file as plain data: mappings, lists, texts, numbers, truths and None.

    `numbers` gives the line of each key and list member by its steps where the data did not come from YAML.
    """

    path: str
    text: str
    data: Foreign
    root: Foreign = None  # the node of the whole file, None of an empty one
    numbers: Mapping[tuple[Key, ...], int] = field(default_factory=dict)

    def line(self, *where: Key) -> int:
        """The line, counted from 1, of a key or a list member; of the nearest one above it where there is none."""
        if self.numbers:
            return next((self.numbers[where[:end]] for end in range(len(where), 0, -1) if where[:end] in self.numbers), 1)
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
        lines = _rows(self.text)
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


@lru_cache(maxsize=8)
def _rows(text: str) -> list[str]:
    return text.split("\n")


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
    except UnicodeDecodeError as error:
        raise RoceLintError("text in UTF-8 expected", str(path), error.object.count(b"\n", 0, error.start) + 1) from None
    return parsed(str(path), text)


def parsed(path: str, text: str) -> UserFile:
    """A text of the user's as if it stood in a file. Raises RoceLintError."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError
    from ruamel.yaml.reader import ReaderError

    yaml = YAML(typ="safe", pure=True)
    try:
        root = yaml.compose(text)
        return UserFile(path, text, None if root is None else _Plain(path).of(root), root)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = " ".join(str(each) for each in (error.context, error.problem) if each).split("\n")[0]
        raise RoceLintError(f"not YAML: {said}", path, None if mark is None else mark.line + 1) from None
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise RoceLintError(f"text expected, found the character U+{ord(text[error.position]):04X}", path, line) from None
    except YAMLError as error:
        raise RoceLintError(f"not YAML: {error}".split("\n")[0], path) from None
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


_TRUTHS = {"true": True, "false": False}
_SCALARS: Mapping[str, Callable[[str], Foreign]] = {
    "str": str,
    "null": lambda text: None,
    "bool": lambda text: _TRUTHS.get(text.lower(), text),
    "int": lambda text: int(text.replace("_", ""), 0 if text.lower().lstrip("+-")[:2] in ("0x", "0o", "0b") else 10),
    "float": _float,
    "timestamp": str,
}


def checked(file: UserFile, model: type[Checked]) -> Checked:
    """The data of a file as a model. Raises UserFileErrors with everything that is wrong with it."""
    from pydantic import ValidationError

    try:
        return model.model_validate(file.data)
    except ValidationError as error:
        raise UserFileErrors(problems(file, error, model)) from None


def problems(file: UserFile, error: ValidationError, model: type[BaseModel]) -> tuple[RoceLintError, ...]:
    """What pydantic found wrong with a file's data, each with its line and a suggestion for a misspelt key."""
    details = error.errors(include_url=False)
    places = [file.where(each["loc"]) for each in details]
    kinds: dict[tuple[Key, ...], list[str]] = {}  # the kinds that a value could have and has not, one of each branch of a union
    found: dict[tuple[tuple[Key, ...], str], str] = {}
    for each, where in zip(details, places, strict=True):
        absent = each["type"] == "missing" and where == each["loc"][:-1]
        if (
            not absent
            and isinstance(each["input"], dict | list)
            and any(other != where and other[: len(where)] == where for other in places)
        ):
            continue  # a branch of a union that is not meant, as what is wrong lies deeper in another
        name = ".".join(map(str, where)) or "file"
        if each["loc"][-1:] == ("[key]",) or each["type"] == "invalid_key":
            said = _said_of_key(file, each["loc"], each["type"], each["msg"])
            found[where, said] = said
            continue
        kind = _KINDS.get(each["type"])
        if kind is None:
            said = _said(name, each["type"], each["msg"], each["loc"], each["input"], model)
            found[where, said] = said
        elif kind not in kinds.setdefault(where, []):
            kinds[where].append(kind)
            found[where, ""] = f"{name}: {' or '.join(kinds[where])} expected, not {_shown(each['input'])}"
    fitting = {where for where, said in found if said}  # of a branch of the right kind, which is the one that is meant
    errors = [RoceLintError(text, file.path, file.line(*where)) for (where, said), text in found.items() if said or where not in fitting]
    return tuple(sorted(errors, key=lambda each: each.line or 0))


_KINDS = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a number",
    "bool_type": "yes or no",
    "bool_parsing": "yes or no",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "list_type": "a list",
    "tuple_type": "a list",
    "date_type": "a date such as 2027-01-31",
    "date_parsing": "a date such as 2027-01-31",
    "date_from_datetime_parsing": "a date such as 2027-01-31",
    "date_from_datetime_inexact": "a date such as 2027-01-31",
}


def _said_of_key(file: UserFile, loc: Sequence[Key], kind: str, text: str) -> str:
    """What is wrong with a key itself, which is no text or no name."""
    steps = loc[:-1] if loc[-1] == "[key]" else loc
    above = ".".join(map(str, file.where(steps[:-1]))) or "file"
    expected = text if kind == "expected" else "a text"
    return f"{above}: {expected} as key expected, not {_shown(steps[-1])}"


def _said(name: str, kind: str, text: str, loc: Sequence[Key], given: Foreign, model: type[BaseModel]) -> str:
    if kind == "extra_forbidden":
        key = str(loc[-1])
        return f"unknown key {key!r}{suggestion(key, keys(model, loc[:-1]))}"
    if kind == "missing":
        return f"key {str(loc[-1])!r} expected" + (f" in {name}" if name != "file" else "")
    if kind == "expected":
        return f"{name}: {text} expected, not {_shown(given)}"
    if text.startswith("Input should be "):
        return f"{name}: {text.removeprefix('Input should be ')} expected, not {_shown(given)}"
    text = text.removeprefix("Value error, ").removesuffix(" after validation")
    return f"{name}: {text[:1].lower()}{text[1:]}"


def _shown(given: Foreign) -> str:
    """A value as a user would name it, at most one line long."""
    if given is None:
        return "nothing"
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, dict | list):
        return "a mapping" if isinstance(given, dict) else "a list" if given else "an empty list"
    said = repr(given)
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}..."


LONGEST = 60


def keys(model: type[BaseModel], loc: Iterable[Key]) -> Sequence[str]:
    """The keys that a model takes below a location; none where that is not known."""
    here: list[Foreign] = [model]
    for step in loc:
        here = list(_below(here, step))
    return [each.alias or name for kind in here if _is_model(kind) for name, each in kind.model_fields.items()]


def _below(kinds: Iterable[Foreign], step: Key) -> Iterator[Foreign]:
    """What may stand at a step below any of some types; a step that names a branch of a union chooses it."""
    kinds = tuple(kinds)
    named = [kind for kind in kinds if isinstance(step, str) and _name(kind) == step]
    for kind in named or kinds:
        if named:
            yield kind
        elif _is_model(kind):
            yield from (
                branch for name, each in kind.model_fields.items() if step in (name, each.alias) for branch in _branches(each.annotation)
            )
        elif _origin(kind) is dict:
            yield from _branches(get_args(kind)[1])
        elif _origin(kind) is list and isinstance(step, int):
            yield from _branches(get_args(kind)[0])


def _branches(kind: Foreign) -> Iterator[Foreign]:
    """The types that a union or an annotated type stands for, those of lists and mappings as they are."""
    if _origin(kind) in (dict, list) or not get_args(kind):
        yield kind
        return
    for each in get_args(kind):
        if isinstance(each, type) or _origin(each) is not None:
            yield from _branches(each)


def _origin(kind: Foreign) -> Foreign:
    return get_origin(kind)


def _name(kind: Foreign) -> str:
    """What pydantic calls a branch of a union."""
    inner = next((each for each in _branches(get_args(kind)[0])), None) if _origin(kind) is list else None
    return f"list[{_name(inner)}]" if inner is not None else getattr(kind, "__name__", "")


def _is_model(kind: Foreign) -> bool:
    from pydantic import BaseModel as Base

    return isinstance(kind, type) and issubclass(kind, Base)


def suggestion(word: str, known: Sequence[str]) -> str:
    """The known word that is meant, else all of them."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; one of {', '.join(sorted(known))} expected" if known else ""
