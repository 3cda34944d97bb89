"""A device, its RDMA devices and the jobs on it; a link; the fabric."""

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Literal

from pydantic.dataclasses import dataclass

from roce_lint.model.document import Document, Note
from roce_lint.model.facts import RECORD, UNCHECKED, Fact, Table
from roce_lint.model.finding import Unread
from roce_lint.model.ports import Port

EVERY_PORT = "*"


@dataclass(frozen=True, slots=True, config=RECORD)
class Gid:
    """An entry of a GID table: the RoCE version, the 128-bit address, the IPv4 address that it maps, the port it belongs to."""

    type: Literal["v1", "v2"] | None
    address: str
    link_local: bool
    ipv4: str | None = None
    netdev: str | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Rdma:
    """An RDMA device of a host. The traffic-class byte is DSCP << 2 | ECN."""

    name: str
    netdev: Fact[str] | None = None
    link_layer: Fact[Literal["ethernet", "infiniband"]] | None = None
    firmware: Fact[str] | None = None
    model: Fact[str] | None = None
    pci: Fact[str] | None = None
    active_mtu: Fact[int] | None = None
    global_tclass: Fact[int] | None = None
    rdma_cm_tos: Fact[int] | None = None
    rdma_cm_mode: Fact[Literal["v1", "v2"]] | None = None
    gids: Fact[Table[Gid]] | None = None
    counters: Fact[dict[str, int]] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Hcas:
    """Which RDMA devices a job may use: whole names (`exact`) or name prefixes, or all but those (`excluded`)."""

    names: frozenset[str]
    exact: bool
    excluded: bool = False


@dataclass(frozen=True, slots=True, config=RECORD)
class Job:
    """An application's settings on a host, from one file or environment. `application` is the library's name."""

    name: str
    application: Fact[str] | None = None
    traffic_class: Fact[int] | None = None
    fifo_traffic_class: Fact[int] | None = None
    gin_traffic_class: Fact[int] | None = None
    service_level: Fact[int] | None = None
    gid_index: Fact[int] | None = None
    hcas: Fact[Hcas] | None = None
    default_traffic_class: Fact[int] | None = None  # what the library uses where the variable is unset
    site_wide: Fact[bool] | None = None  # a file that every job of the host reads


@dataclass(frozen=True, slots=True, config=RECORD)
class Device:
    """A switch or a host. `complete` tells that silence of its configuration is a default, with the lines that prove it."""

    name: str
    platform: str | None = None
    kind: Literal["switch", "host"] | None = None
    role: str | None = None
    named: Fact[str] | None = None  # the name it gives itself
    mac: Fact[str] | None = None
    version: Fact[str] | None = None
    model: Fact[str] | None = None
    asic: Fact[str] | None = None
    buffer_model: Fact[Literal["traditional", "dynamic"]] | None = None
    complete: Fact[bool] | None = None
    roce_mode: Fact[str] | None = None
    roce_exceptions: Fact[tuple[str, ...]] | None = None
    undefined_names: Fact[frozenset[str]] | None = None
    unattached_names: Fact[frozenset[str]] | None = None  # defined, needed by no port that they are attached to
    pools: Fact[Mapping[str, Fact[object]]] | None = None
    services: Fact[Mapping[str, str]] | None = None
    ports: Annotated[Mapping[str, Port], UNCHECKED] = field(default_factory=dict)
    rdma: Annotated[Mapping[str, Rdma], UNCHECKED] = field(default_factory=dict)
    jobs: Annotated[Mapping[str, Job], UNCHECKED] = field(default_factory=dict)
    documents: Annotated[tuple[Document, ...], UNCHECKED] = ()


@dataclass(frozen=True, slots=True, config=RECORD)
class PortName:
    """A port by the name of its device and its own."""

    device: str
    port: str

    def __str__(self) -> str:
        return f"{self.device}/{self.port}"


@dataclass(frozen=True, slots=True, config=RECORD)
class Link:
    """A cable between two ports, and what says so: `lldp`, `plan` (kept on a device) or `intent`."""

    a: PortName
    b: PortName
    source: Literal["lldp", "plan", "intent"]
    length_m: Fact[int] | None = None
    stated: Fact[str] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Cable:
    """A cable as intent states it. The facts stand on the line that names it."""

    a: Fact[PortName]
    b: Fact[PortName]
    length_m: Fact[int] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Fabric:
    """All that was read: devices by name, the links between their ports, and what could not be read.

    An end of a link may be on a device that was not collected. `contradicted` are links of a plan that LLDP says to be otherwise.
    """

    devices: Annotated[Mapping[str, Device], UNCHECKED] = field(default_factory=dict)
    links: Annotated[tuple[Link, ...], UNCHECKED] = ()
    contradicted: Annotated[tuple[Link, ...], UNCHECKED] = ()
    notes: Annotated[tuple[Note, ...], UNCHECKED] = ()
    unread: Annotated[tuple[Unread, ...], UNCHECKED] = ()
    by_port: Annotated[Mapping[PortName, Link], UNCHECKED] = field(default_factory=dict)
