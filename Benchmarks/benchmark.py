"""What all measurements share."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from fast_clock import FastClock
from home import Home, Products


@dataclass(frozen=True)
class Benchmark:
    """The programs to measure, and how thoroughly."""

    products: Products
    #: How often each comparison is made.
    round_count: int
    #: The part of the usual sizes and times that is measured, for a quick look.
    scale: float

    def home(self, clock: FastClock | None = None) -> Home:
        """A fresh home, whose service and whose program under test have a clock of their own if it is given."""
        return Home(self.products, clock)

    def messages(self, usual: int) -> int:
        """How many messages to send instead of the usual number."""
        return max(int(usual * self.scale), 1_000)

    def seconds(self, usual: float) -> float:
        """How long to measure instead of the usual time, in s."""
        return max(usual * self.scale, 1)

    def rounds(self, what: str, at_most: int | None = None) -> Iterator[int]:
        """Numbers the rounds of a comparison, and tells whoever waits."""
        count = min(self.round_count, at_most or self.round_count)
        for number in range(1, count + 1):
            begin = time.monotonic()
            yield number
            print(f"{what}: round {number} of {count}, {time.monotonic() - begin:.1f} s", file=sys.stderr)
