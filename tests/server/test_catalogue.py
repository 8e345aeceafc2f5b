"""What a newcomer is told of a game is true of it."""

from __future__ import annotations

import pytest

import numberquest as nq
from numberquest.core.registry import GAMES
from numberquest.server.think.catalogue import glance
from numberquest.solver.proved import no_choice_matters
from tests.conftest import in_ci


@in_ci
@pytest.mark.parametrize("slug", GAMES.own)
def test_most_games_have_as_many_turns_as_is_told(slug: str) -> None:
    game = nq.game(slug)
    low, high = glance(game, nq.solve(game)).turns
    assert 1 <= low <= high <= game.bound


@in_ci
@pytest.mark.parametrize("slug", GAMES.own)
def test_there_is_luck_exactly_where_something_is_hidden_and_nothing_else_where_no_choice_matters(slug: str) -> None:
    game = nq.game(slug)
    solution = nq.solve(game)
    luck = glance(game, solution).luck
    assert luck is not None
    assert (luck > 0) == bool(game.chance)
    if game.chance:
        assert (luck == pytest.approx(1)) == no_choice_matters(solution)


def test_several_moves_of_one_player_are_one_turn() -> None:
    # A prediction and the number after it.
    game = nq.game("showdown", high=3)
    assert glance(game, nq.solve(game)).turns == (3, 3)


def test_of_rules_that_nobody_has_solved_the_luck_is_not_known_unless_there_is_none() -> None:
    assert glance(nq.game("mystic"), None).luck is None
    assert glance(nq.game("fifty"), None).luck == 0


def test_the_same_is_told_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    # A busy machine is given the time for all of them.
    monkeypatch.setattr("numberquest.server.think.catalogue.PLAYING", 100.0)
    game = nq.game("mystic")
    assert glance(game, nq.solve(game)) == glance(game, nq.solve(game))
