"""Games with secrets are solved with a proof: values that others have published, and a certificate made anew."""

import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberquest as nq
from numberquest.core.contract import Game, Outcome
from numberquest.core.errors import Unable
from numberquest.core.knowledge import in_text
from numberquest.core.progress import silently
from numberquest.core.sentences import told
from numberquest.solver.certificate import BadStrategy, certified
from numberquest.solver.proved import proved
from numberquest.solver.secrets import linear, loops, solution
from numberquest.solver.secrets.exact import PRIMES, solve_equations
from numberquest.solver.secrets.matrix import equilibrium
from numberquest.solver.secrets.solution import SecretSolution
from numberquest.solver.secrets.tree import Certificate, Tree, is_plan
from tests.conftest import in_ci
from tests.own.any_secrets import AnySecrets
from tests.own.secret_games import Again, Bids, Coins, Covered, Hand, Hands, Kuhn, Leduc, Morra, Pennies, Throws, Told
from tests.strategies import SECRET_KINDS

GOOFSPIEL, DICE = SECRET_KINDS
KUHN = Fraction(-1, 18)
DICE_6 = Fraction(-7, 258)
LEDUC = -0.085606424


def secrets_of(game: Game[Any]) -> SecretSolution[Any]:
    found = nq.solve(game)
    assert isinstance(found, SecretSolution)
    return found


def table_of(found: SecretSolution[Any]) -> dict[tuple[int, str], dict[str, Fraction]]:
    return {(known[0], in_text(known)): odds for known, odds in found.strategy()}


# Who wins u of a stake has a chance to win of one half and u divided by twice the largest stake.
PUBLISHED: list[tuple[Callable[[], Game[Any]], Fraction]] = [
    (Pennies, Fraction(1, 2)),
    (lambda: Pennies(sides=3), Fraction(1, 3)),
    (Kuhn, Fraction(1, 2) + KUHN / 4),
    (lambda: DICE(faces=5), Fraction(1, 2) + Fraction(1, 125) / 2),
    (lambda: GOOFSPIEL(cards=3), Fraction(1, 2)),
]


@pytest.mark.parametrize(("make", "value"), PUBLISHED)
def test_what_others_have_published_is_proved_exactly(make: Callable[[], Game[Any]], value: Fraction) -> None:
    found = secrets_of(make())
    assert tuple(found.certificate) == (value, value, value)
    assert found.error == 0
    assert found.value(found.game.start()) == value


@in_ci
def test_liars_dice_with_six_faces_comes_to_minus_7_of_258() -> None:
    assert tuple(secrets_of(DICE()).certificate) == (Fraction(1, 2) + DICE_6 / 2,) * 3


def test_leducs_poker_is_solved_exactly_from_the_last_basis() -> None:
    found = secrets_of(Leduc())
    assert found.error == 0
    assert 26 * (float(found.certificate.value) - 0.5) == pytest.approx(LEDUC, abs=1e-9)
    assert found.certificate.value.denominator > linear.LARGEST, "rounding would not have found it"


@pytest.mark.parametrize("make", [Pennies, Kuhn, Leduc, lambda: DICE(faces=3), lambda: GOOFSPIEL(cards=3)])
def test_the_certificate_is_the_same_when_it_is_worked_out_from_the_rules_alone(make: Callable[[], Game[Any]]) -> None:
    found = secrets_of(make())
    low, high = certified(found.game, table_of(found))
    assert (low, high) == (found.certificate.low, found.certificate.high)


def test_a_strategy_that_is_worse_proves_less() -> None:
    found = secrets_of(Kuhn())
    table = table_of(found)
    bluff = next(known for known, odds in table.items() if odds == {"check": Fraction(2, 3), "bet": Fraction(1, 3)})
    assert bluff[0] == 1
    low, high = certified(found.game, {**table, bluff: {"bet": Fraction(1)}})
    assert low == found.certificate.low
    assert high > found.certificate.high


def test_a_strategy_that_is_none_is_told_so() -> None:
    game = Pennies()
    whole = {(0, "first=0 second=0"): {"heads": Fraction(1)}, (1, "first=0 second=0"): {"heads": Fraction(1)}}
    assert certified(game, whole) == (Fraction(0), Fraction(1))
    for wrong, found in (
        ({}, "does not say what Player 1 does who knows first=0 second=0"),
        ({"edge": Fraction(1)}, "cannot play 'edge'"),
        ({"heads": Fraction(1, 2)}, "are not 1 together"),
        ({"heads": Fraction(3, 2), "tails": Fraction(-1, 2)}, "are not 1 together"),
    ):
        strategy = {**whole, (0, "first=0 second=0"): wrong}
        if not wrong:
            del strategy[0, "first=0 second=0"]
        with pytest.raises(BadStrategy, match=found):
            certified(game, strategy)


