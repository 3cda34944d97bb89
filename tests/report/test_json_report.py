"""The JSON report: its schema, and a finding whole."""

from __future__ import annotations

import json

import jsonschema

from roce_lint.model.plan import Plan
from roce_lint.report.json import document, text
from roce_lint.report.json_model import Report
from roce_lint.report.result import Result


def test_a_report_is_as_its_schema_says(result: Result) -> None:
    schema = Report.model_json_schema(by_alias=True)
    for each in (result, Result(Plan())):
        jsonschema.validate(json.loads(text(each)), schema)


def test_every_field_is_always_present(result: Result) -> None:
    empty, full = document(Result(Plan())), document(result)
    assert list(empty) == list(full) == list(Report.model_fields)


def test_the_summary_counts_folded_findings_and_pairs(result: Result) -> None:
    assert document(result)["summary"] == {
        "critical": 1, "error": 1, "warning": 0, "info": 0, "waived": 0, "accepted": 0, "held": 15, "held_assumed": 0, "unknown": 4,
        "notes": 1, "devices": 6, "ports": 11, "links": 5,
    }  # fmt: skip


def test_a_finding_has_its_lines_its_subjects_and_what_is_wanted(result: Result) -> None:
    findings = document(result)["findings"]
    assert isinstance(findings, list)
    assert findings[1] == {
        "rule": "mtu-enough",
        "severity": "error",
        "confidence": "configured",
        "status": "new",
        "waiver": None,
        "fingerprint": result.findings[1].fingerprint,
        "message": "gpu2/eth0 has an MTU of 1500",
        "scope": "port",
        "touches": {"links": 1, "nic_ports": 1, "hosts": 1},
        "subjects": [
            {
                "device": "gpu2",
                "port": "eth0",
                "peer": {"device": "leaf1", "port": "p2"},
                "class": None,
                "direction": None,
                "fingerprint": result.findings[1].subjects[0].fingerprint("mtu-enough"),
            }
        ],
        "cites": [
            {
                "path": "port.mtu",
                "value": 1500,
                "basis": "configured",
                "stated": True,
                "document": 1,
                "line": 21,
                "text": "\tmtu 1500 \x1b[3m",
            }
        ],
        "wanted": findings[1]["wanted"],
        "consequences": [],
    }


def test_cites_point_at_documents_of_the_report(result: Result) -> None:
    found = document(result)
    assert found["documents"] == [
        {"id": 0, "device": "leaf1", "path": "leaf1/config_db.json", "command": None},
        {"id": 1, "device": "gpu2", "path": "gpu2.txt", "command": "mlnx_qos -i eth0"},
        {"id": 2, "device": None, "path": "example", "command": None},
    ]
