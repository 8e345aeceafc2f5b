"""What a policy is worth, worked out: against the levels as they say themselves, and at worst."""

from collections.abc import Mapping
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.contract import CHANCE, Game
from numberquest.core.errors import UsageError
from numberquest.core.progress import silently
from numberquest.players.levels import PLAYERS
from numberquest.solver import TooLarge, budget
from numberquest.study import exact as module
from numberquest.study.exact import checked_odds, exact
from numberquest.study.levels import chances
from numberquest.study.policy_values import Pair
from tests.conftest import a_few
from tests.own.paper import LOST, WON, die, on_paper, one, two
from tests.study.small import PIG, SMALL, WITHOUT_LOOPS, Odd


def plainly_at_worst(game: Game[Any], policy: Odd, seat: int) -> float:
    """The policy's share against the best that can be done, by looking at every position as it is."""
    known: dict[Any, float] = {}

    def share(p: Any) -> float:
        if p not in known:
            known[p] = follow(p)
        return known[p]

    def follow(p: Any) -> float:
        outcome = game.outcome(p)
        if outcome is not None:
            return outcome.worth(seat)
        after = {move: share(game.play(p, move)) for move in game.moves(p)}
        player = game.player(p)
        if player == CHANCE:
            return sum(float(likely) * after[move] for move, likely in zip(after, game.odds(p), strict=True))
        if player == seat:
            return sum(likely * after[move] for move, likely in policy.odds(game, p).items())
        return min(after.values())

    return share(game.start())


@pytest.mark.parametrize("game", a_few(WITHOUT_LOOPS, 6), ids=repr)
def test_a_best_response_is_what_a_plain_search_finds(game: Game[Any]) -> None:
    found = exact(game, Odd(), silently)
    assert found is not None
    for seat in (0, 1):
        assert found.at_worst[seat] == pytest.approx(plainly_at_worst(game, Odd(), seat))
        assert found.at_worst[seat] <= found.best[seat] + 1e-9
        for shares in found.against.values():
            assert found.at_worst[seat] <= shares[seat] + 1e-9
    assert found.exploitable >= -1e-9


@pytest.mark.parametrize("game", a_few(SMALL, 5), ids=repr)
@pytest.mark.parametrize("name", ["easy", "perfect"])
def test_a_level_is_worth_what_levels_says(game: Game[Any], name: str) -> None:
    found = exact(game, PLAYERS[name], silently)
    assert found is not None
    for other in PLAYERS:
        known = chances(game, [Pair(name, other), Pair(other, name)])
        assert found.against[other] == pytest.approx((known[Pair(name, other)], 1 - known[Pair(other, name)]), abs=1e-6)


@pytest.mark.parametrize("game", a_few(SMALL, 5), ids=repr)
def test_perfect_cannot_be_exploited(game: Game[Any]) -> None:
    found = exact(game, PLAYERS["perfect"], silently)
    assert found is not None
    assert found.exploitable == pytest.approx(0, abs=1e-9)


def test_in_loops_a_best_response_goes_round_for_ever_where_that_is_better() -> None:
    # Player 2 would lose at place 2 and leads back instead; a policy that goes there at times loses in the end.
    game = on_paper(one(1), two(0, 2), WON)
    found = exact(game, Odd(), silently)
    assert found is not None
    assert found.at_worst == (0.5, 0.0)
    rolls = exact(on_paper(die(1, 2), one(0, 3), two(0, 4), WON, LOST), Odd(), silently)
    assert rolls is not None
    assert 0 < rolls.at_worst[0] < 1
    pig = exact(PIG(target=6), Odd(), silently)
    assert pig is not None
    assert pig.at_worst[0] < pig.against["perfect"][0] + 1e-9


def test_who_tells_no_odds_is_not_worked_out_and_what_is_too_large_is_said_to_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = nq.game("sumquest")
    assert exact(game, object(), silently) is None
    for place, bound in ((budget, "MOST_FOLLOWED"), (module, "MOST_MOVES")):
        with monkeypatch.context() as changed:
            changed.setattr(place, bound, 10)
            for policy in (Odd(), PLAYERS["easy"]):
                with pytest.raises(TooLarge):
                    exact(game, policy, silently)


@pytest.mark.parametrize(
    ("odds", "why"),
    [
        ({"1": 0.5}, "add up to 0.5"),
        ({"1": 0.5, "77": 0.5}, "'77', which is no allowed move"),
        ({"1": 1.5, "2": -0.5}, "no probability"),
        ({"1": "much"}, "have failed"),
        (None, "have failed"),
    ],
)
def test_odds_that_are_none_are_refused_with_a_sentence(odds: Mapping[str, Any], why: str) -> None:
    game = nq.game("sumquest")
    with pytest.raises(UsageError, match=why):
        checked_odds(lambda *_: odds, game, game.start())
