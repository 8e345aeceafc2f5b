"""What somebody has made of the puzzles, on disk: the first answer to each, and the days in a row."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from numberquest.core.files import clear_leftovers, user_folder, write_whole
from numberquest.explain.puzzle import GRADES

_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
FIELDS = {"answers": dict, "days": dict}


class PuzzleScores(NamedTuple):
    """The first answers: by puzzle, its grade if it was right and 0 if not; by day, whether it was right."""

    answers: dict[str, int]
    days: dict[str, bool]

    def with_answer(
        self, puzzle: str, grade: int, right: bool, day: str | None, steps: Sequence[str] = ()
    ) -> PuzzleScores:
        """These and one more answer. Only the first to a puzzle counts; a day, once all its steps are answered."""
        answers = self.answers if puzzle in self.answers else {**self.answers, puzzle: grade if right else 0}
        if day is None or day in self.days or not all(step in answers for step in steps):
            return PuzzleScores(answers, self.days)
        return PuzzleScores(answers, {**self.days, day: all(answers[step] for step in steps or (puzzle,))})

    def streak(self, today: str) -> int:
        """How many days in a row the daily puzzle was solved, up to today; today may still be to come."""
        day = date.fromisoformat(today)
        if today not in self.days:
            day -= timedelta(days=1)
        length = 0
        while self.days.get(day.isoformat()):
            length += 1
            day -= timedelta(days=1)
        return length

    def to_share(self, day: str, steps: Sequence[str]) -> str:
        """A day in signs, which give no answer away; as on the page, where others are right at a later try."""
        signs = "".join("🟢" if self.answers[step] else "🔴" for step in steps)
        streak = self.streak(day)
        return f"Number Quest {day} {signs}{f' ★ {streak} days in a row' if streak > 1 else ''}"

    def in_words(self, today: str) -> str:
        grades = [grade for grade in self.answers.values() if grade]
        solved = [(word, grades.count(grade)) for grade, word in enumerate(GRADES, start=1)]
        by_grade = ", ".join(f"{count} {word}" for word, count in solved if count)
        of_them = f" ({by_grade})" if by_grade else ""
        streak = self.streak(today)
        days = "1 day" if streak == 1 else f"{streak} days"
        return f"Solved so far: {len(grades)} of {len(self.answers)}{of_them}. Daily puzzles in a row: {days}."


def path() -> str:
    return os.path.join(user_folder("XDG_DATA_HOME", ".local", "share"), "puzzles.json")


def load(warn: Callable[[str], None]) -> PuzzleScores | None:
    """The scores so far; a damaged file is put aside. None where one cannot be read, and must not be written over."""
    try:
        return _read()
    except FileNotFoundError:
        return PuzzleScores({}, {})
    except OSError as error:
        warn(f"{path()} cannot be read ({error.strerror}), so this puzzle is not counted.")
        return None
    except (ValueError, RecursionError):
        file, aside = path(), f"{path()}.damaged"
        try:
            os.replace(file, aside)
        except OSError as error:
            warn(f"{file} is damaged and cannot be put aside ({error.strerror}), so this puzzle is not counted.")
            return None
        warn(f"{file} was damaged: it is now {aside}, and the score starts anew.")
        return PuzzleScores({}, {})


def counts_already(puzzle: str) -> bool:
    """Whether there is an answer to this puzzle already; what is wrong with the file is told when one is counted."""
    try:
        return puzzle in _read().answers
    except (OSError, ValueError, RecursionError):
        return False


def keep(scores: PuzzleScores, warn: Callable[[str], None]) -> None:
    """Put the scores on disk, all of them or nothing."""
    file = path()
    text = json.dumps({"answers": scores.answers, "days": scores.days}, indent=1)
    try:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        clear_leftovers(os.path.dirname(file))
        write_whole(file, [text.encode()])
    except OSError as error:
        warn(f"{file} cannot be written ({error.strerror}), so this score is not kept.")


def _read() -> PuzzleScores:
    """The scores that the file says; `ValueError` where it does not say any."""
    with open(path(), "rb") as source:
        data = json.loads(source.read())
    if not isinstance(data, dict) or {name: type(value) for name, value in data.items()} != FIELDS:
        raise ValueError("these are no scores")
    answers, days = data["answers"], data["days"]
    if any(type(grade) is not int or not 0 <= grade <= len(GRADES) for grade in answers.values()):
        raise ValueError("these are no grades")
    if any(type(right) is not bool or not re.fullmatch(_DATE, day) for day, right in days.items()):
        raise ValueError("these are no days")
    return PuzzleScores(answers, days)
