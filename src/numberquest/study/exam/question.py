"""One question of an exam, and how questions are written down: a line of JSON each."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from numberquest.core.contract import Game
from numberquest.solver.solution import ALIKE
from numberquest.study.row import certain

GRADES: Final = 5
"""From 1, the easiest fifth of the questions of a rule set, to 5, the hardest."""
DIGITS: Final = 12
"""Digits behind the point of a written value; further digits are rounding errors."""


class Question(NamedTuple):
    """A position, and what each move allowed there is worth to the player to move."""

    id: str
    game: Game[Any]
    history: tuple[str, ...]
    position: Any
    values: Mapping[str, float]
    """Each allowed move, in the game's order, with the chance of winning after it under best play."""
    grade: int
    missed: float
    """How often those who look 0, 1, 2 and 3 moves ahead miss the right moves, on average."""

    @property
    def player(self) -> int:
        """Return the player to move: 0 or 1."""
        return self.game.player(self.position)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves allowed there."""
        return tuple(self.values)

    @property
    def value(self) -> float:
        """The chance of winning with a best move: all that can be lost."""
        return max(self.values.values())

    @property
    def right(self) -> tuple[str, ...]:
        """The moves that nothing is better than."""
        value = self.value
        return tuple(move for move, worth in self.values.items() if worth >= value - ALIKE)

    def loss(self, move: str) -> float:
        """Return the chance of winning that a move gives away."""
        lost = self.value - self.values[move]
        return lost if lost > ALIKE else 0.0

    @property
    def random_loss(self) -> float:
        """Return the mean loss of all moves, each as likely: computed, not sampled."""
        return mean_loss(tuple(self.values.values()))

    @property
    def random_square(self) -> float:
        """Return the mean square of the losses of all moves: over `random_loss`, the size of a slip at random."""
        value = self.value
        return sum((value - worth) ** 2 for worth in self.values.values()) / len(self.values)


def mean_loss(values: Sequence[float]) -> float:
    """Return the mean loss of all moves, each as likely."""
    return max(values) - sum(values) / len(values)


@dataclass(frozen=True, eq=False)
class Exam:
    """Some questions, where they come from, and a hash that nothing else has."""

    questions: Sequence[Question]
    version: int
    seed: str | None
    """None where it is the published one."""
    disguise: int | None = None
    """None where it is told as it is."""

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of the lines that the questions are written down in."""
        return hash_of(map(line, self.questions))


def hash_of(lines: Iterable[str]) -> str:
    """The SHA-256 of lines of text."""
    from hashlib import sha256

    return sha256("".join(lines).encode()).hexdigest()


def line(question: Question) -> str:
    """The question and its key as one line of JSON; values stand in the order of the moves, and so need no names."""
    said = {
        "id": question.id,
        "settings": dict(question.game.changed),
        "after": list(question.history),
        "grade": question.grade,
        "missed": question.missed,
        "values": list(map(certain, question.values.values())),
    }
    return json.dumps(said, separators=(",", ":")) + "\n"


def read(text: str, kind: type[Game[Any]]) -> Question:
    """The question in such a line, of this game."""
    said = json.loads(text)
    game = kind(**said["settings"])
    position = game.start()
    for entry in said["after"]:
        position = game.play(position, entry)
    values = dict(zip(game.moves(position), map(float, said["values"]), strict=True))
    return Question(said["id"], game, tuple(said["after"]), position, values, said["grade"], said["missed"])


def rounded(value: object) -> float:
    """A value of the solver's as it stands in the key."""
    return round(float(value), DIGITS)  # type: ignore[arg-type]
