"""What a rule set is like, as a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.games import game as make_game
from numberquest.server import wire
from numberquest.settings import read_settings
from numberquest.solver import TooLarge
from numberquest.solver.budget import impatient, silently

if TYPE_CHECKING:
    from numberquest.server.think import tasks


def measures_message(task: tasks.Measure) -> wire.Measures:
    """All measures; `TooLarge` where patience runs out before even the first is known."""
    # NumPy comes with it, which a worker that only plays does without.
    from numberquest.lab.measures import MEASURES, STEPS, measure

    game = make_game(task.game, **read_settings(task.settings.split()))
    found = measure(game, task.players, progress=impatient(game, "measures", silently))
    if found.value is None:
        raise TooLarge(found.why["value"])
    measures = [
        wire.Measured(name, meaning, getattr(found, name), found.why.get(name))
        for name, meaning in MEASURES.items()
        if name != "ladder"
    ]
    steps = [] if found.ladder is None else zip(STEPS, found.ladder, strict=True)
    ladder = [wire.LadderStep(better, worse, gain) for (better, worse), gain in steps]
    return wire.Measures(game.slug, game.title, game.settings, task.players, found.positions, measures, ladder)
