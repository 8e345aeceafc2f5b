"""How a level chooses in a game with secrets: from what it has seen alone, by the odds of best play."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final, Literal

from numberquest.core.contract import Game
from numberquest.core.errors import Unable
from numberquest.core.seen_history import could_be_there, known_after
from numberquest.core.stream import Dice
from numberquest.players.look_ahead import thought_best
from numberquest.solver import solve

FINE: Final = 2**53
"""Odds are drawn from so many equal parts."""
WORLDS: Final = 8
"""So many positions that could be there are thought about where the rules are too large to be worked out."""


def chosen_in_secret(
    game: Game[Any], position: Any, dice: Dice, history: Sequence[str] | None, *, only_solved: bool
) -> tuple[str, Literal["solved", "ahead"]]:
    """A move by the odds of best play; where they are not known, the best in most of what could be there; and how."""
    who = game.player(position)
    if history is None:
        raise ValueError(f"{game.slug} has secrets: what somebody knows there follows from what was played before")
    known = known_after(game, history, who)
    try:
        solution: Any = solve(game)
        return mixed(solution.odds(known), dice), "solved"
    except Unable:
        if only_solved:
            raise
    random = Random(dice.below(FINE))  # noqa: S311  # games, not secrets
    found = [could_be_there(game, known, who, random) for _ in range(WORLDS)]
    votes = Counter(thought_best(game, p, dice) for p in found if p is not None)
    best = [move for move in game.moves(position) if votes[move] == max(votes.values(), default=0)]
    return dice.choose(best), "ahead"


def mixed(odds: Mapping[str, Any], dice: Dice) -> str:
    """One of the moves, each as often as its odds say."""
    at = Fraction(dice.below(FINE), FINE)
    made = ""
    for move, likely in odds.items():
        at -= Fraction(likely)
        made = move if likely else made
        if at < 0:
            break
    return made
