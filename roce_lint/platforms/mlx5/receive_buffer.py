"""The size that the mlx5 driver asks of a lossless receive buffer.

torvalds/linux drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c: xoff = (301 + 216 L / 100) S + 272 MTU / 100 with whole divisions,
S in Gb/s and at least 40, and one frame of at least 9216 bytes above it.
"""

from __future__ import annotations

LEAST_GBPS = 40
LEAST_MTU = 9216


def xoff_bytes(speed_bps: int, length_m: int, mtu: int) -> int:
    """What the driver keeps free below the top of the buffer."""
    speed = max(LEAST_GBPS, speed_bps // 1_000_000_000)
    return (301 + 216 * length_m // 100) * speed + 272 * mtu // 100


def needed_bytes(speed_bps: int, length_m: int, mtu: int) -> int:
    """The least size of a lossless buffer. What is not known may be given as 0 and makes the result a lower bound."""
    return xoff_bytes(speed_bps, length_m, mtu) + max(LEAST_MTU, mtu)
