"""What many readings, widgets and topics cost."""

from __future__ import annotations

import time

import traffic
from benchmark import Benchmark
from flood import bridge_cost, subscriber_cost
from home import SUBSCRIBER
from publisher import publish_packet
from report import Row, absolute, compared
from service import arrival

_READINGS = (10, 100, 1_000, 10_000)
#: With the home's and the fence, as many as the service holds.
_MOST_WIDGETS = 48
#: Retained topics below one wildcard or several, and how many of them a reading takes.
_RETAINED = 20_000
_MEMBERS = 1_000


def measure(benchmark: Benchmark) -> list[Row]:
    """Rows for exact topics, as a curve, for widgets, and for wildcards."""
    return [*_curve(benchmark), *_wildcards(benchmark), *_unmapped(benchmark)]


# --- Exact topics.


def _curve(benchmark: Benchmark) -> list[Row]:
    costs: dict[int, list[float]] = {count: [] for count in _READINGS}
    starts: dict[int, list[float]] = {count: [] for count in _READINGS}
    for _ in benchmark.rounds("readings", at_most=3):
        for count in _READINGS:
            cost, start = _exact(benchmark, count)
            costs[count].append(cost)
            starts[count].append(start)
    fewest, *_, more, most = _READINGS
    rows = [absolute(f"CPU a message, {_described(count)}", "µs", costs[count]) for count in _READINGS[:-1]]
    rows.append(
        compared(
            f"CPU a message, {_described(most)}",
            "µs",
            costs[most],
            _described(fewest),
            costs[fewest],
            ratio_at_most=1.2,
        )
    )
    rows += [absolute(f"start to first request, {_described(count)}", "s", starts[count]) for count in _READINGS[:-1]]
    rows.append(
        compared(
            f"start to first request, {_described(most)}",
            "s",
            starts[most],
            _described(more),
            starts[more],
            ratio_at_most=most / more,
        )
    )
    return rows


def _widgets(readings: int) -> int:
    return min(_MOST_WIDGETS, readings // 10)


def _described(readings: int) -> str:
    # The home's widget and the fence are always there.
    return f"{readings:,} readings, {_widgets(readings) + 2} widgets"


def _exact(benchmark: Benchmark, count: int) -> tuple[float, float]:
    """CPU time in µs a message over `count` topics, and the time in s from the start to the first request."""
    topics = [f"home/floor{index % 7}/sensor{index}/power" for index in range(count)]
    names = [f"r{index}" for index in range(count)]
    readings = {name: f"topic: {topic}, unit: W, path: /power" for name, topic in zip(names, topics)}
    widgets = _spread(names, _widgets(count))
    packets = [publish_packet(topic, b'{"power": %d}' % (100 + round)) for round in range(10) for topic in topics]
    with benchmark.home() as home:
        home.publish_fence()
        home.publisher.flush()
        begin = time.time()
        process = home.start_flowbridge(readings=readings, widgets=widgets)
        start = arrival(home.wait_for_fence()) - begin
        # Each topic is heard once before, and as many requests as may be sent in a minute are.
        home.publisher.send(traffic.stream(packets, count))
        home.publisher.flush()
        time.sleep(1)
        return bridge_cost(home, process, packets, benchmark.messages(100_000), fenced=False), start


def _spread(names: list[str], count: int) -> str:
    """Widgets that share the readings, in YAML."""
    lines = []
    for index in range(count):
        own = names[index::count]
        lines += [
            f"  widget{index}:",
            "    template: flow",
            f"    name: Widget {index}",
            "    push: { budget: unlimited }",
            f"    inputs: [{{ name: Sensors, rate: {{ sum: [{', '.join(own)}] }} }}]",
        ]
    return "\n".join(lines)


# --- Wildcards.


def _wildcards(benchmark: Benchmark) -> list[Row]:
    """Twenty readings with a wildcard, each with as many retained topics as it takes."""
    groups = _RETAINED // _MEMBERS
    names = [f"group{index}" for index in range(groups)]
    readings = {name: f"topic: {name}/+/power, unit: W, combine: sum" for name in names}
    widgets = _spread(names, groups)
    topics = [f"{names[index % groups]}/plug{index // groups}/power" for index in range(_RETAINED)]
    retained = [publish_packet(topic, b"12.5", retain=True) for topic in topics]
    packets = [publish_packet(topic, b"%d" % (100 + round)) for round in range(2) for topic in topics]
    seconds, empty, full, costs = [], [], [], []
    for _ in benchmark.rounds("wildcards", at_most=3):
        for payloads in ([], retained):
            with benchmark.home() as home:
                home.publisher.send(b"".join(payloads))
                home.publisher.flush()
                begin = time.time()
                process = home.start_flowbridge(readings=readings, widgets=widgets)
                home.broker.wait_for_subscription(f"{names[-1]}/+/power")
                home.publish_fence(retain=False)
                start = arrival(home.wait_for_fence()) - begin
                if payloads:
                    seconds.append(start)
                    full.append(process.memory.anonymous)
                    costs.append(bridge_cost(home, process, packets, benchmark.messages(50_000), fenced=False))
                else:
                    empty.append(process.memory.anonymous)
    return [
        absolute(f"start until {_RETAINED:,} retained topics are read", "s", seconds),
        compared(f"memory with {_RETAINED:,} topics of wildcards, anonymous", "kB", full, "no topic", empty),
        absolute(f"CPU a message, {_RETAINED:,} topics of wildcards", "µs", costs),
    ]


def _unmapped(benchmark: Benchmark) -> list[Row]:
    """Topics that a filter matches beyond what a reading takes: nobody wants them."""
    readings = {"plugs": "topic: plugs/+/power, unit: W, combine: sum"}
    members = [publish_packet(f"plugs/plug{index}/power", b"1") for index in range(_MEMBERS)]
    others = [publish_packet(f"plugs/other{index}/power", b"1") for index in range(_RETAINED)]
    count = benchmark.messages(100_000)
    ours, subscriber = [], []
    for _ in benchmark.rounds("unmapped topics", at_most=3):
        with benchmark.home() as home:
            process = home.start_flowbridge(readings=readings, widgets=_spread(["plugs"], 1))
            home.broker.wait_for_subscription("plugs/+/power")
            home.publisher.send(b"".join(members))
            home.raise_fence()
            ours.append(bridge_cost(home, process, others, count, fenced=False))
        with benchmark.home() as home:
            subscriber.append(subscriber_cost(home, others, count, ["plugs/+/power"]))
    return [compared("CPU a message that nobody mapped", "µs", ours, SUBSCRIBER, subscriber, ratio_at_most=1.0)]
