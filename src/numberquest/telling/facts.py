"""Facts that several sentences share, and the words for any of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.contract import Outcome, ending
from numberquest.sentences import NAMES, Said, told
from numberquest.solver.solution import ALIKE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numberquest.contract import Game
    from numberquest.solver.solution import Value


def inside(code: str, **facts: Any) -> dict[str, Any]:
    """A sentence that stands inside another."""
    return {"code": code, "facts": facts}


def outcome_fact(outcome: Outcome) -> dict[str, Any]:
    """How a game ended, as a fact: the winner is 1 or 2, or None."""
    winner = None if outcome.winner is None else outcome.winner + 1
    return {"winner": winner, "reason": outcome.reason, "facts": dict(outcome.facts)}


def in_words(game: Game[Any], said: Said | Iterable[Said], names: tuple[str, str] = NAMES) -> str:
    """What is said about a game, in words: one sentence or several."""

    def told_ending(fact: Mapping[str, Any]) -> str:
        winner = None if fact["winner"] is None else fact["winner"] - 1
        return ending(game, Outcome(winner, fact["reason"], fact["facts"]), names)

    several = [said] if isinstance(said, Said) else said
    return " ".join(told(each, names, told_ending) for each in several)


def wins(value: Value) -> bool:
    """Without chance: whether a value is a win."""
    return value >= 1 - ALIKE


def loses(value: Value) -> bool:
    """Without chance: whether a value is a loss; what is neither a win nor a loss is a draw."""
    return value <= ALIKE
