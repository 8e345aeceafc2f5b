"""A puzzle in words: what is asked, whether an answer is right, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from numberquest.contract import player_name
from numberquest.puzzle import RULES, puzzle_game
from numberquest.solver.proved import percent
from numberquest.telling.leaves import leaves
from numberquest.wording import in_short

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.puzzle import Puzzle
    from numberquest.solver import Solution


OPENING: Final = "opening a cell"
"""What covered cells that are all alike are called together."""


def note(puzzle: Puzzle, rules: str = "") -> str:
    """Why the rules are not the classic ones; empty where they are. `rules` tells them; without it they are typed."""
    game = puzzle.game
    if game == type(game)():
        return ""
    known = RULES.get(game.slug)
    is_usual = known and game == puzzle_game(game.slug)
    return known[1] if known and is_usual else f"The rules are changed: {rules or game.settings_text}"


def question(puzzle: Puzzle) -> str:
    """What is to be found."""
    task = "One move is clearly the best" if puzzle.game.deck else "One move wins, and all others lose"
    if puzzle.game.deck:
        named = {_named(puzzle, move) for move in puzzle.values}
        if OPENING in named:
            # All cells are alike: what is to be found is whether to open one.
            task = f"One of these is clearly the best: {OPENING}, or {in_short(sorted(named - {OPENING}))}"
    return f"You are {player_name(puzzle.player)}. {task}. Which?"


def verdict(puzzle: Puzzle, move: str, written: Callable[[str], str] = str) -> str:
    """Whether a move is the right one, and which is; `written` writes a move."""
    answer = written(_named(puzzle, puzzle.answer))
    best = "the best move" if puzzle.game.deck else "the only winning move"
    if move in puzzle.answers:
        return f"Right! {answer[:1].upper()}{answer[1:]} is {best}."
    return f"Not this time. {best[:1].upper()}{best[1:]} is {answer}, not {written(_named(puzzle, move))}."


def why(puzzle: Puzzle, move: str, solution: Solution[Any], written: Callable[[str], str] = str) -> str:
    """One sentence why the right move is right; one more why another is not."""
    answer, game = puzzle.answer, puzzle.game
    if game.deck:
        chances = puzzle.values
        following = next(move for move in chances if move not in puzzle.answers)
        return (
            f"With best play from here on, {_named(puzzle, answer)} wins {percent(chances[answer])} of the games, "
            f"and the next best, {_named(puzzle, following)}, {percent(chances[following])}."
        )
    after = game.play(puzzle.position, answer)
    outcome = game.outcome(after)
    if outcome is not None:
        because = f"{written(answer)} wins at once: {outcome.reason}."
    elif game.player(after) == puzzle.player:
        because = f"After {written(answer)} you can win whatever your opponent does."
    else:
        left = leaves(game, after)
        because = f"{written(answer)} {left}, and then" if left else f"After {written(answer)}"
        because += " every answer of your opponent loses."
    return because if move in puzzle.answers else f"{because} {_why_not(puzzle, move, solution, written)}"


def _why_not(puzzle: Puzzle, move: str, solution: Solution[Any], written: Callable[[str], str]) -> str:
    game = puzzle.game
    after = game.play(puzzle.position, move)
    outcome = game.outcome(after)
    if outcome is not None:
        return f"{written(move)} loses at once: {outcome.reason}."
    if game.player(after) == puzzle.player:
        return f"After {written(move)} your opponent can win whatever you do."
    # One is enough to show it, and the first is the one with the smallest number.
    return f"After {written(move)} your opponent wins with {written(solution.best(after)[0])}."


def _named(puzzle: Puzzle, move: str) -> str:
    """A move as people say it: covered cells are all alike, so none of them is meant more than another."""
    alike = [other for other in puzzle.values if _leads_to(puzzle, other) == _leads_to(puzzle, move)]
    return OPENING if puzzle.game.deck and len(alike) > 1 else move


def _leads_to(puzzle: Puzzle, move: str) -> Any:
    game = puzzle.game
    return game.canonical(game.play(puzzle.position, move))
