"""What is held in memory after a day, and whether anything is left behind by lost connections."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count, pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import traffic
from benchmark import Benchmark
from configurations import DAY_READINGS, DAY_WIDGET
from fast_clock import FastClock
from home import SCRIPT, Home
from processes import CannotMeasure, ChildProcess, Memory
from publisher import publish_packet
from report import Row, absolute, compared

_CAPTURE = Path(__file__).parents[1] / "Tests/Captures/spring-opendtu-shelly-victron.tsv"
_ZONE = ZoneInfo("Europe/Berlin")
#: Two hours before the midnight with which the recorded day begins: enough for a total that can be seen to fall.
_EVENING = datetime(2026, 3, 18, 22, tzinfo=_ZONE).timestamp()
_HOUR = 3_600.0
_DAY = 24 * _HOUR
#: How much faster than the world's the clock goes: an hour a second. A time-out of 20 s is then one of 6 ms, which a
#: busy machine keeps nearly always, and what is tried again belongs to a day.
_DAY_SPEED = 3_600
_RECONNECT_SPEED = 60


def measure_day(benchmark: Benchmark) -> list[Row]:
    """Rows for two days in a row, each of 24 s, with the program and the service on a clock that is so much faster.

    A quick look has shorter days, which begin at the same time before midnight.
    """
    hours = max(round(24 * benchmark.scale), 2)
    memories = {}
    for name in ("flowbridge", SCRIPT):
        clock = FastClock(_DAY_SPEED, _EVENING)
        with benchmark.home(clock) as home:
            process = _start(home, name)
            home.publisher.publish(traffic.BALCONY_POWER, traffic.zigbee(0))
            home.raise_fence()
            messages = _recorded(clock.now)
            memories[name] = [_live(home, process, clock, messages, _EVENING + hours * day * _HOUR) for day in (1, 2)]
            if name == "flowbridge":
                _check(home, until=_EVENING + 2 * hours * _HOUR)
    ours, script = memories["flowbridge"], memories[SCRIPT]
    after = f"after {hours} simulated hours"
    return [
        compared(
            f"memory {after}, resident", "kB", [ours[0].resident], SCRIPT, [script[0].resident], at_most=20 * 1024
        ),
        compared(
            f"memory {after}, anonymous", "kB", [ours[0].anonymous], SCRIPT, [script[0].anonymous], at_most=4 * 1024
        ),
        absolute(f"growth over {hours} more hours, resident", "kB", [ours[1].resident - ours[0].resident]),
        absolute(f"growth over {hours} more hours, anonymous", "kB", [ours[1].anonymous - ours[0].anonymous]),
    ]


def measure_reconnects(benchmark: Benchmark) -> list[Row]:
    """Rows for a broker that goes and comes back 50 times, and 50 times more.

    The daemon rightly waits ever longer for a broker whose sessions last less than ten seconds. So its clock is sped up
    by libfaketime, and each session is longer than that by its clock.
    """
    times = max(int(50 * benchmark.scale), 2)
    with benchmark.home() as home:
        process = home.start_flowbridge(environment=FastClock(_RECONNECT_SPEED).environment)
        home.raise_fence()
        memory = [process.memory]
        for _ in range(2):
            for _ in range(times):
                home.lose_broker(away=1 / _RECONNECT_SPEED, back=12 / _RECONNECT_SPEED)
            memory.append(process.memory)
    return [
        absolute(f"memory after {times} reconnects, anonymous", "kB", [memory[1].anonymous]),
        absolute(f"growth over {times} more reconnects, anonymous", "kB", [memory[2].anonymous - memory[1].anonymous]),
        absolute(f"growth over {times} more reconnects, resident", "kB", [memory[2].resident - memory[1].resident]),
    ]


def _start(home: Home, name: str) -> ChildProcess:
    if name == "flowbridge":
        return home.start_flowbridge(readings=DAY_READINGS, widgets=DAY_WIDGET)
    return home.start_script()


def _recorded(begin: float) -> Iterator[tuple[float, bytes]]:
    """The recorded day's messages again and again, each with its time, from `begin` on."""
    messages = []
    for line in _CAPTURE.read_text().splitlines():
        time, retained, topic, payload = line.split("\t", 3)
        messages.append((float(time), publish_packet(topic, payload.encode(), retain=retained == "1")))
    midnight = datetime(2026, 3, 19, tzinfo=_ZONE).timestamp()
    for day in count(-1):
        for time, packet in messages:
            if (due := time + day * _DAY) >= begin:
                yield due, packet


def _live(
    home: Home, process: ChildProcess, clock: FastClock, messages: Iterator[tuple[float, bytes]], until: float
) -> Memory:
    """Plays what was recorded until then, and returns what the process then holds."""
    for due, packet in messages:
        clock.sleep_until(due)
        home.publisher.send(packet)
        if due >= until:
            break
    home.publisher.flush()
    home.raise_fence()
    return process.memory


def _check(home: Home, until: float) -> None:
    """Makes sure that the days were lived: each that ended is in the state file, and its totals fell on the phone."""
    first, last = (datetime.fromtimestamp(moment, _ZONE).date() for moment in (_EVENING, until))
    ended = [(first + timedelta(days=day)).isoformat() for day in range((last - first).days)]
    file = home.directory / "state.sqlite"
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as state:
        closed = [date for (date,) in state.execute("SELECT DISTINCT date FROM closed_day ORDER BY date")]
    if closed != ended:
        raise CannotMeasure(f"The state file has the days {closed} instead of {ended}.")
    flows = [write["body"]["content"].get("flow", {}) for write in home.service.writes("day")]
    # A slot that goes is null.
    outputs = [flow.get("output") or {} for flow in flows]
    totals = [output["total"] for output in outputs if "total" in output]
    falls = sum(later < earlier for earlier, later in pairwise(totals))
    if falls != len(ended):
        raise CannotMeasure(f"The house's total fell {falls} times at {len(ended)} midnights.")
