"""What devices say, as one fabric: fragments of a port put together, RDMA devices joined to ports, links found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from roce_lint.collect.files import documents
from roce_lint.collect.read import Stated, grouped, read
from roce_lint.fabric.join import joined
from roce_lint.fabric.links import linked
from roce_lint.model.devices import EVERY_PORT, Cable, Device, Fabric, Job, Rdma
from roce_lint.model.document import Note
from roce_lint.model.finding import Unread
from roce_lint.model.merge import all_merged, overlaid
from roce_lint.model.ports import Port

R = TypeVar("R")


def collected(paths: Iterable[Path | str], cables: Iterable[Cable] = (), strict: bool = False) -> Fabric:
    """The fabric that files and folders tell of. Raises RoceLintError for a path that does not exist."""
    found, unread = documents(paths)
    groups, unrecognised = grouped(found, strict=strict)
    return assembled(read(groups, strict), cables, (*unread, *unrecognised), strict)


def assembled(devices: Iterable[Stated], cables: Iterable[Cable] = (), unread: Iterable[Unread] = (), strict: bool = False) -> Fabric:
    """The fabric of what devices state and of the cables that intent states.

    A device that cannot be put together is a fault of ours: it is logged and left out; with `strict` it is raised.
    """
    by_name: dict[str, Device] = {}
    notes: list[Note] = []
    left = list(unread)
    for stated in devices:
        try:
            by_name[stated.device] = device(stated)
        except Exception as error:
            if strict:
                raise
            import logging  # not cheap, and rarely needed

            logging.getLogger(__name__).exception("%s: putting it together failed", stated.device)
            path = next((document.path for document in stated.documents), stated.device)
            left.append(Unread(path, f"a fault of roce-lint while putting {stated.device} together: {error!r}", failed=True))
        notes.extend(dict.fromkeys(each for each in stated.statements if isinstance(each, Note)))
        left.extend(stated.unread)
    links = linked(by_name, cables)
    return Fabric(by_name, links.links, links.contradicted, (*notes, *links.notes), tuple(left), links.by_port)


def device(stated: Stated) -> Device:
    """One device: its fragments merged, what holds for every port laid beneath each, and its platforms' defaults added."""
    own: list[Device] = []
    ports: dict[str, list[Port]] = {}
    rdma: dict[str, list[Rdma]] = {}
    jobs: dict[str, list[Job]] = {}
    for each in stated.statements:
        if isinstance(each, Port):
            ports.setdefault(each.name, []).append(each)
        elif isinstance(each, Rdma):
            rdma.setdefault(each.name, []).append(each)
        elif isinstance(each, Job):
            jobs.setdefault(each.name, []).append(each)
        elif isinstance(each, Device):
            own.append(each)
    whole = all_merged(own) if own else Device(stated.device)
    switch = next((each for each in stated.platforms if each.kind == "switch"), None)
    first = switch or next(iter(stated.platforms), None)
    role = next((document.role for document in stated.documents if document.role), None)
    found_ports, found_rdma = joined(_merged(ports, whole.ports), _merged(rdma, whole.rdma))
    result = replace(
        whole,
        name=stated.device,
        platform=first.name if first else None,
        kind=first.kind if first else None,
        role=role or whole.role,
        ports=_laid(found_ports),
        rdma=found_rdma,
        jobs=_merged(jobs, whole.jobs),
        documents=stated.documents,
    )
    for platform in stated.platforms:
        result = platform.completed(result)
    return result


def _merged(fragments: Mapping[str, list[R]], stated: Mapping[str, R]) -> dict[str, R]:
    """One record for each name, in the order of the names' first statement."""
    result = {name: all_merged((record, *fragments.get(name, ()))) for name, record in stated.items()}
    for name, some in fragments.items():
        if name not in result:
            result[name] = some[0] if len(some) == 1 else all_merged(some)
    return result


def _laid(ports: Mapping[str, Port]) -> dict[str, Port]:
    """The ports with what holds for every port beneath what each states itself. The row for every port stays."""
    shared = ports.get(EVERY_PORT)
    if shared is None:
        return dict(ports)
    return {name: port if name == EVERY_PORT else overlaid(port, shared) for name, port in ports.items()}
