"""Games in which one can come back to where one was: what is never decided, what is, how soon, and how exactly."""

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from numberquest.core.contract import CHANCE, Game
from numberquest.core.sentences import told
from numberquest.players.levels import perfect_moves
from numberquest.solver import TooLarge, budget, loop, solve
from numberquest.solver.distance import distances
from numberquest.solver.graph import graph_of
from numberquest.solver.listed import Expectation, Retrograde
from numberquest.solver.proved import proved
from tests.conftest import a_few
from tests.own.paper import DRAWN, LOST, WON, At, Place, die, on_paper, one, two
from tests.own.pig import Pig
from tests.solver.reference import Search


def by_every_policy(game: Game[Any], size: int) -> list[float]:
    """The value of each place for Player 1: the best of all ways to play against the worst of all answers."""
    places = [At(number) for number in range(size)]
    choices: list[list[list[tuple[int, ...]]]] = [[], []]
    movers: list[list[int]] = [[], []]
    for p in places:
        if game.moves(p) and game.player(p) != CHANCE:
            movers[game.player(p)].append(p.place)
    for seat in (0, 1):
        choices[seat] = [[game.play(places[at], move) for move in game.moves(places[at])] for at in movers[seat]]
    chain_of = np.zeros((size, size))
    worth = np.full(size, 0.5)
    for p in places:
        outcome = game.outcome(p)
        if outcome is not None:
            chain_of[p.place, p.place], worth[p.place] = 1, outcome.worth(0)
        elif game.player(p) == CHANCE:
            for move, odds in zip(game.moves(p), game.odds(p), strict=True):
                chain_of[p.place, game.play(p, move).place] += float(odds)
    best = np.zeros(size)
    for mine in product(*choices[0]):
        worst = np.ones(size)
        for theirs in product(*choices[1]):
            steps = chain_of.copy()
            for at, after in [*zip(movers[0], mine, strict=True), *zip(movers[1], theirs, strict=True)]:
                steps[at, after[0]] = 1
            for _ in range(60):
                steps = steps @ steps
                steps /= steps.sum(axis=1, keepdims=True)
            worst = np.minimum(worst, steps @ worth)
        best = np.maximum(best, worst)
    return [float(value) for value in best]


SIZE = 7


@st.composite
def papers(draw: st.DrawFn, *, with_die: bool) -> tuple[Place, ...]:
    ways = st.lists(st.integers(0, SIZE + 2), min_size=1, max_size=3).map(tuple)
    kinds = [one, two, die] if with_die else [one, two]
    places = []
    for _ in range(SIZE):
        kind = draw(st.sampled_from(kinds))
        leads_to = draw(ways)
        if kind is die:
            weights = draw(st.tuples(*(st.integers(1, 3) for _ in leads_to)))
            places.append(die(*leads_to, weights=weights))
        else:
            places.append(kind(*leads_to))
    return (*places, WON, LOST, DRAWN)


@given(papers(with_die=True))
@example((die(1, 2), two(0, 7), one(0, 8), one(3), die(4), two(5, 7), one(6, 8), WON, LOST, DRAWN))
@example((one(1, 7), die(0, 2), two(3, 8), die(2, 0, weights=(1, 3)), one(4), two(4), one(5, 4), WON, LOST, DRAWN))
def test_with_chance_the_value_is_that_of_every_policy_tried(places: tuple[Place, ...]) -> None:
    game = on_paper(*places)
    solution = Expectation(graph_of(game))
    for at, value in enumerate(by_every_policy(game, len(places))):
        assert float(solution.value_for(0, At(at))) == pytest.approx(value, abs=1e-9)
    assert solution.error <= 1e-9


@given(papers(with_die=True), st.randoms(use_true_random=False))
@example((one(1, 2), two(0, 7), die(3, 9), die(4, 8), one(0), one(5), one(6), WON, LOST, DRAWN), Random(1))
def test_a_wrong_first_guess_does_not_change_what_comes_of_it(places: tuple[Place, ...], dice: Random) -> None:
    class Guessing(Expectation[At]):
        """Knows nothing about a loop beforehand, and says so boldly."""

        def _sweep(self, component: list[int]) -> None:
            super()._sweep(component)
            if self._graph.is_loop(component):
                for here in component:
                    self._first_wins[here] = dice.random()

    game = on_paper(*places)
    right, guessed = Expectation(graph_of(game)), Guessing(graph_of(game))
    for p in right.solved():
        assert guessed.value(p) == pytest.approx(right.value(p), abs=1e-9)


