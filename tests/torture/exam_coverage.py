"""How often the exam's interval holds the truth: agents that make a right move, and in so many answers another one.

The mean score of such an agent is known exactly. `python -m tests.torture.exam_coverage` prints the table of
docs/exam.md.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple

from numberquest.study.exam.making import published
from numberquest.study.exam.question import Question
from numberquest.study.exam.sitting import Answer, apart, score

SLIPS: Final = (0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2)
SITTINGS: Final = 400
HOLDS: Final = 0.93
ALL: Final = "all"
ROUNDING: Final = 1e-4


def _worst(question: Question) -> float:
    return max(map(question.loss, question.moves))


Loss = Callable[[Question, Random], float]
KINDS: Final[dict[str, tuple[Loss, Callable[[Question], float]]]] = {
    "any": (lambda one, dice: one.loss(dice.choice(one.moves)), lambda one: one.random_loss),
    "worst": (lambda one, _: _worst(one), _worst),
}
"""What a slip costs, and what it costs on average."""


class Cell(NamedTuple):
    """The questions of one agent: its mean score, how often the interval held it, and how wide that was on average."""

    questions: str
    truth: float
    holds: float
    width: float


def cells(slip: float, sittings: int, kind: str = "any", seed: int = 1) -> list[Cell]:
    """Let one agent sit the published exam again and again, and look at all its answers and at those of each game."""
    draw, average = KINDS[kind]
    dice, sat = Random(seed), list[Sequence[Answer]]()
    for _ in range(sittings):
        losses = [(one, draw(one, dice) if dice.random() < slip else 0.0) for one in published().questions]
        sat.append([Answer(one, one.moves[0], loss) for one, loss in losses])
    groups = {ALL: published().questions, **apart(published().questions, lambda one: one.game.slug)}
    found = []
    for name, questions in groups.items():
        own = [[answer for answer in answers if name in (ALL, answer.question.game.slug)] for answers in sat]
        # The score is a sum over the answers, so what each loses on average has the mean score.
        truth = score([Answer(one, one.moves[0], slip * average(one)) for one in questions]).score or 0.0
        ends = [(one.low, one.high) for one in map(score, own) if one.low is not None and one.high is not None]
        held = sum(low - ROUNDING <= truth <= high + ROUNDING for low, high in ends)
        width = sum(high - low for low, high in ends) / sittings
        found.append(Cell(name, truth, held / sittings, width))
    return found


def main() -> None:
    """Print how often each interval held the truth, and how wide it was."""
    for kind in KINDS:
        for slip in SLIPS:
            row = [f"{100 * cell.holds:.1f} ({cell.width:.1f})" for cell in cells(slip, SITTINGS, kind)]
            print("|", " | ".join([kind, f"{100 * slip:g} %", *row]), "|", flush=True)


if __name__ == "__main__":
    main()
