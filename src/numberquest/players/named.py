"""One way to name a player, everywhere.

| WHO | who that is |
|---|---|
| `random`, `easy`, `medium`, `hard`, `perfect` | a level |
| `package.module:name` | an object in a module that can be imported, a class of such objects, or a function |
| `./file.py:name` | the same in a file |
| `cmd:./engine --flag` | a process that speaks the line protocol (docs/protocol.md) |
| `llm:MODEL` | a language model behind an OpenAI-compatible address (docs/agents.md) |
| `human` | a person at the keyboard: for `play` alone |
"""

import os
import sys
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any, Final

from numberquest.core.contract import Game
from numberquest.core.loading import BadGame, file_of, load, what_happened
from numberquest.core.progress import Progress
from numberquest.core.record import HUMAN, LONGEST_VALUE
from numberquest.core.registry import is_path
from numberquest.core.seen_history import seen_by_mover
from numberquest.core.sentences import in_short
from numberquest.core.settings import quoted
from numberquest.core.stream import Dice
from numberquest.players.asking import BadPlayer, Illegal, ProviderError, aside, shown
from numberquest.players.levels import PLAYERS, Player

COMMAND: Final = "cmd:"
MODEL: Final = "llm:"
RUNNERS: Final = frozenset(("bash", "bun", "deno", "env", "java", "julia", "node", "perl", "python", "ruby", "sh"))
FORMS: Final = "package.module:name, ./file.py:name, cmd:./engine or llm:MODEL"
"""How a player is named that is none of the levels."""


def who(spec: str) -> Player:
    """The player of that name: a level, `./file.py:name`, `package.module:name`, `cmd:./engine` or `llm:MODEL`.

    Each time a new one, except that the levels, which remember nothing, are the same. `BadPlayer`, a ValueError, where
    there is none such.

    >>> nq.player("hard").words
    'hardly ever slips'
    """
    return maker(spec)()


# The name that it has in `numberquest`.
player = who


def maker(spec: str) -> Callable[[], Player]:
    """What makes that player; `BadPlayer` where there is none such, before anything is made or started."""
    if is_level(spec):
        return lambda: PLAYERS[spec.lower()]
    if spec == HUMAN:
        raise BadPlayer("a human plays at the keyboard alone: numberquest play")
    if len(spec) > LONGEST_VALUE or not spec.isprintable():
        raise BadPlayer(f"a player is named in at most {LONGEST_VALUE} visible characters")
    if spec.startswith(COMMAND):
        from numberquest.players.engine import Engine, command_in

        return partial(Engine, spec, command_in(spec))
    if spec.startswith(MODEL):
        from numberquest.players.llm import Model, address

        return partial(Model, spec, address())
    where, colon, name = spec.rpartition(":")
    if not colon:
        if is_path(spec):
            raise BadPlayer(f"{spec}: say which player in it is meant: {spec}:name{_players_in(spec)}")
        levels = ", ".join(PLAYERS)
        raise BadPlayer(f"there is no computer player called {quoted(spec)}; there is {levels}, or {FORMS}")
    found = _named(spec, where, name)
    if not _chooses(found):
        kind = "class" if isinstance(found, type) else type(found).__name__
        raise BadPlayer(
            f"{spec}: this {kind} has no choose; a player is an object with choose(game, position, dice), "
            "a class of such objects, or a function that takes the same"
        )
    return lambda: CustomPlayer(spec, _made(spec, found))


def _chooses(found: Any) -> bool:
    """Whether that can be asked for a move: an object or a class with `choose`, or a function that is one."""
    return callable(getattr(found, "choose", None)) or (callable(found) and not isinstance(found, type))


def is_level(spec: str) -> bool:
    """Whether that is one of the five levels, about which everything is known."""
    return spec.lower() in PLAYERS


def is_program(spec: str) -> bool:
    """Whether code of somebody's own runs where this player plays: whoever names it has to mean it."""
    return spec.lower() != HUMAN and not is_level(spec)


def short_name(spec: str, most: int = 17) -> str:
    """What people call that player: `Careful` for `./agents.py:Careful`, `engine` for `cmd:./engine --flag`."""
    if not is_program(spec):
        return spec
    if spec.startswith(COMMAND):
        names = [os.path.basename(word) for word in spec.removeprefix(COMMAND).split() if not word.startswith("-")]
        # Of a program that is run by another, such as `python3 engine.py`, its own name.
        run = len(names) > 1 and names[0].rstrip("0123456789.") in RUNNERS
        short = names[1] if run else "".join(names[:1])
    else:
        # Of a model such as `maker/model:size`, what stands before the colon says more.
        short = spec.removeprefix(MODEL).rpartition("/")[2] if spec.startswith(MODEL) else spec.rpartition(":")[2]
    seen = "".join(sign for sign in short if sign.isascii() and sign.isprintable()).strip()
    return (seen if len(seen) <= most else f"{seen[: most - 1].rstrip()}…") or "program"


