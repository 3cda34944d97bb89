"""A result as text and as machine formats: a table, one row each. A format is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from roce_lint.report.result import Result


def _text(result: Result, notes: bool) -> str:
    from roce_lint.report import text

    return text.text(result, notes)


def _json(result: Result, notes: bool) -> str:
    from roce_lint.report import json

    return json.text(result)


FORMATS: Mapping[str, Callable[[Result, bool], str]] = {
    "text": _text,
    "json": _json,
}
