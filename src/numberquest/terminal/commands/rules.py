"""`list` and `rules`: the games on one line each, and the rules of one, also as a handout to print."""

from __future__ import annotations

import json
from shutil import get_terminal_size
from typing import Annotated, Any, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.errors import UsageError
from numberquest.core.registry import GAMES
from numberquest.core.rulebook import how_changed, rulebook, rulebook_data, rules_of, settings_described, titled
from numberquest.core.sentences import sentence
from numberquest.report.html import element, page, terms
from numberquest.terminal.commands.arguments import game_with
from numberquest.terminal.commands.solve import proved_of
from numberquest.terminal.options import GameName, Json, Set, option
from numberquest.terminal.prompt.console import show


class ListOptions(NamedTuple):
    """What can be said to `list`."""

    json: Json = False
    plain: bool = False


def run_list(options: ListOptions) -> None:
    if options.json:
        rows = []
        for slug, kind in GAMES.items():
            value, proved = proved_of(kind())
            rows.append({"game": slug, "title": kind.title, "summary": kind.summary, "value": value, "proved": proved})
        print(json.dumps(rows, indent=2))
        return
    wide = max(map(len, GAMES)) + 1
    for slug, kind in GAMES.items():
        _, proved = proved_of(kind())
        line = f"{slug:<{wide}} {sentence(kind.summary)} {sentence(proved)}"
        if options.plain:
            # One line each, however narrow the terminal is.
            print(line, flush=True)
        else:
            show(line)


class RulesOptions(NamedTuple):
    """What can be said to `rules`."""

    game: GameName
    set: Set = ()
    html: Annotated[bool, option("as a handout to print")] = False
    json: Json = False


def run_rules(options: RulesOptions) -> None:
    if options.json and options.html:
        raise UsageError("--json is for programs and --html for paper: choose one")
    game = game_with(options.game, options.set)
    value, proved = proved_of(game)
    if options.html:
        print(handout(game, proved if value is not None else None), end="")
    elif options.json:
        print(json.dumps({**rulebook_data(game), "proved": proved}, indent=2))
    else:
        how = "Not proved" if value is None else "Proved by looking at every position"
        print(f"{rulebook(game, get_terminal_size().columns)}\n\n{how}: {proved}.")


def handout(game: Game[Any], proved: str | None) -> str:
    """The rules as they are in this game; what only whoever hands them out should see is on a page of its own."""
    parts = [element("h1", titled(game)), *(element("p", line) for line in rules_of(game))]
    if not game.is_classic:
        parts.append(element("p", how_changed(game), class_="box"))
    parts += [element("h2", "What the rules leave open"), terms(game.rulings_told())]
    parts += ['<section class="page">', element("h2", "For the teacher")]
    if proved is not None:
        parts.append(element("p", f"Proved by looking at every position: {proved}."))
    if game.fields:
        parts += [element("h3", "Rules that can be changed"), terms(settings_described(game))]
    parts.append("</section>")
    return page(f"{titled(game)}: the rules", "\n".join(parts))
