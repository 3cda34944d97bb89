"""The house: imports go down, vendors stay in their packages, a line ends at a line feed, a module has one subject."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from roce_lint.text import userfile

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "roce_lint"
LAYERS = (
    ("__main__",),
    ("cli",),
    ("schemas",),
    ("judge",),
    ("report",),
    ("audit", "drift", "trace", "fix", "history"),
    ("lint",),
    ("checks",),
    ("fabric",),
    ("collect",),
    ("platforms",),
    ("text",),
    ("model",),
    ("resources", "errors", "VERSION"),
)
DEPTH = {name: depth for depth, layer in enumerate(LAYERS) for name in layer}
GENERATED = {"roce_lint/lint/rulebook.py"}
LONGEST = 400
VENDORS = (
    "accton|amd|arcos|arista|aruba|azure|bluefield|bnxt|brcm|broadcom|celestica|chelsio|cisco|comware|connectx|cumulus|dell|edgecore|eos|"
    "force10|ftos|h3c|hpe|huawei|intel|ionic|irdma|juniper|junos|marvell|mellanox|mlnx|mlnxos|mlx|mlx4|mlx5|nccl|nexus|niccli|nicctl|nokia|"
    "nvidia|nvos|nvshmem|nvue|nx-os|nxos|onyx|os10|pensando|pollara|qlogic|rccl|sonic|spectrum|supermicro|tomahawk|trident|ucx"
)
VENDOR = re.compile(rf"(?<![A-Za-z0-9])(?:{VENDORS})(?![A-Za-z])", re.IGNORECASE)
LOGIC = ("when", "expect", "same", "across", "check", "params")
MODULES = sorted(PACKAGE.rglob("*.py"))


def module(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def layer(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Every module of ours that a module imports, anywhere in it, with the line."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module(path)}:{node.lineno}: a whole name expected in an import"
            if node.module == "roce_lint":
                yield from ((node.lineno, f"roce_lint.{each.name}") for each in node.names)
            elif node.module and node.module.startswith("roce_lint."):
                yield node.lineno, node.module
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, each.name) for each in node.names if each.name.startswith("roce_lint."))


def words(path: Path) -> Iterator[tuple[int, str]]:
    """The names and texts of a module with their lines: not its remarks, not what it says of itself."""
    text = path.read_text()
    told = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            told |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.NAME, tokenize.STRING) and token.start[0] not in told:
            yield token.start[0], token.string


def test_every_module_has_a_layer() -> None:
    assert {layer(path) for path in MODULES} - {"__init__"} <= set(DEPTH)


@pytest.mark.parametrize("path", MODULES, ids=module)
def test_imports_go_down(path: Path) -> None:
    own = DEPTH.get(layer(path), -1)
    wrong = [f"{module(path)}:{line}: {name}" for line, name in imported(path) if not _below(path, name, own)]
    assert wrong == []


def _below(path: Path, name: str, own: int) -> bool:
    parts = name.split(".")
    if DEPTH[parts[1]] != own or parts[1] == layer(path) != "platforms":
        return DEPTH[parts[1]] >= own
    inside = path.relative_to(PACKAGE).parts
    if layer(path) != "platforms":
        return False
    return len(inside) == 2 or parts[2:3] == ["platform"] or parts[2:3] == [inside[1]]


@pytest.mark.parametrize("path", MODULES, ids=module)
def test_a_module_has_one_subject(path: Path) -> None:
    if module(path) not in GENERATED:
        assert len(path.read_text().split("\n")) - 1 <= LONGEST
        assert ast.get_docstring(ast.parse(path.read_text())), "a docstring expected"


@pytest.mark.parametrize("path", MODULES, ids=module)
def test_a_line_ends_at_a_line_feed(path: Path) -> None:
    assert [line for line, word in words(path) if word == "splitlines"] == []


@pytest.mark.parametrize("path", [each for each in MODULES if layer(each) != "platforms" and module(each) not in GENERATED], ids=module)
def test_a_vendor_s_words_stay_in_its_package(path: Path) -> None:
    assert [f"{module(path)}:{line}: {word[:80]}" for line, word in words(path) if VENDOR.search(word)] == []


def test_rules_decide_nothing_by_a_vendor_s_words() -> None:
    wrong = []
    for path in sorted((ROOT / "rules").rglob("*.yaml")):
        data = userfile.read(path).data
        severities = data.get("severity") if isinstance(data.get("severity"), list) else []
        logic = [*(data.get(key) for key in LOGIC), *(each.get("when") for each in severities if isinstance(each, dict))]
        if "profiles" not in path.parts and VENDOR.search(" ".join(map(str, logic))):
            wrong.append(path.name)
    assert wrong == []
