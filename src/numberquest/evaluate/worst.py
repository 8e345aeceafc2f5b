"""The moves that gave most away, each with the record of a game in which it was made."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.contract import CHANCE
from numberquest.evaluate.game import dealer_for
from numberquest.match import Match
from numberquest.players import PLAYERS
from numberquest.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numberquest.evaluate.decisions import Decision
    from numberquest.evaluate.game import Contest, Row

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
