from functools import cached_property
from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    left: int
    player: int


class Last(nq.Game[Position]):
    slug = "last"
    title = "Who takes the last"
    summary = "Take one to three; who takes the last one wins."
    rules = "There is a heap. In turns take 1, 2 or 3 from it. Who takes the last one wins."

    heap: int = nq.whole(21, 1, 99, "how many there are at the start")

    @cached_property
    def actions(self):
        return ("1", "2", "3")

    def start(self):
        return Position(self.heap, 0)

    def player(self, p):
        return p.player

    def moves(self, p):
        return tuple(m for m in self.actions if int(m) <= p.left)

    def play(self, p, move):
        return Position(p.left - int(move), 1 - p.player)

    def outcome(self, p):
        return None if p.left else nq.Outcome(1 - p.player, "took the last one")
