"""What `measure` prints: how fair, how long, how lucky, how exciting a rule set is."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Annotated, Any, Final, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.rulebook import rules_in_force
from numberquest.players.levels import PLAYERS
from numberquest.study.measures import MEASURES, STEPS, Measures, Study
from numberquest.terminal.commands.arguments import game_with
from numberquest.terminal.commands.progress import Progress
from numberquest.terminal.options import GameName, Json, Set, option
from numberquest.terminal.prompt.console import Console, columns

Paint = Callable[[str, str | None], str]
Found = dict[tuple[str, str], Measures]

GROUPS: Final = {
    "How fair": ("value", "draw", "advantage", "pie", "head_start", "head_start_leaves"),
    "How long, and what there is to choose": (
        *("length", "length_spread", "branching", "decisions", "mattered", "stake", "blind"),
    ),
    "How exciting": ("lead_changes", "behind", "drama", "decided"),
    "Luck and skill": ("luck", "skill"),
}
COUNTS: Final = ("head_start", "length", "length_spread", "branching", "decisions", "mattered", "lead_changes")
"""Those that are no part of a whole."""
SIGNED: Final = ("advantage", "pie", "head_start", "head_start_leaves")
ALL: Final = (("perfect", "perfect"), ("medium", "medium"), ("random", "random"))
"""Whom one hears about who names nobody: best play, people, and nobody who thinks."""
NAME, FIGURE = 21, 9
LEAST: Final = 5
"""A shorter bar tells nothing."""
MOST: Final = 30
"""A longer one tells no more."""


class MeasureOptions(NamedTuple):
    """What can be said to `measure`."""

    game: GameName
    players: Annotated[str | None, option("between these two; otherwise perfect, medium and random", "LEVEL,LEVEL")] = (
        None
    )
    set: Set = ()
    json: Json = False
    plain: bool = False


def run_measure(options: MeasureOptions) -> None:
    game = game_with(options.game, options.set)
    pairs = pairs_named(options.players)
    if options.json:
        # A program that names nobody means best play.
        players = pairs[0]
        print(json.dumps(as_data(game, players, measured(game, [players])[players])))
        return
    console = Console.standard(plain=options.plain)
    found = measured(game, pairs)
    looked_at = not options.plain and sys.stdout.isatty()
    print(in_words(game, found, columns(sys.stdout) or 80, console.paint if looked_at else None), flush=True)


def pairs_named(text: str | None) -> tuple[tuple[str, str], ...]:
    """The pair that was typed: `hard,easy`; where none was, several."""
    if text is None:
        return ALL
    names = tuple(name.strip() for name in text.split(","))
    if len(names) != 2 or not set(names) <= set(PLAYERS):
        raise UsageError(f"--players wants two of {', '.join(PLAYERS)} with a comma between, such as hard,easy")
    return ((names[0], names[1]),)


def measured(game: Game[Any], pairs: Sequence[tuple[str, str]]) -> Found:
    """The measures for each pair, with progress shown; `UsageError` where nothing can be told."""
    with Progress("Looking at the positions") as progress:
        study = Study(game, progress)
        found = {pair: study.measures(pair) for pair in pairs}
    if all(one.value is None for one in found.values()):
        raise UsageError(f"it cannot be measured: {next(iter(found.values())).why['value']}", FAILURE)
    return found


def as_data(game: Game[Any], players: tuple[str, str], measures: Measures) -> dict[str, Any]:
    """The answer with exactly the fields that programs rely on."""
    head = {"game": game.slug, "settings": game.settings, "players": list(players)}
    return {**head, **measures.data()}


class _Page:
    """Where it is written: how wide the bars are, and in which colours. Without `paint` there are none."""

    def __init__(self, width: int, columns: int, paint: Paint | None) -> None:
        self._paint = paint
        room = (width - NAME) // columns - FIGURE - 4
        self.bar = min(MOST, room) if paint is not None and room >= LEAST else 0

    def heading(self, text: str) -> str:
        return text if self._paint is None else self._paint(text, "heading")

    def column(self, text: str) -> str:
        """The head of a column, which begins where its figures do."""
        wide = FIGURE + (self.bar + 2 if self.bar else 0)
        return f"  {text:>{FIGURE}}".ljust(wide + 2) if len(text) <= FIGURE else f"  {text}".ljust(wide + 2)

    def cell(self, name: str, value: float | None) -> str:
        """A figure, and where it is a part of a whole, that part as a bar."""
        sign = "+" if name in SIGNED else ""
        if value is None:
            text = "-"
        elif name in COUNTS:
            text = f"{value:+.0f}" if sign else f"{value:.2f}"
        else:
            text = f"{100 * value:{sign}.1f} %"
        figure = f"  {text:>{FIGURE}}"
        if not self.bar or self._paint is None:
            return figure
        if value is None or name in COUNTS:
            return f"{figure}{'':<{self.bar + 2}}"
        full = round(self.bar * min(abs(value), 1))
        drawn = self._paint("\u2588" * full, "player1") + self._paint("\u00b7" * (self.bar - full), "hint")
        return f"{figure}  {drawn}"


def in_words(game: Game[Any], found: Found, width: int, paint: Paint | None) -> str:
    """The answer for a person, at a terminal that is so wide; without `paint`, the words and figures alone."""
    fit = max(1, (width - NAME) // (FIGURE + 2))
    page = _Page(width, min(fit, len(found)), paint)
    lines = wrap(f"{game.title}, {rules_in_force(game)}, measured exactly", width)
    pairs = list(found)
    for begin in range(0, len(pairs), fit):
        # Where not all columns fit beside each other, some stand below the others.
        lines += _table({pair: found[pair] for pair in pairs[begin : begin + fit]}, page)
    one = next(iter(found.values()))
    if one.ladder is not None:
        # How much each level gains over the next does not depend on who plays.
        steps = [*zip(STEPS, one.ladder, strict=True), ((STEPS[0][0], STEPS[-1][1]), one.gain)]
        lines += ["", page.heading("A better player gains (ladder, gain)")]
        lines += [
            f"  {f'{better} over {worse}':<{NAME - 2}}{page.cell('gain', gain)}" for (better, worse), gain in steps
        ]
    lines += [part for line in _reasons(found) for part in wrap(line, width) or [""]]
    lines += ["", page.heading("What they mean")]
    for name, meaning in MEASURES.items():
        told = wrap(meaning, max(width - NAME - 2, 16))
        lines += [f"  {name if not at else '':<{NAME - 2}}  {part}" for at, part in enumerate(told)]
    return "\n".join(lines)


def _table(found: Found, page: _Page) -> list[str]:
    lines = ["", f"{'between players':<{NAME}}" + "".join(page.column(_named(pair)) for pair in found).rstrip()]
    for group, names in GROUPS.items():
        lines += ["", page.heading(group)]
        for name in names:
            cells = "".join(page.cell(name, getattr(one, name)) for one in found.values())
            lines.append(f"  {name:<{NAME - 2}}{cells.rstrip()}")
    return lines


def _named(pair: tuple[str, str]) -> str:
    return pair[0] if pair[0] == pair[1] else f"{pair[0]}, {pair[1]}"


def _reasons(found: Found) -> list[str]:
    """Why some could not be told, each reason once."""
    told: dict[str, tuple[list[str], list[str]]] = {}
    for pair, one in found.items():
        for name, reason in one.why.items():
            names, who = told.setdefault(reason, ([], []))
            if name not in names:
                names.append(name)
            if _named(pair) not in who:
                who.append(_named(pair))
    lines = []
    for reason, (names, who) in told.items():
        where = "" if len(who) == len(found) else f" ({'; '.join(who)})"
        lines.append(f"No {', '.join(names)}{where}: {reason}.")
    return ["", *lines] if lines else []
