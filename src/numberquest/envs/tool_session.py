"""Games that somebody plays by calls alone: every call is answered with facts, also where something is wrong with it.

Knows nothing of any protocol: `mcp` offers these calls as tools.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Mapping
from functools import wraps
from threading import Lock
from typing import Any, Concatenate, Final, ParamSpec

from numberquest.core.contract import Game, IllegalMove, in_words, player_name
from numberquest.core.dealer import seed_text
from numberquest.core.registry import GAMES
from numberquest.core.registry import game as make_game
from numberquest.core.rulebook import rulebook_data
from numberquest.core.settings import BadSetting, quoted, read_settings
from numberquest.core.view import said, shown
from numberquest.envs.seated import SeatedMatch
from numberquest.explain import review as facts
from numberquest.explain.review import RESIGNS, Review, Verdict, review
from numberquest.players.answers import read_move
from numberquest.players.engine import told_history
from numberquest.players.levels import PLAYERS, Level
from numberquest.solver import TooLarge, solve

Facts = dict[str, Any]
P = ParamSpec("P")

MOST: Final = 1000
"""So many games are kept; then the one that was forgotten longest goes."""
IDLE: Final = 3600.0
"""After so many seconds without a call a game counts as left, and holds up no review."""


class _Wrong(Exception):
    """A call that cannot be: one sentence."""


class _ToolGame(SeatedMatch):
    """A game in play: one seat is the caller's, the other a computer player's."""

    def __init__(self, id_: str, game: Game[Any], opponent: Level, seat: int, seed: str | None, client: str) -> None:
        super().__init__(game, opponent, seat, seed)
        self.id, self.client = id_, client
        self.last_call = time.monotonic()


def _call(method: Callable[Concatenate[ToolSession, P], Facts]) -> Callable[Concatenate[ToolSession, P], Facts]:
    """A call that is answered also where something is wrong with it, and one at a time."""

    @wraps(method)
    def answered(self: ToolSession, /, *arguments: P.args, **named: P.kwargs) -> Facts:
        # Solvers and what they keep on disk are shared.
        with self._lock:
            try:
                return method(self, *arguments, **named)
            except (_Wrong, BadSetting, IllegalMove) as wrong:
                return {"error": str(wrong)}
            except TooLarge as large:
                return {"error": f"that cannot be worked out: {large}"}

    return answered


class ToolSession:
    """The games that are played here. Its public methods are the calls; each answer is a JSON object.

    `analysis` lets whoever plays ask what a position is worth; `seed` makes the first, the second … game begun here
    the same each time. The words of the methods, and the names that they take, are those of the tools.
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

    def list_games(self) -> Facts:
        """The games that can be played, and the opponents, from the weakest to the strongest."""
        return {
            "games": [{"game": slug, "title": kind.title, "summary": kind().summary} for slug, kind in GAMES.items()],
            "opponents": {name: level.words for name, level in PLAYERS.items()},
        }

    @_call
    def rules(self, game: str, settings: dict[str, Any] | str | None = None) -> Facts:
        """The rules of a game, what they leave open, and the settings that can be changed."""
        return rulebook_data(_game(game, settings))

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
        rules, level = _game(game, settings), PLAYERS.get(opponent)
        if level is None:
            raise _Wrong(f"there is no opponent called {quoted(opponent)}; there is {', '.join(PLAYERS)}")
        if seat not in (1, 2):
            raise _Wrong(f"a seat is 1 or 2, not {quoted(seat)}")
        level.prepare(rules, self._tell)
        self._begun += 1
        seed = None if self._seed is None else f"{self._seed}.{self._begun}"
        # Not to be guessed: over HTTP others play here too.
        played = _ToolGame(secrets.token_hex(4), rules, level, seat - 1, seed, client)
        while len(self._games) >= MOST:
            del self._games[min(self._games, key=lambda one: self._games[one].last_call)]
        self._games[played.id] = played
        return _state(played)

    @_call
    def look(self, id: str) -> Facts:  # noqa: A002
        """Where a game stands: the position, what was played, whose turn it is and which moves are allowed."""
        return _state(self._found(id))

    @_call
    def move(self, id: str, move: str) -> Facts:  # noqa: A002
        """Make one of the allowed moves; the opponent answers at once. A move that is not allowed changes nothing."""
        played = self._found(id)
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
    def resign(self, id: str) -> Facts:  # noqa: A002
        """Give the game up: the opponent has won."""
        played = self._found(id)
        played.match.resign(played.seat)
        return _state(played)

    @_call
    def review(self, id: str) -> Facts:  # noqa: A002
        """After the end of a game: what every move was worth exactly, which was best, and what was luck."""
        played = self._found(id)
        match = played.match
        if match.outcome is None:
            raise _Wrong("the game is not over: a review comes after its end")
        if not self.analysis:
            # Otherwise a second game of the same moves, given up, would tell what is best in the first.
            others = [
                one.id
                for one in self._games.values()
                if one.match.outcome is None
                and one.match.game == match.game
                and one.client == played.client
                and time.monotonic() - one.last_call < IDLE
            ]
            if others:
                raise _Wrong(f"the game {others[0]} with the same rules is still in play: end it first, then review")
        return {"id": played.id, **_reviewed(review(match), played.seat, all_=self.analysis)}

    @_call
    def value(self, id: str) -> Facts:  # noqa: A002
        """The exact chance of winning of the player to move, if both play as well as possible."""
        return self._known(id)

    @_call
    def best_moves(self, id: str) -> Facts:  # noqa: A002
        """The exact chance of winning after each allowed move, and which moves are best."""
        found, match = self._known(id), self._games[id].match
        solution = solve(match.game)
        found["moves"] = {move: float(value) for move, value in solution.moves(match.position).items()}
        return {**found, "best": list(solution.best(match.position))}

    def _found(self, id_: str) -> _ToolGame:
        played = self._games.get(id_)
        if played is None:
            raise _Wrong(f"there is no game with the id {quoted(id_)}: begin one")
        played.last_call = time.monotonic()
        return played

    def _known(self, id_: str) -> Facts:
        match = self._found(id_).match
        if not self.analysis:
            raise _Wrong("analysis is off here")
        if match.outcome is not None:
            raise _Wrong("the game is over")
        return {"id": id_, "player": match.player + 1, "value": float(solve(match.game).value(match.position))}


