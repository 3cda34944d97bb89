"""`roce-lint decode BYTE`: a traffic-class byte taken apart."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence

from roce_lint.cli.options import planning
from roce_lint.errors import RoceLintError
from roce_lint.model.plan import Want
from roce_lint.text.numbers import whole_or_hexadecimal

ECN = ("Not-ECT, no ECN", "ECT(1)", "ECT(0)", "CE, congestion experienced")
OTHERS = {1: "LE", 44: "VOICE-ADMIT", 46: "EF"}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("byte", metavar="BYTE", help="a traffic class or a type of service, as 106 or 0x6a")
    planning(parser)


def run(options: Namespace) -> int:
    value = byte(options.byte)
    print("\n".join(_lines(value, _classes(options) if options.intent or options.profile else None)))
    return 0


def byte(text: str) -> int:
    """A byte in decimal or hexadecimal. Raises RoceLintError."""
    value = whole_or_hexadecimal(text)
    if value is None or value > 255:
        raise RoceLintError(f"a byte from 0 to 255 expected, as 106 or 0x6a, not {text!r}")
    return value


def dscp_name(dscp: int) -> str | None:
    """The name of a DSCP: RFC 2474, 2597, 3246, 5865 and 8622. None where it has none."""
    precedence, rest = divmod(dscp, 8)
    if rest == 0:
        return f"CS{precedence}"
    if rest in (2, 4, 6) and 1 <= precedence <= 4:
        return f"AF{precedence}{rest // 2}"
    return OTHERS.get(dscp)


def _lines(value: int, classes: Sequence[Want] | None) -> Iterator[str]:
    dscp, ecn = divmod(value, 4)
    name = dscp_name(dscp)
    yield f"byte  {value} = {value:#04x} = {value:08b}"
    yield f"DSCP  {dscp}{f' = {name}' if name else ''}"
    yield f"ECN   {ecn} = {ECN[ecn]}"
    if classes is not None:
        found = [want.name for want in classes if want.dscp is not None and dscp in want.dscp.value]
        yield f"class {', '.join(found) if found else f'none: no class of the plan has DSCP {dscp}'}"
    if value < 64:
        meant = f"{value << 2} ({value << 2:#04x})"
        yield f"note  {value} as a byte is DSCP {dscp}; for DSCP {value} the byte is {meant}, {value << 2 | 2} with ECT(0)"


def _classes(options: Namespace) -> Sequence[Want]:
    from roce_lint.fabric.intentions import intended

    return [want for fabric in intended(options.intent, options.profile).plan.fabrics for want in fabric.classes]
