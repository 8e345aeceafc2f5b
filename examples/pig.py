"""Pig: roll the die as long as you dare; a 1 loses what you have rolled in this turn."""

from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    scores: tuple[int, int]
    this_turn: int
    mover: int
    rolling: bool


class Pig(nq.Game[Position]):
    slug = "pig"
    title = "Pig"
    summary = "Roll a die as often as you dare, and hold before a 1 comes: first to 100."
    rules = """\
On your turn roll the die as often as you like. Each roll is added to what this turn has brought you.
A 1 loses all of that, and the turn. If you hold before, it is added to your score, and the turn ends.
Who holds 100 points or more wins. When your turn has brought enough for that, you can only hold."""
    actions = ("roll", "hold")
    endings = {"reached": "{winner} holds {score} points"}
    view = (nq.Scores("scores", "Score", most=205, target="target"), nq.Number("this_turn", "This turn", most=205))

    target: int = nq.whole(100, 2, 200, "the score to reach")

    def start(self) -> Position:
        return Position((0, 0), 0, 0, rolling=False)

    def player(self, p: Position) -> int:
        return nq.CHANCE if p.rolling else p.mover

    def turn(self, p: Position) -> int:
        return p.mover

    def moves(self, p: Position) -> tuple[str, ...]:
        if p.rolling:
            return ("1", "2", "3", "4", "5", "6")
        if max(p.scores) >= self.target:
            return ()
        return ("roll", "hold") if p.scores[p.mover] + p.this_turn < self.target else ("hold",)

    def weights(self, p: Position) -> tuple[int, ...]:
        return (1, 1, 1, 1, 1, 1)

    def play(self, p: Position, move: str) -> Position:
        if move == "roll":
            return p._replace(rolling=True)
        if move not in ("1", "hold"):
            return p._replace(this_turn=p.this_turn + int(move), rolling=False)
        gain = p.this_turn if move == "hold" else 0
        first, second = p.scores
        scores = (first + gain, second) if p.mover == 0 else (first, second + gain)
        return Position(scores, 0, 1 - p.mover, rolling=False)

    def outcome(self, p: Position) -> nq.Outcome | None:
        best = max(p.scores)
        return nq.Outcome(p.scores.index(best), "reached", {"score": best}) if best >= self.target else None
