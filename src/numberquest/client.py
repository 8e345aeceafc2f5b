"""A small client for programs that play on a server. Needs `numberquest[client]`.

    from numberquest.client import Client

    seat = Client("http://localhost:8000").create("nim", opponent="easy")
    while seat.state.outcome is None:
        seat.play(seat.state.moves[0].move)
        seat.wait()
    print(seat.ending())

Every request that changes something carries a key of its own, so that it can be asked again after a lost connection
or a restart of the server, and still happens once. The client does that by itself, for as long as `patience` says.
"""

from __future__ import annotations

import http.client
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from numberquest.core.errors import to_install

try:
    import msgspec
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"the client needs the package {missing.name}: {to_install('client')}", name=missing.name
    ) from None

from numberquest.core.contract import Outcome, ending_by
from numberquest.core.sentences import fill
from numberquest.server import wire
from numberquest.server.refusal import SENTENCES

T = TypeVar("T")


class ServerSaid(Exception):
    """The server refused: `code` for programs, the message for people."""

    def __init__(self, status: int, problem: wire.Problem) -> None:
        super().__init__(problem.error)
        self.status = status
        self.code = problem.code
        self.said = problem.said
        """What the message was made from."""
        self.line = problem.line
        """Of a record that cannot be read: in which line."""
        self.passing = problem.code in ("busy", "not-stored", "too-many")
        """Whether it may go well when it is asked again."""


