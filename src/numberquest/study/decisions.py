"""What an agent's choices were worth against best play: what each gave away, and whether it mattered."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from numberquest.core.contract import CHANCE, Game
from numberquest.core.match import Match
from numberquest.core.play_out import positions_of
from numberquest.core.record import Record
from numberquest.core.seen_history import known_after
from numberquest.players.asking import tokens_in
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
    """In a game with secrets, what the player knew."""
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
        self._values = lru_cache(MOST_REMEMBERED)(self._looked_up)

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
                if game.has_secrets:
                    p = known_after(game, row.history[:at], seat)
                values, best, worst, ways = self._values(p)
                found.append(Decision(number, at, p, move, best, values[move], worst, ways, len(values)))
        if row.forfeit == seat:
            p = known_after(game, row.history, seat) if game.has_secrets else positions[-1]
            values, best, _, ways = self._values(p)
            # It was as if there were one more move, that loses.
            found.append(Decision(number + 1, len(row.history), p, FORFEIT, best, 0, 0, ways, len(values)))
        return found

    def _looked_up(self, p: Any) -> tuple[dict[str, Value], Value, Value, int]:
        values = self._solution.moves(p)
        best, worst = max(values.values()), min(values.values())
        return values, best, worst, sum(value >= best - ALIKE for value in values.values())


def answered_share(game: Game[Any], asked: Sequence[tuple[Row, int]]) -> float | None:
    """Which share of the questions was answered by whoever sat there, game by game; None where there was none."""
    missing = sum(row.unanswered[seat] for row, seat in asked)
    if not missing:
        return 1.0 if asked else None
    questions = 0
    for row, seat in asked:
        made = sum(game.player(p) == seat for p in positions_of(game, row.history)[:-1])
        questions += max(made + (row.forfeit == seat), row.unanswered[seat])
    return 1 - missing / questions


def tokens_used(rows: Iterable[Row], name: str) -> dict[str, int] | None:
    """Add up the tokens of the player of that name; None where no provider counts them."""
    return tokens_in(one for row in rows for one in row.heard if row.players[one["player"] - 1] == name) or None


WORST: Final = 10


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
        return self.row.players[self.seat]


def worst(contest: Contest, made: Iterable[Made], best: Callable[[Any], list[str]]) -> list[dict[str, Any]]:
    """The worst ten, each once, with how often it was made. `best` knows the best moves of a position."""
    first: dict[tuple[str, Any, str], Made] = {}
    times: Counter[tuple[str, Any, str]] = Counter()
    for one in made:
        if one.decision.loss:
            first.setdefault(one.key, one)
            times[one.key] += 1
    order = sorted(
        first.values(), key=lambda one: (-float(one.decision.loss), -times[one.key], one.row.job, one.decision.at)
    )
    # Of those that gave away as much, one of each position before a second one: ten first moves would tell little.
    seen: Counter[tuple[float, Any]] = Counter()
    ranks = []
    for one in order:
        place = float(one.decision.loss), one.decision.position
        ranks.append((-place[0], seen[place]))
        seen[place] += 1
    chosen = sorted(zip(ranks, order, strict=True), key=lambda ranked: ranked[0])[:WORST]
    return [
        {
            "who": one.who,
            "opponent": one.row.players[1 - one.seat],
            "seat": one.seat + 1,
            "deal": one.row.deal,
            "number": one.decision.number,
            "at": one.decision.at,
            "after": list(one.row.history[: one.decision.at]),
            "move": one.decision.move,
            "best": best(one.decision.position),
            "before": float(one.decision.before),
            "with_move": float(one.decision.after),
            "loss": float(one.decision.loss),
            "times": times[one.key],
            "record": record_of(contest, one.row),
        }
        for _, one in chosen
    ]


def record_of(contest: Contest, row: Row) -> str:
    """The game of a row as a record, to be reviewed."""
    game = contest.game
    match = Match(game, dealer=dealer_for(contest, row.deal)) if game.chance else Match(game)
    for p, entry in zip(positions_of(game, row.history), row.history, strict=False):
        if game.player(p) != CHANCE:
            match.play(entry)
    if row.forfeit is not None:
        match.resign(row.forfeit)
    first, second = (name if name in PLAYERS else "human" for name in row.players)
    return Record(match, kinds=(first, second)).text()
