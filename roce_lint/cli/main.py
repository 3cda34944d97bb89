"""The entry of the command line: finds the command, runs it, turns what the user can put right into one line."""

from __future__ import annotations

import gc
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import NoReturn, Protocol

from roce_lint import VERSION
from roce_lint.errors import RoceLintError

RARELY = (100_000, 50, 50)  # records hold no cycles: looking for them as often as Python does costs a quarter of a large fabric's time
FINDINGS, WRONG, UNCHECKED, INTERRUPTED, CLOSED = 1, 2, 3, 130, 141


class Command(Protocol):
    """A module of this package. `run` prints the result and returns the exit status."""

    def arguments(self, parser: ArgumentParser) -> None: ...

    def run(self, options: Namespace) -> int: ...


COMMANDS: Mapping[str, str] = {
    "check": "find what breaks the lossless chain in configurations and command outputs",
    "trace": "walk a class from one NIC to another, hop by hop, with the line of every number",
    "show": "what is known of a device or a port, and where it is stated",
    "explain": "what a rule demands, why, and when it is no fault",
    "rules": "list the rules",
    "profiles": "list the profiles, or show one",
    "decode": "take a traffic-class byte apart",
    "headroom": "the headroom that a lossless group needs, with its terms",
    "init": "write an intent file to start from",
    "schema": "print the JSON schema of a file",
    "test-rules": "run the examples of rule files",
    "demo": "check a small fabric that ships with the tool",
}


class Parser(ArgumentParser):
    """An argument parser that raises what is wrong."""

    def error(self, message: str) -> NoReturn:
        raise RoceLintError(f"{message} ({self.prog} --help tells more)")


def main(argv: Sequence[str]) -> int:
    """Runs a command line, without the program's name, and returns the exit status."""
    try:
        return _run(list(argv))
    except RoceLintError as error:
        print(f"roce-lint: {error}", file=sys.stderr)
        return WRONG


def _run(argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(_help())
        return 0
    if argv[0] in ("-V", "--version", "version"):
        print(f"roce-lint {VERSION}")
        return 0
    name = argv[0]
    if name not in COMMANDS:
        raise RoceLintError(_unknown(name))
    command: Command = import_module(f"roce_lint.cli.{name.replace('-', '_')}")
    parser = Parser(prog=f"roce-lint {name}", description=COMMANDS[name], allow_abbrev=False)
    command.arguments(parser)
    try:
        options = parser.parse_args(argv[1:])
    except SystemExit as stop:
        return int(stop.code or 0)
    return command.run(options)


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, COMMANDS, n=1)
    if os.path.exists(name):
        return f"a command expected before {name!r}: roce-lint check {name}"
    return f"no command {name!r}" + (f"; did you mean {close[0]!r}?" if close else "; roce-lint --help lists them")


def _help() -> str:
    rows = "\n".join(f"  {name:<11} {text}" for name, text in COMMANDS.items())
    return f"""roce-lint {VERSION}: finds where a RoCEv2 fabric stops being lossless, and on which line

usage: roce-lint COMMAND ...

{rows}

Begin with one of these:
  roce-lint demo                  see it work on a small fabric with planted faults
  roce-lint check FOLDER          lint the configurations and command outputs in a folder
  roce-lint init FOLDER           write down what the fabric should be, as a file to edit
  roce-lint check --help          all options"""


def entry() -> NoReturn:
    """The console script: safe against a reader that closes the pipe."""
    gc.set_threshold(*RARELY)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = CLOSED
    except KeyboardInterrupt:
        status = INTERRUPTED
    gc.freeze()  # nothing that lives until the end is worth searching for cycles
    sys.exit(status)


if __name__ == "__main__":
    entry()
