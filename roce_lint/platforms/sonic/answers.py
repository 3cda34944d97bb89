"""What the show commands of SONiC have in common: tables by their headings, remarks beside them, numbers as they are printed.

Remarks: sonic-net/sonic-utilities scripts/pfcstat, queuestat, watermarkstat, lldpshow, pfc/main.py and pfcwd/main.py. `N/A` states nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Basis, Fact
from roce_lint.platforms.platform import Lines
from roce_lint.text.columns import CUT, SHORT, Record, cells, outside, spans_of, tables
from roce_lint.text.numbers import whole

V = TypeVar("V")
ABSENT = ("N/A", "")
LAST_HEADING = 40  # of the lines that may stand before a table: some for each of several ASICs
REMARKS = (
    "Namespace ",
    "For namespace ",
    "Changed polling interval to ",
    "BIG_RED_SWITCH status is ",
    "Ingress ",
    "Egress ",
    "Capability codes: ",
    "Total entries displayed: ",
    "Cannot find interface ",
    "...",
)
CACHED = "Last cached time"
_COUNT = re.compile(r"\d{1,3}(?:,\d{3})+|\d+", re.ASCII)


@dataclass(slots=True)
class Row:
    """A row that can be believed, with the heading and the text of its first cell that counts.

    `notes` gets one for each cell that is not understood.
    """

    record: Record
    basis: Basis
    of: str
    name: str
    notes: list[Note] = field(default_factory=list)

    @property
    def line(self) -> Line:
        return self.record.line

    def text(self, heading: str) -> str:
        return self.record.cells.get(heading, "")

    def fact(self, heading: str, read: Callable[[str], V | None], expected: str) -> Fact[V] | None:
        """A cell as a fact; None where it states nothing or `read` gives none."""
        text = self.text(heading)
        if text in ABSENT:
            return None
        value = read(text)
        if value is None:
            self.notes.append(Note(self.line, f"{expected} expected for {heading}"))
            return None
        return Fact(value, (self.line,), self.basis)

    def count(self, heading: str) -> Fact[int] | None:
        return self.fact(heading, number, "a number")

    def word(self, heading: str) -> Fact[str] | None:
        return self.fact(heading, lambda text: text, "a word")


def rows(
    document: Document, *headings: str, basis: Basis = "observed", also: Sequence[str] = (), beside: Sequence[str] = ()
) -> Iterator[Row | Note]:
    """The rows of every table with the headings, and a Note for what is no such row, table or remark.

    Of a row that is cut the name is told, and nothing else. A heading of `also` may stand for the first, and a row may end behind the last
    of `headings`. Nothing is read of a table with a heading of `beside`.
    """
    found = list(tables(document))
    for table in found:
        of = next((each for each in (headings[0], *also) if each in table.headings), None)
        if of is None or not set(headings[1:]) <= set(table.headings):
            if not set(beside) & set(table.headings):
                yield Note(table.line, f"a table with {', '.join(headings)} expected")
            continue
        for record in table.rows:
            name = record.cells[of]
            ends_early = record.fault == SHORT and all(record.cells[each] for each in headings[1:])
            fault = (None if ends_early else record.fault) or (None if name else f"{of} expected")
            if fault is not None:
                yield Note(record.line, fault)
                if record.fault in (CUT, SHORT) and name and sum(map(bool, record.cells.values())) > 1:
                    yield Row(Record(record.line, {of: name}), basis, of, name)
                continue
            yield Row(record, basis, of, name)
    for index, text in outside(document, found):
        if not is_remark(text):
            yield Note(document.line(index, text), "a row beneath its headings expected")


def asked(*commands: str) -> tuple[str, ...]:
    """Patterns of commands with up to four more words: a port, an ASIC, an option. Other words make it another question."""
    more = ("", " {a}", " {a} {b}", " {a} {b} {c}", " {a} {b} {c} {d}")
    return tuple(f"{command}{words}" for command in commands for words in more)


def is_remark(text: str) -> bool:
    """Whether a line is one that the tools print beside a table."""
    stripped = text.strip()
    return stripped.startswith(REMARKS) or CACHED in text or not stripped.strip("-")


def number(text: str) -> int | None:
    """A number with or without thousands separators."""
    return whole(text.replace(",", "")) if _COUNT.fullmatch(text) else None


def begins(*headings: str, title: str = "") -> Callable[[Lines], bool]:
    """Whether a text begins with a table that has the headings, below nothing but remarks, one of which is the title."""

    def recognise(lines: Lines) -> bool:
        titled = not title
        for index, text in enumerate(lines[:LAST_HEADING]):
            spans = spans_of(lines[index + 1]) if index + 1 < len(lines) else []
            if len(spans) > 1 and text.strip():
                return titled and set(headings) <= set(cells(text, spans))
            titled = titled or text.strip().startswith(title)
            if text.strip() and not is_remark(text):
                return False
        return False

    return recognise
