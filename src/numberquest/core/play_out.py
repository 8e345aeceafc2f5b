"""One way to play a game to its end, whoever chooses and however chance is settled."""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

from numberquest.core.contract import CHANCE, Game, Outcome
from numberquest.core.stream import Dice, weighted

BEGINS: Final = ("turns", "loser", "winner", "first")
"""Who begins the next of several games: they take turns, who has lost, who has won, or always the same one."""
Choose = Callable[[Any, int, Sequence[str]], str | None]
"""Chooses a move in a position, for a player, 0 or 1, after these moves and reveals; None forfeits the game."""
Reveal = Callable[[Any, int], str]
"""What chance brings in a position, after so many reveals."""


class PlayedOut(NamedTuple):
    """How a game went."""

    history: tuple[str, ...]
    """All moves and reveals."""
    positions: tuple[Any, ...]
    """The start, and the position after each of them."""
    outcome: Outcome | None
    """None where the game was broken off: it had become too long, or was forfeited."""
    forfeit: int | None = None
    """Who did not choose a move, 0 or 1."""

    @property
    def winner(self) -> int | None:
        """Who won, 0 or 1; None is a draw, as a game is that was too long."""
        if self.forfeit is not None:
            return 1 - self.forfeit
        return None if self.outcome is None else self.outcome.winner


def positions_of(game: Game[Any], history: Iterable[str]) -> tuple[Any, ...]:
    """The start, and the position after each of these moves and reveals."""
    return tuple(accumulate(history, game.play, initial=game.start()))


def changes_seats(begins: str, winner: int | None) -> bool:
    """Whether the two change seats for the next game, after the one in this seat, 0 or 1, has won; after a draw, yes.

    With `first` they never do, not even then.
    """
    if begins in ("turns", "first") or winner is None:
        return begins != "first"
    return winner == (0 if begins == "loser" else 1)


def play_out(game: Game[Any], choose: Choose, reveal: Reveal, most: int | None = None) -> PlayedOut:
    """Play a game from its start to its end, or until there were `most` moves and reveals (otherwise `game.bound`).

    Trusts `choose` and `reveal` to give what is allowed.
    """
    most = game.bound if most is None else most
    play, outcome_of, player_of = game.play, game.outcome, game.player
    p, history, reveals = game.start(), list[str](), 0
    positions = [p]
    while (outcome := outcome_of(p)) is None and len(history) < most:
        player = player_of(p)
        if player == CHANCE:
            move: str | None = reveal(p, reveals)
            reveals += 1
        else:
            move = choose(p, player, history)
        if move is None:
            return PlayedOut(tuple(history), tuple(positions), None, player)
        history.append(move)
        p = play(p, move)
        positions.append(p)
    return PlayedOut(tuple(history), tuple(positions), outcome)


def drawn_by(game: Game[Any], dice: Dice) -> Reveal:
    """Chance that draws from these dice: each reveal as often as its weight says."""

    def reveal(p: Any, _: int) -> str:
        weights = game.weights(p)
        return weighted(game.moves(p), weights, dice.below(sum(weights)))

    return reveal
