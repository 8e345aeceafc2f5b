"""Games that were written for Gymnasium: what they remember is the position, what they draw is a reveal."""

import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.cli import main
from numberquest.core.contract import CHANCE
from numberquest.core.gym_game import frozen, kind_of
from numberquest.core.laws import check, report
from numberquest.core.registry import files_in
from numberquest.terminal.commands.imported import import_report

TAKE_AWAY = "gym:examples/take_away.py"
# A row of two cells on arrays; who fills the second wins, after a die has been thrown at every move.
CELLS = """
import random
from random import gauss, randint
import numpy as np
from numpy.random import Generator, default_rng as drawing

class Space:
    n = 2

class Cells:
    action_space = Space()
    def __init__(self):
        self.reset()
    def reset(self, seed=None, options=None):
        self.board = np.zeros(2, dtype=np.int8)
        self.view = self.board
        self.current_player = FIRST
        return self.board, {}
    def step(self, action):
        self.board[action] = 1
        self.thrown = THROW
        won = bool(self.board.all()) and bool(self.thrown)
        over = bool(self.board.all())
        self.current_player = 1 - self.current_player
        return self.board, 1 if won else 0, over, False, {}
    def valid_moves(self):
        return [int(at) for at in np.flatnonzero(self.view == 0)]
"""


@pytest.fixture(autouse=True)
def _registry_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nq.GAMES, "_brought", {})


def cells(folder: Path, throw: str, first: str = "0") -> nq.Game[Any]:
    """That game, with what is thrown and who begins."""
    file = folder / "cells.py"
    file.write_text(CELLS.replace("THROW", throw).replace("FIRST", first))
    return kind_of(f"gym:{file}")()


def refusal(folder: Path, text: str, name: str = "") -> str:
    file = folder / "wrong.py"
    file.write_text(text)
    with pytest.raises(nq.BadGame) as error:
        kind_of(f"gym:{file}{name}")
    return str(error.value).removeprefix(f"{file}: ")


def test_a_file_for_gymnasium_stands_where_a_game_does() -> None:
    game = nq.game(TAKE_AWAY)
    solution = nq.solve(game)
    # Known of old: a heap that four divides is lost.
    assert solution.value(game.start()) == 1
    assert solution.best(game.start()) == ["2"]
    match = nq.Match(game, seed=1)
    for move in ("2", "3", "1"):
        match.play(move)
    assert solution.value(match.position) == 0
    match.play("1")
    match.play("3")
    assert match.outcome == (0, "won", {})


def test_equal_objects_are_one_position(tmp_path: Path) -> None:
    game = cells(tmp_path, "True")
    p = game.start()
    one, other = (game.play(game.play(p, first), second) for first, second in (("0", "1"), ("1", "0")))
    assert one == other
    assert hash(one) == hash(other)
    # What was played from it has not changed it: its rows are copied, and names of one row stay names of one row.
    assert game.moves(p) == ("0", "1")
    assert game.moves(game.play(p, "0")) == ("1",)
    assert pickle.loads(pickle.dumps(game)) == game  # noqa: S301
    assert pickle.loads(pickle.dumps(p)) == p  # noqa: S301


@pytest.mark.parametrize(
    ("throw", "odds"),
    [
        ("random.randint(0, 3)", Fraction(3, 4)),
        ("np.random.randint(0, 3)", Fraction(2, 3)),
        ("np.random.choice([0, 1], p=[0.25, 0.75])", Fraction(3, 4)),
        # What has no chance at all is no reveal.
        ("np.random.choice([0, 0, 1], p=[0.25, 0, 0.75])", Fraction(3, 4)),
        ("max(np.random.choice(3, 2, False, [0.5, 0.25, 0.25])) - 1", Fraction(7, 12)),
        ("randint(0, 3)", Fraction(3, 4)),
        ("drawing(3).permutation(3)[0]", Fraction(2, 3)),
        ("np.random.default_rng(3).permutation(3)[0]", Fraction(2, 3)),
        ("sum(random.sample([0, 0, 1], 2))", Fraction(2, 3)),
    ],
)
def test_what_is_drawn_is_a_reveal(tmp_path: Path, throw: str, odds: Fraction) -> None:
    game = cells(tmp_path, throw)
    check(type(game), "cells")
    assert game.player(game.play(game.start(), "0")) == CHANCE
    # The second throw decides; where it does not win, nobody has won.
    assert nq.solve(game).value_for(1, game.start()) == Fraction(1, 2) + odds / 2


def test_who_begins_may_be_drawn(tmp_path: Path) -> None:
    game = cells(tmp_path, "True", "random.choice([0, 1])")
    p = game.start()
    assert (game.player(p), game.moves(p)) == (CHANCE, ("1", "2"))
    # Whoever it is, is called Player 1.
    assert [game.player(game.play(p, reveal)) for reveal in game.moves(p)] == [0, 0]
    assert nq.solve(game).value_for(1, p) == 1


def test_an_allowed_move_that_costs_always_the_same_loses_nothing(tmp_path: Path) -> None:
    game = cells(tmp_path, "0", "0")
    assert nq.solve(game).value(game.start()) == Fraction(1, 2)
    file = tmp_path / "costly.py"
    file.write_text(CELLS.replace("THROW", "0").replace("FIRST", "0").replace("1 if won else 0", "-10"))
    assert nq.solve(kind_of(f"gym:{file}")()).value(game.start()) == Fraction(1, 2)
    file = tmp_path / "losing.py"
    file.write_text(CELLS.replace("THROW", "0").replace("FIRST", "0").replace("1 if won else 0", "-1 if over else 0"))
    assert nq.solve(kind_of(f"gym:{file}")()).value(game.start()) == 1


