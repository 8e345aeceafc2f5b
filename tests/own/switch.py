"""Two of its moves are words that the prompt knows too, and it need not end."""

from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    on: bool
    player: int


class Switch(nq.Game[Position]):
    slug = "switch"
    title = "Switch"
    summary = "Who turns the light off gives up; nobody has to."
    rules = "In turns show the light, or quit."
    actions = ("Show", "quit")

    def start(self):
        return Position(True, 0)

    def player(self, p):
        return p.player

    def moves(self, p):
        return self.actions if p.on else ()

    def play(self, p, move):
        return Position(move == "Show", 1 - p.player)

    def outcome(self, p):
        return None if p.on else nq.Outcome(p.player, "stayed")
