"""A lesson as a message: every step with its board, and what comes of each move that can be tried there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.contract import CHANCE
from numberquest.games import game as make_game
from numberquest.lesson import lesson, lost_by, offered, reached, right
from numberquest.sentences import Said
from numberquest.server import wire
from numberquest.server.boards import board, end, lines, options, unjudged, view

if TYPE_CHECKING:
    from numberquest.contract import Game
    from numberquest.lesson import Step


def lesson_message(slug: str) -> wire.Lesson:
    """The lesson of the classic game."""
    game = make_game(slug)
    steps = [_step(game, step) for step in lesson(game)]
    return wire.Lesson(game.slug, game.title, game.short_title, game.settings, view(game), steps)


def _step(game: Game[Any], step: Step) -> wire.LessonStep:
    at = reached(game, step.after)
    moves = offered(game, at.last, step)
    leads_on = right(game, at.last, step)
    player = None if game.outcome(at.last) is not None or game.player(at.last) == CHANCE else game.player(at.last) + 1
    return wire.LessonStep(
        said=_said(step.words),
        player=player,
        board=board(game, at.positions, at.history),
        # Which of them wins is to be found out.
        moves=[unjudged(option) for option in options(game, at.last) if option.move in moves],
        history=lines(game, at.positions, at.history),
        answers=[_right(game, step, move) if move in leads_on else _wrong(game, at.last, move) for move in moves],
    )


def _right(game: Game[Any], step: Step, move: str) -> wire.LessonAnswer:
    after = reached(game, (*step.after, move, *step.shows))
    told = lines(game, after.positions, after.history)[len(step.after) :]
    return wire.LessonAnswer(move, True, _said(step.then), board(game, after.positions, after.history), told)


def _wrong(game: Game[Any], p: Any, move: str) -> wire.LessonAnswer:
    outcome = lost_by(game, p, move)
    said = wire.Said("lesson-not-yet", {})
    if outcome is not None:
        said = wire.Said("lesson-loses", {"outcome": end(game, outcome, False)})
    return wire.LessonAnswer(move, False, said, None, [])


def _said(words: str | Said) -> wire.Said:
    return wire.Said(*(Said("lesson-words", {"words": words}) if isinstance(words, str) else words))
