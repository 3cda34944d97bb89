"""`roce-lint demo`: the shipped fabric, checked."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from roce_lint.cli.options import judging, reported, settings
from roce_lint.judge import judged
from roce_lint.resources import folder


def arguments(parser: ArgumentParser) -> None:
    judging(parser)


def run(options: Namespace) -> int:
    return reported(judged([str(folder("demo"))], settings(options)), options)
