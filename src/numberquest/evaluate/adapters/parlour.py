"""Games that somebody plays by calls alone: every call is answered with facts, also where something is wrong with it.

Knows nothing of any protocol: `mcp` offers these calls as tools.
"""

from __future__ import annotations

import secrets
import time
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from numberquest.contract import IllegalMove, player_name
from numberquest.dealer import seed_text
from numberquest.evaluate.answers import read_move
from numberquest.evaluate.protocol import told_history
from numberquest.games import GAMES
from numberquest.games import game as make_game
from numberquest.match import Match
from numberquest.players import PLAYERS
from numberquest.rulebook import rulebook_data
from numberquest.settings import BadSetting, quoted
from numberquest.solver import TooLarge, solve
from numberquest.stream import Stream
from numberquest.telling import review as facts
from numberquest.telling.facts import in_words
from numberquest.verdicts import RESIGNS, Review, review
from numberquest.view import said, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numberquest.contract import Game
    from numberquest.players import Level
    from numberquest.verdicts import Verdict

    Facts = dict[str, Any]

MOST: Final = 1000
"""So many games are kept; then the one that was forgotten longest goes."""
IDLE: Final = 3600.0
"""After so many seconds without a call a game counts as left, and holds up no review."""


class _Wrong(Exception):
    """A call that cannot be: one sentence."""


class _Played:
    """A game in play: one seat is the caller's, the other a computer player's."""

    def __init__(self, id_: str, game: Game[Any], opponent: Level, seat: int, seed: str | None, client: str) -> None:
        self.id, self.opponent, self.seat, self.client = id_, opponent, seat, client
        self.match: Match[Any] = Match(game, seed=seed)
        # The opponent's dice are nobody's business: from the deal's own seed they could be worked out.
        self._dice = Stream(secrets.token_hex(16) if seed is None else seed, "opponent")
        self.last_call = time.monotonic()
        self.answer()

    def answer(self) -> None:
        """Let the opponent move for as long as it is its turn."""
        match = self.match
        while match.outcome is None and match.player != self.seat:
            match.play(self.opponent.choose(match.game, match.position, self._dice))


class Parlour:
    """The games that are played here. Its public methods are the calls; each answer is a JSON object.

    `analysis` lets whoever plays ask what a position is worth; `seed` makes the first, the second … game begun here
    the same each time.
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
        self._games: dict[str, _Played] = {}
        self._begun = 0
        # One at a time: solvers and what they keep on disk are shared.
        self._lock = Lock()

    def list_games(self) -> Facts:
        """The games that there are."""
        return {
            "games": [{"game": slug, "title": kind.title, "summary": kind.summary} for slug, kind in GAMES.items()],
            "opponents": {name: level.words for name, level in PLAYERS.items()},
        }

    def rules(self, game: str, settings: Mapping[str, Any] | None = None) -> Facts:
        """The rules of a game, what they leave open, and the settings that can be changed."""
        return self._answered(lambda: rulebook_data(_game(game, settings)))

    def begin(
        self,
        game: str,
        settings: Mapping[str, Any] | None = None,
        opponent: str = "hard",
        seat: int = 1,
        client: str = "",
    ) -> Facts:
        """Begin a game against a computer player, as Player 1 or 2; the answer has the id that the other calls take."""
        return self._answered(lambda: self._begin(_game(game, settings), opponent, seat, client))

    def look(self, id_: str) -> Facts:
        """Where a game stands."""
        return self._answered(lambda: _state(self._found(id_)))

    def move(self, id_: str, move: str) -> Facts:
        """Make a move; the opponent answers at once. What is no allowed move changes nothing: the answer says why."""
        return self._answered(lambda: self._move(self._found(id_), move))

    def resign(self, id_: str) -> Facts:
        """Give a game up."""
        return self._answered(lambda: self._resign(self._found(id_)))

    def review(self, id_: str) -> Facts:
        """What every move of a finished game was worth."""
        return self._answered(lambda: self._review(self._found(id_)))

    def value(self, id_: str) -> Facts:
        """The exact chance of winning of the player to move, under best play."""
        return self._answered(lambda: {"id": id_, **self._known(self._found(id_), moves=False)})

    def best_moves(self, id_: str) -> Facts:
        """What every allowed move is worth to the player to move, the best first."""
        return self._answered(lambda: {"id": id_, **self._known(self._found(id_), moves=True)})

    def _answered(self, call: Callable[[], Facts]) -> Facts:
        with self._lock:
            try:
                return call()
            except (_Wrong, BadSetting) as wrong:
                return {"error": f"{wrong}"}
            except IllegalMove as wrong:
                return {"error": str(wrong)}
            except TooLarge as large:
                return {"error": f"that cannot be worked out: {large}"}

    def _begin(self, game: Game[Any], opponent: str, seat: int, client: str) -> Facts:
        level = PLAYERS.get(opponent)
        if level is None:
            raise _Wrong(f"there is no opponent called {quoted(opponent)}; there is {', '.join(PLAYERS)}")
        if seat not in (1, 2):
            raise _Wrong(f"a seat is 1 or 2, not {quoted(seat)}")
        level.prepare(game, self._tell)
        self._begun += 1
        seed = None if self._seed is None else f"{self._seed}.{self._begun}"
        # Not to be guessed: over HTTP others play here too.
        played = _Played(secrets.token_hex(4), game, level, seat - 1, seed, client)
        while len(self._games) >= MOST:
            del self._games[min(self._games, key=lambda one: self._games[one].last_call)]
        self._games[played.id] = played
        return _state(played)

    def _found(self, id_: str) -> _Played:
        played = self._games.get(id_)
        if played is None:
            raise _Wrong(f"there is no game with the id {quoted(id_)}: begin one")
        played.last_call = time.monotonic()
        return played

    def _move(self, played: _Played, move: str) -> Facts:
        match = played.match
        if match.outcome is not None:
            return {"accepted": False, "error": "the game is over", **_state(played)}
        reading = read_move(move, match.moves, match.game.actions)
        if reading.move is None:
            return {"accepted": False, "error": reading.why, **_state(played)}
        match.play(reading.move)
        played.answer()
        return {"accepted": True, "played": reading.move, **_state(played)}

    def _resign(self, played: _Played) -> Facts:
        played.match.resign(played.seat)
        return _state(played)

    def _review(self, played: _Played) -> Facts:
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
        found = review(match)
        return {"id": played.id, **_reviewed(found, played.seat, all_=self.analysis)}

    def _known(self, played: _Played, *, moves: bool) -> Facts:
        match = played.match
        if not self.analysis:
            raise _Wrong("analysis is off here")
        if match.outcome is not None:
            raise _Wrong("the game is over")
        solution = solve(match.game)
        found: Facts = {"player": match.player + 1, "value": float(solution.value(match.position))}
        if moves:
            found["moves"] = {move: float(value) for move, value in solution.moves(match.position).items()}
            found["best"] = list(solution.best(match.position))
        return found


def _game(name: str, settings: Mapping[str, Any] | None) -> Game[Any]:
    # By its name alone: a path would run a file of the machine that this runs on.
    if name not in GAMES:
        raise _Wrong(f"there is no game called {quoted(name)}; the games are {', '.join(GAMES)}")
    return make_game(name, **(settings or {}))


def _state(played: _Played) -> Facts:
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
