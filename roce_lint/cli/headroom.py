"""`roce-lint headroom`: what a lossless group must hold after it has sent a pause, term by term."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from roce_lint.checks.headroom import PAUSE_QUANTA, Terms, ieee, physical
from roce_lint.errors import RoceLintError
from roce_lint.model.bounds import FASTEST_BPS, LARGEST_MTU, LONGEST_CABLE_M, SLOWEST_BPS
from roce_lint.platforms import PLATFORMS
from roce_lint.text.numbers import real, whole

MTUS = ("256", "512", "1024", "2048", "4096")
SMALLEST_FRAME = 64
UNITS = {"g": 1_000_000_000, "m": 1_000_000, "": 1}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--speed", metavar="SPEED", required=True, help="such as 400G")
    parser.add_argument("--cable", metavar="METRES", required=True, help="the length of the cable")
    parser.add_argument("--mtu", metavar="BYTES", default="9216", help="the largest frame of the port (9216)")
    parser.add_argument("--rdma-mtu", metavar="BYTES", default="4096", choices=MTUS, help="the RDMA path MTU (4096)")


def run(options: Namespace) -> int:
    speed, cable, mtu, rdma_mtu = _speed(options.speed), _cable(options.cable), _mtu(options.mtu), int(options.rdma_mtu)
    print(f"speed {_named(speed)}, cable {cable:g} m, port MTU {mtu}, RDMA MTU {rdma_mtu}")
    for line in _floors(speed, cable, mtu, rdma_mtu):
        print(line)
    return 0


def _floors(speed: int, cable: float, mtu: int, rdma_mtu: int) -> Iterator[str]:
    yield from _floor("physical floor: below it, overflow is certain", physical(speed, cable, rdma_mtu))
    terms = ieee(speed, cable, mtu, rdma_mtu)
    if terms is None:
        known = ", ".join(f"{each}G" for each in PAUSE_QUANTA)
        yield f"IEEE 802.3 floor: its table of pause responses lists {known}, not this speed"
    else:
        yield from _floor("IEEE 802.3 floor: with the slowest lawful answer of the peer", terms)
    for row in PLATFORMS:
        if row.receive_buffer is not None:
            needed = row.receive_buffer(speed, int(cable), mtu)
            yield f"receive buffer that the {row.name} driver asks for: {needed:,} bytes"


def _floor(title: str, terms: Terms) -> Iterator[str]:
    yield f"{title}: {terms.total_bytes:,} bytes"
    for size, words in (
        (terms.cable_bytes, "in the cable, both ways"),
        (terms.response_bytes, "sent by the peer before it answers"),
        (terms.own_frame_bytes, "a frame of ours before the pause frame leaves"),
        (terms.peer_frame_bytes, "a frame that the peer has begun"),
        (terms.pause_frame_bytes, "the pause frame"),
    ):
        if size:
            yield f"  {size:>10,}  {words}"


def _speed(text: str) -> int:
    """A speed in bit/s from 400G, 400000M or 400000000000. Raises RoceLintError."""
    match = re.fullmatch(r"([0-9]{1,20})\s*([GgMm]?)(?:b(?:it)?/?s)?", text.strip())
    speed = 0 if match is None else int(match[1]) * UNITS[match[2].lower()]
    if not SLOWEST_BPS <= speed <= FASTEST_BPS:
        raise RoceLintError(f"--speed: a speed from 1M to 10000G expected, such as 400G, not {text!r}")
    return speed


def _cable(text: str) -> float:
    metres = real(text)
    if metres is None or metres > LONGEST_CABLE_M:
        raise RoceLintError(f"--cable: metres from 0 to {LONGEST_CABLE_M} expected, not {text!r}")
    return metres


def _mtu(text: str) -> int:
    frame = whole(text)
    if frame is None or not SMALLEST_FRAME <= frame <= LARGEST_MTU:
        raise RoceLintError(f"--mtu: bytes from {SMALLEST_FRAME} to {LARGEST_MTU} expected, not {text!r}")
    return frame


def _named(speed: int) -> str:
    """A speed in the largest unit that gives a whole number."""
    return f"{speed // 10**9}G" if speed % 10**9 == 0 else f"{speed // 10**6}M" if speed % 10**6 == 0 else f"{speed} bit/s"
