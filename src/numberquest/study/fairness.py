"""What makes a game fairer: the pie rule, and points given at the start."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from numberquest.core.contract import CHANCE, Game
from numberquest.core.view import Scores, number
from numberquest.players.levels import PLAYERS
from numberquest.solver.solution import ALIKE
from numberquest.study.pool_policies import Walked

MOST_POINTS: Final = 20
"""More points than this nobody gives at the start."""
FAIR: Final = 1e-9
"""An advantage smaller than this is none."""


class Circles(ValueError):
    """A first turn that can go round in circles."""


class NoPoints(ValueError):
    """A game without points that one could be given."""


class _Cut(NamedTuple):
    """The share of the player who makes the first turn: under best play, and between the two who play."""

    best: float
    share: float


def after_the_pie_rule(game: Game[Any], one: Walked, two: Walked) -> float:
    """The advantage of the first player, where the other may change seats after the first turn.

    `one` is the game as the two play it, `two` with their seats changed. They cut and choose as they play: well, but
    for the moves that are any move. `Circles` where a first turn may never end.
    """
    return _cut(game, one, two).share + _cut(game, two, one).share - 1


def _cut(game: Game[Any], kept: Walked, changed: Walked) -> _Cut:
    """What the first turn comes to for who makes it, with the seats of `kept`."""
    start = game.start()
    first = game.turn(start)
    slips = PLAYERS[kept.pair[first]].any_move / 100
    changes_blindly = PLAYERS[kept.pair[1 - first]].any_move / 200

    def chosen(p: Any) -> _Cut:
        """Once the other may change seats."""
        best, share, other = kept.best(p), kept.share(p), changed.share(p)
        mine = (1 - best, 1 - share, other) if first else (best, share, 1 - other)
        # Who plays well takes the seat that is worth more, and either where both are worth the same.
        gains = mine[0] > 0.5 + ALIKE
        even = abs(mine[0] - 0.5) <= ALIKE
        often = changes_blindly + (1 - 2 * changes_blindly) * (0.5 if even else float(gains))
        return _Cut(min(mine[0], 1 - mine[0]), (1 - often) * mine[1] + often * mine[2])

    known: dict[Any, _Cut] = {}
    begun: set[Any] = set()
    waiting: list[tuple[Any, bool]] = [(start, False)]
    while waiting:
        p, seen = waiting.pop()
        outcome = game.outcome(p)
        if p in known:
            continue
        if outcome is not None:
            known[p] = _Cut(outcome.worth(first), outcome.worth(first))
        elif game.turn(p) != first:
            known[p] = chosen(p)
        elif seen:
            known[p] = _taken(game, p, [known[game.play(p, move)] for move in game.moves(p)], slips)
        elif p in begun:
            raise Circles("the first turn can go round in circles, so there is no moment to change seats")
        else:
            begun.add(p)
            waiting.append((p, True))
            waiting.extend((after, False) for after in dict.fromkeys(game.play(p, move) for move in game.moves(p)))
    return known[start]


def _taken(game: Game[Any], p: Any, cuts: list[_Cut], slips: float) -> _Cut:
    """A reveal, or a move of the player who makes the first turn."""
    if game.player(p) == CHANCE:
        odds = [float(likely) for likely in game.odds(p)]
    else:
        top = max(cut.best for cut in cuts)
        ways = sum(cut.best >= top - ALIKE for cut in cuts)
        odds = [slips / len(cuts) + (1 - slips) * (cut.best >= top - ALIKE) / ways for cut in cuts]
    share = sum(likely * cut.share for likely, cut in zip(odds, cuts, strict=True))
    if game.player(p) == CHANCE:
        return _Cut(sum(likely * cut.best for likely, cut in zip(odds, cuts, strict=True)), share)
    return _Cut(top, share)


def best_head_start(game: Game[Any], advantage: Callable[[Any], float]) -> tuple[int, float]:
    """How many points make it fairest, and what is left of the advantage; below 0, they are for Player 1.

    One player or the other gets one point, then one more, until somebody else than before is better off; what is
    nearest to even of all that is best. `NoPoints` where there are none to give.
    """
    field = next((one for one in game.view if isinstance(one, Scores) and not one.none), None)
    start = game.start()
    if field is None or not hasattr(start, "_replace") or getattr(start, field.name, None) != (0, 0):
        raise NoPoints("there are no points in this game that one could be given at the start")
    leads = {0: advantage(start)}
    sign = 1 if leads[0] > 0 else -1
    for given in range(1, min(field.goal(game) or number(game, field.most), MOST_POINTS + 1)):
        if min(sign * lead for lead in leads.values()) <= FAIR:
            break
        for points, scores in ((given, (0, given)), (-given, (given, 0))):
            p = start._replace(**{field.name: scores})
            if game.outcome(p) is None and game.moves(p):
                leads[points] = advantage(p)
    fairest = min(map(abs, leads.values()))
    points = min((one for one, lead in leads.items() if abs(lead) <= fairest + FAIR), key=abs)
    return points, leads[points]
