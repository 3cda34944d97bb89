"""What is generated is as its sources say."""

from __future__ import annotations

from roce_lint.schemas import generated


def test_schemas_rule_index_and_rule_book_are_fresh() -> None:
    stale = [path.name for path, text in generated() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    assert stale == [], "run python -m roce_lint.schemas"
