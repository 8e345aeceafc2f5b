"""What each move of a match was worth, and how much of the result was luck. docs/review.md says it in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from numberquest.contract import CHANCE
from numberquest.solver import solve
from numberquest.solver.solution import ALIKE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numberquest.contract import Game, Outcome
    from numberquest.match import Match
    from numberquest.solver import Solution
    from numberquest.solver.solution import Value

T = TypeVar("T")

ONLY_MOVE: Final = "only move"
WIN_KEPT: Final = "win kept"
WIN_THROWN_AWAY: Final = "win thrown away"
DRAW_KEPT: Final = "draw kept"
DRAW_THROWN_AWAY: Final = "draw thrown away"
STILL_LOST: Final = "still lost"
ALL_ALIKE: Final = "all alike"
BEST: Final = "best"
SMALL_SLIP: Final = "small slip"
MISTAKE: Final = "mistake"
BLUNDER: Final = "blunder"

VISIBLE: Final = 0.01
"""A change of the winning chance that is worth telling."""
FROM_MISTAKE: Final = 0.05
FROM_BLUNDER: Final = 0.15
"""Giving away this much of the winning chance, or more, is a mistake, and a blunder; less is a small slip."""

MISTAKES: Final = frozenset({WIN_THROWN_AWAY, DRAW_THROWN_AWAY, MISTAKE, BLUNDER})
"""The verdicts that are worth another try."""

RESIGNS: Final = "resign"


class Verdict(NamedTuple):
    """One decision: what it was worth to the player who made it, and what was best."""

    number: int
    """Which move of the game, counted from 1."""
    player: int
    """Who moved: 0 or 1."""
    move: str
    """The move, or `resign`."""
    before: Value
    """The chance to win with the best move."""
    after: Value
    """The chance to win with this one."""
    best: tuple[str, ...]
    """The moves that nothing was better than."""
    verdict: str
    """In one or two words, such as `best` or `win thrown away`."""
    at: int
    """Where the move stands in the match's history."""
    mattered: bool
    """Whether the moves differed in what they were worth."""

    @property
    def loss(self) -> Value:
        """The part of the winning chance that the move gave away."""
        return self.before - self.after


class Step(NamedTuple):
    """One entry of the history, a move or a reveal, and what it did to Player 1's chance to win."""

    entry: str
    """The move, or what was revealed."""
    player: int
    """0 or 1, or `CHANCE` for a reveal."""
    turn: int
    """Whose turn it was, 0 or 1, also for a reveal."""
    number: int
    """Which move of the game; for a reveal, how many moves came before it."""
    before: Value
    """Player 1's chance to win before it."""
    after: Value
    """Player 1's chance to win after it."""

    @property
    def change(self) -> Value:
        """What Player 1 gained, or lost if it is negative."""
        return self.after - self.before


@dataclass(frozen=True)
class Review:
    """The verdicts of a match, one for each decision, and where its result came from.

    `start - given_away[0] + given_away[1] + luck == end`, all as Player 1's chance to win: exactly where the
    values are fractions, and up to the rounding of the last digits where they are not.
    """

    game: Game[Any]
    verdicts: tuple[Verdict, ...]
    """One for each decision; a review can also be looped over."""
    steps: tuple[Step, ...]
    """One for each move and each reveal."""
    start: Value
    """Player 1's chance to win at the start."""
    outcome: Outcome | None
    """Who won and why, or None where the game was not over."""
    began: int = 0
    """After how many entries of the history it was played; those before it were set up, and have no steps."""

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    def __len__(self) -> int:
        return len(self.verdicts)

    def __getitem__(self, at: int) -> Verdict:
        return self.verdicts[at]

    @property
    def end(self) -> Value:
        """Player 1's chance at the end: 1 or 0 where somebody has won, and one half in a draw.

        Of a game that was cut short because it need not end, the chance as it stood then.
        """
        return self.steps[-1].after if self.steps else self.start

    @property
    def given_away(self) -> tuple[Value, Value]:
        """What the decisions of each player gave away of their own chance, all together."""
        one, two = (sum((verdict.loss for verdict in self if verdict.player == seat), start=0) for seat in (0, 1))
        return one, two

    @property
    def luck(self) -> Value:
        """What the reveals changed in Player 1's chance, all together."""
        return sum((step.change for step in self.steps if step.player == CHANCE), start=0)

    @property
    def accuracy(self) -> tuple[float | None, float | None]:
        """For each player, how much of the best chance their moves kept, 0 to 100; None where nothing was at stake."""
        return self._accuracy(0), self._accuracy(1)

    def _accuracy(self, seat: int) -> float | None:
        kept = [verdict.after / verdict.before for verdict in self if verdict.player == seat and verdict.mattered]
        return float(100 * sum(kept) / len(kept)) if kept else None

    @property
    def turning_point(self) -> Step | None:
        """The move or reveal that changed the winning chance most, the last of them; None where nothing did."""
        return _largest([(abs(float(step.change)), step) for step in self.steps if abs(float(step.change)) >= VISIBLE])

    @property
    def costliest(self) -> Verdict | None:
        """The move that gave most away, the last of them; None where none did."""
        return _largest([(float(verdict.loss), verdict) for verdict in self])

    def first_mistake(self, seats: tuple[bool, bool] = (True, True)) -> Verdict | None:
        """The first mistake, of the players whose seats count."""
        return next((found for found in self if found.verdict in MISTAKES and seats[found.player]), None)


