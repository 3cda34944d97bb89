"""The text report in colour. Imported only where standard output is a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.text import Text

from roce_lint.report.result import Result
from roce_lint.report.text import lines

SEVERITY: Mapping[str, str] = {"critical": "bold red", "error": "red", "warning": "yellow", "info": "cyan"}
START: Mapping[str, str] = {"  --> ": "blue", "      | ": "dim", "  = want": "green", "  = leads to": "magenta"}


def show(result: Result, notes: bool) -> None:
    """Prints the report."""
    console = Console(highlight=False, soft_wrap=True)
    for line in lines(result, notes):
        console.print(_coloured(line))


def _coloured(line: str) -> Text:
    text = Text(line)
    head = line.split("]", 1)[0]
    word = head.split("[", 1)[0]
    if word in SEVERITY:
        text.stylize(SEVERITY[word], 0, len(head) + 1)
        return text
    for start, style in START.items():
        if line.startswith(start):
            text.stylize(style, 0, len(line) if style == "dim" else len(start))
    return text
