"""What a user writes: plain data that knows its lines, and one line for each thing that is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict, Field

from roce_lint.errors import RoceLintError
from roce_lint.text.userfile import UserFile, UserFileErrors, checked, keys, parsed, read


class Tyre(BaseModel):
    model_config = ConfigDict(extra="forbid")
    width: int = Field(ge=1)
    winter: bool = False


class Car(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    tyres: list[Tyre] = []
    spares: dict[str, Tyre] = {}
    colour: str | int | None = None


def wrong(text: str) -> list[str]:
    """Everything that is said of a text, without the name of its file."""
    with pytest.raises(RoceLintError) as raised:
        checked(parsed("car.yaml", text), Car)
    return [each.removeprefix("car.yaml:") for each in str(raised.value).split("\nroce-lint: ")]


def test_words_that_yaml_once_took_for_truths_stay_words() -> None:
    text = "a: on\nb: yes\nc: off\nd: true\ne: 0x1f\nf: 1.5\ng: ~\nh: 2027-01-31\ni: '26'\n"
    values = {"a": "on", "b": "yes", "c": "off", "d": True, "e": 31, "f": 1.5, "g": None, "h": "2027-01-31", "i": "26"}
    assert parsed("", text).data == values
    assert parsed("", f"%YAML 1.1\n---\n{text}").data == values


def test_every_key_and_member_knows_its_line() -> None:
    file = parsed("", "a:\n  b: 1\n  c:\n    - x\n    - {d: 2,\n       e: 3}\n")
    places: list[tuple[str | int, ...]] = [
        ("a",),
        ("a", "b"),
        ("a", "c"),
        ("a", "c", 0),
        ("a", "c", 1),
        ("a", "c", 1, "e"),
        ("a", "no"),
        (),
    ]
    assert [file.line(*each) for each in places] == [1, 2, 3, 4, 5, 6, 1, 1]
    assert file.line_text(5) == "    - {d: 2,"


def test_data_of_a_generated_module_knows_its_lines_too() -> None:
    file = UserFile(
        "car.yaml", "name: x\ntyres:\n- {}\n", {"name": "x", "tyres": [{}]}, None, {("name",): 1, ("tyres",): 2, ("tyres", 0): 3}
    )
    assert [file.line(*each) for each in ((), ("name",), ("tyres", 0, "width"), ("tyres", 1))] == [1, 1, 3, 2]


def test_a_merge_key_gives_what_is_not_stated_beside_it() -> None:
    assert parsed("", "a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\n").data == {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 3}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: a\nname: b\n", "2: key 'name' stands here twice"),
        ("spares:\n  rear: {width: 1,\n    width: 2}\n", "3: key 'width' stands here twice"),
        ("name: [a\n", "2: not YAML: while parsing a flow sequence expected ',' or ']', but got '<stream end>'"),
        ("name: a: b\n", "1: not YAML: mapping values are not allowed here"),
        ("name: a\n---\nname: b\n", "2: not YAML: expected a single document in the stream but found another document"),
        ("name: *a\n", "1: not YAML: found undefined alias 'a'"),
        ("name: !new a\n", "1: no tag expected, found !new"),
        ("a: &a [*a]\n", "1: a value cannot hold itself"),
        ("? [a]\n: b\n", "1: a key of one word expected"),
        ("name: a\ncolour: \x01\n", "2: text expected, found the character U+0001"),
        ("[" * 5000, "less deep nesting expected"),
    ],
)
def test_what_is_no_yaml_is_one_line(text: str, said: str) -> None:
    with pytest.raises(RoceLintError) as raised:
        parsed("car.yaml", text)
    assert str(raised.value).removeprefix("car.yaml:").lstrip() == said


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    for path, content, said in (
        (tmp_path / "none.yaml", None, " cannot be read: No such file or directory"),
        (tmp_path / "latin.yaml", b"a: b\nname: \xe9\n", "2: text in UTF-8 expected"),
        (tmp_path, None, " cannot be read: Is a directory"),
    ):
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(RoceLintError) as raised:
            read(path)
        assert str(raised.value) == f"{path}:{said}"


def test_a_byte_order_mark_and_crlf_are_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "car.yaml"
    path.write_bytes(b"\xef\xbb\xbfname: a\r\ncolour: b\r\n")
    file = read(path)
    assert (file.data, file.line("colour"), file.line_text(2)) == ({"name": "a", "colour": "b"}, 2, "colour: b")


def test_what_is_right_is_a_model() -> None:
    assert checked(parsed("", "name: a\ntyres: [{width: 3, winter: yes}]\n"), Car) == Car(name="a", tyres=[Tyre(width=3, winter=True)])


def test_all_that_is_wrong_is_said_in_the_order_of_lines() -> None:
    text = "nam: a\ntyres:\n  - {width: 0, winter: maybe}\n  - {widht: 3, width: wide}\nspares:\n  rear: 3\ncolour: [1]\nwheels: 4\n"
    assert wrong(text) == [
        "1: key 'name' expected",
        "1: unknown key 'nam'; did you mean 'name'?",
        "3: tyres.0.width: greater than or equal to 1 expected, not 0",
        "3: tyres.0.winter: yes or no expected, not 'maybe'",
        "4: tyres.1.width: a whole number expected, not 'wide'",
        "4: unknown key 'widht'; did you mean 'width'?",
        "6: spares.rear: a mapping expected, not 3",
        "7: colour: a text or a whole number expected, not a list",
        "8: unknown key 'wheels'; one of colour, name, spares, tyres expected",
    ]


def test_each_error_can_be_had_by_itself() -> None:
    with pytest.raises(UserFileErrors) as raised:
        checked(parsed("car.yaml", "name: 3\ncolour: {}\n"), Car)
    assert [(each.path, each.line, each.message) for each in raised.value.errors] == [
        ("car.yaml", 1, "name: a text expected, not 3"),
        ("car.yaml", 2, "colour: a text or a whole number expected, not a mapping"),
    ]


@pytest.mark.parametrize("text", ["", "# nothing\n", "- a\n", "word\n"])
def test_a_file_that_is_no_mapping_is_one_line(text: str) -> None:
    assert len(wrong(text)) == 1
    assert wrong(text)[0].startswith("1: file: ")


def test_the_keys_below_a_location_are_those_of_its_model() -> None:
    assert keys(Car, ("tyres", 3)) == ["width", "winter"]
    assert keys(Car, ("spares", "tyres")) == ["width", "winter"]
    assert keys(Car, ()) == ["name", "tyres", "spares", "colour"]
    assert keys(Car, ("colour",)) == []
