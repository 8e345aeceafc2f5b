"""The measures are what their formulas say: over whole game trees, games played out, and arrays."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any, NamedTuple, cast

import pytest

import numberquest as nq
from numberquest.core.contract import CHANCE, Game
from numberquest.players.levels import PLAYERS, perfect_moves
from numberquest.solver import budget, solve
from numberquest.solver.ordered import ordered
from numberquest.solver.pool_recurrence import pool_rules
from numberquest.study.fairness import after_the_pie_rule, best_head_start
from numberquest.study.levels import Kept, everywhere, levels
from numberquest.study.measures import LEVELS, MEASURES, VERSION, Measures, Study, measure
from numberquest.study.policy_values import GeneralWalk, Pair, slips
from numberquest.study.pool_policies import Walked
from tests.conftest import in_ci
from tests.own.last import Last
from tests.own.paper import DRAWN, LOST, WON, die, on_paper, one, two
from tests.study.small import NIM, PIG, SMALL, WITHOUT_LOOPS

PAIRS = [Pair("perfect", "perfect"), Pair("random", "hard"), Pair("medium", "medium"), Pair("perfect", "easy")]
# Whole games are counted, so they are the smallest; those with more than ten thousand games only in `.ci/run`.
MANY = (nq.game("mystic", high=3, copies=2, target=7), nq.game("fifty", high=3, copies=2, target=7, ops="+-"))
TREES = [game for game in WITHOUT_LOOPS if game != NIM(number=2) and game not in MANY]
TREES += [nq.game("showdown", high=3, picks=1)]


class Played(NamedTuple):
    """One game: what it adds to each mean."""

    share: float
    drawn: bool
    moves: int
    allowed: int
    decisions: int
    mattered: int
    staked: float
    blindly: float
    lead_changes: int
    behind: int
    deficit: float
    unsettled: int
    by_chance: float
    by_choice: float


class Table:
    """What is known of a game, asked of others than the measures."""

    def __init__(self, game: Game[Any], pair: Pair) -> None:
        self.game, self.pair = game, pair
        self.solution = solve(game)
        # Where one can come back, the chances follow only from all of them together.
        self.shares = everywhere(game, pair) if game.longest is None else None
        self._odds: dict[Any, dict[str, float]] = {}
        self._first: dict[Any, float] = {}

    def odds(self, p: Any) -> dict[str, float]:
        if p not in self._odds:
            player = self.game.player(p)
            if player == CHANCE:
                found = dict(zip(self.game.moves(p), map(float, self.game.odds(p)), strict=True))
            else:
                found = {move: float(odds) for move, odds in PLAYERS[self.pair[player]].odds(self.game, p).items()}
            self._odds[p] = {move: odds for move, odds in found.items() if odds}
        return self._odds[p]

    def first(self, p: Any) -> float:
        if p not in self._first:
            outcome = self.game.outcome(p)
            if outcome is not None:
                self._first[p] = outcome.worth(0)
            elif self.shares is not None:
                self._first[p] = self.shares.first(p)
            else:
                odds = self.odds(p).items()
                self._first[p] = sum(likely * self.first(self.game.play(p, move)) for move, likely in odds)
        return self._first[p]

    def all_games(self, played: tuple[Any, ...] = ()) -> Iterator[tuple[float, tuple[Any, ...]]]:
        """Every way to play the game to its end, with how likely it is."""
        played = played or (self.game.start(),)
        p = played[-1]
        if self.game.outcome(p) is not None:
            yield 1.0, played
            return
        for move, likely in self.odds(p).items():
            for rest, whole in self.all_games((*played, self.game.play(p, move))):
                yield likely * rest, whole

    def some_game(self, dice: Random) -> tuple[Any, ...]:
        played = [self.game.start()]
        while self.game.outcome(played[-1]) is None:
            odds = self.odds(played[-1])
            played.append(self.game.play(played[-1], dice.choices(list(odds), list(odds.values()))[0]))
        return tuple(played)

    def look(self, played: tuple[Any, ...]) -> Played:
        """What this one game adds, straight from the definitions."""
        game = self.game
        outcome = game.outcome(played[-1])
        assert outcome is not None
        chances = [self.first(p) for p in played]
        leads = [0 if chance > 0.5 + 1e-9 else 1 if chance < 0.5 - 1e-9 else None for chance in chances]
        known = [lead for lead in leads if lead is not None]
        turns = [at for at, p in enumerate(played[:-1]) if game.player(p) != CHANCE]
        swings = [(chances[at + 1] - chances[at]) ** 2 for at in range(len(played) - 1)]
        stakes = []
        for at in turns:
            values = [float(value) for value in self.solution.moves(played[at]).values()]
            if max(values) - min(values) > 1e-12:
                stakes.append((max(values) - min(values), max(values) - sum(values) / len(values)))
        behind = [at for at in turns if outcome.winner is not None and leads[at] == 1 - outcome.winner]
        return Played(
            share=outcome.worth(0),
            drawn=outcome.winner is None,
            moves=len(turns),
            allowed=sum(len(game.moves(played[at])) for at in turns),
            decisions=sum(len(game.moves(played[at])) > 1 for at in turns),
            mattered=len(stakes),
            staked=sum(stake for stake, _ in stakes),
            blindly=sum(blind for _, blind in stakes),
            lead_changes=sum(one != other for one, other in pairwise(known)),
            behind=len(behind),
            deficit=sum(abs(2 * chances[at] - 1) for at in behind),
            unsettled=sum(any(lead is None or lead != outcome.winner for lead in leads[at:]) for at in turns),
            by_chance=sum(swing for at, swing in enumerate(swings) if game.player(played[at]) == CHANCE),
            by_choice=sum(swings[at] for at in turns),
        )


def from_means(mean: dict[str, float], scatter: float) -> dict[str, float | None]:
    """The measures, from the means over games; `scatter` is the variance of the length."""
    variance = mean["by_chance"] + mean["by_choice"]
    return {
        "value": mean["share"],
        "draw": mean["drawn"],
        "length": mean["moves"],
        "length_spread": sqrt(scatter),
        "branching": mean["allowed"] / mean["moves"],
        "decisions": mean["decisions"],
        "mattered": mean["mattered"],
        "stake": mean["staked"] / mean["mattered"] if mean["mattered"] > 1e-12 else None,
        "blind": mean["blindly"] / mean["mattered"] if mean["mattered"] > 1e-12 else None,
        "lead_changes": mean["lead_changes"],
        "behind": mean["behind"] / mean["moves"],
        "drama": mean["deficit"] / mean["behind"] if mean["behind"] > 1e-12 else 0,
        "decided": mean["unsettled"] / mean["moves"],
        "luck": mean["by_chance"] / variance if variance > 1e-12 else None,
        "skill": mean["by_choice"] / variance if variance > 1e-12 else None,
    }


def named(game: Game[Any]) -> str:
    return f"{game.slug} {game.settings_text}"


@pytest.mark.parametrize("game", [*TREES, *(pytest.param(game, marks=in_ci) for game in MANY)], ids=str)
def test_every_measure_is_what_all_games_come_to(game: Game[Any]) -> None:
    study = Study(game)
    for pair in PAIRS:
        table = Table(game, pair)
        games = [(likely, table.look(played)) for likely, played in table.all_games()]
        assert sum(likely for likely, _ in games) == pytest.approx(1)
        mean = {name: sum(likely * getattr(one, name) for likely, one in games) for name in Played._fields}
        expected = from_means(mean, sum(likely * (one.moves - mean["moves"]) ** 2 for likely, one in games))
        found = study.measures(pair).data()
        for name, value in expected.items():
            if value is None:
                assert found[name] is None, (pair, name)
            else:
                assert found[name] == pytest.approx(value, abs=1e-9), (pair, name)
        # The swings of all moves and reveals together are the whole variance, and nothing is left over.
        variance = sum(likely * (one.share - mean["share"]) ** 2 for likely, one in games)
        flow = study.walked(pair).flow
        assert flow.by_chance + flow.by_choice == pytest.approx(variance, abs=1e-9)


@pytest.mark.parametrize("game", [PIG(target=6), nq.game("grid", side=2, target=6, stand=True), NIM()], ids=named)
def test_games_that_are_played_out_agree_within_their_error(game: Game[Any]) -> None:
    pair = Pair("medium", "easy")
    table, dice, number = Table(game, pair), Random(7), 1500
    games = [table.look(table.some_game(dice)) for _ in range(number)]
    flow = Study(game).walked(pair).flow
    exact = {
        "share": (1 + flow.first - flow.second) / 2,
        **{name: getattr(flow, name) for name in Played._fields if hasattr(flow, name)},
    }
    assert len(exact) >= 10
    for name, expected in exact.items():
        values = [float(getattr(one, name)) for one in games]
        mean = sum(values) / number
        error = sqrt(sum((value - mean) ** 2 for value in values) / number / number)
        assert abs(mean - expected) <= 5 * error + 1e-9, name
    assert sqrt(sum((one.moves - flow.moves) ** 2 for one in games) / number) == pytest.approx(flow.spread, rel=0.1)


@pytest.mark.parametrize("game", SMALL, ids=named)
def test_perfect_chooses_here_as_it_does_in_a_game(game: Game[Any]) -> None:
    positions = ordered(game)
    likely = positions.likely(slips(Pair("perfect", "hard")))
    waiting, seen = [game.start()], set()
    while waiting:
        p = waiting.pop()
        if p in seen or game.outcome(p) is not None:
            continue
        seen.add(p)
        waiting += [game.play(p, move) for move in game.moves(p)]
        here = positions.number(p)
        rows = range(positions.starts[here], positions.starts[here + 1])
        if game.player(p) == 0:
            best = perfect_moves(game, p)
            for move in game.moves(p):
                to = positions.number(game.play(p, move))
                odds = sum(likely[row] for row in rows if positions.targets[row] == to)
                moves = [other for other in game.moves(p) if positions.number(game.play(p, other)) == to]
                assert odds == pytest.approx(sum(other in best for other in moves) / len(best))


@pytest.mark.parametrize("game", SMALL, ids=named)
def test_values_and_the_ladder_are_those_of_the_levels(game: Game[Any]) -> None:
    known = levels(game)
    found = measure(game, ("hard", "easy"), only=["value", "ladder", "gain", "advantage"])
    assert found.value == pytest.approx(known.chance("hard", "easy") + known.drawn("hard", "easy") / 2, abs=1e-5)
    as_first, as_second = (
        known.chance("hard", "easy", seat) + known.drawn("hard", "easy", seat) / 2 for seat in (0, 1)
    )
    assert found.advantage == pytest.approx(as_first - as_second, abs=1e-5)
    assert found.ladder is not None
    for better, worse, gain in [
        *zip(LEVELS, LEVELS[1:], found.ladder, strict=False),
        ("perfect", "random", found.gain),
    ]:
        shares = [known.chance(better, worse, seat) + known.drawn(better, worse, seat) / 2 for seat in (0, 1)]
        assert gain == pytest.approx(sum(shares) - 1, abs=1e-5)


class Chosen(NamedTuple):
    """A position of a game with the pie rule: who has Player 1's seat, and whether that is settled."""

    inner: Any
    first_seat: int
    settled: bool


