"""RDMA devices and the ports they stand on: `ibdev2netdev`, `rdma -j link` and `rdma -j dev`.

Layouts: Mellanox/mlnx-tools sbin/ibdev2netdev; iproute2 rdma/link.c and rdma/dev.c.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from roce_lint.model.devices import Rdma
from roce_lint.model.document import Document, Note
from roce_lint.model.facts import Fact
from roce_lint.platforms.platform import Lines, Reader, Statement
from roce_lint.text.numbered_json import Json, Node, numbered

_PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", re.IGNORECASE)
_MODEL = re.compile(r"\((\w+) - [^)]*\)")


def read_ibdev2netdev(documents: Sequence[Document]) -> Iterator[Statement]:
    """`mlx5_0 port 1 ==> ens1f0np0 (Up)`; with -v a PCI address before, the model and the firmware between."""
    for document in documents:
        for index, text in enumerate(document.lines()):
            before, arrow, after = text.partition("==>")
            if not text.strip():
                continue
            parts, netdev, line = before.split(), after.split(), document.line(index, text)
            pci = parts.pop(0) if parts and _PCI.fullmatch(parts[0]) else None
            if not arrow or len(parts) < 3 or not netdev:
                yield Note(line, "DEVICE port N ==> NETDEV expected")
                continue
            model = _MODEL.search(before)
            firmware = parts[parts.index("fw") + 1] if "fw" in parts[:-1] else None
            yield Rdma(
                parts[0],
                netdev=Fact(netdev[0], (line,), "observed"),
                pci=Fact(pci.lower(), (line,), "observed") if pci is not None else None,
                model=Fact(model[1], (line,), "observed") if model is not None else None,
                firmware=Fact(firmware, (line,), "observed") if firmware is not None else None,
            )


def read_link(documents: Sequence[Document]) -> Iterator[Statement]:
    """`rdma -j link show`: a list of objects with ifname and netdev."""
    for document in documents:
        yield from _objects(document, "netdev")


def read_dev(documents: Sequence[Document]) -> Iterator[Statement]:
    """`rdma -j dev show`: a list of objects with ifname and fw."""
    for document in documents:
        yield from _objects(document, "fw")


def _objects(document: Document, key: str) -> Iterator[Statement]:
    if not document.read().strip():
        return
    json = numbered(document)
    note = json.note()
    if note is not None:
        yield note
    for item in (json.root.items if json.root is not None else None) or ():
        name, fact = item.get("ifname"), _text(json, item.get(key))
        text = name.text() if name is not None else None
        if text is not None and fact is not None:
            yield Rdma(text, netdev=fact) if key == "netdev" else Rdma(text, firmware=fact)


def _text(json: Json, node: Node | None) -> Fact[str] | None:
    text = node.text() if node is not None else None
    return Fact(text, (json.line(node),), "observed") if node is not None and text is not None else None


def _joins(lines: Lines) -> bool:
    return any(" ==> " in line and " port " in line for line in lines[:3])


def _shows_links(lines: Lines) -> bool:
    return _lists(lines, '"physical_state"')


def _shows_devices(lines: Lines) -> bool:
    return _lists(lines, '"node_guid"')


def _lists(lines: Lines, key: str) -> bool:
    """Whether a text is a JSON list whose first object has a name and a key."""
    head = "".join(lines[:30]).lstrip()[:2000]
    return head.startswith("[") and '"ifname"' in head and key in head


def _asked(subject: str) -> tuple[str, ...]:
    return tuple(f"rdma {flags} {subject}{rest}" for flags in ("-j", "-j -d", "-d -j") for rest in ("", " show", " show {device}"))


READERS = (
    Reader("ibdev2netdev", read_ibdev2netdev, asked=("ibdev2netdev -v", "ibdev2netdev"), recognise=_joins),
    Reader("rdma link", read_link, asked=_asked("link"), recognise=_shows_links, send=("rdma -j link show",)),
    Reader("rdma dev", read_dev, asked=_asked("dev"), recognise=_shows_devices, send=("rdma -j dev show",)),
)
