"""Indented configurations as trees."""

from __future__ import annotations

from collections.abc import Sequence

from roce_lint.text.blocks import Block, blocks

Tree = list[tuple[int, str, "Tree"]]


def opens(words: Sequence[str]) -> bool:
    return words[0] in ("interface", "policy-map", "class")


def tree(text: str) -> Tree:
    return _tree(blocks(text.split("\n"), opens))


def _tree(block: Block) -> Tree:
    return [(each.index + 1, each.text, _tree(each)) for each in block.inner]


def test_a_line_has_the_deeper_lines_beneath_it_whatever_the_width() -> None:
    text = "policy-map P\n   class C\n      set cos 3\n   class D\nvlan 7\n name STORAGE\ninterface E1\n\tmtu 9000\n"
    assert tree(text) == [
        (1, "policy-map P", [(2, "class C", [(3, "set cos 3", [])]), (4, "class D", [])]),
        (5, "vlan 7", [(6, "name STORAGE", [])]),
        (7, "interface E1", [(8, "mtu 9000", [])]),
    ]


def test_remarks_do_not_end_a_section() -> None:
    assert tree("interface E1\n  mtu 9000\n! keep this\n!\n  !! and this\n  shutdown\n") == [
        (1, "interface E1", [(2, "mtu 9000", []), (6, "shutdown", [])])
    ]


def test_a_line_that_opens_nothing_has_nothing_beneath_it() -> None:
    assert tree("interface E1\n  description to spine\n    mtu 9000\n  shutdown\n") == [
        (1, "interface E1", [(2, "description to spine", []), (3, "mtu 9000", []), (4, "shutdown", [])])
    ]


def test_prose_is_no_configuration() -> None:
    for banner in (
        "banner motd #\nmtu 1\n#",
        "banner login\nmtu 1\nEOF",
        "banner motd ^C\nmtu 1\n^C",
        "banner motd #mtu 1#",
        "banner exec %hi\nmtu 1%",
    ):
        assert [text for _, text, _ in tree(f"{banner}\ninterface E1\n  mtu 9000\n")][1:] == ["interface E1"]


def test_without_indentation_a_section_ends_where_the_next_begins() -> None:
    text = "hostname n1\ninterface E1\nmtu 9000\nexit\nntp server x\ninterface E2\nmtu 1500\n!\nend\n"
    assert tree(text) == [
        (1, "hostname n1", []),
        (2, "interface E1", [(3, "mtu 9000", [])]),
        (5, "ntp server x", []),
        (6, "interface E2", [(7, "mtu 1500", [])]),
        (9, "end", []),
    ]


def test_sections_are_found_by_their_words_and_everything_in_order() -> None:
    root = blocks(["interface E1", " mtu 9000", "hostname n1", "interface E2", ""], opens)
    assert [each.words[1] for each in root.sections("interface")] == ["E1", "E2"]
    assert [each.index for each in root.every()] == [0, 1, 2, 3]
