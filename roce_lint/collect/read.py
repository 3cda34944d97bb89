"""Which platform reads a document, whose it is, and what every device says of itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath

from roce_lint.model.document import Document
from roce_lint.model.finding import Unread
from roce_lint.platforms import NAMES, PLATFORMS, Platforms, askers
from roce_lint.platforms.platform import Platform, Reader, Statement

_EARLIEST = datetime.min.replace(tzinfo=UTC)
CUT = "[...]"


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A document with the reader that takes it. `question` is equal where a later answer replaces an earlier one."""

    document: Document
    platform: Platform
    reader: Reader
    question: tuple[object, ...] | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The documents of one device, oldest first."""

    device: str
    taken: tuple[Taken, ...]

    @property
    def platforms(self) -> tuple[Platform, ...]:
        """The platforms that read a document of the device, in the order of the table."""
        names = {each.platform.name: each.platform for each in self.taken}
        return tuple(sorted(names.values(), key=lambda platform: _rank(platform)))


@dataclass(frozen=True, slots=True)
class Stated:
    """What one device says of itself, in the order in which a later statement wins. `unread` is what could not be read."""

    device: str
    platforms: tuple[Platform, ...]
    statements: tuple[Statement, ...]
    documents: tuple[Document, ...]
    unread: tuple[Unread, ...] = ()


def read(groups: Iterable[Group], strict: bool = False) -> Iterator[Stated]:
    """What each device says. A reader that raises is a fault of ours: it is logged and the rest is read; with `strict` it is raised."""
    return (stated(group, strict) for group in groups)


def stated(group: Group, strict: bool = False) -> Stated:
    """What one device says."""
    by_reader: dict[tuple[str, str], list[Taken]] = {}
    for taken in _current(group.taken):
        by_reader.setdefault((taken.platform.name, taken.reader.name), []).append(taken)
    order = {id(taken): index for index, taken in enumerate(group.taken)}
    statements: list[Statement] = []
    unread: list[Unread] = []
    for some in sorted(by_reader.values(), key=lambda some: order[id(some[-1])]):
        documents = [taken.document for taken in some]
        if strict:
            statements.extend(some[0].reader.read(documents))
            continue
        try:
            statements.extend(some[0].reader.read(documents))
        except Exception as error:
            _log("%s: reading %s failed", group.device, ", ".join(document.path for document in documents))
            unread.append(_fault(documents[0], error))
    kept = dict.fromkeys(taken.document for taken in group.taken)
    return Stated(group.device, group.platforms, tuple(statements), tuple(kept), tuple(unread))


def _current(taken: Sequence[Taken]) -> list[Taken]:
    """The documents without the answers that a later, whole answer to the same question replaces."""
    last: dict[tuple[object, ...], int] = {}
    for index, each in enumerate(taken):
        if each.question is not None and each.document.ends:
            last[each.question] = index
    current = []
    for index, each in enumerate(taken):
        later = last.get(each.question, index) if each.question is not None else index
        if later <= index or CUT in taken[later].document.read():
            current.append(each)
    return current


def grouped(
    documents: Iterable[Document], platforms: Platforms | None = None, strict: bool = False
) -> tuple[tuple[Group, ...], tuple[Unread, ...]]:
    """The documents by device, devices in order of their names, and the files of which no part is recognised."""
    platforms = PLATFORMS if platforms is None else platforms
    taken: dict[Document, tuple[tuple[Taken, ...], str | None]] = {}
    unread: dict[str, Unread] = {}
    for document in documents:
        try:
            takers = _takers(document, platforms)
            taken[document] = takers, document.device or _named(document, takers)
        except Exception as error:
            if strict:
                raise
            _log("%s: recognising it failed", document.path)
            unread[document.path] = _fault(document, error)
    names = _names({document: name for document, (takers, name) in taken.items() if takers})
    groups: dict[str, list[Taken]] = {}
    for document, (takers, _) in taken.items():
        if takers:
            groups.setdefault(names[document], []).extend(takers)
    read = {document.path for document, (takers, _) in taken.items() if takers}
    for document in taken:
        if document.path not in read:
            unread.setdefault(document.path, Unread(document.path, "not recognised"))
    result = (Group(device, tuple(sorted(_settled(groups[device]), key=_age))) for device in sorted(groups))
    return tuple(result), tuple(unread.values())


def _log(text: str, *terms: object) -> None:
    """Logs the error in hand. It is rare, and logging not cheap to import."""
    import logging

    logging.getLogger(__name__).exception(text, *terms)


def _fault(document: Document, error: Exception) -> Unread:
    return Unread(document.path, f"a fault of roce-lint while reading it: {error!r}", failed=True)


def _age(taken: Taken) -> datetime:
    return taken.document.time or _EARLIEST


def _rank(platform: Platform) -> int:
    return NAMES.index(platform.name) if platform.name in NAMES else len(NAMES)


def _takers(document: Document, platforms: Platforms) -> tuple[Taken, ...]:
    """Who could read a document: by its command, else by its content. Several where only the device's other documents can tell."""
    if document.platform is not None:
        own = tuple(each for each in platforms if each.name == document.platform)
        hosts = tuple(each for each in platforms if each.kind == "host" and each not in own)
        platforms = (*own, *hosts) if own else platforms
    if document.command is not None:
        found = tuple(Taken(document, each.platform, each.reader, each.question) for each in askers(document.command, platforms))
        if len(found) < 2:
            return found or _recognised(document, platforms)
        if document.platform is not None:
            found = tuple(each for each in found if each.platform.name == document.platform) or found
        lines = document.lines()
        return tuple(each for each in found if each.reader.recognise(lines)) or found
    return _recognised(document, platforms)


