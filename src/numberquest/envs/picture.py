"""A position in a few lines of words, for render()."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.contract import ending, player_name
from numberquest.rulebook import titled
from numberquest.view import said

if TYPE_CHECKING:
    from numberquest.contract import Game, Outcome


def picture(game: Game[Any], position: Any) -> str:
    """What lies on the table, and whose turn it is or who has won."""
    outcome = game.outcome(position)
    if outcome is None:
        last = f"{player_name(game.turn(position))} is to move."
    else:
        last = result(game, outcome)
    return "\n".join([titled(game), *said(game, position), last])


def result(game: Game[Any], outcome: Outcome) -> str:
    """How a game has ended, as a sentence."""
    who = "It is a draw" if outcome.winner is None else f"{player_name(outcome.winner)} wins"
    return f"{who}: {ending(game, outcome)}."
