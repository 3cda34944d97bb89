"""`roce-lint rules`: the built-in rules."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from roce_lint.lint.book import built_in, chosen, severities
from roce_lint.lint.rules import Written, rule


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("family", metavar="FAMILY", nargs="?", help="only this family: qos, pfc, ecn, buffer, ...")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to list (text)")


def run(options: Namespace) -> int:
    rules = [rule(source) for source in built_in()]
    listed = [each.source for each in chosen(rules, (options.family,) if options.family else (), ())]
    print(json.dumps([_row(each) for each in listed], indent=1) if options.format == "json" else _table(listed))
    return 0


def _row(source: Written) -> dict[str, object]:
    return {
        "id": source.id,
        "title": source.title,
        "severities": list(severities(source)),
        "scope": source.scope,
        "caused_by": sorted(source.caused_by),
        "references": list(source.references),
    }


def _table(rules: list[Written]) -> str:
    width = max((len(each.id) for each in rules), default=0)
    return "\n".join(f"{each.id:<{width}}  {severities(each)[0]:<8}  {each.title}" for each in rules)
