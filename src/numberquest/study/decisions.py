"""What an agent's choices were worth against best play: what each gave away, and whether it mattered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from numberquest.core.contract import CHANCE, Game
from numberquest.core.match import Match
from numberquest.core.record import Record
from numberquest.players.levels import PLAYERS
from numberquest.solver import Solution
from numberquest.solver.solution import ALIKE, Value
from numberquest.study.game import Contest, Row, dealer_for

MOST_REMEMBERED: Final = 200_000
FORFEIT: Final = "forfeit"
"""Stands for the move of somebody whose answers were none."""


class Decision(NamedTuple):
    """One choice of a player, seen with best play from there on."""

    number: int
    """Which move of the game, counted from 1."""
    at: int
    """Where it stands in the history."""
    position: Any
    move: str
    before: Value
    """The chance with the best move."""
    after: Value
    """The chance with this one."""
    worst: Value
    """The chance with the worst one."""
    ways: int
    """How many of the moves are best."""
    moves: int
    """How many are allowed."""

    @property
    def loss(self) -> Value:
        """The part of the winning chance that it gave away."""
        loss = self.before - self.after
        return loss if loss > ALIKE else 0

    @property
    def stake(self) -> Value:
        """How much there was to give away."""
        stake = self.before - self.worst
        return stake if stake > ALIKE else 0

    @property
    def mattered(self) -> bool:
        """Whether the moves differed in what they were worth."""
        return self.stake > 0

    @property
    def is_best(self) -> bool:
        """Whether nothing was better."""
        return not self.loss


class Judge:
    """Knows what every move is worth; each position is looked up once."""

    def __init__(self, game: Game[Any], solution: Solution[Any]) -> None:
        self._game, self._solution = game, solution
        self._known: dict[Any, tuple[dict[str, Value], Value, Value, int]] = {}

    def decisions(self, row: Row, positions: Sequence[Any], seat: int) -> list[Decision]:
        """Every choice of the player in that seat; of a game that was forfeited, with what that gave away."""
        game = self._game
        number, found = 0, []
        for at, (p, move) in enumerate(zip(positions, row.history, strict=False)):
            player = game.player(p)
            if player not in (0, 1):
                continue
            number += 1
            if player == seat:
                values, best, worst, ways = self._values(p)
                found.append(Decision(number, at, p, move, best, values[move], worst, ways, len(values)))
        if row.forfeit == seat:
            p = positions[-1]
            values, best, _, ways = self._values(p)
            # It was as if there were one more move, that loses.
            found.append(Decision(number + 1, len(row.history), p, FORFEIT, best, 0, 0, ways, len(values)))
        return found

    def _values(self, p: Any) -> tuple[dict[str, Value], Value, Value, int]:
        known = self._known.get(p)
        if known is None:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            values = self._solution.moves(p)
            best, worst = max(values.values()), min(values.values())
            ways = sum(value >= best - ALIKE for value in values.values())
            known = self._known[p] = values, best, worst, ways
        return known


def positions_of(game: Game[Any], history: Sequence[str]) -> list[Any]:
    """The start, and the position after each move and reveal."""
    p = game.start()
    positions = [p]
    for entry in history:
        p = game.play(p, entry)
        positions.append(p)
    return positions


WORST: Final = 10
"""So many of the worst moves are told."""


class Made(NamedTuple):
    """A choice, the game it was made in, and who made it."""

    row: Row
    seat: int
    decision: Decision

    @property
    def key(self) -> tuple[str, Any, str]:
        """The same for all that are the same move of the same player."""
        return self.who, self.decision.position, self.decision.move

    @property
    def who(self) -> str:
        """The name of the player whose choice it was."""
        return self.row.agent if self.seat == self.row.seat else self.row.opponent

    @property
    def other(self) -> str:
        """The name of the opponent."""
        return self.row.opponent if self.seat == self.row.seat else self.row.agent


def worst(contest: Contest, made: Iterable[Made], best: Callable[[Any], list[str]]) -> list[dict[str, Any]]:
    """The worst ten, each once, with how often it was made. `best` knows the best moves of a position."""
    first: dict[tuple[str, Any, str], Made] = {}
    times: dict[tuple[str, Any, str], int] = defaultdict(int)
    for one in made:
        if one.decision.loss:
            first.setdefault(one.key, one)
            times[one.key] += 1
    order = sorted(
        first.values(), key=lambda one: (-float(one.decision.loss), -times[one.key], one.row.job, one.decision.at)
    )
    # Of those that gave away as much, one of each position before a second one: ten first moves would tell little.
    seen: dict[tuple[float, Any], int] = defaultdict(int)
    ranks = []
    for one in order:
        loss = float(one.decision.loss)
        ranks.append((-loss, seen[loss, one.decision.position]))
        seen[loss, one.decision.position] += 1
    chosen = sorted(zip(ranks, order, strict=True), key=lambda ranked: ranked[0])[:WORST]
    return [_told(contest, one, times[one.key], best(one.decision.position)) for _, one in chosen]


def _told(contest: Contest, one: Made, times: int, best: list[str]) -> dict[str, Any]:
    row, decision = one.row, one.decision
    return {
        "who": one.who,
        "opponent": one.other,
        "seat": one.seat + 1,
        "deal": row.deal,
        "number": decision.number,
        "at": decision.at,
        "after": list(row.history[: decision.at]),
        "move": decision.move,
        "best": best,
        "before": float(decision.before),
        "with_move": float(decision.after),
        "loss": float(decision.loss),
        "times": times,
        "record": record_of(contest, row),
    }


def record_of(contest: Contest, row: Row) -> str:
    """The game of a row as a record, to be reviewed."""
    game = contest.game
    match = Match(game, dealer=dealer_for(contest, row.deal)) if game.chance else Match(game)
    p = game.start()
    for entry in row.history:
        if game.player(p) != CHANCE:
            match.play(entry)
        p = game.play(p, entry)
    if row.forfeit is not None:
        match.resign(row.forfeit)
    names = (row.agent, row.opponent) if row.seat == 0 else (row.opponent, row.agent)
    kinds = [name if name in PLAYERS else "human" for name in names]
    return Record(match, kinds=(kinds[0], kinds[1])).text()
