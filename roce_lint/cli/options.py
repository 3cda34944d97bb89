"""The options that judging commands share, and what comes of them."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

from roce_lint.cli.main import FINDINGS, UNCHECKED, WRONG
from roce_lint.errors import RoceLintError
from roce_lint.judge import Options
from roce_lint.model.facts import NOW, Basis
from roce_lint.model.finding import SEVERITIES, Severity
from roce_lint.report import FORMATS
from roce_lint.report.result import Result
from roce_lint.text.numbers import real


def planning(parser: ArgumentParser) -> None:
    """What is wanted of the fabric."""
    parser.add_argument("--intent", metavar="FILE", help="the intent file; without it roce-lint.yaml is looked for from the input upwards")
    parser.add_argument("--profile", metavar="NAME", help="a named profile in place of an intent file")


def judging(parser: ArgumentParser) -> None:
    """What is wanted, what is judged, and how it is reported."""
    planning(parser)
    parser.add_argument("--select", metavar="RULE", action="append", help="only these rules or families, comma-separated")
    parser.add_argument("--ignore", metavar="RULE", action="append", help="all but these rules or families, comma-separated")
    parser.add_argument("--fail-on", choices=SEVERITIES, default="error", help="exit 1 for findings of this severity or worse (error)")
    bases = [basis for basis in NOW if basis != "wanted"]
    parser.add_argument("--min-confidence", choices=bases, default="assumed", help="leave out findings that rest on weaker facts")
    parser.add_argument("--context", metavar="DIR", action="append", help="the rest of the fabric: read, and not reported on")
    parser.add_argument("--now", metavar="TIME", help="the current time, as 2026-01-31T12:00:00Z")
    parser.add_argument("--notes", action="store_true", help="list every line that was not understood")
    parser.add_argument("--require-coverage", metavar="PERCENT", type=_percent, help="exit 3 where less than this could be judged")
    parser.add_argument("--format", choices=tuple(FORMATS), default="text", help="how to report (text)")
    parser.add_argument("--output", metavar="FILE", help="write the report there")


def _percent(text: str) -> float:
    number = real(text)
    if number is None or number > 100:
        raise RoceLintError(f"--require-coverage: a percentage from 0 to 100 expected, not {text!r}")
    return number


def settings(options: Namespace) -> Options:
    """The options of a run. Raises RoceLintError."""
    return Options(
        intent=options.intent,
        profile=options.profile,
        select=_words(options.select),
        ignore=_words(options.ignore),
        min_confidence=_basis(options.min_confidence),
        context=tuple(options.context or ()),
        now=_time(options.now),
        least_coverage=options.require_coverage or 0.0,
    )


def _words(given: list[str] | None) -> tuple[str, ...]:
    return tuple(word.strip() for each in given or () for word in each.split(",") if word.strip())


def _basis(word: str) -> Basis:
    return next(basis for basis in NOW if basis == word)


def _time(text: str | None) -> float | None:
    """Seconds since 1970. A time without a zone is in UTC."""
    if text is None:
        return None
    from datetime import UTC, datetime

    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise RoceLintError(f"--now: a time such as 2026-01-31T12:00:00Z expected, not {text!r}") from None
    return (time if time.tzinfo is not None else time.replace(tzinfo=UTC)).timestamp()


def reported(result: Result, options: Namespace) -> int:
    """Writes the report where it is wanted and gives the exit status."""
    if options.output is not None:
        _write(options.output, FORMATS[options.format](result, options.notes))
    elif options.format == "text" and sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        from roce_lint.report import terminal

        terminal.show(result, options.notes)
    else:
        sys.stdout.write(FORMATS[options.format](result, options.notes))
    return status(result, options)


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise RoceLintError(f"cannot be written: {error.strerror or error}", path) from None


def status(result: Result, options: Namespace) -> int:
    """0, 1 for findings, 2 for a broken file of the user's, 3 for what could not be checked; 2 beats 1, 1 beats 3."""
    for error in result.errors:
        print(f"roce-lint: {error}", file=sys.stderr)
    if result.errors:
        return WRONG
    worst, least = result.worst(), options.fail_on
    if worst is not None and SEVERITIES.index(worst) <= SEVERITIES.index(_severity(least)):
        return FINDINGS
    if result.counts.coverage < (options.require_coverage or 0.0):
        print(f"roce-lint: {result.counts.coverage:.1f} % judged, {options.require_coverage:g} % required", file=sys.stderr)
    return UNCHECKED if result.incomplete else 0


def _severity(word: str) -> Severity:
    return next(severity for severity in SEVERITIES if severity == word)
