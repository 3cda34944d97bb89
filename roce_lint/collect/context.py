"""The rest of the fabric beside what is checked: what a device of both takes from there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace

from roce_lint.collect.read import Group, Stated, stated
from roce_lint.model.devices import Device, Rdma
from roce_lint.model.document import Document, Note
from roce_lint.model.ports import Port
from roce_lint.platforms.platform import Statement


def others(documents: Iterable[Document], own: Iterable[Document]) -> tuple[Document, ...]:
    """The documents of files that are not those of one's own."""
    known = {_file(each) for each in own}
    return tuple(each for each in documents if _file(each) not in known)


def _file(document: Document) -> str:
    return os.path.realpath(os.path.join(document.folder, os.path.basename(document.path)))


def read(groups: Iterable[Group], own: Iterable[Document], strict: bool = False) -> Iterator[Stated]:
    """What each device says; one whose configuration is one's own takes only links, hardware and cable lengths from elsewhere.

    Answers of one's own to a command add to what stands elsewhere. Notes from elsewhere are left out.
    """
    inside = {id(each) for each in own}
    for group in groups:
        mine = tuple(each for each in group.taken if id(each.document) in inside)
        if not mine or len(mine) == len(group.taken):
            whole = stated(group, strict)
            yield whole if mine else replace(whole, statements=tuple(each for each in whole.statements if not _is_note(each)))
            continue
        elsewhere = stated(replace(group, taken=tuple(each for each in group.taken if id(each.document) not in inside)), strict)
        near = stated(replace(group, taken=mine), strict)
        configured = any(each.document.command is None for each in mine)
        far = [each for each in elsewhere.statements if not _is_note(each)]
        kept = [limited for each in far if (limited := _hardware(each)) is not None] if configured else far
        yield replace(
            near,
            platforms=group.platforms,
            statements=(*kept, *near.statements),
            documents=(*elsewhere.documents, *near.documents),
            unread=(*elsewhere.unread, *near.unread),
        )


def _is_note(statement: Statement) -> bool:
    return isinstance(statement, Note)


def _hardware(statement: Statement) -> Statement | None:
    """What does not follow from a configuration; None where that is nothing."""
    match statement:
        case Port():
            return Port(
                statement.name,
                mac=statement.mac,
                alias=statement.alias,
                lanes=statement.lanes,
                speed_bps=statement.speed_bps,
                fec=statement.fec,
                cable_length_m=statement.cable_length_m,
                reach_m=statement.reach_m,
                bond=statement.bond,
                bond_members=statement.bond_members,
                neighbours=statement.neighbours,
            )
        case Device():
            return Device(statement.name, named=statement.named, mac=statement.mac, model=statement.model, asic=statement.asic)
        case Rdma():
            return replace(statement, active_mtu=None, global_tclass=None, rdma_cm_tos=None, rdma_cm_mode=None, gids=None, counters=None)
    return None
