"""Bytes as text: encodings, colours, pagers, and that no line moves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from roce_lint.collect.decode import cleaned, text_of


def test_encodings() -> None:
    assert text_of("π = 3\n".encode()) == "π = 3\n"
    assert text_of(b"\xef\xbb\xbfx\n") == "x\n"
    assert text_of("mtu 9216\n".encode("utf-16")) == "mtu 9216\n"
    assert text_of(b"grau\xdf x and more text\n") == "grau\xdf x and more text\n"
    assert text_of("a – b".encode()[:-3]) == "a \ufffd"


def test_what_is_no_text_is_none() -> None:
    assert text_of(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR") is None
    assert text_of(bytes(range(1, 32)) * 4) is None
    assert text_of(b"") == ""


def test_line_ends() -> None:
    assert text_of(b"a\r\nb\r\r\nc\n") == "a\nb\nc\n"
    assert text_of(b"a\rb\rc") == "a\nb\nc"
    assert cleaned("a\x0cb\x85c\x1cd\n") == "a\x0cb\x85c\x1cd\n"


def test_colours_and_titles_are_dropped() -> None:
    assert cleaned("\x1b[1;32mops@x\x1b[0m:\x1b]0;title\x07~$ ls\x1b[K\n") == "ops@x:~$ ls\n"
    assert cleaned("\x1b[?2004hx\x1b(B\x1b=\n") == "x\n"


def test_pagers_are_dropped_and_no_line_moves() -> None:
    assert cleaned("a\n--More--\r        \rb\nc\n") == "a\nb\nc\n"
    assert cleaned("a\n --More-- \x08\x08\x08\x08\x08\x08\x08\x08\x08\x08          \x08\x08\x08\x08\x08\x08\x08\x08\x08\x08b\n") == "a\nb\n"
    assert cleaned("a\n--More--\nb\n") == "a\n\nb\n"
    assert cleaned("a\n---(more 45%)---\r                \rb\n") == "a\nb\n"
    assert cleaned("a\n<--- More --->\r              \rb\n") == "a\nb\n"


def test_what_was_erased_or_overwritten_is_dropped() -> None:
    assert cleaned("shwo\x08\x08ow x\n") == "show x\n"
    assert cleaned("10%\r50%\r100%\n") == "100%\n"


@given(st.text(alphabet="ab \r\n\x08\x1b[-More(1;m)", max_size=60))
def test_cleaning_keeps_the_number_of_lines(text: str) -> None:
    if "\n" in text:
        assert cleaned(text).count("\n") == text.count("\n")


@given(st.binary(max_size=200))
def test_any_bytes_are_text_or_none(data: bytes) -> None:
    assert text_of(data) is None or isinstance(text_of(data), str)
