"""What a host calls itself: `hostname`, `uname -n`, `uname -a`, `/etc/hostname`, `hostnamectl`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_lint.model.devices import Device
from roce_lint.model.document import Document
from roce_lint.model.facts import Fact
from roce_lint.platforms.platform import Lines, Reader, Statement

NAMELESS = frozenset({"localhost", "localhost.localdomain", "(none)"})


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """The device by its own name."""
    for document in documents:
        for index, text in enumerate(document.lines()):
            name = _name(text)
            if name is not None:
                yield Device(name, named=Fact(name, (document.line(index, text),), "observed"))
                break


def _name(text: str) -> str | None:
    match text.split():
        case ["Linux", name, *_] | ["Static", "hostname:", name] | [name] if name not in NAMELESS and name[:1].isalnum():
            return name
    return None


def named(lines: Lines) -> str | None:
    """The name that an answer gives the host."""
    return next((name for line in lines if (name := _name(line)) is not None), None)


READER = Reader(
    "hostname",
    read,
    asked=(
        "hostname",
        "hostname -f",
        "hostname -s",
        "uname -n",
        "uname -a",
        "/etc/hostname",
        "cat /etc/hostname",
        "hostnamectl",
        "hostnamectl ...",
    ),
    named=named,
    send=("hostname",),
)
