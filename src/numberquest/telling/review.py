"""What a review tells: when the game was decided, how well each played, and what was luck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.contract import CHANCE
from numberquest.sentences import Said
from numberquest.solver.solution import ALIKE
from numberquest.telling.facts import inside, loses, outcome_fact, wins
from numberquest.verdicts import RESIGNS

if TYPE_CHECKING:
    from numberquest.solver.solution import Value
    from numberquest.verdicts import Review, Step


def result(review: Review) -> Said:
    """Who won, and why."""
    outcome = review.outcome
    if outcome is None:
        return Said("not-over")
    fact = outcome_fact(outcome)
    return (
        Said("result-drawn", {"outcome": fact})
        if outcome.winner is None
        else Said("result-won", {"winner": outcome.winner + 1, "outcome": fact})
    )


def seen_by(seat: int, step: Step) -> tuple[Value, Value]:
    """The chance before and after a step, of this player."""
    return (step.before, step.after) if seat == 0 else (1 - step.before, 1 - step.after)


def set_up(given: int | None) -> list[Said]:
    """That the game was played from a position on that was set up, where it was."""
    return [Said("review-set-up", {"number": given + 1})] if given else []


def turning_point(review: Review) -> list[Said]:
    """When the game was decided, and which move cost most where that is another one."""
    if not review.steps:
        return [Said("review-nothing")]
    step = review.turning_point
    if step is None:
        return [_never_turned(review)]
    said = [_turned(review, step)]
    costliest = review.costliest
    if costliest is not None and step.player == CHANCE:
        facts: dict[str, Any] = {
            "number": costliest.number,
            "did": _did(costliest.player, costliest.move),
            "loss": float(costliest.loss),
        }
        best = list(costliest.best)
        said.append(Said("costliest-best", {**facts, "best": best}) if best else Said("costliest-move", facts))
    return said


def _turned(review: Review, step: Step) -> Said:
    before, after = seen_by(step.turn, step)
    chances = {"player": step.turn + 1, "before": float(before), "after": float(after)}
    if step.player == CHANCE:
        where = inside("after-move", number=step.number) if step.number else inside("at-the-start")
        code = "turned-luck-rose" if after > before else "turned-luck-fell"
        return Said(code, {"entry": step.entry, "where": where, **chances})
    facts = {"number": step.number, "did": _did(step.turn, step.entry)}
    if review.game.chance:
        return Said("turned-chance", {**facts, **chances})
    return Said("turned-win" if wins(before) else "turned-draw", facts)


def _did(seat: int, move: str) -> dict[str, Any]:
    return inside("did-resign", player=seat + 1) if move == RESIGNS else inside("did-play", player=seat + 1, move=move)


def _never_turned(review: Review) -> Said:
    if review.outcome is None:
        return Said("nothing-changed")
    if review.outcome.winner is None:
        return Said("never-turned-drawn")
    return Said("never-turned", {"winner": review.outcome.winner + 1})


def accuracy(review: Review) -> Said:
    """How well each played, where 100 is perfect."""
    one, two = (
        inside("accuracy-none", player=player)
        if share is None
        else inside("accuracy-share", player=player, share=round(share))
        for player, share in enumerate(review.accuracy, start=1)
    )
    return Said("accuracy-both", {"one": one, "two": two})


def looked_ahead(ahead: tuple[bool, bool]) -> list[Said]:
    """Of which computer players the moves are not those of their level, because the rules were too large for them."""
    return [Said("looked-ahead", {"player": player}) for player, did in enumerate(ahead, start=1) if did]


def luck_and_skill(review: Review) -> list[Said]:
    """Where the result came from; nothing where no move has been made."""
    if not review.steps:
        return []
    return _by_chance(review) if review.game.chance else _by_decisions(review)


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
    start, end = _points(review.start), _points(review.end)
    one, two = (_points(given) for given in review.given_away)
    # What is shown must add up: the rounding goes to luck, the largest of them.
    luck = round(end - start + one - two, 1)
    said = [Said("began-with", {"player": 1, "chance": start / 100})]
    said.append(Said("gave-away", {"player": 1, "loss": one / 100}) if one else Said("gave-nothing", {"player": 1}))
    helped = {"player": 2, "loss": two / 100, "other": 1}
    said.append(Said("gave-away-helped", helped) if two else Said("gave-nothing", {"player": 2}))
    if luck:
        said.append(Said("luck-gave" if luck > 0 else "luck-took", {"player": 1, "luck": abs(luck) / 100}))
    else:
        said.append(Said("luck-nothing"))
    parts = {"start": start, "one": one, "two": two, "luck": abs(luck), "end": end}
    total = inside("sum-minus" if luck < 0 else "sum-plus", **{name: part / 100 for name, part in parts.items()})
    if review.outcome is None:
        return [*said, Said("sum-stands", {"sum": total})]
    code = {0: "sum-won", 1: "sum-lost", None: "sum-drawn"}[review.outcome.winner]
    return [*said, Said(code, {"sum": total, "player": 1}), _mostly(review)]


def _mostly(review: Review) -> Said:
    one, two = map(float, review.given_away)
    if one + two <= ALIKE:
        return Said("luck-alone")
    # What the mistakes came to in the end, as luck is what it came to: those of both sides cancel each other.
    mistakes, luck = abs(one - two), abs(float(review.luck))
    return Said("more-luck") if luck > mistakes else Said("more-mistakes")


def _points(chance: Value) -> float:
    return round(100 * float(chance), 1)
