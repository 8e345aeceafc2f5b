"""Liar's dice with a die each: raise, or call the other a liar. The highest face counts as any other."""

from functools import cached_property
from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    dice: tuple[int, int]
    bid: int
    caller: int
    player: int


class LiarsDice(nq.Game[Position]):
    slug = "liars_dice"
    title = "Liar's dice"
    summary = "Each rolls a die in secret; say how many there are of a face in both, or call the other a liar."
    rules = """\
Each player rolls one die with {faces} faces, and only they see it.
In turns you bid how many of both dice show a face: 2x3 says that two show a 3. The face {faces} counts as any.
Each bid is higher than the one before: more dice, or as many with a higher face.
Or you call the other a liar. If there are as many as the last bid says, you lose; otherwise you win."""
    endings = {
        "truth": "{loser} called {winner} a liar, but there were {count}",
        "lie": "{winner} called {loser} a liar: there were only {count}",
    }

    faces: int = nq.whole(6, 2, 6, "how many faces a die has")

    @cached_property
    def actions(self) -> tuple[str, ...]:
        return (*(f"{many}x{face}" for many in (1, 2) for face in range(1, self.faces + 1)), "liar")

    @property
    def longest(self) -> int:
        return 2 * self.faces + 3

    def start(self) -> Position:
        return Position((0, 0), 0, 0, 0)

    def player(self, p: Position) -> int:
        return nq.CHANCE if 0 in p.dice else p.player

    def turn(self, p: Position) -> int:
        return p.player

    def moves(self, p: Position) -> tuple[str, ...]:
        if 0 in p.dice:
            return tuple(str(face) for face in range(1, self.faces + 1))
        if p.caller:
            return ()
        return self.actions[p.bid :] if p.bid else self.actions[:-1]

    def weights(self, p: Position) -> tuple[int, ...]:
        return (1,) * self.faces

    def play(self, p: Position, move: str) -> Position:
        if 0 in p.dice:
            first, second = p.dice
            return p._replace(dice=(first, int(move)) if first else (int(move), second))
        if move == "liar":
            return p._replace(caller=1 + p.player)
        return p._replace(bid=1 + self.actions.index(move), player=1 - p.player)

    def outcome(self, p: Position) -> nq.Outcome | None:
        if not p.caller:
            return None
        many, face = map(int, self.actions[p.bid - 1].split("x"))
        count = sum(die in (face, self.faces) for die in p.dice)
        caller = p.caller - 1
        return nq.Outcome(
            1 - caller if count >= many else caller, "truth" if count >= many else "lie", {"count": count}
        )

    def sees(self, p: Position, who: int | None) -> Position:
        first, second = p.dice
        return p if p.caller else p._replace(dice=(first if who == 0 else 0, second if who == 1 else 0))
