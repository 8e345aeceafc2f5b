"""A position as a picture: what differs on the board differs in the picture, there and nowhere else."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numberquest.core.registry import GAMES, game
from numberquest.envs.frame import DOTS, LAMP, PLAYERS, SIGNS, Canvas, frame
from tests.core.test_guessed_view import Lamps
from tests.envs.needs import needed

gymnasium = needed("gymnasium")
SoloEnv = needed("numberquest.envs.gymnasium").SoloEnv

ROOT = Path(__file__).parent.parent.parent
FILES = ("examples/pig.py", "examples/nim.py", "examples/goofspiel.py", "tests/recipes/row.toml")
SIZE = (512, 768, 3)


BOARD = 440
"""So many rows are the board; whose turn it is stands below."""


def box(one: Any, other: Any, tall: int = BOARD) -> tuple[int, int, int, int]:
    """Where two boards differ: the first and last row, the first and last column."""
    rows, columns = np.nonzero((one != other).any(axis=2)[:tall])
    return rows.min(), rows.max(), columns.min(), columns.max()


def drawn(name: str, **changes: Any) -> Any:
    """The picture of the start of a game, with some fields of the position changed."""
    rules = game(name)
    return frame(rules, rules.start()._replace(**changes))


@pytest.mark.parametrize("name", [*GAMES, *(str(ROOT / file) for file in FILES)])
def test_every_position_of_a_game_is_a_picture_of_the_same_size(name: str) -> None:
    frames = gymnasium.wrappers.RenderCollection(SoloEnv(name, render_mode="rgb_array"))
    _, info = frames.reset(seed=1)
    over = False
    dice = np.random.default_rng(1)
    while not over:
        allowed = np.flatnonzero(info["action_mask"])
        _, _, over, _, info = frames.step(int(dice.choice(allowed)))
    pictures = frames.render()
    assert {(picture.shape, picture.dtype) for picture in pictures} == {(SIZE, np.dtype(np.uint8))}
    assert not np.array_equal(pictures[0], pictures[-1])


def test_an_environment_that_is_made_by_its_id_draws() -> None:
    """As Stable-Baselines3 and the wrappers that make videos do it."""
    env = gymnasium.make("numberquest.envs.gymnasium:NumberQuest/Fifty-v0", render_mode="rgb_array", seat=2)
    env.reset(seed=1)
    rules, position = env.unwrapped.game, env.unwrapped.position
    assert np.array_equal(env.render(), frame(rules, position, 1, "The learner is Player 2."))


def test_a_number_that_is_taken_fades_in_its_own_place() -> None:
    full = game("fifty").start().pool
    places = []
    for number in range(1, 10):
        left = list(full)
        left.remove(number)
        places.append(box(drawn("fifty"), drawn("fifty", pool=tuple(left))))
    # One tile each, side by side in a row, from left to right.
    assert len({place[:2] for place in places}) == 1
    assert all(place[3] < following[2] for place, following in pairwise(places))
    both = tuple(number for number in full if number != 4)
    once = tuple(sorted((*both, 4)))
    # The other copy lies above it.
    first, second = (
        box(drawn("fifty"), drawn("fifty", pool=once)),
        box(drawn("fifty", pool=once), drawn("fifty", pool=both)),
    )
    assert first[2:] == second[2:]
    assert second[1] < first[0]


def test_a_score_moves_along_its_own_track_up_to_the_target() -> None:
    start = drawn("fifty")
    first, second = box(start, drawn("fifty", scores=(30, 0))), box(start, drawn("fifty", scores=(0, 30)))
    assert first[1] < second[0]
    middle = (first[0] + first[1]) // 2
    ends = []
    for score in (10, 25, 50, 99):
        row = drawn("fifty", scores=(score, 0))[middle]
        # The bar, without the mark before it.
        filled = np.flatnonzero((row == PLAYERS[0]).all(axis=1)[60:]) + 60
        begin, end = filled.min(), filled.max()
        ends.append(end - begin)
    assert ends[0] / ends[2] == pytest.approx(0.2, abs=0.02)
    assert ends[1] / ends[2] == pytest.approx(0.5, abs=0.02)
    # What is past the target is at its end.
    assert ends[3] == ends[2]


@pytest.mark.parametrize(("name", "value"), [("grid", 7), (str(ROOT / "tests" / "recipes" / "row.toml"), 1)])
def test_a_cell_changes_in_its_row_and_column(name: str, value: int) -> None:
    rules = game(name)
    empty = rules.start().cells
    places = []
    for at in range(9):
        cells = (*empty[:at], value, *empty[at + 1 :])
        places.append(box(frame(rules, rules.start()), frame(rules, rules.start()._replace(cells=cells))))
    for at, (_, bottom, _, right) in enumerate(places):
        for other, (above, _, before, _) in enumerate(places):
            assert (at // 3 < other // 3) == (bottom < above)
            assert (at % 3 < other % 3) == (right < before)


def test_the_marks_of_the_players_differ_in_shape_and_not_in_colour_alone() -> None:
    shapes = []
    for player in (0, 1):
        canvas = Canvas()
        canvas.mark(0, 0, 40, player)
        assert tuple(canvas.dots[20, 20]) == PLAYERS[player]
        shapes.append((canvas.dots != Canvas().dots).any(axis=2)[:40, :40])
    assert not np.array_equal(*shapes)
    row = game(str(ROOT / "tests" / "recipes" / "row.toml"))
    one, two = (frame(row, row.start()._replace(cells=(player, *[0] * 8))) for player in (1, 2))
    assert not np.array_equal(one, two)


def test_whose_turn_it_is_stands_below_the_board() -> None:
    top, _, left, _ = box(drawn("sumquest", player=0), drawn("sumquest", player=1), SIZE[0])
    assert top > BOARD
    # The mark of whoever is to move stands before the sentence.
    assert left < 40


def test_a_lamp_that_is_on_shines() -> None:
    rules = Lamps()
    on = rules.start()._replace(lamps=(0, 1, *rules.start().lamps[2:]))
    top, bottom, left, right = box(frame(rules, rules.start()), frame(rules, on))
    shines = (frame(rules, on) == LAMP).all(axis=2)
    assert shines[(top + bottom) // 2, (left + right) // 2]
    assert not (frame(rules, rules.start()) == LAMP).all(axis=2).any()


def test_a_secret_is_in_the_picture_of_whoever_knows_it_alone() -> None:
    rules = game(str(ROOT / "examples" / "goofspiel.py"))
    p = rules.play(rules.start(), "4")
    one, other = rules.play(p, "1"), rules.play(p, "2")
    assert not np.array_equal(frame(rules, one, 0), frame(rules, other, 0))
    assert np.array_equal(frame(rules, one, 1), frame(rules, other, 1))
    assert np.array_equal(frame(rules, one), frame(rules, other))


def test_every_letter_of_a_picture_is_another_one() -> None:
    assert len(DOTS) == 5 * len(SIGNS)
    canvases = []
    for sign in f"{SIGNS} …":
        canvas = Canvas()
        canvas.text(0, 0, sign)
        canvases.append(canvas.dots.tobytes())
    assert len(set(canvases)) == len(SIGNS) + 2


@pytest.mark.parametrize("settings", [{"high": 9, "copies": 4}, {"high": 2, "copies": 1}])
def test_however_many_tiles_there_are_they_fit(settings: dict[str, int]) -> None:
    rules = game("fifty", **settings)
    gone = frame(rules, rules.start()._replace(pool=(1,)))
    top, _, _, right = box(frame(rules, rules.start()), gone)
    assert top > 150
    assert right < SIZE[1] - 20
    # The last row of dots above the line with whose turn it is: no tile reaches into it.
    assert (frame(rules, rules.start())[BOARD] == frame(rules, rules.start())[BOARD, 0]).all()
