"""Solving on a CUDA card beside the processor, in one run: `python -m benchmarks.device_solver`.

`--agree N` compares every position of N settings drawn at random; `--all FOLDER` solves every setting of the games that
a card can solve, and writes what their starts are worth there, a row each.
"""

import argparse
import csv
import gzip
import itertools
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from numberquest.core.contract import Game
from numberquest.core.progress import silently
from numberquest.core.registry import GAMES, game, part
from numberquest.core.settings import Signs, Whole
from numberquest.solver import device
from numberquest.solver.gpu import card

ROUNDS: Final = 15
TIMED: Final[list[tuple[str, dict[str, Any], float | None]]] = [
    ("fifty", {}, 0.001),
    ("fifty", {"target": 100}, None),
    ("fifty", {"copies": 3}, None),
    ("fifty", {"copies": 4, "target": 200}, 1.0),
    ("mystic", {}, 0.002),
    ("mystic", {"copies": 4, "target": 60}, None),
]
"""What is timed, and the goal in seconds."""
LONGEST: Final = 40_000_000_000
"""The processor is not asked for more positions than these: it would take minutes, and more memory than most have."""
SOON: Final = 400_000_000
"""The same for settings drawn at random."""
PER_POSITION: Final = {"fifty": 1, "mystic": 300}


def main() -> int:
    """Measure, print, and exit with 1 where a goal was missed or two values differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.device_solver", description=__doc__)
    parser.add_argument("--agree", type=int, metavar="N", help="compare so many settings, position by position")
    parser.add_argument("--seed", type=int, default=1, help="which settings are drawn (1)")
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="every setting; rows of their starts go there")
    parser.add_argument("--no-reference", action="store_true", help="leave the processor out")
    options = parser.parse_args()
    print(f"{_card_name()}; Python {platform.python_version()}", flush=True)
    if options.agree:
        return 0 if _agree(options.agree, options.seed) else 1
    if options.all:
        _write_all(options.all)
        return 0
    return 0 if _timed(reference=not options.no_reference) else 1


def _card_name() -> str:
    cupy = card().xp
    return f"{cupy.cuda.runtime.getDeviceProperties(0)['name'].decode()}, CuPy {cupy.__version__}"


def _timed(*, reference: bool) -> bool:
    good = True
    print(
        f"{'what':<32}{'positions':>16}{'whole':>12}{'start alone':>13}{'processor':>12}{'ratio':>9}  goal", flush=True
    )
    for slug, settings, goal in TIMED:
        rules = game(slug, **settings)
        started = time.perf_counter()
        solution = device.solution(rules, "cuda", silently)
        first = time.perf_counter() - started
        positions = solution.positions
        del solution
        whole = _median(partial(device.solution, rules, "cuda", silently))
        start = _median(partial(_start, rules))
        on_processor = None
        if reference and positions * PER_POSITION[slug] < LONGEST:
            own: Any = part(type(rules), "solver")
            on_processor = _median(partial(own.solve, rules, silently), 3, warm=False)
        met = goal is None or whole <= goal
        good &= met
        name = " ".join([slug, *(f"{key}={value}" for key, value in settings.items())])
        ratio = f"{on_processor / whole:>8.0f}×" if on_processor else f"{'':>9}"
        beside = f"{1000 * on_processor:>9.1f} ms" if on_processor else f"{'':>12}"
        verdict = "" if goal is None else f"  ≤ {1000 * goal:g} ms {'reached' if met else 'MISSED'}"
        print(
            f"{name:<32}{positions:>16,}{1000 * whole:>9.3f} ms{1000 * start:>10.3f} ms{beside}{ratio}{verdict}"
            f"  (the first time {1000 * first:.0f} ms)",
            flush=True,
        )
    return good


def _start(rules: Game[Any]) -> device.Start:
    return next(device.starts([rules]))


def _median(what: Callable[[], object], rounds: int = ROUNDS, *, warm: bool = True) -> float:
    tries = []
    if warm:
        what()
    for _ in range(rounds):
        started = time.perf_counter()
        what()
        tries.append(time.perf_counter() - started)
        if sum(tries) > 5:
            break
    return statistics.median(tries)


def _agree(settings: int, seed: int) -> bool:
    """Whether every value is the processor's, to the last digit, and so are the starts, solved many at a time."""
    import numpy as np

    dice = random.Random(seed)
    drawn = [dice.choice(_all_of(slug)) for slug in dice.choices(_on_card(), k=settings)]
    drawn = [rules for rules in drawn if _weight(rules) < SOON]
    drawn = [game("fifty"), game("fifty", target=200), game("mystic"), game("mystic", target=60), *drawn]
    print(f"{len(drawn)} settings are small enough for the processor", flush=True)
    starts = {start.game: start for start in device.starts(drawn)}
    good, compared = True, 0
    for rules in drawn:
        own: Any = part(type(rules), "solver")
        here = own.solve(rules, silently)
        solution: Any = device.solution(rules, "cuda", silently)
        there = card().read(solution.table.on_card).reshape(here.shape)
        start = starts[rules]
        same = bool(np.array_equal(here, there))
        same &= start.value == solution.value(rules.start()) and list(start.best) == solution.best(rules.start())
        same &= start.positions == solution.positions
        compared += solution.positions
        if not same:
            good = False
            print(f"DIFFERENT: {rules!r}, in {int(np.sum(here != there))} of {here.size} values; {start}", flush=True)
    print(f"{compared:,} positions compared: {'all equal' if good else 'NOT all equal'}", flush=True)
    return good


