"""A home to measure in: a broker, the service, and one program under test."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import traffic
from broker import Broker
from configurations import configuration
from processes import TESTED_CPU, ChildProcess
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
        """As it was linked."""
        return self.directory / "flowbridge"

    @property
    def emulator(self) -> Path:
        """The stand-in for the widget service."""
        return self.directory / "pushward-emulator"


class Home:
    """A broker, the service and a publisher, for as long as one program is measured. All that it writes is temporary."""

    def __init__(self, products: Products) -> None:
        self._products = products
        self._stack = ExitStack()
        self.directory = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="flowbridge-bench.")))
        try:
            self.broker = self._stack.enter_context(Broker(self.directory))
            self.service = self._stack.enter_context(Service(products.emulator, self.directory))
            self.publisher = self._stack.enter_context(Publisher(self.broker.port))
        except BaseException:
            self._stack.close()
            raise
        (self.directory / "key").write_text(self.service.key + "\n")
        (self.directory / "key").chmod(0o600)

    def __enter__(self) -> Home:
        return self

    def __exit__(self, *_: object) -> None:
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

    def start_subscriber(self, count: int, topics: Sequence[str] = traffic.TOPICS) -> ChildProcess:
        """Starts mosquitto_sub, which prints `count` messages to nowhere and ends. Returns once it has subscribed."""
        filters = [word for topic in topics for word in ("-t", topic)]
        port = str(self.broker.port)
        process = self._start(["mosquitto_sub", "-p", port, "-i", "subscriber", "-C", str(count), *filters])
        self.broker.wait_for_subscription(topics[-1])
        return process

    def start_script(self, *, interval: float = 60) -> ChildProcess:
        """Starts the Python peer."""
        script = Path(__file__).with_name("script_bridge.py")
        return self._start(
            # fmt: off
            [
                sys.executable, script, "--broker-port", str(self.broker.port), "--service", self.service.url,
                "--key-file", self.directory / "key", "--interval", str(interval),
            ]
            # fmt: on
        )

    def raise_fence(self, height: int, timeout: float = 120) -> None:
        """Publishes a new fence, and waits until the service shows it: everything before it has then been seen."""
        self.publisher.publish(traffic.FENCE, str(height).encode(), retain=True)
        self.service.wait_for_write(
            "fence", lambda content: content["flow"]["inputs"][0]["rate"] == height, timeout
        )

    def _start(self, arguments: Sequence[str | Path], environment: dict[str, str] | None = None) -> ChildProcess:
        log = self._stack.enter_context((self.directory / "program.log").open("ab"))
        environment = {"STATE_DIRECTORY": str(self.directory)} | (environment or {})
        return self._stack.enter_context(
            ChildProcess(arguments, cpu=TESTED_CPU, stderr=log, environment=environment)
        )
