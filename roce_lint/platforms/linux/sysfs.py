"""Files of sysfs, configfs and debugfs of a host: one by `cat FILE`, or many by `grep . FILES` and `head FILES`.

Paths and contents: the MLNX_OFED and upstream mlx5 drivers (en_ecn.c, en_sysfs.c, main_ext.c, cong.c), rdma-core for gid_attrs, the
kernel's cma_configfs for default_roce_tos. A file that is not there or that is empty states nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from roce_lint.model.devices import Rdma
from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact
from roce_lint.model.ports import Port
from roce_lint.model.qos import Cnp
from roce_lint.platforms.linux.sysfs_tables import Tables, every
from roce_lint.platforms.platform import Lines, Reader, Statement
from roce_lint.text.numbers import whole

ANY = (
    "/sys/class/net/{port}/{file}",
    "/sys/class/infiniband/{rdma}/{file}",
    "/sys/kernel/config/rdma_cm/{rdma}/{file}",
    "/sys/kernel/debug/mlx5/{pci}/{file}",
)
CAT = tuple(f"cat {path}" for path in ANY)
MANY = (
    "grep {what} /sys/{first} ...",
    "grep {option} {what} /sys/{first} ...",
    "grep {option} /sys/{first} {what} ...",
    "head /sys/{first} ...",
    "head {option} {lines} /sys/{first} ...",
    "head {option} /sys/{first} ...",
    "tail {option} {lines} /sys/{first} ...",
)
SEND = (
    *(f"/sys/class/net/{{port}}/ecn/{way}/enable/{priority}" for way in ("roce_np", "roce_rp") for priority in range(8)),
    "/sys/class/net/{port}/ecn/roce_np/cnp_dscp",
    "/sys/class/net/{port}/ecn/roce_np/cnp_802p_prio",
    "/sys/class/net/{port}/ecn/roce_np/min_time_between_cnps",
    "/sys/class/net/{port}/qos/buffer_size",
    "/sys/class/net/{port}/qos/prio2buffer",
    "/sys/class/net/{port}/speed",
    "/sys/class/infiniband/{rdma}/tc/1/traffic_class",
    "/sys/class/infiniband/{rdma}/fw_ver",
    "/sys/class/infiniband/{rdma}/hca_type",
    "/sys/class/infiniband/{rdma}/ports/1/link_layer",
    "/sys/class/infiniband/{rdma}/ports/1/gids/{index}",
    "/sys/class/infiniband/{rdma}/ports/1/gid_attrs/types/{index}",
    "/sys/class/infiniband/{rdma}/ports/1/gid_attrs/ndevs/{index}",
    "/sys/class/infiniband/{rdma}/ports/1/hw_counters/{name}",
    "/sys/kernel/config/rdma_cm/{rdma}/ports/1/default_roce_tos",
    "/sys/kernel/config/rdma_cm/{rdma}/ports/1/default_roce_mode",
    "/sys/kernel/debug/mlx5/{pci}/cc_params/np_cnp_dscp",
    "/sys/kernel/debug/mlx5/{pci}/cc_params/np_cnp_prio",
    "/sys/kernel/debug/mlx5/{pci}/cc_params/np_min_time_between_cnps",
)
CUT = "[...]"
PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", re.IGNORECASE)
_CNP = {
    "cnp_dscp": ("dscp", 63),
    "cnp_802p_prio": ("pcp", 7),
    "cnp_prio": ("pcp", 7),
    "min_time_between_cnps": ("interval_us", 1 << 16),
}
LARGEST_MTU = 1 << 16
NO_SPEED, MOST_MBPS = 0xFFFFFFFF, 10_000_000
_LAYERS: Mapping[str, Literal["ethernet", "infiniband"]] = {"Ethernet": "ethernet", "InfiniBand": "infiniband"}
_MODES: Mapping[str, Literal["v1", "v2"]] = {"RoCE v2": "v2", "IB/RoCE v1": "v1", "RoCE v1": "v1"}


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """Ports and RDMA devices, a fact for each file that holds something."""
    tables = Tables()
    for document in documents:
        for path, text, line in _values(document):
            if path is None or any(sign in path for sign in "*?["):
                yield Note(line, "the path of one file expected before a value")
                continue
            if text.startswith(CUT):
                yield Note(line, "the rest of the file was cut")
                continue
            statement = _statement(tables, path.strip("/").split("/"), text, line)
            if isinstance(statement, str):
                yield Note(line, statement)
            elif statement is not None:
                yield statement
    yield from every(tables)


def _values(document: Document) -> Iterator[tuple[str | None, str, Line]]:
    """Path, value and line of each line of a file: of the one asked for, of `path:value` lines, of files below `==> path <==`."""
    parts = (document.command or "").removeprefix("cat ").split()
    asked = parts[0] if len(parts) == 1 and parts[0].startswith("/sys/") else None
    for index, text in enumerate(document.lines()):
        stripped = text.strip()
        if stripped.startswith("==> ") and stripped.endswith(" <=="):
            asked = stripped[4:-4]
        elif stripped.startswith("/sys/") and ":" in stripped and asked is None:
            path, value = _split(stripped)
            if value:
                yield path, value, document.line(index, text)
        elif stripped and not _is_error(stripped):
            yield asked, stripped, document.line(index, text)


def _is_error(text: str) -> bool:
    """Whether a tool says of a file that it cannot be read."""
    return text.startswith(("cat: ", "grep: ", "head: ", "tail: "))


def _split(text: str) -> tuple[str, str]:
    """`path:value`, where a PCI address in the path has colons of its own."""
    start = text.index("/cc_params/") if "/cc_params/" in text else 0
    at = text.index(":", start) if ":" in text[start:] else len(text)
    return text[:at], text[at + 1 :].strip()


def _statement(tables: Tables, parts: Sequence[str], text: str, line: Line) -> Statement | str | None:
    match parts:
        case ["sys", "class", "net", port, *rest]:
            return _net(tables, port, rest, text, line)
        case ["sys", "class", "infiniband", name, *rest]:
            return _infiniband(tables, name, rest, text, line)
        case ["sys", "kernel", "config", "rdma_cm", name, "ports", _, file]:
            return _rdma_cm(name, file, text, line)
        case ["sys", "kernel", "debug", "mlx5", pci, "cc_params", file] if file.startswith("np_"):
            return _cnp(pci, file[3:], text, line)
    return None


def _net(tables: Tables, port: str, parts: Sequence[str], text: str, line: Line) -> Statement | str | None:
    match parts:
        case ["ecn", "roce_np" | "roce_rp" as way, "enable", priority] if priority in "01234567":
            tables.enabled.setdefault((port, way), {})[int(priority)] = (text, line)
        case ["ecn", "roce_np", name]:
            return _cnp(port, name, text, line)
        case ["qos", "buffer_size"]:
            tables.buffers.setdefault(port, []).append((text, line))
        case ["qos", "prio2buffer"]:
            tables.groups.setdefault(port, []).append((text, line))
        case [name] if name in _NET:
            return _NET[name](port, text, line)
    return None


def _infiniband(tables: Tables, name: str, parts: Sequence[str], text: str, line: Line) -> Statement | str | None:
    match parts:
        case ["ports", "1", "gids", index] if (number := whole(index)) is not None:
            tables.gids.setdefault(name, {}).setdefault(number, {})["gid"] = (text, line)
        case ["ports", "1", "gid_attrs", kind, index] if (number := whole(index)) is not None:
            tables.gids.setdefault(name, {}).setdefault(number, {})[kind] = (text, line)
        case ["ports", "1", "hw_counters", counter]:
            tables.counters.setdefault(name, {})[counter] = (text, line)
        case ["ports", "1", "link_layer"]:
            layer = _LAYERS.get(text)
            return Rdma(name, link_layer=Fact(layer, (line,), "observed")) if layer is not None else "Ethernet or InfiniBand expected"
        case ["tc", "1", "traffic_class"]:
            return _tclass(name, text, line)
        case ["fw_ver"]:
            return Rdma(name, firmware=Fact(text, (line,), "observed"))
        case ["hca_type"]:
            return Rdma(name, model=Fact(text, (line,), "observed"))
    return None


def _rdma_cm(name: str, file: str, text: str, line: Line) -> Statement | str | None:
    match file:
        case "default_roce_tos":
            byte = _byte(text)
            return Rdma(name, rdma_cm_tos=Fact(byte, (line,), "observed")) if byte is not None else "a byte expected"
        case "default_roce_mode":
            mode = _MODES.get(text)
            return Rdma(name, rdma_cm_mode=Fact(mode, (line,), "observed")) if mode is not None else "IB/RoCE v1 or RoCE v2 expected"
    return None


def _cnp(port: str, name: str, text: str, line: Line) -> Statement | str | None:
    if name not in _CNP:
        return None
    (field, most), number = _CNP[name], whole(text)
    if number is None or number > most:
        return f"a number from 0 to {most} expected"
    return Port(port, cnp=Cnp(**{field: Fact(number, (line,), "observed")}))


def _byte(text: str) -> int | None:
    number = whole(text)
    return number if number is not None and number < 256 else None


def _tclass(name: str, text: str, line: Line) -> Statement | str | None:
    """`Global tclass=106`; rules for single addresses stand on lines of their own."""
    head, _, value = text.partition("=")
    if head != "Global tclass":
        return "Global tclass=N expected" if not text.startswith("src_ip") else "a rule for single addresses is not read"
    byte = _byte(value)
    return Rdma(name, global_tclass=Fact(byte, (line,), "observed")) if byte is not None else "a byte expected"


def _mtu(port: str, text: str, line: Line) -> Statement | str:
    number = whole(text)
    if not number or number > LARGEST_MTU:
        return "a number of bytes expected"
    return Port(port, mtu=Fact(number, (line,), "observed"), mtu_kind=Fact("l3", (line,), "default"))


def _speed(port: str, text: str, line: Line) -> Statement | str | None:
    """In Mb/s; -1 where the link is down, which some kernels print as a number without a sign."""
    number = whole(text)
    if text == "-1" or number == NO_SPEED:
        return None
    if number is None or number > MOST_MBPS:
        return "a number of Mb/s expected"
    return Port(port, speed_bps=Fact(number * 1_000_000, (line,), "observed")) if number else None


def _operstate(port: str, text: str, line: Line) -> Statement | str | None:
    if text in ("up", "down", "lowerlayerdown", "notpresent"):
        return Port(port, oper_up=Fact(text == "up", (line,), "observed"))
    return None if text in ("unknown", "testing", "dormant") else "a state such as up or down expected"


_NET: Mapping[str, Callable[[str, str, Line], Statement | str | None]] = {
    "mtu": _mtu,
    "speed": _speed,
    "operstate": _operstate,
    "address": lambda port, text, line: Port(port, mac=Fact(text.lower(), (line,), "observed")),
}


def read_links(documents: Sequence[Document]) -> Iterator[Statement]:
    """`readlink /sys/class/net/X/device`: the PCI address of a port or of an RDMA device, of a virtual function also its parent's."""
    for document in documents:
        asked = next((word for word in (document.command or "").split() if word.startswith("/sys/class/")), None)
        lines = [(index, text) for index, text in enumerate(document.lines()) if text.strip()]
        if asked is None or len(lines) != 1:
            continue
        index, text = lines[0]
        if not PCI.fullmatch(text.strip().rsplit("/", 1)[-1]):
            yield Note(document.line(index, text), "the PCI address of a device expected")
            continue
        target: Fact[str] = Fact(text.strip().rsplit("/", 1)[-1].lower(), (document.line(index, text),), "observed")
        match asked.strip("/").split("/"):
            case ["sys", "class", "net", port, "device"]:
                yield Port(port, pci=target)
            case ["sys", "class", "net", port, "device", "physfn"]:
                yield Port(port, parent=target)
            case ["sys", "class", "infiniband", name, "device"]:
                yield Rdma(name, pci=target)


def recognise(lines: Lines) -> bool:
    """Whether a text is `path:value` lines of sysfs, or files below their paths."""
    return any(line.startswith(("/sys/class/net/", "/sys/class/infiniband/", "==> /sys/class/")) for line in lines[:5])


READERS = (
    Reader("sysfs", read, asked=(*SEND, *ANY, *CAT, *MANY), recognise=recognise, send=SEND),
    Reader(
        "sysfs links",
        read_links,
        asked=(
            "readlink /sys/class/{kind}/{name}/device",
            "readlink -f /sys/class/{kind}/{name}/device",
            "realpath /sys/class/{kind}/{name}/device",
            "readlink /sys/class/net/{port}/device/physfn",
            "readlink -f /sys/class/net/{port}/device/physfn",
        ),
        send=("readlink /sys/class/net/{port}/device/physfn",),
    ),
)
