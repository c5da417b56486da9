"""Child processes on a CPU of their own, and what they cost."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeVar

T = TypeVar("T")

_CPUS = sorted(os.sched_getaffinity(0))
#: Where the broker, the service and the publisher run.
HELPER_CPU = _CPUS[0]
#: Where the program under test runs, alone if the machine has a second CPU.
TESTED_CPU = _CPUS[-1]

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


class CannotMeasure(Exception):
    """Something that a measurement stands on has failed. The text is a sentence."""


@dataclass(frozen=True)
class Memory:
    """What a process holds in memory, in kB."""

    #: All its pages that are in memory, also those of libraries that it shares.
    resident: int
    #: Its own pages that no file backs.
    anonymous: int


class ChildProcess:
    """A program that runs until this is closed, and never longer than the benchmark itself."""

    def __init__(
        self,
        arguments: Sequence[str | os.PathLike[str]],
        *,
        cpu: int,
        stdout: IO[bytes] | int = subprocess.DEVNULL,
        stderr: IO[bytes] | int = subprocess.DEVNULL,
        environment: dict[str, str] | None = None,
    ) -> None:
        def prepare() -> None:
            # Nothing is left over, even if the benchmark is killed.
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            os.sched_setaffinity(0, {cpu})

        self.name = Path(arguments[0]).name
        self._process = subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env=os.environ | (environment or {}),
            preexec_fn=prepare,
        )
        self.pid = self._process.pid
        # clock_getcpuclockid(3): the CPU time of a whole process, also of its threads that have ended.
        self._clock = (~self.pid << 3) | 2

    @property
    def is_running(self) -> bool:
        """Whether it has not ended yet. An ended one is not waited for, so that its clock can still be read."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    @property
    def cpu_time(self) -> int:
        """The CPU time that it has used so far, in ns."""
        return time.clock_gettime_ns(self._clock)

    @property
    def memory(self) -> Memory:
        """What it holds in memory now."""
        table = _table(Path(f"/proc/{self.pid}/smaps_rollup"))
        return Memory(resident=table["Rss"], anonymous=table["Anonymous"])

    @property
    def wakeups(self) -> int:
        """How often one of its threads has waited so far."""
        return sum(
            _table(task / "status")["voluntary_ctxt_switches"] for task in Path(f"/proc/{self.pid}/task").iterdir()
        )

    def wait_for_end(self, timeout: float) -> None:
        """Waits up to `timeout` s until it has ended by itself."""
        wait_until(lambda: not self.is_running, timeout, f"the end of {self.name}")

    def wait_for_rest(self, span: float = 0.05, timeout: float = 60) -> None:
        """Waits until it uses no CPU for `span` s."""
        seen = -1

        def rests() -> bool:
            nonlocal seen
            before, seen = seen, self.cpu_time
            return before == seen

        wait_until(rests, timeout, f"the rest of {self.name}", every=span)

    def send(self, number: signal.Signals) -> None:
        """Sends it a signal."""
        self._process.send_signal(number)

    def close(self) -> None:
        """Ends it, kindly for two seconds."""
        self._process.terminate()
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> ChildProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def wait_until(look: Callable[[], T], timeout: float, what: str, every: float = 0.01) -> T:
    """Looks every `every` s, up to `timeout` s, until it sees something true, and returns that."""
    until = time.monotonic() + timeout
    while not (seen := look()):
        if time.monotonic() > until:
            raise CannotMeasure(f"Waiting for {what} has taken more than {timeout:g} s.")
        time.sleep(every)
    return seen


def _table(path: Path) -> dict[str, int]:
    """The numbers of a file of /proc that has lines like `Rss:  1780 kB`."""
    table = {}
    for line in path.read_text().splitlines():
        name, _, rest = line.partition(":")
        if (first := rest.split()[:1]) and first[0].isdigit():
            table[name] = int(first[0])
    return table