def _named(spec: str, where: str, name: str) -> Any:
    """What a file or a module holds under that name."""
    if not where or not name:
        raise BadPlayer(f"{quoted(spec)} names no player: write {FORMS}")
    with aside():
        module = _file(where) if is_path(where) else _module(spec, where)
    found = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise BadPlayer(f"{where}: there is nothing called {name} in it{_players_in(where)}")
        found = getattr(found, part)
    return found


def _file(path: str) -> Any:
    if not path.endswith(".py"):
        raise BadPlayer(f"{path}: a player is in a Python file, whose name ends in .py")
    try:
        return load(path)
    except BadGame as error:
        raise BadPlayer(str(error)) from None


def _module(spec: str, name: str) -> Any:
    from importlib import import_module

    if not all(part.isidentifier() for part in name.split(".")):
        raise BadPlayer(f"{quoted(spec)} names no player: write {FORMS}")
    # Behind everything else, so that nothing there can stand in for what is installed.
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.append(os.getcwd())
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise BadPlayer(f"{spec}: there is no module {error.name}; a file is named ./{error.name}.py:…") from None
        raise BadPlayer(f"{spec}: it does not load: {what_happened(error)}") from None
    except (Exception, SystemExit) as error:
        raise BadPlayer(f"{spec}: it does not load: {what_happened(error)}") from None


def _made(spec: str, found: Any) -> Any:
    if not isinstance(found, type):
        return found
    try:
        with aside():
            return found()
    except (Exception, SystemExit) as error:
        raise BadPlayer(f"{spec}: it cannot be made: {what_happened(error, file_of(found))}") from None


def _players_in(where: str) -> str:
    """The names of the players in a file or module, for whoever has named none of them; empty where there are none."""
    try:
        module = _file(where) if is_path(where) else sys.modules[where]
    except (BadPlayer, KeyError):
        return ""
    public = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    names = [
        name
        for name, value in public.items()
        if callable(getattr(value, "choose", None))
        or (isinstance(value, FunctionType) and value.__module__ == module.__name__)
    ]
    return f"; it has {', '.join(names)}" if names else ""


BESIDES: Final = ("follow", "odds", "close")
"""What a player may have besides what every player has."""


class CustomPlayer:
    """Somebody's object with `choose`, and with `follow`, `odds` and `close` where it has them; or a plain function.

    An error in it is a `ProviderError` with its place, and so is None in place of an answer. An answer that is no
    allowed move is `Illegal`.
    """

    hides_secrets: Final = True
    """It is asked with a position as it is, and shows the object what the one to move sees."""

    def __init__(self, name: str, agent: Any) -> None:
        self.name = name
        self.agent = agent

    @property
    def words(self) -> str:
        return str(getattr(self.agent, "words", None) or f"plays as {self.name} says")

    def prepare(self, game: Game[Any], tell: Callable[[str], None], progress: Progress | None = None) -> None:
        prepare = getattr(self.agent, "prepare", None)
        if prepare is not None:
            with aside():
                self._run(prepare, game, tell, progress)

    def choose(self, game: Game[Any], position: Any, dice: Dice) -> str:
        """One of the moves allowed there; `Illegal` where it answers something else."""
        told, seen = seen_by_mover(game, position) if game.has_secrets else (game, position)
        move = self._run(getattr(self.agent, "choose", self.agent), told, seen, dice)
        if move is None:
            raise ProviderError(f"{self.name}: it gave no answer: None is no move")
        allowed = game.moves(position)
        if not isinstance(move, str) or move not in allowed:
            said = move if isinstance(move, str) else repr(move)
            raise Illegal(said, f"{shown(said)} is not an allowed move; allowed is {in_short(allowed)}")
        return move

    def _run(self, method: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return method(*arguments)
        except (Illegal, ProviderError):
            raise
        except (Exception, SystemExit) as error:
            raise ProviderError(f"{self.name}: {what_happened(error, file_of(self.agent))}") from error

    def __getattr__(self, name: str) -> Any:
        # What a player may have besides is there if the object has it.
        if name not in BESIDES:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return partial(self._run, getattr(self.agent, name))

    def __repr__(self) -> str:
        return f"<player {self.name}>"
