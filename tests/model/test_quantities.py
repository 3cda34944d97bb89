"""Every number of an intent has bounds, which its schema has too; beyond them is one line."""

from __future__ import annotations

import jsonschema
import pytest

from roce_lint.model.intent import Intent, intent_schema
from roce_lint.text.userfile import UserFileErrors, checked, parsed

HUGE = "100000000000000000000"
BOUNDS = [
    ("classes: {a: {dscp: X}}", "classes.a.dscp", "0", "63", "-1", "64", "a whole number from 0 to 63"),
    ("classes: {a: {pcp: [X]}}", "classes.a.pcp.0", "0", "7", "-1", "8", "a whole number from 0 to 7"),
    ("classes: {a: {pfc_priority: X}}", "classes.a.pfc_priority", "0", "7", "-1", HUGE, "a whole number from 0 to 7"),
    ("classes: {a: {share: X}}", "classes.a.share", "0", "100%", "-0.5", "101", "a percentage from 0 to 100"),
    ("limits: {max_lossless: X}", "limits.max_lossless", "0", "8", "-1", "9", "a whole number from 0 to 8"),
    ("ecn: [{kmin: X}]", "ecn.0.kmin", "0", "65536MiB", "-1", HUGE, "a size from 0 to 64 GiB"),
    ("ecn: [{kmax_percent: X}]", "ecn.0.kmax_percent", "0%", "100", ".nan", ".inf", "a percentage from 0 to 100"),
    ("ecn: [{pmax: X}]", "ecn.0.pmax", "0", "100%", "-.inf", "1.01", "a fraction from 0 to 1, or 0% to 100%"),
    ("ecn: [{tolerance: X}]", "ecn.0.tolerance", "0%", "1", ".nan", "110%", "a fraction from 0 to 1, or 0% to 100%"),
    ("ecn: [{weight: X}]", "ecn.0.weight", "0", "15", "-1", "16", "a whole number from 0 to 15"),
    ("ecn: [{congested_ports: X}]", "ecn.0.congested_ports", "1", "4096", "0", "4097", "a whole number from 1 to 4096"),
    ("ecn: [{match: {speed: X}}]", "ecn.0.match.speed", "1M", "10000G", "400", "10001G", "a speed from 1M to 10000G"),
    ("watchdog: {poll_ms: X}", "watchdog.poll_ms", "1", "600000", "0", "600001", "a whole number from 1 to 600000"),
    ("watchdog: {detect_ms: X}", "watchdog.detect_ms", "1", "600000", "-5", HUGE, "a whole number from 1 to 600000"),
    ("watchdog: {nic_stall_ms_max: X}", "watchdog.nic_stall_ms_max", "1", "600000", "0", ".inf", "a whole number from 1 to 600000"),
    ("buffers: {alpha_min: X}", "buffers.alpha_min", "0.0001", "256", ".nan", ".inf", "a number above 0 and at most 256"),
    ("buffers: {max_shp_oversub: X}", "buffers.max_shp_oversub", "0.5", "1000", "0", "-2", "a number above 0 and at most 1000"),
    ("mtu: {host: X}", "mtu.host", "576", "65535", "0", HUGE, "a whole number from 576 to 65535"),
    ("mtu: {switch_min: X}", "mtu.switch_min", "576", "65535", "575", "65536", "a whole number from 576 to 65535"),
    ("nic: {cnp_dscp: X}", "nic.cnp_dscp", "0", "63", "-1", "64", "a whole number from 0 to 63"),
    ("nic: {cc_prio_mask: X}", "nic.cc_prio_mask", "0", "255", "-1", "256", "a whole number from 0 to 255"),
    ("links: [{device_a: a, port_a: b, device_b: c, port_b: d, length_m: X}]", "links.0.length_m", "0", "100000", "-1", HUGE,
     "a whole number from 0 to 100000"),
    ("links: {file: x, cable_len_default: {host: X}}", "links.cable_len_default.host", "0", "100000", "-1", "100001",
     "a whole number from 0 to 100000"),
    ("evidence: {max_age_h: X}", "evidence.max_age_h", "0.5", "87600", "0", ".inf", "a number above 0 and at most 87600"),
    ("evidence: {min_interval_s: X}", "evidence.min_interval_s", "1", "86400", "-1", ".nan", "a number above 0 and at most 86400"),
    ("evidence: {pause_ratio_max: X}", "evidence.pause_ratio_max", "0", "2%", "-1", "2", "a fraction from 0 to 1, or 0% to 100%"),
]  # fmt: skip


def wrong(text: str) -> str:
    with pytest.raises(UserFileErrors) as raised:
        checked(parsed("roce-lint.yaml", text), Intent)
    return str(raised.value)


@pytest.mark.parametrize(("text", "path", "low", "high", "below", "above", "expected"), BOUNDS, ids=[path for _, path, *_ in BOUNDS])
def test_a_number_has_bounds(text: str, path: str, low: str, high: str, below: str, above: str, expected: str) -> None:
    for inside in (low, high):
        data = parsed("", text.replace("X", inside)).data
        jsonschema.validate(data, intent_schema())
        Intent.model_validate(data)
    for outside in (below, above):
        shown = outside.removeprefix("-.").removeprefix(".") if outside.lstrip("-.") in ("inf", "nan") else outside
        shown = f"-{shown}" if outside.startswith("-.") else f"'{shown}'" if shown.endswith(("%", "G")) else shown
        assert (
            wrong(f"schema: roce-lint/intent/v1\n{text.replace('X', outside)}\n")
            == f"roce-lint.yaml:2: {path}: {expected} expected, not {shown}"
        )


@pytest.mark.parametrize("outside", ["-1", "64", HUGE, "'26'", "26.5", "true", "[]", "٢٦"])
def test_what_the_model_refuses_the_schema_refuses(outside: str) -> None:
    data = parsed("", f"classes: {{a: {{dscp: {outside}}}}}").data
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, intent_schema())
    assert wrong(f"classes: {{a: {{dscp: {outside}}}}}").startswith("roce-lint.yaml:1: classes.a.dscp")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.0000000000000001MB", 0),
        ("0.5B", 1),
        ("1.0000005MB", 1_000_001),
        ("18446744073.123KB", 18_446_744_073_123),
        ("64MiB", 67_108_864),
    ],
)
def test_a_size_is_rounded_to_whole_bytes_without_floats(text: str, expected: int) -> None:
    data = f"ecn: [{{kmin: {text}}}]\n"
    if expected > 64 * 1024**3:
        assert wrong(data) == f"roce-lint.yaml:1: ecn.0.kmin: a size from 0 to 64 GiB expected, not '{text}'"
        return
    found = checked(parsed("", data), Intent).ecn
    assert found is not None and found[0].kmin == expected


@pytest.mark.parametrize("digits", ["9" * 21, "9" * 400, "9" * 5000])
def test_more_digits_than_a_number_has_are_no_size(digits: str) -> None:
    assert wrong(f"ecn: [{{kmin: {digits}KB}}]").startswith(
        "roce-lint.yaml:1: ecn.0.kmin: a size such as 950KB or 150000 expected, not '999"
    )
    assert wrong(f"mtu: {{host: {digits}}}").startswith("roce-lint.yaml:1: mtu.host: a whole number")
    assert wrong(f"links: {{file: x, cable_len_default: {{host: 1{digits[:300]}}}}}").startswith(
        "roce-lint.yaml:1: links.cable_len_default.host"
    )
