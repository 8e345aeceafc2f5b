"""What each command does: a file for those that belong together, imported when one of them is named.

Its function `run_NAME` declares the options (`terminal/options.py`).
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple, get_type_hints


class Entry(NamedTuple):
    """A command: the file it is in, and what it does; where it has parts, what each of them does."""

    file: str
    help: str
    parts: Mapping[str, str] = {}


class Command(NamedTuple):
    """What runs, and what declares its options: itself, or the named tuple that it takes. No exit code is 0."""

    run: Callable[..., int | None]
    options: Callable[..., Any]


COMMANDS: Final = {
    "list": Entry("rules", "the games, one line each"),
    "rules": Entry("rules", "the rules of a game, and what they leave open"),
    "play": Entry("play", "play a game"),
    "games": Entry("games", "your games, in progress and finished: list, resume, show, review, export, delete"),
    "solve": Entry("solve", "the exact value of a position, and of every move"),
    "review": Entry("review", "what every move of a game was worth, and what was luck"),
    "puzzle": Entry("puzzle", "find the only right move"),
    "levels": Entry("strength", "how often each computer player wins against each, exactly"),
    "measure": Entry("measure", "length, luck, skill, drama and fairness of a rule set, exactly"),
    "match": Entry("strength", "computer against computer, many games"),
    "exam": Entry("exam", "positions that matter, one question each: how well does somebody play?"),
    "evaluate": Entry("evaluate", "how good an agent is, exactly: wins without luck, and what its choices give away"),
    "league": Entry("evaluate", "all against all, both seats, the same deals: how strong each is"),
    "sweep": Entry("sweep", "every combination of settings: who wins, how to begin, and what it is like"),
    "design": Entry("design", "the settings that come nearest to what you wish"),
    "mcp": Entry("serve", "the games as tools for language models (Model Context Protocol)"),
    "import": Entry("imported", "a game that was written for Gymnasium: its positions, its luck, and who wins"),
    "check": Entry("upkeep", "whether a game in a file keeps the laws of every game"),
    "cache": Entry("upkeep", "the solved games kept on disk"),
    "verify": Entry("upkeep", "check that a record keeps the rules and its sealed deal"),
    "serve": Entry("serve", "the web page and the API, for this computer and its network"),
    "db": Entry(
        "serve",
        "the server's database: a backup, a check, a backup put back, what nobody plays removed",
        {
            "backup": "one file with everything, also while a server runs",
            "check": "whether everything in it is whole",
            "prune": "remove open matches that nobody but their maker ever touched",
            "restore": "put a backup in its place, while no server runs",
        },
    ),
    "completion": Entry("completion", "a script that completes commands in your shell"),
}


def command(name: str, part: str = "") -> Command:
    module = import_module(f"{__name__}.{COMMANDS[name].file}")
    run = getattr(module, "_".join(filter(None, ["run", name, part])))
    return Command(run, get_type_hints(run).get("options", run))
