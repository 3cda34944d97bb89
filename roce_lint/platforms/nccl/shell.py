"""What a line of a shell script sets in the environment: words, quotes, remarks and separators as POSIX 2.2 and 2.3 have them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_TOKEN = re.compile(
    r"""(?P<blank>[ \t]+)
      | (?P<remark>\#.*)
      | (?P<end>[;&|()]+)
      | (?P<word>(?:[^\s;&|()'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)
      | (?P<rest>.)
    """,
    re.VERBOSE,
)
_PART = re.compile(r"""'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^'"\\]+)""")
_ASSIGNED = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_SPOKEN = frozenset({"if", "then", "else", "elif", "do", "while", "until", "{", "}", "!", "time", "exec", "env", "sudo", "command"})
_DECLARED = frozenset({"export", "declare", "typeset", "local", "readonly"})
_PASSES = frozenset({"-x", "-e", "--env", "-genv"})
_LISTS = ("--export=", "--env=", "-x=")
UNKNOWN = "$`"


def settings(text: str) -> Iterator[tuple[str, str | None]]:
    """The variables that a line sets, for the rest of a script or for the one command that it starts, with their values.

    None for one that it removes. A value that only the shell knows keeps its `$`. What a line only prints is none.
    """
    for words in commands(text):
        yield from _set(words)


def commands(text: str) -> Iterator[list[str]]:
    """The simple commands of a line, each as its words with quotes where they stand."""
    words: list[str] = []
    open_word = False
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup, match[0]
        if kind == "remark" and not open_word:
            break
        if kind in ("word", "remark", "rest") and open_word:
            words[-1] += token
        elif kind in ("word", "rest"):
            words.append(token)
        elif kind == "end":
            yield words
            words = []
        open_word = kind in ("word", "remark", "rest")
    yield words


def _set(words: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    rest = list(words)
    while rest and (rest[0] in _SPOKEN or rest[0].startswith("-")):
        rest.pop(0)
    if rest[:1] == ["unset"]:
        yield from ((name, None) for name in rest[1:] if not name.startswith("-"))
        return
    if rest[:1] == ["setenv"] and len(rest) == 3:
        yield rest[1], unquoted(rest[2])
        return
    declared = bool(rest) and rest[0] in _DECLARED
    if declared:
        rest.pop(0)
    while rest and (declared or _ASSIGNED.match(rest[0])):
        found = _ASSIGNED.match(rest.pop(0))
        if found is not None:
            yield found[1], unquoted(found[2])
    yield from _passed(rest)


def _passed(words: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """What a launcher passes on: `mpirun -x A=1`, `docker run -e A=1`, `srun --export=ALL,A=1`, `env A=1`."""
    for index, word in enumerate(words):
        given = [words[index + 1]] if word in _PASSES and index + 1 < len(words) else []
        for option in _LISTS:
            given += unquoted(word.removeprefix(option)).split(",") if word.startswith(option) else []
        for each in given:
            found = _ASSIGNED.fullmatch(unquoted(each))
            if found is not None:
                yield found[1], found[2]


def unquoted(word: str) -> str:
    """A word without its quotes."""
    if not any(sign in word for sign in "'\"\\"):
        return word
    return "".join(match[1] or match[2] or match[3] or match[4] or "" for match in _PART.finditer(word))
