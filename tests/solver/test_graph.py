"""The positions of a game are listed once, and all that is true of them is worked out on that one graph."""

import json
from collections import Counter
from itertools import product
from typing import Any

import pytest

import numberquest as nq
from numberquest import solver
from numberquest.cli import main
from numberquest.core.contract import Game
from numberquest.core.recipe import load
from numberquest.solver import graph, listed
from numberquest.solver.budget import TooLarge
from numberquest.solver.graph import Graph, graph_of
from numberquest.study.sweep import sweep
from tests.solver.reference import Search
from tests.study.small import NIM, PIG


@pytest.fixture
def listings(monkeypatch: pytest.MonkeyPatch) -> Counter[Game[Any]]:
    """How often the positions of each game are listed from now on, nothing being known yet."""
    counted: Counter[Game[Any]] = Counter()
    add = Graph.add

    def counting(self: Graph[Any], *arguments: Any) -> None:
        counted[self.game] += 1
        add(self, *arguments)

    monkeypatch.setattr(Graph, "add", counting)
    monkeypatch.setattr(graph, "_kept", {})
    monkeypatch.setattr(solver, "_solved", {})
    monkeypatch.setattr("numberquest.solver.distance._known", {})
    return counted


@pytest.mark.parametrize("game", ["sumquest", "examples/nim.py", "examples/pig.py"])
@pytest.mark.parametrize("who", ["easy", "tests/study/small.py:Odd"])
def test_an_evaluation_lists_the_positions_of_a_game_at_most_twice(
    game: str, who: str, listings: Counter[Game[Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    settings = ["--set", "target=12"] if "nim" not in game else []
    assert main(["evaluate", game, who, *settings, "--deals", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["exact"]["positions"] > 50
    assert list(listings.values()) in ([1], [2])


def test_a_row_of_a_sweep_is_listed_and_solved_once(
    listings: Counter[Game[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    solved: Counter[Game[Any]] = Counter()
    for kind in (listed.Retrograde, listed.Expectation):
        solve = kind._solve

        def counting(self: Any, progress: Any, solve: Any = solve) -> None:
            solved[self.game] += 1
            solve(self, progress)

        monkeypatch.setattr(kind, "_solve", counting)
    rows = sweep("sumquest", {"target": [10, 11, 12], "high": [3]}, ["length", "gain", "advantage"])
    assert len(rows) == 3
    assert list(listings.values()) == list(solved.values()) == [1, 1, 1]


def test_only_the_last_few_graphs_are_kept_and_of_large_ones_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "_kept", {})
    games = [nq.game("sumquest", target=target) for target in range(10, 16)]
    for game in games:
        graph_of(game)
    assert [game for game, _ in graph._kept] == games[-graph.MOST_KEPT :]
    first = graph_of(games[-2])
    assert graph_of(games[-2]) is first
    monkeypatch.setattr(graph, "MOST_KEPT_POSITIONS", len(first) + 10)
    graph_of(games[-2])
    assert [game for game, _ in graph._kept] == [games[-2]]


def test_what_stands_for_what_is_part_of_the_question() -> None:
    nim = NIM()
    assert graph_of(nim) is graph_of(nim, nim.alike), "each position stands for itself in both"
    showdown = nq.game("showdown", high=3)
    assert len(graph_of(showdown)) < len(graph_of(showdown, showdown.alike)) < len(graph_of(showdown, graph.itself))


def test_a_graph_that_was_listed_for_somebody_with_more_patience_may_be_too_large_for_others() -> None:
    pig = PIG(target=8)
    size = len(graph_of(pig))
    with pytest.raises(TooLarge, match=f"has more than {size - 1:,} positions"):
        graph_of(pig, most=size - 1)


def test_the_clock_is_looked_at_early_where_a_position_has_hundreds_of_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many moves are a sixteenth of what it is, and so are the positions: it is looked at after so many moves."""
    monkeypatch.setattr(graph, "MANY_MOVES", graph.MANY_MOVES // 16)
    numbers = 'numbers = { kind = "pool", to = 99 }\ntotals = { whose = "each", begin = 5 }\n'
    wide = load(f'title = "W"\n{numbers}turn = {{ operations = "+-*/" }}\nend = {{ target = 999 }}\n')()

    def out_of_patience(done: int, _: int) -> None:
        raise TooLarge(f"{done} positions")

    positions = Graph(wide)
    with pytest.raises(TooLarge):
        positions.add(wide.start(), out_of_patience)
    assert len(positions) < 1000 // 16


def test_what_is_forgotten_of_one_game_leaves_the_others() -> None:
    one, other = nq.game("sumquest", target=11, high=3), nq.game("sumquest", target=12, high=3)
    first, second = graph_of(one), graph_of(other)
    graph.forget(one)
    assert graph_of(other) is second
    assert graph_of(one) is not first


def test_positions_that_were_set_up_are_followed_once_however_many_of_them_lead_to_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grid = nq.game("grid", side=2, target=7, stand=True)
    solution, plain = listed.best_play(graph_of(grid)), Search(grid)
    followed: list[Any] = []
    add = Graph.add

    def noting(self: Graph[Any], *arguments: Any) -> None:
        add(self, *arguments)
        followed.extend(p for p, number in self.numbers.items() if self.starts[number] < self.starts[number + 1])

    monkeypatch.setattr(Graph, "add", noting)
    # Totals that no numbers come to: all of them lead to the same few positions.
    for totals in product(range(1, 7), repeat=2):
        p = grid.start()._replace(totals=totals)
        assert solution.value(p) == plain.value(p)
    assert len(followed) == len(set(followed)) > 1000
    assert not graph_of(grid).numbers.keys() & set(followed)
