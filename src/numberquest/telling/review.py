"""A review in sentences that a twelve-year-old understands, for the terminal, the picture and the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numberquest.contract import CHANCE
from numberquest.solver.solution import ALIKE
from numberquest.telling.names import named
from numberquest.verdicts import RESIGNS, WIN_THROWN_AWAY
from numberquest.wording import in_short

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numberquest.solver.solution import Value
    from numberquest.verdicts import Review, Step, Verdict

MOST_NAMED = 3
"""How many moves are named one by one."""

NO_MOVES = "No move has been made, so there is nothing to review."

Names = tuple[str, str]


class Row(NamedTuple):
    """One line of the table: a move with its verdict, or a reveal with its luck."""

    number: str
    player: str
    move: str
    before: str
    after: str
    verdict: str
    best: str


def per_cent(chance: Value) -> str:
    """A chance in whole per cent; 0 and 100 only where it is certain."""
    if 0 < chance < 0.01:
        return "under 1 %"
    if 0.99 < chance < 1:
        return "over 99 %"
    return f"{round(100 * chance)} %"


def either(moves: Sequence[str]) -> str:
    """Some moves as a choice: `1 or 6`, `2+, 3+, 5+ or 4 others`."""
    if len(moves) > MOST_NAMED:
        # Numbers in a row are short however many they are.
        short = in_short(moves)
        if " to " in short and len(short) <= 20:
            return short
        moves = [*moves[:MOST_NAMED], f"{len(moves) - MOST_NAMED} others"]
    *others, last = moves
    # Cells have a comma of their own.
    between = " or " if any("," in move for move in others) else ", "
    return f"{between.join(others)} or {last}" if others else last


def heading(review: Review) -> str:
    """Which game it was."""
    changes = review.game.changes
    return f"{review.game.title} ({changes})" if changes else review.game.title


def result(review: Review, names: Names) -> str:
    """Who won, and why."""
    if review.outcome is None:
        return "The game is not over yet."
    return f"{names[review.outcome.winner]} won: {named(review.outcome.reason, names)}."


def rows(review: Review, names: Names) -> list[Row]:
    """The table, one row for each move and each reveal. Chances are those of the player in the row."""
    made = iter(review)
    return [_luck_row(step, names) if step.player == CHANCE else _move_row(next(made), names) for step in review.steps]


def _move_row(verdict: Verdict, names: Names) -> Row:
    before, after = per_cent(verdict.before), per_cent(verdict.after)
    best = either(verdict.best) if verdict.loss > ALIKE and verdict.best else ""
    return Row(str(verdict.number), names[verdict.player], verdict.move, before, after, verdict.verdict, best)


def _luck_row(step: Step, names: Names) -> Row:
    before, after = _seen_by(step.turn, step)
    change = round(100 * after) - round(100 * before)
    word = f"luck, {change:+} %" if change else "luck, no change"
    return Row("", names[step.turn], f"({step.entry})", per_cent(before), per_cent(after), word, "")


def _seen_by(seat: int, step: Step) -> tuple[Value, Value]:
    return (step.before, step.after) if seat == 0 else (1 - step.before, 1 - step.after)


def turning_point(review: Review, names: Names, written: Callable[[str], str] = str) -> list[str]:
    """When the game was decided, and which move cost most where that is another one; `written` writes a move."""
    step = review.turning_point
    if step is None:
        return [_never_turned(review, names)]
    before, after = map(per_cent, _seen_by(step.turn, step))
    name = names[step.turn]
    did = _did(name, written(step.entry))
    if step.player == CHANCE:
        where = f"after move {step.number}" if step.number else "at the start"
        change = "rose" if (step.change > 0) == (step.turn == 0) else "fell"
        said = f"luck: {step.entry} came up {where}, and {name}'s chance {change} from {before} to {after}"
    elif not review.game.deck:
        said = f"move {step.number}: {did} and threw the win away"
    else:
        said = f"move {step.number}: {did}, and {name}'s chance fell from {before} to {after}"
    sentences = [f"The turning point was {said}."]
    costliest = review.costliest
    if costliest is not None and step.player == CHANCE:
        worst = _did(names[costliest.player], written(costliest.move))
        cost = f"gave away {per_cent(costliest.loss)}"
        best = f"; best was {either([written(move) for move in costliest.best])}" if costliest.best else ""
        sentences.append(f"The costliest move was move {costliest.number}: {worst} and {cost}{best}.")
    return sentences


def _did(name: str, move: str) -> str:
    return f"{name} resigned" if move == RESIGNS else f"{name} played {move}"


def _never_turned(review: Review, names: Names) -> str:
    if review.outcome is None:
        return "Nothing has changed so far."
    return f"There was no turning point: {names[review.outcome.winner]} could win from the start and never let go."


def accuracy(review: Review, names: Names) -> str:
    """How well each played, where 100 is perfect."""
    said = [
        f"{name} {round(share)}" if share is not None else f"{name} had nothing to get wrong"
        for name, share in zip(names, review.accuracy, strict=True)
    ]
    return f"Accuracy (100 is perfect): {', '.join(said)}."


def luck_and_skill(review: Review, names: Names) -> list[str]:
    """Where the result came from."""
    return _by_chance(review, names) if review.game.deck else _by_decisions(review, names)


def _by_decisions(review: Review, names: Names) -> list[str]:
    could = names[0] if review.start else names[1]
    by = [verdict.player for verdict in review if verdict.verdict == WIN_THROWN_AWAY]
    sentences = [f"{could} could win from the start, whatever the other did."]
    if by:
        sentences.append(f"{names[0]} threw the win away {_times(by.count(0))}, {names[1]} {_times(by.count(1))}.")
    else:
        sentences.append("Nobody threw a win away.")
    return [*sentences, "There is no luck in this game: every change came from a move."]


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _by_chance(review: Review, names: Names) -> list[str]:
    start, end = _points(review.start), _points(review.end)
    lost = [_points(given) for given in review.given_away]
    # What is shown must add up: the rounding goes to luck, the largest of them.
    luck = round(end - start + lost[0] - lost[1], 1)
    one = names[0]
    sentences = [f"{one} began with a chance of {start} %."]
    sentences.append(_gave(one, lost[0], ""))
    sentences.append(_gave(names[1], lost[1], f", which helped {one}"))
    if luck:
        sentences.append(f"Luck gave {one} {luck} %." if luck > 0 else f"Luck took {-luck} % from {one}.")
    else:
        sentences.append("Luck did nothing.")
    sums = f"{start} - {lost[0]} + {lost[1]} {'-' if luck < 0 else '+'} {abs(luck)} = {end}"
    if review.outcome is None:
        return [*sentences, f"{sums}: that is where the game stands."]
    return [*sentences, f"{sums}: {one} {'lost' if review.outcome.winner else 'won'}.", _mostly(review)]


def _gave(name: str, points: float, so: str) -> str:
    return f"{name}'s moves gave away {points} %{so}." if points else f"{name}'s moves gave nothing away."


def _mostly(review: Review) -> str:
    one, two = map(float, review.given_away)
    if one + two <= ALIKE:
        return "Luck alone decided this game."
    # What the mistakes came to in the end, as luck is what it came to: those of both sides cancel each other.
    mistakes, luck = abs(one - two), abs(float(review.luck))
    return "Luck counted for more than mistakes." if luck > mistakes else "Mistakes counted for more than luck."


def _points(chance: Value) -> float:
    return round(100 * float(chance), 1)
