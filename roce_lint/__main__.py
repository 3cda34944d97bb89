"""`python -m roce_lint`."""

from roce_lint.cli.main import entry

entry()
