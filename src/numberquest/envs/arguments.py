"""Checks of the arguments of environments: rules, seats, opponents, ways to render; and ids of environments.

Importing `numberquest.envs.gymnasium` or `numberquest.envs.pettingzoo` registers the ids of all games that are known by
then, `NumberQuest/Last-v0` if the slug is `last`; `register` there, called again, those that have been brought since.
Gymnasium before 1.0 could also be told by an entry point of the package, which then called `register`.
"""

import operator
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from numberquest.core.contract import Game
from numberquest.core.errors import FAILURE, UsageError, to_install
from numberquest.core.registry import GAMES, kind_for
from numberquest.core.registry import game as make_game
from numberquest.core.sentences import in_short
from numberquest.core.settings import BadSetting, quoted
from numberquest.core.stream import Dice
from numberquest.players.asking import ask
from numberquest.players.levels import Player
from numberquest.players.named import CustomPlayer, who

AnyGame = str | type[Game[Any]] | Game[Any]


@contextmanager
def needing(extra: str, adapter: bool = False) -> Iterator[None]:
    """Say which extra is missing where the block imports a package that is not there.

    A `ModuleNotFoundError`; of an adapter, which a command may have started, a `UsageError`.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] == "numberquest":
            raise
        missing = f"needs the package {error.name}: {to_install(extra)}"
        if adapter:
            raise UsageError(f"this {missing}", FAILURE) from None
        raise ModuleNotFoundError(f"this environment {missing}", name=error.name) from None


def id_of(slug: str) -> str:
    """The id of a game with Gymnasium and PettingZoo."""
    return f"NumberQuest/{slug.capitalize()}-v0"


def register() -> None:
    """Tell Gymnasium the ids of all games; once more does no harm."""
    import gymnasium

    for slug in GAMES.known:
        if id_of(slug) not in gymnasium.registry:
            gymnasium.register(
                id_of(slug),
                entry_point="numberquest.envs.gymnasium:SoloEnv",
                vector_entry_point="numberquest.envs.vector:NumberQuestVectorEnv",
                kwargs={"game": slug},
            )


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
        return make_game(game, **settings) if isinstance(game, str) else kind(**settings)
    except BadSetting as error:
        if own and not kind.fields.keys() >= settings.keys():
            raise BadSetting(f"{error}; the environment itself takes {', '.join(own)}") from None
        raise


def check_listed(name: object, listed: Iterable[str], what: str) -> None:
    """Refuse a name from a client unless it is `listed`: a path or `cmd:` would run code on this machine."""
    if name not in (names := tuple(listed)):
        raise UsageError(f"there is no {what} called {quoted(name)}; the {what}s are {', '.join(names)}")


def seat_for(seat: object) -> int | None:
    """Return the learner's seat, 0 or 1, for 1, 2 or "random"; None is drawn by lot for each game."""
    if isinstance(seat, str) and seat == "random":
        return None
    try:
        number = 0 if isinstance(seat, bool) else operator.index(seat)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if number not in (1, 2):
        raise ValueError(f"seat is 1, 2 or 'random', not {seat!r}")
    return number - 1


def opponent_for(opponent: object, game: Game[Any]) -> Player:
    """Make the opponent of an environment ready to play; messages of its preparation become warnings."""
    player: Any = who(opponent) if isinstance(opponent, str) else opponent
    if isinstance(player, FunctionType):
        player = CustomPlayer(player.__name__, player)
    if isinstance(player, type) or not callable(getattr(player, "choose", None)):
        raise ValueError(
            "opponent is the name of a computer player, a function that takes game, position and dice, or an object "
            "with the methods of numberquest.players.levels.Player, of which only choose has to be there, "
            f"not {opponent!r}"
        )
    if hasattr(player, "prepare"):
        messages: list[str] = []
        player.prepare(game, messages.append)
        for message in messages:
            warnings.warn(message, stacklevel=3)
    return player  # type: ignore[no-any-return]


def asked_move(player: Player, game: Game[Any], position: Any, dice: Dice, history: Sequence[str] | None = None) -> str:
    """Return the move that an opponent chooses; ValueError where the rules do not allow that move."""
    asked = ask(player, game, position, dice, history)
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
