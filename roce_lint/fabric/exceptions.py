"""The exceptions of an intent as waivers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from roce_lint.fabric.layers import Layer
from roce_lint.fabric.selectors import Match
from roce_lint.fabric.unmatched import worded
from roce_lint.model.plan import Waiver

if TYPE_CHECKING:
    from roce_lint.model.intent import Selector


def waivers(layer: Layer) -> Iterator[Waiver]:
    """The exceptions of a file in their order."""
    for number, part in enumerate(layer.intent.exceptions or ()):
        yield Waiver(
            rule=layer.fact(part.rule, "exceptions", number, "rule"),  # type: ignore[arg-type]
            match=_match(part.where),
            where=part.where if part.where is None or isinstance(part.where, str) else worded(_match(part.where)),
            reason=part.reason,
            owner=part.owner,
            expires=part.expires,
        )


def _match(where: str | Selector | None) -> Match:
    """What `DEVICE`, `DEVICE/PORT` or a selector takes."""
    if where is None:
        return {}
    if not isinstance(where, str):
        return where.model_dump(exclude_none=True)
    device, _, port = where.partition("/")
    return {"device": [device], **({"port": [port]} if port else {})}
