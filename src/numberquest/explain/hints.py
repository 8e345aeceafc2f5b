"""Say what a move has given away, and give hints in three steps: a nudge, the move, the proof."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from numberquest.core.sentences import Said, inside, percent
from numberquest.explain.reasons import reason, shown_best
from numberquest.explain.review import Verdict, judged
from numberquest.solver import Solution
from numberquest.solver.solution import ALIKE, Value, loses, wins

COUNTED: Final = 60
"""The largest denominator of odds that are told; others are told of 100 times."""
STEPS: Final = 3
"""A nudge, the move, the proof."""


def comment(solution: Solution[Any], position: Any, move: str) -> list[Said]:
    """Return what a move gave away, the best moves, and known reasons; empty where the move gave nothing away."""
    verdict = judged(solution, position, move)
    if verdict.loss <= max(ALIKE, 2 * solution.error):
        return []
    if solution.game.has_secrets:
        cost = _cost(verdict, by_chance=True)
        return [Said("cost-alone", {"cost": cost}), Said("best-was", {"best": list(verdict.best)})]
    why, good = reason(solution, position, move), reason(solution, position, shown_best(solution, position))
    cost, best_moves = _cost(verdict, by_chance=bool(solution.game.chance)), list(verdict.best)
    return [
        Said("cost-because", {"cost": cost, "why": why}) if why else Said("cost-alone", {"cost": cost}),
        Said("best-was-because", {"best": best_moves, "why": good}) if good else Said("best-was", {"best": best_moves}),
    ]


def is_lost(solution: Solution[Any], position: Any) -> bool:
    """Whether every move loses there, against best play."""
    return not solution.game.uncertain and all(loses(value) for value in solution.moves(position).values())


def nudge(solution: Solution[Any], position: Any) -> list[Said]:
    """Return the first step: whether there is something to find."""
    values = solution.moves(position)
    top = max(values.values())
    if solution.game.uncertain:
        said = [Said("nudge-chance", {"chance": float(top)})]
        mixed = solution.game.has_secrets and len(mix_of(solution, position)) > 1
        return [*said, Said("nudge-mix" if mixed else "nudge-alike")] if all_alike(values) or mixed else said
    if loses(top):
        return [Said("nudge-lost")]
    result = "win" if wins(top) else "draw"
    best = sum(value >= top - ALIKE for value in values.values())
    if best == len(values):
        return [Said(f"nudge-all-{result}")]
    return [Said(f"nudge-one-{result}s" if best == 1 else f"nudge-some-{result}")]


def tip(solution: Solution[Any], position: Any) -> list[Said]:
    """Return the second step: what to play."""
    values = solution.moves(position)
    if solution.game.has_secrets:
        parts = mix_of(solution, position)
        return [Said("tip-mix", {"mix": parts}) if len(parts) > 1 else Said("tip-play", {"move": parts[0][0]})]
    if solution.game.chance:
        if all_alike(values):
            return [Said("tip-any")]
    elif loses(max(values.values())):
        return [_hardest(solution, position)]
    best = shown_best(solution, position)
    why = reason(solution, position, best)
    return [Said("tip-play-because", {"move": best, "why": why}) if why else Said("tip-play", {"move": best})]


def proof(solution: Solution[Any], position: Any) -> list[Said]:
    """Return the third step, to be read line by line: what every move is worth, best first."""
    values = solution.moves(position)
    # What is shown as the same stands together.
    uncertain = solution.game.uncertain
    worth = percent if uncertain else _result
    lines = [Said("proof-chances" if uncertain else "proof-results")]
    for group in dict.fromkeys(map(worth, values.values())):
        # In the game's own order, so that numbers in a row stand together.
        moves = [move for move in solution.game.actions if move in values and worth(values[move]) == group]
        if uncertain:
            lines.append(Said("proof-chance", {"moves": moves, "chance": float(values[moves[0]])}))
        else:
            lines.append(Said(f"proof-{group}", {"moves": moves}))
    if solution.game.has_secrets:
        parts = mix_of(solution, position)
        return [*lines, Said("proof-mix", {"mix": parts})] if len(parts) > 1 else lines
    best = shown_best(solution, position)
    why = None if all_alike(values) else reason(solution, position, best)
    return [*lines, Said("proof-why", {"move": best, "why": why})] if why else lines


def mix_of(solution: Solution[Any], known: Any) -> list[tuple[str, int, int]]:
    """Return the moves that best play mixes at an infostate: how often each of how many times, most frequent first."""
    odds: Mapping[str, Fraction] = solution.odds(known)  # type: ignore[attr-defined]  # of a game with secrets
    parts = sorted(((move, share) for move, share in odds.items() if share), key=lambda part: -part[1])
    # More than so many times nobody counts: then of a hundred.
    shares = [
        share if share.denominator <= COUNTED else Fraction(max(1, round(100 * share)), 100) for _, share in parts
    ]
    return [(move, *share.as_integer_ratio()) for (move, _), share in zip(parts, shares, strict=True)]


def _result(value: Value) -> str:
    return "wins" if wins(value) else "loses" if loses(value) else "draws"


def _cost(verdict: Verdict, *, by_chance: bool) -> dict[str, Any]:
    before, after = verdict.before, verdict.after
    if not by_chance:
        code = "cost-draw" if not wins(before) else "cost-win" if loses(after) else "cost-win-for-draw"
        return inside(code, move=verdict.move)
    points = round(100 * before) - round(100 * after)
    if not points:
        return inside("cost-little")
    return inside("cost-chance", loss=points / 100, before=float(before), after=float(after))


def all_alike(values: Mapping[str, Value]) -> bool:
    """Whether no move is better than another."""
    return max(values.values()) - min(values.values()) <= ALIKE


def _hardest(solution: Solution[Any], position: Any) -> Said:
    """Return the move of a lost position that leaves the opponent the fewest ways to win."""
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
