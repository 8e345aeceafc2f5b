"""What workers think out, as messages: reviews, puzzles, lessons, measures, the atlas, and codes for a camera."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date as dates
from itertools import product
from typing import Any, Final

from numberquest.core.contract import CHANCE, Game, IllegalMove
from numberquest.core.dealer import seed_text
from numberquest.core.errors import UsageError
from numberquest.core.match import Match, led_to
from numberquest.core.play_out import positions_of
from numberquest.core.progress import silently
from numberquest.core.record import Record, read
from numberquest.core.registry import GAMES, kind_for, name_of
from numberquest.core.registry import game as make_game
from numberquest.core.seen_history import known_after
from numberquest.core.sentences import Said
from numberquest.core.settings import BadSetting, SettingValue, read_settings
from numberquest.core.stream import Stream
from numberquest.explain import puzzle as puzzle_facts
from numberquest.explain import review as review_facts
from numberquest.explain.lesson import Step as LessonStep
from numberquest.explain.lesson import lesson, lost_by, offered, right
from numberquest.explain.puzzle import (
    NoPuzzles,
    Puzzle,
    asked_at,
    daily,
    daily_steps,
    match_of,
    puzzle,
    puzzle_game,
    puzzles,
)
from numberquest.explain.reasons import reason, shown_best
from numberquest.explain.review import MISTAKES, RESIGNS, Review, Verdict, review
from numberquest.players.levels import player
from numberquest.server import wire
from numberquest.server.boards import EVERYTHING, Viewer, end, sealed, shown, unjudged
from numberquest.server.think import tasks
from numberquest.solver import Solution, TooLarge, solve
from numberquest.solver.budget import impatient
from numberquest.solver.solution import Value
from numberquest.study.atlas import OUT_OF_REACH, atlas_of
from numberquest.study.row import SweepRow

SET_UP: Final = "set up"
"""In place of a verdict, where nobody decided."""
FURTHEST: Final = 200
"""So many moves are played on at most: a game that need not end is looked at no longer."""
DIGITS: Final = 6
"""So many digits of a measure are sent."""
ADVANTAGE: Final = "advantage"
GAIN: Final = "gain"
PEOPLE: Final = "Player 1's chance between two who err at times, as people do"
FAIREST: Final = 5
"""So many of the fairest rule sets are offered."""
QUIET: Final = 4
"""So many modules around a QR code stay white."""
DEAL: Final = 1
"""The seed of what is uncovered in a line of best play."""


def game_for(task: tasks.OfRules) -> Game[Any]:
    """The game that a task is about, with its settings."""
    return make_game(task.game, **read_settings(task.settings.split()))


def wired(said: Iterable[Said]) -> list[wire.Said]:
    """What is told, as messages."""
    return [wire.Said(*one) for one in said]


def chance(value: Value) -> float:
    """A value as a number from 0 to 1, whatever its last digits were rounded to."""
    return min(max(float(value), 0.0), 1.0)


def worths(values: Mapping[str, Value]) -> list[wire.Worth]:
    """Every move allowed there with its exact value, best first."""
    return [wire.Worth(move, chance(value)) for move, value in values.items()]


# ---- reviews


def what_if(record: Record, at: int, move: str) -> Record:
    """The game as it would have gone on with another move there, if both had played as well as they can after it.

    What was hidden is as it was; `IllegalMove` where that move was not allowed.
    """
    record = record.cut_back(at)
    record.match.play(move)
    _play_on(record.match, Stream("what if", "review"))
    return record


def _play_on(match: Match[Any], dice: Stream) -> None:
    for _ in range(FURTHEST):
        if match.outcome is None:
            match.play(player("perfect").choose(match.game, match.position, dice, match.history))


def review_message(record: Record, text: str, solution: Solution[Any]) -> wire.Review:
    """The review of a record, also of one that is not over; `text` is the record as it was given."""
    match = record.match
    game = match.game
    found = review(match, solution, given=record.given)
    turning, mistake = found.turning_point, found.first_mistake(record.people)
    steps = list(_steps(record, found, solution))
    told = [*review_facts.turning_point(found), *([review_facts.key_moments(found)] if steps else [])]
    boards = [shown(game).board(match.positions[: at + 1], match.history[:at]) for at in range(len(match.positions))]
    if match.resigned is not None:
        boards.append(boards[-1])
    return wire.Review(
        **shown(game).head,
        chance=game.chance,
        names=record.names,
        kinds=record.kinds,
        outcome=end(game, found.outcome, match.resigned is not None),
        turn=match.player + 1 if found.outcome is None else None,
        steps=steps,
        history=shown(game).lines(match.positions, match.history),
        boards=boards,
        start=chance(found.start),
        end=chance(found.end),
        given_away=(float(found.given_away[0]), float(found.given_away[1])),
        luck=float(found.luck),
        mixing=None if found.mixing is None else (float(found.mixing[0]), float(found.mixing[1])),
        key_moments=found.key_moments,
        turning_point=next((at for at, step in enumerate(found.steps, start=found.began) if step is turning), None),
        first_mistake=None if mistake is None else mistake.at,
        told=wired((*review_facts.set_up(record.given), *told, *review_facts.looked_ahead(record.ahead))),
        luck_and_skill=wired(review_facts.luck_and_skill(found)),
        record=text,
        seal=sealed(match.dealer, game, over=True),
        hints=record.hints,
    )


def _steps(record: Record, found: Review, solution: Solution[Any]) -> Iterator[wire.ReviewStep]:
    match, made, number = record.match, iter(found), 0
    for position, entry in zip(match.positions[: found.began], match.history, strict=False):
        reveal = match.game.player(position) == CHANCE
        number += not reveal
        step = _seen(match.game.turn(position), reveal, entry, number, found.start, found.start)
        step.verdict = None if reveal else SET_UP
        yield step
    for at, reviewed in enumerate(found.steps, start=found.began):
        reveal = reviewed.player == CHANCE
        step = _seen(reviewed.turn, reveal, reviewed.entry, reviewed.number, reviewed.before, reviewed.after)
        if not reveal:
            verdict: Verdict = next(made)
            step.verdict, step.mistake = verdict.verdict, verdict.verdict in MISTAKES
            step.loss, step.best, step.why = chance(verdict.loss), list(verdict.best), wired(verdict.why)
        # Whoever resigns while the other is to move has nothing to choose from.
        if reviewed.entry != RESIGNS or match.player == reviewed.player:
            step.options = [] if reveal else worths(solution.moves(_known(match, at)))
        yield step


def _known(match: Match[Any], at: int) -> Any:
    """What the one to move knew at this place of the history; in a game without secrets the position."""
    return known_after(match.game, match.history[:at], match.game.player(match.positions[at]))


def _seen(turn: int, reveal: bool, entry: str, number: int, before: Value, after: Value) -> wire.ReviewStep:
    """A step as it is seen on the board, neither judged nor weighed."""
    return wire.ReviewStep(turn + 1, reveal, entry, number, chance(before), chance(after), None, False, 0.0, [], [])


def weighed(task: tasks.Weigh) -> tasks.Weighed:
    """What every move is worth after these moves and reveals, and why the best one is."""
    game = game_for(task)
    position = positions_of(game, tuple(task.entries))[-1]
    solution = solve(game)
    value = chance(solution.value_for(game.turn(position), position))
    if game.player(position) == CHANCE or not game.moves(position):
        return tasks.Weighed(value, [], [], [])
    why = reason(solution, position, shown_best(solution, position), named=True)
    said = [] if why is None else [wire.Said("reason-why", {"why": why})]
    return tasks.Weighed(value, worths(solution.moves(position)), list(solution.best(position)), said)


def decisions(task: tasks.LookBack) -> tasks.Decisions:
    """Every decision of a record that was one, with the values of the positions in which a mistake was made."""
    record = read(task.record)
    match = record.match
    made, values = list[tasks.Decision](), dict[str, list[wire.Worth]]()
    if match.game.has_secrets:
        # There what is right is a matter of odds, and not the same to both.
        return tasks.Decisions(made, values)
    solution = solve(match.game)
    for verdict in review(match, solution, given=record.given):
        if verdict.mattered and verdict.move in match.game.moves(match.positions[verdict.at]):
            position = match.positions[verdict.at]
            name, wrong = repr(match.game.canonical(position)), verdict.verdict in MISTAKES
            why = wired(verdict.why) if wrong else []
            made.append(tasks.Decision(verdict.at, verdict.player, name, verdict.move, wrong, verdict.key, why))
            if wrong:
                values[name] = worths(solution.moves(position))
    return tasks.Decisions(made, values)


def sheet(task: tasks.Worksheet) -> str:
    """These positions on paper, as a page."""
    # The charts come with it, which a worker that only plays does without.
    from numberquest.report.worksheet import worksheet

    game = game_for(task)
    solution = solve(game)
    return worksheet([asked_at(game, after, solution) for after in task.positions], solution)


# ---- puzzles: the answer is only in what is said about a guess


def puzzle_message(task: tasks.AskPuzzle) -> wire.Puzzle:
    """The puzzle that was asked for."""
    found = _puzzle(task)
    match, game, note = match_of(found), found.game, puzzle_facts.note(found)
    viewer: Viewer = found.player if game.has_secrets else EVERYTHING
    options = shown(game).options(found.position)
    return wire.Puzzle(
        **shown(game).head,
        id=found.id,
        chance=game.chance,
        note=None if note is None else wire.Said(*note),
        grade=found.grade,
        player=found.player + 1,
        board=shown(game).board_for(match.line, viewer),
        moves=[unjudged(option) for option in options],
        history=shown(game).lines_for(match.line, viewer),
        question=wired(puzzle_facts.question(found)),
        date=task.date or None,
        # Whoever went on from it would find what is secret there.
        record="" if game.has_secrets else Record(match).text(deal=False),
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
    look = shown(found.game)
    if found.game.has_secrets:
        # Nor what the move would uncover.
        board, line = look.board_for(match.line, found.player), wire.Line(found.player + 1, task.move)
    else:
        board, line = look.board(positions, history), look.lines(positions, history)[-1]
    said = [puzzle_facts.verdict(found, task.move), *puzzle_facts.why(found, task.move, solve(found.game))]
    return wire.Judged(
        right=task.move in found.answers,
        answers=list(found.answers),
        values=worths(found.values),
        said=wired(said),
        board=board,
        line=line,
    )


def _puzzle(task: tasks.AskPuzzle) -> Puzzle:
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
    with suppress(ValueError):
        # Written back, because Python also reads other ways to write a date.
        if dates.fromisoformat(text).isoformat() == text:
            return
    raise BadSetting("A date is written 2026-01-31, and must be a day that there is.")


# ---- lessons: every step with its board, and what comes of each move that can be tried there


def lesson_message(slug: str) -> wire.Lesson:
    """The lesson of the classic game."""
    game = make_game(slug)
    return wire.Lesson(**shown(game).head, steps=[_step(game, step) for step in lesson(game)])


def _step(game: Game[Any], step: LessonStep) -> wire.LessonStep:
    positions = positions_of(game, step.after)
    p, look = positions[-1], shown(game)
    moves, leads_on = offered(game, p, step), right(game, p, step)
    player = None if game.outcome(p) is not None or game.player(p) == CHANCE else game.player(p) + 1
    board, history = _lesson_board(game, step.after, p)
    return wire.LessonStep(
        said=_words(step.words),
        player=player,
        board=board,
        # Which of them wins is to be found out.
        moves=[unjudged(option) for option in look.options(p) if option.move in moves],
        history=history,
        answers=[_right(game, step, move) if move in leads_on else _wrong(game, p, move) for move in moves],
    )


def _right(game: Game[Any], step: LessonStep, move: str) -> wire.LessonAnswer:
    board, told = _lesson_board(game, (*step.after, move, *step.shows), positions_of(game, step.after)[-1])
    return wire.LessonAnswer(move, True, _words(step.then), board, told[len(step.after) :])


def _lesson_board(game: Game[Any], history: tuple[str, ...], asked: Any) -> tuple[wire.Board, list[wire.Line]]:
    """The table after these moves and reveals, with how it came there, for whoever learns at the position `asked`."""
    positions, look = positions_of(game, history), shown(game)
    if not game.has_secrets or game.outcome(positions[-1]) is not None:
        return look.board(positions, history), look.lines(positions, history)
    line = led_to(game, history).line
    while line.length > len(history) and line.before is not None:
        # What comes up next is not part of it.
        line = line.before
    return look.board_for(line, game.turn(asked)), look.lines_for(line, game.turn(asked))


def _wrong(game: Game[Any], p: Any, move: str) -> wire.LessonAnswer:
    lost = lost_by(game, p, move)
    said = wire.Said("lesson-loses", {"outcome": end(game, lost, False)}) if lost else wire.Said("lesson-not-yet", {})
    return wire.LessonAnswer(move, False, said, None, [])


def _words(words: str | Said) -> wire.Said:
    return wire.Said(*(Said("lesson-words", {"words": words}) if isinstance(words, str) else words))


# ---- measures, and the atlas of a game


def measures_message(game: Game[Any], players: tuple[str, str]) -> wire.Measures:
    """All measures; `TooLarge` where patience runs out before even the first is known."""
    # NumPy comes with it, which a worker that only plays does without.
    from numberquest.study.measures import MEASURES, STEPS, measure

    found = measure(game, players, progress=impatient(game, "measures", silently))
    if found.value is None:
        raise TooLarge(found.why["value"])
    measures = [
        wire.Measured(name, meaning, getattr(found, name), found.why.get(name))
        for name, meaning in MEASURES.items()
        if name != "ladder"
    ]
    steps = [] if found.ladder is None else zip(STEPS, found.ladder, strict=True)
    ladder = [wire.LadderStep(better, worse, gain) for (better, worse), gain in steps]
    return wire.Measures(name_of(game), game.title, game.settings, players, found.positions, measures, ladder)


def map_message(slug: str) -> wire.Map:
    """The whole atlas of a game; `UsageError` where it has none."""
    # NumPy comes with it, which a worker that only plays does without.
    from numberquest.report.charts import FAIR, STOPS
    from numberquest.study.measures import MEASURES
    from numberquest.study.plot import CHANCE_OF_ONE, SHARES

    kind = kind_for(slug)
    known = atlas_of(kind)
    if known is None:
        raise UsageError(f"{slug} has no atlas")
    values = _values(kind)
    by_settings = {row.key: row for row in known}
    # A combination that the rules forbid keeps its place, so that a place follows from the settings alone.
    keys = list(product(*values.values()))
    rows = [by_settings.get(key) for key in keys]
    number = {first: at for at, first in enumerate(known.moves)}
    columns = [wire.MapColumn("value", CHANCE_OF_ONE, True, [None if row is None else row.value for row in rows])]
    people = [None if row is None else between_people(row) for row in rows]
    columns.append(wire.MapColumn("people", PEOPLE, True, people))
    for name in known.measures:
        if name != ADVANTAGE:
            figures = [None if row is None else _short(row.measures[name]) for row in rows]
            columns.append(wire.MapColumn(name, MEASURES[name], name in (*SHARES, GAIN), figures))
    first = [None if row is None or row.value is None else number[row.first] for row in rows]
    moves = [list(one) for one in known.moves]
    by, ranked = known.fairest
    _, left_out = known.each_once(by_settings)
    return wire.Map(
        *(slug, values, known.players, columns, first, moves),
        scale=[list(stop) for stop in STOPS],
        fair=[list(stop) for stop in FAIR],
        fairest=[keys.index(row.key) for row in ranked[:FAIREST]],
        fairest_by="value" if by == "value" else "people",
        repeated=left_out.total(),
        out_of_reach=left_out[OUT_OF_REACH],
        hash=known.hash,
    )


def between_people(row: SweepRow) -> float | None:
    """Player 1's chance where both err at times; None where nobody knows."""
    advantage = row.measures[ADVANTAGE]
    # Both play alike: who begins wins so much more often, and the other so much less.
    return None if advantage is None else round(chance((1 + advantage) / 2), DIGITS)


