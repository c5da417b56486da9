"""How many bytes an update has, on the recorded days."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from benchmark import Benchmark
from processes import CannotMeasure
from report import Row, compared

_ROOT = Path(__file__).parents[1]
#: The recorded days, and the example that is made for each.
_DAYS = {"spring-opendtu-shelly-victron": "opendtu-shelly-victron", "summer-evcc": "evcc"}


def measure(benchmark: Benchmark) -> list[Row]:
    """A row for each day: the body of each PATCH beside one with the full content at that moment."""
    rows = []
    for day, example in _DAYS.items():
        patches, whole = _sizes(benchmark, day, example)
        row = compared(
            f"bytes a PATCH, {day.partition('-')[0]}",
            "B",
            patches,
            "full content",
            whole,
            ratio_at_most=0.45,
        )
        rows.append(row)
    return rows


def _sizes(benchmark: Benchmark, day: str, example: str) -> tuple[list[int], list[int]]:
    """The length of each PATCH, and that of the whole content that is then shown."""
    run = subprocess.run(
        [
            benchmark.products.flowbridge,
            "replay",
            "--config",
            _ROOT / f"config/examples/{example}.yaml",
            _ROOT / f"Tests/Captures/{day}.tsv",
        ],
        capture_output=True,
        check=False,
    )
    if run.returncode:
        raise CannotMeasure(f"'flowbridge replay' has failed: {run.stderr.decode().strip()}")
    patches, whole = [], []
    content: Any = {}
    for line in run.stdout.splitlines():
        write = json.loads(line)
        if write["method"] == "POST":
            content = write["body"]["content"]
            continue
        content = _merged(content, write["body"]["content"])
        patches.append(_length(write["body"]))
        whole.append(_length({"content": content}))
    return patches, whole


def _merged(target: Any, patch: Any) -> Any:
    """RFC 7396, section 2."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = _merged(merged.get(name), value)
    return merged


def _length(body: Any) -> int:
    """Bytes of a compact body."""
    return len(json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode())