def review(match: Match[Any], solution: Solution[Any] | None = None, *, given: int | None = None) -> Review:
    """One verdict per move, and luck and skill apart; `TooLarge` where the game cannot be solved.

    Where so many moves were `given`, nobody played them, and it is about what came after them.

    >>> match = nq.Match(nq.game("sumquest"))
    >>> for move in ("5", "9", "1", "8"):
    ...     position = match.play(move)
    >>> [verdict.verdict for verdict in nq.review(match)]
    ['win thrown away', 'win kept', 'still lost', 'win kept']
    """
    game = match.game
    solution = solve(game) if solution is None else solution
    verdicts, steps = [], []
    began, number = _began(match, given)
    before = solution.value_for(0, match.positions[began])
    for at, (position, entry) in enumerate(zip(match.positions, match.history, strict=False)):
        if at < began:
            continue
        player = game.player(position)
        if player != CHANCE:
            number += 1
            verdicts.append(judged(solution, position, entry, number, at))
        after = solution.value_for(0, match.positions[at + 1])
        steps.append(Step(entry, player, game.turn(position), number, before, after))
        before = after
    start = steps[0].before if steps else before
    if match.resigned is not None:
        verdicts.append(_resigned(solution, match, match.resigned, number + 1))
        steps.append(Step(RESIGNS, match.resigned, match.resigned, number + 1, before, match.resigned))
    return Review(game, tuple(verdicts), tuple(steps), start, match.outcome, began)


def _began(match: Match[Any], given: int | None) -> tuple[int, int]:
    """The place in the history of the first decision that was not given, and how many moves came before it."""
    number = 0
    if given is None:
        return 0, number
    for at, position in enumerate(match.positions[:-1]):
        if match.game.player(position) != CHANCE:
            if number >= given:
                return at, number
            number += 1
    return len(match.history), number


def judged(solution: Solution[Any], position: Any, move: str, number: int = 1, at: int = 0) -> Verdict:
    """What one move is worth there, to the player who makes it."""
    values = solution.moves(position)
    before, after = max(values.values()), values[move]
    mattered = before - min(values.values()) > ALIKE
    if len(values) == 1:
        verdict = ONLY_MOVE
    elif solution.game.chance and not mattered:
        verdict = ALL_ALIKE
    else:
        verdict = _verdict(solution.game, before, after)
    best = tuple(solution.best(position))
    return Verdict(number, solution.game.player(position), move, before, after, best, verdict, at, mattered)


def _resigned(solution: Solution[Any], match: Match[Any], seat: int, number: int) -> Verdict:
    """Giving up gives away what was left."""
    before = solution.value_for(seat, match.position)
    best = tuple(solution.best(match.position)) if match.player == seat else ()
    verdict = _verdict(match.game, before, 0) if before > ALIKE else STILL_LOST
    return Verdict(number, seat, RESIGNS, before, 0, best, verdict, len(match.history), before > ALIKE)


def _verdict(game: Game[Any], before: Value, after: Value) -> str:
    """Without chance, by what changed; with chance, by how much was given away."""
    loss = before - after
    if not game.chance:
        if before == 1:
            return WIN_THROWN_AWAY if loss else WIN_KEPT
        return STILL_LOST if not before else DRAW_THROWN_AWAY if loss else DRAW_KEPT
    if loss <= ALIKE:
        return BEST
    return SMALL_SLIP if loss < FROM_MISTAKE else MISTAKE if loss < FROM_BLUNDER else BLUNDER


def _largest(sized: list[tuple[float, T]]) -> T | None:
    largest = max((size for size, _ in sized), default=0.0)
    if largest <= ALIKE:
        return None
    return next(thing for size, thing in reversed(sized) if size >= largest - ALIKE)
