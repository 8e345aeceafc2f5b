"""How a command declares what can be said to it: a named tuple, whose fields carry how they are typed.

    class SolveOptions(NamedTuple):
        game: GameName
        after: Annotated[str, option("moves and reveals so far", "MOVES")] = ""
        json: Json = False

The parser, `--help`, completion and the documents are made from it. A field without a default must be typed; one that
is `False` is a flag, one that is `()` can be typed several times. A field that carries nothing is filled in from what
all commands take.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, NamedTuple, get_type_hints

Argument = tuple[tuple[str, ...], dict[str, Any]]
"""What argparse's `add_argument` takes: the names, and the rest."""


class Typed(NamedTuple):
    """How one field is typed."""

    name: str | None
    """None: `--` and the name of the field."""
    how: dict[str, Any]


def option(help_: str, metavar: str | None = None, *, name: str | None = None, **how: Any) -> Typed:
    return Typed(name, {**({"metavar": metavar} if metavar else {}), **how, "help": help_})


def positional(metavar: str | None = None, help_: str | None = None, **how: Any) -> Typed:
    said = {"metavar": metavar, "help": help_}
    return Typed("", {**{key: value for key, value in said.items() if value}, **how})


def arguments_of(options: type[Any]) -> Iterator[Argument]:
    """Everything that a command takes besides what all take, for argparse."""
    defaults = options._field_defaults
    for field, hint in get_type_hints(options, include_extras=True).items():
        for typed in getattr(hint, "__metadata__", ()):
            if typed.name == "":
                yield (field,), {**({"nargs": "?"} if field in defaults else {}), **typed.how}
                continue
            how = {"dest": field, "default": defaults[field], **typed.how}
            if defaults[field] is False:
                how["action"] = "store_true"
            elif defaults[field] == ():
                how |= {"action": "append", "default": []}
            yield (typed.name or f"--{field}",), how


GameName = Annotated[str, positional("GAME", "its short name, or its file")]
File = Annotated[str, positional("FILE")]
Files = Annotated[Sequence[str], positional("FILE", "a record, or several; - is standard input", nargs="+")]
Set = Annotated[Sequence[str], option("change a rule", "NAME=VALUE")]
Force = Annotated[bool, option("write over a file of that name")]
Json = Annotated[bool, option("as data")]
Device = Annotated[str, option("where to solve it: cuda is a graphics card", choices=("cpu", "cuda"))]
ReportFile = Annotated[
    str | None, option("write it to this file of HTML, and the figures beside it as JSON", "FILE", name="--report")
]
SameGames = Annotated[str | None, option("the same number gives the same games again", "N", name="--seed")]

WITH: Final = {"metavar": "FILE", "action": "append", "default": [], "help": "a game of somebody's own, in a file"}
GENERAL: Final[Sequence[Argument]] = (
    (("--version",), {"action": "store_true", "help": "show the version"}),
    (("--with",), {"dest": "with_files", **WITH}),
    (
        ("--plain",),
        {"action": "store_true", "help": "just the words: no colours, and where the game stands at every turn"},
    ),
)
"""What can be said before a command, or without one."""
OF_ALL_COMMANDS: Final[Sequence[Argument]] = (
    (("--with",), {"dest": "with_more", **WITH}),
    (("--plain",), {"dest": "plain_too", "action": "store_true", "help": "just the words"}),
)
