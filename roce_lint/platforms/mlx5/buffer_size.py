"""`/sys/class/net/X/qos/buffer_size`: receive buffers with their thresholds. Layout: MLNX_OFED en_sysfs.c."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_lint.model.document import Document
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer
from roce_lint.platforms.platform import Reader, Statement


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """Rows of buffer, size, xoff and xon in bytes."""
    for document in documents:
        parts = (document.command or "").split("/")
        if len(parts) < 5:
            continue
        entries: dict[int, Fact[Buffer]] = {}
        for index, text in enumerate(document.lines()):
            cells = text.split()
            if len(cells) != 4 or not all(cell.isdigit() for cell in cells):
                continue
            line = document.line(index, text)
            entries[int(cells[0])] = Fact(Buffer(size_bytes=Fact(int(cells[1]), (line,), "observed")), (line,), "observed")
        if entries:
            yield Port(parts[4], groups=Fact(Table(entries), next(iter(entries.values())).lines, "observed"))


READER = Reader("qos/buffer_size", read, asked=("/sys/class/net/{port}/qos/buffer_size",), send=("/sys/class/net/{port}/qos/buffer_size",))
