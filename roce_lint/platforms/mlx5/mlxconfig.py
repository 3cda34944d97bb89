"""`mlxconfig -d BDF [-e] q`: what the firmware holds, by default, now and after the next boot.

Columns and names: Mellanox/mstflint mlxconfig/mlxcfg_ui.cpp. Values break the columns where they are long, so a row is split at blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Basis, Fact
from roce_lint.model.ports import Port
from roce_lint.model.qos import Cnp
from roce_lint.platforms.platform import Lines, Reader, Statement, words

_NUMBER = re.compile(r"(?:[\w.\-]*\()?(0x[0-9a-fA-F]+|\d+)\)?")
_TRUST = {0: "port", 1: "pcp", 2: "dscp", 3: "both"}
_CNP = {"CNP_DSCP": "dscp", "CNP_802P_PRIO": "pcp", "MIN_TIME_BETWEEN_CNPS": "interval_us"}


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """Ports by their PCI address; port 2 of a card is the next function."""
    for document in documents:
        device = _asked_device(document.command)
        columns = 1
        settings: dict[str, str] = {}
        first: Line | None = None
        for index, text in enumerate(document.lines()):
            parts = text.split()
            if parts[:1] == ["Device:"] and len(parts) == 2 and parts[1] != "N/A":
                device = parts[1]
            elif parts[:1] == ["Configurations:"]:
                columns = 3 if "Current" in parts else 1
            elif device is not None:
                row = _row(parts, columns)
                if row is None:
                    continue
                line = document.line(index, text)
                first = first or line
                name, current, following = row
                settings[name] = following
                yield from _stated(device, name, current, following, line)
        if device is not None and first is not None:
            yield Port(device, firmware_settings=Fact(settings, (first,), "next_boot"))


def _asked_device(command: str | None) -> str | None:
    parts = words(command or "")
    return parts[parts.index("-d") + 1] if "-d" in parts[:-1] else None


def _row(parts: Sequence[str], columns: int) -> tuple[str, str | None, str] | None:
    """Name, current and next value of a row; the marks * and RO before the name are passed over."""
    rest = [part for part in parts if part not in ("*", "RO")]
    if len(rest) != columns + 1 or not rest[0].replace("_", "").isalnum() or not rest[0].isupper():
        return None
    return rest[0], rest[2] if columns == 3 else None, rest[-1]


def _stated(device: str, name: str, current: str | None, following: str, line: Line) -> Iterator[Port]:
    base, _, port = name.rpartition("_P")
    if port not in ("1", "2"):
        return
    function = device if port == "1" else _next_function(device)
    if function is None:
        return
    for text, basis in ((current, "configured"), (following, "next_boot")):
        match = _NUMBER.fullmatch(text) if text is not None else None
        if match is None:
            continue
        number = int(match[1], 0)
        if base in _CNP:
            yield Port(function, cnp=Cnp(**{_CNP[base]: _fact(number, line, basis)}))
        elif base == "QOS_TRUST_STATE" and number in _TRUST and basis == "next_boot":
            yield Port(function, trust=_fact(_TRUST[number], line, basis))  # type: ignore[arg-type]


def _fact(value: int | str, line: Line, basis: str) -> Fact[int]:
    kind: Basis = "configured" if basis == "configured" else "next_boot"
    return Fact(value, (line,), kind)  # type: ignore[arg-type]


def _next_function(device: str) -> str | None:
    """0000:e6:00.1 of 0000:e6:00.0."""
    head, dot, function = device.rpartition(".")
    return f"{head}.1" if dot and function == "0" else None


def recognise(lines: Lines) -> bool:
    """Whether a text is an answer of mlxconfig without its command."""
    return any(line.startswith("Device type:") for line in lines[:12]) and any(line.startswith("Configurations:") for line in lines)


READER = Reader(
    "mlxconfig",
    read,
    asked=("mlxconfig -d {pci} -e q", "mlxconfig -d {pci} q", "mstconfig -d {pci} -e q", "mstconfig -d {pci} q", "mlxconfig -e -d {pci} q"),
    recognise=recognise,
    send=("mlxconfig -d {pci} -e q",),
)
