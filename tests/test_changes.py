"""One change to the clean fabric makes the right rule fail at the right port; what means nothing changes nothing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from roce_lint.judge import Options, joined, judged
from roce_lint.lint.book import book
from roce_lint.lint.engine import Run
from roce_lint.lint.rules import Rule
from roce_lint.lint.scopes import Case
from roce_lint.model.changes import ChangeError, unstated
from roce_lint.model.devices import Device
from roce_lint.report.facts import facts
from roce_lint.report.result import Result, everything

FABRICS = Path(__file__).parent.parent / "fixtures" / "fabrics"
CLEAN = FABRICS / "two-racks-clean"
LEAF, SPINE, CUMULUS, HOST = "leaf1/config_db.json", "spine1/config_db.json", "leaf2/startup.yaml", "gpu1.bundle"
NIC = ("gpu1", "ens1f0np0")
ROCE = "      roce:\n"
PFC_ROW, DCB_ROW = "enabled     0   0   0   1   0   0   0   0", "[false, false, false, true, false, false, false, false]"
OFF_ROW, DCB_OFF = "enabled     0   0   0   0   0   0   0   0", "[false, false, false, false, false, false, false, false]"
Edits = list[tuple[str, str]]

# What is changed, in which file, by which replacements of a first occurrence, and the rule, device and port (None: any) that must say so.
CHANGES: list[tuple[str, str, Edits, str, str, str | None]] = [
    ("PFC off at a NIC", HOST, [(PFC_ROW, OFF_ROW), (DCB_ROW, DCB_OFF)], "pfc-off", *NIC),
    ("PFC on for 4 at a NIC", HOST, [(PFC_ROW, "enabled     0   0   0   0   1   0   0   0"), (DCB_ROW, "[false, false, false, false, true, false, false, false]")], "qos-class-leaves-lossless", *NIC),
    ("a NIC trusts PCP", HOST, [("trust state: dscp", "trust state: pcp")], "qos-trust-wrong", *NIC),
    ("a NIC maps the mark elsewhere", HOST, [("28,27,26,25,24,", "28,27,25,24,"), ("prio:2 dscp:23,", "prio:2 dscp:26,"), ("\tprio:3", "\tprio:2 dscp:23,\n\tprio:3")], "qos-class-leaves-lossless", *NIC),
    ("every priority in one small buffer", HOST, [("buffer      0   0   0   1", "buffer      0   0   0   0")], "buffer-nic-small", *NIC),
    ("a receive buffer of a kilobyte", HOST, [("20016,356096", "20016,1024")], "buffer-nic-small", *NIC),
    ("notifications with the data's mark", HOST, [("cnp_dscp:48", "cnp_dscp:26")], "cnp-dscp-mismatch", *NIC),
    ("notifications with the mark of lossless data", HOST, [("cnp_dscp:48", "cnp_dscp:26")], "pfc-on-cnp", *NIC),
    ("reaction point off", HOST, [("roce_rp/enable/3:1", "roce_rp/enable/3:0")], "ecn-nic-rp-off", *NIC),
    ("notification point off", HOST, [("roce_np/enable/3:1", "roce_np/enable/3:0")], "ecn-nic-np-off", *NIC),
    ("802.3x obeyed by a NIC", HOST, [("RX:\t\toff", "RX:\t\ton")], "pfc-global-pause", *NIC),
    ("802.3x sent by a NIC", HOST, [("TX:\t\toff", "TX:\t\ton")], "pfc-global-pause", *NIC),
    ("a job without a class", HOST, [("NCCL_IB_TC=106", "NCCL_IB_TC=0")], "app-class-mismatch", "gpu1", None),
    ("a job that leaves the class unset", HOST, [("NCCL_IB_TC=106\n", "")], "app-class-mismatch", "gpu1", None),
    ("a DSCP for a byte", HOST, [("NCCL_IB_TC=106", "NCCL_IB_TC=26")], "app-tos-confusion", "gpu1", None),
    ("every packet marked as congested", HOST, [("NCCL_IB_TC=106", "NCCL_IB_TC=107")], "app-tos-confusion", "gpu1", None),
    ("one rank differs", HOST, [("NCCL_IB_TC=106", "NCCL_IB_TC=136")], "app-ranks-differ", "gpu1", None),
    ("a link-local GID", HOST, [("GID_INDEX=3", "GID_INDEX=1")], "app-gid-index", "gpu1", None),
    ("a v1 GID", HOST, [("GID_INDEX=3", "GID_INDEX=2")], "app-gid-index", "gpu1", None),
    ("PFC off at a leaf", LEAF, [('"pfc_enable": "3"', '"pfc_enable": ""')], "pfc-off", "leaf1", "Ethernet0"),
    ("PFC on for another index at a leaf", LEAF, [('"pfc_enable": "3"', '"pfc_enable": "4"')], "pfc-off", "leaf1", "Ethernet0"),
    ("PFC on for all eight", LEAF, [('"pfc_enable": "3"', '"pfc_enable": "0,1,2,3,4,5,6,7"')], "pfc-too-many-priorities", "leaf1", "Ethernet0"),
    ("PFC on for best effort", LEAF, [('"pfc_enable": "3"', '"pfc_enable": "0,3"')], "pfc-on-best-effort", "leaf1", "Ethernet0"),
    ("one PFC priority more", LEAF, [('"pfc_enable": "3"', '"pfc_enable": "3,4"')], "pfc-extra-priority", "leaf1", "Ethernet0"),
    ("a leaf maps the mark elsewhere", LEAF, [('"26": "3"', '"26": "1"')], "qos-class-leaves-lossless", "leaf1", "Ethernet8"),
    ("a leaf maps notifications to best effort", LEAF, [('"48": "6"', '"48": "0"')], "cnp-shares-data-queue", "leaf1", "Ethernet0"),
    ("a leaf maps notifications to the data", LEAF, [('"48": "6"', '"48": "3"')], "pfc-on-cnp", "leaf1", "Ethernet0"),
    ("a leaf's queue map", LEAF, [('"TC_TO_QUEUE_MAP": {\n        "SITE": {\n            "0": "0",\n            "1": "1",\n            "2": "2",\n            "3": "3"', '"TC_TO_QUEUE_MAP": {\n        "SITE": {\n            "0": "0",\n            "1": "1",\n            "2": "2",\n            "3": "5"')], "qos-chain-broken", "leaf1", "Ethernet0"),
    ("a leaf's group map", LEAF, [('"2": "0",\n            "3": "3"', '"2": "0",\n            "3": "0"')], "qos-class-leaves-lossless", "leaf1", "Ethernet0"),
    ("a leaf's PFC map", LEAF, [('"MAP_PFC_PRIORITY_TO_QUEUE": {\n        "SITE": {\n            "0": "0",\n            "1": "1",\n            "2": "2",\n            "3": "3"', '"MAP_PFC_PRIORITY_TO_QUEUE": {\n        "SITE": {\n            "0": "0",\n            "1": "1",\n            "2": "2",\n            "3": "5"')], "qos-chain-broken", "leaf1", "Ethernet0"),
    ("a port without a DSCP map", LEAF, [('"dscp_to_tc_map": "SITE",\n', "\n")], "qos-trust-wrong", "leaf1", "Ethernet0"),
    ("a map that is not defined", LEAF, [('"dscp_to_tc_map": "SITE"', '"dscp_to_tc_map": "OTHER"')], "qos-policy-unattached", "leaf1", "Ethernet0"),
    ("WRED without ECN", LEAF, [('"ecn": "ecn_all"', '"ecn": "ecn_none"')], "ecn-wred-drops", "leaf1", "Ethernet0"),
    ("no colour enabled", LEAF, [('"wred_green_enable": "true"', '"wred_green_enable": "false"')], "ecn-off", "leaf1", "Ethernet0"),
    ("ECN off on one port", LEAF, [('"scheduler": "scheduler.lossless",\n            "wred_profile": "SITE_ECN"', '"scheduler": "scheduler.lossless"')], "ecn-off", "leaf1", "Ethernet0"),
    ("thresholds the wrong way round", LEAF, [('"green_min_threshold": "150000"', '"green_min_threshold": "3000000"')], "ecn-thresholds-malformed", "leaf1", "Ethernet0"),
    ("a marking probability of zero", LEAF, [('"green_drop_probability": "100"', '"green_drop_probability": "0"')], "ecn-thresholds-malformed", "leaf1", "Ethernet0"),
    ("marking above the pause", LEAF, [('"green_min_threshold": "150000"', '"green_min_threshold": "40000000"'), ('"green_max_threshold": "1500000"', '"green_max_threshold": "50000000"')], "ecn-after-pause", "leaf1", "Ethernet0"),
    ("no headroom", LEAF, [('"xoff": "283648"', '"xoff": "0"')], "buffer-no-headroom", "leaf1", "Ethernet0"),
    ("headroom below the physical floor", LEAF, [('"xoff": "283648"', '"xoff": "8000"')], "buffer-headroom-short", "leaf1", "Ethernet0"),
    ("headroom below the floor of IEEE 802.3", LEAF, [('"xoff": "283648"', '"xoff": "60000"')], "buffer-headroom-short", "leaf1", "Ethernet32"),
    ("a cable longer than the headroom", LEAF, [('"Ethernet32": "40m"', '"Ethernet32": "2000m"')], "buffer-headroom-short", "leaf1", "Ethernet32"),
    ("a small alpha", LEAF, [('"dynamic_th": "0"', '"dynamic_th": "-6"')], "buffer-alpha", "leaf1", "Ethernet0"),
    ("a port without watchdog", LEAF, [('"Ethernet0": {\n            "action": "drop"', '"Ethernet60": {\n            "action": "drop"')], "watchdog-partial", "leaf1", "Ethernet0"),
    ("a watchdog for another index", LEAF, [('"pfcwd_sw_enable": "3"', '"pfcwd_sw_enable": "4"')], "watchdog-partial", "leaf1", "Ethernet0"),
    ("a small MTU at a leaf", LEAF, [('"mtu": "9216"', '"mtu": "1500"')], "mtu-path", "leaf1", "Ethernet0"),
    ("the spine maps the mark elsewhere", SPINE, [('"26": "3"', '"26": "1"')], "qos-class-leaves-lossless", "spine1", "Ethernet16"),
    ("PFC off at the spine", SPINE, [('"pfc_enable": "3"', '"pfc_enable": ""')], "pfc-off", "spine1", "Ethernet0"),
    ("no lossless group at the spine", SPINE, [('"Ethernet0|3": {\n            "profile": "pg_lossless_site"', '"Ethernet0|3": {\n            "profile": "ingress_lossy_profile"')], "pfc-without-buffer", "spine1", "Ethernet0"),
    ("neither PFC nor a group at the spine", SPINE, [('"Ethernet0|3": {\n            "profile": "pg_lossless_site"', '"Ethernet0|3": {\n            "profile": "ingress_lossy_profile"'), ('"pfc_enable": "3"', '"pfc_enable": ""')], "pfc-lossy-hop", "spine1", "Ethernet0"),
    ("RoCE off on Cumulus", CUMULUS, [("enable: on", "enable: off")], "qos-trust-wrong", "leaf2", "swp1"),
    ("RoCE off on Cumulus leaves no PFC", CUMULUS, [("enable: on", "enable: off")], "pfc-off", "leaf2", "swp1"),
    ("RoCE lossy on Cumulus", CUMULUS, [("mode: lossless", "mode: lossy")], "pfc-off", "leaf2", "swp3"),
    ("RoCE lossy on Cumulus, between switches", CUMULUS, [("mode: lossless", "mode: lossy")], "pfc-lossy-hop", "leaf2", "swp5"),
    ("trust on Cumulus", CUMULUS, [(ROCE, "      mapping:\n        default-global:\n          trust: l2\n" + ROCE)], "qos-trust-wrong", "leaf2", "swp1"),
    ("Cumulus maps the mark elsewhere", CUMULUS, [(ROCE, "      mapping:\n        default-global:\n          trust: both\n          dscp:\n            '26':\n              switch-priority: 2\n" + ROCE)], "qos-class-leaves-lossless", "leaf2", "swp1"),
    ("Cumulus maps notifications to best effort", CUMULUS, [(ROCE, "      mapping:\n        default-global:\n          trust: both\n          dscp:\n            '48':\n              switch-priority: 0\n" + ROCE)], "cnp-shares-data-queue", "leaf2", "swp1"),
    ("ECN off on Cumulus", CUMULUS, [(ROCE, "      congestion-control:\n        default-global:\n          traffic-class:\n            '3':\n              ecn: disable\n" + ROCE)], "ecn-off", "leaf2", "swp1"),
    ("thresholds the wrong way round on Cumulus", CUMULUS, [(ROCE, "      congestion-control:\n        default-global:\n          traffic-class:\n            '3':\n              ecn: enable\n              min-threshold: 2000000\n" + ROCE)], "ecn-thresholds-malformed", "leaf2", "swp1"),
    ("PFC for another priority on Cumulus", CUMULUS, [(ROCE, "      pfc:\n        default-global:\n          switch-priority:\n            '5': {}\n" + ROCE)], "qos-class-leaves-lossless", "leaf2", "swp1"),
    ("802.3x on Cumulus", CUMULUS, [(ROCE, "      link-pause:\n        default-global:\n          rx: enable\n          tx: enable\n" + ROCE)], "pfc-global-pause", "leaf2", "swp1"),
    ("a port without watchdog on Cumulus", CUMULUS, [("            state: enable\n", "            state: disable\n")], "watchdog-partial", "leaf2", "swp1"),
    ("a small MTU on Cumulus", CUMULUS, [("mtu: 9216", "mtu: 1500")], "mtu-path", "leaf2", "swp1"),
]  # fmt: skip


def copied(tmp_path: Path) -> Path:
    target = tmp_path / "fabric"
    shutil.copytree(CLEAN, target, ignore=shutil.ignore_patterns(".expected"))
    return target


@pytest.mark.parametrize(("name", "file", "edits", "rule", "device", "port"), CHANGES, ids=[change[0] for change in CHANGES])
def test_one_change_is_found_where_it_is(
    tmp_path: Path, name: str, file: str, edits: Edits, rule: str, device: str, port: str | None
) -> None:
    fabric = copied(tmp_path)
    path = fabric / file
    text = path.read_text()
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    path.write_text(text)
    result = judged([str(fabric)])
    found = {(each.rule, subject.device, subject.port) for each in everything(result.findings) for subject in each.subjects}
    assert (rule, device, port) in found, sorted(found, key=str)


def _json(change: Callable[[dict[str, object]], object], indent: int | None = 4) -> Callable[[str], str]:
    def changed(text: str) -> str:
        data = json.loads(text)
        return json.dumps(change(data) or data, indent=indent) + "\n"

    return changed


def _shuffled(data: dict[str, object]) -> dict[str, object]:
    return dict(reversed(data.items()))


def _with(name: str, value: object) -> Callable[[dict[str, object]], object]:
    return lambda data: {**data, name: value}


def _flat(data: dict[str, dict[str, object]]) -> dict[str, object]:
    return {f"{table}|{key}": row for table, rows in data.items() for key, row in rows.items()}


COSMETIC: list[tuple[str, str, Callable[[str], str]]] = [
    ("CRLF in CONFIG_DB", LEAF, lambda text: text.replace("\n", "\r\n")),
    ("CRLF in a bundle", HOST, lambda text: text.replace("\n", "\r\n")),
    ("CRLF in startup.yaml", CUMULUS, lambda text: text.replace("\n", "\r\n")),
    ("tables in another order", LEAF, _json(_shuffled)),
    ("CONFIG_DB with other indentation", SPINE, _json(lambda data: data, 1)),
    ("CONFIG_DB with flat keys", LEAF, _json(_flat)),  # type: ignore[arg-type]
    ("a routing table beside", LEAF, _json(_with("BGP_NEIGHBOR", {"10.0.0.1": {"asn": "65001"}}))),
    ("a syslog server beside", SPINE, _json(_with("SYSLOG_SERVER", {"10.0.0.9": {}}))),
    ("references in brackets", LEAF, lambda text: text.replace('"wred_profile": "SITE_ECN"', '"wred_profile": "[WRED_PROFILE|SITE_ECN]"')),
    ("comments in nccl.conf", HOST, lambda text: text.replace("NCCL_IB_HCA", "# the rails\nNCCL_IB_HCA", 1)),
    ("settings in another order", HOST, lambda text: text.replace("NCCL_IB_TC=106\nNCCL_IB_GID_INDEX=3", "NCCL_IB_GID_INDEX=3\nNCCL_IB_TC=106")),
    ("eight blanks for tabs", HOST, lambda text: text.replace("\tprio:", "        prio:").replace("\tenabled", "        enabled")),
    ("a variable beside", HOST, lambda text: text.replace("NCCL_IB_HCA", "NCCL_DEBUG=WARN\nNCCL_IB_HCA", 1)),
    ("remarks in startup.yaml", CUMULUS, lambda text: text.replace("    qos:\n      pfc-watchdog", "    # as agreed\n    qos:\n      pfc-watchdog")),
    ("the other spelling of on", CUMULUS, lambda text: text.replace("enable: on", "state: enabled")),
    ("routing in startup.yaml", CUMULUS, lambda text: text.replace("    system:\n", "    router:\n      bgp:\n        autonomous-system: 65002\n    system:\n")),
    ("an empty file beside", "leaf1/empty.txt", lambda text: ""),
    ("a note beside", "leaf1/NOTES.txt", lambda text: "replaced the fan on Tuesday\n"),
]  # fmt: skip


def verdict(result: Result) -> object:
    """What a result says, without the lines on which it says it."""
    findings = [(each.rule, each.severity, sorted(map(str, each.subjects))) for each in everything(result.findings)]
    unknown = [(each.device, each.missing, each.rules, each.count) for each in result.unknown]
    return findings, unknown, result.counts, result.size, len(result.notes)


@pytest.mark.parametrize(("name", "file", "change"), COSMETIC, ids=[change[0] for change in COSMETIC])
def test_what_means_nothing_changes_nothing(tmp_path: Path, name: str, file: str, change: Callable[[str], str]) -> None:
    fabric = copied(tmp_path)
    path = fabric / file
    before = path.read_text() if path.exists() else ""
    after = change(before)
    assert after != before or not path.exists()
    path.write_text(after, newline="")
    assert verdict(judged([str(fabric)])) == verdict(judged([str(CLEAN)]))


class Recorded(Run):
    """A run that keeps every outcome by its rule and subject."""

    def judge(self, rule: Rule, case: Case) -> bool | None:
        outcome = super().judge(rule, case)
        ends = tuple(str(case.env[name]) for name in ("sender", "receiver", "here", "a", "port", "job", "want") if name in case.env)
        self.outcomes[rule.id, ends] = outcome
        return outcome

    outcomes: dict[tuple[str, tuple[str, ...]], bool | None]


def outcomes(folder: Path, change: Callable[[dict[str, Device]], None] | None = None) -> Mapping[tuple[str, tuple[str, ...]], bool | None]:
    given = joined([str(folder)], Options())
    devices = given.reach.devices
    if change is not None:
        assert isinstance(devices, dict)
        change(devices)
        for name, view in given.reach.views.items():
            port = devices[name.device].ports[name.port]
            view.device, view.port = devices[name.device], port
    run = Recorded(given.reach, given.plan, book(()).rules)
    run.outcomes = {}
    run.result()
    return run.outcomes


def _paths(device: str, port: str) -> list[str]:
    given = joined([str(FABRICS / "two-racks")], Options())
    record = given.fabric.devices[device].ports[port]
    return sorted({path for path, *_ in facts(record) if "otherwise" not in path and not path.startswith(("counters", "neighbours"))})


@pytest.mark.parametrize(("device", "port"), [("gpu2", "ens1f0np0"), ("leaf1", "Ethernet24"), ("leaf2", "swp1"), ("spine1", "Ethernet0")])
def test_to_unstate_a_fact_only_ever_makes_an_outcome_unknown(device: str, port: str) -> None:
    before = outcomes(FABRICS / "two-racks")
    paths = _paths(device, port)
    wrong = []
    for path in paths[:: max(1, len(paths) // 60)]:

        def unsaid(devices: dict[str, Device], path: str = path) -> None:
            own = devices[device]
            devices[device] = replace(own, ports={**own.ports, port: unstated(own.ports[port], path)})

        try:
            after = outcomes(FABRICS / "two-racks", unsaid)
        except ChangeError:
            continue
        for key, outcome in after.items():
            if outcome is not None and before.get(key) is not None and outcome is not before[key]:
                wrong.append(f"without {path}: {key} was {before[key]} and is {outcome}")
            if outcome is False and before.get(key) is None:
                wrong.append(f"without {path}: {key} breaks")
    assert wrong == []
