"""The rule book: the built-in rules, compiled beforehand, and the packs that a user names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from roce_lint.errors import RoceLintError
from roce_lint.lint.rules import Rule, RuleError, Written, ordered, rule
from roce_lint.model.finding import SEVERITIES, Severity

if TYPE_CHECKING:
    from roce_lint.lint.rulefile import RuleFile
    from roce_lint.text.userfile import UserFile

NOT_RULES = frozenset({"profiles"})


@dataclass(frozen=True, slots=True)
class Book:
    """Rules that can be run, and what is wrong with files that hold none."""

    rules: tuple[Rule, ...]
    errors: tuple[RoceLintError, ...] = ()


def built_in() -> tuple[Written, ...]:
    """The rules that ship, without their reasons and examples, from the generated module."""
    from roce_lint.lint.rulebook import RULES

    return RULES


def book(packs: Iterable[str] = ()) -> Book:
    """The built-in rules and those of packs: files, or folders of files."""
    rules = [rule(source, shipped=True) for source in built_in()]
    errors: list[RoceLintError] = []
    own = [entry for pack in packs for entry in read(pack, errors)]
    for file, source in own:
        made = compiled(file, source, errors)
        if made is not None and _fits(rules, file, made, errors):
            rules.append(made)
    _causes(rules, own, errors)
    return Book(tuple(rules), tuple(errors))


def files(path: str | Path) -> Sequence[Path]:
    """The rule files of a pack in the order of their paths. Raises RoceLintError where there is no such file or folder."""
    pack = Path(path)
    if pack.is_file():
        return [pack]
    if not pack.is_dir():
        raise RoceLintError("no such file or folder", str(path))
    found = (each for each in pack.rglob("*") if each.suffix in (".yaml", ".yml") and each.is_file())
    return sorted(each for each in found if not NOT_RULES & set(each.relative_to(pack).parts[:-1]))


def read(pack: str | Path, errors: list[RoceLintError]) -> Iterator[tuple[UserFile, RuleFile]]:
    """The rule files of a pack that are well-formed; what is wrong with the others goes to the errors."""
    from pydantic import ValidationError

    from roce_lint.lint.rulefile import RuleFile
    from roce_lint.text import userfile

    try:
        paths = files(pack)
    except RoceLintError as error:
        errors.append(error)
        return
    for path in paths:
        try:
            file = userfile.read(path)
            yield file, RuleFile.model_validate(file.data)
        except RoceLintError as error:
            errors.append(error)
        except ValidationError as error:
            errors.extend(userfile.problems(file, error, RuleFile))


def compiled(file: UserFile, source: RuleFile, errors: list[RoceLintError]) -> Rule | None:
    """A rule of a file; None where a field does not compile, which goes to the errors."""
    try:
        return rule(source.written())
    except RuleError as error:
        errors.append(RoceLintError(f"{error.field}: {error.text}", file.path, file.line(error.field)))
        return None


def _fits(rules: Sequence[Rule], file: UserFile, made: Rule, errors: list[RoceLintError]) -> bool:
    """Whether a rule has a name of its own and does not close a circle of causes."""
    if any(each.id == made.id for each in rules):
        errors.append(RoceLintError(f"id: another name than {made.id!r} expected, a rule has it", file.path, file.line("id")))
        return False
    try:
        ordered((*rules, made))
    except RuleError as error:
        errors.append(RoceLintError(f"{error.field}: {error.text}", file.path, file.line(error.field)))
        return False
    return True


def _causes(rules: Sequence[Rule], own: Iterable[tuple[UserFile, RuleFile]], errors: list[RoceLintError]) -> None:
    known = {each.id for each in rules} | {source.id for _, source in own}
    for file, source in own:
        for index, cause in enumerate(source.caused_by):
            if cause not in known:
                errors.append(RoceLintError(f"caused_by: no rule {cause!r}{near(cause, known)}", file.path, file.line("caused_by", index)))


def chosen(rules: Iterable[Rule], select: Sequence[str], ignore: Sequence[str]) -> tuple[Rule, ...]:
    """The rules that ids and families select, without those that they ignore. Raises RoceLintError for a word that is neither."""
    every = tuple(rules)
    words: Mapping[str, None] = dict.fromkeys(word for each in every for word in (each.id, each.family))
    for option, given in (("--select", select), ("--ignore", ignore)):
        for word in given:
            if word not in words:
                raise RoceLintError(f"{option}: no rule or family {word!r}{near(word, words)}")
    return tuple(
        each
        for each in every
        if (not select or each.id in select or each.family in select) and each.id not in ignore and each.family not in ignore
    )


def severities(source: Written) -> tuple[Severity, ...]:
    """The severities that a rule can give, the worst first."""
    found = {severity for _, severity in source.severities}
    return tuple(severity for severity in SEVERITIES if severity in found)


def near(word: str, known: Iterable[str]) -> str:
    """A word of the known ones that may be meant."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
