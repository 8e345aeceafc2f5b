"""The API: every route with what it takes and gives. openapi.py describes just this table."""

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
from numberquest.server.match.entries import HINT, SCREEN, Action
from numberquest.server.match.new import checked_level
from numberquest.server.match.state import MatchState
from numberquest.server.refusal import Refusal
from numberquest.server.room import Room
from numberquest.server.think import tasks
from numberquest.server.think.catalogue import offer, offered
from numberquest.server.think.messages import between_people
from numberquest.server.web.http import UNCACHED, UNKEPT, Call, Reply, lasting
from numberquest.study.atlas import Atlas, atlas_of, on_map

Handler = Callable[[Hub, Call], Awaitable[Reply]]


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
    """`{match}` stands for the name of a match, `{classroom}` for that of a class."""
    does: str
    """What it does, in a sentence."""
    handler: Handler | None
    """None: the answer is a stream, which app.py sends."""
    answer: Any
    """The type of the answer; str is a text of this `kind`."""
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
    kind: str = "text/plain"


DOCUMENT: Final = "/api/openapi.json"
MATCH: Final = "[A-Za-z0-9_-]{12,32}"
"""Pattern of the name of a match in an address."""
SOON: Final = 3.0
"""Seconds of work for a client that wants an answer in a moment."""
ROUTES: Final[list[Route]] = []
"""Everything that can be asked, in the order of the API document."""

_LEVEL = f"({'|'.join(PLAYERS)})"
_IN_A_MATCH = ("no-seat", "not-found", "late")
_OF_A_PUZZLE = ("not-found", "too-large")
_GAME = Parameter("game", "The game.", wire.GAME_NAME, True)
_SETTINGS = Parameter("settings", "As they are typed: `target=99 high=9`; classic where left out.", "^.{0,500}$")
_SOON = Parameter("soon", "Without what would have to be worked out first.", "^yes$")
_PLAYERS = Parameter("players", "Two levels: `hard,easy`; both perfect where left out.", f"^{_LEVEL},{_LEVEL}$")
_PUZZLE_SEED = Parameter("seed", "The same seed gives the same puzzle.", "^[0-9A-Za-z]{1,40}$")
_PUZZLE_ID = Parameter("id", "As a puzzle says it.", f"^.{{1,{wire.LONGEST_PUZZLE_ID}}}$", True)


def route(address: str, answer: Any, **more: Any) -> Callable[[Handler], Handler]:
    """Adds a handler to the table; the API document says of it what its docstring does."""
    method, path = address.split()

    def added(handler: Handler) -> Handler:
        ROUTES.append(Route(method, path, handler.__doc__ or "", handler, answer, **more))
        return handler

    return added


# ---- games and rules


@route("GET /api/games", wire.Games, parameters=(_SOON,))
async def _games(hub: Hub, call: Call) -> Reply:
    """The games and the computer players."""
    if "soon" in call.query and not hub.thinking.knows(tasks.Games()):
        games = offered()
    else:
        games = msgspec.json.decode((await _thought(hub, call, tasks.Games())).body, type=wire.Games)
    games.address = call.outside
    return lasting(wire.encode(games))


@route("GET /api/game", wire.GameInfo, parameters=(_GAME,))
async def _info(hub: Hub, call: Call) -> Reply:
    """What a game is, also one whose name carries its recipe; what would have to be worked out is left out."""
    return lasting(wire.encode(offer(type(await _game(hub, call))())))


@route("GET /api/rules", wire.Rules, parameters=(_GAME, _SETTINGS))
async def _rules(hub: Hub, call: Call) -> Reply:
    """The rules of a game, as they hold under these settings."""
    game = await _game(hub, call)
    return lasting(wire.encode(wire.Rules(game.title, game.told(game.rules), game.rulings_told())))


@route("GET /api/lessons", wire.Lesson, parameters=(_GAME,))
async def _lesson(hub: Hub, call: Call) -> Reply:
    """A game learnt by playing it, in a few steps."""
    return lasting((await _thought(hub, call, tasks.AskLesson(call.query["game"]))).body)


@route("GET /api/measures", wire.Measures, parameters=(_GAME, _SETTINGS, _PLAYERS), troubles=("too-large",))
async def _measures(hub: Hub, call: Call) -> Reply:
    """How fair, long, lucky and exciting a rule set is between two computer players, worked out exactly."""
    first, second = call.query.get("players", "perfect,perfect").split(",")
    task = tasks.Measure(call.query["game"], call.query.get("settings", ""), (first, second))
    return lasting((await _thought(hub, call, task)).body)


