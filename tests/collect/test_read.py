"""Who reads a document, whose it is, and which of two answers counts."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any

import pytest
from collect.toy import PLATFORMS

from roce_lint.collect.read import Group, grouped, read
from roce_lint.model.document import Document
from roce_lint.model.finding import Unread
from roce_lint.model.ports import Port


def document(text: str, path: str = "a.txt", folder: str = "/x/rack", **more: Any) -> Document:
    return Document(path, lambda: text, folder=folder, **more)


def devices(*documents: Document) -> dict[str, list[str]]:
    """The paths of the documents of each device."""
    groups, _ = grouped(documents, PLATFORMS)
    return {group.device: [each.document.path for each in group.taken] for group in groups}


def mtus(*documents: Document) -> list[int | None]:
    groups, _ = grouped(documents, PLATFORMS)
    return [
        port.mtu.value if port.mtu else None for stated in read(groups, strict=True) for port in stated.statements if isinstance(port, Port)
    ]


def readers(group: Group) -> list[str]:
    return [f"{each.platform.name} {each.reader.name}" for each in group.taken]


def test_a_device_is_named_by_its_source_else_by_its_text_else_by_its_folder() -> None:
    told = document("SWITCH leaf1\n", "a", device="inventory1")
    own = document("SWITCH leaf2\n", "b", "/x/rack")
    other = document("SWITCH leaf3\n", "c", "/x/rack")
    none = document("HOST\n", "d", "/x/rack")
    assert devices(told, own, other, none) == {"inventory1": ["a"], "leaf2": ["b"], "leaf3": ["c"], "rack": ["d"]}


def test_documents_of_one_folder_that_name_none_are_one_device() -> None:
    assert devices(document("HOST\n", "a"), document("SWITCH ?\n", "b")) == {"rack": ["a", "b"]}


def test_documents_that_name_none_join_the_one_device_of_their_folder() -> None:
    assert devices(document("SWITCH leaf1\n", "a"), document("HOST\n", "b")) == {"leaf1": ["a", "b"]}
    elsewhere = document("HOST\n", "c", "/x/other")
    assert devices(document("SWITCH leaf1\n", "a"), elsewhere) == {"leaf1": ["a"], "other": ["c"]}


def test_a_name_with_a_domain_is_the_name_without_where_one_device_can_be_meant() -> None:
    long, short = document("SWITCH leaf1.dc.example\n", "a"), document("SWITCH leaf1\n", "b")
    assert devices(long, short) == {"leaf1": ["a", "b"]}
    assert devices(long) == {"leaf1.dc.example": ["a"]}
    other = document("SWITCH leaf1.lab.example\n", "c")
    assert devices(long, short, other) == {"leaf1": ["b"], "leaf1.dc.example": ["a"], "leaf1.lab.example": ["c"]}


def test_a_file_of_which_no_part_is_recognised_is_listed_once() -> None:
    unknown = document("hello\n", "a"), document("world\n", "a", command="date")
    partly = document("x\n", "b", command="date"), document("port e1 mtu 9\n", "b", command="show config")
    groups, unread = grouped((*unknown, *partly), PLATFORMS)
    assert unread == (Unread("a", "not recognised"),)
    assert [group.device for group in groups] == ["rack"]


def test_a_command_that_two_platforms_know_is_read_by_the_one_of_the_other_documents() -> None:
    groups, _ = grouped((document("port e1 mtu 9\n", command="show mtu"), document("", command="show other")), PLATFORMS)
    assert readers(groups[0]) == ["toyother other", "toyother other"]
    groups, _ = grouped((document("port e1 mtu 9\n", command="show mtu"), document("", command="show config")), PLATFORMS)
    assert readers(groups[0]) == ["toyswitch mtu", "toyswitch config"]
    groups, _ = grouped((document("port e1 mtu 9\n", command="show mtu", platform="toyother"),), PLATFORMS)
    assert readers(groups[0]) == ["toyother other"]


def test_a_path_on_the_device_is_a_question() -> None:
    groups, _ = grouped((document("", command="/sys/e1/mtu"),), PLATFORMS)
    assert readers(groups[0]) == ["toyhost link"]


def test_an_answer_to_an_unknown_command_is_known_by_its_content() -> None:
    assert devices(document("SWITCH leaf1\n", "a", command="cat backup.cfg")) == {"leaf1": ["a"]}


def test_within_a_transcript_the_later_answer_counts() -> None:
    first = document("port e1 mtu 1500\nport e2 mtu 1500\n", command="show mtu e1", first_line=2)
    last = document("port e1 mtu 9000\n", command="show mtu e1", first_line=9)
    other = document("port e3 mtu 4000\n", command="show mtu e3", first_line=5)
    assert mtus(first, other, last) == [4000, 9000]


def test_a_later_answer_that_is_cut_replaces_nothing() -> None:
    first = document("port e1 mtu 1500\n", command="show mtu")
    assert mtus(first, document("port e1 mtu 9000\n", command="show mtu", ends=False)) == [1500, 9000]
    assert mtus(first, document("port e1 mtu 9000\n[...]\n", command="show mtu")) == [1500, 9000]


def test_between_collections_the_later_time_counts() -> None:
    early = document("port e1 mtu 1500\n", "a", command="show mtu", time=datetime(2026, 1, 1, tzinfo=UTC))
    late = document("port e1 mtu 9000\n", "b", command="show mtu", time=datetime(2026, 1, 2, tzinfo=UTC))
    beside = document("port e2 mtu 4000\n", "a", command="show config", time=datetime(2026, 1, 1, tzinfo=UTC))
    assert mtus(late, beside, early) == mtus(early, late, beside) == [4000, 9000]


def test_a_reader_that_raises_stops_neither_the_other_readers_nor_the_other_devices(caplog: pytest.LogCaptureFixture) -> None:
    documents = (
        document("SWITCH leaf1\nboom\n", "a", device="leaf1"),
        document("port e1 mtu 9\n", "b", command="show mtu e1", device="leaf1"),
        document("SWITCH leaf2\nport e1 mtu 7\n", "c", device="leaf2"),
    )
    groups, _ = grouped(documents, PLATFORMS)
    with caplog.at_level(logging.ERROR):
        first, second = read(groups)
    assert [each.failed for each in first.unread] == [True] and first.unread[0].path == "a"
    assert (len(first.statements), len(second.statements), second.unread) == (1, 1, ())
    assert "RuntimeError: boom" in caplog.text
    with pytest.raises(RuntimeError):
        list(read(groups, strict=True))


def test_a_document_that_cannot_even_be_recognised_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    documents = document("SWITCH broken\n", "a"), document("SWITCH leaf2\n", "b")
    with caplog.at_level(logging.ERROR):
        groups, unread = grouped(documents, PLATFORMS)
    assert ([group.device for group in groups], [(each.path, each.failed) for each in unread]) == (["leaf2"], [("a", True)])
    assert "RuntimeError: broken" in caplog.text
    with pytest.raises(RuntimeError):
        grouped(documents, PLATFORMS, strict=True)


def test_the_order_of_the_documents_changes_no_device() -> None:
    documents = [document("SWITCH leaf1\n", "a", "/x/1"), document("SWITCH leaf2\n", "b", "/x/2"), document("HOST\n", "c", "/x/3")]
    assert devices(*documents) == devices(*reversed(documents))
