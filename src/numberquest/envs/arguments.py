"""What an environment is asked for, checked: rules, seats, opponents, ways to render."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from numberquest.contract import Game
from numberquest.games import game as make_game
from numberquest.games import kind_for
from numberquest.players import player as named_player
from numberquest.settings import BadSetting
from numberquest.wording import in_short

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numberquest.players import Player

    AnyGame = str | type[Game[Any]] | Game[Any]


def rules_for(game: AnyGame, settings: Mapping[str, Any], own: Sequence[str] = ()) -> Game[Any]:
    """The game that is asked for: by its slug, by the path of its file, by its class, or as it is.

    `own` is what the environment takes besides the rule settings, for whoever has mistyped one of those.
    """
    if isinstance(game, Game):
        if settings:
            raise BadSetting(f"{game!r} has its settings already: change {', '.join(settings)} there")
        return game
    kind: Any = kind_for(game) if isinstance(game, str) else game
    if not (isinstance(kind, type) and issubclass(kind, Game)):
        raise TypeError(f"a game is its name, the path of its file, its class, or an object of that, not {game!r}")
    try:
        return make_game(kind.slug, **settings) if isinstance(game, str) else kind(**settings)
    except BadSetting as error:
        if own and not kind.fields.keys() >= settings.keys():
            raise BadSetting(f"{error}; the environment itself takes {', '.join(own)}") from None
        raise


def seat_for(seat: object) -> int | None:
    """Where the learner sits, 0 or 1, for a wish of 1, 2 or "random"; None is drawn anew for each game."""
    if isinstance(seat, str) and seat == "random":
        return None
    try:
        number = 0 if isinstance(seat, bool) else operator.index(seat)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if number not in (1, 2):
        raise ValueError(f"seat is 1, 2 or 'random', not {seat!r}")
    return number - 1


def opponent_for(opponent: object, game: Game[Any]) -> tuple[Player, list[str]]:
    """The player asked for, ready to play, and what people should know about that."""
    player: Any = named_player(opponent) if isinstance(opponent, str) else opponent
    if not all(callable(getattr(player, method, None)) for method in ("prepare", "choose")):
        raise ValueError(
            "opponent is the name of a computer player, or an object with the methods prepare and choose of "
            f"numberquest.players.Player, not {opponent!r}"
        )
    messages: list[str] = []
    player.prepare(game, messages.append)
    return player, messages


def check_move(player: Player, move: object, allowed: Sequence[str]) -> None:
    """Refuse what an opponent of somebody's own has chosen where the rules do not allow it."""
    if move not in allowed:
        raise ValueError(f"the opponent {player!r} chose {move!r}, which is not allowed: {in_short(allowed)}")


def check_render_mode(mode: object, modes: Sequence[str]) -> None:
    """Refuse a way to render that there is not."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode is None or {' or '.join(map(repr, modes))}, not {mode!r}")


def check_flag(name: str, value: object) -> bool:
    """A switch that is on or off, and nothing else."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} is True or False, not {value!r}")
    return value
