"""Number Quest: five two-player number games to play, solve and study.

>>> import numberquest as nq
>>> match = nq.Match(nq.game("sumquest"))
>>> match.play("5")
Position(total=5, barred=5, player=1)
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from numberquest.dealer import BadDeal, Dealer
    from numberquest.game import CHANCE, Game, IllegalMove, Outcome
    from numberquest.games import GAMES, game
    from numberquest.match import Match
    from numberquest.players import player
    from numberquest.puzzles import Puzzle, puzzles
    from numberquest.record import Record, RecordError
    from numberquest.review import Review, Verdict, review
    from numberquest.settings import BadSetting
    from numberquest.solve import Solution, TooLarge, solve
    from numberquest.stream import Stream

__version__ = "0.1.0"

_HOMES = {
    "BadDeal": "dealer",
    "BadSetting": "settings",
    "CHANCE": "game",
    "Dealer": "dealer",
    "GAMES": "games",
    "Game": "game",
    "IllegalMove": "game",
    "Match": "match",
    "Outcome": "game",
    "Puzzle": "puzzles",
    "Record": "record",
    "RecordError": "record",
    "Review": "review",
    "Solution": "solve",
    "Stream": "stream",
    "TooLarge": "solve",
    "Verdict": "review",
    "game": "games",
    "player": "players",
    "puzzles": "puzzles",
    "review": "review",
    "solve": "solve",
}

__all__ = [
    "CHANCE",
    "GAMES",
    "BadDeal",
    "BadSetting",
    "Dealer",
    "Game",
    "IllegalMove",
    "Match",
    "Outcome",
    "Puzzle",
    "Record",
    "RecordError",
    "Review",
    "Solution",
    "Stream",
    "TooLarge",
    "Verdict",
    "game",
    "player",
    "puzzles",
    "review",
    "solve",
]


def __getattr__(name: str) -> object:
    # Importing everything here would make every start of the program pay for all of it.
    if name not in _HOMES:
        raise AttributeError(f"module 'numberquest' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"numberquest.{_HOMES[name]}"), name)
    setattr(sys.modules[__name__], name, value)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


class _Package(type(sys)):  # type: ignore[misc]
    """Keeps `numberquest.game` the function, though importing the file `game.py` would put the module there."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in _HOMES and isinstance(value, type(sys)):
            return
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
