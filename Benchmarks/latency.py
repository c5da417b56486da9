"""How soon the phone is right: after a start, and after a burst."""

from __future__ import annotations

import time

import traffic
from benchmark import Benchmark
from configurations import EAGER
from home import SCRIPT, Home
from publisher import publish_packet
from report import Row, compared
from service import arrival

#: What is looked for: no other message has it.
_LAST = -777


def measure_start(benchmark: Benchmark) -> list[Row]:
    """Rows for a start with everything retained, and for the last reading that a frame needs."""
    firsts: dict[bool, list[float]] = {False: [], True: []}
    wholes: dict[bool, list[float]] = {False: [], True: []}
    nexts: dict[bool, list[float]] = {False: [], True: []}
    for _ in benchmark.rounds("start"):
        for script in (False, True):
            first, whole = _start(benchmark, script)
            firsts[script].append(first)
            wholes[script].append(whole)
            nexts[script].append(_next_reading(benchmark, script))
    return [
        compared("start to first request, settle 0", "s", firsts[False], SCRIPT, firsts[True], at_most=0.1),
        compared("start to the whole frame, settle 0", "s", wholes[False], SCRIPT, wholes[True]),
        compared("last reading needed to its request, settle 0", "s", nexts[False], SCRIPT, nexts[True], at_most=0.1),
    ]


def measure_burst(benchmark: Benchmark) -> list[Row]:
    """A row for the newest value after 20,000 messages, with an interval of a second."""
    latencies: dict[bool, list[float]] = {False: [], True: []}
    for _ in benchmark.rounds("burst"):
        for script in (False, True):
            latencies[script].append(_burst(benchmark, script))
    return [
        compared("newest value after a burst of 20,000", "s", latencies[False], SCRIPT, latencies[True], at_most=1.0)
    ]


def _start(benchmark: Benchmark, script: bool) -> tuple[float, float]:
    """From the start of the process to the home's first write and to the first with all of it, in s.

    All readings are retained. A bridge that must not wait sends what it knows: where the broker hands them over in two
    parts, the first write has only the first of them, and the rest follows after the interval of a second.
    """
    with benchmark.home() as home:
        for topic, payload in _home():
            home.publisher.publish(topic, payload, retain=True)
        home.publisher.flush()
        begin = time.time()
        _run(home, script)
        whole = home.wait_for_write("power", lambda content: "output" in content["flow"])
        return arrival(home.service.writes("power")[0]) - begin, arrival(whole) - begin


def _next_reading(benchmark: Benchmark, script: bool) -> float:
    """From the publishing of the reading that the frame still lacks to the write that shows it, in s."""
    with benchmark.home() as home:
        _run(home, script)
        home.raise_fence()
        *others, (topic, payload) = _home()
        for other in others:
            home.publisher.publish(*other)
        home.raise_fence()
        # No interval is left to wait for.
        time.sleep(1.5)
        begin = time.time()
        home.publisher.publish(topic, payload)
        write = home.wait_for_write("power", lambda content: "storage" in content["flow"])
        return arrival(write) - begin


def _burst(benchmark: Benchmark, script: bool) -> float:
    """From the moment when the broker has all of a burst until the service has its last value, in s."""
    packets = traffic.stream(traffic.mixed_messages(), 19_999)
    packets += publish_packet(traffic.BATTERY_POWER, traffic.victron(_LAST))
    with benchmark.home() as home:
        _run(home, script)
        home.raise_fence()
        home.publisher.send(b"".join(traffic.mixed_messages()[: len(traffic.TOPICS)]))
        home.wait_for_write("power", lambda content: "storage" in content["flow"])
        # The interval after the first write is over.
        time.sleep(1.5)
        home.publisher.send(packets)
        home.publisher.flush()
        end = time.time()
        write = home.wait_for_write("power", lambda content: content["flow"].get("storage", {}).get("rate") == _LAST)
        return arrival(write) - end


def _run(home: Home, script: bool) -> None:
    if script:
        home.start_script(interval=1)
    else:
        home.start_flowbridge(push=EAGER)


def _home() -> list[tuple[str, bytes]]:
    """All that the home's widget needs; the battery comes last."""
    return [
        (traffic.SOLAR_POWER, traffic.plain(1500)),
        (traffic.SOLAR_TODAY, traffic.plain(9000)),
        (traffic.GRID_POWER, traffic.shelly(400)),
        (traffic.BALCONY_POWER, traffic.zigbee(120)),
        (traffic.BATTERY_LEVEL, traffic.victron(40)),
        (traffic.BATTERY_POWER, traffic.victron(-300)),
    ]
