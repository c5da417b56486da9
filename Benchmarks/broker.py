"""A mosquitto of the benchmark's own."""

from __future__ import annotations

import socket
from pathlib import Path

from processes import HELPER_CPU, CannotMeasure, ChildProcess, wait_until

_CONFIGURATION = """\
listener {port} 127.0.0.1
allow_anonymous true
persistence false
log_dest stderr
log_type information
log_type notice
log_type error
log_type warning
log_type subscribe
connection_messages false
# Whoever reads slowly gets everything all the same.
max_queued_messages 0
max_queued_bytes 0
sys_interval 0
"""


class Broker:
    """A broker on a free port of this machine, which drops no message."""

    def __init__(self, directory: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port: int = server.getsockname()[1]
        self._log = directory / "broker.log"
        configuration = directory / "mosquitto.conf"
        configuration.write_text(_CONFIGURATION.format(port=self.port))
        self._arguments = ["mosquitto", "-c", str(configuration)]
        self.start()

    def start(self) -> None:
        """Starts it, also again after `stop`, on the same port and with nothing retained."""
        with self._log.open("wb") as log:
            self._process = ChildProcess(self._arguments, cpu=HELPER_CPU, stderr=log)
        wait_until(lambda: self._has_logged(" running") or not self._process.is_running, 10, "the broker", every=0.005)
        if not self._process.is_running:
            raise CannotMeasure(f"The broker could not be started: {self._log.read_text().strip()}")

    def stop(self) -> None:
        """Ends it."""
        self._process.close()

    def wait_for_subscription(self, topic: str, timeout: float = 60) -> None:
        """Waits until somebody has subscribed to a topic since the start of the broker."""
        wait_until(lambda: self._has_logged(f" {topic}\n"), timeout, f"a subscription to {topic}")

    def check(self) -> None:
        """Makes sure that no message was dropped since the start."""
        if self._has_logged("being dropped"):
            raise CannotMeasure("The broker has dropped messages.")

    def __enter__(self) -> Broker:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _has_logged(self, text: str) -> bool:
        return text in self._log.read_text()
