"""How a player is asked for a move: told what was played, asked again where the answer was wrong, and closed.

And what can go wrong: there is none of that name, it says something wrong, or it cannot answer at all.
"""

import json
import math
import os
import sys
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from functools import partial
from typing import Any, ClassVar, Final, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.errors import Unable
from numberquest.core.play_out import positions_of
from numberquest.core.seen_history import seen_by_mover, shown_history, told_history
from numberquest.core.settings import BadSetting, quoted
from numberquest.core.stream import Dice, Stream
from numberquest.players.levels import Level, Player

TRIES: Final = 3
"""Answers that are no allowed move, for one move, after which a player has forfeited the game."""
ATTEMPTS: Final = 3
"""Requests for one move without an answer, after which the answer counts as missing."""
RANDOM, LOSE, LEAVE = "random", "lose", "leave"
ERRORS: Final = (RANDOM, LOSE, LEAVE)
"""Ways to count a missing answer: as any move, as a lost game or question, or not at all."""
MOST_LEFT_OUT: Final = 0.02
"""Share of games or questions left out above which no interval is told: the figures may be off either way."""
MOST_HEARD: Final = 32
TOKENS: Final = {"prompt_tokens": "the questions", "completion_tokens": "the answers"}
"""The counts in a provider's `usage`, each with the words for what was counted."""
VARIABLE: Final = "NUMBERQUEST_SECONDS"
"""The environment variable that says how many seconds there are for one move."""


class BadPlayer(BadSetting):
    """A player that there is not, or that cannot play: one sentence."""


class Illegal(Exception):
    """An answer that is no allowed move: what was said, and why it is none."""

    def __init__(self, said: str, why: str = "") -> None:
        # Both as arguments, so that it travels between processes whole.
        super().__init__(said, why)
        self.said = said
        self.why = why or f"{shown(said)} is not an allowed move"

    def __str__(self) -> str:
        return self.why


class ProviderError(Unable):
    """The agent's provider failed (a crash, silence, a server that is down): never a move, and never a loss."""


class CutOff(ProviderError):
    """An answer that had become too long before there was a move in it: what to raise."""


def shown(said: str, most: int = 80) -> str:
    """Return an agent's text as part of a sentence: one line, quoted, cut after `most` characters."""
    text = " ".join(said.split())
    text = text if text.isprintable() else ascii(text)[1:-1]
    return repr(text if len(text) <= most else f"{text[:most]}…")


class Reply(NamedTuple):
    """The result of asking for a move: the move, or None after a forfeit, and the answers that were no move."""

    move: str | None
    illegal: tuple[Illegal, ...] = ()
    failures: tuple[ProviderError, ...] = ()
    is_missing: bool = False
    """Whether no answer came at all: then the move, if there is one, is any."""

    @property
    def cut_off(self) -> int:
        return sum(isinstance(failure, CutOff) for failure in self.failures)


def ask(
    player: Player,
    game: Game[Any],
    position: Any,
    dice: Dice,
    history: Sequence[str] | None = None,
    tries: int = TRIES,
    attempts: int = 1,
) -> Reply:
    """Ask for a move, with `tries` and `attempts` as in `asked`.

    `history`, all moves and reveals so far, is told to players that `follow` it.
    """
    return asked(choosing(player, game, position, history), dice, tries, attempts)


def choosing(
    player: Player, game: Game[Any], position: Any, history: Sequence[str] | None = None
) -> Callable[[Dice], str]:
    """How a player chooses a move there, told what was played: of a game with secrets only what the player has seen."""
    if game.has_secrets:
        if isinstance(player, Level):
            return lambda dice: player.choose(game, position, dice, history)
        if not isinstance(player, Questioned):
            who = game.player(position)
            history = None if history is None else shown_history(game, history, who)
            if not getattr(player, "hides_secrets", False):
                game, position = seen_by_mover(game, position)
    follow = getattr(player, "follow", None)
    if history is not None and follow is not None:
        follow(history)
    return partial(player.choose, game, position)


