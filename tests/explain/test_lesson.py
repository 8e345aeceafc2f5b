"""Every game can be learnt by playing it: the steps are what the rules say, and lead on."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.contract import CHANCE, Game
from numberquest.core.play_out import positions_of
from numberquest.core.registry import GAMES, kind_in
from numberquest.explain.lesson import Step, lesson, offered, right
from numberquest.server.think.messages import lesson_message
from tests.parts import having

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
EVERY: dict[str, Game[Any]] = {
    **{slug: nq.game(slug) for slug in GAMES.own},
    **{slug: kind_in(str(EXAMPLES / f"{slug}.py"))() for slug in ("nim", "pig")},
    "changed": nq.game("sumquest", target=30),
}


def walked(game: Game[Any], entries: tuple[str, ...]) -> None:
    p = game.start()
    for entry in entries:
        assert entry in game.moves(p), (entries, entry)
        p = game.play(p, entry)


@pytest.mark.parametrize("slug", EVERY)
def test_a_lesson_keeps_the_rules_and_has_four_to_six_steps_with_the_end(slug: str) -> None:
    game = EVERY[slug]
    steps = lesson(game)
    # The page adds the last one, from which a game is begun.
    assert 3 <= len(steps) <= 5
    assert sum(bool(step.right) for step in steps) >= 2
    for step in steps:
        walked(game, step.after)
        p = positions_of(game, step.after)[-1]
        if not step.right:
            continue
        assert game.player(p) != CHANCE
        assert set(right(game, p, step)) <= set(offered(game, p, step)) <= set(game.moves(p))
        assert right(game, p, step)
        for move in right(game, p, step):
            walked(game, (*step.after, move, *step.shows))


@pytest.mark.parametrize("slug", EVERY)
def test_what_is_to_be_found_can_be_found_and_can_be_missed(slug: str) -> None:
    game = EVERY[slug]
    for step in lesson(game):
        if step.right not in ("wins", "safe"):
            continue
        p = positions_of(game, step.after)[-1]
        found = right(game, p, step)
        assert 0 < len(found) < len(game.moves(p))
        for move in game.moves(p):
            outcome = game.outcome(game.play(p, move))
            wins = outcome is not None and outcome.winner == game.player(p)
            loses = outcome is not None and outcome.winner == 1 - game.player(p)
            assert (move in found) == (wins if step.right == "wins" else not loses)


@pytest.mark.parametrize("slug", having("lesson.py"))
def test_a_step_that_goes_on_from_the_one_before_shows_what_was_done_there(slug: str) -> None:
    game = nq.game(slug)
    steps = lesson(game)
    for step, following in pairwise(steps):
        done = len(step.after)
        if not step.right or following.after[:done] != step.after or len(following.after) == done:
            continue
        went_on = following.after[done : done + 1 + len(step.shows)]
        # Whatever was chosen, such as a cell of the grid, stands on the board as it was chosen.
        assert {(move, *step.shows) for move in right(game, positions_of(game, step.after)[-1], step)} == {went_on}


@pytest.mark.parametrize("slug", having("lesson.py"))
def test_a_lesson_beside_the_rules_has_words_of_its_own(slug: str) -> None:
    assert all(isinstance(step.words, str) for step in lesson(nq.game(slug)))


@pytest.mark.parametrize(
    ("slug", "numbers"), [("sumquest", "19 + 4 = 23"), ("fifty", "48 + 2 = 50"), ("mystic", "17 + 4 = 21")]
)
def test_the_sums_that_are_told_are_those_on_the_board(slug: str, numbers: str) -> None:
    game = nq.game(slug)
    step = next(step for step in lesson(game) if numbers in str(step.then))
    p = positions_of(game, step.after)[-1]
    had, has = numbers.split(" ", maxsplit=1)[0], numbers.rsplit(" ", maxsplit=1)[-1]
    (move,) = right(game, p, step)
    for number, position in ((had, p), (has, game.play(p, move))):
        values = (
            getattr(position, "total", None) or getattr(position, "scores", None) or getattr(position, "totals", ())
        )
        assert int(number) in (values if isinstance(values, tuple) else (values,))


def test_changed_rules_have_a_lesson_that_is_found_by_playing() -> None:
    assert not any(isinstance(step.words, str) for step in lesson(EVERY["changed"]))


def test_the_message_does_not_say_beforehand_which_move_wins() -> None:
    for slug in GAMES.own:
        for step in lesson_message(slug).steps:
            assert all(option.ends is None for option in step.moves)
            assert [answer.move for answer in step.answers if not answer.right or answer.board is not None] == [
                answer.move for answer in step.answers
            ]


def test_a_step_without_moves_is_only_to_be_looked_at() -> None:
    game = nq.game("sumquest")
    assert offered(game, game.start(), Step("Look.")) == ()
