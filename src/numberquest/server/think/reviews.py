"""A review as a message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from numberquest.contract import CHANCE
from numberquest.players import player
from numberquest.server import wire
from numberquest.server.boards import board, end, lines, sealed, view
from numberquest.stream import Stream
from numberquest.telling import review as words
from numberquest.verdicts import MISTAKES, RESIGNS, review

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numberquest.record import Record
    from numberquest.solver import Solution
    from numberquest.solver.solution import Value
    from numberquest.verdicts import Review, Verdict

SET_UP: Final = "set up"
"""In place of a verdict, where nobody decided."""
FURTHEST: Final = 200
"""So many moves are played on after a 'what if': a game that need not end is looked at no longer."""


def what_if(record: Record, at: int, move: str) -> Record:
    """The game as it would have gone on with another move there, if both had played as well as they can after it.

    What was hidden is as it was; `IllegalMove` where that move was not allowed.
    """
    record = record.cut_back(at)
    match, best, dice = record.match, player("perfect"), Stream("what if", "review")
    match.play(move)
    for _ in range(FURTHEST):
        if match.outcome is not None:
            break
        match.play(best.choose(match.game, match.position, dice))
    return record


def review_message(record: Record, text: str, solution: Solution[Any]) -> wire.Review:
    """The review of a record, also of one that is not over; `text` is the record as it was given."""
    match = record.match
    game = match.game
    found = review(match, solution, given=record.given)
    turning, mistake = found.turning_point, found.first_mistake(record.people)
    steps = list(_steps(record, found, solution))
    told = [*words.turning_point(found), words.accuracy(found)] if steps else words.turning_point(found)
    boards = [board(game, match.positions[: at + 1], match.history[:at]) for at in range(len(match.positions))]
    if match.resigned is not None:
        boards.append(boards[-1])
    return wire.Review(
        game=game.slug,
        title=game.title,
        short_title=game.short_title,
        settings=game.settings,
        chance=game.chance,
        names=record.names,
        kinds=record.kinds,
        outcome=end(game, found.outcome, match.resigned is not None),
        turn=match.player + 1 if found.outcome is None else None,
        steps=steps,
        history=lines(game, match.positions, match.history),
        view=view(game),
        boards=boards,
        start=chance(found.start),
        end=chance(found.end),
        given_away=(float(found.given_away[0]), float(found.given_away[1])),
        luck=float(found.luck),
        accuracy=found.accuracy,
        turning_point=next((at for at, step in enumerate(found.steps, start=found.began) if step is turning), None),
        first_mistake=None if mistake is None else mistake.at,
        told=[wire.Said(*one) for one in (*words.set_up(record.given), *told, *words.looked_ahead(record.ahead))],
        luck_and_skill=[wire.Said(*one) for one in words.luck_and_skill(found)],
        record=text,
        seal=sealed(match.dealer, game, over=True),
        hints=record.hints,
    )


def worths(solution: Solution[Any], position: Any) -> list[wire.Worth]:
    """Every move allowed there with its exact value, best first."""
    return [wire.Worth(move, chance(value)) for move, value in solution.moves(position).items()]


def chance(value: Value) -> float:
    """A value as a number from 0 to 1, whatever its last digits were rounded to."""
    return min(max(float(value), 0.0), 1.0)


def _steps(record: Record, found: Review, solution: Solution[Any]) -> Iterator[wire.ReviewStep]:
    match, made = record.match, iter(found)
    yield from _set_up(record, chance(found.start), found.began)
    for at, step in enumerate(found.steps, start=found.began):
        verdict: Verdict | None = None if step.player == CHANCE else next(made)
        # Whoever resigns while the other is to move has nothing to choose from.
        chosen = step.entry != RESIGNS or match.player == step.player
        yield wire.ReviewStep(
            player=step.turn + 1,
            reveal=verdict is None,
            entry=step.entry,
            number=step.number,
            before=chance(step.before),
            after=chance(step.after),
            verdict=None if verdict is None else verdict.verdict,
            mistake=verdict is not None and verdict.verdict in MISTAKES,
            loss=0.0 if verdict is None else chance(verdict.loss),
            best=[] if verdict is None else list(verdict.best),
            options=worths(solution, match.positions[at]) if chosen else [],
        )


def _set_up(record: Record, start: float, began: int) -> Iterator[wire.ReviewStep]:
    """What nobody played: it is seen on the board, and neither judged nor weighed."""
    game, number = record.match.game, 0
    for position, entry in zip(record.match.positions[:began], record.match.history, strict=False):
        reveal = game.player(position) == CHANCE
        number += not reveal
        yield wire.ReviewStep(
            player=game.turn(position) + 1,
            reveal=reveal,
            entry=entry,
            number=number,
            before=start,
            after=start,
            verdict=None if reveal else SET_UP,
            mistake=False,
            loss=0.0,
            best=[],
            options=[],
        )
