"""What an environment is asked for, checked: rules, seats, opponents, ways to render."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from numberquest.contract import Game
from numberquest.evaluate.asking import ask
from numberquest.evaluate.who import who
from numberquest.games import game as make_game
from numberquest.games import kind_for
from numberquest.settings import BadSetting
from numberquest.wording import in_short

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numberquest.players import Player
    from numberquest.stream import Dice

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
    player: Any = who(opponent) if isinstance(opponent, str) else opponent
    if isinstance(player, type) or not callable(getattr(player, "choose", None)):
        raise ValueError(
            "opponent is the name of a computer player, or an object with the methods of numberquest.players.Player, "
            f"of which only choose has to be there, not {opponent!r}"
        )
    messages: list[str] = []
    if hasattr(player, "prepare"):
        player.prepare(game, messages.append)
    return player, messages


def asked_move(player: Player, game: Game[Any], position: Any, dice: Dice) -> str:
    """What an opponent of somebody's own chooses; ValueError where the rules do not allow it."""
    asked = ask(player, game, position, dice)
    allowed = game.moves(position)
    if asked.move not in allowed:
        said = asked.illegal[-1].said if asked.move is None and asked.illegal else asked.move
        raise ValueError(f"the opponent {player!r} chose {said!r}, which is not allowed: {in_short(allowed)}")
    return asked.move


def check_render_mode(mode: object, modes: Sequence[str]) -> None:
    """Refuse a way to render that there is not."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode is None or {' or '.join(map(repr, modes))}, not {mode!r}")


def check_flag(name: str, value: object) -> bool:
    """A switch that is on or off, and nothing else."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} is True or False, not {value!r}")
    return value


def check_no_options(options: Mapping[str, Any] | None) -> None:
    """Refuse options of `reset`, of which there are none: what nobody heeds must not seem to work."""
    if options:
        raise ValueError(f"reset takes no options here, and was given {', '.join(map(repr, options))}")
