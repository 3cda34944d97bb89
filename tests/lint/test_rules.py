"""Rule files of a user: what is wrong with one is told with its line and what is expected, and the rest is still run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from roce_lint.errors import RoceLintError
from roce_lint.lint.book import book, chosen, severities
from roce_lint.lint.rulefile import RuleFile
from roce_lint.lint.rules import Rule, RuleError, message, ordered, rule
from roce_lint.lint.scopes import NAMES
from roce_lint.model.outcome import Derived, Missing

GOOD = """\
id: site-alpha
title: A site's own law
severity: error
scope: port
expect: port.trust == "dscp"
message: "{port} trusts {port.trust}"
why: it is so
references: [the site's handbook]
"""


def pack(folder: Path, **files: str) -> str:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    return str(folder)


def told(error: RoceLintError) -> str:
    return str(error)


def problems(folder: Path, text: str) -> list[str]:
    """What is said of a pack with a good rule and one file more, without the folder's name."""
    made = book([pack(folder, good=GOOD, wrong=text)])
    assert "site-alpha" in {each.id for each in made.rules}
    return [told(error).replace(f"{folder}/", "") for error in made.errors]


def test_a_good_rule_is_added_to_the_built_in_ones(tmp_path: Path) -> None:
    made = book([pack(tmp_path, good=GOOD)])
    assert made.errors == ()
    assert {each.id for each in made.rules} - {each.id for each in book().rules} == {"site-alpha"}


OTHER = GOOD.replace("site-alpha", "site-beta")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("why:", "exept: never\nwhy:", ["wrong.yaml:7: unknown key 'exept'; did you mean 'except'?"]),
        ("severity: error", "severity: eror", ["wrong.yaml:3: severity: 'critical', 'error', 'warning' or 'info' expected, not 'eror'"]),
        ("scope: port", "scope: prot", ["wrong.yaml:4: scope: 'port', "]),
        ("id: site-beta", "id: Site_Beta", ["wrong.yaml:1: id: "]),
        ("references: [the site's handbook]", "references: handbook", ["wrong.yaml:8: list expected, not 'handbook'"]),
        ("references: [the site's handbook]\n", "", ["wrong.yaml:1: key 'references' expected"]),
        (
            "expect: port.trust",
            "expect: port.thrust",
            ["wrong.yaml:5: expect: 'port.thrust': unknown field 'thrust'; did you mean 'trust'?"],
        ),
        ('== "dscp"', '== "dcsp"', ["wrong.yaml:5: expect: 'port.trust' and \"'dcsp'\" have no word in common, only "]),
        ('port.trust == "dscp"', "port.trust", ["wrong.yaml:5: expect: 'port.trust' is a text, a bool is expected"]),
        ('port.trust == "dscp"', "here.ecn", ["wrong.yaml:5: expect: unknown name 'here'"]),
        ("{port.trust}", "{port.trsut}", ["wrong.yaml:6: message: 'port.trsut': unknown field 'trsut'; did you mean 'trust'?"]),
        (
            "severity: error",
            "severity: [{when: port.mtu, is: error}]",
            ["wrong.yaml:3: severity: 'port.mtu' is a number, a bool is expected"],
        ),
        ("severity: error", "severity: [{wen: port.nic, is: error}]", ["wrong.yaml:3: unknown key 'wen'; did you mean 'when'?"]),
        ('expect: port.trust == "dscp"\n', "", ["wrong.yaml:1: expect: exactly one of expect, same and check expected"]),
        ('expect: port.trust == "dscp"\n', "check: hedroom\n", ["wrong.yaml:5: check: no check 'hedroom'; one of "]),
        (
            'expect: port.trust == "dscp"\n',
            "check: headroom\nparams: {floor: 3}\n",
            ["wrong.yaml:6: params: no parameter 'floor'; one of none expected"],
        ),
        ("why:", "check: headroom\nwhy:", ["wrong.yaml:5: expect: exactly one of expect, same and check expected"]),
        ('expect: port.trust == "dscp"\n', "same: port.trust\n", ["wrong.yaml:1: across: same and across expected together"]),
        (
            'expect: port.trust == "dscp"\n',
            "same: port.trust\nacross: [port.speed]\n",
            ["wrong.yaml:6: across: 'port.speed': unknown field 'speed'; "],
        ),
        ("why:", "caused_by: [pfc-of]\nwhy:", ["wrong.yaml:7: caused_by: no rule 'pfc-of'; did you mean 'pfc-off'?"]),
        ("why:", "caused_by: [site-beta]\nwhy:", ["wrong.yaml:7: caused_by: a rule cannot cause itself: site-beta -> site-beta"]),
        (
            "why:",
            "examples: [{name: x, then: passes}]\nwhy:",
            ["wrong.yaml:7: examples.0.then: 'pass', 'fail', 'unknown' or 'not_applicable' expected, not 'passes'"],
        ),
        ("id: site-beta", "id: pfc-off", ["wrong.yaml:1: id: another name than 'pfc-off' expected, a rule has it"]),
        ("title: A", "title: [A", ["wrong.yaml:3: expected ',' or ']', but got ':'"]),
    ],
)
def test_what_is_wrong_is_told_with_line_and_expectation(tmp_path: Path, old: str, new: str, said: list[str]) -> None:
    assert old in OTHER
    found = problems(tmp_path, OTHER.replace(old, new, 1))
    assert len(found) == len(said), found
    for each, (line, words) in zip(found, (one.split(": ", 1) for one in said), strict=True):
        assert each.startswith(f"{line}: ") and words in each, found


