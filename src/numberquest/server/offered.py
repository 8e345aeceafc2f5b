"""The games on offer and the computer players, as a message: all that is known of them without working anything out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.games import GAMES
from numberquest.lab.atlas import has_atlas
from numberquest.players import PLAYERS
from numberquest.server import wire
from numberquest.server.boards import board, view
from numberquest.settings import Signs, UpTo, Whole

if TYPE_CHECKING:
    from numberquest.contract import Game
    from numberquest.settings import Setting, SettingValue


def offered() -> wire.Games:
    """All games, and the computer players, weakest first."""
    return wire.Games([offer(kind()) for kind in GAMES.values()], [wire.Level(name) for name in PLAYERS], soon=True)


def offer(game: Game[Any]) -> wire.GameInfo:
    """One of them."""
    return wire.GameInfo(
        game=game.slug,
        title=game.title,
        short_title=game.short_title,
        summary=game.summary,
        goal=game.how_to_win,
        rules=game.told(game.rules),
        rulings=game.rulings_told(),
        endings=dict(game.endings),
        proved=None,
        value=None,
        turns=(0, 0),
        luck=None,
        settings=[_setting(name, setting, game.settings[name]) for name, setting in game.fields.items()],
        chance=game.chance,
        view=view(game),
        board=board(game, [game.start()], []),
        atlas=has_atlas(type(game)),
    )


def _setting(name: str, setting: Setting, classic: SettingValue) -> wire.SettingInfo:
    info = wire.SettingInfo(name, setting.meaning, setting.more, "yesno", classic)
    if isinstance(setting, Whole):
        info.kind, info.low, info.high = "number", setting.low, setting.high
    elif isinstance(setting, UpTo):
        info.kind, info.low, info.up_to = "number", 1, setting.other
    elif isinstance(setting, Signs):
        info.kind, info.signs, info.needed = "signs", setting.signs, setting.needed
    return info
