"""How a game ended, as people read it."""

from typing import Any

from numberquest.core.contract import Game, Outcome, ending
from numberquest.core.match import Match


def told(game: Game[Any], outcome: Outcome | None) -> tuple[int | None, str] | None:
    """The winner and the words; None while the game goes on."""
    return None if outcome is None else (outcome.winner, ending(game, outcome))


def end_of(match: Match[Any]) -> tuple[int | None, str] | None:
    """The same of a match."""
    return told(match.game, match.outcome)


def closer(where: str, winner: int, score: int, other: int, target: int) -> tuple[int, str]:
    """The end of a game in which whoever has come closer to the target wins."""
    words = f"Player {winner + 1} with {score} is closer to {target} than Player {2 - winner} with {other}"
    return winner, f"{where}, and {words}"


def tied(where: str, winner: int, score: int, loser: str = "last to play") -> tuple[int, str]:
    """The end of a game in which both have the same."""
    return winner, f"{where}, both have {score}, and Player {2 - winner}, {loser}, loses the tie"
