"""`roce-lint test-rules`: the examples of rule files, run."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from roce_lint.cli.main import FINDINGS, WRONG
from roce_lint.errors import RoceLintError
from roce_lint.lint import book
from roce_lint.lint.examples import Outcome, outcome
from roce_lint.lint.rulefile import Example
from roce_lint.lint.rules import Rule
from roce_lint.model.changes import ChangeError
from roce_lint.report.text import count
from roce_lint.resources import folder
from roce_lint.text.userfile import UserFile


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("packs", metavar="DIR", nargs="*", help="rule files or folders of them; the built-in rules where none is named")


def run(options: Namespace) -> int:
    errors: list[RoceLintError] = []
    rules = examples = 0
    failed: list[str] = []
    for pack in options.packs or [str(folder("rules"))]:
        for file, source in book.read(pack, errors):
            rule = book.compiled(file, source, errors)
            if rule is None:
                continue
            rules += 1
            examples += len(source.examples)
            failed.extend(_failures(file, rule))
    for line in (*(f"{error}" for error in errors), *failed):
        print(line)
    print(
        f"{count(rules, 'rule')}, {count(examples, 'example')}, {len(failed)} wrong"
        + (f", {len(errors)} errors in files" if errors else "")
    )
    return WRONG if errors else FINDINGS if failed else 0


def _failures(file: UserFile, rule: Rule) -> Iterator[str]:
    if not rule.source.examples:
        yield f"{file.path}:1: {rule.id}: examples expected, such as one that passes and one that fails"
    for number, example in enumerate(rule.source.examples):
        said = _wrong(rule, example)
        if said is not None:
            yield f"{file.path}:{file.line('examples', number)}: {rule.id}: {example.name}: {said}"


def _wrong(rule: Rule, example: Example) -> str | None:
    """What an example gives in place of what it should; None where it is right."""
    try:
        found = outcome(rule, example)
    except ChangeError as error:
        return str(error)
    if found.word != example.then:
        return f"{example.then} expected, {_said(found)}"
    if example.severity is not None and found.severity != example.severity:
        return f"severity {example.severity} expected, {_said(found)}"
    return None


def _said(found: Outcome) -> str:
    if found.word == "fail":
        return f"it fails ({found.severity}): {found.message}"
    if found.word == "unknown":
        return f"it is unknown for want of {', '.join(found.missing)}"
    return f"it is {found.word.replace('_', ' ')}" if found.word == "not_applicable" else "it passes"