def with_the_pie_rule(game: Game[Any]) -> float:
    """What Player 1 makes under best play, by the rules of the game with one more: the other may change seats."""

    def value(p: Chosen) -> float:
        inner, seat, settled = p
        outcome = game.outcome(inner)
        if outcome is not None:
            return outcome.worth(seat)
        if not settled and game.turn(inner) == 1:
            return min(value(Chosen(inner, 0, True)), value(Chosen(inner, 1, True)))
        after = [value(Chosen(game.play(inner, move), seat, settled)) for move in game.moves(inner)]
        player = game.player(inner)
        if player == CHANCE:
            return sum(float(odds) * one for odds, one in zip(game.odds(inner), after, strict=True))
        return max(after) if player == seat else min(after)

    return value(Chosen(game.start(), 0, False))


@pytest.mark.parametrize("game", [game for game in TREES if game.slug != "showdown"], ids=named)
def test_the_pie_rule_is_a_game_with_one_rule_more(game: Game[Any]) -> None:
    assert measure(game).pie == pytest.approx(2 * with_the_pie_rule(game) - 1)


def test_who_chooses_blindly_cuts_and_chooses_blindly() -> None:
    for game in (nq.game("sumquest"), nq.game("mystic", high=3, copies=2, target=7)):
        walked = Study(game).walked(Pair("random", "random"))
        # Seats that change at the toss of a coin are no advantage to anybody.
        assert after_the_pie_rule(game, walked, walked) == pytest.approx(0)


