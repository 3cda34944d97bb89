"""Configurations of indented lines: each line with the lines beneath it, on the lines that they stand on.

A section ends where the indentation goes back, by any width: 1 on Dell OS10, 2 on NX-OS, 3 on EOS. A text that lost its indentation has
its sections end at a separator, at `exit`, or where the next section opens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

END_OF_TEXT = "EOF"
TAB = 8


@dataclass(slots=True, eq=False)
class Block:
    """A line of a configuration, its words, and the lines beneath it. `index` counts from 0; the root has no words."""

    index: int
    text: str
    words: tuple[str, ...]
    inner: list[Block] = field(default_factory=list)

    def sections(self, *opening: str) -> Iterator[Block]:
        """The lines beneath that begin with some words."""
        return (each for each in self.inner if each.words[: len(opening)] == opening)

    def every(self) -> Iterator[Block]:
        """Everything beneath, in the order of the text."""
        for each in self.inner:
            yield each
            yield from each.every()


def _no_prose(words: Sequence[str]) -> str | None:
    """What ends the prose that a line opens: a banner's own delimiter, or `EOF` where it names none."""
    match words:
        case ["banner", _, mark, *rest]:
            closed = bool(rest and rest[-1].endswith(mark[0])) or (len(mark) > 1 and mark != "^C" and mark.endswith(mark[0]))
            return None if closed else mark if mark == "^C" else mark[0]
        case ["banner", _]:
            return END_OF_TEXT
    return None


def blocks(
    lines: Sequence[str],
    opens: Callable[[Sequence[str]], bool],
    prose: Callable[[Sequence[str]], str | None] = _no_prose,
    comments: str = "!",
) -> Block:
    """A configuration as a tree.

    `opens` tells a line that opens a section. In a section, lines that are deeper than one that opens none stand in the section itself; at
    the top every line may have lines beneath it. `prose` gives what ends the free text that a line begins, such as a banner, whose lines
    are passed over. A line that begins with one of `comments` is a remark.
    """
    root = Block(-1, "", ())
    flat = not _is_indented(lines, comments)
    open_blocks: list[tuple[int, Block]] = [(-1, root)]
    ending: str | None = None
    for index, text in enumerate(lines):
        stripped = text.strip()
        if ending is not None:
            ending = None if _ends(stripped, ending) else ending
            continue
        if not stripped or stripped[0] in comments:
            if flat and stripped:
                del open_blocks[1:]
            continue
        words = tuple(stripped.split())
        if words == ("exit",):
            if flat:
                del open_blocks[1:]
            continue
        depth = _depth(text)
        block = Block(index, stripped, words)
        if not flat:
            while open_blocks[-1][0] >= depth:
                open_blocks.pop()
        elif opens(words):
            del open_blocks[1:]
        open_blocks[-1][1].inner.append(block)
        if opens(words) or (len(open_blocks) == 1 and not flat):
            open_blocks.append((depth, block))
        ending = prose(words)
    return root


def _ends(stripped: str, ending: str) -> bool:
    return stripped == ending if ending == END_OF_TEXT else ending in stripped


def _depth(text: str) -> int:
    """The blanks before a line; a tab counts to the next multiple of eight."""
    depth = 0
    for character in text:
        if character == " ":
            depth += 1
        elif character == "\t":
            depth += TAB - depth % TAB
        else:
            break
    return depth


def _is_indented(lines: Sequence[str], comments: str) -> bool:
    """Whether any line stands deeper than the shallowest."""
    depths = {_depth(text) for text in lines if text.strip() and text.strip()[0] not in comments}
    return len(depths) > 1
