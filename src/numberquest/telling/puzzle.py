"""What a puzzle tells: what is asked, whether an answer is right, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.sentences import Said
from numberquest.telling.facts import inside, loses, outcome_fact, wins

if TYPE_CHECKING:
    from numberquest.contract import Game
    from numberquest.puzzle import Puzzle
    from numberquest.solver import Solution


def note(puzzle: Puzzle) -> Said | None:
    """Why the rules are not the classic ones; None where they are."""
    game = puzzle.game
    if game.is_classic:
        return None
    if game.puzzle_note and game == type(game)(**game.puzzle_settings):
        return Said("puzzle-note", {"note": game.puzzle_note})
    return Said("puzzle-rules", {"settings": game.settings})


def question(puzzle: Puzzle) -> list[Said]:
    """What is to be found."""
    return [Said("puzzle-you", {"player": puzzle.player + 1}), _task(puzzle)]


def _task(puzzle: Puzzle) -> Said:
    if not puzzle.game.chance:
        if not wins(puzzle.values[puzzle.answer]):
            return Said("puzzle-draw")
        others = (value for move, value in puzzle.values.items() if move not in puzzle.answers)
        return Said("puzzle-win" if all(map(loses, others)) else "puzzle-win-not-draw")
    alike = puzzle.game.alike
    names = {named(puzzle, move) for move in puzzle.values}
    if alike in names:
        # They are all alike: what is to be found is whether to choose any of them.
        return Said("puzzle-alike", {"alike": alike, "others": sorted(names - {alike})})
    return Said("puzzle-best")


def verdict(puzzle: Puzzle, move: str) -> Said:
    """Whether a move is the right one, and which is."""
    if puzzle.game.chance:
        best = inside("the-best")
    else:
        best = inside("the-only-win" if wins(puzzle.values[puzzle.answer]) else "the-only-draw")
    answer = named(puzzle, puzzle.answer)
    if move in puzzle.answers:
        return Said("puzzle-right", {"answer": answer, "best": best})
    return Said("puzzle-wrong", {"answer": answer, "best": best, "move": named(puzzle, move)})


def why(puzzle: Puzzle, move: str, solution: Solution[Any]) -> list[Said]:
    """One sentence why the right move is right; one more why another is not."""
    if puzzle.game.chance:
        return [_chances(puzzle)]
    because = _why_right(puzzle)
    return [because] if move in puzzle.answers else [because, _why_not(puzzle, move, solution)]


def _chances(puzzle: Puzzle) -> Said:
    values = puzzle.values
    following = next(move for move in values if move not in puzzle.answers)
    return Said(
        "puzzle-chances",
        {
            "answer": named(puzzle, puzzle.answer),
            "chance": float(values[puzzle.answer]),
            "other": named(puzzle, following),
            "other_chance": float(values[following]),
        },
    )


def _why_right(puzzle: Puzzle) -> Said:
    game, move = puzzle.game, puzzle.answer
    after = game.play(puzzle.position, move)
    if game.outcome(after) is not None:
        return _at_once(puzzle, move, after)
    draws = not wins(puzzle.values[move])
    if game.player(after) == puzzle.player:
        return Said("puzzle-goes-on-draw" if draws else "puzzle-goes-on", {"move": move})
    if draws:
        return Said("puzzle-no-win", {"move": move})
    if game.landmark:
        return Said("puzzle-leaves", {"move": move, "left": getattr(after, game.landmark)})
    return Said("puzzle-no-answer", {"move": move})


def _why_not(puzzle: Puzzle, move: str, solution: Solution[Any]) -> Said:
    game = puzzle.game
    after = game.play(puzzle.position, move)
    if game.outcome(after) is not None:
        return _at_once(puzzle, move, after)
    draws = not loses(puzzle.values[move])
    if game.player(after) == puzzle.player:
        return Said("puzzle-only-draws" if draws else "puzzle-goes-wrong", {"move": move})
    # One is enough to show it, and the first is the one with the smallest number.
    answer = solution.best(after)[0]
    return Said("puzzle-opponent-draws" if draws else "puzzle-opponent-wins", {"move": move, "answer": answer})


def _at_once(puzzle: Puzzle, move: str, after: Any) -> Said:
    outcome = puzzle.game.outcome(after)
    if outcome is None:
        raise LookupError("the game goes on")
    results = {puzzle.player: "puzzle-wins-at-once", None: "puzzle-draws-at-once"}
    code = results.get(outcome.winner, "puzzle-loses-at-once")
    return Said(code, {"move": move, "outcome": outcome_fact(outcome)})


def named(puzzle: Puzzle, move: str) -> str:
    """A move as people say it: of those that are all alike, none is meant more than another."""
    game = puzzle.game
    same = [other for other in puzzle.values if _leads_to(puzzle, other) == _leads_to(puzzle, move)]
    return game.alike if game.alike and len(same) > 1 else move


def _leads_to(puzzle: Puzzle, move: str) -> Any:
    game: Game[Any] = puzzle.game
    return game.canonical(game.play(puzzle.position, move))
