"""`roce-lint show PATH DEVICE[/PORT]`: what is known, and where it is stated."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import replace

from roce_lint.errors import RoceLintError
from roce_lint.judge import Options, joined
from roce_lint.lint.book import near
from roce_lint.model.devices import EVERY_PORT, Device, Fabric, PortName
from roce_lint.model.document import Document
from roce_lint.report.facts import facts, lines
from roce_lint.report.text import count


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a file or folder")
    parser.add_argument(
        "what", metavar="DEVICE[/PORT]", nargs="?", help="a device, one of its ports, RDMA devices or jobs; else all are listed"
    )
    parser.add_argument("--intent", metavar="FILE", help="an intent file, for the cables it states")


def run(options: Namespace) -> int:
    given = joined([options.path], Options(intent=options.intent))
    devices = given.fabric.devices
    if options.what is None:
        print("\n".join(_listed(device) for device in devices.values()))
        return 0
    name, _, part = options.what.partition("/")
    device = devices.get(name)
    if device is None:
        known = ", ".join(devices) or "none was recognised"
        raise RoceLintError(f"no device {name!r}{near(name, devices) or f'; {known}'}", options.path)
    for line in _part(given.fabric, device, part) if part else _device(device):
        print(line)
    return 0


def _listed(device: Device) -> str:
    ports = len(device.ports) - (EVERY_PORT in device.ports)
    return f"{device.name}   {device.platform or '?'} {device.kind or ''}   {count(ports, 'port')}"


def _device(device: Device) -> Iterator[str]:
    yield _listed(device)
    for document in device.documents:
        yield f"  read from {_source(document)}"
    yield from lines(facts(replace(device, ports={}, rdma={}, jobs={}, documents=())))
    for title, names in (("ports", device.ports), ("RDMA devices", device.rdma), ("jobs", device.jobs)):
        if names:
            yield f"  {title}: {', '.join(names)}"


def _source(document: Document) -> str:
    return document.path if document.command is None else f"{document.path}: {document.command}"


def _part(fabric: Fabric, device: Device, part: str) -> Iterator[str]:
    """A port with its cable, an RDMA device or a job."""
    found = device.ports.get(part) or device.rdma.get(part) or device.jobs.get(part)
    if found is None:
        known = [*device.ports, *device.rdma, *device.jobs]
        raise RoceLintError(f"{device.name} has no port {part!r}{near(part, known) or ''}")
    yield f"{device.name}/{part}"
    link = fabric.by_port.get(PortName(device.name, part))
    if link is not None:
        yield f"  cabled to {link.b if link.a == PortName(device.name, part) else link.a}   {link.source}"
    yield from lines(facts(found))
