"""`roce-lint explain RULE`: a rule from its own file."""

from __future__ import annotations

import textwrap
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from roce_lint.errors import RoceLintError
from roce_lint.lint.book import near, severities
from roce_lint.lint.examples import CHOICES
from roce_lint.lint.rulefile import Example, RuleFile
from roce_lint.lint.sources import source, sources

WIDTH = 100


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("rule", metavar="RULE", help="the id of a rule, as a finding has it")
    parser.add_argument("--rules", metavar="DIR", help="look in this pack in place of the built-in rules")


def run(options: Namespace) -> int:
    found = source(options.rule, options.rules)
    if found is None:
        known = [each.id for each in sources(options.rules)]
        raise RoceLintError(f"no rule {options.rule!r}{near(options.rule, known) or '; roce-lint rules lists them'}")
    print("\n".join(_lines(found)))
    return 0


def _lines(rule: RuleFile) -> Iterator[str]:
    yield f"{rule.id}: {rule.title}"
    yield f"  severity {', '.join(severities(rule.written()))}; judged for each {rule.scope.replace('_', ' ')}"
    yield ""
    yield from _paragraph(rule.why)
    if rule.exception:
        yield ""
        yield from _paragraph(f"No fault: {rule.exception}")
    yield ""
    yield from _law(rule)
    yield f"  message   {rule.message}"
    if isinstance(rule.fix, str):
        yield f"  fix       {'set what differs from the plan to what the plan wants' if rule.fix == 'plan' else rule.fix}"
    else:
        yield from (f"  fix       {key}: {value}" for each in rule.fix for key, value in each.items())
    if rule.caused_by:
        yield f"  follows   {', '.join(rule.caused_by)}"
    yield ""
    yield "references"
    yield from (f"  {each}" for each in rule.references)
    yield ""
    yield "examples, each the clean subject with these changes"
    for example in rule.examples:
        yield from _example(example)


def _law(rule: RuleFile) -> Iterator[str]:
    if isinstance(rule.severity, list):
        yield from (f"  severity  {each.severity} when {each.when or 'nothing above holds'}" for each in rule.severity)
    for word, text in (("when", rule.when), ("expect", rule.expect), ("same", rule.same), ("check", rule.check)):
        if text:
            yield from textwrap.wrap(text, WIDTH, initial_indent=f"  {word:<9} ", subsequent_indent=" " * 12, break_long_words=False)
    if rule.across:
        yield f"  across    {', '.join(rule.across)}"
    for name, value in rule.params.items():
        yield f"  {name} = {value}"


def _example(example: Example) -> Iterator[str]:
    then = example.then.replace("_", " ") + (f" ({example.severity})" if example.severity else "")
    yield f"  {example.name}: {then}"
    for given in example.given if isinstance(example.given, list) else [example.given]:
        for path, value in given.items():
            yield f"      {path} {'is' if path in CHOICES else '='} {'not stated' if value is None else value}"


def _paragraph(text: str) -> Iterator[str]:
    yield from textwrap.wrap(" ".join(text.split()), WIDTH)
