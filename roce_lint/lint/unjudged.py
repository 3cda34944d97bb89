"""Keys of an intent by which no rule judges a device yet: what a site wants and nobody holds the devices against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from roce_lint.lint.rules import Rule
from roce_lint.model.document import Line, Note

Keys = Mapping[tuple[str | int, ...], Line]
OF_A_FABRIC = 2  # keys above those of a fabric: fabrics and its name
FREE = frozenset(
    {"schema", "name", "title", "sources", "profile", "rules", "exceptions", "links"}
)  # about the file itself, or joined before
SETTINGS = {"limits.dcbx.willing": "limits.dcbx_willing"}  # keys that a plan has under another name
NAMED = frozenset({"classes", "roles", "versions", "apps"})  # whose keys are names of the user's
JUDGED = frozenset(
    {
        "loss_model",
        "match",
        "classes.role",
        "classes.dscp",
        "classes.pcp",
        "classes.pfc_priority",
        "classes.loss",
        "classes.cnp",
        "ecn.match",
        "ecn.congested_ports",
        "mtu.rdma",
        "roles.match",
    }
)  # which rules read through what follows from them


def unjudged(keys: Keys, rules: Iterable[Rule]) -> Iterator[Note]:
    """A Note at each line of an intent with keys that none of the rules reads, which it names."""
    read = JUDGED | {path.removeprefix("plan.") for rule in rules for path in _paths(rule)}
    lines: dict[int, tuple[Line, dict[str, None]]] = {}
    for where, line in keys.items():
        path = _path(where)
        if path is None or any(path == each or path.startswith(f"{each}.") for each in read):
            continue
        lines.setdefault(line.number, (line, {}))[1].setdefault(".".join(map(str, where)))
    for _, (line, names) in sorted(lines.items()):
        yield Note(line, f"no rule judges by {', '.join(names)} yet")


def _paths(rule: Rule) -> Iterator[str]:
    every = [rule.when, rule.expect, rule.same, *rule.across, *(when for when, _ in rule.severities)]
    for expression in every:
        yield from expression.paths if expression is not None else ()


def _path(where: tuple[str | int, ...]) -> str | None:
    """A key without the names and numbers of the user's: `classes.share`; None for what is judged by in no way."""
    steps = [str(each) for each in where if not isinstance(each, int)]
    if not steps or steps[0] in FREE:
        return None
    if steps[0] == "fabrics":
        steps = steps[OF_A_FABRIC:]
    if steps and steps[0] in NAMED:
        steps = [steps[0], *steps[2:]]
    path = ".".join(steps)
    return SETTINGS.get(path, path) or None
