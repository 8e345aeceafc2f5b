"""What can never happen, proved by looking at everything that can."""

from collections.abc import Hashable
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberquest.core.contract import CHANCE, Game
from numberquest.games.fifty.rules import Fifty
from numberquest.games.fifty.rules import Position as Pool
from numberquest.games.grid.rules import Grid, Position
from numberquest.games.mystic.rules import Mystic
from numberquest.games.showdown.rules import Showdown
from numberquest.games.sumquest.rules import SumQuest
from tests.conftest import in_ci
from tests.laws.test_counts import reachable

SOME_OPERATIONS = ["+" + "".join(some) for size in range(4) for some in combinations("-*/", size)]


def endings_on(rules: Grid) -> set[str]:
    """How a grid can end, over every deal and every decision that matters.

    Cells are alike, as another test shows: so only the first covered one is ever opened, and
    what has happened is which numbers are open, both totals, who played last and who stands.
    """
    endings = set()
    known: set[Hashable] = set()
    ahead = [rules.start()]
    while ahead:
        p = ahead.pop()
        key = (frozenset(p.cells), p.totals, p.last, p.opening != -1, p.stood)
        if key in known:
            continue
        known.add(key)
        moves = rules.moves(p)
        if not moves:
            total = p.totals[p.last]
            if total >= rules.target:
                endings.add("reached" if total == rules.target else "passed")
            else:
                endings.add("both stand" if all(p.stood) else "every cell open")
        elif rules.player(p) == CHANCE:
            ahead += [rules.play(p, number) for number in moves]
        else:
            ahead += [rules.play(p, move) for move in {moves[0], moves[-1] if rules.stand else moves[0]}]
    return endings


def test_c2_nobody_ever_sees_every_cell_open_on_the_classic_grid() -> None:
    assert endings_on(Grid()) == {"reached", "passed"}