def test_the_laws_of_every_game_hold(tmp_path: Path) -> None:
    cells(tmp_path, "random.randint(0, 3)")
    for path in (TAKE_AWAY, f"gym:{tmp_path}/cells.py"):
        check(kind_of(path), path)
        assert report(path, kind_in=kind_of)[1]


def test_a_wrong_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    shape = "a class with reset, step and valid_moves"
    assert refusal(tmp_path, "x = 1") == f"it does not hold {shape}"
    assert refusal(tmp_path, "x = 1", ":Cells") == f"there is no Cells in it that is {shape}"
    two = tmp_path / "two.py"
    two.write_text(CELLS.replace("THROW", "0").replace("FIRST", "0") + "\nclass Other(Cells):\n    pass\n")
    with pytest.raises(nq.BadGame, match=r"two\.py: say which one is meant: gym:.*two\.py:Cells or gym:.*:Other"):
        kind_of(f"gym:{two}")
    assert kind_of(f"gym:{two}:Other").title == "two.py (Other)"
    (tmp_path / "wide.py").write_text(CELLS.replace("THROW", "0").replace("FIRST", "random.gauss(0, 1)"))
    with pytest.raises(nq.BadGame, match=r"wide\.py: it calls random\.gauss, and what can come of that cannot"):
        kind_of(f"gym:{tmp_path}/wide.py")
    (tmp_path / "alone.py").write_text(CELLS.replace("THROW", "0").replace("FIRST", "gauss(0, 1)"))
    with pytest.raises(nq.BadGame, match=r"alone\.py: it calls random\.gauss, and what can come of that cannot"):
        kind_of(f"gym:{tmp_path}/alone.py")
    (tmp_path / "broken.py").write_text(CELLS.replace("THROW", "0").replace("FIRST", "[][1]"))
    with pytest.raises(nq.BadGame, match=r"broken\.py: it does not begin: line 17, in reset: IndexError"):
        kind_of(f"gym:{tmp_path}/broken.py")


def test_import_says_what_it_has_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", TAKE_AWAY.removeprefix("gym:")]) == 0
    assert capsys.readouterr().out == (
        "take_away.py (TakeAway)\n\n20 positions.\nNothing is left to chance.\n"
        "The same moves always come to the same.\n"
        "No position comes twice in a game.\nEnds: 1 won by Player 1, 1 by Player 2, 0 by nobody.\n"
        "With best play Player 1 wins, in 5 moves.\n"
    )
    thrown = import_report(cells(tmp_path, "random.randint(0, 1)"), 25).figures
    assert (thrown["chance"], thrown["deterministic"], thrown["exact"]) == (True, True, "1/4")
    slow = import_report(nq.game(TAKE_AWAY), -1)
    assert (slow.figures["complete"], slow.figures["positions"]) == (False, 1)


@pytest.mark.parametrize(
    ("name", "old", "new", "found"),
    [
        (
            "raises",
            "self.thrown = THROW",
            "[][action]",
            {"raises": "line 21, in step: IndexError: list index out of range"},
        ),
        ("another", "self.thrown = THROW", "self.thrown = id(object()) + hash(object())", {}),
        (
            "circles",
            "over = bool(self.board.all())",
            "over = False; self.board[:] = 0",
            {"repeats": True, "value": 0.5},
        ),
    ],
)
def test_import_finds_what_is_strange(tmp_path: Path, name: str, old: str, new: str, found: dict[str, Any]) -> None:
    text = CELLS.replace(old, new).replace("THROW", "0").replace("FIRST", "0")
    if name == "another":
        text = text.replace("import random", "import random\nfrom itertools import count\ncounter = count()")
        text = text.replace("id(object()) + hash(object())", "next(counter)")
    (tmp_path / f"{name}.py").write_text(text)
    figures = import_report(kind_of(f"gym:{tmp_path}/{name}.py")(), 25).figures
    assert found.items() <= figures.items()
    assert figures["deterministic"] is (name == "circles")


def test_import_looks_twice_at_nothing_that_it_had_no_time_for(tmp_path: Path) -> None:
    game = cells(tmp_path, "[][action]")
    assert not import_report(game, -1).figures["complete"]


def test_our_players_play_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", TAKE_AWAY, "perfect", "--against", "perfect", "--deals", "3", "--json"]) == 0
    assert '"regret": 0.0' in capsys.readouterr().out
    assert main(["--with", TAKE_AWAY, "match", "take_away", "perfect", "random", "-n", "4", "--seed", "1"]) == 0


def test_files_in_a_variable_may_be_of_either_kind() -> None:
    text = "a/nim.py:gym:/b/env_1.py:CustomEnv:gym:c.py:last.py"
    assert files_in(text) == ["a/nim.py", "gym:/b/env_1.py:CustomEnv", "gym:c.py", "last.py"]
    assert files_in("") == []


def test_what_is_the_same_is_frozen_alike() -> None:
    import numpy as np

    class Counter:
        def __init__(self, left: list[int]) -> None:
            self.left = left

    class Row(list[int]):
        pass

    for one, same, other in (
        ({"a": 1, "b": {1, 2}}, {"b": {2, 1}, "a": 1}, {"a": 1, "b": {1, 3}}),
        (np.array([1, 2]), np.array([1, 2]), np.array([[1], [2]])),
        ([Counter([1])], [Counter([1])], [Counter([2])]),
        (Row([1]), Row([1]), Row([2])),
    ):
        assert frozen(one) == frozen(same) != frozen(other)
        assert hash(frozen(one)) == hash(frozen(same))
