"""Judge each move of a match, take luck and skill apart, and make the sentences of a review. See docs/review.md."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar

from numberquest.core.contract import CHANCE, Game, Outcome, outcome_fact
from numberquest.core.match import Match
from numberquest.core.seen_history import known_after
from numberquest.core.sentences import Said, inside
from numberquest.explain.reasons import reason, shown_best
from numberquest.solver import Solution, solve
from numberquest.solver.secrets.solution import SecretSolution
from numberquest.solver.solution import ALIKE, Value, loses, wins

T = TypeVar("T")

FROM_MISTAKE: Final = 0.05
FROM_BLUNDER: Final = 0.15
"""Giving away this much of the winning chance, or more, is a mistake, and a blunder; less is a small slip."""

MISTAKES: Final = frozenset({"win thrown away", "draw thrown away", "mistake", "blunder"})
"""The verdicts that are worth another try."""

VISIBLE: Final = 0.01
"""A change of the winning chance that is worth telling."""
RESIGNS: Final = "resign"


class Verdict(NamedTuple):
    """One decision: what it was worth to the player who made it, and what was best."""

    number: int
    """Which move of the game, counted from 1."""
    player: int
    """The player who moved: 0 or 1."""
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
    """The place of the move in the match's history."""
    mattered: bool
    """Whether the moves differed in what they were worth."""
    key: bool = False
    """Whether it was a key moment: at least half of the moves would have been a mistake."""
    why: tuple[Said, ...] = ()
    """The reason why the move gave something away, and the best moves; empty where the move gave nothing away."""

    @property
    def loss(self) -> Value:
        """The part of the winning chance that the move gave away."""
        return self.before - self.after

    @property
    def data(self) -> dict[str, Any]:
        """The figures, as people and JSON have them: players are 1 and 2."""
        worth = {"before": float(self.before), "after": float(self.after), "loss": float(self.loss)}
        who = {"number": self.number, "player": self.player + 1, "move": self.move}
        return {**who, **worth, "best": list(self.best), "verdict": self.verdict}


class ReviewedStep(NamedTuple):
    """One entry of the history, a move or a reveal, and what it did to Player 1's chance to win."""

    entry: str
    """The move, or what was revealed."""
    player: int
    """0 or 1, or `CHANCE` for a reveal."""
    turn: int
    """The player whose turn it was, 0 or 1, also for a reveal."""
    number: int
    """Which move of the game; for a reveal, how many moves came before it."""
    before: Value
    """Player 1's chance to win before it."""
    after: Value
    """Player 1's chance to win after it."""

    @property
    def change(self) -> Value:
        """The gain of Player 1, or the loss if negative."""
        return self.after - self.before


