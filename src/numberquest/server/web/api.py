"""The API: every route with what it takes and gives. openapi.py describes just this table."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import msgspec

from numberquest.core.contract import Game
from numberquest.core.registry import game as make_game
from numberquest.core.sentences import Said
from numberquest.core.settings import BadSetting, read_settings
from numberquest.players.levels import PLAYERS
from numberquest.server import wire
from numberquest.server.hub import Hub
from numberquest.server.match.entries import FRIEND, HINT, Action
from numberquest.server.refusal import Refusal
from numberquest.server.room import Room
from numberquest.server.think import tasks
from numberquest.server.think.catalogue import offered
from numberquest.server.think.messages import between_people
from numberquest.server.web.http import UNCACHED, Call, Reply, lasting
from numberquest.study.atlas import Atlas, atlas_of

Handler = Callable[[Hub, Call], Awaitable[Reply]]

_encode = msgspec.json.Encoder().encode


class Parameter(NamedTuple):
    """One parameter in an address."""

    name: str
    words: str
    pattern: str
    needed: bool = False


class Route(NamedTuple):
    """One thing that can be asked."""

    method: str
    path: str
    """`{match}` stands for the name of a match."""
    does: str
    """What it does, in a sentence."""
    handler: Handler | None
    """None: the answer is a stream, which app.py sends."""
    answer: Any
    """The type of the answer; str is plain text."""
    body: Any = None
    status: int = 200
    seat: bool = False
    """Whether it needs a seat token."""
    creates: bool = False
    """Whether it makes a new match, which has a rate of its own besides the one for everything."""
    largest: int = wire.LARGEST_FRAME
    parameters: tuple[Parameter, ...] = ()
    troubles: tuple[str, ...] = ()
    """The kinds of trouble of its own, besides those that every route has."""


class _Posed(msgspec.Struct):
    """What is looked for in a puzzle."""

    id: str


class _Right(msgspec.Struct):
    """What is looked for in the answer to a guess."""

    right: bool


def _ok(answer: Any, status: int = 200) -> Reply:
    return Reply(_encode(answer), status)


async def _games(hub: Hub, call: Call) -> Reply:
    if "soon" in call.query and not hub.thinking.knows(tasks.Games()):
        games = offered()
    else:
        games = msgspec.json.decode((await _thought(hub, call, tasks.Games())).body, type=wire.Games)
    games.address = call.outside
    return lasting(_encode(games))


async def _rules(_: Hub, call: Call) -> Reply:
    game = _game(call)
    return lasting(_encode(wire.Rules(game.title, game.told(game.rules), game.rulings_told())))


async def _create(hub: Hub, call: Call) -> Reply:
    return _ok(await hub.create(call.body, call.address), 201)


async def _join(hub: Hub, call: Call) -> Reply:
    return _ok(await hub.join(call.match, call.body))


async def _look(hub: Hub, call: Call) -> Reply:
    return Reply((await hub.room(call.match)).whole())


async def _do(hub: Hub, call: Call) -> Reply:
    room = await hub.room(call.match)
    state = await hub.do(room, await _seats(hub, room, call), call.body, address=call.address)
    return Reply(room.whole() if state is room.state else room.shown(state))


async def _hint(hub: Hub, call: Call) -> Reply:
    room = await hub.room(call.match)
    wish: wire.AskHint = call.body
    seats = await _seats(hub, room, call)
    if not seats:
        raise Refusal("no-seat", Said("watching"))
    if room.state.opponent == FRIEND:
        raise Refusal("not-allowed", Said("no-hints"))
    if not room.state.header.marks:
        raise Refusal("not-allowed", Said("no-hints-wished"))
    if wish.ply > room.state.ply:
        raise Refusal("late", Said("stands", {"stands": room.state.ply, "ply": wish.ply}))
    state = room.state.earlier(wish.ply)
    # Refused before anybody thinks about it; counted once the hint is there.
    state.apply(Action(wish.ply, state.seat_for(HINT, seats), "", 0.0, HINT))
    task = tasks.Hint(state.header.game, state.header.settings, list(state.line.history), wish.step)
    reply = await _thought(hub, call, task)
    await hub.do(room, seats, wish, address=call.address)
    return reply


async def _coach(hub: Hub, call: Call) -> Reply:
    room = await hub.room(call.match)
    seats = await _seats(hub, room, call)
    if not seats:
        raise Refusal("no-seat", Said("watching"))
    if room.state.opponent != "computer":
        raise Refusal("not-allowed", Said("no-coach"))
    if not room.state.header.marks:
        raise Refusal("not-allowed", Said("no-hints-wished"))
    header, line = room.state.header, room.state.line
    made = [at for at, p in enumerate(line.positions[:-1]) if line.game.player(p) in seats]
    if not made:
        return _ok(wire.Comment([]))
    entries = list(line.history[: made[-1] + 1])
    return await _thought(hub, call, tasks.Comment(header.game, header.settings, entries[:-1], entries[-1]))


async def _record(hub: Hub, call: Call) -> Reply:
    text = await _record_text(hub, call.match)
    game = (await hub.room(call.match)).state.header.game
    name = f'attachment; filename="{game}-{call.match}.nq"'
    headers = {**UNCACHED, "Content-Disposition": name}
    return Reply(text.encode(), kind="text/plain; charset=utf-8", headers=headers)


async def _record_text(hub: Hub, match: str) -> str:
    state = (await hub.room(match)).state
    if not state.over:
        raise Refusal("not-allowed", Said("record-early"))
    return state.record().text()


async def _review(hub: Hub, call: Call) -> Reply:
    return await _thought(hub, call, tasks.AskReview(await _record_text(hub, call.match)))


async def _review_record(hub: Hub, call: Call) -> Reply:
    return await _thought(hub, call, tasks.AskReview(call.body.record, call.body.at, call.body.move or ""))


async def _daily(hub: Hub, call: Call) -> Reply:
    date, step = call.query["date"], int(call.query.get("step", "0"))
    reply = await _thought(hub, call, tasks.AskPuzzle(date=date, game=call.query.get("game", ""), step=step))
    if step and "game" not in call.query:
        hub.solved.posed(date, step, msgspec.json.decode(reply.body, type=_Posed).id)
    return reply


async def _solved(hub: Hub, _: Call) -> Reply:
    return _ok(await hub.solved.tallies())


async def _new_puzzle(hub: Hub, call: Call) -> Reply:
    seed = call.query.get("seed") or str(secrets.randbelow(2**32))
    return await _thought(hub, call, tasks.AskPuzzle(game=call.query["game"], seed=seed))


async def _puzzle(hub: Hub, call: Call) -> Reply:
    return await _thought(hub, call, tasks.AskPuzzle(id=call.query["id"]))


async def _guess(hub: Hub, call: Call) -> Reply:
    reply = await _thought(hub, call, tasks.Judge(call.body.id, call.body.move))
    if call.body.first:
        right = msgspec.json.decode(reply.body, type=_Right).right
        await hub.solved.answered(call.body.id, call.address, right)
    return reply


async def _lesson(hub: Hub, call: Call) -> Reply:
    return lasting((await _thought(hub, call, tasks.AskLesson(call.query["game"]))).body)


async def _measures(hub: Hub, call: Call) -> Reply:
    first, second = call.query.get("players", "perfect,perfect").split(",")
    task = tasks.Measure(call.query["game"], call.query.get("settings", ""), (first, second))
    return lasting((await _thought(hub, call, task)).body)


async def _fairness(_: Hub, call: Call) -> Reply:
    game = _game(call)
    row = _charted(game).row_of(game)
    return lasting(_encode(wire.Fairness(row.value, between_people(row), row.measures["length"])))


async def _atlas(hub: Hub, call: Call) -> Reply:
    _charted(_game(call))
    return lasting((await _thought(hub, call, tasks.Map(call.query["game"]))).body)


async def _best_line(hub: Hub, call: Call) -> Reply:
    task = tasks.BestLine(call.query["game"], call.query.get("settings", ""))
    return lasting((await _thought(hub, call, task)).body)


async def _qr_code(hub: Hub, call: Call) -> Reply:
    return await _thought(hub, call, tasks.QrCode(call.body.text))


def _charted(game: Game[Any]) -> Atlas:
    """The atlas of a game; refused where it has none."""
    known = atlas_of(type(game))
    if known is None:
        raise Refusal("not-found", Said("because", {"why": f"{game.slug} has no atlas"}))
    return known


def _game(call: Call) -> Game[Any]:
    """The game and the settings that a question is about."""
    try:
        return make_game(call.query["game"], **read_settings(call.query.get("settings", "").split()))
    except BadSetting as error:
        raise Refusal("bad-request", Said("because", {"why": str(error)})) from None


async def _seats(hub: Hub, room: Room, call: Call) -> list[int]:
    """The seats of whoever asks; a token that opens nothing here is a mistake that is told."""
    seats = await hub.seated(room, call.token)
    if call.token is not None and not seats:
        raise Refusal("no-seat", Said("token-wrong"))
    return seats


async def _thought(hub: Hub, call: Call, task: Any) -> Reply:
    """What the worker says, passed on as it is. What is known already costs nobody anything."""
    thought, free = hub.gate.thought, hub.thinking.free(task, call.address)
    if not free and not thought.begins(call.address):
        raise Refusal("too-many", Said("much-thought"))
    try:
        answer = await hub.thinking.ask(task, call.address, call.match)
    finally:
        if not free:
            thought.ends(call.address)
    if isinstance(answer, tasks.Made):
        return Reply(bytes(answer.json))
    if isinstance(answer, tasks.Failed):
        raise Refusal(answer.code, Said(answer.said.code, answer.said.facts), answer.line)
    raise TypeError("a worker has answered something else")


_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_SLUG = "^[a-z][a-z0-9_]{0,19}$"
_LEVEL = f"({'|'.join(PLAYERS)})"

ROUTES: Final[tuple[Route, ...]] = (
    Route(
        "GET",
        "/api/games",
        "The games and the computer players.",
        _games,
        wire.Games,
        parameters=(Parameter("soon", "Without what would have to be worked out first.", "^yes$"),),
    ),
    Route(
        "GET",
        "/api/rules",
        "The rules of a game, as they hold under these settings.",
        _rules,
        wire.Rules,
        parameters=(
            Parameter("game", "The game.", _SLUG, True),
            Parameter("settings", "As they are typed: `target=99 high=9`; classic where left out.", "^.{0,500}$"),
        ),
    ),
    Route(
        "GET",
        "/api/lessons",
        "A game learnt by playing it, in a few steps.",
        _lesson,
        wire.Lesson,
        parameters=(Parameter("game", "The game.", _SLUG, True),),
    ),
    Route(
        "GET",
        "/api/measures",
        "How fair, long, lucky and exciting a rule set is between two computer players, worked out exactly.",
        _measures,
        wire.Measures,
        parameters=(
            Parameter("game", "The game.", _SLUG, True),
            Parameter("settings", "As they are typed: `target=99 high=9`; classic where left out.", "^.{0,500}$"),
            Parameter("players", "Two levels: `hard,easy`; both perfect where left out.", f"^{_LEVEL},{_LEVEL}$"),
        ),
        troubles=("too-large",),
    ),
    Route(
        "GET",
        "/api/fairness",
        "How fair a rule set is, from the atlas; not how to win.",
        _fairness,
        wire.Fairness,
        parameters=(
            Parameter("game", "The game.", _SLUG, True),
            Parameter("settings", "As they are typed: `target=99 high=9`; classic where left out.", "^.{0,500}$"),
        ),
        troubles=("not-found",),
    ),
    Route(
        "GET",
        "/api/atlas",
        "Every rule set of a game: who wins or how likely, how to begin, and how long, lucky and skilful it is.",
        _atlas,
        wire.Map,
        parameters=(Parameter("game", "The game.", _SLUG, True),),
        troubles=("not-found",),
    ),
    Route(
        "GET",
        "/api/best-line",
        "A game under these rules in which both play as well as they can.",
        _best_line,
        wire.BestLine,
        parameters=(
            Parameter("game", "The game.", _SLUG, True),
            Parameter("settings", "As they are typed: `target=99 high=9`; classic where left out.", "^.{0,500}$"),
        ),
        troubles=("too-large",),
    ),
    Route(
        "POST",
        "/api/qr-codes",
        "A text, such as the link of an invitation, as a QR code.",
        _qr_code,
        wire.QrCode,
        wire.QrRequest,
    ),
    Route(
        "POST",
        "/api/matches",
        "Start a match: against a friend, the computer, or at one screen.",
        _create,
        wire.Seated,
        wire.NewMatch,
        201,
        creates=True,
        largest=wire.LARGEST_RECORD,
    ),
    Route("GET", "/api/matches/{match}", "How a match stands.", _look, wire.State, troubles=("not-found",)),
    Route(
        "POST",
        "/api/matches/{match}/join",
        "Take the seat that an invitation is for.",
        _join,
        wire.Seated,
        wire.Join,
        troubles=("no-seat", "not-found", "not-allowed"),
    ),
    Route(
        "POST",
        "/api/matches/{match}/moves",
        "Make a move. Asked again with the same ply, move and key, the answer is the same and nothing happens twice.",
        _do,
        wire.State,
        wire.Move,
        seat=True,
        troubles=("no-seat", "not-found", "late"),
    ),
    Route(
        "POST",
        "/api/matches/{match}/actions",
        "Resign, take a move back, answer such a question, ask for a rematch, or withdraw an invitation.",
        _do,
        wire.State,
        wire.Act,
        seat=True,
        troubles=("no-seat", "not-found", "late"),
    ),
    Route(
        "POST",
        "/api/matches/{match}/hints",
        "The next step of a hint: a nudge, the move, the proof. Counted, and not against a friend.",
        _hint,
        wire.Hint,
        wire.AskHint,
        seat=True,
        troubles=("no-seat", "not-found", "late", "too-large"),
    ),
    Route(
        "GET",
        "/api/matches/{match}/coach",
        "What your last move gave away, against the computer.",
        _coach,
        wire.Comment,
        seat=True,
        troubles=("no-seat", "not-found", "not-allowed", "too-large"),
    ),
    Route(
        "GET",
        "/api/matches/{match}/events",
        "A line of JSON, an Update, now and after each change, until the game is over.",
        None,
        wire.Update,
        troubles=("not-found",),
    ),
    Route(
        "GET",
        "/api/matches/{match}/record",
        "The record of a match that is over, with the seed of its deal.",
        _record,
        str,
        troubles=("not-found", "not-allowed"),
    ),
    Route(
        "GET",
        "/api/matches/{match}/review",
        "What every move of a match that is over was worth.",
        _review,
        wire.Review,
        troubles=("not-found", "not-allowed", "too-large"),
    ),
    Route(
        "POST",
        "/api/reviews",
        "What every move of a record was worth; with `at` and `move`, what if that move had been played there.",
        _review_record,
        wire.Review,
        wire.ReviewRequest,
        largest=wire.LARGEST_RECORD,
        troubles=("too-large",),
    ),
    Route(
        "GET",
        "/api/puzzles/daily",
        "The puzzle of a day, the same for everybody.",
        _daily,
        wire.Puzzle,
        parameters=(
            Parameter("date", "The day, written 2026-01-31.", _DATE, True),
            Parameter("game", "Of this game; of that day's if left out.", _SLUG),
            Parameter(
                "step", "1, 2 or 3: one of three from easy to hard; the puzzle of the day if left out.", "^[1-3]$"
            ),
        ),
        troubles=("not-found", "too-large"),
    ),
    Route(
        "GET",
        "/api/puzzles/daily/solved",
        "How often the steps of today's puzzle were solved here at the first try.",
        _solved,
        wire.Solved,
    ),
    Route(
        "GET",
        "/api/puzzles/new",
        "A puzzle of a game.",
        _new_puzzle,
        wire.Puzzle,
        parameters=(
            Parameter("game", "The game.", _SLUG, True),
            Parameter("seed", "The same seed gives the same puzzle.", "^[0-9A-Za-z]{1,40}$"),
        ),
        troubles=("not-found", "too-large"),
    ),
    Route(
        "GET",
        "/api/puzzles",
        "The puzzle of that id.",
        _puzzle,
        wire.Puzzle,
        parameters=(Parameter("id", "As a puzzle says it.", "^.{1,200}$", True),),
        troubles=("not-found", "too-large"),
    ),
    Route(
        "POST",
        "/api/puzzles/answers",
        "Whether a move is the right one, and what every move is worth.",
        _guess,
        wire.Judged,
        wire.Guess,
        troubles=("not-found", "too-large"),
    ),
)

DOCUMENT: Final = "/api/openapi.json"
MATCH: Final = "[A-Za-z0-9_-]{12,32}"
"""What the name of a match in an address looks like."""


def checked_query(route: Route, query: dict[str, str]) -> dict[str, str]:
    """The parameters of a request, refused where one is missing or not what it should be."""
    for parameter in route.parameters:
        value = query.get(parameter.name)
        facts = {"name": parameter.name, "meaning": parameter.words}
        if value is None:
            if parameter.needed:
                raise Refusal("bad-request", Said("parameter-needed", facts))
        elif re.fullmatch(parameter.pattern.strip("^$"), value, re.DOTALL) is None:
            raise Refusal("bad-request", Said("parameter-wrong", facts))
    return query
