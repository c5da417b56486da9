"""Measures flowbridge beside its peers, and prints a table. `scripts/bench` builds what it needs and starts it."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from pathlib import Path

import flood
import instructions
import latency
import memory
import patches
import report
import scale
import size
import steady
from benchmark import Benchmark
from home import Products
from processes import HELPER_CPU, CannotMeasure

#: What can be measured, in this order.
MEASUREMENTS = {
    "flood": flood.measure,
    "steady": steady.measure,
    "rest": steady.measure_rest,
    "day": memory.measure_day,
    "reconnects": memory.measure_reconnects,
    "start": latency.measure_start,
    "burst": latency.measure_burst,
    "patches": patches.measure,
    "scale": scale.measure,
    "instructions": instructions.measure,
    "size": size.measure,
}


def main() -> int:
    """Measures what the command line names; the exit code is 0 whenever that could be measured."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--products", type=Path, required=True)
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--only", action="append", choices=list(MEASUREMENTS))
    options = parser.parse_args()
    benchmark = Benchmark(Products(options.products), options.rounds, options.scale)
    # The broker is on this CPU too, and the program under test alone on the other.
    os.sched_setaffinity(0, {HELPER_CPU})

    rows: list[report.Row] = []
    begin = time.monotonic()
    try:
        for name in options.only or MEASUREMENTS:
            rows += MEASUREMENTS[name](benchmark)
    except CannotMeasure as error:
        print(f"scripts/bench: {error}", file=sys.stderr)
        return 70
    finally:
        if rows:
            print(report.table(rows))
            report.save(rows, _circumstances(options, time.monotonic() - begin), options.json)
    return 0


def _circumstances(options: argparse.Namespace, seconds: float) -> dict[str, object]:
    """On what, and how, the figures were measured."""
    return {
        "system": platform.platform(),
        "cpus": len(os.sched_getaffinity(os.getppid())),
        "load": os.getloadavg()[0],
        "rounds": options.rounds,
        "scale": options.scale,
        "seconds": round(seconds),
    }


if __name__ == "__main__":
    sys.exit(main())
