"""Tables for people: a row of headings, a row of dashes that gives the columns, and rows of cells beneath.

Layout: `simple` of python-tabulate, where every cell keeps to its column. A rule of one piece ends a table of several columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from roce_lint.model.document import Document, Line

CUT = "the row is cut"
SHORT = "a cell beneath the last heading expected"
CROOKED = "cells beneath their headings expected"
Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Record:
    """A row: its cells by heading. `fault` says why they are not all there, or cannot be believed: text stands between the columns."""

    line: Line
    cells: dict[str, str]
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """One table of a document: its headings with their line, and its rows. `start` and `end` are the lines that it takes up."""

    line: Line
    headings: tuple[str, ...]
    rows: tuple[Record, ...]
    start: int
    end: int


def tables(document: Document) -> Iterator[Columns]:
    """Every table of a document whose columns a row of dashes gives."""
    lines = document.lines()
    rules = [
        (index, spans)
        for index, text in enumerate(lines)
        if "--" in text and len(spans := spans_of(text)) > 1 and index > 0 and lines[index - 1].strip()
    ]
    open_end = len(lines) - 1 if not document.read().endswith("\n") else -1
    for number, (index, spans) in enumerate(rules):
        headings = cells(lines[index - 1], spans)
        end = rules[number + 1][0] - 1 if number + 1 < len(rules) else len(lines)
        rows: list[Record] = []
        at = index + 1
        while at < end and not lines[at].strip():
            at += 1
        while at < end and lines[at].strip() and not spans_of(lines[at]):
            rows.append(_record(document, at, lines[at], headings, spans, at == open_end))
            at += 1
        if rows and at == end < len(lines) and rows[-1].fault is not None:
            rows.pop()
            at -= 1
        closed = at < end and len(spans_of(lines[at])) == 1
        yield Columns(document.line(index - 1, lines[index - 1]), tuple(headings), tuple(rows), index - 1, at + closed)


def outside(document: Document, found: Sequence[Columns]) -> Iterator[tuple[int, str]]:
    """The lines that hold something and belong to no table."""
    taken = {index for table in found for index in range(table.start, table.end)}
    return ((index, text) for index, text in enumerate(document.lines()) if text.strip() and index not in taken)


def spans_of(line: str) -> list[tuple[int, int]]:
    """Where the columns of a row of dashes begin and end; none for another row."""
    if not line.strip() or set(line) - set("- "):
        return []
    spans: list[tuple[int, int]] = []
    start: int | None = None
    for position, character in enumerate(f"{line} "):
        if character == "-" and start is None:
            start = position
        elif character != "-" and start is not None:
            spans.append((start, position))
            start = None
    return spans


def cells(line: str, spans: Spans) -> list[str]:
    """The text of each column; the last may run on."""
    return [line[start : end if number < len(spans) - 1 else None].strip() for number, (start, end) in enumerate(spans)]


def _record(document: Document, index: int, text: str, headings: Sequence[str], spans: Spans, is_open: bool) -> Record:
    """`is_open` where the document ends behind the row without the end of a line: a last cell that could be longer is cut."""
    fault = None
    if is_open and len(text) < spans[-1][1]:
        fault = CUT
    elif text[: spans[0][0]].strip() or any(text[end:start].strip() for (_, end), (start, _) in pairwise(spans)):
        fault = CROOKED
    elif len(text.rstrip()) <= spans[-1][0]:
        fault = SHORT
    return Record(document.line(index, text), dict(zip(headings, cells(text, spans), strict=True)), fault)
