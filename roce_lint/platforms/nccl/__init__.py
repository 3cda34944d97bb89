"""NCCL's settings: conf files, environment files and what shell scripts export.

Names, defaults and the reading of files and numbers: NVIDIA/nccl src/misc/param.cc (strtoll in base 0, so that what follows the digits
is passed over; of a conf file the first line of a variable counts, `#` begins a remark in the first column alone, nothing is trimmed or
unquoted), src/transport/net_ib (-1 is unset; an unset traffic class is 0; the list of HCAs).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from roce_lint.model.devices import Hcas, Job
from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact
from roce_lint.platforms.nccl import shell
from roce_lint.platforms.platform import Lines, Platform, Reader, Statement

NUMBERS = {
    "NCCL_IB_TC": "traffic_class",
    "NCCL_IB_FIFO_TC": "fifo_traffic_class",
    "NCCL_GIN_IB_TC": "gin_traffic_class",
    "NCCL_IB_SL": "service_level",
    "NCCL_IB_GID_INDEX": "gid_index",
}
HCAS = "NCCL_IB_HCA"
PREFIX = "NCCL_"
UNSET = -1
LARGEST = 255
LEVEL, LARGEST_LEVEL = "NCCL_IB_SL", 15  # four bits, of which a VLAN tag has room for three
LONGEST = 63  # characters of a number
_STRTOLL = re.compile(r"\s*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)(.*)", re.DOTALL)


@dataclass(slots=True)
class _Settings:
    """What one file sets, while it is read."""

    facts: dict[str, Fact[object]] = field(default_factory=dict)
    first: Line | None = None


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """A job of each file that sets a variable of NCCL; its name is that of the file."""
    for document in documents:
        name = document.command.removeprefix("cat ").split()[0] if document.command else document.path
        found = _Settings()
        yield from _conf(document, found) if name.endswith(".conf") else _script(document, found)
        if found.first is not None:
            yield Job(
                name,
                application=Fact("nccl", (found.first,), "configured"),
                default_traffic_class=Fact(0, (found.first,), "default"),
                site_wide=Fact(True, (found.first,), "configured") if name.endswith("/nccl.conf") or name == "nccl.conf" else None,
                **found.facts,  # type: ignore[arg-type]
            )


def _conf(document: Document, found: _Settings) -> Iterator[Note]:
    """Lines of VAR=VALUE; of a variable that stands twice the first line counts."""
    seen: set[str] = set()
    for index, text in enumerate(document.lines()):
        variable, sign, value = text.partition("=")
        if text.startswith("#") or not text.strip():
            continue
        line = document.line(index, text)
        if not sign or variable != variable.strip() or not variable.isascii() or " " in variable:
            if PREFIX in text:
                yield Note(line, "VARIABLE=VALUE from the first column expected")
            continue
        if variable.startswith(PREFIX) and variable not in seen:
            seen.add(variable)
            yield from _setting(found, variable, value, line)


def _script(document: Document, found: _Settings) -> Iterator[Note]:
    """Lines of a shell script or of an environment file, in order; a later one replaces an earlier."""
    for index, text in enumerate(document.lines()):
        if PREFIX not in text:
            continue
        line = document.line(index, text)
        for variable, value in shell.settings(text):
            if not variable.startswith(PREFIX):
                continue
            if value is None:
                _unset(found, variable)
            else:
                yield from _setting(found, variable, value, line)


def _unset(found: _Settings, variable: str) -> None:
    found.facts.pop("hcas" if variable == HCAS else NUMBERS.get(variable, ""), None)


def _setting(found: _Settings, variable: str, value: str, line: Line) -> Iterator[Note]:
    found.first = found.first or line
    name = NUMBERS.get(variable)
    if name is None and variable != HCAS:
        return
    _unset(found, variable)
    if not value:
        return
    if any(sign in value for sign in shell.UNKNOWN):
        yield Note(line, f"the value of {variable} is known only when the script runs")
    elif name is None:
        hcas = _hcas(value)
        if hcas is not None:
            found.facts["hcas"] = Fact(hcas, (line,), "configured")
    else:
        match = _STRTOLL.fullmatch(value)
        if match is None or len(match[2]) > LONGEST:
            yield Note(line, f"a number expected for {variable}, found {value!r}")
            return
        if match[3].strip():
            yield Note(line, f"{match[3].strip()!r} behind the number of {variable} is passed over")
        number, most = _number(match[1], match[2]), LARGEST_LEVEL if variable == LEVEL else LARGEST
        if 0 <= number <= most:
            found.facts[name] = Fact(number, (line,), "configured")
        elif number != UNSET:
            yield Note(line, f"a number from 0 to {most} expected for {variable}")


def _number(sign: str, digits: str) -> int:
    """A number as strtoll reads it in base 0: hexadecimal with 0x, octal with a leading 0."""
    number = int(digits, 16) if digits[:2].lower() == "0x" else int(digits, 8) if digits.startswith("0") else int(digits)
    return -number if sign == "-" else number


def _hcas(text: str) -> Hcas | None:
    """`^` before the list leaves out; `=` takes whole names, else each name takes every device that begins with it; `:1` is a port."""
    rest = text
    excluded = rest.startswith("^")
    rest = rest.removeprefix("^")
    exact = rest.startswith("=")
    names = frozenset(name.split(":")[0] for name in rest.removeprefix("=").split(",")) - {""}
    return Hcas(names, exact, excluded) if names else None


def recognise(lines: Lines) -> bool:
    """Whether a line sets a variable of NCCL and is one of a script, an environment file or a conf file."""
    return any(PREFIX in line and any(name.startswith(PREFIX) and value for name, value in shell.settings(line)) for line in lines)


READER = Reader(
    "nccl",
    read,
    asked=("/etc/nccl.conf", "cat /etc/nccl.conf", "{home}/.nccl.conf", "cat {home}/.nccl.conf", "env", "printenv"),
    recognise=recognise,
    send=("/etc/nccl.conf",),
)
PLATFORM = Platform("nccl", "host", (READER,))
