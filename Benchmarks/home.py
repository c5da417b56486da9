"""A home to measure in: a broker, the service, and one program under test."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import traffic
from broker import Broker
from configurations import configuration
from fast_clock import FastClock
from processes import TESTED_CPU, CannotMeasure, ChildProcess, wait_until
from publisher import Publisher
from service import Service

#: The peers, as they stand in the table.
SUBSCRIBER = "mosquitto_sub"
SCRIPT = "Python script"


@dataclass(frozen=True)
class Products:
    """The built programs, in one directory."""

    directory: Path

    @property
    def flowbridge(self) -> Path:
        """As it is installed, without symbols."""
        return self.directory / "flowbridge-stripped"

    @property
    def symbolised(self) -> Path:
        """With symbols, and without debug information."""
        return self.directory / "flowbridge-symbols"

    @property
    def linked(self) -> Path:
        """As it was linked."""
        return self.directory / "flowbridge"

    @property
    def shared(self) -> Path:
        """As it was linked with the Swift runtime in shared libraries."""
        return self.directory / "flowbridge-shared"

    @property
    def shared_stripped(self) -> Path:
        """With the Swift runtime in shared libraries, without symbols."""
        return self.directory / "flowbridge-shared-stripped"

    @property
    def emulator(self) -> Path:
        """The stand-in for the widget service."""
        return self.directory / "pushward-emulator"


class Home:
    """A broker, the service and a publisher, for as long as a program is measured. All that it writes is temporary."""

    def __init__(self, products: Products, clock: FastClock | None = None) -> None:
        self._products = products
        self._clock = clock
        self._fence = 0
        self._stack = ExitStack()
        self.directory = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="flowbridge-bench.")))
        try:
            self.broker = self._stack.enter_context(Broker(self.directory))
            self.service = self._stack.enter_context(Service(products.emulator, self.directory, self._timing))
            self.publisher = self._stack.enter_context(Publisher(self.broker.port))
        except BaseException:
            self._stack.close()
            raise
        (self.directory / "key").write_text(self.service.key + "\n")
        (self.directory / "key").chmod(0o600)

    def __enter__(self) -> Home:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is CannotMeasure:
            print((self.directory / "program.log").read_text(errors="replace")[-2000:], end="", file=sys.stderr)
        try:
            if kind is None:
                self.broker.check()
        finally:
            self._stack.close()

    def start_flowbridge(
        self,
        *,
        under: Sequence[str] = (),
        configured: str | None = None,
        environment: dict[str, str] | None = None,
        **settings: object,
    ) -> ChildProcess:
        """Starts flowbridge; `settings` are those of `configuration`, unless all of it is given."""
        file = self.directory / "flowbridge.yaml"
        file.write_text(configured or configuration(self.broker.port, self.service.url, **settings))
        program = self._products.symbolised if under else self._products.flowbridge
        return self._start([*under, program, "run", "--config", file], environment)

    def start_subscriber(
        self, count: int | None, topics: Sequence[str] = traffic.TOPICS, *, under: Sequence[str] = ()
    ) -> ChildProcess:
        """Starts mosquitto_sub, which prints to nowhere, and ends after `count` messages if there is a count.

        Returns once it has subscribed.
        """
        filters = [word for topic in topics for word in ("-t", topic)]
        ending = [] if count is None else ["-C", str(count)]
        port = str(self.broker.port)
        process = self._start([*under, "mosquitto_sub", "-p", port, "-i", "subscriber", *ending, *filters])
        self.broker.wait_for_subscription(topics[-1])
        return process

    def start_script(self, *, interval: float = 60) -> ChildProcess:
        """Starts the Python peer."""
        script = Path(__file__).with_name("script_bridge.py")
        return self._start(
            [
                sys.executable,
                script,
                "--broker-port",
                str(self.broker.port),
                "--service",
                self.service.url,
                "--key-file",
                self.directory / "key",
                "--interval",
                str(interval),
            ]
        )

    def lose_broker(self, away: float, back: float) -> None:
        """Stops the broker for `away` s, then waits until a client has subscribed again, and `back` s more."""
        self.publisher.close()
        self.broker.stop()
        time.sleep(away)
        self.broker.start()
        self.broker.wait_for_subscription(traffic.FENCE)
        self.publisher = self._stack.enter_context(Publisher(self.broker.port))
        time.sleep(back)

    def publish_fence(self, *, retain: bool = True) -> None:
        """Publishes a fence that is higher than all before."""
        self._fence += 1
        self.publisher.publish(traffic.FENCE, str(self._fence).encode(), retain)

    def wait_for_write(
        self, slug: str, shows: Callable[[dict[str, Any]], bool], timeout: float = 120
    ) -> dict[str, Any]:
        """Waits for a write of a widget whose content shows what is wanted."""

        def look() -> dict[str, Any] | None:
            if not self._process.is_running:
                raise CannotMeasure(f"{self._process.name} has ended.")
            return self.service.find_write(slug, shows)

        return wait_until(look, timeout, f"a certain write of the widget '{slug}'")

    def wait_for_fence(self, timeout: float = 120) -> dict[str, Any]:
        """Waits until the service shows the highest fence, and returns that request: all before it was seen."""
        return self.wait_for_write(
            "fence", lambda content: content["flow"]["inputs"][0]["rate"] == self._fence, timeout
        )

    def raise_fence(self) -> dict[str, Any]:
        """Publishes a higher fence and waits for it."""
        self.publish_fence()
        return self.wait_for_fence()

    @property
    def _timing(self) -> dict[str, str]:
        return {} if self._clock is None else self._clock.environment

    def _start(self, arguments: Sequence[str | Path], environment: dict[str, str] | None = None) -> ChildProcess:
        log = self._stack.enter_context((self.directory / "program.log").open("ab"))
        environment = {"STATE_DIRECTORY": str(self.directory)} | self._timing | (environment or {})
        self._process = self._stack.enter_context(
            ChildProcess(arguments, cpu=TESTED_CPU, stderr=log, environment=environment)
        )
        return self._process
