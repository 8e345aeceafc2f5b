"""Thousands of games at once are the games that `Game` plays, move by move."""

import copy
import importlib.util
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberquest.core.contract import CHANCE, Game
from numberquest.core.registry import GAMES, game
from numberquest.core.settings import BadSetting
from numberquest.envs.batch import Batch, tables_for
from numberquest.envs.batches.general import GeneralTables
from numberquest.solver import TooLarge
from tests.conftest import in_ci
from tests.documents import run_examples
from tests.envs.needs import needed
from tests.envs.other_arrays import RULES, check_same_games
from tests.own.kinds import OWN
from tests.strategies import games

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "batch.md"
VARIANTS: list[Game[Any]] = [
    *map(game, GAMES.own),
    game("showdown", high=6, picks=3),
    game("showdown", high=2, picks=1),
    game("fifty", target=7, high=3, copies=4, ops="+*"),
    game("fifty", target=200, high=4, copies=1),
    game("grid", stand=True),
    game("grid", side=4, target=30, stand=True),
    game("grid", side=2, target=90),
    game("sumquest", target=2, high=2),
    game("sumquest", target=60, high=5),
    game("mystic", target=8, high=2, copies=1),
    game("mystic", target=60, high=3, copies=4),
    *OWN,
]
of_every_kind = pytest.mark.parametrize("rules", VARIANTS, ids=repr)


def steps_of(rules: Game[Any]) -> int:
    """So many steps show all of a game, or enough of one that may take for ever."""
    return min(rules.bound, 30)


def reveals(rules: Game[Any], position: Any) -> set[Any]:
    """Where chance may lead from there; where it has nothing to decide, only to where it is."""
    found, todo = set(), [position]
    while todo:
        position = todo.pop()
        moves = rules.moves(position)
        if moves and rules.player(position) == CHANCE:
            todo += [rules.play(position, reveal) for reveal in moves]
        else:
            found.add(position)
    return found


def check_position(batch: Batch, i: int) -> None:
    """What the batch says about one game is what the game says."""
    rules, position = batch.game, batch.position(i)
    # Where chance has ended a game before the first move, any action will do.
    allowed = rules.moves(position) or rules.actions
    assert batch.masks[i].tolist() == [move in allowed for move in rules.actions]
    assert batch.players[i] == rules.turn(position)
    for player in (0, 1):
        seen = batch.observe(np.full(batch.size, player))[i]
        assert seen.dtype == np.float32
        assert seen.tolist() == batch.observer.see(position, player).tolist()
    assert batch.observe()[i].tolist() == batch.observer.see(position, rules.turn(position)).tolist()


def check_start(rules: Game[Any], position: Any) -> None:
    assert position in reveals(rules, rules.start())


def check_step(batch: Batch) -> int:
    """Play one random step in every game, and hold each against the rules. How many were over is returned."""
    rules = batch.game
    before = [batch.position(i) for i in range(batch.size)]
    actions = batch.sample()
    assert batch.allowed(actions).all()
    stepped = batch.step(actions)
    last = [batch.observe_final(np.full(batch.size, player)) for player in (0, 1)]
    for i, position in enumerate(before):
        mover, after, final = rules.turn(position), batch.position(i), batch.final_position(i)
        # Told apart from the restart: the final observation belongs to the position in which the game ended.
        for player in (0, 1):
            assert last[player][i].tolist() == batch.observer.see(final, player).tolist()
        decided = not rules.moves(position)
        played = position if decided else rules.play(position, rules.actions[actions[i]])
        outcome = rules.outcome(final)
        assert batch.movers[i] == mover
        if stepped.truncated[i]:
            assert rules.longest is None
            assert (outcome, stepped.ended[i], stepped.rewards[i], batch.winners[i]) == (None, False, 0, -1)
            check_start(rules, after)
            continue
        # In grid the reveal belongs to the move; in mystic the next number is drawn only if the game goes on.
        assert final in {played, *reveals(rules, played)}
        assert stepped.ended[i] == (outcome is not None)
        if outcome is None:
            assert (stepped.rewards[i], batch.winners[i]) == (0, -1)
            assert after in reveals(rules, final)
            assert rules.player(after) != CHANCE
        else:
            assert batch.winners[i] == (-1 if outcome.winner is None else outcome.winner)
            assert stepped.rewards[i] == outcome.reward(mover)
            check_start(rules, after)
    return int((stepped.ended | stepped.truncated).sum())


