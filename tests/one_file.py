"""Whole games in one file, as somebody writes their first one."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

LAST: Final = """\
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
"""
"""Nothing but the required members, and one setting."""

CARDS: Final = """\
from typing import NamedTuple

import numberquest as nq


class Position(NamedTuple):
    scores: tuple[int, int]
    unseen: tuple[int, ...]
    turns: int
    drawing: bool


class Cards(nq.Game[Position]):
    slug = "cards"
    title = "Cards"
    summary = "Draw the top card or stay; after six turns the higher total wins."
    rules = "In turns draw the top card and add it, or stay. After six turns the higher total wins."
    actions = ("draw", "stay")
    deck = (1, 1, 2, 2, 3, 3)
    longest = 12
    endings = {"higher": "{winner} has {total}", "equal": "both have {total}"}
    view = (nq.Scores("scores", "Total", most=18), nq.Pile("unseen", "Left", high=3, copies=2))

    def start(self):
        return Position((0, 0), self.deck, 0, False)

    def player(self, p):
        return nq.CHANCE if p.drawing else p.turns % 2

    def turn(self, p):
        return p.turns % 2

    def moves(self, p):
        if p.drawing:
            return tuple(str(card) for card in sorted(set(p.unseen)))
        return self.actions if p.turns < 6 else ()

    def weights(self, p):
        return tuple(p.unseen.count(card) for card in sorted(set(p.unseen)))

    def slot(self, p):
        return len(self.deck) - len(p.unseen)

    def play(self, p, move):
        if move == "draw":
            return p._replace(drawing=True)
        if move == "stay":
            return p._replace(turns=p.turns + 1)
        card = int(move)
        at = p.unseen.index(card)
        first, second = p.scores
        scores = (first, second + card) if p.turns % 2 else (first + card, second)
        return Position(scores, p.unseen[:at] + p.unseen[at + 1 :], p.turns + 1, False)

    def outcome(self, p):
        if p.turns < 6 or p.drawing:
            return None
        first, second = p.scores
        if first == second:
            return nq.Outcome(None, "equal", {"total": first})
        return nq.Outcome(int(second > first), "higher", {"total": max(p.scores)})
"""
"""A deck, and a game that can be drawn."""

_number = count()


def written(folder: Path, text: str, *changes: tuple[str, str]) -> str:
    """The path of a new file with this text, in which each of the changes has been made."""
    for was, now in changes:
        assert was in text
        text = text.replace(was, now)
    path = folder / f"game{next(_number)}.py"
    path.write_text(text)
    return str(path)