def _recognised(document: Document, platforms: Platforms) -> tuple[Taken, ...]:
    """The first switch's reader that recognises the text, else one of every host's."""
    lines = document.lines()
    found: list[Taken] = []
    for platform in platforms:
        if found and platform.kind == "switch":
            continue
        reader = next((reader for reader in platform.readers if reader.recognise(lines)), None)
        if reader is not None:
            found.append(Taken(document, platform, reader))
            if platform.kind == "switch":
                break
    return tuple(found)


def _settled(taken: Sequence[Taken]) -> list[Taken]:
    """One switch platform a document: where several could read it, the one that reads most of the device's other documents."""
    by_document: dict[Document, list[Taken]] = {}
    for each in taken:
        by_document.setdefault(each.document, []).append(each)
    votes = Counter(some[0].platform.name for some in by_document.values() if len(some) == 1)
    result: list[Taken] = []
    for some in by_document.values():
        recognised = [each for each in some if each.question is None]
        if len(some) == 1 or recognised:
            result.extend(some)
        else:
            result.append(max(some, key=lambda each: votes[each.platform.name]))
    return result


def _names(given: Mapping[Document, str | None]) -> Mapping[Document, str]:
    """The device of each document: as it is told or as its text says, else as the other documents of its folder say."""
    in_folder: dict[str, set[str]] = {}
    for document, name in given.items():
        if name is not None:
            in_folder.setdefault(document.folder, set()).add(name)
    short = _short({name for name in given.values() if name is not None})
    names: dict[Document, str] = {}
    for document, name in given.items():
        if name is None:
            beside = {short[each] for each in in_folder.get(document.folder, ())}
            names[document] = beside.pop() if len(beside) == 1 else PurePath(document.folder).name or "device"
        else:
            names[document] = short[name]
    return names


def _named(document: Document, takers: Sequence[Taken]) -> str | None:
    lines = document.lines()
    return next((name for each in takers if (name := each.reader.named(lines))), None)


def _short(names: set[str]) -> Mapping[str, str]:
    """Every name as one of a device: a name with a domain is the name without where only one device could be meant."""
    labels = Counter(name.split(".")[0] for name in names if "." in name)
    result = {}
    for name in names:
        label = name.split(".")[0]
        result[name] = label if label in names and labels[label] == 1 else name
    return result