@dataclass
class Known:
    """A game walked through by two who never slip, of which only the first turn is known."""

    worth: dict[int, float]
    pair: Pair

    def best(self, p: Any) -> float:
        return self.worth[p.left]

    share = best


def test_who_cuts_well_leaves_the_other_two_seats_that_are_alike() -> None:
    # Take 1, 2 or 3 of 9: nearly won, nearly even, nearly lost.
    walked = cast(Walked, Known({8: 0.9, 7: 0.45, 6: 0.2}, Pair("perfect", "perfect")))
    # 0.45 are left to who cuts well, in either seat; to cut at 0.9 would leave 0.1.
    assert after_the_pie_rule(Last(heap=9), walked, walked) == pytest.approx(-0.1)


def test_a_head_start_is_where_the_game_begins() -> None:
    game = nq.game("grid")
    found = measure(game, only=["advantage", "head_start", "head_start_leaves"])
    start = game.start()
    solution = solve(game)
    leads = {}
    for points in range(-5, 6):
        p = start._replace(totals=(0, points) if points > 0 else (-points, 0))
        leads[points] = 2 * float(solution.value_for(0, p)) - 1
    assert found.advantage == pytest.approx(leads[0])
    assert found.head_start is not None
    assert found.head_start_leaves == pytest.approx(leads[int(found.head_start)])
    assert abs(leads[int(found.head_start)]) == pytest.approx(min(map(abs, leads.values())))
    assert measure(nq.game("sumquest")).why["head_start"].startswith("there are no points")


