"""`cmd:./engine --flag`: a player in a process of its own, in any language, and the line protocol that it speaks.

One JSON object a line, in both directions. docs/protocol.md describes it for whoever writes an engine.
"""

import json
import os
import shlex
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from shutil import which
from threading import RLock
from typing import Any, Final

from numberquest.core.contract import CHANCE, Game
from numberquest.core.play_out import positions_of
from numberquest.core.progress import Progress
from numberquest.core.rulebook import rules_of, rulings_in_force
from numberquest.core.stream import Dice
from numberquest.core.view import looks, said
from numberquest.core.view import shown as facts
from numberquest.players.answers import read_move
from numberquest.players.asking import BadPlayer, Illegal, ProviderError, Questioned, seconds_for, shown, with_movers
from numberquest.players.process import GRACE, Process

SECONDS: Final = 10.0
"""So long an engine has for a move, where nobody says otherwise."""
START: Final = 30.0
"""So long it has at least to answer our hello: some languages take their time to start."""


class Engine(Questioned):
    """A player that speaks the line protocol. It is started when it is needed, and again when it has failed."""

    def __init__(self, spec: str, command: Sequence[str]) -> None:
        super().__init__(spec)
        self._words = command
        self._seconds = seconds_for(SECONDS)
        self._process: Process | None = None
        self._game: Game[Any] | None = None
        self._asked = 0
        # Two that ask at once would hear each other's answers.
        self._one_at_a_time = RLock()

    @property
    def words(self) -> str:
        return f"plays as the program {self._words[0]} says"

    def prepare(self, game: Game[Any], tell: Callable[[str], None], progress: Progress | None = None) -> None:
        with self._one_at_a_time, self._in_its_name():
            self._ready(game)

    def choose(self, game: Game[Any], position: Any, dice: Dice) -> str:
        with self._one_at_a_time:
            return super().choose(game, position, dice)

    def close(self) -> None:
        with self._one_at_a_time:
            self._end(GRACE)

    def _end(self, grace: float) -> None:
        process, self._process, self._game = self._process, None, None
        if process is not None:
            self._at_our_end.detach()
            process.end(encoded(GOODBYE), grace)

    def _answer(
        self, game: Game[Any], position: Any, dice: Dice, history: Sequence[str] | None, refused: Illegal | None
    ) -> str:
        # Drawn before anything can fail: asked again, it is the same game.
        seed = dice.below(SEEDS)
        process = self._ready(game)
        self._asked += 1
        asked = question(game, position, history, number=self._asked, seed=seed, seconds=self._seconds, refused=refused)
        allowed = game.moves(position)
        process.say(encoded(asked))
        deadline = time.monotonic() + self._seconds
        while True:
            with self._ended_by_errors():
                line = process.hear(deadline, self._seconds)
            self.heard.append({"prompt": asked, "answer": line.decode(errors="replace")})
            # Where it says itself that it has an error, it can be asked again.
            move = read_answer(line, self._asked, allowed, game.actions)
            if move is not None:
                return move

    def _ready(self, game: Game[Any]) -> Process:
        process = self._process
        with self._ended_by_errors():
            if process is None:
                process = self._process = Process(self._words)
                self._at_our_end = weakref.finalize(self, process.end, encoded(GOODBYE))
            if game != self._game:
                process.say(encoded(hello(game)))
                seconds = max(START, self._seconds)
                deadline = time.monotonic() + seconds
                while not is_ready(process.hear(deadline, seconds)):
                    continue
                self._game = game
        return process

    @contextmanager
    def _ended_by_errors(self) -> Iterator[None]:
        """Who is late, has ended or is no engine is done away with: the next question is for a new one."""
        try:
            yield
        except ProviderError:
            self._end(0)
            raise


def command_in(spec: str) -> list[str]:
    """The program and its arguments; `BadPlayer` where there is no such program."""
    try:
        words = shlex.split(spec.partition(":")[2])
    except ValueError as error:
        raise BadPlayer(f"{spec}: this cannot be read as a command: {error}") from None
    if not words:
        raise BadPlayer(f"{spec!r} names no program: write cmd:./engine --flag")
    if os.name != "posix":
        raise BadPlayer(f"{spec}: programs can play on Linux and macOS alone")
    words[0] = os.path.expanduser(words[0])
    if which(words[0]) is None:
        why = "it may not be run (chmod +x)" if os.path.isfile(words[0]) else "there is no such program"
        raise BadPlayer(f"{spec}: {why}")
    return words


