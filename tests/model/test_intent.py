"""roce-lint.yaml: what may stand in it, in the units that people write, and a schema that takes the same."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from roce_lint.model.intent import Intent, intent_schema
from roce_lint.resources import folder
from roce_lint.text.userfile import UserFileErrors, checked, parsed, read

WHOLE = """\
schema: roce-lint/intent/v1
profile: sonic-azure
fabrics:
  compute: {match: {role: [tor, core], nic: 'rocep*'}, loss_model: lossless, families: [ipv4, ipv6]}
  disks: {match: {device: 'nvme-*', port: Ethernet49-64, speed: [100G, 400000000000], model: MSN*}, loss_model: pfc_only}
  office: {match: {device: 'off-*'}, loss_model: lossy, classes: {bulk: {loss: lossy}}, limits: {max_lossless: 0}}
classes:
  bulk: {role: rdma_data, dscp: [34, 35], pcp: 4, pfc_priority: 4, loss: lossless, share: 40}
  grant: {role: rdma_ctrl, dscp: 44, sched: strict}
  notice: {role: cnp, dscp: 50, pcp: [6], sched: strict, loss: lossy}
  together: {role: cnp, dscp: 51, cnp: with_data}
  disks: {role: storage, dscp: [20], pfc_priority: 5, loss: edge_lossless, share: 30%, may_share_with: []}
  beat: {role: cluster_hb, pcp: [7], share: {le_10g: 2, ge_25g: 1}}
  admin: {role: mgmt, dscp: [16], loss: lossy}
limits: {max_lossless: 2, pfc_mode: forced, dcbx: {willing: none}, global_pause: no, allow_dscp_block: true}
ecn:
  - {match: {speed: 400G, role: tor}, kmin: 900KB, kmax: 2800 KB, pmax: 0.06, weight: 0, tolerance: 12%}
  - {match: {}, scale: flat, congested_ports: 6}
  - {kmin_percent: 55, kmax_percent: 90%, pmax: 100%}
