"""GID tables: `show_gids` and `ibv_devinfo -v`.

Layouts: Mellanox/mlnx-tools sbin/show_gids; rdma-core libibverbs/examples/devinfo.c.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Sequence
from typing import Literal

from roce_lint.model.devices import Gid, Rdma
from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.platforms.platform import Lines, Reader, Statement
from roce_lint.text.numbers import whole

CUT = "[...]"
FIRST_PORT = "1"  # each function of a card is a device of its own with one port
MOST_GIDS = 1024
MTUS = (256, 512, 1024, 2048, 4096)
VERSIONS: dict[str, Literal["v1", "v2"]] = {"v1": "v1", "v2": "v2", "RoCE v1": "v1", "RoCE v2": "v2", "IB/RoCE v1": "v1"}


def gid(address: str, version: str | None, netdev: str | None) -> Gid:
    """A GID with what its address tells: link-local, or the IPv4 address that it maps."""
    try:
        parsed = ipaddress.IPv6Address(address)
    except ValueError:
        return Gid(VERSIONS.get(version or ""), address, False, None, netdev)
    mapped = parsed.ipv4_mapped
    return Gid(VERSIONS.get(version or ""), address, parsed.is_link_local, str(mapped) if mapped is not None else None, netdev)


def _is_gid(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


def _table(entries: dict[int, Fact[Gid]]) -> Fact[Table[Gid]]:
    return Fact(Table(entries), next(iter(entries.values())).lines, "observed")


def read_show_gids(documents: Sequence[Document]) -> Iterator[Statement]:
    """RDMA devices with their GIDs and the port they stand on. Rows without a port are of InfiniBand."""
    for document in documents:
        tables: dict[str, dict[int, Fact[Gid]]] = {}
        netdevs: dict[str, Fact[str]] = {}
        for index, text in enumerate(document.lines()):
            line = document.line(index, text)
            match text.split():
                case [] | ["DEV", "PORT", *_] | ["---", *_]:
                    continue
                case [first] if first.startswith("n_gids_found="):
                    continue
                case [name, port, number, address, *rest] if (
                    port == FIRST_PORT and (key := whole(number)) is not None and key < MOST_GIDS and _is_gid(address)
                ):
                    at = next((index for index, word in enumerate(rest) if word in VERSIONS), None)
                    version = rest[at] if at is not None else None
                    netdev = rest[at + 1] if at is not None and at + 1 < len(rest) else None
                    tables.setdefault(name, {})[key] = Fact(gid(address, version, netdev), (line,), "observed")
                    if netdev is not None:
                        netdevs.setdefault(name, Fact(netdev, (line,), "observed"))
                case _:
                    yield Note(line, "a row of DEV PORT INDEX GID IPv4 VER DEV expected, of the first port")
        for name, entries in tables.items():
            yield Rdma(name, gids=_table(entries), netdev=netdevs.get(name))


def read_devinfo(documents: Sequence[Document]) -> Iterator[Statement]:
    """RDMA devices with GIDs, active MTU, link layer and firmware."""
    for document in documents:
        name: str | None = None
        port = FIRST_PORT
        ports: set[tuple[str, str]] = set()
        entries: dict[str, dict[int, Fact[Gid]]] = {}
        for index, text in enumerate(document.lines()):
            line = document.line(index, text)
            key, colon, value = text.strip().partition(":")
            key, value = key.strip(), value.strip()
            if not colon:
                if text.strip().startswith(CUT):
                    yield Note(line, "the rest of the answer was cut")
                continue
            if key == "hca_id":
                name, port = value, FIRST_PORT
            elif name is None:
                continue
            elif key == "port":
                again, port = (name, value) in ports, value
                ports.add((name, value))
                if again:
                    name = None
                    yield Note(line, "the name of another device expected above")
                elif port != FIRST_PORT:
                    yield Note(line, "the first port of a device expected: what another states is not read")
            elif port != FIRST_PORT:
                continue
            elif key.startswith("GID[") and key.endswith("]"):
                address, _, version = value.partition(", ")
                number = whole(key[4:-1].strip())
                if number is None or number >= MOST_GIDS or not _is_gid(address.strip()):
                    yield Note(line, "an index and a GID expected")
                    continue
                found = Fact(gid(address.strip(), version.strip() or None, None), (line,), "observed")
                entries.setdefault(name, {})[number] = found
            else:
                stated = _attribute(name, key, value, line)
                if stated is not None:
                    yield stated
        for each, table in entries.items():
            yield Rdma(each, gids=_table(table))


def _attribute(name: str, key: str, value: str, line: Line) -> Rdma | Note | None:
    word = value.split()[0] if value else ""
    match key:
        case "active_mtu":
            mtu = whole(word)
            return (
                Rdma(name, active_mtu=Fact(mtu, (line,), "observed")) if mtu in MTUS and mtu is not None else Note(line, "an MTU expected")
            )
        case "link_layer":
            if word in ("Ethernet", "InfiniBand"):
                return Rdma(name, link_layer=Fact("ethernet" if word == "Ethernet" else "infiniband", (line,), "observed"))
            return None if word in ("", "Unspecified") else Note(line, "Ethernet or InfiniBand expected")
        case "fw_ver" if word:
            return Rdma(name, firmware=Fact(word, (line,), "observed"))
    return None


def _shows_gids(lines: Lines) -> bool:
    return any(line.split()[:4] == ["DEV", "PORT", "INDEX", "GID"] for line in lines[:5])


def _shows_devices(lines: Lines) -> bool:
    return any(line.strip().startswith("hca_id:") for line in lines[:5])


READERS = (
    Reader("show_gids", read_show_gids, asked=("show_gids", "show_gids {device}"), recognise=_shows_gids),
    Reader(
        "ibv_devinfo",
        read_devinfo,
        asked=("ibv_devinfo -v", "ibv_devinfo", "ibv_devinfo -v -d {device} ...", "ibv_devinfo -d {device} ..."),
        recognise=_shows_devices,
    ),
)