VERSION: Final = 1
"""Of the protocol. New fields do not change it: whoever does not know a field ignores it."""
SEEDS: Final = 2**53
"""Seeds are below this: so far every language reads a number in JSON exactly."""


def hello(game: Game[Any]) -> dict[str, Any]:
    """What an engine is told before the first question about a game, and before the first about another."""
    from numberquest import __version__

    return {
        "type": "hello",
        "protocol": VERSION,
        "program": f"numberquest {__version__}",
        "game": game.slug,
        "title": game.title,
        "settings": game.settings,
        "rules": "\n".join([*rules_of(game), *rulings_in_force(game).values()]),
        "actions": list(game.actions),
        "fields": looks(game),
    }


def question(
    game: Game[Any],
    position: Any,
    history: Sequence[str] | None,
    *,
    number: int,
    seed: int,
    seconds: float,
    refused: Illegal | None = None,
) -> dict[str, Any]:
    """What an engine is asked: where the game stands, as facts, and what it may answer."""
    seat = game.player(position)
    seen = game.sees(position, seat)
    asked = {
        "type": "question",
        "id": number,
        "seat": seat + 1,
        "position": facts(game, seen),
        "words": said(game, seen),
        "history": None if history is None else moves_told(game, history, seat),
        "moves": list(game.moves(position)),
        "seed": seed,
        "seconds": seconds,
    }
    return asked if refused is None else {**asked, "refused": {"said": refused.said, "why": refused.why}}


GOODBYE: Final = {"type": "goodbye"}


def moves_told(game: Game[Any], history: Sequence[str], who: int | None) -> list[dict[str, Any]]:
    """Every move and reveal so far, with whose it was: 1, 2, or None where chance moved; None for a secret move."""
    return [_move_told(mover, entry) for mover, entry in with_movers(game, history, who)]


def all_moves(game: Game[Any], history: Sequence[str]) -> list[dict[str, Any]]:
    """The same of a game that is over: nothing is secret any more."""
    return [_move_told(game.player(p), entry) for p, entry in zip(positions_of(game, history), history, strict=False)]


def _move_told(mover: int, entry: str | None) -> dict[str, Any]:
    return {"by": None if mover == CHANCE else mover + 1, "move": entry}


def encoded(message: Mapping[str, Any]) -> bytes:
    """A message as it goes over the wire."""
    # As ASCII: not every language reads anything else from a pipe by itself.
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def is_ready(text: bytes) -> bool:
    """Whether a line answers our hello; `ProviderError` where it shows that this is no engine of ours."""
    try:
        heard = _object(text)
    except Illegal as wrong:
        raise ProviderError(f"it does not speak the protocol: {wrong}") from None
    _raise_error(heard)
    if heard.get("type") == "hello":
        raise ProviderError("it does not speak the protocol: it says back what it is told")
    if heard.get("type") != "ready":
        return False
    version = heard.get("protocol")
    if version != VERSION:
        raise ProviderError(f"it speaks version {shown(str(version))} of the protocol, and this is version {VERSION}")
    return True


def read_answer(text: bytes, number: int, allowed: Sequence[str], actions: Sequence[str] = ()) -> str | None:
    """The move in a line; None where the line is no answer to this question, and the next one may be.

    `Illegal` where it is a wrong one, `ProviderError` where the engine says that it cannot.
    """
    heard = _object(text)
    _raise_error(heard)
    if heard.get("type") != "answer":
        return None
    said_id, move = heard.get("id"), heard.get("move")
    if said_id is None:
        raise Illegal(_text(text), f"an answer has the id of its question, {number}")
    if said_id != number:
        # It answers an earlier question, which nobody waits for any more.
        return None
    if type(move) is int:
        move = str(move)
    if not isinstance(move, str):
        raise Illegal(_text(text), 'an answer has a "move", which is text')
    reading = read_move(move, allowed, actions)
    if reading.move is None:
        raise Illegal(move, reading.why)
    return reading.move


def _object(text: bytes) -> dict[str, Any]:
    try:
        heard = json.loads(text)
    except (ValueError, RecursionError):
        heard = None
    if not isinstance(heard, dict):
        raise Illegal(_text(text), f"{shown(_text(text))} is no JSON object")
    return heard


def _raise_error(heard: Mapping[str, Any]) -> None:
    if heard.get("error"):
        raise ProviderError(f"it reports an error: {shown(str(heard['error']), 200)}")


def _text(text: bytes) -> str:
    return text.decode(errors="replace").strip()[:1000]
