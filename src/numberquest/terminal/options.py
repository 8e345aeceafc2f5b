"""How a command declares what can be said to it: parameters that carry how they are typed.

    def run_solve(
        game: GameName, after: Annotated[str, option("moves and reveals so far", "MOVES")] = "", json: Json = False
    ) -> None:

One that hands its options on takes a named tuple, `options`, whose fields carry the same. The parser, `--help`,
completion and the documents are made from it. What has no default must be typed; what is `False` is a flag, what is
`()` can be typed several times. What carries nothing is filled in from what all commands take.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, Final, NamedTuple, get_type_hints

from numberquest.core.play_out import BEGINS

Argument = tuple[tuple[str, ...], dict[str, Any]]
"""What argparse's `add_argument` takes: the names, and the rest."""


class Typed(NamedTuple):
    """How one parameter is typed."""

    name: str | None
    """None: `--` and the name of the parameter; several, with blanks between, for one that takes their values."""
    how: dict[str, Any]


def option(help_: str, metavar: str | None = None, *, name: str | None = None, **how: Any) -> Typed:
    return Typed(name, {**({"metavar": metavar} if metavar else {}), **how, "help": help_})


def positional(metavar: str | None = None, help_: str | None = None, **how: Any) -> Typed:
    said = {"metavar": metavar, "help": help_}
    return Typed("", {**{key: value for key, value in said.items() if value}, **how})


def parameters_of(declared: Callable[..., Any]) -> dict[str, Any]:
    """What a command takes, or the named tuple that it hands on, each with its type."""
    hints = get_type_hints(declared, include_extras=True)
    return {name: hint for name, hint in hints.items() if name != "return"}


def arguments_of(declared: Callable[..., Any]) -> Iterator[Argument]:
    """Everything that a command takes besides what all take, for argparse."""
    hints = parameters_of(declared)
    # The last ones have defaults. `inspect` would say so too, but takes longer to import than the rest of a start.
    values = getattr(declared.__new__ if isinstance(declared, type) else declared, "__defaults__", None) or ()
    defaults = dict(zip(reversed(hints), reversed(values), strict=False))
    for name, hint in hints.items():
        for typed in getattr(hint, "__metadata__", ()):
            if typed.name == "":
                yield (name,), {**({"nargs": "?"} if name in defaults else {}), **typed.how}
                continue
            how = {"dest": name, "default": defaults[name], **typed.how}
            if defaults[name] is False:
                how["action"] = "store_true"
            elif defaults[name] == () and "action" not in how:
                how |= {"action": "append", "default": []}
            yield tuple((typed.name or f"--{name}").split()), how


GameName = Annotated[str, positional("GAME", "its short name, or its file")]
File = Annotated[str, positional("FILE")]
Files = Annotated[Sequence[str], positional("FILE", "a record, or several; - is standard input", nargs="+")]
Set = Annotated[Sequence[str], option("change a rule", "NAME=VALUE", name="--set")]
Force = Annotated[bool, option("write over a file of that name")]
Json = Annotated[bool, option("as data")]
Device = Annotated[str, option("where to solve it: cuda is a graphics card", choices=("cpu", "cuda"))]
ReportFile = Annotated[
    str | None, option("write it to this file of HTML, and the figures beside it as JSON", "FILE", name="--report")
]
FiguresFolder = Annotated[
    str | None,
    option("write every picture to this folder as SVG, and every table as CSV", "DIR", name="--figures"),
]
Anyway = Annotated[bool, option("go on in a folder though an agent has changed since")]
Begins = Annotated[
    str | None,
    option("who begins the next: by turns, the loser, the winner, or always the first", choices=BEGINS),
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
