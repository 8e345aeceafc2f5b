"""Puzzles and what is said about a guess, as messages. The answer is in the second only."""

from __future__ import annotations

from datetime import date as dates
from typing import TYPE_CHECKING

from numberquest.contract import IllegalMove
from numberquest.dealer import seed_text
from numberquest.games import GAMES
from numberquest.puzzle import NoPuzzles, daily, daily_steps, match_of, puzzle, puzzle_game, puzzles
from numberquest.record import Record
from numberquest.sentences import Said
from numberquest.server import wire
from numberquest.server.boards import board, lines, options, unjudged, view
from numberquest.server.think.reviews import chance
from numberquest.settings import BadSetting
from numberquest.solver import solve
from numberquest.stream import Stream
from numberquest.telling import puzzle as words

if TYPE_CHECKING:
    from numberquest.puzzle import Puzzle
    from numberquest.server.think import tasks


def puzzle_message(task: tasks.Puzzle) -> wire.Puzzle:
    """The puzzle that was asked for."""
    found = _found(task)
    match, game, note = match_of(found), found.game, words.note(found)
    return wire.Puzzle(
        id=found.id,
        game=game.slug,
        title=game.title,
        short_title=game.short_title,
        settings=game.settings,
        chance=game.chance,
        note=None if note is None else wire.Said(*note),
        grade=found.grade,
        player=found.player + 1,
        view=view(game),
        board=board(game, match.positions, match.history),
        moves=[unjudged(option) for option in options(game, found.position)],
        history=lines(game, match.positions, match.history),
        question=[wire.Said(*one) for one in words.question(found)],
        date=task.date or None,
        record=Record(match).text(deal=False),
    )


def judged_message(task: tasks.Judge) -> wire.Judged:
    """Whether a guess is right, with what every move is worth."""
    found = puzzle(task.id)
    if task.move not in found.values:
        raise IllegalMove(Said("not-allowed-here", {"move": task.move}))
    match = match_of(found)
    # Only to the move itself: what would come up after it is nobody's to know.
    positions = (*match.positions, found.game.play(found.position, task.move))
    history = (*match.history, task.move)
    said = [words.verdict(found, task.move), *words.why(found, task.move, solve(found.game))]
    return wire.Judged(
        right=task.move in found.answers,
        answers=list(found.answers),
        values=[wire.Worth(move, chance(value)) for move, value in found.values.items()],
        said=[wire.Said(*one) for one in said],
        board=board(found.game, positions, history),
        line=lines(found.game, positions, history)[-1],
    )


def _found(task: tasks.Puzzle) -> Puzzle:
    if task.id:
        return puzzle(task.id)
    if task.date:
        _check_date(task.date)
        game = puzzle_game(task.game) if task.game else None
        if not task.step:
            return daily(task.date, game)
        steps = daily_steps(task.date, game)
        if task.step > len(steps):
            raise NoPuzzles(f"on {task.date} there are only {len(steps)} steps")
        return steps[task.step - 1]
    seed = seed_text(task.seed)
    return next(puzzles(puzzle_game(task.game or Stream(seed, "puzzle game").choose(tuple(GAMES.own))), seed))


def _check_date(text: str) -> None:
    try:
        # Written back, because Python also reads other ways to write a date.
        right = dates.fromisoformat(text).isoformat() == text
    except ValueError:
        right = False
    if not right:
        raise BadSetting("A date is written 2026-01-31, and must be a day that there is.")
