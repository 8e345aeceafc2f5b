"""Without a view, fields of a position are shown as what they seem to be, and `check` says what a view would add."""

from typing import Any, NamedTuple

import pytest

import numberquest as nq
from numberquest.core.laws import report
from numberquest.core.view import looks, progress_of, shown, view_of
from numberquest.server.boards import Shown
from tests.own.files import FOLDER
from tests.own.pig import Pig
from tests.own.row import Row


class Place(NamedTuple):
    scores: tuple[int, int]
    lamps: tuple[int, ...]
    mover: int
    left: int


class Lamps(nq.Game[Place]):
    """Turning lamps on earns a point each."""

    slug = "lamps"
    title = "Lamps"
    summary = "Turn lamps on."
    rules = "In turns turn on a lamp; whoever turns on the last one wins."
    actions = ("a", "b", "c", "d")
    longest = 4

    target: int = nq.whole(3, 1, 9, "the points to reach")

    def start(self) -> Place:
        return Place((0, 0), (0,) * 4, 0, 4)

    def player(self, p: Place) -> int:
        return p.mover

    def moves(self, p: Place) -> tuple[str, ...]:
        return tuple(move for move, lamp in zip(self.actions, p.lamps, strict=True) if not lamp)

    def play(self, p: Place, move: str) -> Place:
        at = self.actions.index(move)
        scores = (p.scores[0] + (p.mover == 0), p.scores[1] + (p.mover == 1))
        return Place(scores, (*p.lamps[:at], 1, *p.lamps[at + 1 :]), 1 - p.mover, p.left - 1)

    def outcome(self, p: Place) -> nq.Outcome | None:
        return None if p.left else nq.Outcome(1 - p.mover, "turned on the last one")


def kinds(game: nq.Game[Any]) -> dict[str, str]:
    return {field.name: field.kind for field in view_of(game)}


def test_scores_lamps_and_who_moves_are_guessed_and_a_track_where_there_is_a_target() -> None:
    game = Lamps(target=5)
    assert kinds(game) == {"scores": "scores", "lamps": "cells", "mover": "turn", "left": "plain"}
    assert shown(game, game.start())["lamps"] == [None] * 4
    scores, lamps, *_ = looks(game)
    assert (scores["target"], lamps["marks"], lamps["wide"]) == (5, "lamps", 2)
    progress = progress_of(game)
    assert progress is not None
    assert progress.target == 5


def test_who_moves_is_guessed_in_a_game_with_a_die_too() -> None:
    bare: Any = type("Bare", (Pig,), {"view": ()})
    assert kinds(bare())["mover"] == "turn"


def test_scores_that_may_be_missing_such_as_predictions_are_not_on_their_way_to_a_target() -> None:
    assert progress_of(nq.game("showdown")) is None


def test_who_it_is_is_seen_from_each_player_and_nobody_is_neither() -> None:
    game: Any = nq.game("showdown")
    (who,) = (field for field in view_of(game) if field.kind == "who")
    read, before = who.reader(game), game.start()
    after = game.play(before, "predict 45")
    assert [tuple(read(p, player)) for p in (before, after) for player in (0, 1)] == [(0,), (0,), (1,), (2,)]


def test_marks_are_the_players_and_each_move_tells_the_cell_that_it_changes() -> None:
    bare: Any = type("Bare", (Row,), {"view": ()})
    for kind in (Row, bare):
        game: Any = kind()
        (cells,) = looks(game)
        assert (cells["kind"], cells["marks"], cells["wide"]) == ("cells", "players", 3)
        options = Shown(game).options(game.play(game.start(), "b2"))
        assert [(option.move, option.facts["cell"]) for option in options][3:5] == [("a2", 3), ("c2", 5)]


@pytest.mark.parametrize("slug", nq.GAMES.own)
def test_games_that_declare_a_view_are_seen_as_declared(slug: str) -> None:
    game = nq.game(slug)
    assert view_of(game) == game.view
    assert not any(one.get("marks") for one in looks(game))


def test_check_says_what_a_view_would_add_and_nothing_where_there_is_one() -> None:
    bare, declared = (report(str(FOLDER / name))[0] for name in ("switch.py", "row.py"))
    assert "on as plain numbers, player as whose turn it is, and left out." in bare[-2]
    assert bare[-1].startswith("A view adds what they are called")
    assert not any("view" in line for line in declared[-2:])
