"""`list` and `rules`: the games on one line each, and the rules of one, also as a handout to print."""

from json import dumps
from shutil import get_terminal_size
from typing import Annotated, Any

from numberquest.core.contract import Game
from numberquest.core.errors import UsageError
from numberquest.core.registry import GAMES
from numberquest.core.rulebook import how_changed, rulebook, rulebook_data, rules_of, settings_described, titled
from numberquest.core.sentences import sentence
from numberquest.report.html import page, rendered
from numberquest.report.report import Box, Heading, Paragraph, Part, Terms
from numberquest.terminal.commands.arguments import game_with
from numberquest.terminal.commands.solve import proved_of
from numberquest.terminal.options import GameName, Json, Set, option
from numberquest.terminal.prompt.console import show


def run_list(json: Json = False, plain: bool = False) -> None:
    if json:
        rows = []
        for slug, kind in GAMES.items():
            value, proved = proved_of(kind())
            rows.append(
                {"game": slug, "title": kind.title, "summary": kind().summary, "value": value, "proved": proved}
            )
        print(dumps(rows, indent=2))
        return
    wide = max(map(len, GAMES)) + 1
    for slug, kind in GAMES.items():
        _, proved = proved_of(kind())
        line = f"{slug:<{wide}} {sentence(kind().summary)} {sentence(proved)}"
        if plain:
            # One line each, however narrow the terminal is.
            print(line, flush=True)
        else:
            show(line)


def run_rules(
    name: GameName,
    changes: Set = (),
    html: Annotated[bool, option("as a handout to print")] = False,
    json: Json = False,
) -> None:
    if json and html:
        raise UsageError("--json is for programs and --html for paper: choose one")
    game = game_with(name, changes)
    value, proved = proved_of(game)
    if html:
        print(handout(game, proved if value is not None else None), end="")
    elif json:
        print(dumps({**rulebook_data(game), "proved": proved}, indent=2))
    else:
        how = "Not proved" if value is None else "Proved by looking at every position"
        print(f"{rulebook(game, get_terminal_size().columns)}\n\n{how}: {proved}.")


def handout(game: Game[Any], proved: str | None) -> str:
    """The rules as they are in this game; what only whoever hands them out should see is on a page of its own."""
    parts: list[Part] = [Heading(titled(game), 1), *map(Paragraph, rules_of(game))]
    if not game.is_classic:
        parts.append(Paragraph(how_changed(game), "box"))
    parts += [Heading("What the rules leave open"), Terms(game.rulings_told())]
    for_teacher: list[Part] = [Heading("For the teacher")]
    if proved is not None:
        for_teacher.append(Paragraph(f"Proved by looking at every position: {proved}."))
    if game.fields:
        for_teacher += [Heading("Rules that can be changed", 3), Terms(settings_described(game))]
    parts.append(Box(for_teacher, "page", "section"))
    return page(f"{titled(game)}: the rules", "\n".join(rendered(parts)))
