"""What ships with the package beside its code: the rules, the schemas and the demo fabric."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

Resource = Literal["rules", "schemas", "demo"]
_IN_SOURCE = {"rules": "rules", "schemas": "schemas", "demo": "fixtures/fabrics/two-racks"}


def folder(name: Resource) -> Path:
    """Where a resource lies: beside the code in an installed wheel, at the top of a source tree otherwise."""
    here = Path(__file__).parent
    packed = here / "data" / name
    return packed if packed.is_dir() else here.parent / _IN_SOURCE[name]
