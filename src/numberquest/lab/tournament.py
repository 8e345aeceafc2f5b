"""Computer against computer, many games at once, seats alternating."""

from __future__ import annotations

import time
from bisect import bisect
from itertools import accumulate, repeat
from math import sqrt
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.contract import CHANCE
from numberquest.players import PLAYERS, perfect_moves
from numberquest.solver import TooLarge, solve
from numberquest.stream import weighted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numberquest.contract import Game
    from numberquest.solver.budget import Progress
    from numberquest.stream import Dice

MOST_PLACES: Final = 200_000
"""So many positions are remembered; then the memory starts anew, so that it never fills up."""

STEPS_TO_95: Final = 1.959963984540054
"""How many standard deviations 95 % of all results lie within."""


class Standing(NamedTuple):
    """How a tournament came out: games and wins of `a` by seat."""

    a: str
    b: str
    a_first_games: int
    a_first_wins: int
    a_second_games: int
    a_second_wins: int
    seconds: float
    draws: int = 0
    """How many games nobody won."""

    @property
    def games(self) -> int:
        """How many were played."""
        return self.a_first_games + self.a_second_games

    @property
    def wins_a(self) -> int:
        """How many `a` won, in both seats."""
        return self.a_first_wins + self.a_second_wins

    @property
    def share_a(self) -> float:
        """Which share of the games `a` won; a draw is half a win."""
        return (self.wins_a + self.draws / 2) / self.games

    @property
    def wins_b(self) -> int:
        """How many `b` won, in both seats."""
        return self.games - self.wins_a - self.draws

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies, in 95 of 100 tournaments (Wilson's interval)."""
        return wilson(self.wins_a + self.draws / 2, self.games)


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The interval that holds the true chance 95 % of the time; sound also for all or no wins."""
    share, z2 = wins / games, STEPS_TO_95**2
    middle = share + z2 / (2 * games)
    width = STEPS_TO_95 * sqrt(share * (1 - share) / games + z2 / (4 * games**2))
    low, high = (middle - width) / (1 + z2 / games), (middle + width) / (1 + z2 / games)
    # Rounding must not put the share itself outside.
    return max(0.0, min(low, share)), min(1.0, max(high, share))


def tournament(game: Game[Any], a: str, b: str, games: int, seed: str, progress: Progress | None = None) -> Standing:
    """Let two levels play so many games; `a` is Player 1 in the first, third, fifth …"""
    # The same seed gives the same games, and tens of thousands of choices a second must cost little.
    dice = Random(seed)  # noqa: S311
    hall = _hall(game, dice)
    wins, draws = [0, 0], 0
    started = time.perf_counter()
    for number in range(games):
        a_seat = number % 2
        levels = (b, a) if a_seat else (a, b)
        winner = hall.winner(levels)
        if winner is None:
            draws += 1
        elif winner == a_seat:
            wins[a_seat] += 1
        if progress is not None and number % 64 == 0:
            progress(number, games)
    seconds = time.perf_counter() - started
    return Standing(a, b, (games + 1) // 2, wins[0], games // 2, wins[1], seconds, draws)


def _hall(game: Game[Any], dice: Random) -> _Hall | _LargeHall:
    try:
        solve(game)
    except TooLarge:
        return _LargeHall(game, dice)
    return _Hall(game, dice)


class _Place:
    """A position, with the places that its moves lead to; these are looked up once and remembered."""

    __slots__ = ("best", "following", "mover", "outcome", "position", "sums")

    def __init__(self, game: Game[Any], position: Any) -> None:
        self.position = position
        self.outcome = game.outcome(position)
        self.mover = game.player(position)
        self.following: list[_Place] = []
        self.best: list[_Place] = []
        self.sums: Sequence[int] = ()
        """Of reveals, the weight of each and of all before it together."""


class _Hall:
    """Where games of levels are played: each position is worked out only the first time."""

    def __init__(self, game: Game[Any], dice: Random) -> None:
        self._game = game
        self._random = dice.random
        self._places: dict[Any, _Place] = {}
        self._start = self._place(game.start())

    def winner(self, levels: tuple[str, str]) -> int | None:
        """Play one game and return the winner's seat; None is a draw."""
        if len(self._places) > MOST_PLACES:
            self._places.clear()
            self._start = self._place(self._game.start())
        random = self._random
        any_move = [PLAYERS[level].any_move / 100 for level in levels]
        place = self._start
        for _ in _steps(self._game):
            if place.outcome is not None:
                return place.outcome.winner
            if place.mover == CHANCE:
                choice = place.following or self._following(place)
                place = choice[bisect(place.sums, random() * place.sums[-1])]
                continue
            slips = any_move[place.mover]
            if slips == 1 or random() < slips:
                choice = place.following or self._following(place)
            else:
                choice = place.best or self._best(place)
            place = choice[int(random() * len(choice))]
        return None

    def _place(self, position: Any) -> _Place:
        place = self._places.get(position)
        if place is None:
            place = self._places[position] = _Place(self._game, position)
        return place

    def _following(self, place: _Place) -> list[_Place]:
        game, p = self._game, place.position
        if place.mover == CHANCE:
            place.sums = list(accumulate(game.weights(p)))
        place.following = [self._place(game.play(p, move)) for move in game.moves(p)]
        return place.following

    def _best(self, place: _Place) -> list[_Place]:
        game, p = self._game, place.position
        place.best = [self._place(game.play(p, move)) for move in perfect_moves(game, p)]
        return place.best


class _LargeHall:
    """Where games are played whose rules are too large to solve: the players think at every move."""

    def __init__(self, game: Game[Any], dice: Random) -> None:
        self._game = game
        self._dice: Dice = _FastDice(dice)

    def winner(self, levels: tuple[str, str]) -> int | None:
        """Play one game and return the winner's seat; None is a draw."""
        game, dice = self._game, self._dice
        p = game.start()
        for _ in _steps(game):
            outcome = game.outcome(p)
            if outcome is not None:
                return outcome.winner
            mover = game.player(p)
            if mover == CHANCE:
                weights = game.weights(p)
                p = game.play(p, weighted(game.moves(p), weights, dice.below(sum(weights))))
            else:
                p = game.play(p, PLAYERS[levels[mover]].choose(game, p, dice))
        return None


def _steps(game: Game[Any]) -> Iterable[object]:
    """A step for each move and reveal, and one more: a game that need not end is a draw after its bound."""
    return repeat(None) if game.longest is not None else range(game.bound + 1)


class _FastDice:
    """Python's own random numbers as dice."""

    def __init__(self, dice: Random) -> None:
        self._random = dice

    def choose(self, things: Sequence[str]) -> str:
        """One of the things, each alike."""
        return things[self.below(len(things))]

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1, each alike."""
        return self._random.randrange(bound)
