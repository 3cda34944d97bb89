"""`roce-lint profiles [NAME]`: the profiles that an intent can start from."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from roce_lint.errors import RoceLintError
from roce_lint.fabric.intentions import profiles
from roce_lint.lint.book import near
from roce_lint.text.userfile import read


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="print this profile; without it they are listed")


def run(options: Namespace) -> int:
    found = profiles()
    if options.name is None:
        width = max(map(len, found), default=0)
        for name, path in found.items():
            print(f"{name:<{width}}  {read(path).data.get('title') or ''}".rstrip())
    elif options.name in found:
        sys.stdout.write(found[options.name].read_text(encoding="utf-8"))
    else:
        known = ", ".join(found)
        raise RoceLintError(f"no profile {options.name!r}{near(options.name, found) or f'; one of {known} expected'}")
    return 0
