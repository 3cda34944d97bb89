"""An NVUE configuration as a tree in which every key knows its line: from YAML, JSON or `nv set` commands.

Keys may be ranges and lists: `swp1-4,swp6`, `swp2,6` (the 6 is swp6), `swp1s0-3`, `0-3,5`. Source: CumulusNetworks/docs, NVUE object
model, and the YAML that `nv config show` prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from roce_lint.model.document import Document, Foreign, Line, Note
from roce_lint.text.numbered_json import Json, Node, numbered
from roce_lint.text.numbers import whole

_RANGE = re.compile(r"(.*?)(\d+)-(?:(.*?)(\d+))?")
MOST_NAMES = 4096


@dataclass(slots=True)
class Item:
    """A key with its line, its value where it has one, and what stands below it."""

    line: Line
    value: str | None = None
    below: dict[str, Item] = field(default_factory=dict)
    explicit: bool = True

    def get(self, *path: str) -> Item | None:
        """What stands at a path below, None where nothing does."""
        here: Item | None = self
        for name in path:
            here = here.below.get(name) if here is not None else None
        return here

    def text(self) -> str | None:
        """The value: of a command line, the last word that was set there."""
        if self.value is not None:
            return self.value
        return next(reversed(self.below), None) if self.below else None

    def deepest(self) -> Line:
        """The line of the value."""
        if self.value is None and self.below:
            return self.below[next(reversed(self.below))].line
        return self.line


@dataclass(slots=True)
class Tree:
    """The settings of a device; `header` is the line that proves a whole configuration, None for a fragment."""

    root: Item
    header: Item | None = None
    notes: list[Note] = field(default_factory=list)


def names(key: str) -> list[str]:
    """The interface names of a key."""
    found: list[str] = []
    prefix = ""
    for part in key.split(","):
        part = part.strip()
        if part[:1].isdigit():
            part = prefix + part
        match = _RANGE.fullmatch(part)
        first = whole(match[2]) if match is not None else None
        last = whole(match[4] if match[4] is not None else part.rpartition("-")[2]) if match is not None else None
        if match is not None and first is not None and last is not None:
            if first <= last < first + MOST_NAMES:
                found.extend(f"{match[1]}{number}" for number in range(first, last + 1))
            prefix = match[1]
        elif part:
            found.append(part)
            prefix = part.rstrip("0123456789")
    return found


def from_yaml(document: Document) -> Tree:
    """`- header: ...` and `- set: ...`, or the mapping alone. What cannot be read to its end is read up to there."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    lines = document.lines()
    start = next((index for index, line in enumerate(lines) if line.strip() and not line.startswith(("#", "%"))), 0)
    yaml = YAML(typ="safe", pure=True)
    notes: list[Note] = []
    end = len(lines)
    while True:
        text = "\n".join(lines[start:end])
        try:
            node = yaml.compose(text)
            break
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            at = start + min(mark.line if mark is not None else 0, max(end - start - 1, 0))
            said = f"YAML was read up to here only: {error.problem or error.context}"
        except (YAMLError, RecursionError) as error:
            at, said = start, f"no YAML: {error}"
        if not notes:
            notes.append(Note(document.line(at, lines[at] if at < len(lines) else ""), said, failed=True))
        if at >= end:
            at = end - 1
        end = at
        if end <= start:
            node = None
            break
    return _tree(document, lines, start, node, notes)


def _tree(document: Document, lines: list[str], start: int, node: Foreign, notes: list[Note]) -> Tree:
    first = document.line(start, lines[start] if start < len(lines) else "")
    root = Item(first)
    header: Item | None = None
    parts = node.value if node is not None and node.id == "sequence" else [node] if node is not None else []

    def filled(item: Item, below: Foreign) -> Item:
        if below.id == "scalar":
            item.value = below.value if below.value not in ("", "~", "null") else None
        elif below.id == "mapping":
            for key, value in below.value:
                index = start + key.start_mark.line
                child = item.below.get(str(key.value)) or Item(document.line(index, lines[index]))
                item.below[str(key.value)] = filled(child, value)
        elif below.id == "sequence":
            for each in below.value:
                if each.id == "scalar":
                    index = start + each.start_mark.line
                    item.below[str(each.value)] = Item(document.line(index, lines[index]))
        return item

    for part in parts:
        if part.id != "mapping":
            continue
        for key, value in part.value:
            index = start + key.start_mark.line
            here = Item(document.line(index, lines[index]))
            if key.value == "header":
                header = filled(here, value)
            elif key.value == "set":
                header = header or here
                root = filled(Item(here.line, below=root.below), value)
            elif node.id == "mapping":
                root.below[str(key.value)] = filled(here, value)
    return Tree(root, None if notes else header, notes)


def from_json(document: Document) -> Tree:
    """The same as JSON: a list of header and set, or the object alone."""
    json = numbered(document)
    note = json.note()
    first = document.line(0, (document.lines() or [""])[0])
    root = Item(first)
    header: Item | None = None
    nodes = json.root.items if json.root is not None and json.root.items is not None else [json.root] if json.root is not None else []
    for node in nodes:
        for key, value in node.pairs():
            if key == "header":
                header = _filled(json, value)
            elif key == "set":
                item = _filled(json, value)
                header = header or item
                root = Item(item.line, below={**root.below, **item.below})
            elif json.root is not None and json.root.members is not None:
                root.below[key] = _filled(json, value)
    return Tree(root, None if note is not None else header, [note] if note is not None else [])


def _filled(json: Json, node: Node) -> Item:
    item = Item(json.line(node), node.text())
    for key, value in node.pairs():
        item.below[key] = _filled(json, value)
    for each in node.items or ():
        text = each.text()
        if text is not None:
            item.below[text] = Item(json.line(each))
    return item


def from_commands(document: Document) -> Tree:
    """`nv set PATH [VALUE]` and `nv unset PATH`; every word is a key below the one before."""
    root = Item(document.line(0, (document.lines() or [""])[0]))
    for line, parts in _commands(document):
        if parts[1] == "unset":
            _removed(root, parts[2:])
            continue
        here = root
        for word in parts[2:]:
            child = here.below.pop(word, None) or Item(line)
            child.line = line if not child.below else child.line
            here.below[word] = child
            here = child
    return Tree(root)


def _commands(document: Document) -> Iterator[tuple[Line, list[str]]]:
    for index, text in enumerate(document.lines()):
        parts = text.strip().lstrip("$#> ").split()
        at = next((number for number, word in enumerate(parts[:4]) if word == "nv"), None)
        if at is not None and len(parts) > at + 2 and parts[at + 1] in ("set", "unset"):
            yield document.line(index, text), [word.strip("'\"") for word in parts[at:] if word not in ("-y",)]


def _removed(root: Item, path: list[str]) -> None:
    here: Item | None = root
    for word in path[:-1]:
        here = here.below.get(word) if here is not None else None
    if here is not None and path:
        here.below.pop(path[-1], None)
