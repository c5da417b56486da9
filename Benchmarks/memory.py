"""What is held in memory after a day, and whether anything is left behind by lost connections."""

from __future__ import annotations

import os
import time
from pathlib import Path

import traffic
from benchmark import Benchmark
from configurations import EAGER
from home import SCRIPT, Home
from processes import CannotMeasure, ChildProcess, Memory
from publisher import publish_packet
from report import Row, absolute, compared

_CAPTURE = Path(__file__).parents[1] / "Tests/Captures/spring-opendtu-shelly-victron.tsv"
_FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
#: How much faster than the world's the clock of the daemon goes that loses its broker.
_SPEED = 60


def measure_day(benchmark: Benchmark) -> list[Row]:
    """Rows for two recorded days in a row, each played in some seconds, with an update a second."""
    packets = _recorded()
    days = {}
    for name in ("flowbridge", SCRIPT):
        with benchmark.home() as home:
            process = home.start_flowbridge(push=EAGER) if name == "flowbridge" else home.start_script(interval=1)
            home.publisher.publish(traffic.BALCONY_POWER, traffic.zigbee(0))
            home.raise_fence()
            days[name] = [_day(home, process, packets, benchmark.seconds(12)) for _ in range(2)]
    ours, script = days["flowbridge"], days[SCRIPT]
    return [
        compared(
            "memory after a day, resident", "kB", [ours[0].resident], SCRIPT, [script[0].resident], at_most=20 * 1024
        ),
        compared(
            "memory after a day, anonymous", "kB", [ours[0].anonymous], SCRIPT, [script[0].anonymous], at_most=4 * 1024
        ),
        absolute("growth over another day, anonymous", "kB", [ours[1].anonymous - ours[0].anonymous]),
    ]


def measure_reconnects(benchmark: Benchmark) -> list[Row]:
    """Rows for a broker that goes and comes back 50 times, and 50 times more.

    The daemon rightly waits ever longer for a broker whose sessions last less than ten seconds. So its clock is sped up
    by libfaketime, and each session is longer than that by its clock.
    """
    count = max(int(50 * benchmark.scale), 2)
    with benchmark.home() as home:
        # Without the last one libfaketime would change the environment, beside which Swift looks for the arguments.
        speed = {"LD_PRELOAD": _FAKETIME, "FAKETIME": f"+0 x{_SPEED}", "FAKETIME_SHARED": "/none /none"}
        if not os.path.exists(_FAKETIME):
            raise CannotMeasure("libfaketime is missing.")
        process = home.start_flowbridge(environment=speed)
        home.raise_fence()
        memory = [process.memory]
        for _ in range(2):
            for _ in range(count):
                home.lose_broker(away=1 / _SPEED, back=12 / _SPEED)
            memory.append(process.memory)
    return [
        absolute(f"memory after {count} reconnects, anonymous", "kB", [memory[1].anonymous]),
        absolute(f"growth over {count} more reconnects, anonymous", "kB", [memory[2].anonymous - memory[1].anonymous]),
        absolute(f"growth over {count} more reconnects, resident", "kB", [memory[2].resident - memory[1].resident]),
    ]


def _recorded() -> list[bytes]:
    packets = []
    for line in _CAPTURE.read_text().splitlines():
        _, retained, topic, payload = line.split("\t", 3)
        packets.append(publish_packet(topic, payload.encode(), retain=retained == "1"))
    return packets


def _day(home: Home, process: ChildProcess, packets: list[bytes], seconds: float) -> Memory:
    """Plays a day and returns what the process then holds."""
    begin = time.monotonic()
    slices = 200
    for index in range(slices):
        home.publisher.send(b"".join(packets[index * len(packets) // slices : (index + 1) * len(packets) // slices]))
        time.sleep(max(0, begin + seconds * (index + 1) / slices - time.monotonic()))
    home.publisher.flush()
    home.raise_fence()
    return process.memory
