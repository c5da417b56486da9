"""The local stand-in for the widget service."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from processes import HELPER_CPU, ChildProcess, wait_until


class Service:
    """A running pushward-emulator, and what it was asked."""

    def __init__(self, program: Path, directory: Path, environment: dict[str, str] | None = None) -> None:
        self.key = f"hlk_{secrets.token_hex(16)}"
        self._trace = directory / "trace.jsonl"
        url = directory / "service.url"
        with url.open("wb") as output:
            self._process = ChildProcess(
                [program, "--port", "0", "--plan", "paid", "--key", self.key, "--trace", self._trace],
                cpu=HELPER_CPU,
                stdout=output,
                environment=environment,
            )
        self.url = wait_until(lambda: url.read_text().strip(), 10, "the stand-in for the widget service", every=0.005)

    def requests(self) -> list[dict[str, Any]]:
        """What it was asked so far: `at`, `method`, `path`, `body`, `status`."""
        lines = self._trace.read_text().split("\n")
        # The last line may be half written.
        return [json.loads(line) for line in lines[:-1]]

    def writes(self, slug: str) -> list[dict[str, Any]]:
        """The requests so far that write a widget, successful ones only."""
        return [
            request
            for request in self.requests()
            if request["method"] in ("POST", "PATCH") and request["status"] // 100 == 2 and _slug(request) == slug
        ]

    def find_write(self, slug: str, shows: Callable[[dict[str, Any]], bool]) -> dict[str, Any] | None:
        """The first write of a widget whose content, whole or a patch, shows what is wanted."""
        return next((write for write in self.writes(slug) if shows(write["body"]["content"])), None)

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.close()


def arrival(request: dict[str, Any]) -> float:
    """When a request of the trace had been answered, in s since 1970: the end of the ms that the trace names."""
    return datetime.fromisoformat(request["at"]).timestamp() + 0.001


def _slug(write: dict[str, Any]) -> str:
    """The widget that a request writes."""
    return write["body"].get("slug") or write["path"].rpartition("/")[2]