@given(papers(with_die=True))
def test_repeating_comes_to_the_same_as_solving_the_equations(places: tuple[Place, ...]) -> None:
    game = on_paper(*places)
    exact = Expectation(graph_of(game))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "LARGEST_DENSE", 0)
        repeated = Expectation(graph_of(game))
    for p in exact.solved():
        assert repeated.value(p) == pytest.approx(exact.value(p), abs=1e-9)
    assert repeated.error <= 1e-9


@given(papers(with_die=False))
def test_without_chance_the_value_is_that_of_every_policy_tried(places: tuple[Place, ...]) -> None:
    game = on_paper(*places)
    solution = Retrograde(graph_of(game))
    for at, value in enumerate(by_every_policy(game, len(places))):
        assert solution.value_for(0, At(at)) == value


@given(papers(with_die=False))
def test_perfect_comes_to_its_win_as_soon_as_the_distance_says(places: tuple[Place, ...]) -> None:
    game = on_paper(*places)
    solution, known = solve(game), distances(game)
    p, value = game.start(), solution.value(game.start())
    if value == Fraction(1, 2):
        assert known.plies(p) == 0
        return
    plies = known.plies(p)
    for _ in range(plies):
        p = game.play(p, perfect_moves(game, p)[-1])
    outcome = game.outcome(p)
    assert outcome is not None
    assert outcome.winner == (0 if solution.value_for(0, game.start()) else 1)


def test_switches_that_can_be_turned_for_ever_are_never_decided() -> None:
    game = on_paper(one(1, 2), two(0, 3), two(3, 0), one(1, 2, 4), LOST)
    solution = solve(game)
    assert {solution.value(At(place)) for place in range(4)} == {Fraction(1, 2)}
    assert solution.moves(At(3)) == {"a": Fraction(1, 2), "b": Fraction(1, 2), "c": 0}
    assert told(proved(solution)) == "with best play nobody can force a win: it is never decided"
    assert solution.error == 0


def test_who_can_leave_a_loop_for_a_win_does() -> None:
    game = on_paper(two(1), one(0, 2), one(0, 3), WON)
    solution, known = solve(game), distances(game)
    assert [solution.value_for(0, At(place)) for place in range(4)] == [1, 1, 1, 1]
    assert [known.plies(At(place)) for place in range(4)] == [3, 2, 1, 0]
    assert perfect_moves(game, At(1)) == ["b"]
    assert told(proved(solution)) == "Player 1 wins, whatever Player 2 starts with"


@pytest.mark.parametrize(
    ("places", "code"),
    [
        ([one(1, 2), WON, WON], "proved-sure"),
        ([one(1, 2), WON, one(3, 4), WON, LOST], "proved-won-any"),
        ([one(1, 2), WON, LOST], "proved-won"),
    ],
)
def test_where_every_first_move_wins_none_is_named_as_the_way_to_win(places: list[Place], code: str) -> None:
    assert proved(solve(on_paper(*places))).code == code


def test_who_loses_outside_stays_in_the_loop_for_ever() -> None:
    game = on_paper(one(1, 2), die(0), die(3, 4, weights=(1, 9)), WON, LOST)
    solution = solve(game)
    assert isinstance(solution, Expectation)
    assert solution.value(At(0)) == 0.5
    assert solution.best(At(0)) == ["a"]
    assert solution.value(At(2)) == pytest.approx(0.1)


def test_the_first_to_roll_a_six_wins_six_of_eleven_games() -> None:
    game = on_paper(
        one(1), die(4, 2, weights=(1, 5)), two(3), die(5, 0, weights=(1, 5)), WON, LOST
    )  # In turns; a six ends it.
    solution = solve(game)
    assert float(solution.value(game.start())) == pytest.approx(6 / 11, abs=1e-14)
    assert float(solution.value_for(0, At(1))) == pytest.approx(6 / 11, abs=1e-14)
    assert float(solution.value_for(0, At(3))) == pytest.approx(5 / 11, abs=1e-14)
    assert told(proved(solution)) == "no choice matters: Player 1 wins 54.55 %"


def test_a_draw_is_one_half_of_a_win() -> None:
    game = on_paper(die(1, 2, 3, weights=(1, 2, 1)), WON, DRAWN, LOST)
    assert solve(game).value(game.start()) == Fraction(1, 2)
    choice = on_paper(one(1, 2, 3), LOST, DRAWN, two(1, 2))
    assert solve(choice).moves(At(0)) == {"b": Fraction(1, 2), "a": 0, "c": 0}
    assert told(proved(solve(choice))) == "with best play it is a draw"