def _short(figure: float | None) -> float | None:
    return None if figure is None else round(figure, DIGITS)


def _values(kind: type[Game[Any]]) -> dict[str, list[SettingValue]]:
    """Every value of each setting, whatever the others are."""
    found: dict[str, list[SettingValue]] = {}
    for name, field in kind.fields.items():
        # What another setting bounds goes as far as that one does.
        found[name] = list(field.charted({other: values[-1] for other, values in found.items()}))
    return found


def best_line(task: tasks.BestLine) -> wire.BestLine:
    """Both play as well as they can, and what is uncovered is the same each time."""
    game = game_for(task)
    solution = solve(game)
    match = Match(game, seed=DEAL)
    _play_on(match, Stream("line", "atlas"))
    return wire.BestLine(
        game=name_of(game),
        settings=game.settings,
        history=shown(game).lines(match.positions, match.history),
        chances=_chances(match, solution),
        outcome=end(game, match.outcome, False),
    )


def _chances(match: Match[Any], solution: Solution[Any]) -> list[float]:
    """Player 1's chance at the start and after each entry."""
    if match.game.has_secrets:
        found = review(match, solution)
        return [chance(value) for value in (found.start, *(step.after for step in found.steps))]
    return [chance(solution.value_for(0, position)) for position in match.positions]


def page_code(text: str) -> wire.QrCode:
    """An address as a code that a phone's camera reads: a path of squares, one unit each."""
    import segno

    code = segno.make(text, error="m", encoding="utf-8", micro=False, boost_error=False)
    rows = ["".join("#" if dark else " " for dark in row) for row in code.matrix_iter(border=QUIET)]
    runs = [(run.start(), y, len(run[0])) for y, row in enumerate(rows) for run in re.finditer("#+", row)]
    return wire.QrCode(len(rows), "".join(f"M{x} {y}h{wide}v1h-{wide}z" for x, y, wide in runs))
