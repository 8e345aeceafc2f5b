"""How a game ended, as people read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.contract import ending

if TYPE_CHECKING:
    from numberquest.contract import Game, Outcome
    from numberquest.match import Match


def told(game: Game[Any], outcome: Outcome | None) -> tuple[int | None, str] | None:
    """The winner and the words; None while the game goes on."""
    return None if outcome is None else (outcome.winner, ending(game, outcome))


def end_of(match: Match[Any]) -> tuple[int | None, str] | None:
    """The same of a match."""
    return told(match.game, match.outcome)
