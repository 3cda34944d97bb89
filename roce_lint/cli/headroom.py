"""`roce-lint headroom`: what a lossless group must hold after it has sent a pause, term by term."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from roce_lint.checks.headroom import PAUSE_QUANTA, Terms, ieee, physical
from roce_lint.errors import RoceLintError
from roce_lint.platforms import PLATFORMS

MTUS = (256, 512, 1024, 2048, 4096)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--speed", metavar="SPEED", required=True, help="such as 400G")
    parser.add_argument("--cable", metavar="METRES", required=True, type=float, help="the length of the cable")
    parser.add_argument("--mtu", metavar="BYTES", type=int, default=9216, help="the largest frame of the port (9216)")
    parser.add_argument("--rdma-mtu", metavar="BYTES", type=int, default=4096, choices=MTUS, help="the RDMA path MTU (4096)")


def run(options: Namespace) -> int:
    speed = _speed(options.speed)
    if options.cable < 0 or options.mtu < 64:
        raise RoceLintError("a cable of 0 m or more and a frame of 64 bytes or more expected")
    print(f"speed {speed // 1_000_000_000}G, cable {options.cable:g} m, port MTU {options.mtu}, RDMA MTU {options.rdma_mtu}")
    for line in _floors(speed, options):
        print(line)
    return 0


def _floors(speed: int, options: Namespace) -> Iterator[str]:
    yield from _floor("physical floor: below it, overflow is certain", physical(speed, options.cable, options.rdma_mtu))
    terms = ieee(speed, options.cable, options.mtu, options.rdma_mtu)
    if terms is None:
        known = ", ".join(f"{each}G" for each in PAUSE_QUANTA)
        yield f"IEEE 802.3 floor: its table of pause responses lists {known}, not this speed"
    else:
        yield from _floor("IEEE 802.3 floor: with the slowest lawful answer of the peer", terms)
    for row in PLATFORMS:
        if row.receive_buffer is not None:
            needed = row.receive_buffer(speed, int(options.cable), options.mtu)
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
    match = re.fullmatch(r"(\d+)\s*([GgMm]?)(?:b(?:it)?/?s)?", text.strip())
    if match is None or int(match[1]) == 0:
        raise RoceLintError(f"a speed such as 400G expected, not {text!r}")
    return int(match[1]) * {"g": 1_000_000_000, "m": 1_000_000, "": 1}[match[2].lower()]
