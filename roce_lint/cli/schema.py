"""`roce-lint schema [NAME]`: the JSON schemas of the files that a user writes or reads."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from roce_lint.errors import RoceLintError
from roce_lint.lint.book import near
from roce_lint.resources import folder


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="which schema; without it they are listed")


def run(options: Namespace) -> int:
    files = {path.stem: path for path in sorted(folder("schemas").glob("*.json"))}
    if options.name is None:
        print("\n".join(files))
    elif options.name in files:
        sys.stdout.write(files[options.name].read_text(encoding="utf-8"))
    else:
        known = ", ".join(files)
        raise RoceLintError(f"no schema {options.name!r}{near(options.name, files) or f'; one of {known} expected'}")
    return 0
