"""A game of one move: share, take or give. For tests of what is drawn."""

from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    """What was done: 0 nothing yet, then the number of the move."""

    done: int


class Sharing(nq.Game[Position]):
    """Sharing."""

    slug = "sharing"
    title = "Sharing"
    summary = "Share the cake, take it or give it away."
    rules = "There is a cake. The one who begins shares it, takes it or gives it away; who has more of it wins."
    endings = {"shared": "both have half of it", "more": "{winner} has it all"}
    actions = ("share", "take", "give")
    longest = 1

    def start(self) -> Position:
        return Position(0)

    def player(self, p: Position) -> int:
        return 0

    def moves(self, p: Position) -> tuple[str, ...]:
        return () if p.done else self.actions

    def play(self, p: Position, move: str) -> Position:
        return Position(self.actions.index(move) + 1)

    def outcome(self, p: Position) -> nq.Outcome | None:
        if not p.done:
            return None
        return nq.Outcome(None, "shared") if p.done == 1 else nq.Outcome(p.done - 2, "more")
