"""Agents in a file, for tests that start the real program."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from numberquest.evaluate.trouble import ProviderError
from tests.evaluate.small import Odd


class Tired(Odd):
    """Kills its process once, in the middle of a game; whoever plays on does not notice."""

    def choose(self, game: Any, position: Any, dice: Any) -> str:
        mark = Path(os.environ["TIRED_MARK"])
        if mark.exists() and dice.below(20) == 0:
            try:
                mark.unlink()
            except FileNotFoundError:
                # Another process was first.
                return super().choose(game, position, dice)
            os.kill(os.getpid(), signal.SIGKILL)
        elif not mark.exists():
            # As many dice as before, so that the games are the same.
            dice.below(20)
        return super().choose(game, position, dice)


class Deadly(Odd):
    """Kills its process every time."""

    def choose(self, game: Any, position: Any, dice: Any) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return ""


class Slow(Odd):
    """Takes its time, and says where it is."""

    def choose(self, game: Any, position: Any, dice: Any) -> str:
        import time

        time.sleep(0.05)
        return super().choose(game, position, dice)


class Broken(Odd):
    """Has a mistake in it."""

    def choose(self, game: Any, position: Any, dice: Any) -> str:
        return str(position.no_such_field)


class Down(Odd):
    """Is never there."""

    def choose(self, game: Any, position: Any, dice: Any) -> str:
        raise ProviderError("no route to host")
