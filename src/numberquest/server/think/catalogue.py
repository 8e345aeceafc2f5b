"""The games on offer, with what is proved about them, as a message."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from numberquest.contract import COMMON_RULINGS
from numberquest.games import GAMES
from numberquest.players import PLAYERS
from numberquest.server import wire
from numberquest.server.boards import board, view
from numberquest.server.think.reviews import chance
from numberquest.settings import Signs, UpTo, Whole
from numberquest.solver import TooLarge, budget, solve
from numberquest.solver.proved import proved

if TYPE_CHECKING:
    from numberquest.contract import Game
    from numberquest.settings import Setting, SettingValue

PATIENCE: Final = 8.0
TOGETHER: Final = 40.0
"""So many seconds a game may take to solve here, and all of them: of one that takes longer nothing is told."""


def catalogue() -> wire.Games:
    """All games, and the computer players, weakest first."""
    levels = [wire.Level(name) for name in PLAYERS]
    until = time.monotonic() + TOGETHER
    games = []
    for kind in GAMES.values():
        budget.patience = max(0.0, min(PATIENCE, until - time.monotonic()))
        games.append(_info(kind()))
    return wire.Games(games, levels)


def _info(game: Game[Any]) -> wire.GameInfo:
    said, value = _solved(game)
    return wire.GameInfo(
        game=game.slug,
        title=game.title,
        short_title=game.short_title,
        summary=game.summary,
        rules=game.rules,
        rulings={**{code: COMMON_RULINGS[code] for code in game.common}, **game.rulings},
        endings=dict(game.endings),
        proved=said,
        value=value,
        settings=[_setting(name, setting, game.settings[name]) for name, setting in game.fields.items()],
        chance=game.chance,
        view=view(game),
        board=board(game, [game.start()], []),
    )


def _solved(game: Game[Any]) -> tuple[wire.Said | None, float | None]:
    """What is proved about a game, and Player 1's chance; nothing where it is too large."""
    try:
        solution = solve(game)
    except TooLarge:
        return None, None
    return wire.Said(*proved(solution)), chance(solution.value_for(0, game.start()))


def _setting(name: str, setting: Setting, classic: SettingValue) -> wire.SettingInfo:
    info = wire.SettingInfo(name, setting.meaning, setting.more, "yesno", classic)
    if isinstance(setting, Whole):
        info.kind, info.low, info.high = "number", setting.low, setting.high
    elif isinstance(setting, UpTo):
        info.kind, info.low, info.up_to = "number", 1, setting.other
    elif isinstance(setting, Signs):
        info.kind, info.signs, info.needed = "signs", setting.signs, setting.needed
    return info
