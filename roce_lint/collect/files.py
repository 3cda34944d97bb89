"""Files and folders as documents: what is walked, what is left out and why, and how a file falls into answers."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from roce_lint.collect import snapshot
from roce_lint.collect.decode import text_of
from roce_lint.errors import RoceLintError
from roce_lint.model.document import Document
from roce_lint.model.finding import Unread
from roce_lint.platforms import known as known_command
from roce_lint.text import bundle, transcript
from roce_lint.text.section import Section
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
            if isinstance(source, Unread):
                unread.append(source)
                continue
            real = os.path.realpath(f"{source.folder}/{source.path.rsplit('/', 1)[-1]}")
            if real not in seen:
                seen.add(real)
                taken, left = documents_of(source, known, not path.is_dir(), len(found))
                found.extend(taken)
                unread.extend(left)
    return tuple(found), tuple(unread)


def documents_of(
    source: Source, known: Known = known_command, asked_for: bool = False, first_id: int = 0
) -> tuple[tuple[Document, ...], tuple[Unread, ...]]:
    """One file as documents, one for each answer of a bundle or a transcript, else the whole file; and what of it is not read.

    `asked_for` where the user named the file itself. The documents are numbered from `first_id`. The user's own files, an intent and a
    list of cables, are neither.
    """
    name = source.path.rsplit("/", 1)[-1]
    suffix = os.path.splitext(name)[1].lower()
    command = source.told.command if source.told is not None else None
    answer = command is not None
    if name == INTENT:
        return (), ()
    if not answer and suffix in _TEMPLATES:
        return (), (_template(source, _TEMPLATES[suffix]),)
    if not answer and suffix in _PROSE and not asked_for:
        return (), (Unread(source.path, "not recognised"),)
    try:
        text = source.text()
    except OSError as error:
        return (), (Unread(source.path, f"cannot be read: {error.strerror or error}", failed=True),)
    if text is None:
        return (), (Unread(source.path, "no text"),)
    sections: list[tuple[Section, snapshot.Told]] = []
    unread: list[Unread] = []
    if bundle.is_bundle(text):
        sections, unread = _bundled(source, text)
    elif answer:
        sections = [(Section(0, len(text), 1, command), snapshot.Told())]
    elif not text.strip():
        return (), (Unread(source.path, "empty"),)
    elif text.lstrip().startswith(_CABLES):
        return (), ()
    elif suffix not in _SCRIPTS and not text.startswith("#!") and (language := template_of(text)):
        return (), (_template(source, language),)
    else:
        parts = [] if text.lstrip()[:1] == "{" else transcript.sections(text, known)
        sections = [(each, snapshot.Told(each.device)) for each in parts or [Section(0, len(text), 1)]]
    return tuple(_document(source, each, own, first_id + index) for index, (each, own) in enumerate(sections)), tuple(unread)


def _document(source: Source, section: Section, own: snapshot.Told, number: int) -> Document:
    """A section as a document: what a snapshot says of the file comes before what the section says itself, but for its time."""
    told = source.told or own
    return Document(
        source.path,
        partial(_part, source, section.start, section.end),  # a third of a closure's size: a host has two hundred documents
        told.device or own.device,
        told.platform,
        section.command,
        source.folder,
        section.first_line,
        section.time or own.time or told.time,
        section.ends,
        told.role,
        number,
    )


def _part(source: Source, start: int, end: int) -> str:
    return (source.text() or "")[start:end]


def _template(source: Source, language: str) -> Unread:
    return Unread(source.path, f"a {language} template: what it becomes is not known")


def template_of(text: str) -> str | None:
    """The language of a template, None where the text is none."""
    if ("{%" in text or "{{" in text) and _JINJA.search(text):
        return "Jinja"
    return "HCL" if "{" in text and _HCL.search(text) else None


def _bundled(source: Source, text: str) -> tuple[list[tuple[Section, snapshot.Told]], list[Unread]]:
    """The answers in the bundles of a file, without those of tools that are absent or that failed and said nothing."""
    found: list[tuple[Section, snapshot.Told]] = []
    unread: list[Unread] = []
    for each in bundle.bundles(text):
        if each.version != bundle.VERSION:
            unread.append(Unread(source.path, f"a bundle of version {bundle.VERSION} expected, not {each.version or 'none'}", failed=True))
        elif not each.whole:
            unread.append(Unread(source.path, f"the bundle of {each.host or 'a host'} ends early", failed=True))
        told = snapshot.Told(each.host, time=each.time)
        for answer in each.answers:
            section = answer.section
            silent = answer.status not in (0, None) and not text[section.start : section.end].strip()
            if answer.status not in bundle.CANNOT_RUN and not silent:
                command = transcript.asked(section.command)[0] if section.command is not None else None
                found.append((replace(section, command=command), told))
    return found, unread


def _sources(path: Path, alone: bool) -> Iterator[Source | Unread]:
    """The files at a path, in order, and what cannot be had."""
    if path.is_file():
        yield Source(str(path), path.read_bytes, os.path.abspath(path.parent))
    elif not path.is_dir():
        data = path.read_bytes()
        yield Source(str(path), lambda: data, os.path.abspath(path.parent))
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
