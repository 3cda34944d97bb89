"""Measures against the project's targets, each beside its floor in one run: `python tests/bench/measure.py [cold|read|fabric]`."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import fabric  # noqa: E402

RUNS = 9
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}  # as an installed package is
FLOOR = """
from pydantic import BaseModel
for number in range(30):
    type(f"Model{number}", (BaseModel,), {"__annotations__": {f"field{index}": int for index in range(8)}})
"""
JUDGE = """
import gc, resource, sys, time
from roce_lint.cli.main import RARELY
gc.set_threshold(*RARELY)
from roce_lint.judge import judged
begun = time.perf_counter()
result = judged([sys.argv[1]])
print(time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, len(result.findings), result.counts.held,
      sum(len(each.subjects) for each in result.findings))
"""


def seconds(command: list[str], runs: int = RUNS) -> list[float]:
    """Wall times of a command, after one that does not count."""
    times = []
    for _ in range(runs + 1):
        begun = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, env=COMPILED)
        times.append(time.perf_counter() - begun)
    return times[1:]


def cold(place: Path) -> None:
    """One changed 64-port configuration with an intent, in a new process, beside a bare interpreter with pydantic and 30 models."""
    ports = [f"Ethernet{index * 8}" for index in range(64)]
    (place / "leaf").mkdir()
    (place / "leaf/config_db.json").write_text(fabric.switch("leaf000", ports, {}))
    (place / "leaf/roce-lint.yaml").write_text(fabric.INTENT)
    check = [sys.executable, "-m", "roce_lint", "check", str(place / "leaf/config_db.json")]
    floor = [sys.executable, "-c", FLOOR]
    pairs = [(seconds(check, 1)[0], seconds(floor, 1)[0]) for _ in range(RUNS)]
    ratio = statistics.median(mine / bare for mine, bare in pairs)
    mine, bare = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(f"cold check of one 64-port configuration: {mine * 1000:.0f} ms, floor {bare * 1000:.0f} ms, ratio {ratio:.2f} (target 1.50)")


def read(place: Path) -> None:
    """Devices a second from raw text, warm, one core: three hosts to one switch."""
    import gc

    from roce_lint.cli.main import RARELY
    from roce_lint.collect.files import documents
    from roce_lint.collect.read import grouped
    from roce_lint.collect.read import read as read_documents
    from roce_lint.fabric.assemble import assembled

    gc.set_threshold(*RARELY)
    fabric.write(place / "mix", hosts=48, nics=8, leaves=14, spines=2)

    def once() -> int:
        found, unread = documents([str(place / "mix")])
        groups, left = grouped(found)
        return len(assembled(read_documents(groups), (), (*unread, *left)).devices)

    once()
    rates = []
    for _ in range(5):
        begun = time.perf_counter()
        devices = once()
        rates.append(devices / (time.perf_counter() - begun))
    print(f"reading and assembling {devices} devices: {statistics.median(rates):.0f} devices a second (target 80)")


def whole(place: Path) -> None:
    """Time and peak memory of a whole run at two sizes, clean and with one rule broken on every NIC link."""
    for broken in (False, True):
        for hosts, leaves, spines in ((128, 20, 4), (256, 40, 8)):
            folder = place / f"{hosts}-{broken}"
            fabric.write(folder, hosts=hosts, nics=8, leaves=leaves, spines=spines, broken=broken)
            out = subprocess.run([sys.executable, "-c", JUDGE, str(folder)], capture_output=True, text=True, check=True).stdout.split()
            words = "PFC off on every NIC" if broken else "clean"
            print(
                f"{hosts} hosts, {hosts * 8} NIC ports, {leaves + spines} switches, {words}: {float(out[0]):.1f} s, "
                f"{int(out[1]) / 1e6:.0f} MB, {out[2]} findings on {out[4]} subjects, {out[3]} judgements held"
            )


def main() -> None:
    wanted = sys.argv[1:] or ["cold", "read", "fabric"]
    with tempfile.TemporaryDirectory() as name:
        for word, measure in (("cold", cold), ("read", read), ("fabric", whole)):
            if word in wanted:
                measure(Path(name))
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"processor time of the child processes: {usage.ru_utime + usage.ru_stime:.1f} s")


if __name__ == "__main__":
    main()
