"""What earns a star is one rule for all games, and it says so where a level cannot be beaten."""

import pytest

import numberquest as nq
from numberquest.core.contract import in_words
from numberquest.explain.ladder import Ladder, counts, in_facts, ladder
from tests.explain.test_facts import SMALL
from tests.own.row import Row

DRAWN = Ladder(seats=(0, 1), beatable=False, luck=False)


@pytest.mark.parametrize("slug", nq.GAMES.own)
def test_a_win_counts_in_the_seat_that_best_play_favours_and_there_perfect_can_be_beaten(slug: str) -> None:
    solution = nq.solve(nq.game(slug, **SMALL.get(slug, {})))
    rule = ladder(solution)
    assert rule.beatable or not solution.game.chance
    for seat in (0, 1):
        better = solution.value_for(seat, solution.game.start()) > solution.value_for(1 - seat, solution.game.start())
        assert [counts(rule, level, seat, seat) for level in ("easy", "perfect")] == [better, better]
        assert not counts(rule, "easy", seat, 1 - seat)
        assert not counts(rule, "easy", seat, None)
        assert not counts(rule, "cmd:./engine", seat, seat)


def test_where_perfect_cannot_be_beaten_holding_out_counts_and_it_says_so() -> None:
    rule = ladder(nq.solve(Row()))
    assert rule == DRAWN
    assert [counts(rule, level, 1, None) for level in ("hard", "perfect")] == [False, True]
    assert counts(rule, "hard", 1, 1)
    said = in_words(Row(), in_facts(rule))
    assert "in either seat" in said
    assert "Nobody can beat perfect here, so three draws with it earn its star" in said


def test_stars_that_are_luck_alone_are_said_to_be() -> None:
    assert "luck" in in_words(nq.game("grid"), in_facts(ladder(nq.solve(nq.game("grid")))))
    assert "luck" not in in_words(nq.game("mystic"), in_facts(Ladder((1,), beatable=True, luck=False)))
