"""How far the numbers that people write go: beyond is a slip of the hand."""

from __future__ import annotations

LARGEST_BYTES = 64 * 1024**3  # more than the buffer of any switch
SLOWEST_BPS, FASTEST_BPS = 1_000_000, 10_000_000_000_000
SMALLEST_MTU, LARGEST_MTU = 576, 65_535  # RFC 791: what every host takes, and the longest packet
LONGEST_CABLE_M = 100_000  # 100 km, the reach of the longest pluggable optics
LONGEST_MS = 600_000
MOST_PORTS = 4096
LARGEST_ALPHA = 256  # 2 to the 8th: a dynamic threshold is a power of two from -8 to 8
LARGEST_VALUE = 2**63 - 1
