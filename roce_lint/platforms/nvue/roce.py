"""What `nv set qos roce` stands for: one line that sets trust, maps, scheduling, ECN, PFC and pools of the whole switch.

Tables: CumulusNetworks/docs RDMA-over-Converged-Ethernet-RoCE, Cumulus Linux 5.0 to 5.14, and `nv show qos roce` of each mode. The docs'
1501500 bytes are 1500000 in the output.
"""

from __future__ import annotations

from dataclasses import dataclass

KMIN_BYTES, KMAX_BYTES, PROBABILITY = 150_000, 1_500_000, 1.0
CABLE_M = 100


@dataclass(frozen=True, slots=True)
class Mode:
    """The expansion of one mode. Shares in percent; `trimmed` ECN of lossy-multi-tc in bytes."""

    pfc: frozenset[int]
    ecn: frozenset[int]
    queues: tuple[int, ...]
    shares: tuple[tuple[int, float], ...]
    strict: frozenset[int]
    kmin_bytes: int = KMIN_BYTES
    kmax_bytes: int = KMAX_BYTES
    probability: float = PROBABILITY
    dscp: tuple[int, ...] = tuple(dscp >> 3 for dscp in range(64))


_ROCE_QUEUES = (0, 0, 0, 3, 0, 0, 6, 0)
_ROCE_SHARES = ((0, 50.0), (3, 50.0))
LOSSLESS = Mode(frozenset({3}), frozenset({0, 3}), _ROCE_QUEUES, _ROCE_SHARES, frozenset({6}))
LOSSY = Mode(frozenset(), frozenset({0, 3}), _ROCE_QUEUES, _ROCE_SHARES, frozenset({6}))


def _multi(dscp: int) -> int:
    return (dscp + 1) // 2 if 1 <= dscp <= 6 else 4 if 11 <= dscp <= 40 else 0


MULTI = Mode(
    frozenset(),
    frozenset({1, 2, 3}),
    tuple(range(8)),
    tuple(enumerate((4.0, 8.0, 18.0, 22.0, 22.0, 22.0, 4.0))),
    frozenset(),
    163_000,
    234_000,
    0.05,
    tuple(_multi(dscp) for dscp in range(64)),
)
MODES = {"lossless": LOSSLESS, "lossless-single-ipool": LOSSLESS, "lossy": LOSSY, "lossy-multi-tc": MULTI}
