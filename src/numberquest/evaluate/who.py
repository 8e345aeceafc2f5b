"""One way to name a player, everywhere.

| WHO | who that is |
|---|---|
| `random`, `easy`, `medium`, `hard`, `perfect` | a level |
| `package.module:name` | an object in a module that can be imported, or a class of such objects |
| `./file.py:name` | the same in a file |
| `cmd:./engine --flag` | a process that speaks the line protocol (docs/protocol.md) |
| `llm:MODEL` | a language model behind an OpenAI-compatible address (docs/agents.md) |
| `human` | a person at the keyboard: for `play` alone |
"""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from numberquest.evaluate.asking import aside
from numberquest.evaluate.trouble import BadPlayer
from numberquest.games import is_path
from numberquest.loading import BadGame, file_of, load, what_happened
from numberquest.players import PLAYERS
from numberquest.record import HUMAN, LONGEST_VALUE
from numberquest.settings import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numberquest.players import Player

COMMAND: Final = "cmd:"
MODEL: Final = "llm:"
RUNNERS: Final = frozenset(("bash", "bun", "deno", "env", "java", "julia", "node", "perl", "python", "ruby", "sh"))
"""Programs that run a file in their language."""
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
    if spec in PLAYERS:
        return lambda: PLAYERS[spec]
    if spec == HUMAN:
        raise BadPlayer("a human plays at the keyboard alone: numberquest play")
    if len(spec) > LONGEST_VALUE or not spec.isprintable():
        raise BadPlayer(f"a player is named in at most {LONGEST_VALUE} visible characters")
    if spec.startswith(COMMAND):
        from numberquest.evaluate.engine import Engine, command_in

        return partial(Engine, spec, command_in(spec))
    if spec.startswith(MODEL):
        from numberquest.evaluate.llm import Model, address

        return partial(Model, spec, address())
    where, colon, name = spec.rpartition(":")
    if not colon:
        if is_path(spec):
            raise BadPlayer(f"{spec}: say which player in it is meant: {spec}:name{_players_in(spec)}")
        levels = ", ".join(PLAYERS)
        raise BadPlayer(f"there is no computer player called {quoted(spec)}; there is {levels}, or {FORMS}")
    from numberquest.evaluate.brought import Brought

    found = _named(spec, where, name)
    _check_chooses(spec, found)
    return lambda: Brought(spec, _made(spec, found))


def is_level(spec: str) -> bool:
    """Whether that is one of the five levels, about which everything is known."""
    return spec in PLAYERS


def is_program(spec: str) -> bool:
    """Whether code of somebody's own runs where this player plays: whoever names it has to mean it."""
    return spec != HUMAN and not is_level(spec)


def short_name(spec: str, most: int = 17) -> str:
    """What people call that player: `Careful` for `./agents.py:Careful`, `engine` for `cmd:./engine --flag`."""
    if not is_program(spec):
        return spec
    if spec.startswith(COMMAND):
        short = _program(spec.removeprefix(COMMAND).split())
    else:
        # Of a model such as `maker/model:size`, what stands before the colon says more.
        short = spec.removeprefix(MODEL).rpartition("/")[2] if spec.startswith(MODEL) else spec.rpartition(":")[2]
    seen = "".join(sign for sign in short if sign.isascii() and sign.isprintable()).strip()
    return (seen if len(seen) <= most else f"{seen[: most - 1].rstrip()}…") or "program"


def _program(words: Sequence[str]) -> str:
    """The name of a program; of one that is run by another, such as `python3 engine.py`, its own."""
    names = [os.path.basename(word) for word in words if not word.startswith("-")]
    if len(names) > 1 and names[0].rstrip("0123456789.") in RUNNERS:
        return names[1]
    return names[0] if names else ""


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


def _check_chooses(spec: str, found: Any) -> None:
    if not callable(getattr(found, "choose", None)):
        kind = "class" if isinstance(found, type) else "function" if callable(found) else type(found).__name__
        raise BadPlayer(
            f"{spec}: this {kind} has no choose; a player is an object with choose(game, position, dice), "
            "or a class of such objects"
        )


def _made(spec: str, found: Any) -> Any:
    """The object itself, or a new one of the class."""
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
    names = [
        name
        for name, value in vars(module).items()
        if callable(getattr(value, "choose", None)) and not name.startswith("_")
    ]
    return f"; it has {', '.join(names)}" if names else ""
