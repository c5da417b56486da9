"""How many instructions a message takes, and in whose code. No other load of the machine can change these figures."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import cycle
from pathlib import Path
from signal import SIGTERM

import traffic
from benchmark import Benchmark
from flood import WARM_UP
from home import SUBSCRIBER, Home
from report import Row, compared

#: Valgrind slows a program down some fifty times.
_TIMEOUT = 300
_ALLOCATORS = re.compile(r"(malloc|calloc|realloc|posix_memalign|aligned_alloc)(@.*)?")


@dataclass
class Profile:
    """What callgrind counted, by object file: `ours`, `mosquitto`, or `libc` and what else the system brings."""

    #: Instructions in an object's own code.
    own: Counter[str] = field(default_factory=Counter)
    #: Instructions that libc and the loader spent for an object that called them.
    in_libc: Counter[str] = field(default_factory=Counter)
    #: Allocations that an object asked libc for.
    allocations: Counter[str] = field(default_factory=Counter)

    #: Instructions by function.
    functions: Counter[str] = field(default_factory=Counter)

    def less(self, other: Profile, messages: int) -> Profile:
        """What each of `messages` more messages took."""
        per_message = Profile()
        for name in ("own", "in_libc", "allocations", "functions"):
            mine, others = getattr(self, name), getattr(other, name)
            getattr(per_message, name).update({key: (mine[key] - others[key]) / messages for key in mine})
        return per_message

    def top(self, count: int = 25) -> dict[str, float]:
        """The functions in which most is spent."""
        top = [(name, round(cost, 1)) for name, cost in self.functions.most_common(count)]
        command = ["swift", "demangle", "--compact", "--simplified"]
        # Callgrind tells recursion by a quote and a number behind the name.
        names = "\n".join(name.partition("'")[0] for name, _ in top)
        readable = subprocess.run(command, input=names, capture_output=True, text=True, check=False).stdout.splitlines()
        return dict(zip(readable, (cost for _, cost in top)))


def measure(benchmark: Benchmark) -> list[Row]:
    """Rows for plain and JSON messages in a flood, and for messages one at a time.

    Each takes two runs, of which one has more messages, so that start and end cancel out. What libmosquitto spends on a
    message is what it calls in libc as well: memory, locks, reading. So that is what the budget compares.
    """
    few, many = 5_000, 5_000 + benchmark.messages(20_000)
    rows = []
    for kind, packets in traffic.single_messages().items():
        ours, floor = _profiles(benchmark, packets, few, many, per_second=None)
        mine, mosquitto = ours.own["ours"], ours.own["mosquitto"]
        rows += [
            compared(f"instructions a message, {kind}, own code", "", [mine], "libmosquitto's own", [mosquitto]),
            compared(
                f"instructions a message, {kind}, with libc",
                "",
                [mine + ours.in_libc["ours"]],
                "libmosquitto with libc",
                [mosquitto + ours.in_libc["mosquitto"]],
                ratio_at_most=1.5,
            ),
            _all(f"instructions a message, {kind}, all", ours, floor),
            compared(
                f"allocations a message, {kind}, ours",
                "",
                [ours.allocations["ours"]],
                "libmosquitto",
                [ours.allocations["mosquitto"]],
                # What a request allocates now and then is shared by all messages.
                at_most=0.05,
            ),
        ]
    few, many = 200, 200 + benchmark.messages(1_000)
    ours, floor = _profiles(benchmark, traffic.mixed_messages(), few, many, per_second=100)
    return [*rows, _all("instructions a message, 100 messages/s, all", ours, floor)]


def _all(what: str, ours: Profile, floor: Profile) -> Row:
    row = compared(what, "", [ours.own.total()], SUBSCRIBER, [floor.own.total()])
    return replace(row, profile=ours.top())


def _profiles(
    benchmark: Benchmark, packets: list[bytes], few: int, many: int, per_second: float | None
) -> tuple[Profile, Profile]:
    """What a message takes in flowbridge and in mosquitto_sub: as fast as they come, or so many a second."""
    ours, floor = (
        run(benchmark, packets, many, per_second).less(run(benchmark, packets, few, per_second), many - few)
        for run in (_bridge, _subscriber)
    )
    return ours, floor


def _bridge(benchmark: Benchmark, packets: list[bytes], count: int, per_second: float | None) -> Profile:
    with benchmark.home() as home:
        file = home.directory / "callgrind.out"
        process = home.start_flowbridge(under=_callgrind(file))
        home.raise_fence()
        home.publisher.send(traffic.stream(packets, WARM_UP))
        home.raise_fence()
        _publish(home, packets, count, per_second)
        home.raise_fence()
        process.send(SIGTERM)
        process.wait_for_end(_TIMEOUT)
        return _read(file)


def _subscriber(benchmark: Benchmark, packets: list[bytes], count: int, per_second: float | None) -> Profile:
    with benchmark.home() as home:
        file = home.directory / "callgrind.out"
        process = home.start_subscriber(count, under=_callgrind(file))
        _publish(home, packets, count, per_second)
        process.wait_for_end(_TIMEOUT)
        return _read(file)


def _publish(home: Home, packets: list[bytes], count: int, per_second: float | None) -> None:
    if per_second is None:
        home.publisher.send(traffic.stream(packets, count))
    else:
        home.publisher.pace(cycle(packets), per_second, count / per_second)
    home.publisher.flush()


def _callgrind(file: Path) -> list[str]:
    return ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={file}"]


def _read(file: Path) -> Profile:
    """Reads callgrind's format.

    `ob=` and `fn=` name whose lines follow; `cob=` and `cfn=` who is called, `calls=` how often, and the line after it
    what the calls cost altogether. Names are written once, and later only by their number.
    """
    profile = Profile()
    names: dict[tuple[str, str], str] = {}
    owner = callee_owner = function = callee = ""
    lines = iter(file.read_text(errors="replace").splitlines())
    for line in lines:
        key, separator, value = line.partition("=")
        if separator and key in ("ob", "cob", "fn", "cfn"):
            name = _name(names, key[-2:], value)
            if key == "ob":
                owner = _owner(name)
                callee_owner = owner
            elif key == "cob":
                callee_owner = _owner(name)
            elif key == "fn":
                function = name
            else:
                callee = name
        elif key == "calls":
            cost = _cost(next(lines))
            # All of a program runs below its start in libc.
            if callee_owner == "libc" != owner and not callee.startswith("__libc_start_main"):
                profile.in_libc[owner] += cost
                if _ALLOCATORS.fullmatch(callee):
                    profile.allocations[owner] += int(value.split()[0])
            # Without a `cob=` the next call stays in this object.
            callee_owner = owner
        elif line and (line[0].isdigit() or line[0] in "+-*"):
            cost = _cost(line)
            profile.own[owner] += cost
            profile.functions[function] += cost
    return profile


def _name(names: dict[tuple[str, str], str], kind: str, value: str) -> str:
    number, _, name = value.partition(" ")
    if name:
        names[kind, number] = name
    return names[kind, number]


def _cost(line: str) -> int:
    """The instructions of a line of costs; the first word is its place."""
    words = line.split()
    return int(words[1]) if len(words) > 1 else 0


def _owner(path: str) -> str:
    """Whose code an object file is. What flowbridge brings with it, as simdjson and libcurl, is its own."""
    name = Path(path).name
    if name.startswith("libmosquitto"):
        return "mosquitto"
    if name.startswith(("libc.so", "libc-", "libpthread", "ld-linux", "libm.so")):
        return "libc"
    return "ours"