def test_what_a_player_knows_has_a_value_odds_and_moves() -> None:
    found = secrets_of(Kuhn())
    match = nq.Match(found.game, deal=["2", "1"])
    assert sum(found.odds(match.known(0)).values()) == 1
    assert found.value(match.known(0)) == max(found.moves(match.known(0)).values())
    match.play("check")
    assert found.odds(match.known(0)) == {}, "it is not their turn"
    # With the lowest card one loses a coin, or bluffs one time in three: against best play it is all the same.
    assert found.odds(match.known(1)) == {"check": Fraction(2, 3), "bet": Fraction(1, 3)}
    assert found.moves(match.known(1)) == {"check": Fraction(1, 4), "bet": Fraction(1, 4)}
    with pytest.raises(Unable, match="ask what a player knows is worth"):
        found.value(match.position)
    with pytest.raises(Unable, match="who only watches has none"):
        found.value(match.known(None))
    with pytest.raises(Unable, match="nobody can know this"):
        found.value((0, found.game.start(), Hands((3, 3), 0, 0)))


def test_choices_at_once_are_worth_what_they_are_worth_to_who_does_not_see_them() -> None:
    found = secrets_of(Pennies())
    match = nq.Match(found.game)
    assert found.value(match.position) == found.value(match.known(0)) == Fraction(1, 2)
    assert found.moves(match.position) == {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}
    match.play("heads")
    assert found.moves(match.known(1)) == {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}
    match.play("tails")
    assert found.value_for(1, match.position) == 1


def test_a_player_finds_where_they_are_after_several_stages() -> None:
    found = secrets_of(GOOFSPIEL(cards=3))
    match = nq.Match(found.game, deal=[1, 3, 2])
    for move in ("1", "2", "3", "1"):
        known = match.known(match.player)
        assert move in found.game.moves(match.position)
        assert sum(found.odds(known).values()) == 1
        worths = found.moves(known)
        assert list(worths) == sorted(worths, key=lambda one: -worths[one])
        match.play(move)
    assert found.value(match.position) == found.proved(match.position).value  # type: ignore[union-attr]
    # Ahead by two with the last prize of two to come, and the lower card left: a draw.
    assert found.value_for(0, match.position) in (0, Fraction(1, 2), 1)


def test_taken_apart_into_stages_it_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GOOFSPIEL(cards=2)
    apart = SecretSolution(game, silently)
    monkeypatch.setattr(SecretSolution, "_tree", lambda _, root, progress: Tree(game, root, progress, whole=True))
    whole = SecretSolution(game, silently)
    assert (len(apart.stages) > 10, len(whole.stages)) == (True, 1)
    assert tuple(whole.certificate) == tuple(apart.certificate)


def test_what_is_too_large_is_learned_with_an_interval_that_holds_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution, "MOST_PAIRS", 10)
    told_so: list[tuple[int, int]] = []
    found = SecretSolution(Kuhn(), lambda done, total: told_so.append((done, total)))
    low, value, high = found.certificate
    truth = Fraction(1, 2) + KUHN / 4
    assert low <= truth <= high
    assert low <= value <= high
    assert 0 < found.error < 2e-4
    assert told_so
    assert certified(found.game, table_of(found)) == (low, high)
    said = told(proved(found))
    assert said.startswith("with best play Player 1 wins between 48.6")


def test_what_is_proved_of_a_stage_rests_on_what_is_proved_of_those_after_it() -> None:
    found = SecretSolution(GOOFSPIEL(cards=3), silently)
    root, off, half = found.game.start(), Fraction(1, 100), Fraction(1, 2)
    tree = found.stages[root].tree
    for p in tree.onward:
        low, value, high = found.worths[p]
        found.worths[p] = Certificate(low - off, value, high + off)
    found._settle(tree, silently)
    assert tuple(found.worths[root]) == (half - off, half, half + off)


def test_whatever_basis_a_programme_ends_with_what_it_stands_for_is_a_plan_or_nothing() -> None:
    tree = Tree(Kuhn(), Kuhn().start(), silently)
    found = linear.programme(tree, *tree.payoff({}, 1))
    assert found is not None
    unknowns = range(1 + max(at for row in found.rows for at in row))
    ends = 0
    for leaves, enters in product(found.basic, set(unknowns) - set(found.basic)):
        plans = linear.plans_of_basis(tree, found._replace(basic=sorted({*found.basic, enters} - {leaves})))
        if plans is not None:
            ends += 1
            assert all(is_plan(decisions, plan) for decisions, plan in zip(tree.decisions, plans, strict=True))
    assert ends


def test_what_takes_the_linear_programme_too_long_is_learned_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution, "programme", lambda *_: None)
    found = SecretSolution(DICE(faces=3), silently)
    assert found.certificate.low <= Fraction(5, 9) <= found.certificate.high
    assert 0 < found.error < 2e-4


