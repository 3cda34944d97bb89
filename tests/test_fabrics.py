"""The fabrics: small whole inputs, each with its verdict and its whole output."""

from __future__ import annotations

from pathlib import Path

import pytest
from verdicts import faults

from roce_lint.judge import judged
from roce_lint.report import FORMATS
from roce_lint.text.userfile import read

FOLDER = Path(__file__).parent.parent / "fixtures" / "fabrics"
FABRICS = sorted(path for path in FOLDER.iterdir() if path.is_dir())


@pytest.mark.parametrize("fabric", FABRICS, ids=lambda path: path.name)
def test_a_fabric_gives_its_verdict(fabric: Path) -> None:
    assert list(faults(judged([str(fabric)]), read(fabric / ".expected" / "verdict.yaml").data)) == []


@pytest.mark.parametrize("name", ["text", "json"])
@pytest.mark.parametrize("fabric", FABRICS, ids=lambda path: path.name)
def test_a_fabric_gives_its_whole_output(fabric: Path, name: str, update: bool) -> None:
    output = FORMATS[name](judged([str(fabric)]), True)
    golden = fabric / ".expected" / {"text": "report.txt", "json": "report.json"}[name]
    if update:
        golden.write_text(output)
    assert output == golden.read_text()
