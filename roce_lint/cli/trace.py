"""`roce-lint trace PATH --from NIC --to NIC`: a class hop by hop, in both directions, with the line of every number."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from roce_lint.cli.main import FINDINGS, UNCHECKED
from roce_lint.cli.options import planning
from roce_lint.errors import RoceLintError
from roce_lint.judge import Options, joined, verdict
from roce_lint.lint.words import plain, shown
from roce_lint.model.devices import PortName
from roce_lint.model.finding import Cite
from roce_lint.report.text import header, printable
from roce_lint.trace import Hop, Number, Traced, Way, traced

MOST_PLACES = 4
STATUS = {"holds": 0, "broken": FINDINGS, "unknown": UNCHECKED}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a file or folder")
    parser.add_argument("--from", dest="start", metavar="NIC", required=True, help="the NIC port that sends, as HOST/PORT")
    parser.add_argument("--to", dest="end", metavar="NIC", required=True, help="the NIC port that receives, as HOST/PORT")
    parser.add_argument("--class", dest="class_name", metavar="CLASS", help="only this class of the plan")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to report (text)")
    planning(parser)


def run(options: Namespace) -> int:
    given = joined([options.path], Options(intent=options.intent, profile=options.profile))
    result = verdict(given, Options(intent=options.intent, profile=options.profile))
    found = traced(given.reach, given.fabric.links, result.findings, _port(options.start), _port(options.end), options.class_name)
    if options.format == "json":
        from json import dumps

        print(dumps(_json(found), indent=2))
    else:
        print("\n".join(_text(found)))
    return STATUS[found.verdict]


def _port(text: str) -> PortName:
    device, slash, port = text.partition("/")
    if not slash or not device or not port:
        raise RoceLintError(f"HOST/PORT expected, not {text!r}")
    return PortName(device, port)


def _text(found: Traced) -> Iterator[str]:
    yield "shortest paths over known links; routing was not read"
    for title, ways in ((f"{found.start} -> {found.end}", found.there), (f"{found.end} -> {found.start}", found.back)):
        for way in ways:
            yield ""
            yield from _way(title, way)
    yield ""
    yield f"verdict: {found.verdict}"


def _way(title: str, way: Way) -> Iterator[str]:
    paths = f"{way.paths} equal paths" if way.paths > 1 else "one path"
    yield f"{way.class_name} ({way.mark}): {title}, {paths}: {way.verdict}"
    for number, hop in enumerate(way.hops, 1):
        yield f"  hop {number}: {hop.sender} -> {hop.receiver}: {hop.verdict}"
        for end, numbers in ((hop.sender, hop.leaving), (hop.receiver, hop.entering)):
            yield f"    {end}"
            for each in numbers:
                yield f"      {each.words:<24} {_value(each)}"
        for finding in hop.findings:
            yield f"    {header(finding)}"
            yield f"      {printable(finding.message)}"
            if finding.waiver is not None:
                yield f"      waived: {printable(finding.waiver)}"
    first = way.first_broken
    if first is not None:
        yield f"  first broken hop: {first.sender} -> {first.receiver}"


def _value(number: Number) -> str:
    if number.missing:
        return f"unknown: {', '.join(number.missing)} not stated"
    places = dict.fromkeys(line.place for cite in number.cites for line in cite.fact.lines)
    more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
    return f"{shown(number.value):<12} {', '.join(list(places)[:MOST_PLACES])}{more}".rstrip()


def _json(found: Traced) -> dict[str, object]:
    ways = [("there", way) for way in found.there] + [("back", way) for way in found.back]
    return {
        "version": 1,
        "from": str(found.start),
        "to": str(found.end),
        "verdict": found.verdict,
        "ways": [
            {
                "direction": direction,
                "class": way.class_name,
                "mark": way.mark,
                "paths": way.paths,
                "verdict": way.verdict,
                "first_broken": None if way.first_broken is None else _name(way.first_broken),
                "hops": [_hop(hop) for hop in way.hops],
            }
            for direction, way in ways
        ],
    }


def _name(hop: Hop) -> dict[str, str]:
    return {"from": str(hop.sender), "to": str(hop.receiver)}


def _hop(hop: Hop) -> dict[str, object]:
    return {
        **_name(hop),
        "verdict": hop.verdict,
        "leaving": [_number(number) for number in hop.leaving],
        "entering": [_number(number) for number in hop.entering],
        "findings": [
            {"rule": each.rule, "fingerprint": each.fingerprint, "status": each.status, "message": each.message} for each in hop.findings
        ],
    }


def _number(number: Number) -> dict[str, object]:
    return {
        "name": number.name,
        "value": plain(number.value),
        "missing": list(number.missing),
        "cites": [_cite(cite) for cite in number.cites],
    }


def _cite(cite: Cite) -> dict[str, object]:
    first = cite.fact.lines[0]
    return {
        "device": cite.device,
        "port": cite.port,
        "path": cite.raw,
        "value": plain(cite.fact.value),
        "basis": cite.fact.basis,
        "document": first.document.path,
        "line": first.number,
        "text": first.text,
    }
