"""The platforms that are read: one row each. Order decides where two of them recognise one text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import import_module

from roce_lint.platforms.platform import Platform, Reader, asked, words

NAMES = ("sonic", "nvue", "mlx5", "linux", "nccl")


class Rows:
    """The platforms in the order of NAMES. A package is imported when its row is come to: one switch's file costs no host's readers."""

    def __iter__(self) -> Iterator[Platform]:
        return map(_row, NAMES)


@cache
def _row(name: str) -> Platform:
    row: Platform = import_module(f"{__name__}.{name}").PLATFORM
    # what follows for a driver's port does so whichever tool says it
    return replace(row, completed=_row("mlx5").completed) if name == "linux" else row


PLATFORMS = Rows()
Platforms = tuple[Platform, ...] | Rows


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that a reader takes the answer of. `question` is equal for two commands that ask the same."""

    platform: Platform
    reader: Reader
    question: tuple[object, ...]


@cache
def _by_word(platforms: Platforms) -> Mapping[str, tuple[tuple[Platform, Reader, str], ...]]:
    """The patterns of all readers by their first word up to its first free part, or by `{` where they begin with one."""
    found: dict[str, tuple[tuple[Platform, Reader, str], ...]] = {}
    for platform in platforms:
        for reader in platform.readers:
            for pattern in reader.asked:
                first = pattern.split()[0]
                key = first if "{" not in first else "{"
                found[key] = (*found.get(key, ()), (platform, reader, pattern))
    return found


@lru_cache(maxsize=4096)
def askers(command: str, platforms: Platforms | None = None) -> tuple[Asked, ...]:
    """The readers that take the answer of a command, one a platform, in the order of the table."""
    rows = _by_word(PLATFORMS if platforms is None else platforms)
    parts = words(command)
    if not parts:
        return ()
    found: dict[str, Asked] = {}
    for platform, reader, pattern in (*rows.get(parts[0], ()), *rows.get("{", ())):
        if platform.name in found:
            continue
        free = asked(pattern, command)
        if free is not None:
            question = (reader.name, pattern.removesuffix(" ..."), *sorted(free.items()))
            found[platform.name] = Asked(platform, reader, question)
    return tuple(found.values())


def known(command: str) -> bool:
    """Whether a platform reads the answer of a command."""
    return bool(askers(command))
