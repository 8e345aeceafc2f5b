"""`cmd:./engine --flag`: a player in a process of its own, in any language."""

from __future__ import annotations

import os
import time
import weakref
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from numberquest.evaluate import protocol
from numberquest.evaluate.limits import seconds_for
from numberquest.evaluate.process import GRACE, Late, Process
from numberquest.evaluate.trouble import BadPlayer, Illegal, ProviderError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numberquest.contract import Game
    from numberquest.solver.budget import Progress
    from numberquest.stream import Dice

SECONDS: Final = 10.0
"""So long an engine has for a move, where nobody says otherwise."""
START: Final = 30.0
"""So long it has at least to answer our hello: some languages take their time to start."""


class Failed(ProviderError):
    """The process is late, or gone, or was none that we can speak to; it is ended."""


class Engine:
    """A player that speaks the line protocol. It is started when it is needed, and again when it has failed."""

    def __init__(self, spec: str, command: Sequence[str]) -> None:
        """`command` is the program and its arguments."""
        self.name = spec
        self._words = command
        self._seconds = seconds_for(SECONDS)
        self._process: Process | None = None
        self._game: Game[Any] | None = None
        self._history: tuple[str, ...] | None = None
        self._refused: tuple[Any, Illegal] | None = None
        self._asked = 0
        # Two that ask at once would hear each other's answers.
        self._one_at_a_time = RLock()

    @property
    def words(self) -> str:
        """How it plays, in a few words for people."""
        return f"plays as the program {self._words[0]} says"

    def prepare(self, game: Game[Any], tell: Callable[[str], None], progress: Progress | None = None) -> None:
        """Start the process, and tell it about the game."""
        with self._one_at_a_time:
            self._ready(game)

    def follow(self, history: Sequence[str]) -> None:
        """Hear what was played so far, to tell it with the next question."""
        self._history = tuple(history)

    def choose(self, game: Game[Any], position: Any, dice: Dice) -> str:
        """Ask once; a wrong answer is `Illegal`, and the next question about the same position says why it was."""
        with self._one_at_a_time:
            try:
                move = self._answer(game, position, dice)
            except Illegal as wrong:
                self._refused = position, wrong
                raise
            self._refused = None
            return move

    def close(self) -> None:
        """End the process, with its children."""
        with self._one_at_a_time:
            self._end(GRACE)

    def _end(self, grace: float) -> None:
        process, self._process, self._game = self._process, None, None
        if process is not None:
            self._at_our_end.detach()
            process.end(protocol.line(protocol.GOODBYE), grace)

    def _answer(self, game: Game[Any], position: Any, dice: Dice) -> str:
        history = self._history
        if history is not None and not protocol.leads_to(game, history, position):
            history = None
        refused = self._refused[1] if self._refused is not None and self._refused[0] == position else None
        # Drawn before anything can fail: asked again, it is the same game.
        seed = dice.below(protocol.SEEDS)
        process = self._ready(game)
        self._asked += 1
        asked = protocol.question(
            game, position, history, number=self._asked, seed=seed, seconds=self._seconds, refused=refused
        )
        allowed = game.moves(position)
        process.say(protocol.line(asked))
        deadline = time.monotonic() + self._seconds
        while True:
            line = self._line(process, deadline, self._seconds)
            try:
                move = protocol.read_answer(line, self._asked, allowed)
            except ProviderError as error:
                # It has said so itself, and can be asked again.
                raise ProviderError(f"{self.name}: {error}") from None
            if move is not None:
                return move

    def _ready(self, game: Game[Any]) -> Process:
        """The process, which knows about this game."""
        process = self._process
        try:
            if process is None:
                process = self._process = Process(self._words)
                self._at_our_end = weakref.finalize(self, process.end, protocol.line(protocol.GOODBYE))
            if game != self._game:
                process.say(protocol.line(protocol.hello(game)))
                seconds = max(START, self._seconds)
                deadline = time.monotonic() + seconds
                while not protocol.is_ready(self._line(process, deadline, seconds)):
                    continue
                self._game = game
        except Failed:
            raise
        except ProviderError as error:
            self._end(0)
            raise Failed(f"{self.name}: {error}") from None
        return process

    def _line(self, process: Process, deadline: float, seconds: float) -> bytes:
        """The next line. Who is late or has ended is done away with: the next question is for a new one."""
        try:
            return process.hear(deadline)
        except Late:
            why = f"it gave no answer within {seconds:g} s{process.last_words()}"
        except ProviderError as error:
            why = str(error)
        self._end(0)
        raise Failed(f"{self.name}: {why}")

    def __repr__(self) -> str:
        return f"<player {self.name}>"


def command_in(spec: str) -> list[str]:
    """The program and its arguments; `BadPlayer` where there is no such program."""
    import shlex
    from shutil import which

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