class Client:
    """Speaks to one server."""

    def __init__(self, url: str = "http://localhost:8000", *, patience: float = 30.0, timeout: float = 70.0) -> None:
        """`patience`: for so many seconds a request is tried again while the server cannot be reached or is busy."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"a server's address begins with http:// or https://, not {url[:60]!r}")
        self._kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._host, self._port, self._path = parts.hostname, parts.port, parts.path.rstrip("/")
        self.patience, self.timeout = patience, timeout
        self._open: http.client.HTTPConnection | None = None

    def close(self) -> None:
        """Let go of the connection."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- what can be asked

    def games(self) -> wire.Games:
        """The games, and the computer players."""
        return self.get("/api/games", wire.Games)

    def game(self, name: str) -> wire.GameInfo:
        """One game, also one whose name carries its recipe."""
        return self.get(f"/api/game?{urlencode({'game': name})}", wire.GameInfo)

    def create(self, game: str | None = None, **wishes: Any) -> Seat:
        """Start a match; `wishes` are the fields of `wire.NewMatch`. With a `record`, the game is the record's."""
        wish = wire.NewMatch(game=game, key=new_key(), **wishes)
        return Seat(self, self.post("/api/matches", wish, wire.Seated))

    def join(self, match: str, invite: str, name: str | None = None) -> Seat:
        """Take the seat that an invitation is for."""
        wish = wire.Join(invite=invite, name=name, key=new_key())
        return Seat(self, self.post(f"/api/matches/{quote(match)}/join", wish, wire.Seated))

    def look(self, match: str, token: str | None = None) -> wire.State:
        """How a match stands, as anybody may see it; in a game with secrets, as the seat of this token does."""
        return self.get(f"/api/matches/{quote(match)}", wire.State, token)

    def record(self, match: str) -> str:
        """The record of a match that is over."""
        return self._asked("GET", f"/api/matches/{quote(match)}/record", None, None).decode()

    def review(self, match: str) -> wire.Review:
        """What every move of a match that is over was worth."""
        return self.get(f"/api/matches/{quote(match)}/review", wire.Review)

    def what_if(self, record: str, at: int, move: str) -> wire.Review:
        """How a record would have gone on with another move after so many entries, both playing their best."""
        return self.post("/api/reviews", wire.ReviewRequest(record, at, move), wire.Review)

    def review_record(self, record: str) -> wire.Review:
        """What every move of a record was worth."""
        return self.post("/api/reviews", wire.ReviewRequest(record), wire.Review)

    def solved_today(self) -> wire.Solved:
        """How often the steps of today's puzzle were solved on this server at the first try."""
        return self.get("/api/puzzles/daily/solved", wire.Solved)

    def daily_puzzle(self, date: str, game: str = "", step: int = 0) -> wire.Puzzle:
        """The puzzle of a day, or one of its three steps from easy to hard."""
        query = {"date": date, **({"game": game} if game else {}), **({"step": step} if step else {})}
        return self.get(f"/api/puzzles/daily?{urlencode(query)}", wire.Puzzle)

    def new_puzzle(self, game: str, seed: str = "") -> wire.Puzzle:
        """A puzzle of a game."""
        query = {"game": game, **({"seed": seed} if seed else {})}
        return self.get(f"/api/puzzles/new?{urlencode(query)}", wire.Puzzle)

    def puzzle(self, name: str) -> wire.Puzzle:
        """The puzzle of that id."""
        return self.get(f"/api/puzzles?{urlencode({'id': name})}", wire.Puzzle)

    def guess(self, name: str, move: str, *, first: bool = False) -> wire.Judged:
        """Whether a move is the right one in that puzzle."""
        return self.post("/api/puzzles/answers", wire.Guess(name, move, first), wire.Judged)

    def lesson(self, game: str) -> wire.Lesson:
        """A game learnt by playing it, in a few steps."""
        return self.get(f"/api/lessons?game={quote(game)}", wire.Lesson)

    def events(self, match: str, token: str | None = None) -> Iterator[wire.State]:
        """The match as it stands now, and after each change, until the game is over or the server ends the stream."""
        connection = self._connection()
        try:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            connection.request("GET", f"{self._path}/api/matches/{quote(match)}/events", headers=headers)
            response = connection.getresponse()
            if response.status != 200:
                raise _problem(response.status, response.read())
            # A line that was cut off in the middle is none.
            while (line := response.readline()).endswith(b"\n"):
                event = msgspec.json.decode(line, type=wire.Update | wire.Ping)
                if isinstance(event, wire.Update) and event.state is not msgspec.UNSET:
                    yield msgspec.json.decode(event.state, type=wire.State)
        finally:
            connection.close()

    # ---- how it is asked

    def get(self, path: str, kind: type[T], token: str | None = None) -> T:
        """What is at this address, as this type."""
        return msgspec.json.decode(self._asked("GET", path, None, token), type=kind)

    def post(self, path: str, wish: wire.Request, kind: type[T], token: str | None = None) -> T:
        """Ask for something, and get the answer as this type."""
        return msgspec.json.decode(self._asked("POST", path, msgspec.json.encode(wish), token), type=kind)

    def _connection(self) -> http.client.HTTPConnection:
        return self._kind(self._host, self._port, timeout=self.timeout)

    def _asked(self, method: str, path: str, body: bytes | None, token: str | None) -> bytes:
        """Ask, and ask again while the server is away or busy: whatever it was happens once."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        until, pause = time.monotonic() + self.patience, 0.02
        while True:
            try:
                if self._open is None:
                    self._open = self._connection()
                self._open.request(method, self._path + path, body, headers)
                response = self._open.getresponse()
                said = response.read()
            except (OSError, http.client.HTTPException):
                self.close()
                if time.monotonic() > until:
                    raise
            else:
                if response.status < 400:
                    return said
                problem = _problem(response.status, said)
                if not problem.passing or time.monotonic() > until:
                    raise problem
            time.sleep(pause)
            pause = min(1.0, pause * 1.5)


class Seat:
    """A place at a match: look at `state`, make moves."""

    def __init__(self, client: Client, seated: wire.Seated) -> None:
        self._client = client
        self.match = seated.match
        self.seats = seated.seats
        self.token = seated.token
        self.invite = seated.invite
        self.state = seated.state

    @property
    def my_turn(self) -> bool:
        """Whether it is this seat's turn."""
        return self.state.turn in self.seats

    def play(self, move: str) -> wire.State:
        """Make a move. The state returned is the one right after it."""
        return self._done("moves", wire.Move(self.state.ply, move, new_key()))

    def act(self, do: str, seat: int | None = None) -> wire.State:
        """resign, take-back, agree, refuse, rematch, withdraw or end."""
        wish = {"ply": self.state.ply, "do": do, "seat": seat, "key": new_key()}
        return self._done("actions", msgspec.convert(wish, wire.Act))

    def _done(self, what: str, wish: wire.Request) -> wire.State:
        self.state = self._client.post(f"/api/matches/{self.match}/{what}", wish, wire.State, self.token)
        return self.state

    def hint(self, step: int = 1) -> wire.Hint:
        """One step of a hint."""
        wish = wire.AskHint(self.state.ply, step, new_key())
        said = self._client.post(f"/api/matches/{self.match}/hints", wish, wire.Hint, self.token)
        self.look()
        return said

    def coach(self) -> str:
        """What the coach says about the last move."""
        return self.words(self._client.get(f"/api/matches/{self.match}/coach", wire.Comment, self.token).said)

    @property
    def names(self) -> tuple[str, str]:
        """What the players are called."""
        return self.state.players[0].name, self.state.players[1].name

    def words(self, said: Iterable[wire.Said]) -> str:
        """What is told, such as a hint, in words."""
        return " ".join(fill(SENTENCES[one.code], one.facts, self.names, self._told) for one in said)

    def ending(self) -> str:
        """How the game ended, in words: `Ann reached 23`; empty while it goes on."""
        end = self.state.outcome
        return "" if end is None else self._told({"winner": end.winner, "reason": end.reason, "facts": end.facts})

    def _told(self, end: Mapping[str, Any]) -> str:
        """An ending, as a fact, in the words of the game."""
        endings = self._client.game(self.state.game).endings
        winner = None if end["winner"] is None else end["winner"] - 1
        return ending_by(endings, self.state.settings, Outcome(winner, end["reason"], end["facts"]), self.names)

    def look(self) -> wire.State:
        """How the match stands now."""
        self.state = self._client.look(self.match, self.token)
        return self.state

    def wait(self, until: Callable[[wire.State], bool] | None = None) -> wire.State:
        """Wait until it is this seat's turn or the game is over, or for what `until` says."""
        reached = until or (lambda state: state.turn in self.seats or state.outcome is not None)
        failing_since: float | None = None
        while not reached(self.look()):
            try:
                for state in self._client.events(self.match, self.token):
                    failing_since = None
                    self.state = state
                    if reached(state):
                        return state
            except (OSError, http.client.HTTPException, ServerSaid) as trouble:
                # The server has gone for a moment, or its database has: look again.
                now = time.monotonic()
                failing_since = failing_since or now
                too_long = now - failing_since > self._client.patience
                if too_long or (isinstance(trouble, ServerSaid) and not trouble.passing):
                    raise
                time.sleep(0.02)
        return self.state

    def next(self) -> Seat:
        """This player's seat in the rematch, once both want one."""
        if self.state.next is None:
            raise ValueError("there is no rematch yet")
        seats = self.seats if len(self.seats) == 2 else [3 - self.seats[0]]
        state = self._client.look(self.state.next, self.token)
        return Seat(self._client, wire.Seated(self.state.next, seats, self.token, None, state))


def new_key() -> str:
    """A key for a request, which nobody can guess."""
    return secrets.token_urlsafe(18)


def _problem(status: int, said: bytes) -> ServerSaid:
    try:
        return ServerSaid(status, msgspec.json.decode(said, type=wire.Problem))
    except msgspec.MsgspecError:
        return ServerSaid(status, wire.Problem("internal", f"The server answered {status}."))
