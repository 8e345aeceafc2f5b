"""What a puzzle asks is what there is to find."""

from __future__ import annotations

from itertools import islice

import pytest

from numberquest.puzzle import Puzzle, puzzle_game, puzzles
from numberquest.telling import puzzle as words
from numberquest.telling.facts import in_words


def question(puzzle: Puzzle) -> str:
    return in_words(puzzle.game, words.question(puzzle))


@pytest.mark.parametrize("slug", ["fifty", "sumquest"])
def test_without_chance_one_move_wins(slug: str) -> None:
    for puzzle in islice(puzzles(puzzle_game(slug), 1), 10):
        assert len(puzzle.answers) == 1
        assert question(puzzle).endswith(". One move wins, and all others lose. Which?")


def test_where_all_cells_are_alike_it_is_asked_whether_to_open_one() -> None:
    alike = 0
    for puzzle in islice(puzzles(puzzle_game("grid"), 1), 30):
        asked = question(puzzle)
        if len(puzzle.answers) > 1:
            alike += 1
            assert asked.endswith(". One of these is clearly the best: opening a cell, or stand. Which?")
        else:
            assert asked.endswith("Which?")
    assert alike
