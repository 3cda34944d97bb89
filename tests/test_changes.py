"""One change to the clean fabric makes the right rule fail at the right port; what means nothing changes nothing."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from edits import Edit, edits
from outcomes import differences, outcomes, unsaid

from roce_lint.judge import Joined, Options, joined, judged
from roce_lint.report.result import Result, everything

FABRICS = Path(__file__).parent.parent / "fixtures" / "fabrics"
CLEAN, FAULTY = FABRICS / "two-racks-clean", FABRICS / "two-racks"
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
    ("a leaf between the MTU of RDMA and that of its hosts", LEAF, [('"mtu": "9216"', '"mtu": "4200"')], "mtu-mismatch", "leaf1", "Ethernet0"),
    ("a leaf writes another mark", LEAF, [('"PORT_QOS_MAP": {\n        "Ethernet0": {\n', '"TC_TO_DSCP_MAP": {"SITE": {"3": "10"}},\n    "PORT_QOS_MAP": {\n        "Ethernet0": {\n            "tc_to_dscp_map": "SITE",\n')], "qos-remark", "leaf1", "Ethernet0"),
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
    ("Cumulus writes another mark", CUMULUS, [(ROCE, "      remark:\n        default-global:\n          rewrite: l3\n          switch-priority:\n            '3':\n              dscp: 10\n" + ROCE)], "qos-remark", "leaf2", "swp1"),
    ("ECN off on Cumulus", CUMULUS, [(ROCE, "      congestion-control:\n        default-global:\n          traffic-class:\n            '3':\n              ecn: disable\n" + ROCE)], "ecn-off", "leaf2", "swp1"),
    ("thresholds the wrong way round on Cumulus", CUMULUS, [(ROCE, "      congestion-control:\n        default-global:\n          traffic-class:\n            '3':\n              ecn: enable\n              min-threshold: 2000000\n" + ROCE)], "ecn-thresholds-malformed", "leaf2", "swp1"),
    ("PFC for another priority on Cumulus", CUMULUS, [(ROCE, "      pfc:\n        default-global:\n          switch-priority:\n            '5': {}\n" + ROCE)], "qos-class-leaves-lossless", "leaf2", "swp1"),
    ("802.3x on Cumulus", CUMULUS, [(ROCE, "      link-pause:\n        default-global:\n          rx: enable\n          tx: enable\n" + ROCE)], "pfc-global-pause", "leaf2", "swp1"),
    ("a port without watchdog on Cumulus", CUMULUS, [("            state: enable\n", "            state: disable\n")], "watchdog-partial", "leaf2", "swp1"),
    ("a small MTU on Cumulus", CUMULUS, [("mtu: 9216", "mtu: 1500")], "mtu-path", "leaf2", "swp1"),
]  # fmt: skip


def copied(tmp_path: Path, fabric: Path = CLEAN) -> Path:
    target = tmp_path / "fabric"
    shutil.copytree(fabric, target, ignore=shutil.ignore_patterns(".expected"))
    return target


def replaced(tmp_path: Path, file: str, edits: Edits) -> Path:
    """The clean fabric with some text of one file replaced."""
    fabric = copied(tmp_path)
    text = (fabric / file).read_text()
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    (fabric / file).write_text(text)
    return fabric


@pytest.mark.parametrize(("name", "file", "edits", "rule", "device", "port"), CHANGES, ids=[change[0] for change in CHANGES])
def test_one_change_is_found_where_it_is(
    tmp_path: Path, name: str, file: str, edits: Edits, rule: str, device: str, port: str | None
) -> None:
    fabric = replaced(tmp_path, file, edits)
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
    findings = [
        (each.rule, each.severity, each.confidence, each.message, each.fingerprint, sorted(map(str, each.subjects)),
         [(cite.raw, cite.fact.value, cite.fact.basis) for cite in each.cites], each.wanted)
        for each in everything(result.findings)
    ]  # fmt: skip
    unknown = [(each.device, each.missing, each.rules, each.count) for each in result.unknown]
    return findings, unknown, result.counts, result.size, len(result.notes)


@cache
def unchanged(fabric: Path) -> object:
    return verdict(judged([str(fabric)]))


@pytest.mark.parametrize("fabric", [CLEAN, FAULTY], ids=lambda path: path.name)
@pytest.mark.parametrize(("name", "file", "change"), COSMETIC, ids=[change[0] for change in COSMETIC])
def test_what_means_nothing_changes_nothing(tmp_path: Path, fabric: Path, name: str, file: str, change: Callable[[str], str]) -> None:
    path = copied(tmp_path, fabric) / file
    before = path.read_text() if path.exists() else ""
    after = change(before)
    assert after != before or not path.exists()
    path.write_text(after, newline="")
    assert verdict(judged([str(tmp_path / "fabric")])) == unchanged(fabric)


EDITS = tuple(edits())
LINE_ELSEWHERE = {"a long cable", "no watchdog"}  # the headroom is at fault; what is left out is named at the row of the port


@cache
def edited(edit: Edit) -> tuple[Result, frozenset[int]]:
    """The result of one change, and the lines of the changed file in which it is, or beside which something is left out."""
    with TemporaryDirectory() as folder:
        fabric = copied(Path(folder))
        path = fabric / edit.file
        before = path.read_text()
        after = edit.change(before)
        assert after != before
        path.write_text(after)
        matched = SequenceMatcher(None, before.split("\n"), after.split("\n"), autojunk=False).get_opcodes()
        lines = {line for tag, _, _, first, last in matched if tag != "equal" for line in range(first, last + 2)}
        return judged([str(fabric)]), frozenset(lines)


def at_the_port(edit: Edit, result: Result) -> Iterator[set[tuple[str, int]]]:
    """Where each finding of the expected rule at the changed port has its fact at fault: the files and lines that state it and bind it."""
    for finding in everything(result.findings):
        if finding.rule == edit.rule and any((each.device, each.port) == (edit.device, edit.port) for each in finding.subjects):
            places = (line.place.rpartition(":") for line in finding.cites[0].fact.lines)
            yield {(path, int(line)) for path, _, line in places}


@pytest.mark.parametrize("edit", EDITS, ids=str)
def test_one_change_at_either_end_of_any_link_is_found_at_its_port(edit: Edit) -> None:
    result, _ = edited(edit)
    assert [*at_the_port(edit, result)], [(each.rule, *map(str, each.subjects)) for each in everything(result.findings)]


@pytest.mark.parametrize("edit", [edit for edit in EDITS if edit.name not in LINE_ELSEWHERE], ids=str)
def test_one_change_is_found_at_its_line(edit: Edit) -> None:
    result, lines = edited(edit)
    found = [*at_the_port(edit, result)]
    assert found and all({(edit.file, line) for line in lines} & each for each in found), (found, sorted(lines))


@pytest.mark.parametrize("edit", EDITS, ids=str)
def test_one_change_at_a_port_is_found_nowhere_but_on_its_link(edit: Edit) -> None:
    result, _ = edited(edit)
    own = (edit.device, edit.port)
    link = next(each for each in result.links if own in ((each.a.device, each.a.port), (each.b.device, each.b.port)))
    near = {(link.a.device, link.a.port), (link.b.device, link.b.port)}
    found = {(finding.rule, each.device, each.port) for finding in result.findings for each in finding.subjects}
    assert {each for each in found if each[1:] not in near} == set()


# Where to leave something unsaid says something: a file of settings that does not name a variable leaves it unset, and statistics that
# were not collected are no question. Rule and fact.
SILENCE = {
    *((rule, "traffic_class") for rule in ("app-class-mismatch", "app-ranks-differ", "app-tos-confusion")),
    ("app-gid-index", "gid_index"),
    ("app-service-level", "service_level"),
    ("counter-watchdog", "watchdog"),
    ("counter-watchdog", "watchdog.queues"),
}
# Changes after which more of a port decides than its DSCP map.
DEEP = ("PFC on for 4 at a NIC", "PFC on for all eight", "PFC off at the spine", "trust on Cumulus")
CASES = FABRICS.parent / "cases"
SMALL = [*sorted(CASES.iterdir()), *sorted(FABRICS.glob("S*"))]
SOME = (
    "gpu1", "gpu1/mlx5_0", "gpu2/ens1f0np0", "gpu3//etc/nccl.conf", "gpu4/ens2f0np0",
    "leaf1", "leaf1/Ethernet24", "leaf1/Ethernet32", "leaf2", "leaf2/swp1", "spine1/Ethernet0",
)  # fmt: skip


def everyone(given: Joined) -> list[str]:
    """Every device, port, RDMA device and job; of the scenarios' two hosts, which are alike, the first."""
    devices = [device for device in given.fabric.devices.values() if device.name != "h2"]
    return [
        *(device.name for device in devices),
        *(f"{device.name}/{each}" for device in devices for each in (*device.ports, *device.rdma, *device.jobs)),
    ]


