"""Count down: a game with settings that is slow to solve, or kills its process, where a file is there."""

import os
import signal
import time
from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    left: int
    mover: int


class Countdown(nq.Game[Position]):
    slug = "countdown"
    title = "Countdown"
    summary = "Take one to `take` from a number: who takes the last wins."
    rules = "Take one to {take} from {number}: who takes the last wins."
    actions = ("1", "2", "3", "4")
    endings = {"last": "{winner} took the last"}

    number: int = nq.whole(5, 1, 40, "what is counted down from")
    take: int = nq.whole(2, 1, 4, "how much may be taken")
    last_loses: bool = nq.yes_no(False, "who takes the last one loses")

    def start(self):
        mark = os.environ.get("COUNTDOWN_KILL")
        if mark and self.number == 20 and os.path.exists(mark):
            os.unlink(mark)
            os.kill(os.getpid(), signal.SIGKILL)
        slow = os.environ.get("COUNTDOWN_SLOW")
        if slow and self.number > 5:
            time.sleep(float(slow))
        return Position(self.number, 0)

    def player(self, p):
        return p.mover

    def moves(self, p):
        return tuple(str(n) for n in range(1, min(self.take, p.left) + 1))

    def play(self, p, move):
        return Position(p.left - int(move), 1 - p.mover)

    def outcome(self, p):
        if p.left:
            return None
        return nq.Outcome(p.mover if self.last_loses else 1 - p.mover, "last")
