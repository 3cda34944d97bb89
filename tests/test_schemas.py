"""What is generated is as its sources say."""

from __future__ import annotations

from roce_lint.errors import RoceLintError
from roce_lint.schemas import generated


def test_schemas_rule_index_and_rule_book_are_fresh() -> None:
    errors: list[RoceLintError] = []
    stale = [path.name for path, text in generated(errors) if not path.is_file() or path.read_text(encoding="utf-8") != text]
    assert (stale, errors) == ([], []), "run python -m roce_lint.schemas"
