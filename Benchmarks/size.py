"""How large the program is."""

from __future__ import annotations

from pathlib import Path

from benchmark import Benchmark
from processes import CannotMeasure
from report import Row, absolute


def measure(benchmark: Benchmark) -> list[Row]:
    """Rows for the program as it is installed, as it is linked, and with the Swift runtime in libraries of its own."""
    products = benchmark.products
    files = {
        "size as installed, stripped": products.flowbridge,
        "size as linked": products.linked,
        "size with shared runtime, stripped": products.shared_stripped,
        "size with shared runtime, as linked": products.shared,
    }
    return [absolute(what, "kB", [_size(file) / 1000]) for what, file in files.items()]


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        raise CannotMeasure(f"{file.name} has not been built; see scripts/bench.") from None
