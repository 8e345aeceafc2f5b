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
    from numberquest.core.contract import *  # noqa: F403
    from numberquest.core.dealer import *  # noqa: F403
    from numberquest.core.loading import *  # noqa: F403
    from numberquest.core.match import *  # noqa: F403
    from numberquest.core.record import *  # noqa: F403
    from numberquest.core.registry import *  # noqa: F403
    from numberquest.core.settings import *  # noqa: F403
    from numberquest.core.stream import *  # noqa: F403
    from numberquest.core.view import *  # noqa: F403
    from numberquest.explain.puzzle import *  # noqa: F403
    from numberquest.explain.review import *  # noqa: F403
    from numberquest.players.named import player as player
    from numberquest.solver import *  # noqa: F403

__version__ = "1.0.0"

_PUBLIC = {
    "core.contract": "CHANCE Game IllegalMove Outcome",
    "core.dealer": "BadDeal Dealer",
    "players.named": "player",
    "core.registry": "GAMES game register",
    "core.loading": "BadGame",
    "core.match": "Match",
    "explain.puzzle": "Puzzle puzzles",
    "core.record": "Record RecordError",
    "core.settings": "BadSetting signs up_to whole yes_no",
    "solver": "NoDevice Solution TooLarge solve",
    "core.stream": "Stream",
    "explain.review": "Review Verdict review",
    "core.view": "Cells Flags Number Pile Pool Scores Who",
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
