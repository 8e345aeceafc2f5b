"""Games that somebody plays by calls alone: every call is answered with facts, also where something is wrong with it.

Knows nothing of any protocol: `mcp` offers these calls as tools.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from threading import Lock
from typing import Any, Concatenate, Final, ParamSpec

from numberquest.core.contract import Game, IllegalMove, in_words, player_name
from numberquest.core.dealer import seed_text
from numberquest.core.errors import UsageError
from numberquest.core.registry import GAMES
from numberquest.core.registry import game as make_game
from numberquest.core.rulebook import rulebook_data, rulings_in_force
from numberquest.core.settings import quoted, read_settings
from numberquest.core.view import said, shown
from numberquest.envs.arguments import check_listed
from numberquest.envs.seated import SeatedMatch
from numberquest.explain import review as facts
from numberquest.explain.review import RESIGNS, Review, review
from numberquest.players.answers import read_move
from numberquest.players.engine import all_moves, moves_told
from numberquest.players.levels import PLAYERS, Level
from numberquest.solver import Solution, TooLarge, solve

Facts = dict[str, Any]
P = ParamSpec("P")

MOST: Final = 1000
"""So many games are kept; then the one that was forgotten longest goes."""
IDLE: Final = 3600.0
"""After so many seconds without a call a game is left: it holds up no review, and nobody goes on with it."""


class _ToolGame(SeatedMatch):
    """A game in play: one seat is the caller's, the other a computer player's."""

    def __init__(self, id_: str, game: Game[Any], opponent: Level, seat: int, seed: str | None, client: str) -> None:
        super().__init__(game, opponent, seat, seed)
        self.id, self.client = id_, client
        self.last_call = time.monotonic()
        self.lock = Lock()

    @property
    def open(self) -> bool:
        """Whether somebody plays it: it is neither over nor left."""
        return self.match.outcome is None and time.monotonic() - self.last_call < IDLE


def _call(method: Callable[Concatenate[ToolSession, P], Facts]) -> Callable[Concatenate[ToolSession, P], Facts]:
    """A call that is answered also where something is wrong with it."""

    @wraps(method)
    def answered(self: ToolSession, /, *arguments: P.args, **named: P.kwargs) -> Facts:
        try:
            return method(self, *arguments, **named)
        except TooLarge as large:
            return {"error": f"that cannot be worked out: {large}"}
        except (UsageError, IllegalMove) as wrong:
            return {"error": str(wrong)}

    return answered


class ToolSession:
    """The games that are played here. Its public methods are the calls; each answer is a JSON object.

    A game is its `client`'s alone. `analysis` lets whoever plays ask what a position is worth; `seed` makes the first,
    the second … game begun here the same each time. The words of the methods, and the names that they take, are those
    of the tools. May be called by several threads: what one has worked out holds up nobody else.
    """

    def __init__(
        self,
        *,
        analysis: bool = False,
        seed: int | str | None = None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.analysis = analysis
        self._seed = None if seed is None else seed_text(seed)
        self._tell = tell
        self._games: dict[str, _ToolGame] = {}
        self._begun = 0
        self._lock = Lock()
        """For the two tables, and never for what takes long."""
        self._solving: dict[Game[Any], Lock] = {}

    def list_games(self) -> Facts:
        """The games that can be played, and the opponents, from the weakest to the strongest."""
        return {
            "games": [{"game": slug, "title": kind.title, "summary": kind().summary} for slug, kind in GAMES.items()],
            "opponents": {name: level.words for name, level in PLAYERS.items()},
        }

    @_call
    def rules(self, game: str, settings: dict[str, Any] | str | None = None) -> Facts:
        """The rules of a game, what they leave open, and the settings that can be changed."""
        rules = _game(game, settings)
        return {**rulebook_data(rules), "rulings": rulings_in_force(rules)}

    @_call
    def begin(
        self,
        game: str,
        settings: dict[str, Any] | str | None = None,
        opponent: str = "hard",
        seat: int = 1,
        client: str = "",
    ) -> Facts:
        """Begin a game against a computer player, in seat 1 (who begins) or 2. The answer has the id of the game."""
        rules = _game(game, settings)
        check_listed(opponent, PLAYERS, "opponent")
        level = PLAYERS[opponent]
        if seat not in (1, 2):
            raise UsageError(f"a seat is 1 or 2, not {quoted(seat)}")
        with self._once(rules):
            level.prepare(rules, self._tell)
        with self._lock:
            self._begun += 1
            seed = None if self._seed is None else f"{self._seed}.{self._begun}"
        # Not to be guessed: over HTTP others play here too.
        played = _ToolGame(secrets.token_hex(16), rules, level, seat - 1, seed, client)
        with self._lock:
            while len(self._games) >= MOST:
                del self._games[min(self._games, key=lambda one: self._games[one].last_call)]
            self._games[played.id] = played
        return _state(played)

    @_call
    def look(self, id: str, client: str = "") -> Facts:  # noqa: A002
        """Where a game stands: the position, what was played, whose turn it is and which moves are allowed."""
        with self._found(id, client) as played:
            return _state(played)

    @_call
    def move(self, id: str, move: str, client: str = "") -> Facts:  # noqa: A002
        """Make one of the allowed moves; the opponent answers at once. A move that is not allowed changes nothing."""
        with self._found(id, client) as played:
            match = played.match
            if match.outcome is not None:
                return {"accepted": False, "error": "the game is over", **_state(played)}
            reading = read_move(move, match.moves, match.game.actions)
            if reading.move is None:
                return {"accepted": False, "error": reading.why, **_state(played)}
            match.play(reading.move)
            played.reply()
            return {"accepted": True, "played": reading.move, **_state(played)}

    @_call
    def resign(self, id: str, client: str = "") -> Facts:  # noqa: A002
        """Give the game up: the opponent has won."""
        with self._found(id, client) as played:
            played.match.resign(played.seat)
            return _state(played)

    @_call
    def review(self, id: str, client: str = "") -> Facts:  # noqa: A002
        """After the end of a game: what every move was worth exactly, which was best, and what was luck."""
        with self._found(id, client) as played:
            match = played.match
        if match.outcome is None:
            raise UsageError("the game is not over: a review comes after its end")
        self._check_none_open(played)
        with self._once(match.game):
            found = review(match)
        # Somebody may have begun one while it was worked out.
        self._check_none_open(played)
        return {"id": played.id, **_reviewed(found, played.seat, all_=self.analysis)}

    def _check_none_open(self, played: _ToolGame) -> None:
        """Refuse to tell what would help in a game that is in play: a second one, given up, would tell it otherwise."""
        with self._lock:
            others = [one for one in self._games.values() if one.match.game.slug == played.match.game.slug and one.open]
        if others and not self.analysis:
            own = (f"your game {one.id}" for one in others if one.client == played.client)
            which = f"{next(own, 'a game of somebody else')} with rules of {played.match.game.slug}"
            raise UsageError(f"{which} is still in play: ask again when it has ended")

    @_call
    def value(self, id: str, client: str = "") -> Facts:  # noqa: A002
        """The exact chance of winning of the player to move, if both play as well as possible."""
        return self._known(id, client)[0]

    @_call
    def best_moves(self, id: str, client: str = "") -> Facts:  # noqa: A002
        """The exact chance of winning after each allowed move, and which moves are best."""
        facts, solution, position = self._known(id, client)
        facts["moves"] = {move: float(value) for move, value in solution.moves(position).items()}
        return {**facts, "best": list(solution.best(position))}

    @contextmanager
    def _found(self, id_: str, client: str) -> Iterator[_ToolGame]:
        """A game of that client, whose calls come one after the other."""
        with self._lock:
            played = self._games.get(id_)
            if played is None or played.client != client:
                raise UsageError(f"there is no game with the id {quoted(id_)}: begin one")
            if played.match.outcome is None and not played.open:
                raise UsageError("this game was left for too long: begin another one")
            played.last_call = time.monotonic()
        with played.lock:
            yield played

    @contextmanager
    def _once(self, game: Game[Any]) -> Iterator[None]:
        """Rules are worked out by one thread alone; who needs the same ones waits for it, and nobody else."""
        with self._solving.setdefault(game, Lock()):
            try:
                yield
            finally:
                self._solving.pop(game, None)

    def _known(self, id_: str, client: str) -> tuple[Facts, Solution[Any], Any]:
        with self._found(id_, client) as played:
            match, player = played.match, played.match.player
            # In a game with secrets, what the one to move knows.
            position = match.known(player)
        if not self.analysis:
            raise UsageError("analysis is off here")
        if match.outcome is not None:
            raise UsageError("the game is over")
        with self._once(match.game):
            solution = solve(match.game)
        return {"id": id_, "player": player + 1, "value": float(solution.value(position))}, solution, position


def _game(name: str, settings: Mapping[str, Any] | str | None) -> Game[Any]:
    check_listed(name, GAMES, "game")
    if isinstance(settings, str):
        # As people type them: `target=30, copies=1`.
        settings = read_settings(re.split(r"[\s,;]+", settings.strip(" ,;")) if settings.strip(" ,;") else ())
    return make_game(name, **(settings or {}))


def _state(played: _ToolGame) -> Facts:
    """Where a game stands, as facts and in words."""
    match = played.match
    game, outcome = match.game, match.outcome
    # When it is over nothing is secret any more.
    seen = match.position if outcome is not None else game.sees(match.position, played.seat)
    history = moves_told(game, match.history, played.seat) if outcome is None else all_moves(game, match.history)
    state: Facts = {
        "id": played.id,
        "game": game.slug,
        "settings": game.settings,
        "you": played.seat + 1,
        "opponent": played.opponent.name,
        "over": outcome is not None,
        "turn": None if outcome is not None else match.player + 1,
        "moves": list(match.moves),
        "position": shown(game, seen),
        "history": history,
        "words": "\n".join(said(game, seen)),
    }
    if outcome is None:
        state["next"] = f"You are {player_name(played.seat)}, and it is your turn."
    else:
        state["winner"] = None if outcome.winner is None else outcome.winner + 1
        state["you_won"] = outcome.winner == played.seat
        state["next"] = in_words(game, facts.result(Review(game, (), (), 0, outcome)))
    return state


def _reviewed(found: Review, seat: int, *, all_: bool) -> Facts:
    """The review as data, with what it says in words."""
    sentences = [*facts.turning_point(found), facts.key_moments(found), *facts.luck_and_skill(found)]
    return {
        "result": in_words(found.game, facts.result(found)),
        "you": seat + 1,
        "accuracy": list(found.accuracy),
        "given_away": [float(given) for given in found.given_away],
        "luck": float(found.luck),
        **({} if found.mixing is None else {"mixing": [float(part) for part in found.mixing]}),
        # What would have been best where somebody gives up is for the next game to find out.
        "moves": [
            {name: value for name, value in one.data.items() if name != "best" or all_ or one.move != RESIGNS}
            for one in found
        ],
        "words": " ".join(in_words(found.game, said) for said in sentences),
    }
