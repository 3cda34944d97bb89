"""A small switch and a small host platform, made up, with which reading is tested apart from any real one.

`SWITCH NAME` begins a switch's configuration; `port NAME mtu N` is the one statement of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_lint.model.document import Document, Note
from roce_lint.model.facts import Fact
from roce_lint.model.ports import Port
from roce_lint.platforms.platform import Lines, Platform, Reader, Statement


def ports(documents: Sequence[Document]) -> Iterator[Statement]:
    for document in documents:
        for index, text in enumerate(document.lines()):
            match text.split():
                case ["port", name, "mtu", number] if number.isdecimal():
                    yield Port(name, mtu=Fact(int(number), (document.line(index, text),), "configured"))
                case ["port", *_]:
                    yield Note(document.line(index, text), "port NAME mtu N expected")
                case ["boom"]:
                    raise RuntimeError("boom")


def starts(word: str) -> Reader:
    def named(lines: Lines) -> str | None:
        words = next((line.split() for line in lines if line.startswith("SWITCH ")), [])
        if "broken" in words:
            raise RuntimeError("broken")
        return words[1] if len(words) == 2 and words[1] != "?" else None

    def recognise(lines: Lines) -> bool:
        return any(line.startswith(word) for line in lines)

    return Reader("config", ports, ("show config",), recognise, named)


SWITCH = Platform("toyswitch", "switch", (starts("SWITCH"), Reader("mtu", ports, ("show mtu", "show mtu {port}"))))
OTHER = Platform("toyother", "switch", (Reader("other", ports, ("show mtu", "show other"), starts("OTHER").recognise),))
HOST = Platform("toyhost", "host", (Reader("link", ports, ("ip link", "/sys/{port}/mtu"), starts("HOST").recognise),))
PLATFORMS = (SWITCH, OTHER, HOST)