@of_every_kind
def test_a_long_run_is_what_the_rules_say_at_every_step(rules: Game[Any]) -> None:
    batch = Batch(rules, 7, seed=5)
    ended = 0
    for i in range(batch.size):
        check_start(rules, batch.position(i))
    for _ in range(3 * steps_of(rules) + 20):
        for i in range(batch.size):
            check_position(batch, i)
        ended += check_step(batch)
    assert ended >= batch.size


@in_ci
@given(rules=games(), seed=st.integers(0, 2**32))
def test_any_game_with_any_settings_is_what_the_rules_say(rules: Game[Any], seed: int) -> None:
    batch = Batch(rules, 3, seed)
    for _ in range(rules.bound):
        check_step(batch)
        check_position(batch, seed % 3)


@pytest.mark.parametrize("slug", GAMES)
def test_a_seed_gives_the_same_games_and_another_one_gives_others(slug: str) -> None:
    def run(seed: int) -> list[Any]:
        batch = Batch(game(slug), 50, seed)
        seen = []
        for _ in range(30):
            batch.step(batch.sample())
            seen.append(batch.observe().tolist())
        return seen

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_the_deals_of_a_seed_are_the_same_whatever_was_sampled() -> None:
    one, two = Batch(game("mystic"), 100, seed=9), Batch(game("mystic"), 100, seed=9)
    for _ in range(12):
        one.sample()
        add = np.zeros(100, int)
        one.step(add)
        two.step(add)
        assert (one.observe() == two.observe()).all()


def test_the_games_of_a_seed_stay_the_same_for_ever() -> None:
    """Whoever wrote a seed down finds the same games again on another machine and with another version."""
    batch = Batch(game("mystic"), 5, seed=1)
    played = []
    for _ in range(4):
        actions = batch.sample()
        played.append(actions.tolist())
        batch.step(actions)
    assert played == PLAYED
    assert batch.position(2) == POSITION


def test_reset_with_the_seed_begins_the_same_games_again() -> None:
    batch = Batch(game("grid"), 64, seed=4)
    first = [batch.step(np.full(64, cell)).ended.tolist() for cell in range(3)]
    deals = batch.observe().tolist()
    batch.reset(4)
    assert [batch.step(np.full(64, cell)).ended.tolist() for cell in range(3)] == first
    assert batch.observe().tolist() == deals
    batch.reset()
    for cell in range(3):
        batch.step(np.full(64, cell))
    assert batch.observe().tolist() != deals


@pytest.mark.parametrize("slug", GAMES)
def test_every_allowed_action_is_sampled_alike(slug: str) -> None:
    rules = game(slug)
    batch = Batch(rules, 200_000, seed=2)
    drawn = np.bincount(batch.sample(), minlength=len(rules.actions))
    # At the start of mystic nothing can be subtracted, whatever is drawn; elsewhere all is allowed.
    allowed = [action for action in range(len(rules.actions)) if batch.masks[0, action]]
    expected = batch.size / len(allowed)
    assert drawn[allowed].sum() == batch.size
    assert np.abs(drawn[allowed] - expected).max() < 6 * expected**0.5


@pytest.mark.parametrize(("slug", "opened"), [("mystic", 2), ("grid", 3)])
def test_every_order_of_the_hidden_numbers_comes_alike(slug: str, opened: int) -> None:
    """Drawn when it is needed is the same as dealt before: the first numbers are any of the orders, each as often."""
    rules = game("mystic", target=60, high=3, copies=2) if slug == "mystic" else game("grid", side=2, target=99)
    batch = Batch(rules, 120_000, seed=6)
    numbers = []
    for at in range(opened):
        if slug == "mystic":
            numbers.append(batch.observe()[:, batch.observer.at("drawn").start])
        batch.step(np.full(batch.size, 0 if slug == "mystic" else at))
    if slug == "grid":
        numbers = list(batch.observe()[:, batch.observer.at("cells")].T[:opened])
    code = sum(column.astype(int) * 10**at for at, column in enumerate(numbers))
    _, counts = np.unique(code, return_counts=True)
    if slug == "grid":
        expected = [1 / 24] * 24
    else:
        # Of two 1s, two 2s and two 3s: the same twice, or two different ones.
        expected = sorted([2 / 6 * 1 / 5] * 3 + [2 / 6 * 2 / 5] * 6)
    wanted = np.array(expected) * batch.size
    assert len(counts) == len(expected)
    assert np.abs(np.sort(counts) - wanted).max() < 6 * wanted.max() ** 0.5


