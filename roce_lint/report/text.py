"""A result as people read it: findings with the lines they rest on, then what was not seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from roce_lint.lint.words import shown
from roce_lint.model.document import Line, Note
from roce_lint.model.finding import Cite, Finding, Subject, Unknown
from roce_lint.model.plan import Plan, Want
from roce_lint.report.result import Result, everything

CITED = 8
LINES = 4
CONSEQUENCES = 8
LACKING = 12
DEVICES = 30
WAIVED = 8
REMARKS = 8
THINGS: Mapping[str, str] = {"job": "job", "device": "device", "switch": "switch", "host": "host", "intent": "part", "fabric": "part"}
UNSAID = frozenset({"configured", "observed", "wanted"})


def text(result: Result, notes: bool = False) -> str:
    """The report, ending in a line feed. `notes` lists every line that was not understood."""
    return "\n".join(lines(result, notes)) + "\n"


def lines(result: Result, notes: bool = False) -> Iterator[str]:
    """The lines of the report."""
    for finding in result.findings:
        if finding.status == "new":
            yield from _finding(finding)
            yield ""
    yield from _waived([finding for finding in result.findings if finding.status == "waived"])
    judged = bool(result.counts.held or result.counts.unknown or result.findings)
    if judged:
        yield from _unknown(result)
        yield _plan(result.plan)
        if result.unrun:
            yield f"not run without an intent file: {', '.join(result.unrun)}"
    yield from _remarks(result, notes)
    yield from _notes(result.notes, notes)
    for unread in result.unread:
        yield f"not read: {printable(unread.path)}: {printable(unread.reason)}"
    yield _summary(result) if judged else _nothing(result)


def _finding(finding: Finding) -> Iterator[str]:
    yield header(finding)
    yield f"  {printable(finding.message)}"
    for cite in finding.cites[:CITED]:
        yield from _cite(cite)
    if len(finding.cites) > CITED:
        yield f"  ... and {len(finding.cites) - CITED} more facts (--format json has them all)"
    yield from _wanted(finding)
    if finding.waiver is not None:
        yield f"  = waived in part: {printable(finding.waiver)}"
    for consequence in finding.consequences[:CONSEQUENCES]:
        yield f"  = leads to {header(consequence)}"
        yield f"      {printable(consequence.message)}"
    if len(finding.consequences) > CONSEQUENCES:
        yield f"  = leads to {len(finding.consequences) - CONSEQUENCES} more"


def _waived(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings[:WAIVED]:
        yield f"waived: {header(finding)}: {printable(finding.waiver or '')}"
    if len(findings) > WAIVED:
        yield f"waived: {len(findings) - WAIVED} more (--format json has them all)"


def header(finding: Finding) -> str:
    """A finding's severity, rule and class, its first subject and how many more there are."""
    first = finding.subjects[0]
    more = len(finding.subjects) - 1
    thing = f"more {THINGS.get(finding.scope, 'port')}"
    tail = f" (and {count(more, thing)})" if more else ""
    name = f" {first.class_name}:" if first.class_name is not None else ""
    return f"{finding.severity}[{finding.rule}]{name} {subject(first, finding.scope)}{tail}"


def _wanted(finding: Finding) -> Iterator[str]:
    """What the plan wants, ports that want the same on one line."""
    groups: dict[tuple[str, str], list[str]] = {}
    for wanted in finding.wanted:
        at = "/".join(part for part in (wanted.device, wanted.port) if part)
        groups.setdefault((wanted.path, shown(wanted.value)), []).append(at)
    for (path, value), ports in groups.items():
        more = f" (and {count(len(ports) - 1, 'more port')})" if len(ports) > 1 else ""
        yield f"  = want on {ports[0]}{more}: {path} = {value}"


def subject(subject: Subject, scope: str) -> str:
    """A subject in the direction of its traffic: `sender -> receiver` of a hop, both ends of a link, else the port, job or device."""
    own = "/".join(part for part in (subject.device, subject.port) if part) or "the plan"
    peer = "/".join(subject.peer) if subject.peer is not None else "?"
    if scope == "hop":
        return f"{own} -> {peer}" if subject.direction == "out" else f"{peer} -> {own}"
    if scope == "link":
        return f"{own} - {peer}"
    return f"{own} {subject.job}" if subject.job is not None else own


def _cite(cite: Cite) -> Iterator[str]:
    """The line that names the value, then the lines that bind it."""
    fact = cite.fact
    basis = "" if fact.basis in UNSAID else f"   ({fact.basis})"
    for index, line in enumerate(fact.lines[:LINES]):
        what = f"   {cite.path} = {printable(shown(fact.value))}{basis}" if index == 0 else ""
        yield f"  --> {place(line, cite.device)}{what}"
        if line.text.strip():
            yield f"      | {printable(line.text.strip())}"
    if len(fact.lines) > LINES:
        yield f"  --> and {count(len(fact.lines) - LINES, 'more line')}"


def place(line: Line, device: str | None = None) -> str:
    """Where a line stands: `path:line`, or `device $ command:line (path)` of what a command printed on a device."""
    document = line.document
    if document.command is None:
        return f"{printable(document.path)}:{line.number}"
    name = document.device or device
    return printable(f"{f'{name} ' if name else ''}$ {document.command}:{line.number} ({document.path})")


