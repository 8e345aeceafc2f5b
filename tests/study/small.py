"""Small games of every kind, and agents that play badly in their own ways."""

from collections.abc import Mapping
from typing import Any

import numberquest as nq
from numberquest.core.contract import Game
from numberquest.core.registry import kind_in
from numberquest.core.stream import Dice
from numberquest.players.asking import ProviderError
from tests.strategies import EXAMPLES

NIM, PIG = (next(kind_in(str(path)) for path in EXAMPLES if path.stem == name) for name in ("nim", "pig"))

WITHOUT_LOOPS: list[Game[Any]] = [
    nq.game("sumquest", target=9, high=4),
    nq.game("grid", side=2, target=5),
    nq.game("grid", side=2, target=3, stand=True),
    nq.game("mystic", high=3, copies=1, target=5),
    nq.game("mystic", high=3, copies=2, target=7),
    nq.game("mystic", high=2, copies=3, target=4),
    nq.game("fifty", high=3, copies=1, target=6),
    nq.game("fifty", high=3, copies=2, target=7, ops="+-"),
    nq.game("showdown", high=2, picks=1),
    NIM(number=2),
    NIM(number=2, misere=True),
]
SMALL = [*WITHOUT_LOOPS, PIG(target=6)]


class Odd:
    """Prefers early moves, and the earlier the more there are; tells its odds, and keeps to them."""

    name, words = "odd", "plays oddly"

    def prepare(self, *_: object) -> None:
        pass

    def odds(self, game: Game[Any], position: Any) -> Mapping[str, float]:
        moves = game.moves(position)
        weights = [2 * len(moves) - at for at in range(len(moves))]
        return {move: weight / sum(weights) for move, weight in zip(moves, weights, strict=True)}

    def choose(self, game: Game[Any], position: Any, dice: Dice) -> str:
        moves = game.moves(position)
        at = dice.below(sum(2 * len(moves) - at for at in range(len(moves))))
        for number, move in enumerate(moves):
            at -= 2 * len(moves) - number
            if at < 0:
                return move
        raise AssertionError


class Mumbling(Odd):
    """Says something that is no move first, and so often in a row."""

    def __init__(self, times: int) -> None:
        self.times, self.said = times, 0

    def choose(self, game: Game[Any], position: Any, dice: Dice) -> str:
        self.said += 1
        if self.said <= self.times:
            return "ahem"
        self.said = 0
        return super().choose(game, position, dice)


class Failing(Odd):
    """Its provider fails at the first so many questions."""

    def __init__(self, times: int) -> None:
        self.left = times

    def choose(self, game: Game[Any], position: Any, dice: Dice) -> str:
        if self.left:
            self.left -= 1
            raise ProviderError("the line is dead")
        return super().choose(game, position, dice)