@dataclass(frozen=True)
class Review:
    """The verdicts of a match, one for each decision, and where its result came from.

    `start - given_away[0] + given_away[1] + luck == end`, all as Player 1's chance to win: exactly where the
    values are fractions, and up to the rounding of the last digits where they are not. In a game with secrets the
    two parts of `mixing` are added to `luck`.
    """

    game: Game[Any]
    verdicts: tuple[Verdict, ...]
    """One for each decision; a review can also be looped over."""
    steps: tuple[ReviewedStep, ...]
    """One for each move and each reveal."""
    start: Value
    """Player 1's chance to win at the start."""
    outcome: Outcome | None
    """The result, or None where the game was not over."""
    began: int = 0
    """After how many entries of the history it was played; those before it were set up, and have no steps."""
    mixing: tuple[Value, Value] | None = None
    """In a game with secrets, what each player's moves changed in Player 1's chance besides what they gave away: how
    the secret choices met."""

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    def __len__(self) -> int:
        return len(self.verdicts)

    def __getitem__(self, at: int) -> Verdict:
        return self.verdicts[at]

    @property
    def end(self) -> Value:
        """Player 1's chance at the end: 1, 0, or one half in a draw; where the game was cut short, as it stood then."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def given_away(self) -> tuple[Value, Value]:
        """The total that each player's decisions gave away of the player's own chance."""
        one, two = (sum((verdict.loss for verdict in self if verdict.player == seat), start=0) for seat in (0, 1))
        return one, two

    @property
    def luck(self) -> Value:
        """The total change of Player 1's chance by reveals."""
        return sum((step.change for step in self.steps if step.player == CHANCE), start=0)

    @property
    def accuracy(self) -> tuple[float | None, float | None]:
        """For each player, how much of the best chance their moves kept, 0 to 100; None where nothing was at stake."""
        kept = ([one.after / one.before for one in self if one.player == seat and one.mattered] for seat in (0, 1))
        one, two = (float(100 * sum(shares) / len(shares)) if shares else None for shares in kept)
        return one, two

    @property
    def key_moments(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """For each player, in how many of their key moments they made no mistake, and how many those were."""
        keys = ([one.verdict not in MISTAKES for one in self if one.player == seat and one.key] for seat in (0, 1))
        one, two = ((sum(found), len(found)) for found in keys)
        return one, two

    @property
    def turning_point(self) -> ReviewedStep | None:
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
    game, positions = match.game, match.positions
    solution = solve(game) if solution is None else solution
    if isinstance(solution, SecretSolution):
        return _in_secret(match, solution, given)
    verdicts, steps = [], []
    began, number = _began(match, given)
    before = solution.value_for(0, positions[began])
    for at, entry in enumerate(match.history[began:], start=began):
        position = positions[at]
        player = game.player(position)
        if player != CHANCE:
            number += 1
            verdict = judged(solution, position, entry, number, at)
            verdicts.append(verdict._replace(why=_why(solution, position, verdict)))
        after = solution.value_for(0, positions[at + 1])
        steps.append(ReviewedStep(entry, player, game.turn(position), number, before, after))
        before = after
    start = steps[0].before if steps else before
    if match.resigned is not None:
        verdicts.append(_resigned(solution, match, match.resigned, number + 1))
        steps.append(ReviewedStep(RESIGNS, match.resigned, match.resigned, number + 1, before, match.resigned))
    return Review(game, tuple(verdicts), tuple(steps), start, match.outcome, began)


def _in_secret(match: Match[Any], solution: SecretSolution[Any], given: int | None) -> Review:
    """Review a game with secrets: a mistake is what a move gives away against the best play of the other.

    What else a move changes in the chance, which is seen with all secrets open, is how the secret choices met.
    """
    game, history = match.game, match.history
    verdicts, steps = [], []
    began, number = _began(match, given)
    world = solution.opening
    for entry in history[:began]:
        world = solution.after(world, entry)
    start = before = solution.expected(world)
    mixing: list[Value] = [0, 0]

    def made(seat: int, verdict: Verdict, change: Value) -> None:
        verdicts.append(verdict)
        mixing[seat] += change + (verdict.loss if seat == 0 else -verdict.loss)

    for at, entry in enumerate(history[began:], start=began):
        p = world.position
        player = game.player(p)
        world = solution.after(world, entry)
        after = solution.expected(world)
        if player != CHANCE:
            number += 1
            verdict = judged(solution, known_after(game, history[:at], player), entry, number, at)
            best = Said("best-was", {"best": list(verdict.best)})
            why = (best,) if verdict.loss > max(ALIKE, solution.error) else ()
            made(player, verdict._replace(why=why), after - before)
        steps.append(ReviewedStep(entry, player, game.turn(p), number, before, after))
        before = after
    if match.resigned is not None:
        seat = match.resigned
        kept = solution.value(match.known(seat))
        best_moves = tuple(solution.best(match.known(seat))) if match.player == seat else ()
        found = _verdict(game, kept, 0) if kept > ALIKE else "still lost"
        verdict = Verdict(number + 1, seat, RESIGNS, kept, 0, best_moves, found, len(history), kept > ALIKE)
        made(seat, verdict, seat - before)
        steps.append(ReviewedStep(RESIGNS, seat, seat, number + 1, before, seat))
    return Review(game, tuple(verdicts), tuple(steps), start, match.outcome, began, (mixing[0], mixing[1]))


def _began(match: Match[Any], given: int | None) -> tuple[int, int]:
    """Return the place in the history of the first decision that was not given, and the number of moves before it."""
    if given is None:
        return 0, 0
    decisions = [at for at, p in enumerate(match.positions[:-1]) if match.game.player(p) != CHANCE]
    number = min(given, len(decisions))
    return [*decisions, len(match.history)][number], number


def judged(solution: Solution[Any], position: Any, move: str, number: int = 1, at: int = 0) -> Verdict:
    """Return the verdict on `move` at a position, or in a game with secrets at the infostate of the player to move."""
    values = solution.moves(position)
    before, after = max(values.values()), values[move]
    mattered = before - min(values.values()) > ALIKE
    much = FROM_MISTAKE if solution.game.uncertain else ALIKE
    key = sum(before - value > much for value in values.values()) * 2 >= len(values) > 1
    if len(values) == 1:
        verdict = "only move"
    elif solution.game.uncertain and not mattered:
        verdict = "all alike"
    else:
        verdict = _verdict(solution.game, before, after)
    best = tuple(solution.best(position))
    # What is known says first who knows it.
    player = position[0] if solution.game.has_secrets else solution.game.player(position)
    return Verdict(number, player, move, before, after, best, verdict, at, mattered, key)


def _why(solution: Solution[Any], position: Any, verdict: Verdict) -> tuple[Said, ...]:
    """Return why a move gave something away, and which move was best: in facts of the position, with players' names."""
    if verdict.loss <= max(ALIKE, solution.error):
        return ()
    moves = (verdict.move, shown_best(solution, position))
    bad, good = (reason(solution, position, move, named=True) for move in moves)
    best = {"best": list(verdict.best)}
    was = Said("best-was-because", {**best, "why": good}) if good else Said("best-was", best)
    return (Said("reason-why", {"why": bad}), was) if bad else (was,)


def _resigned(solution: Solution[Any], match: Match[Any], seat: int, number: int) -> Verdict:
    """Return the verdict on a resignation, which gives away the whole chance that was left."""
    before = solution.value_for(seat, match.position)
    best = tuple(solution.best(match.position)) if match.player == seat else ()
    verdict = _verdict(match.game, before, 0) if before > ALIKE else "still lost"
    return Verdict(number, seat, RESIGNS, before, 0, best, verdict, len(match.history), before > ALIKE)


def _verdict(game: Game[Any], before: Value, after: Value) -> str:
    """Return the verdict: without chance by what changed, with chance by how much the move gave away."""
    loss = before - after
    if not game.uncertain:
        if before == 1:
            return "win thrown away" if loss else "win kept"
        return "still lost" if not before else "draw thrown away" if loss else "draw kept"
    if loss <= ALIKE:
        return "best"
    return "small slip" if loss < FROM_MISTAKE else "mistake" if loss < FROM_BLUNDER else "blunder"


def _largest(sized: list[tuple[float, T]]) -> T | None:
    largest = max((size for size, _ in sized), default=0.0)
    if largest <= ALIKE:
        return None
    return next(thing for size, thing in reversed(sized) if size >= largest - ALIKE)


# ---- what is told: when the game was decided, how well each played, and what was luck


def result(review: Review) -> Said:
    """Return who won, and why."""
    outcome = review.outcome
    if outcome is None:
        return Said("not-over")
    fact = outcome_fact(outcome)
    if outcome.winner is None:
        return Said("result-drawn", {"outcome": fact})
    return Said("result-won", {"winner": outcome.winner + 1, "outcome": fact})


def seen_by(seat: int, step: ReviewedStep) -> tuple[Value, Value]:
    """Return the chance of player `seat` before and after a step."""
    return (step.before, step.after) if seat == 0 else (1 - step.before, 1 - step.after)


def whose_chance(review: Review, name: str) -> str:
    """Return the title of the chances of all steps: in a game with secrets they are seen with all secrets open."""
    return f"{name}'s chance to win{' with all secrets open' if review.game.has_secrets else ''}"


def set_up(given: int | None) -> list[Said]:
    """Return the sentence on a position that was set up, or nothing."""
    return [Said("review-set-up", {"number": given + 1})] if given else []


def turning_point(review: Review) -> list[Said]:
    """Return when the game was decided, and which move cost most where luck or secrets decided."""
    if not review.steps:
        return [Said("review-nothing")]
    step = review.turning_point
    if step is None:
        return [_never_turned(review)]
    said = [_turned(review, step)]
    costliest = review.costliest
    apart = step.player == CHANCE or review.game.has_secrets
    if costliest is not None and apart:
        did, best = _did(costliest.player, costliest.move), list(costliest.best)
        facts: dict[str, Any] = {"number": costliest.number, "did": did, "loss": float(costliest.loss)}
        said.append(Said("costliest-best", {**facts, "best": best}) if best else Said("costliest-move", facts))
    return said


def _turned(review: Review, step: ReviewedStep) -> Said:
    before, after = seen_by(step.turn, step)
    chances = {"player": step.turn + 1, "before": float(before), "after": float(after)}
    if step.player == CHANCE:
        where = inside("after-move", number=step.number) if step.number else inside("at-the-start")
        code = "turned-luck-rose" if after > before else "turned-luck-fell"
        return Said(code, {"entry": step.entry, "where": where, **chances})
    facts = {"number": step.number, "did": _did(step.turn, step.entry)}
    if review.game.uncertain:
        code = "turned-open" if review.game.has_secrets else "turned-chance"
        return Said(code if after < before else f"{code}-rose", {**facts, **chances})
    return Said("turned-win" if wins(before) else "turned-draw", facts)


def _did(seat: int, move: str) -> dict[str, Any]:
    return inside("did-resign", player=seat + 1) if move == RESIGNS else inside("did-play", player=seat + 1, move=move)


def _never_turned(review: Review) -> Said:
    if review.outcome is None:
        return Said("nothing-changed")
    if review.outcome.winner is None:
        return Said("never-turned-drawn")
    return Said("never-turned", {"winner": review.outcome.winner + 1})


def key_moments(review: Review) -> Said:
    """Return how many of their key moments each player found."""
    one, two = (
        inside("key-found" if of else "key-none", player=player, found=found, of=of)
        for player, (found, of) in enumerate(review.key_moments, start=1)
    )
    return Said("key-moments", {"one": one, "two": two})


def mistakes(review: Review) -> Iterator[list[Said]]:
    """Yield for each mistake the move and the reason."""
    for verdict in review:
        if verdict.verdict in MISTAKES and verdict.why:
            did = _did(verdict.player, verdict.move)
            yield [Said("review-move", {"number": verdict.number, "did": did}), *verdict.why]


def looked_ahead(ahead: tuple[bool, bool]) -> list[Said]:
    """Return the computer players that looked ahead because the rules were too large to solve."""
    return [Said("looked-ahead", {"player": player}) for player, did in enumerate(ahead, start=1) if did]


def luck_and_skill(review: Review) -> list[Said]:
    """Return where the result came from, and at the end what a point is; nothing where no move has been made."""
    if not review.steps:
        return []
    return [*_by_chance(review), Said("a-point")] if review.game.uncertain else _by_decisions(review)


def _by_decisions(review: Review) -> list[Said]:
    drawn = not wins(review.start) and not loses(review.start)
    said = [Said("could-draw") if drawn else Said("could-win", {"player": 1 if wins(review.start) else 2})]
    thrown = [
        Said(code, {"one": 1, "one_times": by.count(0), "two": 2, "two_times": by.count(1)})
        for code, is_win in (("threw-win", True), ("threw-draw", False))
        if (by := [found.player for found in review if found.loss > ALIKE and wins(found.before) == is_win])
    ]
    said += thrown or [Said("threw-nothing" if drawn else "threw-no-win")]
    return [*said, Said("no-luck")]


def _by_chance(review: Review) -> list[Said]:
    """Return what mistakes and luck changed; in a game with secrets also how the secret choices met."""
    start, end = _points(review.start), _points(review.end)
    one, two = (_points(given) for given in review.given_away)
    # What is shown must add up: the rounding goes to what is told last, the largest of them.
    rest = round(end - start + one - two, 1)
    luck = rest if review.mixing is None else _points(review.luck)
    met = round(rest - luck, 1)
    said = [Said("began-with", {"player": 1, "chance": start / 100})]
    said.append(Said("gave-away", {"player": 1, "loss": one / 100}) if one else Said("gave-nothing", {"player": 1}))
    helped = {"player": 2, "loss": two / 100, "other": 1}
    said.append(Said("gave-away-helped", helped) if two else Said("gave-nothing", {"player": 2}))
    if luck:
        said.append(Said("luck-gave" if luck > 0 else "luck-took", {"player": 1, "luck": abs(luck) / 100}))
    elif review.game.chance:
        said.append(Said("luck-nothing"))
    if met:
        said.append(Said("met-gave" if met > 0 else "met-took", {"player": 1, "luck": abs(met) / 100}))
    parts = {"start": start, "one": one, "two": two, "luck": abs(rest), "end": end}
    code = "sum-minus" if rest < 0 else "sum-plus"
    if review.mixing is not None and review.game.chance:
        code, parts = "sum-met", {**parts, "luck": luck, "met": met}
    total = inside(code, **{name: part / 100 for name, part in parts.items()})
    if review.outcome is None:
        return [*said, Said("sum-stands", {"sum": total})]
    ended = {0: "sum-won", 1: "sum-lost", None: "sum-drawn"}[review.outcome.winner]
    said.append(Said(ended, {"sum": total, "player": 1}))
    if review.mixing is None:
        # Mistakes of both sides cancel each other, as luck does.
        lost, gained = (float(given) for given in review.given_away)
        more = "more-luck" if abs(float(review.luck)) > abs(lost - gained) else "more-mistakes"
        said.append(Said(more if lost + gained > ALIKE else "luck-alone"))
    return said


def _points(chance: Value) -> float:
    return round(100 * float(chance), 1)
