"""What earns a star: so many wins over a computer player, in the seat from which best play wins, or wins more often."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from numberquest.core.record import Record
from numberquest.core.sentences import Said
from numberquest.players.levels import PLAYERS
from numberquest.solver import Solution, solve
from numberquest.solver.proved import no_choice_matters
from numberquest.solver.solution import ALIKE, wins

WINS: Final = 3
"""So many wins over a level earn its star."""
NEVER_ERRS: Final = next(name for name, level in PLAYERS.items() if level.any_move == 0)


class Ladder(NamedTuple):
    """What counts in a game, for all levels; only games by the classic rules do, without hints, from their start."""

    seats: tuple[int, ...]
    """The seats, 0 or 1, in which a win counts: both where neither has the better chance."""
    beatable: bool
    """Whether a level that never errs can be beaten there. Where it cannot, holding the draw counts."""
    luck: bool
    """Whether no choice matters, so that stars are luck alone."""


def ladder(solution: Solution[Any]) -> Ladder:
    """What counts in a game that was solved."""
    game = solution.game
    chance = float(solution.value_for(0, game.start()))
    seats = (0, 1) if abs(chance - 0.5) <= ALIKE else (0,) if chance > 0.5 else (1,)
    beatable = game.uncertain or wins(max(chance, 1 - chance))
    return Ladder(seats, beatable, bool(game.chance) and not game.has_secrets and no_choice_matters(solution))


class Step(NamedTuple):
    """A finished game against a level, of which the rule of its game says whether it counts."""

    slug: str
    level: str
    seat: int
    winner: int | None


def step(record: Record) -> Step | None:
    """The step that a game may be; None where it was lost, had a hint, or was no whole game by the classic rules."""
    match, seat = record.match, int(record.people[1])
    helped = record.hints[seat] or record.practice or match.dealer.given or match.game.changes
    alone = sum(record.people) == 1 and record.kinds[1 - seat] in PLAYERS and not any(record.ahead)
    if match.outcome is None or match.outcome.winner == 1 - seat or helped or not alone:
        return None
    return Step(match.game.slug, record.kinds[1 - seat], seat, match.outcome.winner)


def climbed(rule: Ladder, level: str, steps: Iterable[Step]) -> int:
    """How many of these games, all of one game, are steps towards the star of that level."""
    return sum(one.level == level and counts(rule, level, one.seat, one.winner) for one in steps)


def earned(record: Record, finished: Iterable[Record]) -> str | None:
    """The level whose star this game has earned, the last of all that are finished; mostly None."""
    one = step(record)
    same = [other for other in map(step, finished) if one and other and other[:2] == one[:2]]
    if one is None or len(same) < WINS:
        return None
    rule = ladder(solve(record.match.game))
    return one.level if counts(rule, *one[1:]) and climbed(rule, one.level, same) == WINS else None


def counts(rule: Ladder, level: str, seat: int, winner: int | None) -> bool:
    """Whether a finished game is a step towards the star of that level, for the player in that seat."""
    held = winner is None and level == NEVER_ERRS and not rule.beatable
    return level in PLAYERS and seat in rule.seats and (winner == seat or held)


def in_facts(rule: Ladder) -> list[Said]:
    """What earns a star, to be told with the stars."""
    said = [Said("ladder-either") if len(rule.seats) > 1 else Said("ladder-seat", {"player": rule.seats[0] + 1})]
    said += [] if rule.beatable else [Said("ladder-held", {"level": NEVER_ERRS})]
    return said + ([Said("ladder-luck")] if rule.luck else [])
