"""The bytes of a file as text, without what a terminal or a pager put between the lines."""

from __future__ import annotations

import codecs
import re

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LOOKED_AT = 8192
_CONTROLS = bytes(set(range(32)) - {7, 8, 9, 10, 12, 13, 27})
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[PX^_][^\x1b\n]*(?:\x1b\\)?|[()*+#%][A-Za-z0-9]|[ -~])?")
_PAGER = re.compile(
    r"[ \t]*(?:<?-{2,} ?(?:More|MORE|more) ?(?:\([^)\n]*\))? ?-{2,}>?|-{3}\(more(?: \d+%)?\)-{3}|Press <SPACE> to continue[^\n\r\x08]*)"
    r"(?:[\x08 ]*\x08|[ ]*\r[ ]*\r?(?!\n))?"
)
_ERASED = re.compile(r"[^\x08\n]\x08")


def text_of(data: bytes) -> str | None:
    """The text of a file, None where it is none. UTF-8 or UTF-16 with a mark of order, else Latin-1; lines end at a line feed."""
    if data.startswith(_UTF16):
        return cleaned(data.decode("utf-16", errors="replace"))
    head = data[:_LOOKED_AT]
    if b"\x00" in head or len(head) - len(head.translate(None, _CONTROLS)) > len(head) // 50:
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = data.decode("utf-8-sig", errors="replace") if error.start >= len(data) - 3 else data.decode("latin-1")
    return cleaned(text)


def cleaned(text: str) -> str:
    """A text without colours, pager prompts and what was overwritten; the number of each line stays."""
    if "\r" in text:
        text = re.sub(r"\r+\n", "\n", text) if "\n" in text else text.replace("\r", "\n")
    if "\x1b" in text:
        text = _ESCAPE.sub("", text)
    if "-More" in text or "(more" in text or "- More" in text or "-more" in text or "MORE" in text or "<SPACE>" in text:
        text = _PAGER.sub("", text)
    if "\x08" in text:
        before = ""
        while before != text:
            before, text = text, _ERASED.sub("", text)
        text = text.replace("\x08", "")
    if "\r" in text:
        text = re.sub(r"[^\n\r]*\r+(?=[^\n\r])", "", text).replace("\r", "")
    return text
