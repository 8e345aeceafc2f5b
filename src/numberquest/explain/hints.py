"""What a move has given away, and hints in three steps: a nudge, the move, the proof."""

from collections.abc import Mapping
from typing import Any, Final

from numberquest.core.sentences import Said, inside, percent
from numberquest.explain.reasons import reason, shown_best
from numberquest.explain.review import Verdict, judged
from numberquest.solver import Solution
from numberquest.solver.solution import ALIKE, Value, loses, wins

STEPS: Final = 3
"""A nudge, the move, the proof."""


def comment(solution: Solution[Any], position: Any, move: str) -> list[Said]:
    """What a move gave away, what was best, and why where that can be said; empty where it gave nothing away."""
    verdict = judged(solution, position, move)
    if verdict.loss <= max(ALIKE, 2 * solution.error):
        return []
    why, good = reason(solution, position, move), reason(solution, position, shown_best(solution, position))
    cost, best_moves = _cost(verdict, bool(solution.game.chance)), list(verdict.best)
    return [
        Said("cost-because", {"cost": cost, "why": why}) if why else Said("cost-alone", {"cost": cost}),
        Said("best-was-because", {"best": best_moves, "why": good}) if good else Said("best-was", {"best": best_moves}),
    ]


def is_lost(solution: Solution[Any], position: Any) -> bool:
    """Whether every move loses there, against best play."""
    return not solution.game.chance and all(loses(value) for value in solution.moves(position).values())


def nudge(solution: Solution[Any], position: Any) -> list[Said]:
    """The first step: whether there is something to find."""
    values = solution.moves(position)
    top = max(values.values())
    if solution.game.chance:
        said = [Said("nudge-chance", {"chance": float(top)})]
        return [*said, Said("nudge-alike")] if all_alike(values) else said
    if loses(top):
        return [Said("nudge-lost")]
    result = "win" if wins(top) else "draw"
    best = sum(value >= top - ALIKE for value in values.values())
    if best == len(values):
        return [Said(f"nudge-all-{result}")]
    return [Said(f"nudge-one-{result}s" if best == 1 else f"nudge-some-{result}")]


def tip(solution: Solution[Any], position: Any) -> list[Said]:
    """The second step: what to play."""
    values = solution.moves(position)
    if solution.game.chance:
        if all_alike(values):
            return [Said("tip-any")]
    elif loses(max(values.values())):
        return [_hardest(solution, position)]
    best = shown_best(solution, position)
    why = reason(solution, position, best)
    return [Said("tip-play-because", {"move": best, "why": why}) if why else Said("tip-play", {"move": best})]


def proof(solution: Solution[Any], position: Any) -> list[Said]:
    """The third step, to be read line by line: what every move is worth, best first."""
    values = solution.moves(position)
    # What is shown as the same stands together.
    worth = percent if solution.game.chance else _result
    lines = [Said("proof-chances" if solution.game.chance else "proof-results")]
    for group in dict.fromkeys(map(worth, values.values())):
        # In the game's own order, so that numbers in a row stand together.
        moves = [move for move in solution.game.moves(position) if worth(values[move]) == group]
        if solution.game.chance:
            lines.append(Said("proof-chance", {"moves": moves, "chance": float(values[moves[0]])}))
        else:
            lines.append(Said(f"proof-{group}", {"moves": moves}))
    best = shown_best(solution, position)
    why = None if all_alike(values) else reason(solution, position, best)
    return [*lines, Said("proof-why", {"move": best, "why": why})] if why else lines


def _result(value: Value) -> str:
    return "wins" if wins(value) else "loses" if loses(value) else "draws"


def _cost(verdict: Verdict, chance: bool) -> dict[str, Any]:
    before, after = verdict.before, verdict.after
    if not chance:
        code = "cost-draw" if not wins(before) else "cost-win" if loses(after) else "cost-win-for-draw"
        return inside(code, move=verdict.move)
    points = round(100 * before) - round(100 * after)
    if not points:
        return inside("cost-little")
    return inside("cost-chance", points=points, before=float(before), after=float(after))


def all_alike(values: Mapping[str, Value]) -> bool:
    """Whether no move is better than another."""
    return max(values.values()) - min(values.values()) <= ALIKE


def _hardest(solution: Solution[Any], position: Any) -> Said:
    """In a lost position, the move that leaves the opponent the fewest ways to win."""
    game, player = solution.game, solution.game.player(position)
    winning = {}
    for move in game.moves(position):
        after = game.play(position, move)
        if game.player(after) == 1 - player and (answers := solution.moves(after)):
            winning[move] = (sum(map(wins, answers.values())), len(answers))
    if not winning:
        return Said("tip-lost")
    move = min(winning, key=lambda move: winning[move][0] / winning[move][1])
    right, answers_left = winning[move]
    if right == 1:
        return Said("tip-hardest-one", {"move": move, "answers": answers_left})
    return Said("tip-hardest", {"move": move, "right": right, "answers": answers_left})
