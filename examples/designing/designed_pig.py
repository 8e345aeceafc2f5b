"""Pig for designers: Player 2 may begin with some points, and the die may have other sides."""

from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    scores: tuple[int, int]
    this_turn: int
    mover: int
    rolling: bool


class DesignedPig(nq.Game[Position]):
    slug = "designed_pig"
    title = "Pig, to be designed"
    summary = "Roll a die as often as you dare, and hold before a 1 comes; who is second begins with some points."
    rules = """\
On your turn roll the die, which has {sides} sides, as often as you like. Each roll is added to what this turn has
brought you. A 1 loses all of that, and the turn. If you hold before, it is added to your score, and the turn ends.
Who holds {target} points or more wins. When your turn has brought enough for that, you can only hold.
{start_points?In return for being second, Player 2 begins with some points.}"""
    actions = ("roll", "hold")
    endings = {"reached": "{winner} holds {score} points"}
    view = (nq.Scores("scores", "Score", most=110, target="target"), nq.Number("this_turn", "This turn", most=110))

    target: int = nq.whole(20, 16, 100, "the score to reach")
    start_points: int = nq.whole(0, 0, 15, "the points that Player 2 begins with")
    sides: int = nq.whole(6, 4, 10, "how many sides the die has")

    def start(self) -> Position:
        return Position((0, self.start_points), 0, 0, rolling=False)

    def player(self, p: Position) -> int:
        return nq.CHANCE if p.rolling else p.mover

    def turn(self, p: Position) -> int:
        return p.mover

    def moves(self, p: Position) -> tuple[str, ...]:
        if p.rolling:
            return tuple(str(face) for face in range(1, self.sides + 1))
        if max(p.scores) >= self.target:
            return ()
        return ("roll", "hold") if p.scores[p.mover] + p.this_turn < self.target else ("hold",)

    def weights(self, p: Position) -> tuple[int, ...]:
        return (1,) * self.sides

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