def printable(text: str) -> str:
    """A text without control characters, which a terminal would obey."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else " " if each == "\t" else "?" for each in text)


def count(number: int, thing: str) -> str:
    """A number of things in words: `1 port`, `2 switches`."""
    if number == 1:
        return f"1 {thing}"
    return f"{number} {thing}es" if thing.endswith("ch") else f"{number} {thing}s"


def _unknown(result: Result) -> Iterator[str]:
    """What nobody stated, by device; devices that lack the same share a line."""
    if not result.unknown:
        return
    pairs = result.counts.held + result.counts.broken + result.counts.unknown
    yield f"not judged: {result.counts.unknown} of {count(pairs, 'judgement')}, for want of what nothing stated:"
    lacking: dict[tuple[tuple[str, int], ...], list[str]] = {}
    for name, group in _grouped(result.unknown).items():
        lacking.setdefault(tuple((each.missing, each.count) for each in group), []).append(name)
    for number, (missing, names) in enumerate(lacking.items()):
        if number == DEVICES:
            yield f"  ... and {count(len(lacking) - DEVICES, 'more device')} (--format json has them all)"
            return
        some = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        what = ", ".join(f"{text} ({times})" for text, times in missing[:LACKING])
        more = f" and {len(missing) - LACKING} more" if len(missing) > LACKING else ""
        yield f"  {some}: {printable(what)}{more}"


def _grouped(unknown: Iterable[Unknown]) -> Mapping[str, Sequence[Unknown]]:
    groups: dict[str, list[Unknown]] = {}
    for each in unknown:
        groups.setdefault(each.device or "the input", []).append(each)
    return groups


def _plan(plan: Plan) -> str:
    classes = "; ".join(_class(want) for fabric in plan.fabrics for want in fabric.classes)
    if plan.inferred:
        return f"plan, inferred from the input: {classes}" if classes else "plan: none; the input does not show one, --intent gives one"
    start = f"plan, profile {plan.profile}" if plan.profile else "plan"
    return f"{start}: {classes}" if classes else f"{start}: no classes"


def _class(want: Want) -> str:
    parts: list[str] = [want.loss.value]
    for word, fact in (("DSCP", want.dscp), ("PCP", want.pcp)):
        if fact is not None and fact.value:
            parts.append(f"{word} {ranges(fact.value)}")
    if want.pfc_priority is not None:
        parts.append(f"PFC {want.pfc_priority.value}")
    return f"{want.name} {', '.join(parts)}"


def ranges(numbers: Iterable[int]) -> str:
    """Numbers with runs drawn together: `24-31, 48`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _notes(notes: Sequence[Note], listed: bool) -> Iterator[str]:
    if not notes:
        return
    for note in notes:
        if listed or note.failed:
            yield f"{'cut short' if note.failed else 'note'}: {place(note.line)}: {printable(note.reason)}"
            yield f"      | {printable(note.line.text.strip())}"
    others = sum(not note.failed for note in notes)
    if others and not listed:
        yield f"{count(others, 'line')} not understood (--notes lists them)"


def _remarks(result: Result, listed: bool) -> Iterator[str]:
    """What is to be said of the intent; what no rule judges by takes one line."""
    shown = result.remarks if listed else result.remarks[:REMARKS]
    for note in (*shown, *(result.unjudged if listed else ())):
        yield f"note: {place(note.line)}: {printable(note.reason)}"
    if len(shown) < len(result.remarks):
        yield f"{count(len(result.remarks) - len(shown), 'more note')} on the intent (--notes lists them)"
    if result.unjudged and not listed:
        yield f"{count(len(result.unjudged), 'line')} of the intent by which no rule judges yet (--notes lists them)"


def _nothing(result: Result) -> str:
    if not result.recognised and not result.unread:
        return "nothing to read: no file there"
    if not result.recognised:
        return "nothing recognised: no switch configuration, command output or host setting of a known platform"
    if result.touched:
        return f"nothing to judge: no rule applies to the {count(result.size.devices, 'device')} in scope"
    return f"no RoCE in scope: {count(len(result.devices), 'device')} read, none has PFC, ECN or a lossless class on a port"


def _summary(result: Result) -> str:
    found = result.severities()
    parts = [f"{found['critical']} critical", count(found["error"], "error"), count(found["warning"], "warning"), f"{found['info']} info"]
    waived = result.statuses("waived")
    if waived:
        parts.append(f"{waived} waived")
    folded = sum(1 for _ in everything(result.findings)) - len(result.findings)
    if folded:
        parts.append(f"{count(folded, 'consequence')} folded")
    counts = result.counts
    held = f"{counts.held} held" + (f" ({counts.held_assumed} on an assumed default)" if counts.held_assumed else "")
    size = f"{count(result.size.devices, 'device')}, {count(result.size.ports, 'port')}, {count(result.size.links, 'link')}"
    share = f"{int(counts.coverage)} % judged"
    incomplete = "; incomplete" if result.incomplete else ""
    return f"{', '.join(parts)}; {held}, {counts.unknown} unknown, {share}; {size}{incomplete}"
