"""Agents in a file, for tests that start the real program."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from numberquest.players.asking import ProviderError
from tests.study.small import Odd


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


class Held(Odd):
    """After a few answers gives no more while a file is there: whoever is asked in the middle stays in the middle."""

    freely = 12

    def choose(self, game: Any, position: Any, dice: Any) -> str:
        mark = os.environ.get("HELD_MARK")
        self.freely -= 1
        while mark is not None and self.freely < 0 and Path(mark).exists():
            time.sleep(0.02)
        return super().choose(game, position, dice)


class Talkative(Odd):
    """Prints whenever it can."""

    def __init__(self) -> None:
        print("I am made")

    def prepare(self, *_: object) -> None:
        print("I am ready")

    def choose(self, game: Any, position: Any, dice: Any) -> str:
        print("I choose")
        return super().choose(game, position, dice)


class Broken(Odd):
    """Has a mistake in it."""

    def choose(self, game: Any, position: Any, dice: Any) -> str:
        return str(position.no_such_field)


class Down(Odd):
    """Is never there."""

    def choose(self, game: Any, position: Any, dice: Any) -> str:
        raise ProviderError("no route to host")
