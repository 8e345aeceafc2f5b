"""What is proved about a game, in one sentence. Computed, never typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.contract import CHANCE, Game, player_name
from numberquest.solver.search import Search
from numberquest.wording import in_short

if TYPE_CHECKING:
    from numberquest.solver.solution import Solution, Value

MOST_NAMED = 3
"""How many winning first moves are named one by one."""


def proved(solution: Solution[Any]) -> str:
    """Who wins under best play, and how: `Player 1 wins by saying 45`."""
    game = solution.game
    start = game.start()
    chance = solution.value_for(0, start)
    if game.deck:
        said = f"Player 1 wins {percent(chance)}"
        return f"no choice matters: {said}" if no_choice_matters(solution) else f"with best play {said}"
    if chance == 0:
        return "Player 2 wins, whatever Player 1 starts with"
    return f"{player_name(0)} wins by {_by(game, solution.best(start))}"


def percent(chance: Value) -> str:
    """A chance as people read it: `41.23 %`."""
    return f"{100 * float(chance):.2f} %"


def no_choice_matters(solution: Solution[Any]) -> bool:
    """Whether all moves are alike wherever somebody has to choose. Shown by looking at every position."""
    if not isinstance(solution, Search):
        # The larger games are not looked through one by one, so nothing is claimed about them.
        return False
    game = solution.game
    return all(
        len({solution.value_for(0, game.play(p, move)) for move in game.moves(p)}) < 2
        for p in solution.solved()
        if game.player(p) != CHANCE
    )


def _by(game: Game[Any], moves: list[str]) -> str:
    if all(game.binding(move) for move in moves):
        return f"saying {in_short([move.rpartition(' ')[2] for move in moves])}"
    if len(moves) > MOST_NAMED:
        return f"starting with {', '.join(moves[:MOST_NAMED])} or {len(moves) - MOST_NAMED} others"
    return f"starting with {' or '.join(moves)}"
