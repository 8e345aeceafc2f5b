"""All against all: how strong each player is, after Bradley and Terry, with a term for the seat.

Player 1 of strength a beats Player 2 of strength b with the chance 1 / (1 + exp(b - a - s)), where s is what it is
worth to be Player 1. A draw is half a win. The intervals come from the deals, however the games of one hang together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import log
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from numberquest.core.play_out import positions_of
from numberquest.core.progress import Progress
from numberquest.players.asking import MOST_LEFT_OUT
from numberquest.solver import TooLarge, solve
from numberquest.study import intervals
from numberquest.study.decisions import Decision, Judge, Made, answered_share, tokens_used, worst
from numberquest.study.game import Contest, Job, Row
from numberquest.study.intervals import Estimate, t95

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Numbers: TypeAlias = "NDArray[np.float64]"

POINTS: Final = 400 / log(10)
"""Points of the usual scale for one unit of strength: 400 points more win ten times for each loss."""
STEPS: Final = 100
BEYOND: Final = 15.0
"""A strength that grows past this grows without end: no finite one fits the games."""
SETTLED: Final = 1e-10


def jobs_for(players: Sequence[str], deals: Iterable[int]) -> list[Job]:
    """Every game of a league, in the order of its rows."""
    pairs = list(combinations(players, 2))
    return [Job(a, b, deal, seat) for deal in deals for a, b in pairs for seat in (0, 1)]


class Strength(NamedTuple):
    """A strength in points, and where it lies in 95 of 100 leagues."""

    rating: float
    low: float
    high: float


class Fit(NamedTuple):
    """The strengths of players who can be compared, 0 on average; None where no finite ones fit."""

    players: tuple[str, ...]
    strengths: tuple[Strength, ...] | None
    seat: Strength | None
    """What it is worth to be Player 1."""


class League:
    """All figures of a league, from the rows of its games alone."""

    def __init__(self, contest: Contest, players: Sequence[str], rows: Iterable[Row], progress: Progress) -> None:
        self.contest, self.players = contest, list(players)
        self._all = [row for row in rows if row.agent in self.players and row.opponent in self.players]
        self._rows = [row for row in self._all if row.result is not None]
        self.tiers = [fitted(tier, self._rows) for tier in tiers(self.players, self._rows)]
        self.worst: list[dict[str, Any]] = []
        """The moves that gave most away, whoever made them."""
        self._regrets = self._judged(progress)

    @property
    def sure(self) -> bool:
        """Whether so little was left out that intervals can be told."""
        return len(self._all) - len(self._rows) <= MOST_LEFT_OUT * len(self._all)

    @property
    def nothing_by_chance(self) -> bool:
        """Whether every deal went like every other: then more of them tell nothing more."""
        games: dict[tuple[str, str, int], set[tuple[str, ...]]] = defaultdict(set)
        deals = {row.deal for row in self._rows}
        for row in self._rows:
            games[row.agent, row.opponent, row.seat].add(row.history)
        return len(deals) > 1 and all(len(found) == 1 for found in games.values())

    def _judged(self, progress: Progress) -> dict[str, tuple[Estimate | None, float | None, int]] | None:
        """For each player the regret, the share of best choices, and how many choices mattered."""
        game = self.contest.game
        try:
            solution = solve(game)
        except TooLarge:
            return None
        judge = Judge(game, solution)
        made = []
        choices: dict[str, list[tuple[int, Decision]]] = {name: [] for name in self.players}
        for at, row in enumerate(self._rows):
            positions = positions_of(game, row.history)
            for seat, name in enumerate(row.players):
                decisions = judge.decisions(row, positions, seat)
                made += [Made(row, seat, decision) for decision in decisions if decision.loss]
                choices[name] += [(row.deal, decision) for decision in decisions if decision.mattered]
            progress(at, len(self._rows))
        self.worst = worst(self.contest, made, solution.best)
        found = {}
        for name, mattered in choices.items():
            losses = intervals.by_deal((deal, float(decision.loss)) for deal, decision in mattered)
            best = _share(sum(decision.is_best for _, decision in mattered), len(mattered))
            found[name] = intervals.average(losses), best, len(mattered)
        return found

    def against(self, a: str, b: str, seat: int | None = None) -> float | None:
        """Which share of the points `a` has made against `b`, in one seat or in both."""
        both = [row for row in self._rows if {row.agent, row.opponent} == {a, b} and a != b]
        points = [_points(row, a) for row in both if seat is None or row.players[seat] == a]
        return _share(sum(points), len(points))

    def data(self) -> dict[str, Any]:
        """All of it as JSON: players from the strongest down, and the crosstable in the same order."""
        game, seed, tries, errors = self.contest
        told = [self._told(name, number, fit) for number, fit in enumerate(self.tiers, start=1) for name in fit.players]
        told.sort(key=lambda one: (one["tier"], -(one["rating"] or 0), -one["share"] if one["games"] else 0))
        order = [one["who"] for one in told]
        return {
            "game": game.slug,
            "settings": game.settings,
            "seed": seed,
            "deals": len({row.deal for row in self._all}),
            "tries": tries,
            "errors": errors,
            "games": len(self._rows),
            "missing": len(self._all) - len(self._rows),
            "players": told,
            "seats": [
                {"tier": number, **intervals.named("rating", fit.seat, "", sure=self.sure)}
                for number, fit in enumerate(self.tiers, start=1)
                if len(fit.players) > 1
            ],
            "crosstable": [[self.against(a, b) for b in order] for a in order],
            "as_player_1": [[self.against(a, b, 0) for b in order] for a in order],
            "nothing_by_chance": self.nothing_by_chance,
            "worst": self.worst,
        }

    def _told(self, name: str, tier: int, fit: Fit) -> dict[str, Any]:
        mine = [row for row in self._all if name in (row.agent, row.opponent)]
        played = [row for row in mine if row.result is not None]
        points = sum(_points(row, name) for row in played)
        regret, best, mattered = (None, None, None) if self._regrets is None else self._regrets[name]
        strength = None if fit.strengths is None else fit.strengths[fit.players.index(name)]
        mine_by_seat = [(row, row.players.index(name)) for row in mine]
        return {
            "who": name,
            "tier": tier,
            **intervals.named("rating", strength, "", sure=self.sure),
            "games": len(played),
            "points": points,
            "share": _share(points, len(played)),
            "mattered": mattered,
            **intervals.named("regret", regret, sure=self.sure),
            "best": best,
            "illegal": sum(row.illegal[seat] for row, seat in mine_by_seat),
            "errors": sum(row.errors for row in mine),
            "answered": answered_share(self.contest.game, mine_by_seat),
            "cut_off": sum(row.cut_off[seat] for row, seat in mine_by_seat),
            "tokens": tokens_used(mine, name),
        }


def _points(row: Row, name: str) -> float:
    return (row.result or 0.0) if row.agent == name else 1 - (row.result or 0.0)


def _share(points: float, games: int) -> float | None:
    return points / games if games else None


def tiers(players: Sequence[str], rows: Iterable[Row]) -> list[tuple[str, ...]]:
    """Players who can be compared, together: each tier has won every game against those below.

    How much stronger it is nobody can tell from such games. Within a tier everybody has taken something off everybody
    else, if only by way of others.
    """
    took: dict[str, set[str]] = {name: set() for name in players}
    for row in rows:
        if row.result:
            took[row.agent].add(row.opponent)
        if row.result is not None and row.result < 1:
            took[row.opponent].add(row.agent)

    def reached(name: str) -> frozenset[str]:
        found, waiting = {name}, [name]
        while waiting:
            new = took[waiting.pop()] - found
            found |= new
            waiting += new
        return frozenset(found)

    reach = {name: reached(name) for name in players}
    together: dict[frozenset[str], list[str]] = defaultdict(list)
    for name in players:
        together[frozenset(other for other in reach[name] if name in reach[other])].append(name)
    # All have played all, so that whoever is above reaches all that are below.
    return [tuple(names) for names in sorted(together.values(), key=lambda names: -len(reach[names[0]]))]


def fitted(players: tuple[str, ...], rows: Iterable[Row]) -> Fit:
    """The strengths that make the games between these players likeliest, by Newton's method."""
    import numpy as np

    place = {name: at for at, name in enumerate(players)}
    games = [row for row in rows if row.agent in place and row.opponent in place]
    if len(players) < 2 or not games:
        return Fit(players, None, None)
    size = len(players)
    # By deal, and by who was Player 1 and who Player 2: how many games, and how many points of Player 1.
    deals = {deal: at for at, deal in enumerate(sorted({row.deal for row in games}))}
    played = np.zeros((len(deals), size, size))
    won = np.zeros((len(deals), size, size))
    for row in games:
        at = deals[row.deal], *(place[name] for name in row.players)
        played[at] += 1
        won[at] += _points(row, row.players[0])
    found = _newton(played.sum(axis=0), won.sum(axis=0))
    if found is None:
        return Fit(players, None, None)
    strengths, spread = found
    errors = _errors(strengths, spread, played, won)
    steps = t95(len(deals) - 1)
    told = [
        Strength(POINTS * mean, POINTS * (mean - steps * error), POINTS * (mean + steps * error))
        for mean, error in zip(strengths.tolist(), errors.tolist(), strict=True)
    ]
    return Fit(players, tuple(told[:-1]), told[-1])


