"""`mlxreg -d BDF --reg_name ROCE_ACCL --get`: how the transport of a ConnectX is tuned now; lost at a reset.

Rows and fields: Mellanox/mstflint tools_layouts/register_access_table.adb. A `_field_select` of 1 says that the field is supported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact
from roce_lint.model.ports import Port
from roce_lint.platforms.mlx5.mlxconfig import address
from roce_lint.platforms.platform import Lines, Reader, Statement, words

_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]{1,16}")
_SELECTOR = "_field_select"
_PASSED = ("Sending access register", "Field Name", "====")


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """A port of each answer, by the PCI address in the command, with its supported fields and their values as printed."""
    for document in documents:
        parts = words(document.command or "")
        name = address(parts[parts.index("-d") + 1]) if "-d" in parts[:-1] else None
        fields: dict[str, str] = {}
        first: Line | None = None
        for index, text in enumerate(document.lines()):
            field, bar, value = (part.strip() for part in text.partition("|"))
            if not text.strip() or text.startswith(_PASSED):
                continue
            if not bar or not field or not _HEXADECIMAL.fullmatch(value):
                yield Note(document.line(index, text), "a field and its value in hexadecimal expected")
                continue
            fields[field] = value
            first = first or document.line(index, text)
        if first is None:
            continue
        if name is None:
            yield Note(first, "the command with the PCI address of the card expected above", failed=True)
            continue
        yield Port(name, firmware_registers=Fact(dict(_supported(fields)), (first,), "observed"))


def _supported(fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The fields without their selectors and without those that a selector of 0 says to be absent."""
    for field, value in fields.items():
        selector = fields.get(f"{field.removesuffix('_en')}{_SELECTOR}", fields.get(f"{field}{_SELECTOR}"))
        if not field.endswith(_SELECTOR) and (selector is None or selector.strip("0x")):
            yield field, value


def recognise(lines: Lines) -> bool:
    """Whether a text is the register ROCE_ACCL without its command."""
    return any(line.startswith("roce_adp_retrans_") for line in lines[:12])


ASKED = ("--reg_name ROCE_ACCL --get", "--get --reg_name ROCE_ACCL")
READER = Reader(
    "mlxreg",
    read,
    asked=tuple(f"{tool} -d {{pci}} {rest}" for tool in ("mlxreg", "mstreg") for rest in ASKED),
    recognise=recognise,
    send=("mlxreg -d {pci} --reg_name ROCE_ACCL --get",),
)
