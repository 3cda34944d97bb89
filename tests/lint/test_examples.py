"""The examples of every built-in rule: each gives its outcome, and every rule shows what passes, what fails and what is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_lint.lint import book
from roce_lint.lint.examples import outcomes
from roce_lint.lint.rulefile import RuleFile
from roce_lint.lint.rules import rule
from roce_lint.resources import folder
from roce_lint.text import userfile

FILES = book.files(folder("rules"))
NEVER = {
    "counter-watchdog": "unknown",  # applies only where the counters were read
    "ecn-wrong-queue": "pass",  # applies only where another queue marks
    "intent-inconsistent": "unknown",  # an intent is read whole
    "link-one-sided": "fail",  # what was not collected is no fault
}


def written(path: Path) -> RuleFile:
    return RuleFile.model_validate(userfile.read(path).data)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_gives_its_outcome(path: Path) -> None:
    found = [
        (example.name, outcome.word, example.severity and outcome.severity) for example, outcome in outcomes(rule(written(path).written()))
    ]
    assert found == [(example.name, example.then, example.severity) for example in written(path).examples]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_rule_shows_what_passes_what_fails_and_what_is_not_known(path: Path) -> None:
    source = written(path)
    shown = {example.then for example in source.examples}
    missing = {"pass", "fail", "unknown"} - shown
    assert missing == ({NEVER[source.id]} if source.id in NEVER else set())
    assert source.why and source.references
    assert path == folder("rules") / source.id.split("-")[0] / f"{source.id}.yaml"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_rule_shows_a_design_that_looks_odd_and_is_right(path: Path) -> None:
    """Besides the clean subject, at least one changed subject passes or is not the rule's matter."""
    source = written(path)
    assert [example.name for example in source.examples if example.given and example.then in ("pass", "not_applicable")]
