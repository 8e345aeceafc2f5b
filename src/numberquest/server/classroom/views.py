"""Messages that show a class to its teacher and to each pupil."""

import csv
from collections import Counter
from io import StringIO
from typing import Any, Final

import msgspec

from numberquest.core.contract import CHANCE, Game
from numberquest.core.names import no_formula
from numberquest.core.play_out import positions_of
from numberquest.core.sentences import Said
from numberquest.server import wire
from numberquest.server.boards import end, shown, unjudged, viewer
from numberquest.server.classroom import wire as messages
from numberquest.server.classroom.events import COMPUTER
from numberquest.server.classroom.live import LiveClass, Seen
from numberquest.server.classroom.state import PupilState, Question, TableState
from numberquest.server.match.state import game_of
from numberquest.server.refusal import Refusal
from numberquest.server.tokens import hashed

ERASED_AFTER: Final = 24 * 3600.0
"""Seconds after the opening of a class until all of it is removed."""
EMPTY_AFTER: Final = 3600.0
"""Seconds after the opening of a class until it is removed if it has had no pupil."""
MOST_MISSED: Final = 5


def position_of(game: Game[Any], after: tuple[str, ...]) -> Any:
    """Return the position after these moves and reveals; refuse an impossible one, or one without a decision."""
    if game.has_secrets:
        # Who is asked would be told what a player does not know.
        raise Refusal("bad-request", Said("class-position"))
    p = game.start()
    for entry in after:
        if entry not in game.moves(p):
            raise Refusal("bad-request", Said("class-position"))
        p = game.play(p, entry)
    if game.player(p) == CHANCE or not game.moves(p):
        raise Refusal("bad-request", Said("class-position"))
    return p


def posed(game: Game[Any], after: tuple[str, ...]) -> wire.Posed:
    """A position as a question."""
    look, positions = shown(game), positions_of(game, after)
    return wire.Posed(
        **look.head,
        player=1 if game.player(positions[-1]) == 0 else 2,
        board=look.board(positions, after),
        moves=[unjudged(option) for option in look.options(positions[-1])],
        history=look.lines(positions, after),
    )


def question(asked: Question | None, pupil: int | None) -> messages.ClassQuestion | None:
    """Return the question to the whole class as the teacher sees it (`pupil` is None), or as this pupil does."""
    if asked is None:
        return None
    what, uncovered = asked.asked, asked.uncovered
    found = messages.ClassQuestion(
        number=asked.number,
        kind="move" if what.game else "guess",
        said=msgspec.json.decode(what.said, type=list[wire.Said]),
        position=posed(game_of(what.game, what.settings), what.after) if what.game else None,
        options=list(what.options),
        answered=len(asked.answers),
        yours=None if pupil is None else asked.answers.get(pupil),
    )
    if uncovered is not None:
        counts = Counter(asked.answers.values())
        answers = sorted(what.options, key=lambda one: -counts[one]) if what.game else what.options
        found.uncovered, found.exact = True, uncovered.exact
        found.why = msgspec.json.decode(uncovered.why, type=list[wire.Said])
        found.bars = [
            messages.Bar(one, counts[one], one in uncovered.right, uncovered.values.get(one))
            for one in answers
            if counts[one] or one in uncovered.right or not what.game
        ]
    return found


# ---- the teacher


def board(live: LiveClass, now: float) -> messages.ClassBoard:
    """All that the teacher sees."""
    state, header = live.state, live.state.header
    here = live.here(now)
    return messages.ClassBoard(
        **shown(live.game).head,
        classroom=header.classroom,
        code=header.code,
        way=header.way,  # type: ignore[arg-type]  # one of those
        level=header.level,
        marks=header.marks,
        hints=header.hints,
        names=header.names,  # type: ignore[arg-type]
        ranking=header.ranking,  # type: ignore[arg-type]
        phase=state.phase(now),  # type: ignore[arg-type]
        paused=state.paused,
        locked=state.locked,
        round=state.round,
        rounds=header.rounds,
        left=state.left(now),
        erased_in=max(0.0, header.created + (ERASED_AFTER if state.pupils else EMPTY_AFTER) - now),
        pupils=[_pupil(live, one, here) for one in state.present],
        tables=[found for table in live.shown if (found := _table(live, table)) is not None],
        question=question(state.question, None),
        played=state.played,
    )


def _pupil(live: LiveClass, one: PupilState, here: set[int]) -> messages.Pupil:
    table = live.state.tables[one.match].seating.table if one.busy else None
    return messages.Pupil(
        number=one.number,
        name=one.name,
        here=one.number in here,
        hand=one.hand,
        knocks=bool(one.knock),
        device_number=one.device_number,
        table=table,
        played=one.played,
        points=one.points / 2,
        moments=live.moments_of(one),
    )


