"""State in one sentence what is proved about a game. Computed, never typed in."""

from collections.abc import Iterable
from typing import Any, Final

from numberquest.core.contract import CHANCE
from numberquest.core.sentences import Said
from numberquest.solver.budget import TooLarge
from numberquest.solver.graph import graph_of, merges_unlike
from numberquest.solver.secrets.solution import SecretSolution
from numberquest.solver.solution import ALIKE, Solution

HALF: Final = 0.5


def proved(solution: Solution[Any]) -> Said:
    """Return who wins under best play, and how: `Player 1 wins by saying 45`."""
    game = solution.game
    start = game.start()
    if isinstance(solution, SecretSolution):
        drawn = "-drawn" if solution.can_be_drawn else ""
        low, chance, high = map(float, solution.certificate)
        if solution.error:
            return Said(f"proved-between{drawn}", {"player": 1, "low": low, "high": high})
        return Said(f"proved-chance{drawn}", {"player": 1, "chance": chance})
    if game.chance:
        drawn = "-drawn" if can_be_drawn(solution) else ""
        code = "proved-alike" if no_choice_matters(solution) else "proved-chance"
        return Said(f"{code}{drawn}", {"player": 1, "chance": float(solution.value_for(0, start))})
    mover = game.turn(start)
    value = solution.value(start)
    if value == 0:
        return Said("proved-lost", {"player": mover + 1, "winner": 2 - mover})
    if value != 1:
        return Said("proved-draw" if _ends(solution) else "proved-endless")
    best = solution.best(start)
    if len(best) == len(game.moves(start)):
        return Said("proved-sure" if no_choice_matters(solution) else "proved-won-any", {"player": mover + 1})
    how = "starting with"
    if game.declaring and all(game.binding(move) for move in best):
        how, best = game.declaring, [game.declared(move) for move in best]
    return Said("proved-won", {"player": mover + 1, "how": how, "moves": best})


def no_choice_matters(solution: Solution[Any]) -> bool:
    """Tell whether all moves are alike at every decision. Shown by looking at every position."""
    # The larger games are not looked through one by one, so nothing is claimed about them.
    game, positions = solution.game, _positions(solution)
    return bool(positions) and all(
        max(values) - min(values) <= ALIKE
        for p in positions
        if game.player(p) != CHANCE and (values := [solution.value_for(0, game.play(p, m)) for m in game.moves(p)])
    )


def can_be_drawn(solution: Solution[Any]) -> bool:
    """Whether a game has ended in a draw in one of the positions that were looked at, or best play never ends there."""
    if isinstance(solution, SecretSolution):
        return solution.can_be_drawn
    positions = _positions(solution)
    outcomes = map(solution.game.outcome, positions)
    return any(outcome is not None and outcome.winner is None for outcome in outcomes) or (
        solution.game.longest is None and _never_ends(solution, positions)
    )


def _never_ends(solution: Solution[Any], positions: Iterable[Any]) -> bool:
    """Whether best moves lead among some positions for ever: what never ends is a draw."""
    game = solution.game
    even = {p for p in positions if game.outcome(p) is None and abs(solution.value_for(0, p) - HALF) <= ALIKE}
    kept: set[Any] = set()
    while kept != even:
        kept = even
        even = {p for p in kept if _stays(solution, p, kept)}
    return bool(kept)


def _stays(solution: Solution[Any], p: Any, among: set[Any]) -> bool:
    """Whether the next position is one of these: after a best move, or whatever chance draws."""
    game = solution.game
    by_chance = game.player(p) == CHANCE
    after = (game.alike(game.play(p, move)) in among for move in (game.moves(p) if by_chance else solution.best(p)))
    return all(after) if by_chance else any(after)


def _positions(solution: Solution[Any]) -> Iterable[Any]:
    """Return the solved positions, one for all that are alike; none where too many to be listed."""
    game, positions = solution.game, solution.solved()
    if not positions or not merges_unlike(game):
        return positions
    try:
        return graph_of(game, game.alike).numbers
    except TooLarge:
        return ()


def _ends(solution: Solution[Any]) -> bool:
    """Tell whether best moves can bring a game that nobody wins to an end."""
    game = solution.game
    seen: set[Any] = set()
    waiting = [game.start()]
    while waiting:
        p = waiting.pop()
        if game.outcome(p) is not None:
            return True
        following = {game.alike(game.play(p, move)) for move in solution.best(p)} - seen
        seen |= following
        waiting += following
    return False