def test_a_head_start_that_does_not_help_is_none_and_of_two_that_do_the_smaller_is_given() -> None:
    grid = nq.game("grid")
    assert best_head_start(grid, lambda _: 1.0) == (0, 1.0)
    assert best_head_start(grid, lambda _: -0.25) == (0, -0.25)
    leads = {(0, 0): 0.5, (0, 1): 0.4, (1, 0): 0.6, (0, 2): 0.1, (2, 0): 0.7, (0, 3): -0.1}
    assert best_head_start(grid, lambda p: leads.get(p.totals, 0.9)) == (2, 0.1)
    leads = {(0, 0): 0.5, (0, 1): -0.1, (1, 0): 0.6}
    assert best_head_start(grid, lambda p: leads.get(p.totals, 0.9)) == (1, -0.1)


def test_games_that_never_end_have_no_length_and_say_so() -> None:
    # A die: Player 1 wins at once, or both go round for ever.
    game = on_paper(die(1, 2), WON, one(3), two(2))
    found = measure(game)
    assert found.length is None
    assert found.why["length"] == "50 of 100 games never end"
    assert found.draw == pytest.approx(0.5)
    assert found.value == pytest.approx(0.75)
    assert found.luck == pytest.approx(1)


def test_the_lead_is_remembered_while_nobody_has_it() -> None:
    # Player 1 leads at the start, then nobody; then one or the other wins, or nobody does.
    game = on_paper(one(5), die(2, 3, 4), WON, LOST, DRAWN, die(1, 1, 1, 2))
    found = measure(game)
    # A lead that goes to the other over a stretch without a lead has changed; one that comes back has not.
    assert found.lead_changes == pytest.approx(3 / 4 / 3)


def test_who_always_wins_leaves_no_luck_and_no_skill() -> None:
    found = measure(nq.game("sumquest"))
    assert (found.luck, found.skill, found.value) == (None, None, 1)
    assert found.why["luck"] == found.why["skill"] == "between these players every game ends alike"


def test_only_what_is_asked_for_is_told() -> None:
    found = measure(nq.game("sumquest"), only=["length"])
    assert found.length == 7
    assert {name for name in MEASURES if getattr(found, name) is not None} == {"length"}
    with pytest.raises(ValueError, match="there is no measure called 'lenght'"):
        measure(nq.game("sumquest"), only=["lenght"])


def test_what_is_too_large_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MOST_FOLLOWED", 100)
    found = measure(nq.game("sumquest", target=24), only=["length", "advantage", "gain"])
    assert (found.length, found.advantage, found.gain) == (None, None, None)
    for name in ("length", "advantage", "gain"):
        assert "has more than 100 positions" in found.why[name]


def test_every_measure_is_a_field_and_has_a_meaning() -> None:
    assert list(Measures().data()) == [*MEASURES, "why", "positions"]
    assert all(meaning and not meaning.endswith(".") for meaning in MEASURES.values())


IN_ARRAYS = [
    nq.game("fifty", target=10, high=3, copies=2),
    nq.game("fifty", target=12, high=4, copies=1, ops="+-"),
    nq.game("fifty", target=9, high=3, copies=1, ops="+"),
    nq.game("mystic", target=7, high=3, copies=2),
    nq.game("mystic", target=9, high=4, copies=1),
    nq.game("mystic", target=4, high=2, copies=3),
]


@pytest.mark.parametrize("game", IN_ARRAYS, ids=str)
def test_arrays_come_to_the_same_as_positions_one_by_one(game: Game[Any]) -> None:
    positions = ordered(game)
    study = Study(game)
    assert pool_rules(game) is not None
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
    monkeypatch.setattr(type(game), "alike", Game.alike)
    apart = Study(game).walked(pair)
    assert together.positions < apart.positions / 10
    assert together.flow == pytest.approx(apart.flow)


def test_what_took_long_is_kept_and_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = nq.game("grid", side=2, target=5)
    with monkeypatch.context() as changed:
        changed.setattr("numberquest.study.measures.LONG", -1.0)
        found = measure(game, ("hard", "easy"))
        again = measure(game, ("easy", "hard"))
        changed.setattr(Study, "walked", None)
        assert measure(game, ("hard", "easy")) == found
        assert measure(game, ("easy", "hard")) == again
    with open(Kept(game, "measures", VERSION).path, "w") as file:
        file.write('{"rules": 3}')
    assert measure(game, ("hard", "easy")) == found
