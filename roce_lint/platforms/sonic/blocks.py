"""Objects as `show ecn`, `show buffer configuration`, `show buffer information` and `show mmu` print them: a heading and two columns.

    Profile: NAME            Pool for namespace asic0: NAME            Lossless traffic pattern:
    ----------  -------      ----  --------                            --------------------  -
    ecn         ecn_all      type  ingress                             over_subscribe_ratio  2
    ----------  -------      ----  --------                            --------------------  -

Source: sonic-net/sonic-utilities scripts/ecnconfig, scripts/mmuconfig and tests/. A release prints a WRED profile's name as `**NAME**`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from roce_lint.model.document import Document, Note
from roce_lint.model.facts import Basis
from roce_lint.platforms.sonic.fields import FIELDS
from roce_lint.platforms.sonic.tables import Row, Source, Tables, add, check
from roce_lint.text.numbered_json import Node

PATTERN = "Lossless traffic pattern"
RATIO = "over_subscribe_ratio"
CUT = "the object is cut"


class Heading(NamedTuple):
    kind: str
    space: str
    name: str


def heading(text: str) -> Heading | None:
    """`Profile: NAME` or `Pool for namespace asic0: NAME`."""
    before, colon, name = text.strip().partition(":")
    if not colon:
        return None
    match before.split():
        case ["Profile" | "Pool" as kind, *rest] if name.strip() and rest[:2] in ([], ["for", "namespace"]) and len(rest) != 2:
            return Heading(kind, rest[2] if rest else "", name.strip().strip("*"))
        case ["Lossless", "traffic", "pattern", *rest] if not name.strip():
            return Heading(PATTERN, rest[2] if len(rest) == 3 else "", "AZURE")
    return None


def is_rule(text: str) -> bool:
    return text.strip().startswith("--") and not text.strip(" -")


def recognise(lines: Sequence[str]) -> bool:
    """A heading, a rule beneath it, and fields that such an object has."""
    first = next((index for index, text in enumerate(lines) if text.strip()), None)
    if first is None or first + 2 >= len(lines) or heading(lines[first]) is None or not is_rule(lines[first + 1]):
        return False
    words = lines[first + 2].split()
    known = FIELDS["WRED_PROFILE"] | FIELDS["BUFFER_POOL"] | FIELDS["BUFFER_PROFILE"] | {"default_dynamic_th", RATIO}
    return len(words) == 2 and words[0] in known


def read_blocks(document: Document, basis: Basis, tables_of: Callable[[str], Tables]) -> None:
    """Puts the objects that a document shows into the tables of each ASIC."""
    source = Source(document, document.lines(), basis)
    for named, index, fields, whole in _objects(source):
        found = tables_of(named.space)
        if not whole:
            last = next(reversed(fields.values())).index if fields else index
            found.notes.append(Note(source.line(last), CUT))
            fields = dict(list(fields.items())[:-1])
        table = _table(named, fields)
        if table is None:
            found.notes.append(Note(source.line(index), "the fields of a WRED profile, a buffer profile or a pool expected"))
        else:
            check(found, table, source, fields)
            add(found, table, named.name, Row(source, index, fields, whole))


def _objects(source: Source) -> Iterator[tuple[Heading, int, dict[str, Node], bool]]:
    named: Heading | None = None
    start, fields, ruled = 0, dict[str, Node](), False
    for index, text in enumerate(source.texts):
        if is_rule(text) and named is not None:
            if ruled:
                yield named, start, fields, True
                named = None
            ruled = True
            continue
        found = heading(text)
        if found is not None:
            if named is not None and ruled:
                yield named, start, fields, False
            named, start, fields, ruled = found, index, {}, False
        elif ruled and named is not None and text.strip():
            words = text.split(None, 1)
            fields[words[0]] = Node(index, words[1].strip() if len(words) > 1 else "", key_index=index)
    if named is not None and ruled:
        yield named, start, fields, False


def _table(named: Heading, fields: dict[str, Node]) -> str | None:
    if named.kind == PATTERN:
        return "DEFAULT_LOSSLESS_BUFFER_PARAMETER"
    if named.kind == "Pool":
        return "BUFFER_POOL"
    known = [table for table in ("WRED_PROFILE", "BUFFER_PROFILE") if fields and fields.keys() & FIELDS[table]]
    return known[0] if len(known) == 1 else None
