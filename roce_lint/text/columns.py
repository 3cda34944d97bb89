"""Tables for people: a row of headings, a row of dashes that gives the columns, and rows of cells beneath."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from roce_lint.model.document import Document, Line


@dataclass(frozen=True, slots=True)
class Record:
    """A row: its cells by heading. `whole` is False where the row ends before the last column."""

    line: Line
    cells: dict[str, str]
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Columns:
    """One table of a document: the words above it, its headings and its rows."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[Record, ...]


def tables(document: Document) -> Iterator[Columns]:
    """Every table of a document whose columns a row of dashes gives."""
    lines = document.lines()
    index = 0
    while index < len(lines):
        spans = _spans(lines[index])
        if not spans or index == 0:
            index += 1
            continue
        headings = tuple(_cells(lines[index - 1], spans))
        title = lines[index - 2].strip() if index > 1 else ""
        rows: list[Record] = []
        index += 1
        while index < len(lines) and lines[index].strip() and not (_spans(lines[index]) and len(rows) == 0):
            if _spans(lines[index]):
                break
            rows.append(_record(document, index, lines[index], headings, spans))
            index += 1
        yield Columns(title, headings, tuple(rows))


def _spans(line: str) -> list[tuple[int, int]]:
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


def _cells(line: str, spans: list[tuple[int, int]]) -> Iterator[str]:
    """The text of each column; a last column may run on."""
    for number, (start, end) in enumerate(spans):
        last = number == len(spans) - 1
        yield line[start : len(line) if last else end].strip()


def _record(document: Document, index: int, text: str, headings: tuple[str, ...], spans: list[tuple[int, int]]) -> Record:
    cells = dict(zip(headings, _cells(text, spans), strict=True))
    return Record(document.line(index, text), cells, len(text.rstrip()) > spans[-1][0])