def test_rules_that_cause_each_other_in_a_circle_are_refused(tmp_path: Path) -> None:
    first = GOOD.replace("why:", "caused_by: [site-gamma]\nwhy:")
    second = GOOD.replace("site-alpha", "site-gamma").replace("why:", "caused_by: [site-alpha]\nwhy:")
    made = book([pack(tmp_path, a=first, b=second)])
    assert [told(error).replace(f"{tmp_path}/", "") for error in made.errors] == [
        "b.yaml:7: caused_by: a rule cannot cause itself: site-alpha -> site-gamma -> site-alpha"
    ]
    assert {"site-alpha", "site-gamma"} & {each.id for each in made.rules} == {"site-alpha"}


def test_a_cause_stands_before_what_it_causes() -> None:
    order = [each.id for each in ordered(book().rules)]
    assert sorted(order) == sorted(each.id for each in book().rules)
    assert [(each.id, cause) for each in book().rules for cause in each.caused_by if order.index(cause) > order.index(each.id)] == []


def made(**changes: object) -> Rule:
    data: Mapping[str, object] = {
        "id": "site-alpha",
        "title": "-",
        "severity": "error",
        "scope": "class_port",
        "expect": "here.ecn",
        "message": "-",
        "why": "-",
        "references": ["-"],
        **changes,
    }
    return rule(RuleFile.model_validate({name: value for name, value in data.items() if value is not None}).written())


def test_a_rule_about_classes_needs_a_plan_and_one_about_intent_an_intent() -> None:
    assert made().needs == "plan"
    assert made(scope="intent", expect="intent.consistent").needs == "intent"
    assert made(scope="port", expect="port.nic").needs == "nothing"
    assert made(scope="port", expect="port.nic", needs="plan").needs == "plan"


def test_the_terms_of_a_check_have_names_of_their_own() -> None:
    made(scope="hop", expect=None, check="rdma_fits", message="{found.needed}", severity=[{"when": "found.mtu < 1000", "is": "critical"}])
    with pytest.raises(RuleError, match="unknown field 'kmin_bytes'"):
        made(scope="hop", expect=None, check="rdma_fits", message="{found.kmin_bytes}")
    with pytest.raises(RuleError, match="unknown name 'found'"):
        made(message="{found.needed}")


def test_the_severities_of_a_rule_are_told_from_the_worst() -> None:
    graded = [{"when": "here.nic", "is": "info"}, {"when": "here.ecn", "is": "critical"}, {"is": "info"}]
    assert severities(made(severity=graded).source) == ("critical", "info")


def test_a_message_shows_values_as_people_read_them() -> None:
    class Sample:
        def __str__(self) -> str:
            return "leaf1/p1"

        def read(self, path: str) -> Derived[object] | Missing:
            values: Mapping[str, object] = {"pause_emitted": frozenset({4, 3}), "ecn": False, "kmin_bytes": 150_000}
            return Derived(values[path], ()) if path in values else Missing((("leaf1", path),))

    text = message("{here}: {here.pause_emitted}, {here.ecn}, {here.kmin_bytes}, {here.alpha}", NAMES["class_port"])
    assert text.of({"here": Sample()}) == "leaf1/p1: {3, 4}, no, 150,000, ?"


def test_rules_are_chosen_by_name_and_family() -> None:
    rules = book().rules
    assert {each.family for each in chosen(rules, ["ecn", "mtu-path"], ["ecn-off"])} == {"ecn", "mtu"}
    assert "ecn-off" not in {each.id for each in chosen(rules, ["ecn"], ["ecn-off"])}
    with pytest.raises(RoceLintError, match="--select: no rule or family 'enc'; did you mean 'ecn'"):
        chosen(rules, ["enc"], [])