PARTS = 3


def lawless(given: Joined, names: list[str], part: int = 0, parts: int = PARTS) -> Iterator[str]:
    """What becomes anything but unknown when a fact is not stated, one fact after the other: every third fact, from the part's own on."""
    before = outcomes(given, given.fabric.devices)
    for owner, path, devices in islice(unsaid(given.fabric.devices, names), part % parts, None, parts):
        for key, old, new in differences(before, outcomes(given, devices)):
            if (key[0], re.sub(r"\d+", "", path)) not in SILENCE:
                yield f"without {path} of {owner}: {key} was {old} and is {new}"


@pytest.mark.parametrize("folder", SMALL, ids=lambda path: path.name)
def test_to_unstate_any_fact_only_ever_makes_outcomes_unknown(folder: Path) -> None:
    given = joined([str(folder)], Options())
    parts = PARTS if folder.parent == FABRICS else 1
    assert [*lawless(given, everyone(given), SMALL.index(folder), parts)] == []


@pytest.mark.parametrize("name", SOME)
def test_to_unstate_a_fact_of_the_faulty_fabric_only_ever_makes_outcomes_unknown(name: str) -> None:
    assert [*lawless(joined([str(FAULTY)], Options()), [name], SOME.index(name))] == []


@pytest.mark.parametrize(("name", "file", "edits", "rule", "device", "port"), [change for change in CHANGES if change[0] in DEEP], ids=DEEP)
def test_to_unstate_a_fact_of_a_changed_port_only_ever_makes_outcomes_unknown(
    tmp_path: Path, name: str, file: str, edits: Edits, rule: str, device: str, port: str
) -> None:
    assert [*lawless(joined([str(replaced(tmp_path, file, edits))], Options()), [f"{device}/{port}"], DEEP.index(name))] == []