@route("GET /api/fairness", wire.Fairness, parameters=(_GAME, _SETTINGS), troubles=("not-found",))
async def _fairness(hub: Hub, call: Call) -> Reply:
    """How fair a rule set is, from the atlas; not how to win."""
    game = await _game(hub, call)
    known = _charted(game)
    if not on_map(game):
        raise Refusal("not-found", Said("because", {"why": f"the atlas of {game.slug} does not have {game.changes}"}))
    row = known.row_of(game)
    return lasting(wire.encode(wire.Fairness(row.value, between_people(row), row.measures["length"])))


@route("GET /api/atlas", wire.Map, parameters=(_GAME,), troubles=("not-found",))
async def _atlas(hub: Hub, call: Call) -> Reply:
    """Every rule set of a game: who wins or how likely, how to begin, and how long, lucky and skilful it is."""
    _charted(await _game(hub, call))
    return lasting((await _thought(hub, call, tasks.Map(call.query["game"]))).body)


@route("GET /api/best-line", wire.BestLine, parameters=(_GAME, _SETTINGS), troubles=("too-large",))
async def _best_line(hub: Hub, call: Call) -> Reply:
    """A game under these rules in which both play as well as they can."""
    task = tasks.BestLine(call.query["game"], call.query.get("settings", ""))
    return lasting((await _thought(hub, call, task)).body)


@route("POST /api/qr-codes", wire.QrCode, body=wire.QrRequest)
async def _qr_code(hub: Hub, call: Call) -> Reply:
    """A text, such as the link of an invitation, as a QR code."""
    return await _thought(hub, call, tasks.QrCode(call.body.text))


# ---- matches


@route("POST /api/matches", wire.Seated, body=wire.NewMatch, status=201, creates=True, largest=wire.LARGEST_RECORD)
async def _create(hub: Hub, call: Call) -> Reply:
    """Start a match: against a friend, the computer, or at one screen."""
    return Reply(wire.encode(await hub.create(call.body, call.address)), 201)


@route("GET /api/matches/{match}", wire.State, troubles=("not-found",))
async def _look(hub: Hub, call: Call) -> Reply:
    """How a match stands; in a game with secrets, as far as the seat's token, if one is sent, lets it be seen."""
    room = await hub.room(call.match)
    return _of_match(room.state, Reply(room.whole(await hub.seated(room, call.token))))


@route("POST /api/matches/{match}/join", wire.Seated, body=wire.Join, troubles=("no-seat", "not-found", "not-allowed"))
async def _join(hub: Hub, call: Call) -> Reply:
    """Take the seat that an invitation is for."""
    return Reply(wire.encode(await hub.join(call.match, call.body)))


@route("POST /api/matches/{match}/moves", wire.State, body=wire.Move, seat=True, troubles=_IN_A_MATCH)
async def _do(hub: Hub, call: Call) -> Reply:
    """Make a move. Asked again with the same ply, move and key, the answer is the same and nothing happens twice."""
    room = await hub.room(call.match)
    seats = await _seats(hub, room, call)
    state = await hub.do(room, seats, call.body, address=call.address)
    return Reply(room.whole(seats) if state is room.state else room.shown(state, seats))


@route("POST /api/matches/{match}/actions", wire.State, body=wire.Act, seat=True, troubles=_IN_A_MATCH)
async def _act(hub: Hub, call: Call) -> Reply:
    """Resign, take a move back, answer such a question, ask for a rematch, or withdraw an invitation."""
    return await _do(hub, call)


@route("POST /api/matches/{match}/hints", wire.Hint, body=wire.AskHint, seat=True, troubles=(*_IN_A_MATCH, "too-large"))
async def _hint(hub: Hub, call: Call) -> Reply:
    """The next step of a hint: a nudge, the move, the proof. Counted, and not against a friend."""
    room, seats = await _advised(hub, call, (SCREEN, "computer"), "no-hints")
    wish: wire.AskHint = call.body
    if wish.ply > room.state.ply:
        raise Refusal("late", Said("stands", {"stands": room.state.ply, "ply": wish.ply}))
    state = room.state.earlier(wish.ply)
    # Refused before anybody thinks about it; counted once the hint is there.
    state.apply(Action(wish.ply, state.seat_for(HINT, seats), "", 0.0, HINT))
    task = tasks.Hint(state.header.game, state.header.settings, list(state.line.history), wish.step)
    reply = await _thought(hub, call, task)
    await hub.do(room, seats, wish, address=call.address)
    return reply


