"""How soon a game is won: the tables equal a plain search, and are kept on disk."""

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.contract import Game
from numberquest.games.fifty.rules import Fifty
from numberquest.games.showdown.rules import Showdown
from numberquest.games.showdown.solver import ShowdownDistances
from numberquest.solver import distance, table
from numberquest.solver.distance import distances
from numberquest.solver.graph import graph_of
from numberquest.solver.listed import Retrograde
from numberquest.solver.pool_recurrence import PoolDistances
from tests.conftest import in_ci
from tests.players.test_levels import decisions


def plainly(game: Game[Any]) -> Any:
    """Who wins and in how many moves, straight from the rules."""

    @cache
    def first_wins_in(p: Any) -> tuple[bool, int]:
        outcome = game.outcome(p)
        if outcome is not None:
            return outcome.winner == 0, 0
        after = [first_wins_in(game.play(p, move)) for move in game.moves(p)]
        mover = game.player(p) == 0
        winning = [plies for first_wins, plies in after if first_wins == mover]
        if winning:
            return mover, 1 + min(winning)
        return not mover, 1 + max(plies for _, plies in after)

    return first_wins_in


@pytest.mark.parametrize(
    "game",
    [
        Fifty(target=9, high=3, copies=1),
        Fifty(target=7, high=3, copies=2, ops="+-"),
        Fifty(target=20, high=4, copies=1, ops="+*/"),
        Fifty(target=12, high=2, copies=3),
        nq.game("sumquest"),
        nq.game("sumquest", target=31, high=4),
        Showdown(high=2),
        Showdown(high=3, picks=1),
    ],
    ids=repr,
)
def test_the_distance_equals_a_plain_search(game: Game[Any]) -> None:
    first_wins_in, known, solution = plainly(game), distances(game), nq.solve(game)
    for p in [game.start(), *decisions(game, 200)]:
        first_wins, plies = first_wins_in(p)
        assert known.plies(p) == plies
        assert solution.value_for(0, p) == first_wins


@pytest.mark.parametrize("game", [Showdown(high=4), Showdown(high=5, picks=3), Showdown(high=6, picks=2)], ids=repr)
def test_showdown_at_once_equals_showdown_searched(game: Showdown) -> None:
    fast, searched = ShowdownDistances(game), Retrograde(graph_of(game))
    for p in decisions(game, 150):
        assert fast.plies(p) == searched.plies(p)


def test_a_game_that_is_over_takes_no_more_moves() -> None:
    games: list[Game[Any]] = [Fifty(target=9, high=3, copies=1), Showdown(high=3), nq.game("sumquest")]
    for game in games:
        dice, p = random.Random(1), game.start()
        while moves := game.moves(p):
            p = game.play(p, dice.choice(moves))
        assert distances(game).plies(p) == 0


@in_ci
def test_classic_fifty_is_won_by_the_third_move_of_player_1(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setattr(distance, "_known", {})
    game = Fifty()
    assert distances(game).plies(game.start()) == 5
    (kept,) = (home / ".cache" / "numberquest").glob("fifty*distance*.table")
    # The second time it comes from the file, and a damaged file is noticed.
    monkeypatch.setattr(distance, "_known", {})
    assert distances(game).plies(game.start()) == 5
    data = bytearray(kept.read_bytes())
    data[-1000] ^= 1
    kept.write_bytes(data)
    monkeypatch.setattr(distance, "_known", {})
    told: list[str] = []
    known = distances(game, warn=told.append)
    assert isinstance(known, PoolDistances)
    assert known.plies(game.start()) == 5
    assert told == [f"{kept} was damaged; it has been made anew."]


def test_the_values_are_never_taken_for_the_distances() -> None:
    game = Fifty(target=11, high=3, copies=1)
    nq.solve(game)
    distances(game)
    assert table.path_for(game) != table.path_for(game, distance.KIND)
    with pytest.raises(table.Unusable, match="another game"):
        table.read(table.path_for(game, distance.KIND), game, lambda: memoryview(b""))


def test_a_table_of_unreasonable_size_is_refused_beforehand() -> None:
    with pytest.raises(nq.TooLarge, match="GB to keep"):
        distances(Fifty(target=200, copies=4))


def test_where_chance_decides_there_is_no_distance() -> None:
    with pytest.raises(LookupError):
        distances(nq.game("mystic"))