def test_without_the_package_there_is_one_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(Unable, match=r"solved with HiGHS: pip install '\.\[secrets\]'"):
        SecretSolution(Kuhn(), silently)
    assert SecretSolution(Pennies(), silently).error == 0, "choices at once need none"


def test_a_matrix_game_is_solved_exactly() -> None:
    rows, columns = equilibrium([[0, -1, 2], [1, 0, -1], [-1, 1, 0]])
    value = sum(
        one * two * entry
        for one, row in zip(rows, [[0, -1, 2], [1, 0, -1], [-1, 1, 0]], strict=True)
        for two, entry in zip(columns, row, strict=True)
    )
    assert (sum(rows), sum(columns)) == (1, 1)
    assert value == Fraction(1, 12)
    one, none = Fraction(1), Fraction(0)
    assert equilibrium([[3]]) == ([one], [one])
    assert equilibrium([[1, 2], [0, 5]]) == ([one, none], [one, none]), "a best row and a best column"


def test_equations_are_solved_exactly_or_not_at_all() -> None:
    assert solve_equations([{0: 2, 1: 1}, {0: 1, 1: -3}], [1, 4]) == [Fraction(1), Fraction(-1)]
    long = 10**200 + 1
    assert solve_equations([{0: long}], [long - 3]) == [Fraction(long - 3, long)], "too long for the first prime"
    assert PRIMES[0].bit_length() < 2 * long.bit_length()
    assert solve_equations([{0: 1, 1: 1}, {0: 2, 1: 2}], [1, 2]) is None


def test_who_wins_is_told_like_that_of_any_other_game() -> None:
    assert told(proved(secrets_of(Pennies(sides=3)))) == "with best play Player 1 wins 33.33 %"
    assert "half of one for a draw" in told(proved(secrets_of(GOOFSPIEL(cards=2))))


@pytest.mark.parametrize("need", [1, 3])
def test_what_is_thrown_again_until_somebody_wins_is_even_exactly(need: int) -> None:
    found = secrets_of(Again(need=need))
    assert tuple(found.certificate) == (Fraction(1, 2),) * 3
    match = nq.Match(found.game)
    for move in ("rock", "rock"):
        assert found.odds(match.known(match.player)) == dict.fromkeys(found.game.actions, Fraction(1, 3))
        match.play(move)
    assert found.value(match.position) == found.value(match.known(0)) == Fraction(1, 2), "as if nothing had been"


@pytest.mark.parametrize("grid", [loops.GRID, 37, 7])
def test_a_value_that_is_no_fraction_has_an_interval_as_narrow_as_one_likes(
    grid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loops, "GRID", grid)
    found = SecretSolution(Again(heavy=True), silently)
    low, _, high = found.certificate
    # With v for a throw that is made again, the matrix is worth v where v v v = (1 - v) (1 - v), which no fraction is.
    assert low**3 < (1 - low) ** 2
    assert high**3 > (1 - high) ** 2
    assert 0 < found.error < max(1e-9, 2 / grid)


class Turned(Again):
    """Player 2 throws first."""

    def player(self, p: Throws) -> int:
        return 1 - super().player(p)

    def outcome(self, p: Throws) -> Outcome | None:
        found = super().outcome(p)
        return None if found is None or found.winner is None else Outcome(1 - found.winner, found.reason)

    def sees(self, p: Throws, who: int | None) -> Throws:
        return super().sees(p, None if who is None else 1 - who)


def test_the_same_is_proved_of_whoever_is_to_move_whichever_player_that_is() -> None:
    first, second = secrets_of(Again(heavy=True, need=2)), secrets_of(Turned(heavy=True, need=2))
    for p in first.stages:
        for found in (first.proved(p), second.proved(p)):
            assert found is not None
            assert found.low <= found.value <= found.high
            assert float(found.value) == pytest.approx(float(first.value(p)), abs=1e-9)
    assert second.error > 0


def test_whoever_can_wait_for_ever_gets_half() -> None:
    found = secrets_of(Again(wait=True, heavy=True))
    assert tuple(found.certificate) == (Fraction(1, 2),) * 3


@pytest.mark.parametrize("need", [4, 8])
def test_best_play_that_lets_the_other_go_on_for_ever_is_replaced_by_some_that_ends(need: int) -> None:
    found = secrets_of(Morra(need=need))
    assert tuple(found.certificate) == (Fraction(1, 2),) * 3
    ahead = found.worths[Throws(0, (2, 0))]
    assert ahead.low > Fraction(1, 2)
    assert ahead.error < 1e-8
    if need == 4:
        assert ahead.low == ahead.high == Fraction(2, 3)
    game = found.game
    for root, stage in found.stages.items():
        low, _, high = found.worths[root]
        if low > Fraction(1, 2) or high < Fraction(1, 2):
            who = int(high < Fraction(1, 2))
            mine = [move for move, share in zip(game.actions, stage.odds[who][0], strict=True) if share]
            both = [[(one, two) if who == 0 else (two, one) for one in mine] for two in game.actions]
            after = [{game.play(game.play(root, one), two) for one, two in each} for each in both]
            assert {root} not in after, "whatever the other does, who has the better of it makes an end"


