"""The headroom that a lossless group needs: what is still on its way when the pause frame leaves.

Pause response: IEEE 802.3 annex 31B.3.7, in quanta of 512 bit times; 800G, which the table does not list, takes the value of 400G.
Light travels 198,000,000 m/s in the cable. Both as in sonic-net/SONiC doc/qos/dynamically-headroom-calculation.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

METRES_A_SECOND = 198_000_000
QUANTUM_BYTES = 64
PAUSE_FRAME_BYTES = 64
ROCE_OVERHEAD_BYTES = 82  # Ethernet with tag 22, IPv6 40, UDP 8, BTH 12; the invariant CRC rides in the tail of the 82
PAUSE_QUANTA: Mapping[int, int] = {
    10: 67,
    25: 80,
    40: 118,
    50: 147,
    100: 394,
    200: 453,
    400: 905,
    800: 905,
}


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a floor, in bytes: what is in the cable both ways, what the peer still sends, frames that have begun."""

    cable_bytes: int
    response_bytes: int
    own_frame_bytes: int
    peer_frame_bytes: int
    pause_frame_bytes: int

    @property
    def total_bytes(self) -> int:
        return self.cable_bytes + self.response_bytes + self.own_frame_bytes + self.peer_frame_bytes + self.pause_frame_bytes


def cable_bytes(speed_bps: int, length_m: float) -> int:
    """What a cable holds in both directions together: 2 L S / 8 v."""
    return round(2 * length_m * speed_bps / (8 * METRES_A_SECOND))


def pause_response_bytes(speed_bps: int) -> int | None:
    """What a peer may still send after it received a pause frame; None for a speed that the standard's table does not list."""
    quanta = PAUSE_QUANTA.get(speed_bps // 1_000_000_000)
    return None if quanta is None else quanta * QUANTUM_BYTES


def physical(speed_bps: int, length_m: float, rdma_mtu: int) -> Terms:
    """The floor below which overflow is certain: the cable, one frame at each end and the pause frame."""
    frame = rdma_mtu + ROCE_OVERHEAD_BYTES
    return Terms(cable_bytes(speed_bps, length_m), 0, frame, frame, PAUSE_FRAME_BYTES)


def ieee(speed_bps: int, length_m: float, port_mtu: int, rdma_mtu: int) -> Terms | None:
    """The floor with the peer's slowest lawful answer, and a full frame of the port in front of the pause frame."""
    response = pause_response_bytes(speed_bps)
    if response is None:
        return None
    return Terms(cable_bytes(speed_bps, length_m), response, port_mtu, rdma_mtu + ROCE_OVERHEAD_BYTES, PAUSE_FRAME_BYTES)
