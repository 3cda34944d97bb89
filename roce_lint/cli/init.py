"""`roce-lint init PATH`: what the devices seem to want, as an intent file to edit."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from roce_lint.cli.main import UNCHECKED
from roce_lint.errors import RoceLintError
from roce_lint.fabric.assemble import collected
from roce_lint.fabric.draft import draft
from roce_lint.fabric.hops import in_scope
from roce_lint.fabric.intentions import FILE_NAME, intended
from roce_lint.fabric.plan import declared, inferred


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a file or folder: configurations, command outputs, bundles, transcripts")
    parser.add_argument("--profile", metavar="NAME", help="start from this profile")
    parser.add_argument("--output", metavar="FILE", help=f"where to write, - for standard output ({FILE_NAME} in PATH)")
    parser.add_argument("--force", action="store_true", help="replace a file that is there")


def run(options: Namespace) -> int:
    intent = intended(None, options.profile)  # an intent that is there already is what the file may replace
    fabric = collected([options.path])
    if not fabric.devices:
        print(f"roce-lint: {options.path}: nothing recognised, so there is nothing to write down", file=sys.stderr)
        return UNCHECKED
    plan = intent.plan
    if options.profile is None:
        inside = in_scope(fabric.devices, fabric.by_port, declared(intent))
        plan = inferred([(view.device, view.port) for view in inside.values()], fabric.devices.values())
    text = draft(plan)
    if options.output == "-":
        sys.stdout.write(text)
        return 0
    path = Path(options.output) if options.output else _beside(Path(options.path))
    if path.exists() and not options.force:
        raise RoceLintError("a file is there; --force replaces it, --output FILE writes elsewhere", str(path))
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise RoceLintError(f"cannot be written: {error.strerror or error}", str(path)) from None
    print(f"wrote {path}; edit it, then: roce-lint check {options.path}")
    return 0


def _beside(path: Path) -> Path:
    return (path if path.is_dir() else path.parent) / FILE_NAME