def _write_all(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for slug in _on_card():
        every = _all_of(slug)
        started = time.perf_counter()
        found = {}
        for start in device.starts(every):
            found[start.game] = start
            if len(found) % 2000 == 0:
                print(f"{slug}: {len(found):,} of {len(every):,}, {time.perf_counter() - started:.1f} s", flush=True)
        seconds = time.perf_counter() - started
        positions = sum(start.positions for start in found.values())
        print(
            f"{slug}: {len(found):,} settings, {positions:,} positions, {seconds:.1f} s, "
            f"{positions / seconds / 1e9:,.0f} billion positions a second",
            flush=True,
        )
        with gzip.open(folder / f"{slug}.csv.gz", "wt", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow([*every[0].settings, "value", "first", "positions"])
            for rules in every:
                start = found[rules]
                rows.writerow([*rules.settings.values(), repr(start.value), " ".join(start.best), start.positions])


def _on_card() -> list[str]:
    return [slug for slug, kind in GAMES.own.items() if part(kind, "gpu")]


def _weight(rules: Game[Any]) -> int:
    """About how long the processor takes, in positions of a fast game."""
    pools = (rules.settings["copies"] + 1) ** rules.settings["high"]  # type: ignore[operator]
    return int(pools * rules.settings["target"] ** 2 * PER_POSITION[rules.slug])  # type: ignore[operator]


@cache
def _all_of(slug: str) -> list[Game[Any]]:
    """Every setting of a game, in the order of the settings."""
    fields = GAMES[slug].fields
    values = [list(_values(field)) for field in fields.values()]
    return [game(slug, **dict(zip(fields, chosen, strict=True))) for chosen in itertools.product(*values)]


def _values(field: Any) -> Iterator[int | str]:
    if isinstance(field, Whole):
        yield from range(field.low, field.high + 1)
    elif isinstance(field, Signs):
        others = [sign for sign in field.signs if sign != field.needed]
        for chosen in itertools.product([False, True], repeat=len(others)):
            kept = {field.needed, *(sign for sign, with_it in zip(others, chosen, strict=True) if with_it)}
            yield "".join(sign for sign in field.signs if sign in kept)


if __name__ == "__main__":
    sys.exit(main())
