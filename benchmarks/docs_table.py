"""The figures of the environments as the tables that docs/measurements.md shows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks import envs_batch, envs_openspiel, envs_single, envs_vector
from benchmarks.extras import IMPORTS
from benchmarks.row import Row
from numberquest.core.registry import GAMES

DOCUMENT: Final = Path(__file__).parent.parent / "docs" / "measurements.md"
BEGIN, END = "<!-- environments: written by python -m benchmarks --docs -->\n", "<!-- environments: end -->\n"

COLUMNS: Final = {
    "batch × Pgx": (envs_batch.named("{}"), envs_batch.PGX),
    "× OpenSpiel C++": (envs_batch.named("{}"), envs_batch.SPIEL),
    "× PettingZoo": (envs_batch.named("{}"), envs_batch.ZOO),
    "PettingZoo `env`": ("PettingZoo: {}", f"PettingZoo {envs_single.ZOO_PEER}"),
    "Gymnasium": ("Gymnasium: {}", f"Gymnasium {envs_single.GYM_PEER}"),
    "OpenSpiel": ("OpenSpiel: {}", f"OpenSpiel {envs_openspiel.PEER}"),
}
"""What stands at the head of a column, what its rows are called, and what they were measured against."""


def tables(rows: Sequence[Row]) -> str:
    """Tables in Markdown: the games beside their peers, the peers themselves, batches in detail, the extras."""
    found = {(row.what, row.of): row for row in rows}
    return "\n".join((*_games(found), "", *_peers(found), "", *_batches(found), "", *_extras(found), ""))


def write(rows: Sequence[Row], document: Path = DOCUMENT) -> None:
    """Put them into the document, in the place of the ones there."""
    text = document.read_text()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{document.name} has no place for the tables of the environments")
    document.write_text(f"{before}{BEGIN}\n{tables(rows)}\n{END}{after}")


def _games(found: dict[tuple[str, str], Row]) -> list[str]:
    goals = [found[what.format("fifty"), of].goal for what, of in COLUMNS.values()]
    lines = [_line("game", *COLUMNS), _line(*["---"] * (len(COLUMNS) + 1))]
    for slug in GAMES:
        cells = [found[what.format(slug), of] for what, of in COLUMNS.values()]
        lines.append(_line(f"`{slug}`", *(_ratio(cell.ratio) for cell in cells)))
    return [*lines, _line("goal", *(f"≥ {goal or 0:,.0f}" for goal in goals))]


def _peers(found: dict[tuple[str, str], Row]) -> list[str]:
    rates = {of: found[what.format("fifty"), of].reference for what, of in COLUMNS.values()}
    rates[envs_batch.LEAN] = found[envs_batch.LEAN, envs_batch.PGX].ours
    return [
        _line("peer", "thousand steps/s"),
        _line("---", "---"),
        *(_line(of, f"{rate:,.1f}") for of, rate in rates.items()),
    ]


def _batches(found: dict[tuple[str, str], Row]) -> list[str]:
    """Million steps a second."""
    kinds = {"moves alone": envs_batch.ALONE, "with masks": "", "and the observation": envs_batch.SEEN}
    head = ("million steps/s", *kinds, "vector environment")
    lines = [_line(*head), _line(*["---"] * len(head))]
    for slug in GAMES:
        rates = [found[envs_batch.named(slug, kind), envs_batch.PGX].ours for kind in kinds.values()]
        rates.append(found[f"vector: {slug}", envs_vector.PEER].ours)
        lines.append(_line(f"`{slug}`", *(f"{rate / 1000:.1f}" for rate in rates)))
    return lines


def _extras(found: dict[tuple[str, str], Row]) -> list[str]:
    bare = found[f"import {IMPORTS['']}", "python -c pass"].reference
    lines = [_line("extra", "installed, MB", "imported as", f"ms (`python -c pass`: {bare:.0f})"), _line(*["---"] * 4)]
    for extra, module in IMPORTS.items():
        took = found[f"import {module}", "python -c pass"]
        if extra:
            size = found[f"installed: [{extra}]", "numberquest alone"].ours
        else:
            size = next(row.reference for row in found.values() if row.of == "numberquest alone")
        lines.append(_line(f"`[{extra}]`" if extra else "none", f"{size:.0f}", f"`{module}`", f"{took.ours:.0f}"))
    return lines


def _ratio(number: float) -> str:
    return f"{number:,.1f}" if number < 100 else f"{number:,.0f}"


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
