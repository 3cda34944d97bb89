"""`dcb -j OBJECT show dev X` of iproute2: PFC, ETS, the application table, buffers and DCBX of any driver with dcbnl.

Keys as printed by iproute2 5.15 to 7.1. From 6.5 each application pair has a third element, a blank; the maximum rate is 125 times too
small before 6.18 and is not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_lint.model.document import Document, Line
from roce_lint.model.facts import Fact, Table
from roce_lint.model.ports import Port
from roce_lint.model.qos import Buffer, Counters, Dcbx, Pfc, Queue, Scheduler
from roce_lint.platforms.platform import Reader, Statement, words
from roce_lint.text.numbered_json import Json, Node, numbered

ALGORITHMS = {"ets", "strict", "vendor", "cbs"}


def read(documents: Sequence[Document]) -> Iterator[Statement]:
    """A port of each answer; its name stands in the command. What a driver does not support prints nothing but a blank line."""
    for document in documents:
        parts = words(document.command or "")
        if "dev" not in parts[:-1] or not document.read().strip():
            continue
        name, subject = parts[parts.index("dev") + 1], next((part for part in parts if part in _SUBJECTS), None)
        json = numbered(document)
        note = json.note()
        if note is not None:
            yield note
        if subject is not None and json.root is not None and json.root.members is not None:
            yield _SUBJECTS[subject](name, json, json.root)


def _numbers(json: Json, node: Node | None) -> tuple[list[int], Line] | None:
    if node is None or node.items is None or not node.whole:
        return None
    values = [item.scalar for item in node.items]
    numbers = [value for value in values if isinstance(value, int)]
    return (numbers, json.line(node)) if len(numbers) == len(values) else None


def _table(json: Json, node: Node | None) -> Fact[Table[int]] | None:
    """A list by index as a table."""
    found = _numbers(json, node)
    if found is None:
        return None
    values, line = found
    return Fact(Table({index: Fact(value, (line,), "observed") for index, value in enumerate(values)}), (line,), "observed")


def _pairs(json: Json, node: Node | None) -> Fact[Table[int]] | None:
    """A list of pairs as a table; what follows the two numbers of a pair is passed over."""
    if node is None or node.items is None:
        return None
    entries: dict[int, Fact[int]] = {}
    for item in node.items:
        match [each.scalar for each in item.items or ()]:
            case [int(key), int(value), *_]:
                entries[key] = Fact(value, (json.value_line(item),), "observed")
    return Fact(Table(entries), (json.line(node),), "observed") if entries else None


def _pfc(name: str, json: Json, root: Node) -> Port:
    """PFC by priority. The unit of `delay` is the driver's."""
    found, delay = _numbers(json, root.get("prio_pfc")), root.get("delay")
    allowance = Fact(delay.scalar, (json.line(delay),), "observed") if delay is not None and isinstance(delay.scalar, int) else None
    pfc = Pfc(delay=allowance) if allowance is not None else None
    if found is not None and len(found[0]) == 8:
        values, line = found
        on = frozenset(index for index, value in enumerate(values) if value)
        pfc = Pfc(
            priorities=Fact(on, (line,), "observed"),
            operational=Fact(True, (line,), "observed") if on else None,
            index_is_priority=Fact(True, (line,), "default"),
            delay=allowance,
        )
    sent, heard = _table(json, root.get("requests")), _table(json, root.get("indications"))
    return Port(name, pfc=pfc, counters=Counters(pfc_tx=sent, pfc_rx=heard) if sent is not None or heard is not None else None)


def _ets(name: str, json: Json, root: Node) -> Port:
    shares, algorithms, willing = _numbers(json, root.get("tc_bw")), root.get("tc_tsa"), root.get("willing")
    queues: dict[int, Fact[Queue]] = {}
    if algorithms is not None and algorithms.items is not None and algorithms.whole:
        line = json.line(algorithms)
        for index, item in enumerate(algorithms.items):
            word = item.text()
            if word not in ALGORITHMS:
                continue
            share = Fact(float(shares[0][index]), (shares[1],), "observed") if word == "ets" and shares and index < len(shares[0]) else None
            scheduler = Scheduler(scheduling=Fact(word, (line,), "observed"), share=share)  # type: ignore[arg-type]
            queues[index] = Fact(Queue(scheduler=Fact(scheduler, (line,), "observed")), (line,), "observed")
    return Port(
        name,
        priority_to_queue=_table(json, root.get("prio_tc")),
        queues=Fact(Table(queues), next(iter(queues.values())).lines, "observed") if queues else None,
        dcbx=Dcbx(willing=_truth(json, willing)) if willing is not None else None,
    )


def _truth(json: Json, node: Node | None) -> Fact[bool] | None:
    return Fact(node.scalar, (json.line(node),), "observed") if node is not None and isinstance(node.scalar, bool) else None


def _app(name: str, json: Json, root: Node) -> Port:
    """The application table. A table that was read whole and lists no DSCP is stated as one without entries."""
    default = _numbers(json, root.get("default_prio"))
    dscps = _pairs(json, root.get("dscp_prio"))
    if dscps is None and json.error is None:
        dscps = Fact(Table({}), (json.value_line(root),), "observed")
    one = default is not None and len(default[0]) == 1
    return Port(
        name,
        default_priority=Fact(default[0][0], (default[1],), "observed") if default is not None and one else None,
        dscp_to_priority=dscps,
        pcp_to_priority=_pairs(json, root.get("pcp_prio")),
    )


def _buffer(name: str, json: Json, root: Node) -> Port:
    sizes = _numbers(json, root.get("buffer_size"))
    groups = None
    if sizes is not None:
        values, line = sizes
        made = {index: Fact(Buffer(size_bytes=Fact(size, (line,), "observed")), (line,), "observed") for index, size in enumerate(values)}
        groups = Fact(Table(made), (line,), "observed")
    return Port(name, priority_to_group=_table(json, root.get("prio_buffer")), groups=groups)


def _dcbx(name: str, json: Json, root: Node) -> Port:
    """The flags that are on; of a port with a version of DCBX, `host` is left out where the firmware owns it."""
    host, version = root.get("host"), root.get("ieee") or root.get("cee")
    if host is None and (version is None or json.error is not None):
        return Port(name)
    at = (json.line(host),) if host is not None else (json.value_line(root),)
    return Port(name, dcbx=Dcbx(owner=Fact("host" if host is not None else "firmware", at, "observed")))


_SUBJECTS = {"pfc": _pfc, "ets": _ets, "app": _app, "buffer": _buffer, "dcbx": _dcbx}
SEND = tuple(f"dcb -j {'-s ' if subject == 'pfc' else ''}{subject} show dev {{port}}" for subject in _SUBJECTS)
READER = Reader(
    "dcb",
    read,
    asked=(*SEND, "dcb -j pfc show dev {port}", "dcb -j -s {object} show dev {port}", "dcb -s -j {object} show dev {port}"),
    send=SEND,
)
