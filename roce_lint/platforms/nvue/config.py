"""An NVUE configuration read: what it states of every port, of each interface, and what its shortcuts and defaults stand for.

Keys, defaults and precedence: CumulusNetworks/docs content/cumulus-linux-514 Quality-of-Service and the NVUE reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_lint.model.devices import Device
from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Basis, Fact
from roce_lint.platforms.nvue import interfaces, qos
from roce_lint.platforms.nvue.tree import Item, Tree, from_commands, from_json, from_yaml, names
from roce_lint.platforms.platform import Lines, Reader, Statement


def read_yaml(documents: Sequence[Document]) -> Iterator[Statement]:
    for document in documents:
        yield from _stated(from_yaml(document))


def read_json(documents: Sequence[Document]) -> Iterator[Statement]:
    for document in documents:
        yield from _stated(from_json(document))


def read_commands(documents: Sequence[Document]) -> Iterator[Statement]:
    for document in documents:
        yield from _stated(from_commands(document))


def _stated(tree: Tree) -> Iterator[Statement]:
    yield from tree.notes
    header = tree.header
    complete = header is not None
    hostname = tree.root.get("system", "hostname")
    version = header.get("version") if header is not None else None
    yield Device(
        "",
        named=_text(hostname.text(), hostname.deepest()) if hostname is not None else None,
        version=_text(version.text(), version.line) if version is not None else None,
        complete=Fact(True, (header.line,), "configured") if header is not None else None,
        **qos.of_device(tree),  # type: ignore[arg-type]
    )
    settings = qos.Settings(tree, complete)
    yield settings.every_port()
    listed = tree.root.get("interface") or Item(tree.root.line)
    members = interfaces.bonds(listed)
    for key, item in listed.below.items():
        for name in names(key):
            if name.startswith(("swp", "bond", "peerlink")) or item.get("bond") is not None:
                yield interfaces.port(name, item, complete, members.get(name), settings)
    yield from dict.fromkeys(settings.notes)


def _text(value: str | None, line: Line, basis: Basis = "configured") -> Fact[str] | None:
    return Fact(value, (line,), basis) if value is not None else None


def is_yaml(lines: Lines) -> bool:
    """A list that begins with an NVUE header of Cumulus Linux or HBN, or with `set:` over interfaces or qos."""
    head = [line for line in lines[:40] if line.strip() and not line.lstrip().startswith("#")]
    if any("nvue-api-version:" in line for line in head[:8]):
        return True
    return (
        bool(head) and head[0].rstrip() == "- set:" and any(line.strip() in ("interface:", "qos:", "bridge:", "system:") for line in head)
    )


def is_json(lines: Lines) -> bool:
    head = "".join(line.strip() for line in lines[:12])
    return head[:1] == "[" and '"nvue-api-version"' in head


def is_commands(lines: Lines) -> bool:
    said = [line.split() for line in lines if line.strip()]
    ours = sum("nv" in parts[:4] and ("set" in parts[1:5] or "unset" in parts[1:5]) for parts in said)
    return ours >= 1 and ours * 2 >= len(said)


def named(lines: Lines) -> str | None:
    """The hostname that a configuration gives its device."""
    for line in lines:
        parts = line.replace('"', " ").replace(",", " ").split()
        if parts[:1] == ["hostname:"] and len(parts) == 2 and line.startswith(" "):
            return parts[1].strip("'\"")
        if parts[:4] == ["nv", "set", "system", "hostname"] and len(parts) == 5:
            return parts[4].strip("'\"")
    return None


READERS = (
    Reader(
        "nvue yaml",
        read_yaml,
        asked=("nv config show", "nv config show -o yaml", "/etc/nvue.d/startup.yaml"),
        recognise=is_yaml,
        named=named,
        send=("nv config show -o yaml",),
    ),
    Reader("nvue json", read_json, asked=("nv config show -o json",), recognise=is_json, named=named),
    Reader("nvue commands", read_commands, asked=("nv config show -o commands",), recognise=is_commands, named=named),
)