def _game(name: str, settings: Mapping[str, Any] | str | None) -> Game[Any]:
    # By its name alone: a path would run a file of the machine that this runs on.
    if name not in GAMES:
        raise _Wrong(f"there is no game called {quoted(name)}; the games are {', '.join(GAMES)}")
    if isinstance(settings, str):
        # As people type them: `target=30, copies=1`.
        settings = read_settings(re.split(r"[\s,;]+", settings.strip(" ,;")) if settings.strip(" ,;") else ())
    return make_game(name, **(settings or {}))


def _state(played: _ToolGame) -> Facts:
    """Where a game stands, as facts and in words."""
    match = played.match
    game, outcome = match.game, match.outcome
    state: Facts = {
        "id": played.id,
        "game": game.slug,
        "settings": game.settings,
        "you": played.seat + 1,
        "opponent": played.opponent.name,
        "over": outcome is not None,
        "turn": None if outcome is not None else match.player + 1,
        "moves": list(match.moves),
        "position": shown(game, match.position),
        "history": told_history(game, match.history),
        "words": "\n".join(said(game, match.position)),
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
    sentences = [*facts.turning_point(found), facts.accuracy(found), *facts.luck_and_skill(found)]
    return {
        "result": in_words(found.game, facts.result(found)),
        "you": seat + 1,
        "accuracy": list(found.accuracy),
        "given_away": [float(given) for given in found.given_away],
        "luck": float(found.luck),
        # What would have been best where somebody gives up is for the next game to find out.
        "moves": [_verdict(one, best=all_ or one.move != RESIGNS) for one in found],
        "words": " ".join(in_words(found.game, said) for said in sentences),
    }


def _verdict(found: Verdict, *, best: bool) -> Facts:
    told = {
        "number": found.number,
        "player": found.player + 1,
        "move": found.move,
        "before": float(found.before),
        "after": float(found.after),
        "loss": float(found.loss),
        "verdict": found.verdict,
    }
    return {**told, "best": list(found.best)} if best else told
