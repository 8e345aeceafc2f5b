"""Between levels a game with secrets is followed stage by stage, which comes to the same as all that can happen."""

from functools import partial

import pytest

from numberquest.core.contract import Game
from numberquest.core.progress import silently
from numberquest.players.levels import PLAYERS
from numberquest.solver import TooLarge
from numberquest.study import secret_values
from numberquest.study.secret_values import Policy, at_worst, between, level_policy
from tests.own.secret_games import Bids, Kuhn
from tests.strategies import SECRET_KINDS

GOOFSPIEL, DICE = SECRET_KINDS


def unlike(policy: Policy) -> Policy:
    """The same odds, of somebody of whom nobody knows how far they look back."""
    return partial(policy)


@pytest.mark.parametrize("game", [Bids(), Kuhn(), GOOFSPIEL(cards=2), DICE(faces=2)], ids=lambda game: game.slug)
def test_levels_are_followed_from_each_position_that_everybody_knows_once(game: Game[object]) -> None:
    levels = [level_policy(game, name) for name in PLAYERS]
    apart = between(game, levels, levels, silently)
    whole = between(game, [unlike(one) for one in levels], [unlike(one) for one in levels], silently)
    for row, whole_row in zip(apart, whole, strict=True):
        for cell, whole_cell in zip(row, whole_row, strict=True):
            assert cell == pytest.approx(whole_cell, abs=1e-9)
    for level in levels:
        assert at_worst(game, level, silently)[0] == at_worst(game, unlike(level), silently)[0]


def test_a_game_of_many_courses_and_few_positions_is_not_too_large_for_its_levels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    levels = [level_policy(Bids(), name) for name in PLAYERS]
    monkeypatch.setattr(secret_values, "MOST", 250)
    alike = between(Bids(), levels, levels, silently)[-1][-1]
    assert alike.first + alike.draw / 2 == pytest.approx(0.5)
    with pytest.raises(TooLarge):
        between(Bids(), [unlike(levels[0])], levels, silently)
