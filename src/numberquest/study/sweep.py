"""Every combination of some settings of a game: what each is worth, how it begins best, and its measures.

>>> from numberquest.study.sweep import sweep
>>> [(row.settings["target"], row.value) for row in sweep("sumquest", {"target": range(10, 13), "high": [3]})]
[(10, 1), (11, 1), (12, 0)]
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from math import isfinite
from typing import Any, Final, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.progress import Progress, silently
from numberquest.core.registry import kind_for
from numberquest.core.settings import BadSetting, SettingValue
from numberquest.solver import TooLarge, how_large, in_passing, solve
from numberquest.solver.budget import NoRoom, free_memory, patient_for
from numberquest.solver.device import starts
from numberquest.solver.table import source_of
from numberquest.study.atlas import atlas_of, on_map
from numberquest.study.journal import Swept
from numberquest.study.row import FIXED, SweepRow, certain
from numberquest.study.rule_sets import combinations
from numberquest.study.workers import Workers, do_all, workers_for

MOST: Final = 1_000_000_000
"""A rule set of more positions than this is left out, unless somebody says otherwise."""
LADDER: Final = "ladder"
BEST_PLAY: Final = ("perfect", "perfect")
LOOKS: Final = 16
"""So many rule sets, spread over all, tell how long the others take."""
AT_A_TIME: Final = 200
"""So many rows of a device, which are there in no time, are written together."""
SOON: Final = 1.0
"""What takes fewer seconds is worked out twice at the beginning, because the first time is the slowest."""
PATIENCE: Final = 3.0
"""Or as many of them as are worked out within so many seconds."""


class Task(NamedTuple):
    """What is to be found out about each rule set."""

    measures: tuple[str, ...] = ()
    players: tuple[str, str] = BEST_PLAY
    most: float = MOST

    def row(self, game: Game[Any]) -> SweepRow:
        """Find it out."""
        size = how_large(game)
        positions = None if size is None else size.positions
        too_large = SweepRow(game.settings, None, (), positions, dict.fromkeys(self.measures), self.most)
        if (positions or 0) > self.most:
            return too_large
        with in_passing(game, self.most):
            try:
                solution = solve(game)
            except TooLarge as why:
                # What had no room may find it when others are done.
                return too_large._replace(over=None) if isinstance(why, NoRoom) else too_large
            if solution.positions > self.most:
                return too_large._replace(positions=solution.positions)
            start = game.start()
            value = certain(float(solution.value_for(0, start)))
            found = self._measured(game) if self.measures else {}
            return SweepRow(game.settings, value, tuple(solution.best(start)), solution.positions, found)

    def _measured(self, game: Game[Any]) -> dict[str, float | None]:
        from numberquest.study.measures import measure

        measures = measure(game, self.players, only=self.measures)
        return {name: _figure(getattr(measures, name)) for name in self.measures}


def _seven(figure: float | None) -> float | None:
    return None if figure is None else float(f"{figure:.7g}")


def _figure(value: Any) -> float | None:
    if value is None or not isfinite(value):
        return None
    return value if isinstance(value, int) else float(value)


class SweepEstimate(NamedTuple):
    """What is ahead: how many rule sets, how many are too large, and how many seconds of one core the rest takes."""

    settings: int
    too_large: int
    seconds: float


class Sweep:
    """Some rule sets of one game, and what is to be found out about each."""

    def __init__(
        self,
        kind: type[Game[Any]],
        games: Sequence[Game[Any]],
        measures: Iterable[str] = (),
        players: tuple[str, str] = BEST_PLAY,
        most: float = MOST,
    ) -> None:
        """`BadSetting` where there is no such measure."""
        self.kind, self.games = kind, list(games)
        self.task = Task(tuple(known_measures(measures)), players, most)
        self._cost: dict[tuple[SettingValue, ...], float] = {}

    @property
    def columns(self) -> list[str]:
        """The name of every column of its table."""
        return [*self.kind.fields, *FIXED, *self.task.measures]

    def swept(self, path: str | None = None) -> Swept:
        """Where its rows are kept: in memory, and in this file, of which what it holds already is taken up."""
        return Swept(self.kind, self.task.measures, self.task.players, path)

    def missing(self, rows: Swept) -> list[Game[Any]]:
        """Those that are still to be worked out."""
        return [game for game in self.games if not rows.has(game, self.task.most)]

    def charted(self) -> list[SweepRow]:
        """Those that the game's atlas knows, which are not worked out again; its measures have seven digits."""
        known, task = atlas_of(self.kind), self.task
        # Only of our own games the tests hold the atlas to the rules; a file may have been changed since.
        if known is None or source_of(self.kind()) != "" or (task.measures and task.players != known.players):
            return []
        if not set(task.measures) <= set(known.measures):
            return []
        by_key = {row.key: row for row in known.rows}
        found = [
            row._replace(measures={name: _seven(row.measures[name]) for name in task.measures})
            for row in (by_key[tuple(game.settings.values())] for game in self.games if on_map(game))
            if task.most == MOST or (row.positions or 0) <= task.most
        ]
        return [row for row in found if None not in (row.value, *row.measures.values())]

    def estimate(self, rows: Swept, patience: float = PATIENCE) -> SweepEstimate:
        """Work a few out, small ones first, to know how long the others take."""
        missing = self.missing(rows)
        sizes = {game: size for game in missing if (size := how_large(game)) is not None}
        most = 0.8 * free_memory()
        large = {game for game, size in sizes.items() if size.positions > self.task.most or size.memory > most}
        ahead = sorted((game for game in missing if game not in large), key=lambda game: _positions(sizes, game))
        samples: list[tuple[float, float]] = []
        until = time.monotonic() + patience
        for at in sorted({len(ahead) * look // LOOKS for look in range(LOOKS)} if ahead else ()):
            game = ahead[at]
            left = until - time.monotonic()
            if left < 0 or _seconds(samples, _positions(sizes, game)) > left:
                break
            row, took = self._tried(game, left)
            if not samples and took < SOON:
                # What is loaded at the first time is not loaded again.
                row, took = self._tried(game, left)
            samples.append((_positions(sizes, game), took))
            if row.value is not None:
                rows.add([row])
        for game in ahead:
            self._cost[tuple(game.settings.values())] = _seconds(samples, _positions(sizes, game)) or 1e-6
        left_over = [game for game in ahead if not rows.has(game, self.task.most)]
        return SweepEstimate(len(missing), len(large), sum(map(self._costs, left_over)))

    def _tried(self, game: Game[Any], patience: float) -> tuple[SweepRow, float]:
        """One row, or what there is of it when patience runs out, and how long it took."""
        started = time.perf_counter()
        with patient_for(patience, at_first=True):
            row = self.task.row(game)
        return row, time.perf_counter() - started

    def _costs(self, game: Game[Any]) -> float:
        """How many seconds a rule set takes, as far as one knows; where nobody has looked, all are alike."""
        return self._cost.get(tuple(game.settings.values()), 1e-6 if self._cost else 1.0)

    def run_on(self, device: str, rows: Swept, progress: Progress = silently) -> list[SweepRow]:
        """The same on a device that solves many rule sets at a time, and measures none; `NoDevice` says why not."""
        missing = self.missing(rows)
        sizes = {game: how_large(game) for game in missing}
        fitting = [game for game, size in sizes.items() if size is None or size.positions <= self.task.most]
        waiting: list[SweepRow] = []
        try:
            # The largest come last: what is missing after one that does not fit is as large, or larger.
            with suppress(TooLarge):
                for done, start in enumerate(starts(fitting, device) if fitting else (), start=1):
                    value = start.value if start.game.turn(start.game.start()) == 0 else 1 - start.value
                    row = SweepRow(start.game.settings, certain(float(value)), start.best, start.positions, {})
                    waiting.append(row)
                    if len(waiting) == AT_A_TIME:
                        rows.add(waiting)
                        waiting.clear()
                    progress(done, len(fitting))
        finally:
            rows.add(waiting)
        for game in self.missing(rows):
            size = sizes[game]
            rows.add([SweepRow(game.settings, None, (), None if size is None else size.positions, {}, self.task.most)])
        return self._in_order(rows)

    def run(self, rows: Swept, workers: Workers | None = None, progress: Progress = silently) -> list[SweepRow]:
        """Work out what is missing, keep each row as it comes, and return all of them, in the order of the settings."""
        # Small ones first: there is something to see soon, and how much is given to a worker grows little by little.
        waiting = sorted(self.missing(rows), key=self._costs)
        whole = sum(map(self._costs, waiting)) or 1.0
        costs = {tuple(game.settings.values()): self._costs(game) for game in waiting}
        done = 0.0
        alone: list[Game[Any]] = []

        def keep(found: Sequence[SweepRow]) -> None:
            nonlocal done
            done += sum(costs[row.key] for row in found)
            kept = []
            for row in found:
                if row.value is None and row.over is None:
                    alone.append(self.kind(**row.settings))
                else:
                    kept.append(row)
            rows.add(kept)

        def told(_: int) -> None:
            progress(min(int(1e6 * done / whole), 1_000_000), 1_000_000)

        do_all(self.task.row, waiting, keep, workers, told, "rows")
        for game in alone:
            row = self.task.row(game)
            rows.add([row if row.value is not None else row._replace(over=self.task.most)])
        return self._in_order(rows)

    def _in_order(self, rows: Swept) -> list[SweepRow]:
        return [rows.known[tuple(game.settings.values())] for game in self.games]


def _positions(sizes: Mapping[Game[Any], Any], game: Game[Any]) -> float:
    return float(sizes[game].positions) if game in sizes else 0.0


def _seconds(samples: Sequence[tuple[float, float]], positions: float) -> float:
    """How long a rule set of so many positions takes: between those that were looked at, or in proportion to the last.

    Where nobody knows the number of positions, all count as 0, and take as long as those that were looked at.
    """
    if not samples:
        return 0.0
    alike = [took for size, took in samples if size == positions]
    if alike:
        return sum(alike) / len(alike)
    below = [sample for sample in samples if sample[0] < positions]
    above = [sample for sample in samples if sample[0] > positions]
    if not below:
        return min(took for _, took in above)
    low, quick = below[-1]
    if not above:
        return quick * positions / low if low else quick
    high, slow = above[0]
    return quick + (slow - quick) * (positions - low) / (high - low)


def known_measures(names: Iterable[str]) -> Collection[str]:
    """The names of measures, each once; `BadSetting` where there is none of that name."""
    asked = dict.fromkeys(names)
    if asked:
        from numberquest.study.measures import MEASURES

        for name in asked:
            if name == LADDER:
                raise BadSetting(f"{name} is several figures, and a column holds one: ask for gain")
            if name in FIXED:
                raise BadSetting(f"{name} is in the table anyway: leave it out")
            if name not in MEASURES:
                raise BadSetting(f"there is no measure called {name}; there are {', '.join(MEASURES)}")
    return asked


def sweep(
    game: str | type[Game[Any]],
    settings: Mapping[str, Sequence[SettingValue] | None],
    measures: Iterable[str] = (),
    *,
    players: tuple[str, str] = BEST_PLAY,
    most: float = MOST,
    jobs: int = 1,
    cluster: str | None = None,
    part: str | None = None,
    only: Callable[[Game[Any]], bool] | None = None,
    progress: Progress = silently,
) -> list[SweepRow]:
    """Every combination of these settings, worked out; what is not named stays classic, and None stands for all values.

    `part` is a file that keeps rows as they come: the same call goes on from there. `only` leaves rule sets out.
    """
    kind = kind_for(game) if isinstance(game, str) else game
    games = [one for one in combinations(kind, settings) if only is None or only(one)]
    asked = Sweep(kind, games, measures, players, most)
    with asked.swept(part) as rows:
        rows.add(asked.charted())
        if jobs > 1 or cluster is not None:
            # So that it is known who takes long.
            asked.estimate(rows)
        with workers_for(jobs, cluster) as workers:
            return asked.run(rows, workers, progress)