@route("GET /api/matches/{match}/coach", wire.Comment, seat=True, troubles=("no-seat", *_OF_A_PUZZLE, "not-allowed"))
async def _coach(hub: Hub, call: Call) -> Reply:
    """What your last move gave away, against the computer."""
    room, seats = await _advised(hub, call, ("computer",), "no-coach")
    header, line = room.state.header, room.state.line
    made = [at for at, p in enumerate(line.positions[:-1]) if line.game.player(p) in seats]
    if not made:
        return Reply(wire.encode(wire.Comment([])))
    entries = list(line.history[: made[-1] + 1])
    return await _thought(hub, call, tasks.Comment(header.game, header.settings, entries[:-1], entries[-1]))


_EVENTS = "A line of JSON, an Update, now and after each change, until the game is over."
ROUTES.append(Route("GET", "/api/matches/{match}/events", _EVENTS, None, wire.Update, troubles=("not-found",)))


@route("GET /api/matches/{match}/record", str, troubles=("not-found", "not-allowed"))
async def _record(hub: Hub, call: Call) -> Reply:
    """The record of a match that is over, with the seed of its deal."""
    state = await _over(hub, call)
    name = f'attachment; filename="{state.line.game.slug}-{call.match}.nq"'
    headers = {**UNCACHED, "Content-Disposition": name}
    return Reply(state.record().text().encode(), kind="text/plain; charset=utf-8", headers=headers)


@route("GET /api/matches/{match}/review", wire.Review, troubles=("not-found", "not-allowed", "too-large"))
async def _review(hub: Hub, call: Call) -> Reply:
    """What every move of a match that is over was worth."""
    state = await _over(hub, call)
    return _of_match(state, await _thought(hub, call, tasks.AskReview(state.record().text())))


@route("POST /api/reviews", wire.Review, body=wire.ReviewRequest, largest=wire.LARGEST_RECORD, troubles=("too-large",))
async def _review_record(hub: Hub, call: Call) -> Reply:
    """What every move of a record was worth; with `at` and `move`, what if that move had been played there."""
    return await _thought(hub, call, tasks.AskReview(call.body.record, call.body.at, call.body.move or ""))


# ---- puzzles