def _newton(played: Numbers, won: Numbers) -> tuple[Numbers, Numbers] | None:
    """The strengths with the seat's behind them, and the inverse of the information; None where they grow for ever."""
    import numpy as np

    size = len(played)
    known = np.zeros(size + 1)
    for _ in range(STEPS):
        slope, information = _slope(known, played, won)
        # Only differences count: 0 on average is as good as anything, and it is what the pseudo-inverse keeps to.
        inverse = np.asarray(np.linalg.pinv(information, rcond=1e-9, hermitian=True), dtype=np.float64)
        step = inverse @ slope
        known = known + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
        if np.abs(known).max() > BEYOND:
            return None
        if np.abs(step).max() < SETTLED:
            return known, inverse
    return None


def _slope(known: Numbers, played: Numbers, won: Numbers) -> tuple[Numbers, Numbers]:
    """In which direction the games become likelier, and how sharply that bends."""
    import numpy as np

    size = len(played)
    chance = 1 / (1 + np.exp(known[None, :-1] - known[:-1, None] - known[-1]))
    off = won - played * chance
    slope = np.append(off.sum(axis=1) - off.sum(axis=0), off.sum())
    weight = played * chance * (1 - chance)
    information = np.zeros((size + 1, size + 1))
    information[:-1, :-1] = np.diag(weight.sum(axis=1) + weight.sum(axis=0)) - weight - weight.T
    information[:-1, -1] = information[-1, :-1] = weight.sum(axis=1) - weight.sum(axis=0)
    information[-1, -1] = weight.sum()
    return slope, information


def _errors(known: Numbers, inverse: Numbers, played: Numbers, won: Numbers) -> Numbers:
    """The standard errors, from how much the slopes of the deals differ; the games of one deal may hang together."""
    import numpy as np

    slopes = np.array([_slope(known, one, two)[0] for one, two in zip(played, won, strict=True)])
    deals = len(slopes)
    between = slopes.T @ slopes * (deals / max(deals - 1, 1))
    errors: Numbers = np.sqrt(np.maximum(np.diag(inverse @ between @ inverse), 0))
    return errors if deals > 1 else np.full(len(known), np.inf)
