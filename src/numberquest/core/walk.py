"""A game played at random, as the laws look at it; and where on the way it breaks one."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from numberquest.core.contract import CHANCE, Game
from numberquest.core.settings import quoted

LONGEST_WALK: Final = 400
LONGEST_SAID: Final = 5000
"""After so many moves and reveals a game that need not end, or says that it can be long, is looked at no longer."""


class Broken(Exception):
    """What is seen where a law does not hold, and where that is, if it is not where the walk stands."""

    def __init__(self, what: str, place: str = "") -> None:
        super().__init__(what)
        self.place = place


class Walk:
    """A game played at random: each move and reveal, and the position before it and after the last.

    Going through its positions keeps where one is, so that whoever finds something wrong can be told the way there.
    """

    def __init__(self, game: Game[Any], random: Random) -> None:
        self.game, self.random = game, random
        self.moves: list[str] = []
        self.positions: list[Any] = []
        self.at = 0
        self.line: int | None = None
        """Of the file of the rules: where they failed, if they did."""

    def go(self, deal: Sequence[int] = ()) -> None:
        """From the start to the end, or as far as one can wait; with a deal, what is uncovered comes from there."""
        game, longest = self.game, self.game.longest
        p = game.start()
        self.positions.append(p)
        most = min(longest + 1, LONGEST_SAID) if type(longest) is int else LONGEST_WALK
        while len(self.moves) < most:
            self.at = len(self.moves)
            moves: Any = game.moves(p)
            if not isinstance(moves, tuple) or not all(isinstance(move, str) for move in moves):
                raise Broken(f"moves is a tuple of texts, not {quoted(moves)}")
            if not moves:
                return
            move = self.random.choice(moves)
            if deal and game.player(p) == CHANCE:
                move = str(deal[game.slot(p)])
                if move not in moves:
                    order = ",".join(map(str, deal))
                    raise Broken(f"with the deal {order} {move} is uncovered, which moves does not list")
            after = game.play(p, move)
            if type(after) is not type(p):
                raise Broken(f"play gives {quoted(after)} for the move {quoted(move)}, and no {type(p).__name__}")
            p = after
            self.positions.append(p)
            self.moves.append(move)

    def __iter__(self) -> Iterator[Any]:
        for at, p in enumerate(self.positions):
            self.at = at
            yield p

    def steps(self) -> Iterator[tuple[Any, str]]:
        """Each position with the move or reveal that was made there."""
        return zip(self, self.moves, strict=False)

    def chance(self) -> Iterator[tuple[Any, str]]:
        """The positions at which something was revealed, and what."""
        return ((p, move) for p, move in self.steps() if self.game.player(p) == CHANCE)

    @property
    def place(self) -> str:
        """Where one is, by the moves and reveals that lead there."""
        before = self.moves[: self.at]
        if not before:
            return "at the start"
        return f"after {'… ' if len(before) > 40 else ''}{' '.join(before[-40:])}"