@route(
    "GET /api/puzzles/daily",
    wire.Puzzle,
    parameters=(
        Parameter("date", "The day, written 2026-01-31.", r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", True),
        Parameter("game", "Of this game; of that day's if left out.", wire.SLUG),
        Parameter("step", "1, 2 or 3: one of three from easy to hard; the puzzle of the day if left out.", "^[1-3]$"),
    ),
    troubles=_OF_A_PUZZLE,
)
async def _daily(hub: Hub, call: Call) -> Reply:
    """The puzzle of a day, the same for everybody."""
    date, step = call.query["date"], int(call.query.get("step", "0"))
    reply = await _thought(hub, call, tasks.AskPuzzle(date=date, game=call.query.get("game", ""), step=step))
    if step and "game" not in call.query:
        hub.solved.posed(date, step, msgspec.json.decode(reply.body, type=wire.Puzzle).id)
    return reply


@route("GET /api/puzzles/daily/solved", wire.Solved)
async def _solved(hub: Hub, _: Call) -> Reply:
    """How often the steps of today's puzzle were solved here at the first try."""
    return Reply(wire.encode(await hub.solved.tallies()))


@route("GET /api/puzzles/new", wire.Puzzle, parameters=(_GAME, _PUZZLE_SEED), troubles=_OF_A_PUZZLE)
async def _new_puzzle(hub: Hub, call: Call) -> Reply:
    """A puzzle of a game."""
    seed = call.query.get("seed") or str(secrets.randbelow(2**32))
    return await _thought(hub, call, tasks.AskPuzzle(game=call.query["game"], seed=seed))


@route("GET /api/puzzles", wire.Puzzle, parameters=(_PUZZLE_ID,), troubles=_OF_A_PUZZLE)
async def _puzzle(hub: Hub, call: Call) -> Reply:
    """The puzzle of that id."""
    return await _thought(hub, call, tasks.AskPuzzle(id=call.query["id"]))


@route("POST /api/puzzles/answers", wire.Judged, body=wire.Guess, troubles=_OF_A_PUZZLE)
async def _guess(hub: Hub, call: Call) -> Reply:
    """Whether a move is the right one, and what every move is worth."""
    reply = await _thought(hub, call, tasks.Judge(call.body.id, call.body.move))
    if call.body.first:
        right = msgspec.json.decode(reply.body, type=wire.Judged).right
        await hub.solved.answered(call.body.id, call.address, right)
    return reply


# ---- the workshop: a recipe that somebody writes. It is data, and nothing of it is kept


@route("POST /api/drafts/checks", wire.CheckedDraft, body=wire.Draft, largest=wire.LARGEST_RECORD)
async def _check_draft(hub: Hub, call: Call) -> Reply:
    """Whether a recipe is a game that keeps the laws, and what it looks like."""
    return await _thought(hub, call, tasks.CheckDraft(call.body.text))


@route("POST /api/drafts/trials", wire.TriedDraft, body=wire.DraftTrial, largest=wire.LARGEST_RECORD)
async def _try_draft(hub: Hub, call: Call) -> Reply:
    """How a recipe goes: the board after these moves, and what the computer answers."""
    wish: wire.DraftTrial = call.body
    level = checked_level(wish.level) if wish.level else ""
    return await _thought(hub, call, tasks.TryDraft(wish.text, wish.seed, wish.moves, level))


@route(
    "POST /api/drafts/measures",
    wire.Measures,
    body=wire.DraftMeasure,
    largest=wire.LARGEST_RECORD,
    troubles=("too-large",),
)
async def _measure_draft(hub: Hub, call: Call) -> Reply:
    """How fair, long, lucky and exciting a recipe is between two of a level, worked out exactly."""
    wish: wire.DraftMeasure = call.body
    level = checked_level(wish.level)
    return await _thought(hub, call, tasks.MeasureDraft(wish.text, (level, level), patience=SOON if wish.soon else 0.0))


# ---- what they have in common


async def _game(hub: Hub, call: Call) -> Game[Any]:
    """Return the game that a question is about, with its settings."""
    name, settings = call.query["game"], call.query.get("settings", "")
    try:
        return await hub.made(name, lambda: make_game(name, **read_settings(settings.split())), call.address)
    except BadSetting as error:
        raise Refusal("bad-request", Said("because", {"why": str(error)})) from None


def _charted(game: Game[Any]) -> Atlas:
    """The atlas of a game; refused where it has none."""
    known = atlas_of(type(game))
    if known is None:
        raise Refusal("not-found", Said("because", {"why": f"{game.slug} has no atlas"}))
    return known


def _of_match(state: MatchState, reply: Reply) -> Reply:
    """Return the reply; for a match of a class with headers that keep browsers from storing it."""
    return reply._replace(headers=UNKEPT) if state.header.classroom else reply


async def _over(hub: Hub, call: Call) -> MatchState:
    """A match, refused where it is not over."""
    state = (await hub.room(call.match)).state
    if not state.over:
        raise Refusal("not-allowed", Said("record-early"))
    return state


async def _seats(hub: Hub, room: Room, call: Call) -> list[int]:
    """Return the seats that the token of a request opens; refuse a token that opens none."""
    seats = await hub.seated(room, call.token)
    if call.token is not None and not seats:
        raise Refusal("no-seat", Said("token-wrong"))
    return seats


async def _advised(hub: Hub, call: Call, against: tuple[str, ...], otherwise: str) -> tuple[Room, list[int]]:
    """Return the match and the seats of a client that wants advice, which only these opponents allow."""
    room = await hub.room(call.match)
    seats = await _seats(hub, room, call)
    if not seats:
        raise Refusal("no-seat", Said("watching"))
    if room.state.opponent not in against:
        raise Refusal("not-allowed", Said(otherwise))
    if not room.state.header.marks:
        raise Refusal("not-allowed", Said("no-hints-wished"))
    if room.state.header.classroom:
        await hub.allowed(room.state.header, None)
    return room, seats


async def _thought(hub: Hub, call: Call, task: Any) -> Reply:
    """Return the answer of a worker as a reply; a cached answer costs nothing."""
    answer = await hub.think(task, hub.owner(call.address), call.match, call.waits)
    if isinstance(answer, tasks.Made):
        return Reply(bytes(answer.json))
    if isinstance(answer, tasks.Failed):
        raise Refusal(answer.code, Said(answer.said.code, answer.said.facts), answer.line)
    raise TypeError("a worker has answered something else")


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