@of_every_kind
def test_where_only_some_games_move_the_others_stay(rules: Game[Any]) -> None:
    batch = Batch(rules, 30, seed=8)
    dice = np.random.default_rng(1)
    for _ in range(2 * steps_of(rules)):
        only = dice.random(30) < 0.5
        before = [batch.position(i) for i in range(30)]
        actions = batch.sample()
        stepped = batch.step(actions, only)
        for i in range(30):
            if not only[i]:
                assert batch.position(i) == before[i]
                assert not stepped.ended[i]
                assert not stepped.truncated[i]
                assert stepped.rewards[i] == 0
            elif not stepped.ended[i] and not stepped.truncated[i]:
                assert batch.position(i) in reveals(rules, rules.play(before[i], rules.actions[actions[i]]))


@pytest.mark.parametrize("slug", GAMES)
def test_games_can_be_begun_anew_in_the_middle(slug: str) -> None:
    rules = game(slug)
    batch = Batch(rules, 30, seed=8)
    batch.step(batch.sample())
    before = [batch.position(i) for i in range(30)]
    some = np.arange(30) % 2 == 0
    batch.restart(some)
    for i in range(30):
        if some[i]:
            check_start(rules, batch.position(i))
        else:
            assert batch.position(i) == before[i]


def test_an_action_that_is_not_allowed_is_told_apart() -> None:
    batch = Batch(game("sumquest"), 4, seed=1)
    batch.step(np.array([0, 1, 2, 3]))
    assert batch.allowed(np.array([0, 0, 2, 8])).tolist() == [False, True, False, True]
    assert batch.allowed(np.array([-1, 9, 1000, 0])).tolist() == [False, False, False, True]
    # Neither are those that would become one if they were made smaller numbers.
    assert batch.allowed(np.array([2**32 + 3, -(2**32) + 3, 2**40, 2**32])).tolist() == [False] * 4
    assert batch.allowed(np.array([1.5, 0.9, -0.5, 7.0])).tolist() == [False, False, False, True]


@in_ci
def test_small_action_types_do_not_overflow() -> None:
    rules = game("grid", side=4, target=99)
    small, large = Batch(rules, 9, seed=1), Batch(rules, 9, seed=1)
    for cell in (15, 14, 13):
        small.step(np.full(9, cell, np.uint8))
        large.step(np.full(9, cell))
    assert (small.observe() == large.observe()).all()


def test_tables_that_would_be_too_large_are_refused_with_their_size() -> None:
    with pytest.raises(
        TooLarge, match=r"mystic with target=21 high=9 copies=4 .* about 110 MB, and no more than 50 MB"
    ):
        Batch(game("mystic", copies=4), 10, most_memory=50_000_000)
    with pytest.raises(TooLarge, match=r"sumquest with target=999 high=9 .* about 1 MB"):
        Batch(game("sumquest", target=999), 10, most_memory=1000)
    with pytest.raises(ValueError, match="at least one game, not 0"):
        Batch(game("fifty"), 0)


@pytest.mark.parametrize("slug", GAMES)
def test_the_size_that_is_told_is_the_size_of_the_tables(slug: str) -> None:
    tables = tables_for(game(slug), np)
    held = [value for value in [*vars(tables).values(), *vars(tables.legal).values()] if isinstance(value, np.ndarray)]
    told = type(tables).bytes_for(tables.game)
    assert 0.5 * told < sum(array.nbytes for array in held) < 2 * told


def test_a_game_with_too_many_positions_to_list_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numberquest.envs.batches.general.MOST_POSITIONS", 1000)
    with pytest.raises(TooLarge, match="more than 1,000 positions"):
        GeneralTables(game("sumquest", target=900), np)


