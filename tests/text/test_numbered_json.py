"""JSON that knows its lines, as far as the text goes."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from roce_lint.model.document import Document
from roce_lint.text.numbered_json import Json, Node, every, numbered

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


def read(text: str, first_line: int = 1) -> Json:
    return numbered(Document("x.json", lambda: text, first_line=first_line))


def plain(node: Node) -> object:
    if node.members is not None:
        return {key: plain(each) for key, each in node.members.items()}
    return [plain(each) for each in node.items] if node.items is not None else node.scalar


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4), st.sampled_from([None, 0, 2]))
def test_it_reads_what_json_reads(data: dict[str, object], indent: int | None) -> None:
    found = read(json.dumps(data, indent=indent))
    assert found.error is None and found.root is not None and plain(found.root) == data


def test_a_key_and_a_value_know_their_lines() -> None:
    found = read('admin@x:~$ show\n{\n  "a": {"b":\n     7}\n}\n', first_line=10)
    assert found.root is not None
    a = found.root.get("a")
    b = a and a.get("b")
    assert b is not None
    assert (found.line(b).number, found.line(b).text) == (12, '  "a": {"b":')
    assert (found.value_line(b).number, found.value_line(b).text) == (13, "     7}")


def test_a_value_that_the_end_cuts_is_none() -> None:
    whole = '{"a": {"x": 1}, "speed": 100000, "up": true, "n": "eth1"}'
    data = json.loads(whole)
    for length in range(len(whole)):
        found = read(whole[:length])
        assert found.error is not None
        for key, value in plain(found.root).items() if found.root is not None and found.root.members else ():
            assert value == data[key] or (key == "a" and value == {})


def test_a_number_at_the_end_of_a_line_is_whole() -> None:
    found = read('{\n"speed": 100000\n')
    assert found.root is not None and plain(found.root) == {"speed": 100000}
    note = found.note()
    assert note is not None and note.failed and note.line.number == 2


def test_what_is_no_json_is_one_note_and_no_crash() -> None:
    for text in (
        "",
        "\n",
        "x",
        "{,}",
        '{"a" 1}',
        '{"a": nan}',
        '{"a": NaN}',
        '{"a": 01}',
        "[1 2]",
        '{"a": "\\x"}',
        "[" * 5000,
        '{"a":' * 5000,
    ):
        found = read(text)
        note = found.note()
        assert found.error and note is not None and note.failed


def test_half_of_a_surrogate_pair_is_no_character() -> None:
    found = read('{"a": "\\ud800x"}')
    assert found.root is not None and plain(found.root) == {"a": "?x"}


def test_a_line_ends_at_a_line_feed_and_nothing_else() -> None:
    found = read('{"a":\x0c1,\x85\r\n "b": 2}')
    assert found.root is not None or found.error
    found = read('{"a": "x\x0cy\x1cz",\n "b": 2}')
    b = found.root and found.root.get("b")
    assert b and found.line(b).number == 2


def test_values_one_behind_the_other_are_all_read() -> None:
    document = Document("a.json", lambda: "[\n1\n]\n[\n2\n]\n")
    found = list(every(document))
    assert [json.root.items[0].scalar for json in found if json.root is not None and json.root.items] == [1, 2]
    assert [json.value_line(json.root).number for json in found if json.root is not None] == [1, 4]
    assert [json.note() for json in found] == [None, None]


def test_text_behind_a_value_is_noted() -> None:
    note = numbered(Document("a.json", lambda: '{"a": 1}\nlogout\n')).note()
    assert note is not None
    assert (note.line.number, note.line.text, note.failed) == (2, "logout", False)
