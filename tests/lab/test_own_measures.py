"""Games that are measured in arrays of their own come to the same as from their positions one by one."""

from __future__ import annotations

from typing import Any

import pytest

import numberquest as nq
from numberquest.contract import Game
from numberquest.games import part
from numberquest.lab import walk
from numberquest.lab.kept_measures import kept_path
from numberquest.lab.measures import Study, measure
from numberquest.lab.mixed import Pair
from numberquest.lab.walk import GeneralWalk, Positions
from numberquest.solver import solve

PAIRS = [Pair("perfect", "perfect"), Pair("random", "hard"), Pair("medium", "medium"), Pair("random", "random")]
GAMES = [
    nq.game("fifty", target=10, high=3, copies=2),
    nq.game("fifty", target=12, high=4, copies=1, ops="+-"),
    nq.game("fifty", target=9, high=3, copies=1, ops="+"),
    nq.game("mystic", target=7, high=3, copies=2),
    nq.game("mystic", target=9, high=4, copies=1),
    nq.game("mystic", target=4, high=2, copies=3),
]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_arrays_come_to_the_same_as_positions_one_by_one(game: Game[Any]) -> None:
    positions = Positions(game, [game.start()], lambda *_: None)
    study = Study(game)
    assert hasattr(part(type(game), "measures"), "walked")
    for pair in PAIRS:
        own, general = study.walked(pair), GeneralWalk(positions, pair)
        for name, value in general.flow._asdict().items():
            assert getattr(own.flow, name) == pytest.approx(value, abs=1e-7), (pair, name)
        first = [game.start()]
        if game.chance:
            first = [game.play(first[0], move) for move in game.moves(first[0])]
        after = [game.play(before, move) for before in first for move in game.moves(before)]
        for p in (game.start(), *after):
            if game.outcome(p) is None:
                assert own.share(p) == pytest.approx(general.share(p))
                assert own.best(p) == pytest.approx(general.best(p)) == float(solve(game).value_for(0, p))


def test_predictions_that_win_alike_are_taken_together_and_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    game = nq.game("showdown", high=3, picks=2)
    pair = Pair("medium", "easy")
    together = Study(game).walked(pair)
    monkeypatch.setattr(walk, "alike_of", lambda _: lambda p: p)
    apart = Study(game).walked(pair)
    assert together.positions < apart.positions / 10
    assert together.flow == pytest.approx(apart.flow)


def test_what_took_long_is_kept_and_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = nq.game("grid", side=2, target=5)
    with monkeypatch.context() as changed:
        changed.setattr("numberquest.lab.measures.LONG", -1.0)
        found = measure(game, ("hard", "easy"))
        again = measure(game, ("easy", "hard"))
        changed.setattr(Study, "walked", None)
        assert measure(game, ("hard", "easy")) == found
        assert measure(game, ("easy", "hard")) == again
    with open(kept_path(game), "w") as file:
        file.write('{"rules": 3}')
    assert measure(game, ("hard", "easy")) == found
