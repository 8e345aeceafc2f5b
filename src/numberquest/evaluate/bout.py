"""Two players of any kind against each other, many games, seats alternating: what `match` plays with programs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.evaluate.asking import ask
from numberquest.evaluate.trouble import ProviderError
from numberquest.lab.tournament import Standing
from numberquest.match import Match
from numberquest.stream import Stream

if TYPE_CHECKING:
    from numberquest.contract import Game
    from numberquest.players import Player
    from numberquest.solver.budget import Progress

AGAIN: Final = 3
"""So often a game is begun that an error breaks off; then it is missing."""
IN_A_ROW: Final = 3
"""After so many missing games in a row nobody waits for more."""


class Bout(NamedTuple):
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


def bout(game: Game[Any], a: Player, b: Player, games: int, seed: str, progress: Progress | None = None) -> Bout:
    """Let two players play so many games; `a` is Player 1 in the first, third, fifth …

    `ProviderError` where an error breaks off one game after the other.
    """
    played, wins, draws = [0, 0], [0, 0], 0
    illegal, forfeits, errors, missing, row = [0, 0], [0, 0], 0, 0, 0
    started = time.perf_counter()
    for number in range(games):
        a_seat = number % 2
        one = _Game(game, (b, a) if a_seat else (a, b), f"{seed}.{number + 1}")
        for attempt in range(1, AGAIN + 1):
            try:
                one.play()
            except ProviderError:
                errors += 1
                if attempt == AGAIN:
                    missing, row = missing + 1, row + 1
                    if row == IN_A_ROW or missing == games:
                        raise
                continue
            row = 0
            played[a_seat] += 1
            winner = one.winner
            if winner is None:
                draws += 1
            elif winner == a_seat:
                wins[a_seat] += 1
            for seat in (0, 1):
                who = seat ^ a_seat
                illegal[who] += one.illegal[seat]
                forfeits[who] += one.forfeit == seat
            break
        if progress is not None:
            progress(number, games)
    seconds = time.perf_counter() - started
    standing = Standing(a.name, b.name, played[0], wins[0], played[1], wins[1], seconds, draws)
    return Bout(standing, (illegal[0], illegal[1]), (forfeits[0], forfeits[1]), errors, missing)


class _Game:
    """One game between two players: Player 1 and Player 2."""

    def __init__(self, game: Game[Any], players: tuple[Player, Player], seed: str) -> None:
        self._game, self._players, self._seed = game, players, seed

    def play(self) -> None:
        """Play it, from the start; the same seed gives the same again."""
        match: Match[Any] = Match(self._game, seed=self._seed)
        self.illegal = [0, 0]
        self.forfeit: int | None = None
        while match.outcome is None:
            seat, history = match.player, match.history
            dice = Stream(self._seed, f"player {seat + 1} after {len(history)}")
            asked = ask(self._players[seat], self._game, match.position, dice, history)
            self.illegal[seat] += len(asked.illegal)
            if asked.move is None:
                self.forfeit = seat
                match.resign(seat)
            else:
                match.play(asked.move)
        self.winner = match.outcome.winner
