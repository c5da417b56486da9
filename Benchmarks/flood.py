"""What a message costs when they come as fast as the broker hands them on."""

from __future__ import annotations

import traffic
from benchmark import Benchmark
from home import SCRIPT, SUBSCRIBER, Home
from processes import ChildProcess
from report import Row, compared

#: Messages before the measured ones.
WARM_UP = 1_000


def measure(benchmark: Benchmark) -> list[Row]:
    """A row for each kind of message, and one for the script."""
    kinds = {"JSON": traffic.json_messages(), "plain": traffic.plain_messages()}
    count = benchmark.messages(200_000)
    rows = []
    for kind, packets in kinds.items():
        ours, subscriber = [], []
        for _ in benchmark.rounds(f"flood, {kind}"):
            ours.append(_bridge(benchmark, packets, count))
            subscriber.append(_subscriber(benchmark, packets, count))
        rows.append(compared(f"CPU a message, flooded, {kind}", "µs", ours, SUBSCRIBER, subscriber, ratio_at_most=1.0))
    packets = traffic.mixed_messages()
    ours, script = [], []
    for _ in benchmark.rounds("flood, beside the script", at_most=2):
        ours.append(_bridge(benchmark, packets, count // 10))
        script.append(_bridge(benchmark, packets, count // 10, script=True))
    rows.append(compared("CPU a message, flooded, mixed", "µs", ours, SCRIPT, script))
    return rows


def bridge_cost(home: Home, process: ChildProcess, packets: list[bytes], count: int, *, fenced: bool = True) -> float:
    """CPU time that `count` messages cost a bridge that is up, in µs a message.

    A fence shows that all have arrived, as a connection keeps the order and the broker drops nothing. Where many
    widgets would keep the fence waiting, since a bridge limits its requests, the process's rest shows it instead.
    """

    def wait() -> None:
        if fenced:
            home.raise_fence()
        else:
            process.wait_for_rest(span=0.1)

    home.publisher.send(traffic.stream(packets, WARM_UP))
    home.publisher.flush()
    wait()
    before = process.cpu_time
    home.publisher.send(traffic.stream(packets, count))
    home.publisher.flush()
    wait()
    return (process.cpu_time - before) / 1000 / count


def subscriber_cost(home: Home, packets: list[bytes], count: int, topics: list[str] = traffic.TOPICS) -> float:
    """CPU time that `count` messages cost mosquitto_sub, in µs a message."""
    process = home.start_subscriber(WARM_UP + count, topics)
    home.publisher.send(traffic.stream(packets, WARM_UP))
    home.publisher.flush()
    process.wait_for_rest()
    before = process.cpu_time
    home.publisher.send(traffic.stream(packets, count))
    home.publisher.flush()
    # It ends when it has printed them all.
    process.wait_for_end(120)
    return (process.cpu_time - before) / 1000 / count


def _bridge(benchmark: Benchmark, packets: list[bytes], count: int, *, script: bool = False) -> float:
    with benchmark.home() as home:
        process = home.start_script() if script else home.start_flowbridge()
        home.raise_fence()
        return bridge_cost(home, process, packets, count)


def _subscriber(benchmark: Benchmark, packets: list[bytes], count: int) -> float:
    with benchmark.home() as home:
        return subscriber_cost(home, packets, count)
