"""JSON in which every key and value knows its line, read as far as it goes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from roce_lint.model.document import Document, Line, Note

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+|\n|"')
_PLAIN = re.compile(r'[ \t]*"([^"\\\n]*)"[ \t]*:[ \t]*"([^"\\\n]*)"[ \t]*(,?)[ \t]*\n')  # a whole line of one member
_WORDS = {"true": True, "false": False, "null": None}
Scalar = str | int | float | bool | None


@dataclass(slots=True)
class Node:
    """A value. `index` is the line it begins on, counted from 0 in the document; `key_index` that of its key."""

    index: int
    scalar: Scalar = None
    members: dict[str, Node] | None = None
    items: list[Node] | None = None
    key_index: int = -1
    whole: bool = True

    def get(self, key: str) -> Node | None:
        return self.members.get(key) if self.members is not None else None

    def pairs(self) -> Iterator[tuple[str, Node]]:
        """The members of an object in order; none where it is no object."""
        return iter((self.members or {}).items())

    def text(self) -> str | None:
        """A string, number or word as a string; None for an object, a list or null."""
        if isinstance(self.scalar, bool):
            return "true" if self.scalar else "false"
        return None if self.scalar is None else str(self.scalar)


@dataclass(slots=True)
class Json:
    """A document read as JSON. `error` says what was expected where it ends early or is malformed, and `error_index` on which line.

    `rest` is the line on which more text begins behind the value, None where there is none.
    """

    document: Document
    lines: list[str]
    root: Node | None
    error: str | None = None
    error_index: int = 0
    rest: int | None = None

    def line(self, node: Node) -> Line:
        """The line of a value, that of its key where it has one."""
        index = node.key_index if node.key_index >= 0 else node.index
        return self.document.line(index, self.lines[index])

    def value_line(self, node: Node) -> Line:
        """The line that a value begins on."""
        return self.document.line(node.index, self.lines[node.index])

    def note(self) -> Note | None:
        """What is wrong with the text where it could not be read to its end, or where more stands behind it."""
        if self.error is None:
            behind = None if self.rest is None else self.document.line(self.rest, self.lines[self.rest])
            return None if behind is None else Note(behind, "the end of the JSON expected: this and what follows is not read")
        text = self.lines[self.error_index] if self.lines else ""
        return Note(self.document.line(self.error_index, text), f"JSON was read up to here only: {self.error}", failed=True)


class _Malformed(Exception):
    pass


@dataclass(slots=True)
class _Reading:
    text: str
    index: int
    cut: int  # where a text that ends without a line feed ends, -1 otherwise
    token: str = ""
    end: int = 0

    def step(self) -> str:
        """The next token, an empty string at the end; counts lines."""
        text, end = self.text, self.end
        while (match := _TOKEN.search(text, end)) is not None:
            token, end = match[0], match.end()
            if token != "\n":
                self.token, self.end = token, end
                return token
            self.index += 1
        self.token, self.end = "", len(text)
        return ""

    def plain(self, members: dict[str, Node]) -> bool | None:
        """Takes members that are texts and fill whole lines, as most of a configuration does.

        Gives whether a comma stands behind the last of them, None where the next line is no such member.
        """
        if not self.text.startswith("\n", self.end):
            return None
        index, end, comma = self.index, self.end + 1, ","
        while comma and (match := _PLAIN.match(self.text, end)) is not None:
            key, value, comma = match.groups()
            index, end = index + 1, match.end()
            members[key] = Node(index, value, None, None, index)
        if index == self.index:
            return None
        self.index, self.end = index, end - 1
        return bool(comma)


def every(document: Document) -> Iterator[Json]:
    """The values of a document in which several stand one behind the other, each beginning on a line of its own."""
    found = numbered(document)
    while found.rest is not None and found.error is None and found.lines[found.rest].lstrip()[:1] in ("{", "["):
        rest, found.rest = found.rest, None
        yield found
        found = numbered(document, rest)
    yield found


def numbered(document: Document, first: int = 0) -> Json:
    """The document as JSON, from the first line from `first` on that opens an object or a list.

    Reads up to the point where the text is malformed.
    """
    lines = document.lines()
    start = next((index for index, line in enumerate(lines[first:], first) if line.lstrip()[:1] in ("{", "[")), None)
    if start is None:
        return Json(document, lines, None, "a JSON object or list expected", 0)
    text = "\n".join(lines[start:])
    root = _of_one_line(text.strip(), start) if len(lines) - start == 1 or not any(lines[start + 1 :]) else None
    if root is not None:
        return Json(document, lines, root)
    reading = _Reading(text, start, -1 if document.read().endswith("\n") else len(text))
    reading.step()
    root = Node(reading.index)
    result = Json(document, lines, root)
    try:
        _value(reading, root)
        if reading.step():
            result.rest = min(reading.index, len(lines) - 1)
    except _Malformed as malformed:
        result.error, result.error_index = str(malformed), min(reading.index, len(lines) - 1)
    except RecursionError:
        result.error, result.error_index = "less deep nesting expected", min(reading.index, len(lines) - 1)
    return result


def _of_one_line(text: str, index: int) -> Node | None:
    """A text of one line read in one go; None where it is not whole, so that it has to be read as far as it goes."""
    try:
        return _node(json.loads(text, parse_constant=_refused, object_pairs_hook=_Pairs), index, -1)
    except (ValueError, RecursionError):
        return None


class _Pairs(list[tuple[str, object]]):
    """The members of an object in order, where a key may stand twice."""


def _node(value: object, index: int, key_index: int) -> Node:
    if isinstance(value, _Pairs):
        members: dict[str, Node] = {}
        for key, each in value:
            node, previous = _node(each, index, index), members.get(key)
            if previous is not None and previous.members and node.members is not None:
                node.members = {**previous.members, **node.members}
            members[key] = node
        return Node(index, None, members, None, key_index)
    if isinstance(value, list):
        items = [Node(index, each) if type(each) is int else _node(each, index, -1) for each in value]
        return Node(index, None, None, items, key_index)
    scalar = value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value
    return Node(index, scalar if isinstance(scalar, str | int | float | bool) else None, None, None, key_index)


def _value(reading: _Reading, node: Node) -> None:
    """Fills a node from the current token on; leaves its last token current."""
    token = reading.token
    node.index = reading.index
    if token == "{":
        node.whole = False
        node.members = {}
        _members(reading, node.members)
        node.whole = True
    elif token == "[":
        node.whole = False
        node.items = []
        _items(reading, node.items)
        node.whole = True
    else:
        node.scalar = _scalar(token, token[:1] != '"' and reading.end == reading.cut)


def _members(reading: _Reading, members: dict[str, Node]) -> None:
    empty = True
    while True:
        comma = reading.plain(members)
        token = reading.step()
        if empty and comma is None and token == "}":
            return
        if comma is not False:
            _member(reading, members)
            token = reading.step()
        if token == "}":
            return
        if token != ",":
            raise _Malformed(f"',' or '}}' expected, found {_shown(token)}")
        empty = False


def _member(reading: _Reading, members: dict[str, Node]) -> None:
    """Reads one member, from its key, the current token, on."""
    token = reading.token
    if token[:1] != '"' or len(token) < 2:
        raise _Malformed(f"a key in quotes expected, found {_shown(token)}")
    key, key_index = _string(token), reading.index
    if reading.step() != ":":
        raise _Malformed(f"':' expected, found {_shown(reading.token)}")
    reading.step()
    node = Node(reading.index, key_index=key_index)
    if reading.token in ("{", "["):
        previous = members.get(key)
        members[key] = node
        _value(reading, node)
        if previous is not None and previous.members and node.members is not None:
            node.members = {**previous.members, **node.members}
    else:
        _value(reading, node)
        members[key] = node


def _items(reading: _Reading, items: list[Node]) -> None:
    token = reading.step()
    if token == "]":
        return
    while True:
        node = Node(reading.index)
        if token in ("{", "["):
            items.append(node)
            _value(reading, node)
        else:
            _value(reading, node)
            items.append(node)
        token = reading.step()
        if token == "]":
            return
        if token != ",":
            raise _Malformed(f"',' or ']' expected, found {_shown(token)}")
        token = reading.step()


def _scalar(token: str, cut: bool) -> Scalar:
    """A token as its value; a number or a word that the end of the text cuts is none."""
    if token[:1] == '"' and len(token) > 1:
        return _string(token)
    if cut and token:
        raise _Malformed(f"the end of a value expected behind {_shown(token)}")
    if token in _WORDS:
        return _WORDS[token]
    if token.isdecimal() and token.isascii() and len(token) < 19 and (token[0] != "0" or token == "0"):
        return int(token)
    try:
        number = json.loads(token, parse_constant=_refused)
    except ValueError:
        raise _Malformed(f"a value expected, found {_shown(token)}") from None
    if isinstance(number, (int, float)):
        return number
    raise _Malformed(f"a value expected, found {_shown(token)}")


def _refused(word: str) -> None:
    raise ValueError(word)


def _string(token: str) -> str:
    if "\\" not in token:
        return token[1:-1]
    try:
        text = str(json.loads(token))
    except ValueError:
        raise _Malformed(f"a string expected, found {_shown(token)}") from None
    return text.encode("utf-8", "replace").decode("utf-8")


def _shown(token: str) -> str:
    return repr(token[:40]) if token else "the end of the text"
