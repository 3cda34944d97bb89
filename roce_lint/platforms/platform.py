"""What a platform package tells: how its documents are recognised and read, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from roce_lint.model.devices import Device, Job, Rdma
from roce_lint.model.document import Document, Note
from roce_lint.model.ports import Port

Statement = Device | Port | Rdma | Job | Note
Lines = Sequence[str]


def _nothing(_: Lines) -> None:
    return None


def _never(_: Lines) -> bool:
    return False


@dataclass(frozen=True, slots=True, eq=False)
class Reader:
    """How one kind of document is read.

    `asked` are the commands, or the files on the device, whose answers it reads: words with `{name}` for one free word and `...` for
    the rest. `recognise` tells the kind by content alone, for a file that no command stands over; `named` is the name that the text
    gives its device. `read` gets all documents of this kind of one device, oldest first.
    """

    name: str
    read: Callable[[Sequence[Document]], Iterator[Statement]]
    asked: tuple[str, ...] = ()
    recognise: Callable[[Lines], bool] = _never
    named: Callable[[Lines], str | None] = _nothing
    send: tuple[str, ...] = ()  # which of `asked` a collector sends


@dataclass(frozen=True, slots=True, eq=False)
class Platform:
    """One row of PLATFORMS. `completed` adds to what was read of a device the platform's defaults and what follows from its facts.

    `receive_buffer` gives the least bytes of a NIC's lossless receive buffer for a speed in bit/s, a cable in metres and an MTU.
    """

    name: str
    kind: Literal["switch", "host"]
    readers: tuple[Reader, ...]
    completed: Callable[[Device], Device] = lambda device: device
    receive_buffer: Callable[[int, int, int], int] | None = None


TIMED = ("timeout", "nice")  # with options and a number before the command
BEFORE = (*TIMED, "sudo", "-n", "do", "env", "command")
FILES = ("/sys/", "/etc/", "/proc/", "/run/", "/var/", "/boot/")


def words(command: str) -> list[str]:
    """The words of a command line without what stands before the command proper: sudo, a path, a time limit, an environment."""
    parts = command.split()
    while parts and ((parts[0] in BEFORE and len(parts) > 1) or "=" in parts[0].split("/")[0]):
        word = parts.pop(0)
        if word in TIMED:
            while parts and (parts[0].startswith("-") or parts[0][:1].isdecimal()):
                parts.pop(0)
    if parts:
        parts[0] = parts[0] if parts[0].startswith(FILES) else parts[0].rsplit("/", 1)[-1]
    return parts


def asked(pattern: str, command: str) -> Mapping[str, str] | None:
    """The free words of a pattern in a command, None where it is another command."""
    return _asked(pattern.split(), words(command))


def _asked(pattern: Sequence[str], given: Sequence[str]) -> Mapping[str, str] | None:
    free: dict[str, str] = {}
    for index, word in enumerate(pattern):
        if word == "...":
            return free
        if index >= len(given):
            return None
        if not _fits(word, given[index], free):
            return None
    return free if len(given) == len(pattern) else None


def _fits(word: str, given: str, free: dict[str, str]) -> bool:
    """Whether a word has the form of a pattern's word; each `{name}` of it takes as little as it can, and at least one character."""
    literal, brace, rest = word.partition("{")
    if not given.startswith(literal):
        return False
    if not brace:
        return given == literal
    name, _, after = rest.partition("}")
    given, following = given[len(literal) :], after.partition("{")[0]
    end = given.find(following, 1) if following and "{" in after else len(given) - len(following)
    if end < 1:
        return False
    free[name] = given[:end]
    return _fits(after, given[end:], free)
