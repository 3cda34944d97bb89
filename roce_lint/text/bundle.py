"""Host bundles: what one host answered, as plain text in which every line of an answer is a line of the file.

A bundle is written by a POSIX shell with `printf` alone. TAG is a word of letters and digits that is made for the bundle, so that no
answer can hold a marker by chance; `begin` is followed by the command as it was run, or by the path of a file that was read, and is
understood as behind a prompt: `cat FILE` asks for the file, and an answer that a filter cut is not whole:

    #roce-lint-bundle 1 tag=TAG host=NAME time=2026-12-01T10:04:05Z uid=0
    #TAG begin ethtool -a ens1f0np0
    ... what the command wrote on its standard output
    #TAG stderr
    ... what it wrote on its standard error, where it wrote anything
    #TAG end 0 2026-12-01T10:04:06Z
    #TAG close 2026-12-01T10:04:09Z

`end` states the exit status and may state a time: 127 is a tool that is absent, 124 a time limit that passed. A bundle without `close` was
cut, and so was a section without `end`. One file may hold several bundles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from roce_lint.text.section import Section
from roce_lint.text.transcript import asked

HEADER = "#roce-lint-bundle "
VERSION = "1"
CANNOT_RUN = (126, 127)


@dataclass(frozen=True, slots=True)
class Answer:
    """One section: where its standard output stands, its exit status (None where it was cut), and its standard error."""

    section: Section
    status: int | None
    stderr: str = ""


@dataclass(frozen=True, slots=True)
class Bundle:
    """What one host answered. `whole` is False where the closing marker is missing; `line` is the number of its header."""

    host: str | None
    time: datetime | None
    uid: int | None
    line: int
    whole: bool
    version: str
    answers: tuple[Answer, ...] = field(default=())


def is_bundle(text: str) -> bool:
    """Whether the text holds a bundle."""
    return text.startswith(HEADER) or "\n" + HEADER in text


def bundles(text: str) -> Iterator[Bundle]:
    """The bundles in a text. What stands before the first is no part of any."""
    position = 0 if text.startswith(HEADER) else text.find("\n" + HEADER) + 1
    line = 1 + text.count("\n", 0, position)
    while position < len(text):
        following = text.find("\n" + HEADER, position)
        end = len(text) if following < 0 else following + 1
        yield _bundle(text, position, end, line)
        line += text.count("\n", position, end)
        position = end


def _bundle(text: str, start: int, end: int, line: int) -> Bundle:
    first = text.find("\n", start, end)
    header = text[start : end if first < 0 else first]
    version, *words = header[len(HEADER) :].split() or [""]
    stated = dict(word.split("=", 1) for word in words if "=" in word)
    uid = int(stated["uid"]) if stated.get("uid", "").isdecimal() else None
    marker = f"#{stated.get('tag') or 'untagged'} "
    answers, whole = ([], False) if first < 0 or version != VERSION else _answers(text, first + 1, end, line + 1, marker)
    return Bundle(stated.get("host"), moment(stated.get("time")), uid, line, whole, version, tuple(answers))


def _answers(text: str, start: int, end: int, line: int, marker: str) -> tuple[list[Answer], bool]:
    answers: list[Answer] = []
    begun: tuple[str, int, int] | None = None
    stderr: int | None = None
    for at, number, words in _markers(text, start, end, line, marker):
        after = min(text.find("\n", at, end) + 1 or end, end)
        match words:
            case ["begin", *command]:
                if begun is not None:
                    answers.append(_answer(text, begun, stderr, at, None, None))
                begun, stderr = (" ".join(command), after, number + 1), None
            case ["stderr"] if begun is not None:
                stderr = at
            case ["end", *rest] if begun is not None:
                status = int(rest[0]) if rest and rest[0].isdecimal() else None
                answers.append(_answer(text, begun, stderr, at, status, moment(rest[1]) if len(rest) > 1 else None))
                begun, stderr = None, None
            case ["close", *_]:
                return answers, begun is None
    if begun is not None:
        answers.append(_answer(text, begun, stderr, end, None, None))
    return answers, False


def _markers(text: str, start: int, end: int, line: int, marker: str) -> Iterator[tuple[int, int, list[str]]]:
    position = start
    while position < end:
        at = position if text.startswith(marker, position) else text.find("\n" + marker, position, end) + 1
        if at == 0:
            return
        line += text.count("\n", position, at)
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        yield at, line, text[at + len(marker) : stop].split()
        position, line = stop + 1, line + 1


def _answer(text: str, begun: tuple[str, int, int], stderr: int | None, end: int, status: int | None, time: datetime | None) -> Answer:
    command, start, line = begun
    out = end if stderr is None else stderr
    told = "" if stderr is None else text[stderr:end].partition("\n")[2]
    question, whole = asked(command)
    return Answer(Section(start, max(start, out), line, question, None, status == 0 and whole, time), status, told)


def moment(text: str | None) -> datetime | None:
    """A time in ISO 8601, None where it is none; UTC where it names no zone."""
    try:
        time = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    return time.replace(tzinfo=UTC) if time is not None and time.tzinfo is None else time
