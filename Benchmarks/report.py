"""The table and the file of results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median


@dataclass(frozen=True)
class Row:
    """One line of the table. A median stands for the rounds; all of them are kept."""

    what: str
    unit: str
    figure: float
    peer: str | None = None
    peer_figure: float | None = None
    ratio: float | None = None
    budget: str = ""
    met: bool | None = None
    rounds: dict[str, list[float]] = field(default_factory=dict)
    #: The functions in which most of the figure is spent; only in the file.
    profile: dict[str, float] = field(default_factory=dict)


def absolute(what: str, unit: str, figures: Sequence[float], *, at_most: float | None = None) -> Row:
    """A figure with a budget of its own."""
    figure = median(figures)
    return Row(
        what,
        unit,
        figure,
        budget="" if at_most is None else f"≤ {_quantity(at_most, unit)}",
        met=None if at_most is None else figure <= at_most,
        rounds={"flowbridge": list(figures)},
    )


def compared(
    what: str,
    unit: str,
    figures: Sequence[float],
    peer: str,
    peer_figures: Sequence[float],
    *,
    ratio_at_most: float | None = None,
    at_most: float | None = None,
) -> Row:
    """A figure beside a peer's from the same rounds.

    The ratio is the median of the rounds' own ratios, since both of a round met the same state of the machine.
    """
    figure = median(figures)
    ratio = median(ours / theirs for ours, theirs in zip(figures, peer_figures))
    budgets, met = [], []
    if ratio_at_most is not None:
        budgets.append(f"≤ {_number(ratio_at_most)} ×")
        met.append(ratio <= ratio_at_most)
    if at_most is not None:
        budgets.append(f"≤ {_quantity(at_most, unit)}")
        met.append(figure <= at_most)
    return Row(
        what,
        unit,
        figure,
        peer,
        median(peer_figures),
        ratio,
        ", ".join(budgets),
        all(met) if met else None,
        {"flowbridge": list(figures), peer: list(peer_figures)},
    )


def table(rows: Sequence[Row]) -> str:
    """The rows as a table of Markdown, with columns that align."""
    lines = [["what", "figure", "peer's figure", "ratio", "budget", "met?"]]
    lines.append([])
    for row in rows:
        peer = "" if row.peer_figure is None else f"{_quantity(row.peer_figure, row.unit)} ({row.peer})"
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        met = {None: "", True: "yes", False: "NO"}[row.met]
        lines.append([row.what, _quantity(row.figure, row.unit), peer, ratio, row.budget, met])
    widths = [max(len(line[column]) for line in lines if line) for column in range(len(lines[0]))]
    lines[1] = ["-" * width for width in widths]
    return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines)


def save(rows: Sequence[Row], machine: dict[str, object], path: Path) -> None:
    """Writes everything, with all rounds, as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {"machine": machine, "rows": [asdict(row) for row in rows]}
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def _quantity(value: float, unit: str) -> str:
    return f"{_number(value)} {unit}".rstrip()


def _number(value: float) -> str:
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