def _table(live: LiveClass, table: TableState) -> messages.ClassTable | None:
    seating, room = table.seating, live.rooms.get(table.seating.match)
    if room is None:
        # It is just being read.
        return None
    match = room.state
    game, line = match.line.game, match.line
    one, two = (None if number == COMPUTER else number for number in seating.pupils)
    return messages.ClassTable(
        number=seating.table,
        match=seating.match,
        round=table.round,
        pupils=(one, two),
        board=shown(game).board_for(line, viewer(match, ())),
        turn=None if match.turn is None else match.turn + 1,
        moves=sum(game.player(p) != CHANCE for p in line.positions[:-1]),
        outcome=end(game, match.outcome, line.resigned is not None),
    )


def figures(live: LiveClass, exact: float | None, people: float | None) -> messages.ClassFigures:
    """Return the figures of the class up to now."""
    results = [table.result for table in live.state.tables.values() if table.result is not None]
    counted = [one for one in results if one.counts]
    return messages.ClassFigures(
        games=len(counted),
        began_won=sum(one.winner == 0 for one in counted),
        draws=sum(one.winner is None for one in counted),
        exact=exact,
        people=people,
        found=sum(found for found, _ in live.moments.values()),
        of=sum(of for _, of in live.moments.values()),
        waiting=len(live.to_look_through),
        missed=[_missed(live, name, seen) for name, seen in live.most_missed(MOST_MISSED)],
    )


def _missed(live: LiveClass, name: str, seen: list[Seen]) -> messages.Missed:
    wrong = [one for one in seen if one.decision.wrong]
    counts = Counter(one.decision.move for one in seen)
    mistakes = {one.decision.move for one in wrong}
    best = live.values[name][0].value
    choices = [
        messages.MoveCount(one.move, counts[one.move], one.value, one.move not in mistakes)
        for one in live.values[name]
        if counts[one.move] or one.value == best
    ]
    choices.sort(key=lambda choice: (-choice.count, -choice.value))
    after = wrong[-1].after
    return messages.Missed(posed(live.game, after), list(after), len(seen), len(wrong), choices, wrong[-1].decision.why)


def report(live: LiveClass, found: messages.ClassFigures) -> messages.ClassReport:
    """The class at the end."""
    return messages.ClassReport(found, [_reported(live, one) for one in live.state.present])


def _reported(live: LiveClass, one: PupilState) -> messages.PupilReport:
    slip = live.slip(one.number)
    return messages.PupilReport(
        number=one.number,
        name=one.name,
        games=one.played,
        won=one.won,
        points=one.points / 2,
        moments=live.moments_of(one),
        answered=one.answered,
        right=one.right,
        slip=slip[-1].decision.why if slip else [],
        slip_position=posed(live.game, slip[-1].after) if slip else None,
        slip_move=slip[-1].decision.move if slip else None,
        slip_times=len(slip),
    )


HEADINGS: Final = (
    *("number", "name", "games", "won", "points", "key_moments_found", "key_moments"),
    *("questions_answered", "questions_right", "commonest_slip", "slip_times"),
)


def table_of(found: messages.ClassReport) -> str:
    """The pupils as CSV."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADINGS)
    for one in found.pupils:
        done = (one.number, no_formula(one.name), one.games, one.won, f"{one.points:g}", *one.moments)
        writer.writerow((*done, one.answered, one.right, no_formula(one.slip_move or ""), one.slip_times))
    return text.getvalue()


# ---- a pupil


def seat(live: LiveClass, one: PupilState, token: str, waits: bool, now: float) -> messages.ClassSeat:
    """All that a pupil sees; `token` opens their seat in their game."""
    state, header = live.state, live.state.header
    table, room = state.tables.get(one.match), live.rooms.get(one.match)
    at = other = None
    if table is not None and not (one.removed or waits):
        at = table.seating.pupils.index(one.number)
        other = table.seating.pupils[1 - at]
    # Until the match is made, and knows this device, there is nothing to open.
    if at is None or room is None or room.state.tokens[at] != hashed(token):
        table = at = other = None
    phase = state.phase(now)
    return messages.ClassSeat(
        classroom=header.classroom,
        code=header.code,
        game=header.game,
        title=live.game.title,
        settings=shown(live.game).head["settings"],
        way=header.way,  # type: ignore[arg-type]  # one of those
        level=header.level,
        hints=header.hints,
        pupil=one.number,
        name=one.name,
        names=header.names,  # type: ignore[arg-type]  # one of those
        waits=waits,
        device_number=one.device_number if waits else None,
        removed=one.removed,
        phase=phase,  # type: ignore[arg-type]
        paused=state.paused,
        round=state.round,
        rounds=header.rounds,
        left=state.left(now),
        table=None if table is None else table.seating.table,
        match=None if table is None else one.match,
        token=None if table is None else token,
        seat=None if at is None else 1 if at == 0 else 2,
        opponent=state.pupil(other).name if other else None,
        free=phase == "playing" and not (one.busy or one.removed or waits) and header.way != "position",
        hand=one.hand,
        played=one.played,
        points=one.points / 2,
        question=None if one.removed or waits else question(state.question, one.number),
    )
