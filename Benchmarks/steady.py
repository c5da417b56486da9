"""What a message costs at an everyday rate, and what waiting for one costs."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from itertools import cycle

import traffic
from benchmark import Benchmark
from home import SCRIPT, SUBSCRIBER, Home
from processes import ChildProcess
from report import Row, absolute, compared

#: Messages a second.
_RATE = 100


def measure(benchmark: Benchmark) -> list[Row]:
    """Rows for 100 messages a second, beside both peers."""
    ours, subscriber, script = [], [], []
    for _ in benchmark.rounds("100 messages/s"):
        ours.append(_window(benchmark, _flowbridge))
        subscriber.append(_window(benchmark, _subscriber))
        script.append(_window(benchmark, _script))
    return [
        compared(f"CPU a message, {_RATE} messages/s", "µs", ours, SUBSCRIBER, subscriber, ratio_at_most=1.2),
        compared(f"CPU a message, {_RATE} messages/s", "µs", ours, SCRIPT, script),
    ]


def measure_rest(benchmark: Benchmark) -> list[Row]:
    """Rows for a home in which nothing is published, all programs at the same time, each with a broker of its own."""
    seconds = benchmark.seconds(30)
    with ExitStack() as stack:
        processes = []
        for start in (_flowbridge, _subscriber, _script):
            processes.append(start(stack.enter_context(benchmark.home())))
        # Five seconds after its start flowbridge hands code back, once, which is no rest.
        time.sleep(6)
        before = [(process.wakeups, process.cpu_time) for process in processes]
        time.sleep(seconds)
        memories = [process.memory for process in processes]
        wakeups, microseconds = zip(
            *(
                ((process.wakeups - woken) / seconds, (process.cpu_time - used) / 1000 / seconds)
                for process, (woken, used) in zip(processes, before)
            )
        )
    return [
        absolute("wake-ups at rest", "/s", [wakeups[0]], at_most=2),
        compared("wake-ups at rest", "/s", [wakeups[0]], SCRIPT, [wakeups[2]]),
        compared("CPU at rest", "µs/s", [microseconds[0]], SUBSCRIBER, [microseconds[1]]),
        compared("CPU at rest", "µs/s", [microseconds[0]], SCRIPT, [microseconds[2]]),
        compared("memory at rest, resident", "kB", [memories[0].resident], SUBSCRIBER, [memories[1].resident]),
        compared("memory at rest, anonymous", "kB", [memories[0].anonymous], SUBSCRIBER, [memories[1].anonymous]),
    ]


def _window(benchmark: Benchmark, start: Callable[[Home], ChildProcess]) -> float:
    """CPU time of a program while messages come, in µs a message, with whatever else it does meanwhile."""
    with benchmark.home() as home:
        process = start(home)
        before = process.cpu_time
        count = home.publisher.pace(cycle(traffic.mixed_messages()), _RATE, benchmark.seconds(10))
        home.publisher.flush()
        process.wait_for_rest()
        return (process.cpu_time - before) / 1000 / count


def _flowbridge(home: Home) -> ChildProcess:
    return _settled(home, home.start_flowbridge())


def _script(home: Home) -> ChildProcess:
    return _settled(home, home.start_script())


def _settled(home: Home, process: ChildProcess) -> ChildProcess:
    """Waits until a bridge has shown the home for the first time."""
    home.raise_fence()
    home.publisher.send(b"".join(traffic.mixed_messages()[: len(traffic.TOPICS)]))
    home.wait_for_write("power", lambda content: "storage" in content["flow"])
    return process


def _subscriber(home: Home) -> ChildProcess:
    process = home.start_subscriber(None)
    home.publisher.send(b"".join(traffic.mixed_messages()[: len(traffic.TOPICS)]))
    home.publisher.flush()
    process.wait_for_rest()
    return process