@pytest.mark.parametrize(("slug", "settings"), [("showdown", {"high": 2}), ("fifty", {"target": 5, "high": 2})])
def test_the_general_tables_agree_with_those_made_by_hand(slug: str, settings: dict[str, Any]) -> None:
    rules = game(slug, **settings)
    batch = Batch(rules, 5, seed=1)
    general = Batch(rules, 5, seed=1)
    general.tables = GeneralTables(rules, np)
    general.reset(1)
    check_alike(batch, general, 40)


def check_alike(batch: Batch, other: Batch, steps: int) -> None:
    """Both go on in the same way."""
    for _ in range(steps):
        actions = batch.sample()
        assert other.sample().tolist() == actions.tolist()
        assert other.step(actions).rewards.tolist() == batch.step(actions).rewards.tolist()
        assert other.observe().tolist() == batch.observe().tolist()


@in_ci
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_with_nothing_but_the_array_standard_the_games_are_the_same(rules: Game[Any]) -> None:
    check_same_games(rules, needed("array_api_strict"))


@in_ci
def test_with_the_arrays_of_jax_the_games_are_the_same() -> None:
    """In a process of its own: where JAX is, no other test could start a process."""
    # Only the benchmarks bring it: it is larger than everything else together.
    if importlib.util.find_spec("jax") is None:
        pytest.skip("SKIPPED: jax is not on this machine (make bench brings it)")
    command = [sys.executable, "-m", "tests.envs.other_arrays", "jax.numpy"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=DOCUMENT.parent.parent, check=False)
    assert (done.returncode, done.stdout) == (0, f"{len(RULES)} games are the same\n"), done.stderr


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])  # noqa: S301
@pytest.mark.parametrize("slug", GAMES)
def test_a_copy_goes_on_as_the_original_does(slug: str, copied: Any) -> None:
    batch = Batch(game(slug), 20, seed=1)
    batch.step(batch.sample())
    check_alike(batch, copied(batch), 12)


@pytest.mark.parametrize("shape", [(5, 1), (1, 5), (4,), (6,), ()])
def test_actions_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    batch = Batch(game("fifty"), 5, seed=1)
    before = [batch.position(i) for i in range(5)]
    for do in (batch.step, batch.allowed, lambda actions: batch.step(np.zeros(5, int), actions), batch.restart):
        with pytest.raises(ValueError, match=r"one for each of the 5 games, not an array of shape \("):
            do(np.zeros(shape, int))
    assert [batch.position(i) for i in range(5)] == before


def test_lists_do_as_well_as_arrays() -> None:
    for slug in GAMES:
        one, other = Batch(game(slug), 3, seed=1), Batch(game(slug), 3, seed=1)
        actions = one.sample()
        one.step(actions, np.array([True, False, True]))
        other.step(actions.tolist(), [True, False, True])
        one.restart(np.array([False, True, True]))
        other.restart([False, True, True])
        assert one.observe().tolist() == other.observe().tolist()


def test_what_is_no_game_or_no_number_of_games_is_refused() -> None:
    with pytest.raises(TypeError, match="a game is its name, the path of its file, its class, or an object of that"):
        Batch(3, 3)  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match="there is no game called 'chess'"):
        Batch("chess", 3)
    with pytest.raises(TypeError, match="a whole number of games, not '3'"):
        Batch(game("fifty"), "3")  # type: ignore[arg-type]
    assert Batch(game("fifty"), np.int64(3)).size == 3


@pytest.mark.usefixtures("readers_place")
def test_the_examples_of_the_document_run(capsys: Any) -> None:
    needed("gymnasium")
    run_examples(DOCUMENT)
    said = capsys.readouterr().out
    assert "games ended" in said
    assert re.search(r"^0 games won, [1-9]\d* lost$", said, re.MULTILINE)
    assert re.search(r"^[1-9]\d* games, never lost$", said, re.MULTILINE)


PLAYED = [[0, 2, 0, 0, 0], [2, 0, 0, 2, 2], [1, 2, 1, 1, 2], [2, 0, 1, 2, 0]]
POSITION = ((1, 2, 3, 3, 4, 4, 5, 5, 6, 7, 7, 8, 9), (6, 8), 6)