def test_with_chance_and_draws_the_points_are_told() -> None:
    never = on_paper(die(1, 2, weights=(3, 1)), one(3, 4), WON, die(2, 4), LOST)
    assert told(proved(solve(never))) == "with best play Player 1 wins 62.50 %"
    drawn = on_paper(die(1, 2, weights=(3, 1)), one(4, 3), WON, DRAWN, LOST)
    assert told(proved(solve(drawn))) == "with best play Player 1 gets 62.50 % of the points, half of one for a draw"


def test_a_start_by_a_draw_is_averaged_exactly() -> None:
    game = on_paper(die(1, 2, 3, weights=(1, 2, 4)), one(4), one(5), two(4, 5), WON, LOST)
    solution = solve(game)
    assert isinstance(solution.value(game.start()), Fraction)
    assert solution.value(game.start()) == Fraction(1, 7)
    assert solution.moves(game.start()) == {}


def test_weights_may_be_as_large_as_they_like() -> None:
    game = on_paper(die(1, 2, 0, weights=(10**30, 3 * 10**30, 10**31)), WON, LOST)
    assert solve(game).value(game.start()) == pytest.approx(0.25)


def test_a_position_that_cannot_be_reached_is_solved_on_the_way() -> None:
    game = on_paper(one(1, 0), die(0, 2), WON, die(3, 1, 4), LOST, two(5, 3))
    solution = Expectation(graph_of(game))
    assert solution.positions == 3
    assert solution.value_for(0, At(3)) == pytest.approx(0.5)
    assert solution.value_for(0, At(5)) == pytest.approx(0.5)
    without = Retrograde(graph_of(on_paper(one(1, 0), WON, two(3), one(2, 1))))
    assert (without.positions, without.value(At(2)), without.plies(At(2))) == (2, 0, 2)


class Pigs:
    """What Pig comes to, by plain value iteration."""

    def __init__(self, target: int, faces: int) -> None:
        self.target, self.faces = target, faces
        self.wins = {(i, j, k): 0.5 for i in range(target) for j in range(target) for k in range(target - i)}

    def value(self, mine: int, other: int, brought: int) -> float:
        """The chance of the player to move."""
        return 1.0 if mine + brought >= self.target else self.wins[mine, other, brought]

    def rolled(self, mine: int, other: int, brought: int) -> float:
        """The chance with a roll."""
        after = [1 - self.value(other, mine, 0)]
        after += [self.value(mine, other, brought + face) for face in range(2, self.faces + 1)]
        return sum(after) / self.faces

    def iterate(self) -> None:
        change = 1.0
        while change > 1e-14:
            change = 0.0
            for (mine, other, brought), before in self.wins.items():
                held = 1 - self.value(other, mine + brought, 0) if brought else 0.0
                now = max(held, self.rolled(mine, other, brought))
                change = max(change, abs(now - before))
                self.wins[mine, other, brought] = now


@pytest.mark.parametrize("size", a_few([(5, 2), (12, 6), (17, 4), (7, 3)], 2))
def test_a_small_pig_comes_to_what_plain_iteration_says(size: tuple[int, int]) -> None:
    target, faces = size
    game = Pig(target=target, faces=faces)
    plain = Pigs(target, faces)
    plain.iterate()
    solution = solve(game)
    assert solution.error <= 1e-9
    for p in list(solution.solved()):
        if game.outcome(p) is None:
            mine, other = p.scores[p.mover], p.scores[1 - p.mover]
            chance = plain.rolled if p.rolling else plain.value
            assert solution.value(p) == pytest.approx(chance(mine, other, p.brought), abs=1e-10)


def test_patience_and_progress_hold_in_loops_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numberquest.solver._solved", {})
    told_of: list[tuple[int, int]] = []
    solve(Pig(target=25), progress=lambda done, total: told_of.append((done, total)))
    assert all(0 <= done <= total for done, total in told_of)
    assert len(told_of) > 10
    monkeypatch.setattr(budget, "patience", 0.01)
    with pytest.raises(TooLarge, match=r"test_pig with target=30 faces=6 takes longer than 0\.01 seconds"):
        solve(Pig(target=30))


@pytest.mark.parametrize("listed", [Search, graph_of])
def test_what_has_too_many_positions_is_given_up_in_time(listed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Counting(Pig):
        """A game that counts without end."""

        def play(self, p: Any, move: str) -> Any:
            return p._replace(brought=p.brought + 1)

    monkeypatch.setattr(budget, "free_memory", lambda: 10**6)
    with pytest.raises(TooLarge, match="positions, which is too many to look at one by one"):
        listed(Counting())
