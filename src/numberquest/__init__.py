"""Number Quest: two-player number games to play, solve and study.

>>> import numberquest as nq
>>> match = nq.Match(nq.game("sumquest"))
>>> match.play("5")
Position(total=5, barred=5, player=1)
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    # A type checker looks into the modules themselves.
    from numberquest.contract import *  # noqa: F403
    from numberquest.dealer import *  # noqa: F403
    from numberquest.evaluate.who import player as player
    from numberquest.games import *  # noqa: F403
    from numberquest.loading import *  # noqa: F403
    from numberquest.match import *  # noqa: F403
    from numberquest.puzzle import *  # noqa: F403
    from numberquest.record import *  # noqa: F403
    from numberquest.settings import *  # noqa: F403
    from numberquest.solver import *  # noqa: F403
    from numberquest.stream import *  # noqa: F403
    from numberquest.verdicts import *  # noqa: F403
    from numberquest.view import *  # noqa: F403

__version__ = "1.0.0"

_PUBLIC = {
    "contract": "CHANCE Game IllegalMove Outcome",
    "dealer": "BadDeal Dealer",
    "evaluate.who": "player",
    "games": "GAMES game register",
    "loading": "BadGame",
    "match": "Match",
    "puzzle": "Puzzle puzzles",
    "record": "Record RecordError",
    "settings": "BadSetting signs up_to whole yes_no",
    "solver": "NoDevice Solution TooLarge solve",
    "stream": "Stream",
    "verdicts": "Review Verdict review",
    "view": "Cells Flags Number Pile Pool Scores Who",
}
"""Every public name, by the module that it is in."""
_HOMES = {name: module for module, names in _PUBLIC.items() for name in names.split()}

__all__ = list(_HOMES)


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