@in_ci
@pytest.mark.parametrize("side", [2, 3])
def test_c2_every_cell_can_be_open_exactly_where_two_totals_below_the_target_hold_all_numbers(side: int) -> None:
    numbers = side * side
    dealt = numbers * (numbers + 1) // 2
    # Player 1 opens every other cell, beginning with the first.
    shares = {sum(some) for some in combinations(range(1, numbers + 1), (numbers + 1) // 2)}
    for target in range(2, 40):
        both_below = any(share < target and dealt - share < target for share in shares)
        assert ("every cell open" in endings_on(Grid(target=target, side=side))) == both_below


def test_c2_holds_with_standing_too_where_both_can_stand_instead() -> None:
    assert endings_on(Grid(stand=True)) == {"reached", "passed", "both stand"}
    assert endings_on(Grid(stand=True, side=2, target=99)) == {"both stand", "every cell open"}


@given(st.data())
def test_which_cell_is_opened_makes_no_difference_for_the_same_number(data: st.DataObject) -> None:
    side = data.draw(st.integers(2, 4))
    rules = Grid(target=data.draw(st.integers(2, 99)), side=side, stand=data.draw(st.booleans()))
    cells = [cell for cell in rules.actions if cell != "stand"]
    some, others = (data.draw(st.permutations(cells)) for _ in range(2))
    reveals = data.draw(st.permutations(rules.deck))
    stands = data.draw(st.lists(st.integers(0, 9), min_size=2 * len(cells), max_size=2 * len(cells)))

    def seen(p: Position) -> tuple[Any, ...]:
        number_at_chance = rules.moves(p) if rules.player(p) == CHANCE else ()
        return sorted(p.cells), p.totals, p.last, p.stood, rules.player(p), rules.outcome(p), number_at_chance

    p = q = rules.start()
    opened = 0
    for stand in stands:
        if not rules.moves(p):
            break
        if rules.stand and stand == 0:
            p, q = rules.play(p, "stand"), rules.play(q, "stand")
        else:
            p, q = rules.play(p, some[opened]), rules.play(q, others[opened])
            assert seen(p) == seen(q)
            assert rules.odds(p) == rules.odds(q)
            p, q = (rules.play(position, str(reveals[opened])) for position in (p, q))
            opened += 1
        assert seen(p) == seen(q)


@pytest.mark.parametrize("ops", SOME_OPERATIONS)
@pytest.mark.parametrize("high", [2, 3])
@pytest.mark.parametrize("copies", [1, 2])
def test_f4_nobody_is_ever_without_a_move_in_a_small_fifty(high: int, copies: int, ops: str) -> None:
    for target in (2, 3, 7, 50):
        rules = Fifty(target=target, high=high, copies=copies, ops=ops)
        for p in reachable(rules):
            assert min(p.scores) >= 0
            if max(p.scores) < target and p.pool:
                assert rules.moves(p) == tuple(f"{number}{op}" for number in sorted(set(p.pool)) for op in rules.ops)
            else:
                assert rules.outcome(p) is not None


def test_f4_nobody_is_ever_without_a_move_in_the_classic_fifty() -> None:
    # A pool holds each of nine numbers 0, 1 or 2 times: 3 ** 9 = 19,683 pools. The moves do not
    # depend on the scores while both are below 50, so the extreme ones stand for all.
    rules = Fifty()
    pools = 0
    for copies in product(range(3), repeat=9):
        pool = tuple(number for number, left in enumerate(copies, 1) for _ in range(left))
        pools += 1
        expected = tuple(f"{number}{op}" for number, left in enumerate(copies, 1) if left for op in "+-*/")
        for scores in ((0, 0), (49, 49), (0, 49), (49, 0)):
            p = Pool(pool, scores)
            assert rules.moves(p) == expected
            assert (rules.outcome(p) is None) == bool(pool) == bool(expected)
    assert pools == 19_683


def test_f4_the_moves_of_a_pool_do_not_depend_on_the_scores_below_the_target() -> None:
    rules = Fifty()
    moves = rules.moves(rules.start())
    assert all(rules.moves(Pool(rules.start().pool, scores)) == moves for scores in product(range(50), range(50)))


SMALL: list[Game[Any]] = [
    Showdown(high=2),
    Showdown(high=4, picks=2),
    Fifty(high=2),
    Fifty(high=3, copies=1, target=9),
    Grid(side=2, target=5),
    Grid(side=2, target=6, stand=True),
    Grid(side=2, target=99, stand=True),
    SumQuest(),
    SumQuest(target=40, high=2),
    Mystic(high=2),
    Mystic(high=3, target=7),
    Mystic(high=3, copies=1),
]


@pytest.mark.parametrize("rules", SMALL, ids=repr)
def test_g2_no_game_ever_ends_without_a_winner(rules: Game[Any]) -> None:
    winners = set()
    for p in reachable(rules):
        outcome = rules.outcome(p)
        assert (outcome is None) == bool(rules.moves(p))
        if outcome is not None:
            winners.add(outcome.winner)
    assert winners == {0, 1}


@pytest.mark.parametrize("rules", [rules for rules in SMALL if isinstance(rules, Mystic)], ids=repr)
def test_m1_a_total_never_goes_below_0_and_pass_is_always_there(rules: Mystic) -> None:
    for p in reachable(rules):
        assert min(p.totals) >= 0
        assert max(p.totals) < rules.target + rules.high
        if p.drawn:
            may_subtract = p.totals[rules.player(p)] >= p.drawn
            assert rules.moves(p) == (("add", "subtract", "pass") if may_subtract else ("add", "pass"))


def test_q3_nobody_is_left_without_a_number_but_at_one_below_the_target_after_a_1() -> None:
    for target, high in product(range(2, 40), range(3, 10)):
        rules = SumQuest(target=target, high=high)
        stuck = {(p.total, p.barred) for p in reachable(rules) if p.total < target and not rules.moves(p)}
        # A sum of 2 cannot end with a 1, because a 1 does not follow a 1.
        assert stuck == (set() if target == 3 else {(target - 1, 1)})