def test_a_certificate_is_not_made_anew_where_play_can_come_back() -> None:
    found = secrets_of(Again())
    with pytest.raises(BadStrategy, match="can come back to where it was"):
        certified(found.game, table_of(found))


def test_what_only_looks_as_if_everybody_knew_it_is_no_new_stage() -> None:
    found = secrets_of(Hand())
    assert len(found.stages) == 1, "with no coin the position looks as Player 2 sees it with one"
    assert tuple(found.certificate) == (Fraction(1, 2),) * 3
    assert certified(found.game, table_of(found)) == (Fraction(1, 2), Fraction(1, 2))
    match = nq.Match(found.game)
    match.play("1")
    assert found.odds(match.known(1)) == {"0": Fraction(1, 2), "1": Fraction(1, 2)}


def test_many_small_stages_tell_how_far_they_are_so_that_they_can_be_ended() -> None:
    told_so: list[tuple[int, int]] = []
    found = SecretSolution(Bids(), lambda done, total: told_so.append((done, total)))
    assert len(told_so) >= len(found.stages)
    assert all(0 <= done < total for done, total in told_so)


def test_a_first_position_that_not_everybody_sees_as_it_is_is_known_as_it_is_seen() -> None:
    found = secrets_of(Covered())
    assert tuple(found.certificate) == (Fraction(1, 2),) * 3
    assert certified(found.game, table_of(found)) == (Fraction(1, 2), Fraction(1, 2))
    match = nq.Match(found.game)
    assert set(found.odds(match.known(0)).values()) == {Fraction(1, 2)}
    match.play("1")
    assert set(found.moves(match.known(1)).values()) == set(found.odds(match.known(1)).values()) == {Fraction(1, 2)}


def test_what_everybody_knows_on_one_way_and_not_on_another_begins_no_stage_on_either() -> None:
    found = SecretSolution(Told(), silently)
    assert set(found.stages) == {Coins(-2, -1), Coins(-1, -1)}
    assert certified(found.game, table_of(found)) == (Fraction(1, 2), Fraction(1, 2))


def test_a_strategy_that_begins_anew_where_somebody_may_not_know_it_is_refused() -> None:
    half, sure = Fraction(1, 2), Fraction(1)
    start = "held=-1 guess=-1"
    tells = {(0, start): {"0": half, "1": half}, (1, f"{start} > held=0"): {"1": sure}}
    assert certified(Hand(), tells) == (half, sure)
    # As if Player 2 knew when there is no coin, because the position then looks as they see it with one.
    with pytest.raises(BadStrategy, match="begins anew where Player 2 may not know it, who knows held=-1 guess=-1 > h"):
        certified(Hand(), tells | {(1, "held=0 guess=-1"): {"0": sure}})


def test_a_bid_of_nothing_that_looks_like_none_does_not_join_the_stages_before_and_after_it() -> None:
    found = secrets_of(Bids())
    assert all(not root.waiting or not root.money[0] for root in found.stages), "who has no coin can bid nothing else"
    assert len(found.stages) > 10
    assert found.certificate.low == found.certificate.high
    assert certified(found.game, table_of(found)) == (found.certificate.low,) * 2
    random = Random(1)
    for _ in range(40):
        match = nq.Match(found.game)
        while match.moves:
            known = match.known(match.player)
            worths = found.moves(known)
            played = {move for move, share in found.odds(known).items() if share}
            assert {worths[move] for move in played} == {max(worths.values())}, "also where best play never comes"
            match.play(random.choice(match.moves))


@given(st.integers(0, 999_999), st.integers(1, 4), st.randoms(use_true_random=False))
def test_any_game_with_secrets_is_solved_exactly_and_everything_known_in_it_has_a_value(
    made: int, deep: int, random: Random
) -> None:
    game = AnySecrets(made=made, deep=deep)
    if not game.has_secrets:
        return
    found = SecretSolution(game, silently)
    low, value, high = found.certificate
    assert low == value == high
    assert certified(game, table_of(found)) == (low, high)
    match = nq.Match(game, seed=random.randrange(1000))
    while match.moves:
        known = match.known(match.player)
        odds, worths = found.odds(known), found.moves(known)
        assert list(odds) == list(match.moves)
        assert set(worths) == set(match.moves)
        assert sum(odds[move] * worths[move] for move in odds) == found.value(known)
        match.play(random.choice(match.moves))
