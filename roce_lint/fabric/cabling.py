"""The cables that an intent states, in the file itself or in a CSV beside it: device_a,port_a,device_b,port_b,length_m."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from roce_lint.errors import RoceLintError
from roce_lint.fabric.layers import Layer
from roce_lint.model.bounds import LONGEST_CABLE_M
from roce_lint.model.devices import Cable, PortName
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Fact
from roce_lint.text.numbers import whole

HEADER = ["device_a", "port_a", "device_b", "port_b", "length_m"]
ENDS = 4


def cables(layer: Layer) -> tuple[Cable, ...]:
    """The cables of an intent. Raises RoceLintError with everything that is wrong with its CSV."""
    links = layer.intent.links
    if links is None:
        return ()
    if isinstance(links, list):
        found = list(_inline(layer))
        _agreed(layer.file.path, found)
        return tuple(found)
    path = Path(layer.file.path).parent / links.file
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise layer.error(f"links.file: {links.file!r} cannot be read: {error.strerror or error}", "links", "file") from None
    except UnicodeDecodeError:
        raise layer.error(f"links.file: text in UTF-8 expected in {links.file!r}", "links", "file") from None
    return tuple(_rows(path, text))


def _inline(layer: Layer) -> Iterator[Cable]:
    links = layer.intent.links
    for number, link in enumerate(links if isinstance(links, list) else ()):
        row = layer.fact(None, "links", number).lines
        length = layer.fact(link.length_m, "links", number, "length_m").lines if link.length_m is not None else row
        yield _cable([link.device_a, link.port_a, link.device_b, link.port_b], row, link.length_m, length)


def _cable(ends: list[str], lines: tuple[Line, ...], length_m: int | None, length_lines: tuple[Line, ...]) -> Cable:
    a, b = PortName(ends[0], ends[1]), PortName(ends[2], ends[3])
    return Cable(
        Fact(a, lines, "wanted"), Fact(b, lines, "wanted"), Fact(length_m, length_lines, "wanted") if length_m is not None else None
    )


def _rows(path: Path, text: str) -> list[Cable]:
    from roce_lint.text.userfile import UserFileErrors

    document = Document(path.name, lambda: text)
    rows = csv.reader(io.StringIO(text, newline=""))
    found: list[Cable] = []
    errors: list[RoceLintError] = []
    width = 0
    try:
        for row in rows:
            cells = [each.strip() for each in row]
            if not any(cells):
                continue
            said = _said(cells, width) if width else _header_said(cells)
            if said is not None:
                errors.append(RoceLintError(said, str(path), rows.line_num))
                if not width:
                    break
            elif not width:
                width = len(cells)
            else:
                lines = (document.line(rows.line_num - 1, ",".join(row)),)
                length = cells[ENDS] if len(cells) > ENDS else ""
                found.append(_cable(cells, lines, whole(length), lines))
    except csv.Error as error:
        errors.append(RoceLintError(f"a row of a CSV expected: {error}", str(path), rows.line_num))
    if not width and not errors:
        errors.append(RoceLintError(f"the header {','.join(HEADER)} expected, found nothing", str(path), 1))
    if errors:
        raise UserFileErrors(errors)
    _agreed(str(path), found)
    return found


def _agreed(path: str, found: Iterable[Cable]) -> None:
    """Raises UserFileErrors where a cable stands twice with two lengths."""
    from roce_lint.text.userfile import UserFileErrors

    errors: list[RoceLintError] = []
    lengths: dict[frozenset[PortName], Fact[int]] = {}
    for cable in found:
        length = cable.length_m
        first = lengths.setdefault(frozenset((cable.a.value, cable.b.value)), length) if length is not None else None
        if length is not None and first is not None and first.value != length.value:
            said = f"one length of a cable expected, found {length.value} m here and {first.value} m on line {first.lines[0].number}"
            errors.append(RoceLintError(said, path, length.lines[0].number))
    if errors:
        raise UserFileErrors(errors)


def _header_said(cells: list[str]) -> str | None:
    """What is wrong with a header; the last column may be left out. What the file holds is not shown: it may be any file."""
    if cells in (HEADER, HEADER[:ENDS]):
        return None
    absent = [name for name in HEADER[:ENDS] if name not in cells]
    return f"the header {','.join(HEADER)} expected; the first row {f'lacks {absent[0]}' if absent else 'has more, or another order'}"


def _said(cells: list[str], width: int) -> str | None:
    """What is wrong with a row below a header of `width` columns."""
    if len(cells) not in (ENDS, width) or not all(cells[:ENDS]):
        return f"{','.join(HEADER[:width])} expected, found {','.join(cells)[:80]}"
    if not all(cell.isprintable() for cell in cells):
        return f"names in print expected, found {','.join(cells)[:80]!r}"
    length = cells[ENDS] if len(cells) > ENDS else ""
    metres = whole(length)
    if length and (metres is None or metres > LONGEST_CABLE_M):
        return f"length_m: a whole number of metres from 0 to {LONGEST_CABLE_M} expected, not {length[:40]!r}"
    return None
