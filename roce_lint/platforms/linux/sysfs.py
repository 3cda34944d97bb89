"""Files of sysfs, configfs and debugfs of a host: one value a file, by `cat FILE`, or many by `grep . FILES`.

Paths and contents: the MLNX_OFED and upstream mlx5 drivers (en_ecn.c, en_sysfs.c, main_ext.c, cong.c), rdma-core for gid_attrs, the
kernel's cma_configfs for default_roce_tos.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from roce_lint.model.devices import Gid, Rdma
from roce_lint.model.document import Document, Line, Note
from roce_lint.model.facts import Fact, Table
from roce_lint.model.outcome import AtLeast
from roce_lint.model.ports import Port
from roce_lint.model.qos import Cnp, Priorities
from roce_lint.platforms.linux.gids import gid
from roce_lint.platforms.platform import Lines, Reader, Statement

PATHS = (
    "/sys/class/net/{port}/ecn/{way}/enable/{priority}",
    "/sys/class/net/{port}/ecn/roce_np/{name}",
    "/sys/class/net/{port}/mtu",
    "/sys/class/net/{port}/speed",
    "/sys/class/net/{port}/operstate",
    "/sys/class/net/{port}/address",
    "/sys/class/infiniband/{rdma}/tc/{number}/traffic_class",
    "/sys/class/infiniband/{rdma}/fw_ver",
    "/sys/class/infiniband/{rdma}/board_id",
    "/sys/class/infiniband/{rdma}/hca_type",
    "/sys/class/infiniband/{rdma}/ports/{number}/link_layer",
    "/sys/class/infiniband/{rdma}/ports/{number}/gids/{index}",
    "/sys/class/infiniband/{rdma}/ports/{number}/gid_attrs/{name}/{index}",
    "/sys/class/infiniband/{rdma}/ports/{number}/hw_counters/{name}",
    "/sys/kernel/config/rdma_cm/{rdma}/ports/{number}/default_roce_tos",
    "/sys/kernel/config/rdma_cm/{rdma}/ports/{number}/default_roce_mode",
    "/sys/kernel/debug/mlx5/{pci}/cc_params/{name}",
)
GREPS = tuple(
    " ".join((grep, *(f"{{path{number}}}" for number in range(count))))
    for grep in ("grep .", "grep -r .", "grep -s .", "grep -H .")
    for count in range(1, 5)
)
Value = tuple[str, Line]
_CNP = {
    "cnp_dscp": "dscp",
    "cnp_802p_prio": "pcp",
    "cnp_prio": "pcp",
    "min_time_between_cnps": "interval_us",
}


@dataclass(slots=True)
class _Tables:
    """What takes several files to state."""

    enabled: dict[tuple[str, str], dict[int, Value]] = field(default_factory=dict)
    gids: dict[str, dict[int, dict[str, Value]]] = field(default_factory=dict)
    counters: dict[str, dict[str, Value]] = field(default_factory=dict)


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """Ports and RDMA devices, a fact for each file that holds something."""
    tables = _Tables()
    for document in documents:
        for path, text, line in _values(document):
            statement = _statement(tables, path.strip("/").split("/"), text, line)
            if isinstance(statement, str):
                yield Note(line, statement)
            elif statement is not None:
                yield statement
    yield from _enabled(tables)
    for name, entries in tables.gids.items():
        yield from _gids(name, entries)
    for name, values in tables.counters.items():
        numbers = {each: int(text) for each, (text, _) in values.items() if text.isdigit()}
        lines = tuple(line for _, line in values.values())
        if numbers:
            yield Rdma(name, counters=Fact(numbers, lines[:1], "observed"))


def _values(document: Document) -> Iterator[tuple[str, str, Line]]:
    """Path, value and line of each file: of the one that was asked for, or of `path:value` lines."""
    command = document.command or ""
    for index, text in enumerate(document.lines()):
        stripped = text.strip()
        if stripped.startswith(("/sys/", "/proc/")) and ":" in stripped:
            path, value = _split(stripped)
            yield path, value, document.line(index, text)
        elif command.startswith("/sys/") and stripped:
            yield command.split()[0], stripped, document.line(index, text)


def _split(text: str) -> tuple[str, str]:
    """`path:value`, where a PCI address in the path has colons of its own."""
    start = 0
    if "/cc_params/" in text:
        start = text.index("/cc_params/")
    at = text.index(":", start)
    return text[:at], text[at + 1 :].strip()


def _statement(tables: _Tables, parts: Sequence[str], text: str, line: Line) -> Statement | str | None:
    match parts:
        case ["sys", "class", "net", port, "ecn", "roce_np" | "roce_rp" as way, "enable", priority] if priority.isdigit():
            tables.enabled.setdefault((port, way), {})[int(priority)] = (text, line)
        case ["sys", "class", "net", port, "ecn", "roce_np", name]:
            return _cnp(
                Port(port), {"cnp_dscp": "dscp", "cnp_802p_prio": "pcp", "min_time_between_cnps": "interval_us"}.get(name), text, line
            )
        case ["sys", "class", "net", port, name] if name in _NET:
            return _NET[name](port, text, line)
        case ["sys", "class", "infiniband", name, "tc", _, "traffic_class"]:
            return _tclass(name, text, line)
        case ["sys", "class", "infiniband", name, "fw_ver"]:
            return Rdma(name, firmware=Fact(text, (line,), "observed"))
        case ["sys", "class", "infiniband", name, "hca_type"]:
            return Rdma(name, model=Fact(text, (line,), "observed"))
        case ["sys", "class", "infiniband", name, "ports", _, "link_layer"]:
            layer = text.lower()
            return Rdma(name, link_layer=Fact("ethernet" if layer == "ethernet" else "infiniband", (line,), "observed"))
        case ["sys", "class", "infiniband", name, "ports", _, "gids", index] if index.isdigit():
            tables.gids.setdefault(name, {}).setdefault(int(index), {})["gid"] = (text, line)
        case ["sys", "class", "infiniband", name, "ports", _, "gid_attrs", kind, index] if index.isdigit():
            tables.gids.setdefault(name, {}).setdefault(int(index), {})[kind] = (text, line)
        case ["sys", "class", "infiniband", name, "ports", _, "hw_counters", counter]:
            tables.counters.setdefault(name, {})[counter] = (text, line)
        case ["sys", "kernel", "config", "rdma_cm", name, "ports", _, "default_roce_tos"]:
            return Rdma(name, rdma_cm_tos=Fact(int(text), (line,), "observed")) if text.isdigit() else "a byte expected"
        case ["sys", "kernel", "config", "rdma_cm", name, "ports", _, "default_roce_mode"]:
            return Rdma(name, rdma_cm_mode=Fact("v2" if text == "RoCE v2" else "v1", (line,), "observed"))
        case ["sys", "kernel", "debug", "mlx5", pci, "cc_params", name]:
            return _cnp(Port(pci), _CNP.get(name.removeprefix("np_")), text, line)
    return None


def _cnp(port: Port, field_name: str | None, text: str, line: Line) -> Statement | str | None:
    if field_name is None:
        return None
    if not text.isdigit():
        return "a number expected"
    return Port(port.name, cnp=Cnp(**{field_name: Fact(int(text), (line,), "observed")}))


def _tclass(name: str, text: str, line: Line) -> Statement | str | None:
    """`Global tclass=106`; rules for addresses follow on lines of their own."""
    if not text.startswith("Global tclass="):
        return None if text.startswith("src_ip") else "Global tclass=N expected"
    number = text.partition("=")[2]
    return Rdma(name, global_tclass=Fact(int(number), (line,), "observed")) if number.isdigit() else "a byte expected"


def _number(make: Callable[[str, Fact[int]], Port], factor: int = 1) -> Callable[[str, str, Line], Statement | str | None]:
    def stated(port: str, text: str, line: Line) -> Statement | str | None:
        if not text.lstrip("-").isdigit():
            return "a number expected"
        return make(port, Fact(int(text) * factor, (line,), "observed")) if int(text) > 0 else None

    return stated


_NET: Mapping[str, Callable[[str, str, Line], Statement | str | None]] = {
    "mtu": _number(lambda port, fact: Port(port, mtu=fact, mtu_kind=Fact("l3", fact.lines, "default"))),
    "speed": _number(lambda port, fact: Port(port, speed_bps=fact), 1_000_000),
    "operstate": lambda port, text, line: Port(port, oper_up=Fact(text == "up", (line,), "observed")),
    "address": lambda port, text, line: Port(port, mac=Fact(text.lower(), (line,), "observed")),
}


def _enabled(tables: _Tables) -> Iterator[Port]:
    """The priorities with a point on; only a lower bound where not all eight files were read."""
    for (port, way), values in tables.enabled.items():
        on = [priority for priority, (text, _) in values.items() if text == "1"]
        whole = len(values) == 8 and all(text in ("0", "1") for text, _ in values.values())
        first = sorted(values, key=lambda priority: (priority not in on, priority))
        lines = tuple(values[priority][1] for priority in first[: max(1, len(on))])
        priorities = Priorities(Fact(frozenset(on) if whole else AtLeast(on), lines, "observed"))
        yield Port(port, np=priorities) if way == "roce_np" else Port(port, rp=priorities)


def _gids(name: str, entries: Mapping[int, Mapping[str, Value]]) -> Iterator[Rdma]:
    table: dict[int, Fact[Gid]] = {}
    netdev: Fact[str] | None = None
    for index, parts in sorted(entries.items()):
        device = parts.get("ndevs")
        if device is not None and netdev is None:
            netdev = Fact(device[0], (device[1],), "observed")
        address = parts.get("gid")
        if address is None or set(address[0]) <= set("0:"):
            continue
        kind = parts.get("types")
        lines = tuple(part[1] for part in (address, kind, device) if part is not None)
        table[index] = Fact(gid(address[0], kind[0] if kind else None, device[0] if device else None), lines, "observed")
    whole = Fact(Table(table), next(iter(table.values())).lines[:1], "observed") if table else None
    if whole is not None or netdev is not None:
        yield Rdma(name, gids=whole, netdev=netdev)


def recognise(lines: Lines) -> bool:
    """Whether a text is `path:value` lines of sysfs."""
    return any(line.startswith(("/sys/class/net/", "/sys/class/infiniband/")) and ":" in line for line in lines[:5])


READER = Reader("sysfs", read, asked=(*PATHS, *GREPS), recognise=recognise, send=PATHS)
