"""Tables for people: where one ends, and which rows can be believed."""

from __future__ import annotations

from roce_lint.model.document import Document
from roce_lint.text.columns import CROOKED, CUT, SHORT, Columns, outside, tables

TABLE = """Name      Speed
------  -------
p1         100G
p2          25G
"""


def of(text: str) -> list[Columns]:
    return list(tables(Document("a.txt", lambda: text)))


def faults(text: str) -> list[str | None]:
    return [row.fault for table in of(text) for row in table.rows]


def test_a_row_is_its_cells_by_heading() -> None:
    [table] = of(TABLE)
    assert [row.cells for row in table.rows] == [{"Name": "p1", "Speed": "100G"}, {"Name": "p2", "Speed": "25G"}]
    assert (table.line.number, table.headings) == (1, ("Name", "Speed"))


def test_text_between_the_columns_is_a_fault() -> None:
    assert faults(TABLE.replace("p2   ", "port-22 ")) == [None, CROOKED]


def test_a_row_that_ends_early_is_a_fault() -> None:
    assert faults(TABLE.replace("p2          25G", "p2")) == [None, SHORT]


def test_the_last_cell_of_a_text_that_ends_within_it_is_cut() -> None:
    assert faults(TABLE.removesuffix("5G\n")) == [None, CUT]
    assert faults(TABLE.removesuffix("\n")) == [None, None]


def test_a_table_beneath_another_takes_its_title_and_its_headings() -> None:
    first, second = of(TABLE + "The second table of all:\n" + TABLE)
    assert [row.line.number for row in first.rows] == [3, 4]
    assert [row.line.number for row in second.rows] == [8, 9]
    document = Document("a.txt", lambda: TABLE + "The second table of all:\n" + TABLE)
    assert list(outside(document, list(tables(document)))) == [(4, "The second table of all:")]


def test_a_rule_of_one_piece_ends_a_table() -> None:
    [table] = of(TABLE + "---------------\nTotal:  2\n")
    assert [row.cells["Name"] for row in table.rows] == ["p1", "p2"]


def test_rows_may_begin_below_a_blank_line() -> None:
    assert [row.line.number for row in of(TABLE.replace("p1", "\np1"))[0].rows] == [4, 5]