def asked(choose: Callable[[Dice], str], dice: Dice, tries: int = TRIES, attempts: int = 1) -> Reply:
    """Ask for a move until one is allowed: `tries` wrong answers forfeit, `attempts` failures make it missing.

    With one attempt a failure is raised as the `ProviderError` that it is.
    """
    illegal: list[Illegal] = []
    failures: list[ProviderError] = []
    before = dice.state if isinstance(dice, Stream) else None
    while len(illegal) < tries:
        try:
            return Reply(choose(dice), tuple(illegal), tuple(failures))
        except Illegal as wrong:
            # A player that can be told why has kept it, and hears it with the next question.
            illegal.append(wrong)
        except ProviderError as error:
            if attempts == 1:
                raise
            failures.append(error)
            if len(failures) == attempts:
                return Reply(None, tuple(illegal), tuple(failures), is_missing=True)
            if before is not None and isinstance(dice, Stream):
                # Asked again, it is the same game.
                dice.state = before
    return Reply(None, tuple(illegal), tuple(failures))


class Questioned(ABC):
    """A player that is asked in messages: each question tells all that there is to know."""

    is_language_model: ClassVar[bool] = False
    """Whether rows of games keep its prompts and raw answers, as those of an exam do."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._history: tuple[str, ...] | None = None
        self._refused: tuple[Any, Illegal] | None = None
        self.heard: deque[dict[str, Any]] = deque(maxlen=MOST_HEARD)
        """The last prompts, each with the raw answer to it."""

    def follow(self, history: Sequence[str]) -> None:
        self._history = tuple(history)

    def choose(self, game: Game[Any], position: Any, dice: Dice) -> str:
        """Ask once; a wrong answer is `Illegal`, and the next question about the same position says why it was."""
        history = self._history
        if history is not None and not leads_to(game, history, position):
            history = None
        refused = self._refused[1] if self._refused is not None and self._refused[0] == position else None
        try:
            with self._in_its_name():
                move = self._answer(game, position, dice, history, refused)
        except Illegal as wrong:
            self._refused = position, wrong
            raise
        self._refused = None
        return move

    @contextmanager
    def _in_its_name(self) -> Iterator[None]:
        try:
            yield
        except ProviderError as error:
            raise type(error)(f"{self.name}: {error}") from None

    @abstractmethod
    def _answer(
        self, game: Game[Any], position: Any, dice: Dice, history: Sequence[str] | None, refused: Illegal | None
    ) -> str: ...

    def __repr__(self) -> str:
        return f"<player {self.name}>"


def tokens_in(heard: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Add up the tokens of raw answers, by the names in `TOKENS`; empty where no provider counts them."""
    total: Counter[str] = Counter()
    for one in heard:
        with suppress(ValueError, AttributeError, TypeError):
            usage = json.loads(one["answer"])["usage"] if "usage" in one["answer"] else {}
            total.update({name: int(usage[name]) for name in TOKENS if name in usage})
    return dict(total)


def with_movers(game: Game[Any], history: Sequence[str], who: int | None) -> list[tuple[int, str | None]]:
    """Every move and reveal of a history with whose it was: 0, 1 or `CHANCE`; None for what is hidden from `who`."""
    told = told_history(game, history, who)
    return [(game.player(p), entry) for p, entry in zip(positions_of(game, history), told, strict=False)]


def leads_to(game: Game[Any], history: Sequence[str], position: Any) -> bool:
    """Whether these moves and reveals lead to that position."""
    p = game.start()
    for entry in history:
        if entry not in game.moves(p):
            return False
        p = game.play(p, entry)
    return bool(p == position)


@contextmanager
def aside() -> Iterator[None]:
    """Meanwhile what is printed goes where messages go: a player may print what it likes, and the data stays clean.

    That holds for what is written to descriptor 1 too, as extensions in C and programs of the player's own do.
    """
    sys.stdout.flush()
    with redirect_stdout(sys.stderr), ExitStack() as stack:
        with suppress(OSError):
            usual = os.dup(1)
            os.dup2(2, 1)
            stack.callback(_put_back, usual)
        yield


def _put_back(usual: int) -> None:
    import ctypes

    with suppress(OSError, AttributeError):
        # What C has not written yet is not to be written later.
        ctypes.CDLL(None).fflush(None)
    os.dup2(usual, 1)
    os.close(usual)


def close(player: object) -> None:
    """End what a player has started, such as a process."""
    end = getattr(player, "close", None)
    if end is not None:
        end()


@contextmanager
def closing(*players: object) -> Iterator[None]:
    """Close the players however the block is left."""
    try:
        yield
    finally:
        for player in players:
            close(player)


def seconds_for(usual: float) -> float:
    """Return the seconds in `VARIABLE`, or `usual` where the variable is not set."""
    text = os.environ.get(VARIABLE, "")
    if not text:
        return usual
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= 86_400:
        raise BadPlayer(f"{VARIABLE} is a number of seconds for one move, up to a day, not {quoted(text)}")
    return seconds
