"""In a page there is no NumPy: what is worked out on lists there is the same as on arrays."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given

from numberquest.core.contract import Game
from numberquest.solver import TooLarge, graph, listed, loop, numbers, ordered, plain_arrays
from numberquest.solver.listed import Expectation
from numberquest.study import levels, measures, policy_values
from numberquest.study.measures import Study
from tests.own.paper import At, Place, on_paper
from tests.solver.test_loops import papers
from tests.study.small import SMALL


@contextmanager
def as_in_a_page(game: Game[Any]) -> Iterator[None]:
    """Plain lists in place of arrays, and nothing that was known before."""
    graph.forget(game)
    with pytest.MonkeyPatch.context() as patch:
        for module in (listed, loop, ordered, policy_values):
            patch.setattr(module, "np", plain_arrays)
        patch.setattr(loop, "LARGEST_DENSE", 0)
        patch.setattr(levels, "IN_PAGE", True)
        patch.setattr(measures, "pools_of", levels.pools_of)
        yield
    graph.forget(game)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == (pytest.approx(other, abs=1e-9) if isinstance(other, float) else other))


@pytest.mark.parametrize("game", SMALL, ids=repr)
def test_every_measure_is_the_same_on_lists(game: Game[Any]) -> None:
    pair = policy_values.Pair("hard", "easy")
    known = Study(game, shipped=False)._worked_out(pair, set(measures.MEASURES))[0].data()
    with as_in_a_page(game):
        found = Study(game, shipped=False)._worked_out(pair, set(measures.MEASURES))[0].data()
    # Where a kernel goes through all pools, positions are counted that cannot be reached.
    assert {name for name in known if not same(found[name], known[name])} <= {"positions"}
    assert found["value"] is not None


@given(papers(with_die=True))
def test_positions_that_lead_back_are_worth_the_same_on_lists(places: tuple[Place, ...]) -> None:
    game = on_paper(*places)
    known = Expectation(graph.graph_of(game))
    values = {p: known.value(p) for p in known.solved()}
    with as_in_a_page(game):
        found = Expectation(graph.graph_of(game))
    assert {p: found.value(p) for p in map(At, range(len(places))) if p in values} == pytest.approx(values, abs=1e-9)
    assert found.error <= 1e-9


WITHOUT = """
import sys
sys.modules["numpy"] = None
from numberquest.solver import numbers
numbers.IN_PAGE = True
import numberquest as nq
from numberquest.study.measures import measure
print(measure(nq.game("sumquest", target=12), players=("hard", "easy")).value)
print(nq.solve(nq.game(sys.argv[1], target=6)).value(nq.game(sys.argv[1], target=6).start()))
"""


def test_without_numpy_rules_are_measured_and_games_that_go_round_are_solved(tmp_path: Any) -> None:
    pig = SMALL[-1]
    file = sys.modules[type(pig).__module__].__file__
    assert file is not None
    env = {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", WITHOUT, file], env=env, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    value, start = map(float, done.stdout.split())
    sumquest = SMALL[0].__class__(target=12)
    assert value == pytest.approx(Study(sumquest).measures(("hard", "easy")).value, abs=1e-12)
    assert start == pytest.approx(float(Expectation(graph.graph_of(pig)).value(pig.start())), abs=1e-12)


def test_what_lists_do_not_have_is_told_in_a_sentence_where_there_is_no_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    arrays: Any = type(numbers.arrays)("numberquest.solver.plain_arrays")
    assert arrays.flatnonzero(plain_arrays.array([0, 3])).tolist() == [1]
    with pytest.raises(TooLarge, match="working this out needs NumPy, which is not here"):
        _ = arrays.linalg