watchdog: {required: yes, poll_ms: 100, detect_ms: [100, 400], restore_ms: 400, action: drop, nic_stall_ms_max: 900}
buffers: {alpha_min: 0.125, max_shp_oversub: 2, mode: lossless, headroom_floor: ieee, accept_vendor_tables: [SN3700]}
mtu: {host: 4200, switch_min: 9216, rdma: 4096}
nic: {cc: dcqcn, np: on, rp: true, cnp_dscp: 50, cc_prio_mask: 255, trust: dscp, persist: required, models: [CX6, CX7]}
apps: {nccl: {NCCL_IB_TC: 138, NCCL_IB_FIFO_TC: null, gid: auto, hca: 'rocep[0-3]'}}
roles: {tor: {match: 'tor*', up: 'Ethernet49-64', down: 'rest'}, core: {match: [core*, 'edge?'], lossless: yes}, gate: {lossless: false}}
links: {file: cables.csv, cable_len_default: {host: 3, fabric: 30}}
versions: {CX7: {fw: '>=28.40', driver: 'ofed 24.*'}, SN3700: {nos: '5.11.*'}}
evidence: {max_age_h: 12, min_interval_s: 30, pause_ratio_max: 2%}
exceptions: [{rule: watchdog-missing, where: 'tor7/Ethernet8', reason: burn-in, owner: net-ops, expires: 2027-03-31}]
rules: ours/
"""


def intent(text: str) -> Intent:
    return checked(parsed("roce-lint.yaml", text), Intent)


def test_all_that_an_intent_can_say_is_taken_and_fits_the_schema() -> None:
    data = parsed("", WHOLE).data
    jsonschema.validate(data, intent_schema())
    read_back = Intent.model_validate(data)
    assert read_back.model_dump(exclude_none=True, exclude_defaults=True, mode="json")["classes"]["disks"] == {
        "role": "storage",
        "dscp": [20],
        "pfc_priority": 5,
        "loss": "edge_lossless",
        "share": 30.0,
        "may_share_with": [],
    }


def test_units_are_bytes_bits_a_second_and_fractions() -> None:
    found = intent(WHOLE)
    assert found.ecn is not None
    first, second, third = found.ecn
    assert (first.kmin, first.kmax, first.pmax, first.tolerance) == (900_000, 2_800_000, 0.06, 0.12)
    assert (second.match.speed, second.scale, third.kmax_percent, third.pmax) == (None, "flat", 90.0, 1.0)
    assert first.match.speed == [400_000_000_000]
    match = found.fabrics["disks"].match
    assert match is not None
    assert match.speed == [100_000_000_000, 400_000_000_000]


def test_truths_are_words_where_there_is_a_third() -> None:
    found = intent("watchdog: {required: on}\nnic: {np: yes, rp: off}\nlimits: {global_pause: on}\n")
    assert found.watchdog is not None
    assert found.nic is not None
    assert found.limits is not None
    assert (found.watchdog.required, found.nic.np, found.nic.rp, found.limits.global_pause) == ("yes", "yes", "no", True)


@pytest.mark.parametrize(
    ("size", "count"), [("150000", 150_000), ("2MB", 2_000_000), ("2MiB", 2_097_152), ("1.5 kb", 1500), ("10B", 10), ("0", 0)]
)
def test_a_size_is_taken_with_its_unit(size: str, count: int) -> None:
    found = intent(f"ecn: [{{kmin: {size}}}]\n").ecn
    assert found is not None
    assert found[0].kmin == count


def test_links_may_stand_in_the_file() -> None:
    data = parsed("", "links:\n  - {device_a: h1, port_a: p0, device_b: tor1, port_b: Ethernet0, length_m: 3}\n").data
    jsonschema.validate(data, intent_schema())
    assert isinstance(Intent.model_validate(data).links, list)


def test_a_key_with_nothing_behind_it_wants_nothing() -> None:
    nothing = "".join(
        f"{key}:\n" for key in ("classes", "fabrics", "limits", "ecn", "apps", "roles", "links", "versions", "exceptions", "rules")
    )
    assert intent(nothing).model_dump(exclude_none=True) == intent("{}").model_dump(exclude_none=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("profil: a\n", "1: unknown key 'profil'; did you mean 'profile'?"),
        ("fabrics:\n  a: {match: {devices: x}}\n", "2: unknown key 'devices'; did you mean 'device'?"),
        ("links: {fil: x.csv}\n", "1: unknown key 'fil'; did you mean 'file'?"),
        ("links:\n  - {device_a: a, port_a: b, device_b: c, port_b: d, length: 3}\n", "2: unknown key 'length'; did you mean 'length_m'?"),
        ("classes:\n  a:\n    dscp: [26, 64]\n", "3: classes.a.dscp.1: a whole number from 0 to 63 expected, not 64"),
        ("classes: {a: {dscp: true}}\n", "1: classes.a.dscp: a whole number expected, not true"),
        ("classes: {a: {pfc_priority: 8}}\n", "1: classes.a.pfc_priority: a whole number from 0 to 7 expected, not 8"),
        ("classes: {a: {share: 101}}\n", "1: classes.a.share: a percentage from 0 to 100 expected, not 101"),
        ("ecn: [{kmin: 9 kilo}]\n", "1: ecn.0.kmin: a size such as 950KB or 150000 expected, not '9 kilo'"),
        ("ecn: [{pmax: 7}]\n", "1: ecn.0.pmax: a fraction from 0 to 1, or 0% to 100% expected, not 7"),
        ("ecn: [{match: {speed: fast}}]\n", "1: ecn.0.match.speed: a speed such as 400G expected, not 'fast'"),
        ("watchdog: {detect_ms: [400, 100]}\n", "1: watchdog.detect_ms: the smaller number first expected, not a list"),
        ("mtu: {rdma: 9000}\n", "1: mtu.rdma: 256, 512, 1024, 2048 or 4096 expected, not 9000"),
        ("schema: roce-lint/intent/v9\n", "1: schema: 'roce-lint/intent/v1' expected, not 'roce-lint/intent/v9'"),
        ("exceptions:\n  - {rule: x, expires: soon}\n", "2: exceptions.0.expires: a date such as 2027-01-31 expected, not 'soon'"),
        ("apps: {nccl: {A: [1]}}\n", "1: apps.nccl.A: a text or a whole number expected, not a list"),
        ("classes: 3\n", "1: classes: a mapping expected, not 3"),
        ("classes: {a: }\n", "1: classes.a: a mapping expected, not nothing"),
    ],
)
def test_what_is_wrong_is_one_line_that_says_what_is_expected(text: str, said: str) -> None:
    with pytest.raises(UserFileErrors) as raised:
        intent(text)
    assert str(raised.value) == f"roce-lint.yaml:{said}"


@pytest.mark.parametrize("path", sorted((folder("rules") / "profiles").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_profile_is_an_intent_with_a_name_and_sources(path: Path) -> None:
    file = read(path)
    jsonschema.validate(file.data, intent_schema())
    found = checked(file, Intent)
    assert (found.name, bool(found.title), bool(found.sources), found.profile, found.fabrics) == (path.stem, True, True, None, {})
