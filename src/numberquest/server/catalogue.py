"""The games on offer, with what is proved about them, as a message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.contract import COMMON_RULINGS
from numberquest.games import GAMES
from numberquest.players import PLAYERS
from numberquest.server import wire
from numberquest.server.boards import board
from numberquest.server.reviews import chance
from numberquest.settings import Signs, UpTo, Whole
from numberquest.solver import solve
from numberquest.solver.proved import proved

if TYPE_CHECKING:
    from numberquest.contract import Game
    from numberquest.settings import SettingValue


def catalogue() -> wire.Games:
    """All games, and the computer players, weakest first."""
    levels = [wire.Level(level.name, level.words) for level in PLAYERS.values()]
    return wire.Games([_info(kind()) for kind in GAMES.values()], levels)


def _info(game: Game[Any]) -> wire.GameInfo:
    solution, start = solve(game), game.start()
    return wire.GameInfo(
        game=game.slug,
        title=game.title,
        summary=game.summary,
        rules=game.rules,
        rulings={**COMMON_RULINGS, **game.rulings},
        proved=proved(solution),
        value=chance(solution.value_for(0, start)),
        settings=[_setting(game, name, allowed) for name, allowed in game.fields.items()],
        board=board(game, [start], []),
    )


def _setting(game: Game[Any], name: str, allowed: "Setting") -> wire.SettingInfo:
    classic: SettingValue = game.settings[name]
    info = wire.SettingInfo(name, game.meanings[name], allowed.words, "yesno", classic)
    if isinstance(allowed, Whole):
        info.kind, info.low, info.high = "number", allowed.low, allowed.high
    elif isinstance(allowed, UpTo):
        info.kind, info.low, info.up_to = "number", 1, allowed.other
    elif isinstance(allowed, Signs):
        info.kind, info.signs, info.needed = "signs", allowed.signs, allowed.needed
    return info
