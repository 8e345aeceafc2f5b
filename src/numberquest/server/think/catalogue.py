"""The games on offer and the computer players, as a message: at once, or with what has to be worked out first."""

import time
from contextlib import suppress
from itertools import pairwise
from random import Random
from typing import Any, Final, NamedTuple

from numberquest.core.contract import CHANCE, Game
from numberquest.core.errors import Unable
from numberquest.core.play_out import play_out
from numberquest.core.registry import GAMES, name_of
from numberquest.core.settings import Setting, SettingValue, Signs, UpTo, Whole
from numberquest.explain.ladder import NEVER_ERRS, WINS, Ladder, in_facts, ladder
from numberquest.players.levels import PLAYERS
from numberquest.server import wire
from numberquest.server.boards import shown
from numberquest.server.think.messages import chance
from numberquest.solver import Solution, budget, solve
from numberquest.solver.proved import proved
from numberquest.study.atlas import has_atlas

PLAYED: Final = 200
"""So many are played, always the same ones; fewer where they take long."""
PLAYING: Final = 2.0
"""After so many seconds those that were played must do."""
MIDDLE: Final = (0.1, 0.9)
"""The shortest and the longest tenth of all games are not what somebody should expect."""
SLIPS: Final = PLAYERS["medium"].any_move / 100
"""How often people are taken to make any move."""


class Glance(NamedTuple):
    """How many turns most games have, and how much luck is in them: 0 none, 1 nothing else."""

    turns: tuple[int, int]
    luck: float | None
    """The share of chance, not of moves, in the swings of who is winning; None where nobody knows who is."""


def glance(game: Game[Any], solution: Solution[Any] | None) -> Glance:
    """Look at some games of this rule set, played by people who err at times."""
    dice = Random("glance")  # noqa: S311  # the same games every time
    until = time.monotonic() + PLAYING
    # The squares of how far Player 1's chance to win swung, by chance and by moves.
    turns, swings = list[int](), [0.0, 0.0]
    while not turns or (len(turns) < PLAYED and time.monotonic() < until):
        turns.append(_played(game, solution, dice, swings))
    turns.sort()
    low, high = (turns[round(part * (len(turns) - 1))] for part in MIDDLE)
    luck = None if game.uncertain else 0.0
    if game.chance and swings[0]:
        luck = swings[0] / sum(swings)
    return Glance((low, high), luck)


def _played(game: Game[Any], solution: Solution[Any] | None, dice: Random, swings: list[float]) -> int:
    """Play one game, and return how many turns it had."""

    def choose(p: Any, *_: object) -> str:
        moves = game.moves(p)
        return dice.choice(moves if solution is None or dice.random() < SLIPS else solution.best(p))

    positions = play_out(game, choose, lambda p, _: dice.choices(game.moves(p), game.weights(p))[0]).positions
    turns, last = 0, CHANCE
    for p, after in pairwise(positions):
        mover = game.player(p)
        if mover != CHANCE:
            turns, last = turns + (mover != last), mover
        if game.chance and solution is not None:
            swing = float(solution.value_for(0, after)) - float(solution.value_for(0, p))
            swings[mover != CHANCE] += swing * swing
    return turns


PATIENCE: Final = 8.0
TOGETHER: Final = 40.0
"""So many seconds a game may take to solve here, and all of them: of one that takes longer nothing is told."""


def catalogue() -> wire.Games:
    """All games, and the computer players, weakest first."""
    games, until = offered(), time.monotonic() + TOGETHER
    games.soon = False
    for info, kind in zip(games.games, GAMES.values(), strict=True):
        budget.patience = max(0.0, min(PATIENCE, until - time.monotonic()))
        game, solution = kind(), None
        with suppress(Unable):
            solution = solve(game)
        # Where something is secret a position alone says nothing.
        info.turns, info.luck = glance(game, None if game.has_secrets else solution)
        if solution is not None:
            info.proved = wire.Said(*proved(solution))
            info.stars = _stars(ladder(solution))
            info.value = chance(solution.value_for(0, game.start()))
    return games


def _stars(rule: Ladder) -> wire.StarRule:
    seats = [seat + 1 for seat in rule.seats]
    return wire.StarRule(
        WINS, seats, None if rule.beatable else NEVER_ERRS, [wire.Said(*one) for one in in_facts(rule)]
    )


def offered() -> wire.Games:
    """All games, and the computer players, weakest first."""
    return wire.Games([offer(kind()) for kind in GAMES.values()], [wire.Level(name) for name in PLAYERS], soon=True)


def offer(game: Game[Any]) -> wire.GameInfo:
    """One of them."""
    return wire.GameInfo(
        game=name_of(game),
        title=game.title,
        short_title=game.short_title,
        summary=game.summary,
        # The page fills in the rules of each match.
        goal=game.how_to_win or (type(game).summary if "{" in type(game).summary else ""),
        rules=game.told(game.rules),
        rulings=game.rulings_told(),
        endings=dict(game.endings),
        proved=None,
        value=None,
        stars=None,
        turns=(0, 0),
        luck=None,
        settings=[_setting(name, setting, game.settings[name]) for name, setting in game.fields.items()],
        chance=game.chance,
        view=shown(game).view,
        board=shown(game).board([game.start()], []),
        atlas=has_atlas(type(game)),
    )


def _setting(name: str, setting: Setting, classic: SettingValue) -> wire.SettingInfo:
    info = wire.SettingInfo(name, setting.meaning, setting.more, "yesno", classic)
    if isinstance(setting, Whole):
        info.kind, info.low, info.high = "number", setting.low, setting.high
    elif isinstance(setting, UpTo):
        info.kind, info.low, info.up_to = "number", 1, setting.other
    elif isinstance(setting, Signs):
        info.kind, info.signs, info.needed = "signs", setting.signs, setting.needed
    return info
