"""The atlas of a game as a map, and a line of best play under any of its rules, as messages."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

from numberquest.games import game as make_game
from numberquest.games import kind_for
from numberquest.lab.atlas import atlas_of
from numberquest.match import Match
from numberquest.mistake import Mistake
from numberquest.players import player
from numberquest.server import wire
from numberquest.server.boards import end, lines
from numberquest.server.think.reviews import FURTHEST, chance
from numberquest.settings import read_settings
from numberquest.solver import solve
from numberquest.stream import Stream

if TYPE_CHECKING:
    from numberquest.contract import Game
    from numberquest.lab.row import Row
    from numberquest.server.think import tasks
    from numberquest.settings import SettingValue

DIGITS: Final = 6
"""So many digits of a measure are sent."""
ADVANTAGE: Final = "advantage"
GAIN: Final = "gain"
PEOPLE: Final = "Player 1's chance between two who err at times, as people do"
DEAL: Final = 1
"""The seed of what is uncovered in a line of best play."""


def map_message(slug: str) -> wire.Map:
    """The whole atlas of a game; `Mistake` where it has none."""
    # NumPy comes with it, which a worker that only plays does without.
    from numberquest.lab.measures import MEASURES
    from numberquest.lab.pictures.plot import CHANCE_OF_ONE, SHARES
    from numberquest.lab.pictures.scale import STOPS

    kind = kind_for(slug)
    known = atlas_of(kind)
    if known is None:
        raise Mistake(f"{slug} has no atlas")
    values = _values(kind)
    by_settings = {row.key: row for row in known}
    # A combination that the rules forbid keeps its place, so that a place follows from the settings alone.
    rows = [by_settings.get(key) for key in product(*values.values())]
    number = {first: at for at, first in enumerate(known.moves)}
    columns = [wire.MapColumn("value", CHANCE_OF_ONE, True, [None if row is None else row.value for row in rows])]
    people = [None if row is None else between_people(row) for row in rows]
    columns.append(wire.MapColumn("people", PEOPLE, True, people))
    for name in known.measures:
        if name != ADVANTAGE:
            figures = [None if row is None else _short(row.measures[name]) for row in rows]
            columns.append(wire.MapColumn(name, MEASURES[name], name in (*SHARES, GAIN), figures))
    first = [None if row is None or row.value is None else number[row.first] for row in rows]
    moves = [list(one) for one in known.moves]
    return wire.Map(slug, values, known.players, columns, first, moves, [list(stop) for stop in STOPS], known.hash)


def between_people(row: Row) -> float | None:
    """Player 1's chance where both err at times; None where nobody knows."""
    advantage = row.measures[ADVANTAGE]
    # Both play alike: who begins wins so much more often, and the other so much less.
    return None if advantage is None else round(min(max((1 + advantage) / 2, 0.0), 1.0), DIGITS)


def _short(figure: float | None) -> float | None:
    return None if figure is None else round(figure, DIGITS)


def _values(kind: type[Game[Any]]) -> dict[str, list[SettingValue]]:
    """Every value of each setting, whatever the others are."""
    found: dict[str, list[SettingValue]] = {}
    for name, field in kind.fields.items():
        # What another setting bounds goes as far as that one does.
        found[name] = list(field.every({other: values[-1] for other, values in found.items()}))
    return found


def best_line(task: tasks.BestLine) -> wire.BestLine:
    """Both play as well as they can, and what is uncovered is the same each time."""
    game = make_game(task.game, **read_settings(task.settings.split()))
    solution = solve(game)
    match, best, dice = Match(game, seed=DEAL), player("perfect"), Stream("line", "atlas")
    for _ in range(FURTHEST):
        if match.outcome is not None:
            break
        match.play(best.choose(game, match.position, dice))
    return wire.BestLine(
        game=game.slug,
        settings=game.settings,
        history=lines(game, match.positions, match.history),
        chances=[chance(solution.value_for(0, position)) for position in match.positions],
        outcome=end(game, match.outcome, False),
    )
