"""Changes of one fact of one port of the clean fabric, as edits of the text that states it, made for both ends of each kind of link."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Text = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Edit:
    """What is changed at which port, in which file, and the rule that must say so there."""

    name: str
    file: str
    change: Text
    rule: str
    device: str
    port: str

    def __str__(self) -> str:
        return f"{self.device}/{self.port}: {self.name}"


ON, OFF = "enabled     0   0   0   1", "enabled     0   0   0   0"
DCB_ON, DCB_OFF = "[false, false, false, true,", "[false, false, false, false,"
# A command of a host bundle, what it says of a port, what it says instead, and the rule. Each change is one or more such rows.
NIC: list[tuple[str, str, list[tuple[str, str, str]]]] = [
    ("PFC off", "pfc-off", [("mlnx_qos -i {}", ON, OFF), ("dcb -j -s pfc show dev {}", DCB_ON, DCB_OFF)]),
    ("PCP trusted", "qos-trust-wrong", [("mlnx_qos -i {}", "state: dscp", "state: pcp")]),
    ("the mark in another row", "qos-class-leaves-lossless", [
        ("mlnx_qos -i {}", "27,26,25", "27,25"), ("mlnx_qos -i {}", "prio:2 dscp:", "prio:2 dscp:26,"),
    ]),
    ("a receive buffer of a kilobyte", "buffer-nic-small", [("mlnx_qos -i {}", "20016,356096", "20016,1024")]),
    ("another CNP DSCP", "cnp-dscp-mismatch", [("grep . /sys/class/net/{} ", "cnp_dscp:48", "cnp_dscp:4")]),
    ("reaction point off", "ecn-nic-rp-off", [("grep . /sys/class/net/{} ", "roce_rp/enable/3:1", "roce_rp/enable/3:0")]),
    ("notification point off", "ecn-nic-np-off", [("grep . /sys/class/net/{} ", "roce_np/enable/3:1", "roce_np/enable/3:0")]),
    ("802.3x pause sent", "pfc-global-pause", [("ethtool -a {}", "TX:\t\toff", "TX:\t\ton")]),
    ("802.3x pause obeyed", "pfc-global-pause", [("ethtool -a {}", "RX:\t\toff", "RX:\t\ton")]),
]  # fmt: skip


def _said(text: str, command: str, old: str, new: str) -> str:
    """A bundle in which one command says something else."""
    start = text.index(f" begin {command}")
    end = text.index(" end ", start)
    answer = text[start:end]
    assert old in answer, (command, old)
    return text[:start] + answer.replace(old, new, 1) + text[end:]


def _answers(rows: list[tuple[str, str, str]], port: str) -> Text:
    def changed(text: str) -> str:
        for command, old, new in rows:
            text = _said(text, command.format(port), old, new)
        return text

    return changed


Rows = dict[str, dict[str, dict[str, Any]]]


def _own(rows: Rows, binding: tuple[str, str, str], table: str, **fields: str) -> None:
    """Binds a changed copy of a map or profile to one port."""
    bound, port, field = binding
    name = rows[bound][port][field]
    rows[table][f"{name}_OWN"] = {**rows[table][name], **fields}
    rows[bound][port][field] = f"{name}_OWN"


def _map(field: str, table: str, **entries: str) -> Callable[[Rows, str], None]:
    return lambda rows, port: _own(rows, ("PORT_QOS_MAP", port, field), table, **{key[1:]: value for key, value in entries.items()})


def _group(**fields: str) -> Callable[[Rows, str], None]:
    return lambda rows, port: _own(rows, ("BUFFER_PG", f"{port}|3", "profile"), "BUFFER_PROFILE", **fields)


def _wred(**fields: str) -> Callable[[Rows, str], None]:
    return lambda rows, port: _own(rows, ("QUEUE", f"{port}|3", "wred_profile"), "WRED_PROFILE", **fields)


def _cell(table: str, key: str, field: str, value: str) -> Callable[[Rows, str], None]:
    return lambda rows, port: rows[table][key.format(port)].update({field.format(port): value})


def _without(table: str, key: str, field: str | None = None) -> Callable[[Rows, str], None]:
    return lambda rows, port: (rows[table] if field is None else rows[table][key.format(port)]).pop(field or key.format(port))


SONIC: list[tuple[str, str, Callable[[Rows, str], object]]] = [
    ("PFC off", "pfc-off", _cell("PORT_QOS_MAP", "{}", "pfc_enable", "")),
    ("one PFC priority more", "pfc-extra-priority", _cell("PORT_QOS_MAP", "{}", "pfc_enable", "3,5")),
    ("PFC for best effort", "pfc-on-best-effort", _cell("PORT_QOS_MAP", "{}", "pfc_enable", "0,3")),
    ("PFC for all", "pfc-too-many-priorities", _cell("PORT_QOS_MAP", "{}", "pfc_enable", "0,1,2,3,4,5,6,7")),
    ("no DSCP map", "qos-trust-wrong", _without("PORT_QOS_MAP", "{}", "dscp_to_tc_map")),
    ("the data elsewhere", "qos-class-leaves-lossless", _map("dscp_to_tc_map", "DSCP_TO_TC_MAP", _26="1")),
    ("notifications in best effort", "cnp-shares-data-queue", _map("dscp_to_tc_map", "DSCP_TO_TC_MAP", _48="0")),
    ("notifications with the data", "pfc-on-cnp", _map("dscp_to_tc_map", "DSCP_TO_TC_MAP", _48="3")),
    ("another queue", "qos-chain-broken", _map("tc_to_queue_map", "TC_TO_QUEUE_MAP", _3="5")),
    ("a lossy group by the map", "qos-class-leaves-lossless", _map("tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", _3="0")),
    ("an index for another queue", "qos-chain-broken", _map("pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE", _3="5")),
    ("no headroom", "buffer-no-headroom", _group(xoff="0")),
    ("little headroom", "buffer-headroom-short", _group(xoff="8000")),
    ("a long cable", "buffer-headroom-short", _cell("CABLE_LENGTH", "AZURE", "{}", "2000m")),
    ("a small alpha", "buffer-alpha", _group(dynamic_th="-6")),
    ("a lossy group", "pfc-without-buffer", _cell("BUFFER_PG", "{}|3", "profile", "ingress_lossy_profile")),
    ("no WRED profile", "ecn-off", _without("QUEUE", "{}|3", "wred_profile")),
    ("WRED that drops", "ecn-wred-drops", _wred(ecn="ecn_none")),
    ("thresholds the wrong way round", "ecn-thresholds-malformed", _wred(green_min_threshold="3000000")),
    ("marking above the pause", "ecn-after-pause", _wred(green_min_threshold="40000000", green_max_threshold="50000000")),
    ("no watchdog", "watchdog-partial", _without("PFC_WD", "{}")),
    ("a watchdog for another index", "watchdog-partial", _cell("PORT_QOS_MAP", "{}", "pfcwd_sw_enable", "4")),
    ("a small MTU", "mtu-path", _cell("PORT", "{}", "mtu", "1500")),
]  # fmt: skip


def _rows(change: Callable[[Rows, str], object], port: str) -> Text:
    def changed(text: str) -> str:
        rows = json.loads(text)
        change(rows, port)
        return json.dumps(rows, indent=4) + "\n"

    return changed


CUMULUS: list[tuple[str, str, str, str]] = [
    ("no watchdog", "watchdog-partial", "state: enable", "state: disable"),
    ("a small MTU", "mtu-path", "mtu: 9216", "mtu: 1500"),
]


def _stanza(port: str, old: str, new: str) -> Text:
    def changed(text: str) -> str:
        start = text.index(f"      {port}:\n")
        assert old in text[start:]
        return text[:start] + text[start:].replace(old, new, 1)

    return changed


def edits() -> Iterator[Edit]:
    """Every change at both ends of a link between host and SONiC, host and Cumulus, SONiC and SONiC, SONiC and Cumulus."""
    for device, port in (("gpu2", "ens2f0np0"), ("gpu4", "ens1f0np0")):
        for name, rule, rows in NIC:
            yield Edit(name, f"{device}.bundle", _answers(rows, port), rule, device, port)
    for device, port in (("leaf1", "Ethernet24"), ("leaf1", "Ethernet40"), ("spine1", "Ethernet8"), ("spine1", "Ethernet24")):
        for name, rule, change in SONIC:
            yield Edit(name, f"{device}/config_db.json", _rows(change, port), rule, device, port)
    for port in ("swp3", "swp6"):
        for name, rule, old, new in CUMULUS:
            yield Edit(name, "leaf2/startup.yaml", _stanza(port, old, new), rule, "leaf2", port)
