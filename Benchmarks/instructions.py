"""How many instructions a message takes, and in whose code: the one figure that no other load of the machine can change."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGTERM

import traffic
from benchmark import Benchmark
from flood import WARM_UP
from home import SUBSCRIBER
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

    def less(self, other: Profile, messages: int) -> Profile:
        """What each of `messages` more messages took."""
        per_message = Profile()
        for name in ("own", "in_libc", "allocations"):
            mine, others = getattr(self, name), getattr(other, name)
            getattr(per_message, name).update({key: (mine[key] - others[key]) / messages for key in mine})
        return per_message


def measure(benchmark: Benchmark) -> list[Row]:
    """Rows for plain and JSON messages: two runs, of which one has more messages, so that start and end cancel out."""
    few, many = benchmark.messages(10_000), benchmark.messages(30_000)
    if few == many:
        many *= 2
    rows = []
    for kind, packets in {"plain": traffic.plain_messages(), "JSON": traffic.json_messages()}.items():
        ours = _bridge(benchmark, packets, many).less(_bridge(benchmark, packets, few), many - few)
        floor = _subscriber(benchmark, packets, many).less(_subscriber(benchmark, packets, few), many - few)
        mine, mosquitto = ours.own["ours"], ours.own["mosquitto"]
        rows += [
            compared(
                f"instructions a message, {kind}, own code",
                "",
                [mine],
                "libmosquitto's own",
                [mosquitto],
                ratio_at_most=1.5,
            ),
            compared(
                f"instructions a message, {kind}, with libc",
                "",
                [mine + ours.in_libc["ours"]],
                "libmosquitto with libc",
                [mosquitto + ours.in_libc["mosquitto"]],
            ),
            compared(
                f"instructions a message, {kind}, all",
                "",
                [ours.own.total()],
                SUBSCRIBER,
                [floor.own.total()],
            ),
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
    return rows


def _bridge(benchmark: Benchmark, packets: list[bytes], count: int) -> Profile:
    with benchmark.home() as home:
        file = home.directory / "callgrind.out"
        process = home.start_flowbridge(under=_callgrind(file))
        home.raise_fence()
        home.publisher.send(traffic.stream(packets, WARM_UP + count))
        home.publisher.flush()
        home.raise_fence()
        process.send(SIGTERM)
        process.wait_for_end(_TIMEOUT)
        return _read(file)


def _subscriber(benchmark: Benchmark, packets: list[bytes], count: int) -> Profile:
    with benchmark.home() as home:
        file = home.directory / "callgrind.out"
        process = home.start_subscriber(WARM_UP + count, under=_callgrind(file))
        home.publisher.send(traffic.stream(packets, WARM_UP + count))
        home.publisher.flush()
        process.wait_for_end(_TIMEOUT)
        return _read(file)


def _callgrind(file: Path) -> list[str]:
    return ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={file}"]


def _read(file: Path) -> Profile:
    """Reads callgrind's format.

    `ob=` and `fn=` name whose lines follow; `cob=` and `cfn=` who is called, `calls=` how often, and the line after that what
    the calls cost altogether. Names are written once, and later only by their number.
    """
    profile = Profile()
    names: dict[tuple[str, str], str] = {}
    owner = callee_owner = callee = ""
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
            elif key == "cfn":
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
            profile.own[owner] += _cost(line)
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


