"""Files and folders as documents: what is walked, what is left out and why, and how a file falls into answers."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from roce_lint.collect import snapshot
from roce_lint.collect.decode import text_of
from roce_lint.errors import RoceLintError
from roce_lint.model.document import Document
from roce_lint.model.finding import Unread
from roce_lint.platforms import known as known_command
from roce_lint.text import bundle, transcript
from roce_lint.text.transcript import Known

INTENT = "roce-lint.yaml"
LARGEST_BYTES = 64 << 20
_CABLES = "device_a,port_a,device_b,port_b"
_TEMPLATES = {
    ".j2": "Jinja", ".jinja": "Jinja", ".jinja2": "Jinja", ".tf": "HCL", ".hcl": "HCL", ".tfvars": "HCL", ".tftpl": "HCL",
    ".tmpl": "Go", ".tpl": "Go", ".gotmpl": "Go", ".erb": "ERB", ".mako": "Mako",
}  # fmt: skip
_PROSE = frozenset({".md", ".rst", ".adoc", ".html", ".htm"})
_JINJA = re.compile(r"\{%-?\s*(?:for|if|set|macro|include|extends|block|import|from|raw)\b|\{\{[-~]?\s*[A-Za-z_.$][^\n{}]*\}\}")
_HCL = re.compile(r'^(?:resource|variable|provider|terraform|module|locals|output|data)\b(?: +"[^"\n]*")* *\{ *$', re.MULTILINE)
_SCRIPTS = frozenset({".sh", ".bash", ".py", ".ps1"})


@dataclass(frozen=True, eq=False, slots=True)
class Source:
    """A file: how it is shown, how its bytes are had, the folder that groups what names no device, and what a snapshot says of it."""

    path: str
    fetch: Callable[[], bytes]
    folder: str = ""
    told: snapshot.Told | None = None

    def text(self) -> str | None:
        """The text, None where it is none. Raises OSError."""
        return _text(self)


@lru_cache(maxsize=4)
def _text(source: Source) -> str | None:
    return text_of(source.fetch())


def documents(paths: Iterable[Path | str], known: Known = known_command) -> tuple[tuple[Document, ...], tuple[Unread, ...]]:
    """The documents in files and folders, each numbered, and the files that nobody reads.

    A path is shown relative to the folder that was given, or as it was given where there are several. Raises RoceLintError for a path
    that does not exist.
    """
    found: list[Document] = []
    unread: list[Unread] = []
    given = [Path(path) for path in paths]
    seen: set[str] = set()
    for path in given:
        if not path.exists():
            raise RoceLintError("no such file or folder", str(path))
        for source in _sources(path, alone=len(given) == 1):
            taken = source if isinstance(source, Unread) else _once(source, seen, known, path.is_file())
            if isinstance(taken, Unread):
                unread.append(taken)
            else:
                found.extend(taken)
    return tuple(replace(each, id=number) for number, each in enumerate(found)), tuple(unread)


def _once(source: Source, seen: set[str], known: Known, asked_for: bool) -> tuple[Document, ...] | Unread:
    real = os.path.realpath(f"{source.folder}/{source.path.rsplit('/', 1)[-1]}")
    if real in seen:
        return ()
    seen.add(real)
    return documents_of(source, known, asked_for)


def documents_of(source: Source, known: Known = known_command, asked_for: bool = False) -> tuple[Document, ...] | Unread:
    """One file as documents: one for each answer of a bundle or a transcript, else the whole file; nothing for what is no input."""
    name = source.path.rsplit("/", 1)[-1]
    if name == INTENT:
        return ()
    suffix = os.path.splitext(name)[1].lower()
    if suffix in _TEMPLATES:
        return Unread(source.path, f"a {_TEMPLATES[suffix]} template: what it becomes is not known")
    if suffix in _PROSE and not asked_for:
        return Unread(source.path, "not recognised")
    try:
        text = source.text()
    except OSError as error:
        return Unread(source.path, f"cannot be read: {error.strerror or error}", failed=True)
    if text is None:
        return Unread(source.path, "no text")
    if not text.strip():
        return Unread(source.path, "empty")
    if text.lstrip().startswith(_CABLES):
        return ()
    if suffix not in _SCRIPTS and not text.startswith("#!") and (template := template_of(text)):
        return Unread(source.path, f"a {template} template: what it becomes is not known")
    told = source.told
    if told is not None and told.command is not None and not bundle.is_bundle(text):
        whole = Document(source.path, _part(source, 0, None), None, None, told.command, source.folder)
        return (told.laid_on(whole),)
    return tuple(told.laid_on(each) if told is not None else each for each in split(source, text, known))


def template_of(text: str) -> str | None:
    """The language of a template, None where the text is none."""
    if ("{%" in text or "{{" in text) and _JINJA.search(text):
        return "Jinja"
    return "HCL" if "{" in text and _HCL.search(text) else None


def split(source: Source, text: str, known: Known) -> Iterator[Document]:
    """A text as documents."""
    if bundle.is_bundle(text):
        yield from _bundled(source, text)
        return
    sections = [] if text.lstrip()[:1] == "{" else transcript.sections(text, known)
    for each in sections:
        read = _part(source, each.start, each.end)
        yield Document(source.path, read, each.device, None, each.command, source.folder, each.first_line, None, each.ends)
    if not sections:
        yield Document(source.path, _part(source, 0, None), folder=source.folder)


def _bundled(source: Source, text: str) -> Iterator[Document]:
    for each in bundle.bundles(text):
        for answer in each.answers:
            section = answer.section
            if answer.status in bundle.CANNOT_RUN or (answer.status not in (0, None) and not text[section.start : section.end].strip()):
                continue
            read = _part(source, section.start, section.end)
            time = section.time or each.time
            yield Document(source.path, read, each.host, None, section.command, source.folder, section.first_line, time, section.ends)


def _part(source: Source, start: int, end: int | None) -> Callable[[], str]:
    def read() -> str:
        return (source.text() or "")[start:end]

    return read


def _sources(path: Path, alone: bool) -> Iterator[Source | Unread]:
    """The files at a path, in order, and what cannot be had."""
    if path.is_file():
        yield Source(str(path), path.read_bytes, os.path.abspath(path.parent))
    else:
        yield from _walked(path, "" if alone or path == Path() else f"{path.as_posix().rstrip('/')}/", frozenset(), None)


def _walked(folder: Path, shown: str, above: frozenset[str], within: snapshot.Snapshot | None) -> Iterator[Source | Unread]:
    real = os.path.realpath(folder)
    if real in above:
        return
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Unread(shown or str(folder), f"cannot be read: {error.strerror or error}", failed=True)
        return
    base = os.path.abspath(folder)
    for entry in entries:
        if entry.name == snapshot.NAME:
            taken = snapshot.read(Path(entry.path), f"{shown}{entry.name}")
            if isinstance(taken, Unread):
                yield taken
            else:
                within = taken
                yield from taken.unread
    for entry in entries:
        path = f"{shown}{entry.name}"
        if entry.name.startswith(".") or entry.name == snapshot.NAME or _is_alias(entry, base):
            continue
        if entry.is_dir():
            yield from _walked(Path(entry.path), f"{path}/", above | {real}, within)
        elif not entry.is_file():
            continue
        elif entry.stat().st_size > LARGEST_BYTES:
            yield Unread(path, f"larger than {LARGEST_BYTES >> 20} MiB", failed=True)
        else:
            told = within.told(os.path.join(base, entry.name)) if within is not None else None
            yield Source(path, Path(entry.path).read_bytes, base, told)


def _is_alias(entry: os.DirEntry[str], base: str) -> bool:
    """Whether an entry is a link to what stands beside it, as `latest` is."""
    return entry.is_symlink() and os.path.dirname(os.path.realpath(entry.path)) == os.path.realpath(base)
