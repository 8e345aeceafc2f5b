"""What a move has given away, and hints in three steps: a nudge, the move, the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from numberquest.contract import CHANCE
from numberquest.solver.proved import percent
from numberquest.solver.solution import ALIKE
from numberquest.telling.leaves import leaves
from numberquest.telling.review import either, per_cent
from numberquest.verdicts import judged
from numberquest.wording import in_short

if TYPE_CHECKING:
    from numberquest.solver import Solution
    from numberquest.solver.solution import Value

STEPS: Final = 3
"""A nudge, the move, the proof."""


def comment(solution: Solution[Any], position: Any, move: str) -> str:
    """What a move gave away, what was best, and why where that can be said; empty where it gave nothing away."""
    verdict = judged(solution, position, move)
    if verdict.loss <= ALIKE:
        return ""
    game = solution.game
    after = game.play(position, move)
    cost = _cost(verdict.before, verdict.after) if game.deck else f"{move} gave the win away"
    why = _why_bad(solution, verdict.player, after)
    best = _shown_best(solution, position)
    if game.deck:
        # Both numbers side by side say more than either alone.
        less = _worse_luck(solution, verdict.player, after, game.play(position, best))
        why = why or less
    good = _why_good(solution, position, best)
    return f"{cost}{': ' if why else ''}{why}. Best was {either(verdict.best)}{': ' if good else ''}{good}."


def is_lost(solution: Solution[Any], position: Any) -> bool:
    """Whether every move loses there, against best play."""
    return not solution.game.deck and not any(solution.moves(position).values())


def nudge(solution: Solution[Any], position: Any) -> str:
    """The first step: whether there is something to find."""
    values = solution.moves(position)
    if solution.game.deck:
        alike = " All moves are alike here." if all_alike(values) else ""
        return f"Your chance to win is {per_cent(max(values.values()))}.{alike}"
    winning = [move for move, value in values.items() if value]
    if not winning:
        return "Every move loses; make it hard."
    if len(winning) == len(values):
        return "You are winning, and every move keeps the win."
    return "There is a winning move, just one." if len(winning) == 1 else "There is a winning move."


def tip(solution: Solution[Any], position: Any) -> str:
    """The second step: what to play."""
    values = solution.moves(position)
    if solution.game.deck:
        if all_alike(values):
            return "Take any move, they are all alike."
    elif not any(values.values()):
        return _hardest(solution, position)
    return f"Play {_shown_best(solution, position)}."


def proof(solution: Solution[Any], position: Any) -> str:
    """The third step: what every move is worth, best first."""
    chance = solution.game.deck
    groups: dict[str, list[str]] = {}
    for move, value in solution.moves(position).items():
        worth = percent(value) if chance else "wins" if value else "loses"
        groups.setdefault(worth, []).append(move)
    lines = ["the chance to win with each move, best first." if chance else "what comes of each move."]
    for worth, moves in groups.items():
        # In the game's own order, so that numbers in a row stand together.
        ordered = [move for move in solution.game.moves(position) if move in moves]
        lines.append(f"  {in_short(ordered)}: {worth}")
    best = _shown_best(solution, position)
    why = _why_good(solution, position, best)
    if why:
        lines.append(f"  Why {best}? {why[:1].upper()}{why[1:]}.")
    return "\n".join(lines)


def _cost(before: Value, after: Value) -> str:
    points = round(100 * before) - round(100 * after)
    if not points:
        return "that cost less than 1 %"
    return f"that cost {points} %, your chance is now {per_cent(after)} instead of {per_cent(before)}"


def all_alike(values: dict[str, Value]) -> bool:
    """Whether no move is better than another."""
    return max(values.values()) - min(values.values()) <= ALIKE


def _shown_best(solution: Solution[Any], position: Any) -> str:
    """A best move; one that wins at once, if there is one."""
    game, best = solution.game, solution.best(position)
    return next((move for move in best if game.outcome(game.play(position, move)) is not None), best[0])


def _answers(solution: Solution[Any], player: int, after: Any) -> dict[str, Value] | None:
    """What the opponent can answer; None where it is not the opponent who decides next."""
    if solution.game.player(after) != 1 - player:
        return None
    return solution.moves(after) or None


def _why_bad(solution: Solution[Any], player: int, after: Any) -> str:
    if solution.game.outcome(after) is not None:
        return "it loses at once"
    answers = _answers(solution, player, after)
    if answers is None or solution.game.deck:
        return ""
    return f"now your opponent can win with {either(solution.best(after))}"


def _why_good(solution: Solution[Any], position: Any, move: str) -> str:
    game = solution.game
    player, after = game.player(position), game.play(position, move)
    outcome = game.outcome(after)
    if outcome is not None:
        return f"{move} wins at once" if outcome.winner == player else ""
    answers = _answers(solution, player, after)
    if answers is None or any(answers.values()):
        return ""
    left = leaves(game, after)
    return f"{move} {left}, from which every answer loses" if left else f"after {move} every answer loses"


def _worse_luck(solution: Solution[Any], player: int, after: Any, after_best: Any) -> str:
    """How many of the unseen numbers lose, where the best move leaves fewer such."""
    lost, unseen = _losing_reveals(solution, player, after)
    fewer, _ = _losing_reveals(solution, player, after_best)
    if lost <= fewer:
        return ""
    if unseen == 1:
        return "the one unseen number loses for you now"
    return f"{lost} of the {unseen} unseen numbers {'loses' if lost == 1 else 'lose'} for you now"


def _losing_reveals(solution: Solution[Any], player: int, after: Any) -> tuple[int, int]:
    game = solution.game
    if game.player(after) != CHANCE or game.outcome(after) is not None:
        return 0, 0
    weights = game.weights(after)
    values = [solution.value_for(player, game.play(after, reveal)) for reveal in game.moves(after)]
    return sum(weight for weight, value in zip(weights, values, strict=True) if value == 0), sum(weights)


def _hardest(solution: Solution[Any], position: Any) -> str:
    """In a lost position, the move that leaves the opponent the fewest ways to win."""
    game, player = solution.game, solution.game.player(position)
    winning = {}
    for move in game.moves(position):
        answers = _answers(solution, player, game.play(position, move))
        if answers is not None:
            winning[move] = (sum(map(bool, answers.values())), len(answers))
    if not winning:
        return "Any move will do: all of them lose."
    move = min(winning, key=lambda move: winning[move][0] / winning[move][1])
    right, answers_left = winning[move]
    return f"{move} makes it hardest: then {right} of {answers_left} answers {'wins' if right == 1 else 'win'}."
