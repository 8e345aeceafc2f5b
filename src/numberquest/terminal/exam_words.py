"""What the terminal and the report both say of an exam."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from numberquest.players import PLAYERS
from numberquest.sentences import percent
from numberquest.wording import either

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.evaluate.exam.question import Question
    from numberquest.evaluate.exam.sitting import Answer

WORST: Final = 10
"""So many of the worst answers are shown."""


def level_scores() -> dict[str, float]:
    """The score that each level gets on average in any exam: its random moves lose what random play loses."""
    return {name: float(100 - level.any_move) for name, level in PLAYERS.items()}


def place(score: float) -> str:
    """Where a score stands among those of the levels."""
    levels = level_scores()
    below = [name for name, one in levels.items() if one <= score]
    above = [name for name, one in levels.items() if one > score]
    if not below:
        return "That is worse than random play."
    if not above:
        return "That is perfect."
    (one, other) = below[-1], above[0]
    return f"On average {one} gets {levels[one]:.0f} and {other} {levels[other]:.0f}."


def worst(answers: Sequence[Answer]) -> list[Answer]:
    """The answers that gave most away: the worst of each game, then the second worst of each, and so on.

    Of those that gave away as much, the one to the easier question is the worse.
    """
    bad = [answer for answer in answers if answer.loss]
    bad.sort(key=lambda answer: (-round(answer.loss or 0, 9), answer.question.missed))
    turns: Counter[str] = Counter()
    in_turn = []
    for answer in bad:
        turns[answer.question.game.slug] += 1
        in_turn.append((turns[answer.question.game.slug], answer))
    return [answer for _, answer in sorted(in_turn, key=lambda pair: pair[0])][:WORST]


def answer_in_words(answer: Answer) -> str:
    """What was answered, and what would have been right."""
    question = answer.question
    right = f"right was {either(question.right)} ({worth_in_words(question, question.right[0])})"
    if answer.move is None:
        return f"no allowed move; {right}"
    if answer.on_average:
        return f"mostly {answer.move}, and on average {percent(answer.loss or 0)} given away; {right}"
    return f"{answer.move} ({worth_in_words(question, answer.move)}); {right}"


def worth_in_words(question: Question, move: str) -> str:
    """What a move is worth, as people say it."""
    value = question.values[move]
    if question.game.chance:
        return percent(value)
    return "wins" if value == 1 else "loses" if value == 0 else "draws"
