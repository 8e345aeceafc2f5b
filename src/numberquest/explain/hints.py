"""What a move has given away, and hints in three steps: a nudge, the move, the proof."""

from collections.abc import Mapping
from typing import Any, Final

from numberquest.core.contract import CHANCE
from numberquest.core.sentences import Said, inside, percent
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
    game = solution.game
    after = game.play(position, move)
    best = _shown_best(solution, position)
    why = _why_bad(solution, verdict.player, after)
    if game.chance:
        # Both numbers side by side say more than either alone.
        why = why or _worse_luck(solution, verdict.player, after, game.play(position, best))
    good = _why_good(solution, position, best)
    cost, best_moves = _cost(verdict, bool(game.chance)), list(verdict.best)
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
    return [Said("tip-play", {"move": _shown_best(solution, position)})]


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
    best = _shown_best(solution, position)
    why = _why_good(solution, position, best)
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


def _shown_best(solution: Solution[Any], position: Any) -> str:
    """A best move; one that ends the game at once, if there is one."""
    game, best = solution.game, solution.best(position)
    return next((move for move in best if game.outcome(game.play(position, move)) is not None), best[0])


def _answers(solution: Solution[Any], player: int, after: Any) -> dict[str, Value] | None:
    """What the opponent can answer; None where it is not the opponent who decides next."""
    if solution.game.player(after) != 1 - player:
        return None
    return solution.moves(after) or None


def _why_bad(solution: Solution[Any], player: int, after: Any) -> dict[str, Any] | None:
    outcome = solution.game.outcome(after)
    if outcome is not None:
        return inside("loses-at-once") if outcome.winner == 1 - player else None
    answers = _answers(solution, player, after)
    if answers is None or solution.game.chance or not wins(max(answers.values())):
        return None
    return inside("opponent-wins", moves=solution.best(after))


def _why_good(solution: Solution[Any], position: Any, move: str) -> dict[str, Any] | None:
    game = solution.game
    player, after = game.player(position), game.play(position, move)
    outcome = game.outcome(after)
    if outcome is not None:
        if outcome.winner == 1 - player:
            return None
        return inside("draws-at-once" if outcome.winner is None else "wins-at-once", move=move)
    answers = _answers(solution, player, after)
    if answers is None or any(answers.values()):
        return None
    if game.landmark:
        return inside("leaves-lost", move=move, left=getattr(after, game.landmark))
    return inside("no-answer", move=move)


def _worse_luck(solution: Solution[Any], player: int, after: Any, after_best: Any) -> dict[str, Any] | None:
    """How many of the unseen numbers lose, where the best move leaves fewer such."""
    lost, unseen = _losing_reveals(solution, player, after)
    fewer, others = _losing_reveals(solution, player, after_best)
    if solution.game.chance == "draws":
        # Each draw has weights of its own.
        chance = lost / unseen if unseen else 0.0
        return inside("draws-lose", chance=chance) if chance > (fewer / others if others else 0) else None
    if lost <= fewer:
        return None
    if unseen == 1:
        return inside("unseen-loses")
    return inside("unseen-one-loses", of=unseen) if lost == 1 else inside("unseen-lose", lost=lost, of=unseen)


def _losing_reveals(solution: Solution[Any], player: int, after: Any) -> tuple[int, int]:
    game = solution.game
    if game.player(after) != CHANCE or game.outcome(after) is not None:
        return 0, 0
    weights = game.weights(after)
    values = [solution.value_for(player, game.play(after, reveal)) for reveal in game.moves(after)]
    return sum(weight for weight, value in zip(weights, values, strict=True) if value == 0), sum(weights)


def _hardest(solution: Solution[Any], position: Any) -> Said:
    """In a lost position, the move that leaves the opponent the fewest ways to win."""
    game, player = solution.game, solution.game.player(position)
    winning = {}
    for move in game.moves(position):
        answers = _answers(solution, player, game.play(position, move))
        if answers is not None:
            winning[move] = (sum(map(wins, answers.values())), len(answers))
    if not winning:
        return Said("tip-lost")
    move = min(winning, key=lambda move: winning[move][0] / winning[move][1])
    right, answers_left = winning[move]
    if right == 1:
        return Said("tip-hardest-one", {"move": move, "answers": answers_left})
    return Said("tip-hardest", {"move": move, "right": right, "answers": answers_left})
