"""Any game in OpenSpiel: import this, then `pyspiel.load_game("numberquest_last(heap=12)")`. docs/openspiel.md.

Every game is called `numberquest_` and its slug, and every rule setting is a parameter. `load` takes other people's
games too. A reveal is a chance node of its own, and both players see it: nothing that one player knows is hidden from
the other.
"""

from __future__ import annotations

from numberquest.envs.missing import needs

try:
    import pyspiel  # noqa: F401 - to say what is missing, before anything else asks for it
except ModuleNotFoundError as missing:
    raise needs(missing, "openspiel") from None

from numberquest.envs.openspiel.bot import ComputerBot
from numberquest.envs.openspiel.game import QuestGame, load, register
from numberquest.envs.openspiel.observer import HistoryObserver, TableObserver
from numberquest.envs.openspiel.state import QuestState

__all__ = ["ComputerBot", "HistoryObserver", "QuestGame", "QuestState", "TableObserver", "load", "register"]

register()
