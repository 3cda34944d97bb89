"""Terminal transcripts: prompts and the answers of several commands in one text, of one device or of several.

A code block of a document in Markdown ends an answer with its fence; what stands behind is prose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from roce_lint.text.section import Section

Known = Callable[[str], bool]

_PROMPT = re.compile(
    r"""[ \t]*(?:
      \[?(?:\([\w.-]+\)[ ])?[\w.-]+@(?P<at>[\w.-]+)(?P<path>(?:[:\ ][^\n$\#>%]{0,100})?)\]?[ ]?[$\#>%]
    | <(?P<angle>[\w.-]+)>
    | \[[~*]?(?P<square>[\w./-]+)\]
    | (?P<host>[A-Za-z0-9][\w-]*(?:\.[A-Za-z_-][\w-]*)*)(?:\.\d\d:\d\d:\d\d)?
      (?:[ ]\[[^]\n]{0,60}\])?(?:[ ]?\([^)\n]{1,60}\))*[ ]?[>\#]
    | (?P<bare>\$|\#|\++)(?=[ ])
    )(?P<command>[^\n]*)""",
    re.VERBOSE,
)
_SIGIL = re.compile(r"[$#>\]+]")
_ASKING = frozenset({"show", "sh", "display", "dis", "cat", "sudo", "more"})
_NAMELESS = frozenset({"localhost", "(none)", "bash", "sh"})
_HARMLESS = (
    "no-more",
    "nomore",
    "cat",
    "less",
    "more",
    "tee",
    "jq .",
    "python -m json.tool",
    "python3 -m json.tool",
    "json",
    "display json",
)
_FENCE = re.compile(r"^[ \t]*```[ \t]*\w*[ \t]*$", re.MULTILINE)
_PIPE = re.compile(r"\s\|\s?|(?<=\S)\|\s")
_REDIRECTION = re.compile(r"\s+(?:2>\s?(?:&1|/dev/null)|\|&|</dev/null)")


@dataclass(frozen=True, slots=True)
class _Prompt:
    """A line that may be a prompt with a command after it."""

    start: int
    end: int
    style: Literal["at", "host", "$", "#", "+"]
    device: str | None
    command: str
    certain: bool


def sections(text: str, known: Known) -> list[Section]:
    """The answers in a transcript, in order; nothing where the text is none.

    A prompt that names a user and a path is always one; a host's only where one of its commands is a question or `known` to a platform;
    a bare `$`, `#` or `+` only before a known command, `#` only where the text begins with one and is no script.
    """
    prompts = list(_believed(text, list(_candidates(text)), known))
    return list(_answers(text, prompts)) if prompts else []


def _candidates(text: str) -> Iterator[_Prompt]:
    for match in _lines(text):
        bare, at = match["bare"], match["at"]
        host = at or match["angle"] or match["square"] or match["host"]
        command = match["command"].strip()
        if bare is not None:
            style: Literal["$", "#", "+"] = "$" if bare == "$" else "#" if bare == "#" else "+"
            yield _Prompt(match.start(), match.end(), style, None, command, False)
        elif at is not None:
            certain = (match["path"][:1] == ":" or match[0].lstrip()[:1] == "[") and not command.startswith(("$", "#"))
            yield _Prompt(match.start(), match.end(), "at", host, command, certain)
        else:
            yield _Prompt(match.start(), match.end(), "host", host, command, False)


def _lines(text: str) -> Iterator[re.Match[str]]:
    """The lines that have the form of a prompt."""
    tried = -1
    for sigil in _SIGIL.finditer(text):
        start = text.rfind("\n", 0, sigil.start()) + 1
        if start != tried:
            tried = start
            match = _PROMPT.match(text, start)
            if match is not None:
                yield match


def _believed(text: str, candidates: list[_Prompt], known: Known) -> Iterator[_Prompt]:
    questions = {each for each in candidates if _is_known(each.command, known)}
    hosts = {each.device for each in candidates if each.certain}
    for each in candidates:
        if each.device is not None and (each in questions or each.command.split(" ")[0] in _ASKING):
            hosts.add(each.device)
    if not hosts and not questions:
        return
    start = len(text) - len(text.lstrip())
    begins = bool(candidates) and candidates[0].start <= start and (candidates[0].device in hosts or candidates[0] in questions)
    dollar = any(each.style == "$" and each in questions for each in candidates)
    traced = any(each.style == "+" and each in questions for each in candidates)
    for each in candidates:
        match each.style:
            case "at" | "host":
                believed = each.device in hosts
            case "$":
                believed = dollar
            case "+":
                believed = traced and each.command[:1].isalnum()
            case "#":
                believed = begins and each in questions and not _repeated(text, each, known)
        if believed:
            yield each


def _repeated(text: str, prompt: _Prompt, known: Known) -> bool:
    """Whether the line below is a command itself, so that this one is a remark in a script."""
    below = text[prompt.end + 1 :].split("\n", 1)[0].strip()
    return below.startswith("#!") or _is_known(below, known)


def _is_known(command: str, known: Known) -> bool:
    return bool(command) and known(asked(command)[0])


def _answers(text: str, prompts: list[_Prompt]) -> Iterator[Section]:
    names = {each.device for each in prompts if each.device is not None}
    device: str | None = None
    first = prompts[0]
    if text[: first.start].strip():
        yield Section(0, first.start, 1, None, _name(names.copy().pop()) if len(names) == 1 else None)
    line, position = 1, 0
    for index, prompt in enumerate(prompts):
        device = prompt.device or device
        line += text.count("\n", position, prompt.end)
        position = prompt.end
        last = index + 1 == len(prompts)
        start = min(prompt.end + 1, len(text))
        fence = _FENCE.search(text, start, len(text) if last else prompts[index + 1].start)
        end = fence.start() if fence is not None else len(text) if last else prompts[index + 1].start
        command, whole = asked(prompt.command)
        if not command and not text[start:end].strip():
            continue
        yield Section(start, max(start, end), line + 1, command or None, _name(device), whole)


def _name(device: str | None) -> str | None:
    return None if device is None or device.lower() in _NAMELESS else device


@lru_cache(maxsize=4096)  # the hosts of a fleet are asked the same, and each command is looked at twice
def asked(command: str) -> tuple[str, bool]:
    """A command line as what it asks, and whether the whole answer is shown.

    `cat FILE` asks for the file; what only pages, copies or formats the answer is left out; another filter shows a part of it.
    """
    command, *filters = _PIPE.split(_REDIRECTION.sub("", " " + command).strip())
    whole = all(each.strip().startswith(_HARMLESS) for each in filters)
    words = command.split()
    bare = [word for word in words if word != "sudo"]
    if len(bare) == 2 and bare[0] in ("cat", "more", "less") and "/" in bare[1]:
        return bare[1], whole
    return " ".join(words), whole
