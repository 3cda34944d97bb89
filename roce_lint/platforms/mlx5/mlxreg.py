"""`mlxreg -d BDF --reg_name ROCE_ACCL --get`: how the transport of a ConnectX is tuned now; lost at a reset.

Rows and fields: Mellanox/mstflint tools_layouts/register_access_table.adb. A `_field_select` of 1 says that the field is supported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact
from roce_lint.model.ports import Port
from roce_lint.platforms.mlx5.mlxconfig import address
from roce_lint.platforms.platform import Lines, Reader, Statement, words

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
            if not bar or not field or not value.startswith("0x"):
                yield Note(document.line(index, text), "a field and its value in hexadecimal expected")
                continue
            fields[field] = value
            first = first or document.line(index, text)
        if first is None:
            continue
        if name is None:
            yield Note(first, "the command with the PCI address of the card expected above", failed=True)
            continue
        selected = {field: value for field, value in fields.items() if not field.endswith("_field_select")}
        absent = {
            field.removesuffix("_field_select")
            for field, value in fields.items()
            if field.endswith("_field_select") and not value.strip("0x")
        }
        kept = {field: value for field, value in selected.items() if field not in absent and field.removesuffix("_en") not in absent}
        yield Port(name, firmware_registers=Fact(kept, (first,), "observed"))


def recognise(lines: Lines) -> bool:
    """Whether a text is the register ROCE_ACCL without its command."""
    return any(line.startswith("roce_adp_retrans_") for line in lines[:12])


READER = Reader(
    "mlxreg",
    read,
    asked=(
        "mlxreg -d {pci} --reg_name ROCE_ACCL --get",
        "mstreg -d {pci} --reg_name ROCE_ACCL --get",
        "mlxreg -d {pci} --get --reg_name ROCE_ACCL",
    ),
    recognise=recognise,
    send=("mlxreg -d {pci} --reg_name ROCE_ACCL --get",),
)
