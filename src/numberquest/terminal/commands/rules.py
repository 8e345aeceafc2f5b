"""`list` and `rules`: the games on one line each, and the rules of one, also as a handout to print."""

from json import dumps
from shutil import get_terminal_size
from typing import Annotated, Any

from numberquest.core.contract import CHANCE, Game, in_words, outcome_fact, player_name
from numberquest.core.errors import UsageError
from numberquest.core.match import Match
from numberquest.core.registry import GAMES
from numberquest.core.rulebook import how_changed, rulebook, rulebook_data, rules_of, settings_described, titled
from numberquest.core.sentences import Said, sentence
from numberquest.core.stream import Stream
from numberquest.explain.puzzle import any_move
from numberquest.explain.reasons import calculation
from numberquest.report.html import page, rendered
from numberquest.report.report import Box, Heading, Items, Paragraph, Part, Terms
from numberquest.terminal.commands.arguments import game_with
from numberquest.terminal.commands.solve import proved_of
from numberquest.terminal.options import GameName, Json, Set, option
from numberquest.terminal.prompt.console import show

LONGEST_EXAMPLE = 40
"""A game of more moves than this is no example for a page."""


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


def worked_example(game: Game[Any]) -> list[str]:
    """A whole game with its sums, a line for each turn; none where it would be too long for a page."""
    dice, match = Stream("handout", game.slug), Match(game, seed=1)
    while match.outcome is None and len(match.history) <= LONGEST_EXAMPLE:
        match.play(any_move(game, match.position, match.moves, dice))
    lines: list[str] = []
    for p, entry in zip(match.positions, match.history, strict=False):
        player = game.player(p)
        sums = "" if player == CHANCE else calculation(game, p, entry)
        made = f"{player_name(player)}: {entry}{f', {sums}' if sums else ''}." if player != CHANCE else ""
        turn = made or f"{entry} comes up."
        # What comes up stands behind the move that it belongs to.
        lines = [*lines[:-1], f"{lines[-1]} {turn}"] if player == CHANCE and lines else [*lines, turn]
    if match.outcome is None:
        return []
    return [*lines, sentence(in_words(game, Said("reason-ending", {"outcome": outcome_fact(match.outcome)})))]


def handout(game: Game[Any], proved: str | None) -> str:
    """The rules as they are in this game; what only whoever hands them out should see is on a page of its own."""
    parts: list[Part] = [Heading(titled(game), 1), *map(Paragraph, rules_of(game))]
    if not game.is_classic:
        parts.append(Paragraph(how_changed(game), "box"))
    parts += [Heading("What the rules leave open"), *map(Paragraph, game.rulings_told().values())]
    example = worked_example(game)
    if example:
        parts.append(Box([Heading("A game as it may go", 3), Items(example)], "box", "section"))
    for_teacher: list[Part] = [Heading("For the teacher")]
    if proved is not None:
        for_teacher.append(Paragraph(f"Proved by looking at every position: {proved}."))
    if game.fields:
        for_teacher += [Heading("Rules that can be changed", 3), Terms(settings_described(game))]
    parts.append(Box(for_teacher, "page", "section"))
    return page(f"{titled(game)}: the rules", "\n".join(rendered(parts)))
