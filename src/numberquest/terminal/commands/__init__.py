"""What each command does: a file for those that belong together, imported when one of them is named.

Its function `run_NAME` declares the options (`terminal/options.py`).
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple, get_type_hints


class Entry(NamedTuple):
    """A command: the file it is in, what it does, an example with GAME for any of them; where it has parts, each."""

    file: str
    help: str
    example: str
    parts: Mapping[str, Any] = {}


class Command(NamedTuple):
    """What runs, and what declares its options: itself, or the named tuple that it takes. No exit code is 0."""

    run: Callable[..., int | None]
    options: Callable[..., Any]


PARTS_OF_DB: Final = {
    "backup": Entry("serve", "one file with everything, also while a server runs", "db backup monday.db"),
    "check": Entry("serve", "whether everything in it is whole", "db check"),
    "prune": Entry("serve", "remove open matches that nobody but their maker ever touched", "db prune"),
    "restore": Entry("serve", "put a backup in its place, while no server runs", "db restore monday.db"),
}
COMMANDS: Final = {
    "list": Entry("rules", "the games, one line each", "list"),
    "rules": Entry("rules", "the rules of a game, and what they leave open", "rules GAME --html"),
    "play": Entry("play", "play a game", "play GAME --p2 medium"),
    "games": Entry("games", "your games: list, stars, resume, show, review, export, delete", "games review last"),
    "solve": Entry("solve", "the exact value of a position, and of every move", "solve GAME --json"),
    "review": Entry("review", "what every move of a game was worth, and what was luck", "review game.nq"),
    "puzzle": Entry("puzzle", "find the only right move", "puzzle --daily"),
    "levels": Entry("strength", "how often each computer player wins against each, exactly", "levels GAME"),
    "measure": Entry("measure", "length, luck, skill, drama and fairness of a rule set, exactly", "measure GAME"),
    "match": Entry("strength", "computer against computer, many games", "match GAME hard easy -n 100"),
    "exam": Entry("exam", "positions that matter, a question each: how well does somebody play?", "exam --who easy"),
    "evaluate": Entry("evaluate", "how good an agent is, exactly: wins without luck, and regret", "evaluate GAME hard"),
    "league": Entry("evaluate", "all against all, both seats, the same deals", "league GAME easy medium hard"),
    "sweep": Entry("sweep", "every combination of settings: who wins, and how", "sweep GAME --out rules.csv"),
    "design": Entry("design", "the settings that come nearest to what you wish", "design GAME --fair 0.1"),
    "mcp": Entry("serve", "the games as tools for language models (Model Context Protocol)", "mcp --http 8001"),
    "check": Entry("upkeep", "whether a game in a file keeps the laws of every game", "check examples/nim.py"),
    "cache": Entry("upkeep", "the solved games kept on disk", "cache --clear"),
    "verify": Entry("upkeep", "check a record and its sealed deal, or the certificate of a strategy", "verify game.nq"),
    "serve": Entry("serve", "the web page and the API, for this computer and its network", "serve --port 8000"),
    "site": Entry("serve", "the page as plain files that need no server", "site build/play"),
    "db": Entry("serve", "the server's database: back up, check, prune, restore", "db check", PARTS_OF_DB),
    "completion": Entry("completion", "a script that completes commands in your shell", "completion bash"),
}


def command(name: str, part: str = "") -> Command:
    module = import_module(f"{__name__}.{COMMANDS[name].file}")
    run = getattr(module, "_".join(filter(None, ["run", name, part])))
    return Command(run, get_type_hints(run).get("options", run))
