"""The examples of every rule: each gives its outcome, every outcome is shown, and what is not stated only ever makes it unknown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from roce_lint.lint import clean
from roce_lint.lint.book import files
from roce_lint.lint.examples import outcome, outcomes
from roce_lint.lint.rulefile import Example, RuleFile
from roce_lint.lint.rules import Rule, rule
from roce_lint.model.changes import ChangeError
from roce_lint.report.facts import facts
from roce_lint.text.userfile import read

FOLDER = Path(__file__).parents[2] / "rules"
PATHS = {path.stem: path for path in files(FOLDER)}

# What a rule cannot say: a link seen from one end is never a fault, and a plan states all that it wants.
NEVER: Mapping[str, str] = {"link-one-sided": "fail", "intent-inconsistent": "unknown"}

# Where silence is a statement: a file of settings that does not name a variable leaves it unset, a kernel without the override has none,
# a switch without a switch-wide watchdog states none, and statistics that were not collected are no question. Rule and fact.
SILENCE = {
    ("app-class-mismatch", "global_tclass"),
    ("counter-watchdog", "watchdog"),
    ("counter-watchdog", "watchdog.queues"),
    ("counter-watchdog", "watchdog.queues[3].detected"),
    ("watchdog-missing", "watchdog.running"),
}

# The roots of a scope whose facts an example may leave unsaid.
ROOTS: Mapping[str, tuple[str, ...]] = {
    "hop": ("sender.port", "receiver.port"),
    "class_port": ("here.port", "beside.port"),
    "port": ("port",),
    "switch_port": ("port",),
    "nic_port": ("port",),
    "link": ("a", "b"),
    "job": ("rdma", "port", "peer.port"),
}


EVERY = 3  # a fact of the clean subject is left unsaid in every third example, one that the example gives always


@cache
def written(name: str) -> RuleFile:
    return RuleFile.model_validate(read(PATHS[name]).data)


@cache
def made(name: str) -> Rule:
    return rule(written(name).written())


@pytest.mark.parametrize("name", PATHS)
def test_every_example_gives_its_outcome(name: str) -> None:
    wrong = [
        f"{example.name}: {found.word} {found.severity}, not {example.then} {example.severity}"
        for example, found in outcomes(made(name))
        if found.word != example.then or (example.severity is not None and found.severity != example.severity)
    ]
    assert wrong == []


@pytest.mark.parametrize("name", PATHS)
def test_a_rule_shows_every_outcome_and_a_design_that_only_looks_wrong(name: str) -> None:
    examples = written(name).examples
    shown = {example.then for example in examples}
    assert {"pass", "fail", "unknown"} - shown == ({NEVER[name]} if name in NEVER else set())
    odd = [example for example in examples if example.given and example.then in ("pass", "not_applicable")]
    assert odd, "an example that looks odd and is right expected"
    assert len({example.name for example in examples}) == len(examples) >= 4


@pytest.mark.parametrize("name", PATHS)
def test_a_rule_says_why_and_where_from(name: str) -> None:
    source = written(name)
    assert source.id == name and PATHS[name].parent.name == name.split("-")[0]
    assert all(each.strip() for each in (source.title, source.why, source.message, source.exception or ""))
    assert source.references and all(each.strip() for each in source.references)
    assert set(source.caused_by) <= set(PATHS)


@pytest.mark.parametrize("name", PATHS)
def test_a_rule_names_no_number_of_a_plan(name: str) -> None:
    source = written(name)
    texts = [source.when, source.expect, source.same, *(source.across or ())]
    graded = source.severity if isinstance(source.severity, list) else []
    found = [number for text in (*texts, *(each.when for each in graded)) if text for number in re.findall(r"\b\d+\b", text)]
    assert set(found) <= {"0", "1", "2", "8"}, "priorities, queues and DSCPs are the plan's"


def _clean_paths(record: object) -> Iterator[str]:
    """Every fact of a record, of tables those of a few keys, and the facts and tables that hold them."""
    for path, _ in facts(record):
        if "otherwise" in path or set(re.findall(r"\[(\d+)\]", path)) - {"0", "1", "3", "6", "26", "48"}:
            continue
        yield from (path, path.split(".")[0], path.split("[")[0], path.split("[")[0].split(".")[0])


@cache
def paths(root: str) -> frozenset[str]:
    if root == "rdma":
        return frozenset(path for rdma in clean.host(1).rdma.values() for path in _clean_paths(rdma))
    return frozenset((*_clean_paths(clean.nic("nic")), *_clean_paths(clean.switch("switch"))))


@pytest.mark.parametrize("name", PATHS)
def test_to_unstate_a_fact_of_an_example_only_ever_makes_it_unknown(name: str) -> None:
    tried = made(name)
    wrong = []
    for number, example in enumerate(tried.source.examples):
        if not isinstance(example.given, dict):
            continue
        for root in ROOTS.get(tried.scope, ()):
            own = {path[len(root) + 1 :] for path in example.given if path.startswith(f"{root}.")}
            for path in sorted({*sorted(paths(root))[number % EVERY :: EVERY], *own}):
                if (name, path) in SILENCE:
                    continue
                unsaid = Example(name=example.name, given={**example.given, f"{root}.{path}": None}, then=example.then)
                try:
                    found = outcome(tried, unsaid)
                except ChangeError:
                    continue
                if found.word not in (example.then, "unknown"):
                    wrong.append(f"{example.name}, without {root}.{path}: {found.word}")
    assert wrong == []


def test_a_fact_that_follows_from_others_cannot_be_given() -> None:
    tried = made("ecn-off")
    with pytest.raises(ChangeError, match=r"here.ecn follows from raw facts; give those under here.port"):
        outcome(tried, Example(name="-", given={"here.ecn": False}, then="fail"))
    with pytest.raises(ChangeError, match=r"no root 'hear'; one of .* expected"):
        outcome(tried, Example(name="-", given={"hear.port.mtu": 1500}, then="fail"))
    with pytest.raises(ChangeError, match="no class 'rmda' in the clean plan"):
        outcome(tried, Example(name="-", given={"want": "rmda"}, then="fail"))
