"""What the drawn board of Showdown needs besides its view."""

from collections.abc import Hashable, Sequence
from typing import Any

from numberquest.games.showdown.rules import Position, Showdown


def more(game: Showdown, positions: Sequence[Position], history: Sequence[str]) -> dict[str, Any]:
    """The sequence with its sum, and who added each number of it: 1 or 2."""
    sequence: list[int] = []
    players: list[int] = []
    for entry in history:
        # A prediction that is secret has no words here.
        if entry.isdecimal():
            players.append(len(sequence) % 2 + 1)
            sequence.append(int(entry))
    # Of secret predictions it is known how many are written down: Player 1 does so first.
    secret = {"written": len(history) - len(sequence)} if game.secret else {}
    return {"sequence": sequence, "players": players, "sum": game.total(positions[-1]), **secret}


def facts(game: Showdown, before: Position, entry: str, after: Position) -> dict[str, Any]:
    """The sum of the sequence, where a number is added to it."""
    return {} if game.binding(entry) else {"sum": game.total(after)}


def depends(game: Showdown, p: Position) -> Hashable:
    """The sum so far; where the game ends with a number, the predictions decide how."""
    return game.total(p) if game.high - len(p.pool) + 1 < game.picks else p
