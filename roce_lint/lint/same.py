"""Peers that should agree: who differs from most of the others, without a golden configuration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from roce_lint.lint.expr import Trace
from roce_lint.lint.scopes import Case

LEAST_PEERS = 3
LEAST_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Peer:
    """A subject with the value that its peers should share."""

    case: Case
    value: object
    trace: Trace


@dataclass(frozen=True, slots=True)
class Compared:
    """A peer, the usual value, how many peers have it, and whether this one agrees."""

    peer: Peer
    usual: object
    count: int
    total: int

    @property
    def agrees(self) -> bool:
        return self.peer.value == self.usual


def compared(peers: Sequence[Peer]) -> Iterator[Compared]:
    """Every peer of a group against the value that at least 60 % of at least three share; nothing where there is no such value."""
    if len(peers) < LEAST_PEERS:
        return
    usual, count = Counter(peer.value for peer in peers).most_common(1)[0]
    if count >= LEAST_SHARE * len(peers):
        for peer in peers:
            yield Compared(peer, usual, count, len(peers))
