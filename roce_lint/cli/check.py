"""`roce-lint check PATH...`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from roce_lint.cli.options import judging, reported, settings
from roce_lint.judge import judged


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="+", help="a file or folder: configurations, command outputs, bundles, transcripts")
    judging(parser)


def run(options: Namespace) -> int:
    return reported(judged(options.paths, settings(options)), options)
