"""Two players against each other, many games, seats alternating: levels by the thousand, and programs one by one."""

import time
from bisect import bisect
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import accumulate, repeat
from math import inf
from random import Random
from typing import Any, Final, NamedTuple

from numberquest.core.contract import CHANCE, Game
from numberquest.core.dealer import seeded
from numberquest.core.errors import Unable
from numberquest.core.play_out import BEGINS, PlayedOut, changes_seats, drawn_by, play_out
from numberquest.core.progress import Progress
from numberquest.core.stream import Dice, Stream
from numberquest.players.asking import ProviderError, ask
from numberquest.players.levels import PLAYERS, Player, perfect_moves
from numberquest.solver import solve
from numberquest.study.intervals import wilson
from numberquest.study.policy_values import Chance

MOST_PLACES: Final = 200_000
"""So many positions are remembered; then the memory starts anew, so that it never fills up."""
AGAIN: Final = 3
"""So often a game is begun that an error breaks off; then it is missing."""
IN_A_ROW: Final = 3
"""After so many missing games in a row nobody waits for more."""


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
        return wilson(self.share_a, self.games)


def began(begins: str, games: float, one: Chance, two: Chance) -> float:
    """In which share of so many games `a` begins on average, exactly; `games` may be infinite.

    `one` is what a game comes to in which `a` begins, `two` one in which `b` does, each for who begins.
    """

    def stays(chance: Chance) -> float:
        """How often who begins a game begins the next one too."""
        results = {0: chance.first, 1: 1 - chance.first - chance.draw, None: chance.draw}
        return sum(likely for winner, likely in results.items() if not changes_seats(begins, winner))

    after_b = 1 - stays(two)
    kept = stays(one) - after_b
    if begins == "first" or kept == 1:
        return 1.0
    # Each game, what is left of the difference to the long run is `kept` of what it was before.
    long_run = after_b / (1 - kept)
    return long_run + (0.0 if games == inf else (1 - long_run) * (1 - kept**games) / (1 - kept) / games)


def expected_share(begins: str, games: float, one: Chance, two: Chance) -> float:
    """Which share of the points `a` makes in so many games on average, exactly."""
    often = began(begins, games, one, two)
    return often * one.share + (1 - often) * (1 - two.share)


def tournament(
    game: Game[Any],
    a: str,
    b: str,
    games: int,
    seed: str,
    progress: Progress | None = None,
    begins: str = BEGINS[0],
) -> Standing:
    """Let two levels play so many games; `a` is Player 1 in the first."""
    dice = _FastDice(seed)
    try:
        solve(game)
        play = partial(_thought_winner, game, dice) if game.has_secrets else _LevelGames(game, dice).winner
    except Unable:
        play = partial(_thought_winner, game, dice)
    tally, seats = _Tally(a, b, begins), ((a, b), (b, a))
    for number in range(games):
        tally.add(play(seats[tally.seat]))
        if progress is not None and number % 64 == 0:
            progress(number, games)
    return tally.standing()


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


class _LevelGames:
    """Games of levels, by the thousand: each position is worked out only the first time."""

    def __init__(self, game: Game[Any], dice: Random) -> None:
        self._game = game
        self._random = dice.random
        self._places: dict[Any, _Place] = {}
        self._start = self._place(game.start())
        # A game that need not end is a draw after its bound.
        self._steps: Iterable[object] = repeat(None) if game.longest is not None else range(game.bound + 1)

    def winner(self, levels: tuple[str, str]) -> int | None:
        """Play one game and return the winner's seat; None is a draw."""
        if len(self._places) > MOST_PLACES:
            self._places.clear()
            self._start = self._place(self._game.start())
        random = self._random
        any_move = [PLAYERS[level].any_move / 100 for level in levels]
        place = self._start
        for _ in self._steps:
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


def _thought_winner(game: Game[Any], dice: Dice, levels: tuple[str, str]) -> int | None:
    """The winner of a game whose rules are too large to solve, or that has secrets: the players think at every move."""

    def choose(p: Any, player: int, history: Sequence[str]) -> str:
        return PLAYERS[levels[player]].choose(game, p, dice, history)

    return play_out(game, choose, drawn_by(game, dice)).winner


class _FastDice(Random):
    """Python's own random numbers as dice: the same seed gives the same games, and choices cost little."""

    choose = Random.choice
    below = Random.randrange


class _Tally:
    """The games of two players counted, by the seat of the first, who is Player 1 at the beginning."""

    def __init__(self, a: str, b: str, begins: str) -> None:
        self._names, self._begins = (a, b), begins
        self._played, self._wins, self._draws = [0, 0], [0, 0], 0
        self.seat = 0
        """Where the first of them sits now."""
        self._started = time.perf_counter()

    def add(self, winner: int | None) -> None:
        seat = self.seat
        self._played[seat] += 1
        if winner is None:
            self._draws += 1
        elif winner == seat:
            self._wins[seat] += 1
        self.seat = seat ^ changes_seats(self._begins, winner)

    def standing(self) -> Standing:
        (first, second), (won_first, won_second) = self._played, self._wins
        seconds = time.perf_counter() - self._started
        return Standing(*self._names, first, won_first, second, won_second, seconds, self._draws)


class Matchup(NamedTuple):
    """How it came out, with what went wrong, of `a` and of `b`."""

    standing: Standing
    illegal: tuple[int, int] = (0, 0)
    """How many answers were no allowed moves."""
    forfeits: tuple[int, int] = (0, 0)
    """How many games were lost by that."""
    errors: int = 0
    """How often an error has broken a game off; it was played again."""
    missing: int = 0
    """How many games could not be played to their end at all; nobody has won or lost them."""


def play_matchup(
    game: Game[Any],
    a: Player,
    b: Player,
    games: int,
    seed: str,
    progress: Progress | None = None,
    begins: str = BEGINS[0],
) -> Matchup:
    """Let two players play so many games; `a` is Player 1 in the first.

    `ProviderError` where an error breaks off one game after the other.
    """
    illegal, forfeits, errors, missing, row = [0, 0], [0, 0], 0, 0, 0
    tally = _Tally(a.name, b.name, begins)
    for number in range(games):
        players = (b, a) if tally.seat else (a, b)
        for attempt in range(1, AGAIN + 1):
            try:
                one, wrong = _played(game, players, f"{seed}.{number + 1}")
            except ProviderError:
                errors += 1
                if attempt == AGAIN:
                    missing, row = missing + 1, row + 1
                    if row == IN_A_ROW or missing == games:
                        raise
                continue
            row = 0
            for seat in (0, 1):
                who = seat ^ tally.seat
                illegal[who] += wrong[seat]
                forfeits[who] += one.forfeit == seat
            tally.add(one.winner)
            break
        else:
            # Nobody knows who would have won.
            tally.seat ^= changes_seats(begins, None)
        if progress is not None:
            progress(number, games)
    return Matchup(tally.standing(), (illegal[0], illegal[1]), (forfeits[0], forfeits[1]), errors, missing)


def _played(game: Game[Any], players: tuple[Player, Player], seed: str) -> tuple[PlayedOut, list[int]]:
    """One game, and how many answers of each player were no allowed moves; the same seed gives the same again."""
    dealer, illegal = seeded(game, seed), [0, 0]

    def choose(p: Any, seat: int, history: Sequence[str]) -> str | None:
        dice = Stream(seed, f"player {seat + 1} after {len(history)}")
        reply = ask(players[seat], game, p, dice, tuple(history))
        illegal[seat] += len(reply.illegal)
        return reply.move

    return play_out(game, choose, lambda p, before: dealer.reveal(game, p, before)), illegal
