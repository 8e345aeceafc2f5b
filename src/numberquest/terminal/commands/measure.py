"""The command `measure`: print how fair, long, lucky and exciting a rule set is."""

import sys
from collections.abc import Callable, Iterable, Sequence
from json import dumps
from math import inf
from textwrap import wrap
from typing import Annotated, Any, Final

from numberquest.core.contract import Game
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.play_out import BEGINS
from numberquest.core.rulebook import rules_in_force
from numberquest.study.measures import MEASURES, STEPS, Measures, Study
from numberquest.study.policy_values import Chance
from numberquest.study.tournament import began, expected_share
from numberquest.terminal.commands.arguments import game_with, levels_in
from numberquest.terminal.commands.progress import Progress
from numberquest.terminal.commands.strength import SEATS
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
SIGNED: Final = ("advantage", "pie", "head_start", "head_start_leaves")
ALL: Final = (("perfect", "perfect"), ("medium", "medium"), ("random", "random"))
"""Pairs of players without --players: best play, people, and random moves."""
NAME, FIGURE = 21, 9
LEAST: Final = 5
"""A shorter bar tells nothing."""
MOST: Final = 30
"""A longer one tells no more."""


def run_measure(
    name: GameName,
    players: Annotated[str | None, option("between these two; otherwise perfect, medium and random", "LEVEL,LEVEL")] = (
        None
    ),
    begins: Annotated[
        str | None, option("and over many rounds, where this one begins the next", choices=BEGINS)
    ] = None,
    changes: Set = (),
    json: Json = False,
    plain: bool = False,
) -> None:
    game = game_with(name, changes)
    pairs = ALL if players is None else (levels_in(players),)
    if json:
        # A program that names nobody means best play.
        head = {"game": game.slug, "settings": game.settings, "players": list(pairs[0])}
        series = {} if begins is None else {"begins": begins, "rounds": rounds(game, pairs[0], begins)}
        print(dumps({**head, **measured(game, pairs[:1])[pairs[0]].data(), **series}))
        return
    found = measured(game, pairs)
    looked_at = not plain and sys.stdout.isatty()
    paint = Console.standard(plain=plain).paint if looked_at else None
    print(in_words(game, found, columns(sys.stdout) or 80, paint), flush=True)
    for pair in pairs if begins is not None else ():
        share, often = rounds(game, pair, begins or "").values()
        print(f"\n{pair[0]} against {pair[1]}, {SEATS[begins or '']}, over many rounds:")
        print(f"  the first makes {100 * share:.2f} % of the points, and begins {100 * often:.2f} % of the rounds")


def rounds(game: Game[Any], pair: tuple[str, str], begins: str) -> dict[str, float]:
    """The share of the points of the first of the two in the long run, and how often they begin, exactly."""
    study = Study(game)
    one, two = (study.measures(seats, only=("value", "draw")) for seats in (pair, pair[::-1]))
    one_first, two_first = (Chance((x.value or 0.0) - (x.draw or 0.0) / 2, x.draw or 0.0) for x in (one, two))
    often = began(begins, inf, one_first, two_first)
    return {"share": expected_share(begins, inf, one_first, two_first), "began": often}


def measured(game: Game[Any], pairs: Sequence[tuple[str, str]]) -> Found:
    """The measures for each pair, with progress shown; `UsageError` where nothing can be told."""
    with Progress("Looking at the positions") as progress:
        study = Study(game, progress)
        found = {pair: study.measures(pair) for pair in pairs}
    if all(one.value is None for one in found.values()):
        raise UsageError(f"it cannot be measured: {next(iter(found.values())).why['value']}", FAILURE)
    return found


def in_words(game: Game[Any], found: Found, width: int, paint: Paint | None) -> str:
    """The answer for a person, at a terminal that is so wide; without `paint`, the words and figures alone."""
    fit, pairs = max(1, (width - NAME) // (FIGURE + 2)), list(found)
    room = (width - NAME) // min(fit, len(found)) - FIGURE - 4
    bar = min(MOST, room) if paint is not None and room >= LEAST else 0
    painted = paint or (lambda text, _: text)

    def row(label: str, name: str, figures: Iterable[float | None]) -> str:
        cells = "".join(_cell(name, figure, bar, painted) for figure in figures)
        return f"  {label:<{NAME - 2}}{cells.rstrip()}"

    lines = wrap(f"{game.title}, {rules_in_force(game)}, measured exactly", width)
    for begin in range(0, len(pairs), fit):
        # Where not all columns fit beside each other, some stand below the others.
        some = pairs[begin : begin + fit]
        heads = (f"  {_named(pair):>{FIGURE}}".ljust(FIGURE + (bar + 4 if bar else 2)) for pair in some)
        lines += ["", f"{'between players':<{NAME}}{''.join(heads)}".rstrip()]
        for group, names in GROUPS.items():
            lines += ["", painted(group, "heading")]
            lines += [row(name, name, (getattr(found[pair], name) for pair in some)) for name in names]
    one = found[pairs[0]]
    if one.ladder is not None:
        # How much each level gains over the next does not depend on who plays.
        steps = [*zip(STEPS, one.ladder, strict=True), ((STEPS[0][0], STEPS[-1][1]), one.gain)]
        lines += ["", painted("A better player gains (ladder, gain)", "heading")]
        lines += [row(f"{better} over {worse}", "gain", [gain]) for (better, worse), gain in steps]
    lines += [part for line in _reasons(found) for part in wrap(line, width) or [""]]
    lines += ["", painted("What they mean", "heading")]
    for name, meaning in MEASURES.items():
        told = wrap(meaning, max(width - NAME - 2, 16))
        lines += [f"  {name if not at else '':<{NAME - 2}}  {part}" for at, part in enumerate(told)]
    return "\n".join(lines)


def _cell(name: str, value: float | None, bar: int, paint: Paint) -> str:
    """A figure, and where it is a part of a whole, that part as a bar; where there is no room for bars, 0, none."""
    sign = "+" if name in SIGNED else ""
    if value is None:
        text = "-"
    elif name in COUNTS:
        text = f"{value:+z.0f}" if sign else f"{value:.2f}"
    else:
        text = f"{100 * value:{sign}z.1f} %"
    if not bar:
        return f"  {text:>{FIGURE}}"
    drawn = " " * bar
    if value is not None and name not in COUNTS:
        full = round(bar * min(abs(value), 1))
        drawn = paint("\u2588" * full, "player1") + paint("\u00b7" * (bar - full), "hint")
    return f"  {text:>{FIGURE}}  {drawn}"


def _named(pair: tuple[str, str]) -> str:
    return pair[0] if pair[0] == pair[1] else f"{pair[0]}, {pair[1]}"


def _reasons(found: Found) -> list[str]:
    """Why some could not be told, each reason once."""
    told: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for pair, one in found.items():
        for name, reason in one.why.items():
            names, who = told.setdefault(reason, ({}, {}))
            names[name] = who[_named(pair)] = None
    lines = [""] if told else []
    for reason, (names, who) in told.items():
        where = "" if len(who) == len(found) else f" ({'; '.join(who)})"
        lines.append(f"No {', '.join(names)}{where}: {reason}.")
    return lines
