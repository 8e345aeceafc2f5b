"""A player that somebody wrote in Python, with all that a player has."""

from __future__ import annotations

import signal
from functools import partial
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Final

from numberquest.evaluate.asking import aside
from numberquest.evaluate.trouble import Illegal, ProviderError, shown
from numberquest.loading import file_of, what_happened
from numberquest.wording import in_short

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.contract import Game
    from numberquest.solver.budget import Progress
    from numberquest.stream import Dice


BESIDES: Final = ("follow", "odds", "close")
"""What a player may have besides what every player has."""


class Brought:
    """Somebody's object with `choose`, and with `follow`, `odds` and `close` where it has them.

    An error in it is a `ProviderError` with its place, and an answer that is no allowed move is `Illegal`.
    """

    def __init__(self, name: str, agent: Any) -> None:
        self.name = name
        self.agent = agent
        """The object itself."""

    @property
    def words(self) -> str:
        """How it plays, in a few words for people."""
        return str(getattr(self.agent, "words", None) or f"plays as {self.name} says")

    def prepare(self, game: Game[Any], tell: Callable[[str], None], progress: Progress | None = None) -> None:
        """Let it do beforehand what takes long, if there is anything."""
        prepare = getattr(self.agent, "prepare", None)
        if prepare is not None:
            with aside():
                self._run(prepare, game, tell, progress)

    def choose(self, game: Game[Any], position: Any, dice: Dice) -> str:
        """One of the moves allowed there; `Illegal` where it answers something else."""
        move = self._run(self.agent.choose, game, position, dice)
        allowed = game.moves(position)
        if not isinstance(move, str) or move not in allowed:
            said = move if isinstance(move, str) else repr(move)
            raise Illegal(said, f"{shown(said)} is not an allowed move; allowed is {in_short(allowed)}")
        return move

    def _run(self, method: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return method(*arguments)
        except (Illegal, ProviderError):
            raise
        except (Exception, SystemExit) as error:
            if isinstance(error, SystemExit) and _we_are_to_end(error):
                raise
            raise ProviderError(f"{self.name}: {what_happened(error, file_of(self.agent))}") from error

    def __getattr__(self, name: str) -> Any:
        # What a player may have besides is there if the object has it.
        if name not in BESIDES:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return partial(self._run, getattr(self.agent, name))

    def __repr__(self) -> str:
        return f"<player {self.name}>"


def _we_are_to_end(error: SystemExit) -> bool:
    """Whether it is this process that was told to end, in the middle of what somebody's code does."""
    handler = signal.getsignal(signal.SIGTERM)
    *_, (frame, _) = walk_tb(error.__traceback__)
    return frame.f_code is getattr(handler, "__code__", None)
