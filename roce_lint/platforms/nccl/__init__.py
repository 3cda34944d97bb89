"""NCCL's settings: conf files, environment files and `export` lines of shell scripts.

Names, defaults and the reading of numbers (strtoll, base 0; -1 is unset): NVIDIA/nccl src/transport/net_ib and src/misc/param.cc.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from roce_lint.model.devices import Hcas, Job
from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact
from roce_lint.platforms.platform import Lines, Platform, Reader, Statement

NUMBERS = {
    "NCCL_IB_TC": "traffic_class",
    "NCCL_IB_FIFO_TC": "fifo_traffic_class",
    "NCCL_GIN_IB_TC": "gin_traffic_class",
    "NCCL_IB_SL": "service_level",
    "NCCL_IB_GID_INDEX": "gid_index",
}
SITE_WIDE = ("nccl.conf",)
_SETTING = re.compile(r"(NCCL_[A-Z0-9_]+)=(\"[^\"]*\"|'[^']*'|[^\s;\\]*)")
_BEFORE = re.compile(r"\s*(?:.*\s-x\s+|(?:export\s+|env\s+|setenv\s+)?(?:[A-Za-z_]\w*=\S*\s+)*)")
_ALONE = re.compile(r"\s*(?:export\s+)?(?:[A-Z_][A-Z0-9_]*=(?:\"[^\"]*\"|'[^']*'|\S*)\s*)+(?:[;#\\].*)?")


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """A job of each file."""
    for document in documents:
        yield from _job(document)


def _job(document: Document) -> Iterator[Statement]:
    name = document.command.split()[0] if document.command else document.path
    facts: dict[str, Fact[object]] = {}
    first: Line | None = None
    shell = not name.endswith(".conf")
    for index, text in enumerate(document.lines()):
        if text.startswith("#") or (shell and text.lstrip().startswith("#")):
            continue
        for variable, given in settings(text):
            line = document.line(index, text)
            first = first or line
            value = given.strip("\"'") if shell else given
            field = NUMBERS.get(variable)
            if field is not None:
                number = _number(value)
                if number is None:
                    if "$" not in value:
                        yield Note(line, f"a number expected for {variable}")
                elif number == -1:
                    facts.pop(field, None)
                else:
                    facts[field] = Fact(number, (line,), "configured")
            elif variable == "NCCL_IB_HCA" and value and "$" not in value:
                facts["hcas"] = Fact(_hcas(value), (line,), "configured")
    if first is None:
        return
    default = Fact(0, (first,), "default")
    wide = Fact(True, (first,), "configured") if name.rsplit("/", 1)[-1] in SITE_WIDE else None
    yield Job(name, application=Fact("nccl", (first,), "configured"), default_traffic_class=default, site_wide=wide, **facts)  # type: ignore[arg-type]


def settings(text: str) -> Iterator[tuple[str, str]]:
    """The variables that a line sets for what it starts or for the rest of the script; what a line only prints is none."""
    for match in _SETTING.finditer(text):
        if _BEFORE.fullmatch(text[: match.start()]) is not None:
            yield match[1], match[2]


def _number(text: str) -> int | None:
    """A number as strtoll reads it: hexadecimal with 0x, octal with a leading 0."""
    try:
        return int(text, 8) if len(text) > 1 and text[0] == "0" and text.isdigit() else int(text, 0)
    except ValueError:
        return None


def _hcas(text: str) -> Hcas:
    """`=` before the list takes whole names, `^` leaves out; else each name takes every device that begins with it."""
    excluded = text.startswith("^")
    rest = text.removeprefix("^")
    exact = rest.startswith("=")
    names = frozenset(name.split(":")[0].strip() for name in rest.removeprefix("=").split(",") if name.strip())
    return Hcas(names, exact, excluded)


def recognise(lines: Lines) -> bool:
    """Whether a line does nothing but set a variable of NCCL, or a launcher passes one on with -x."""
    return any(
        "NCCL_" in line and not line.lstrip().startswith("#") and any(settings(line)) and (_ALONE.fullmatch(line) or " -x " in line)
        for line in lines
    )


READER = Reader(
    "nccl",
    read,
    asked=("/etc/nccl.conf", "{home}/.nccl.conf", "env ...", "printenv ..."),
    recognise=recognise,
    send=("/etc/nccl.conf",),
)
PLATFORM = Platform("nccl", "host", (READER,))
