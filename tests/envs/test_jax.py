"""The pure functions for JAX play what `Game` plays, move by move, compiled as they are used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numberquest.core.contract import CHANCE, Game
from numberquest.core.registry import GAMES, game
from numberquest.core.settings import BadSetting
from numberquest.envs.episode import Regret
from numberquest.players.levels import perfect_moves
from numberquest.solver import TooLarge
from tests.adapters.environment import needed
from tests.documents import run_examples
from tests.envs.test_batch import VARIANTS, reveals, steps_of
from tests.own.kinds import Forever, Race

needed("jax", "jax")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

# As if there were two of them, before anything runs there.
jax.config.update("jax_num_cpu_devices", 2)

from numberquest.envs.jax import Core  # noqa: E402

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
SIZE = 6


def rules_of_files() -> list[Game[Any]]:
    from numberquest.envs.arguments import rules_for

    return [rules_for(str(EXAMPLES / "nim.py"), {}), rules_for(str(EXAMPLES / "pig.py"), {"target": 10})]


RULES = [*VARIANTS, *rules_of_files()]


@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_every_step_is_what_the_rules_say(rules: Game[Any]) -> None:
    core = Core(rules)

    @jax.jit
    def told(state: Any) -> Any:
        return core.mask(state), core.player(state), core.observe(state), [core.observe(state, seat) for seat in (0, 1)]

    @jax.jit
    def go_on(state: Any, key: Any) -> Any:
        for_action, for_step = jax.random.split(key)
        actions = core.sample(state, for_action)
        return actions, *core.step(state, actions, for_step)

    state = core.init(jax.random.key(5), SIZE)
    ended = 0
    for i in range(SIZE):
        assert core.position(state, i) in reveals(rules, rules.start())
    for key in jax.random.split(jax.random.key(6), min(2 * steps_of(rules) + 10, 40)):
        masks, players, seen, by_seat = jax.tree.map(np.asarray, told(state))
        actions, new, stepped = go_on(state, key)
        for i in range(SIZE):
            position, after = core.position(state, i), core.position(new, i)
            final = core.position(stepped.final, i)
            allowed = rules.moves(position) or rules.actions
            assert masks[i].tolist() == [move in allowed for move in rules.actions]
            assert masks[i, actions[i]]
            assert players[i] == rules.turn(position)
            assert seen[i].tolist() == by_seat[players[i]][i].tolist()
            for seat in (0, 1):
                assert by_seat[seat][i].dtype == np.float32
                assert by_seat[seat][i].tolist() == core.observer.see(position, seat).tolist()
            if stepped.truncated[i]:
                assert rules.longest is None
                assert (stepped.ended[i], stepped.rewards[i], rules.outcome(final)) == (False, 0, None)
                assert after in reveals(rules, rules.start())
                continue
            played = rules.play(position, rules.actions[actions[i]]) if rules.moves(position) else position
            outcome = rules.outcome(final)
            assert final in {played, *reveals(rules, played)}
            assert stepped.ended[i] == (outcome is not None)
            assert stepped.rewards[i] == (0 if outcome is None else outcome.reward(rules.turn(position)))
            assert after in reveals(rules, final if outcome is None else rules.start())
            assert not rules.moves(after) or rules.player(after) != CHANCE
        ended += int((stepped.ended | stepped.truncated).sum())
        state = new
    if rules.longest is not None:
        assert ended >= SIZE


@pytest.mark.parametrize("rules", [*map(game, GAMES.own), Race(), Forever()], ids=repr)
def test_one_game_mapped_over_keys_is_a_batch_of_games(rules: Game[Any]) -> None:
    """With a key for each game, as others use it: `vmap` of a single game."""
    core = Core(rules)

    def play(key: Any) -> Any:
        state, said = core.init(key), []
        for each in jax.random.split(key, 3):
            state, stepped = core.step(state, core.sample(state, each), each)
            said.append(stepped.rewards)
        return state, core.observe(state), core.mask(state), said

    keys = jax.random.split(jax.random.key(1), 4)
    together, one = jax.jit(jax.vmap(play))(keys), jax.jit(play)
    for i, key in enumerate(keys):
        alone = one(key)
        assert core.position(alone[0]) == core.position(together[0], i)
        assert jax.tree.all(jax.tree.map(lambda a, b, i=i: jnp.array_equal(a, b[i]), alone, together))


@pytest.mark.parametrize("slug", GAMES.own)
def test_a_scan_keeps_the_state_as_it_is_and_the_same_key_gives_the_same_games(slug: str) -> None:
    core = Core(slug)

    @jax.jit
    def played(key: Any) -> Any:
        def one(state: Any, key: Any) -> Any:
            for_action, for_step = jax.random.split(key)
            state, stepped = core.step(state, core.sample(state, for_action), for_step)
            return state, stepped.rewards

        return jax.lax.scan(one, core.init(key, 50), jax.random.split(key, 30))

    same, other = played(jax.random.key(1)), played(jax.random.key(2))
    assert jax.tree.all(jax.tree.map(jnp.array_equal, played(jax.random.key(1)), same))
    assert not jnp.array_equal(same[1], other[1])


@pytest.mark.parametrize("slug", ["fifty", "mystic"])
def test_every_allowed_action_and_every_hidden_number_comes_alike(slug: str) -> None:
    core, size = Core(slug), 200_000
    state = core.init(jax.random.key(1), size)
    drawn = np.bincount(np.asarray(core.sample(state, jax.random.key(2))), minlength=core.actions)
    allowed = np.flatnonzero(core.mask(state)[0])
    assert drawn[allowed].sum() == size
    assert np.abs(drawn[allowed] - size / len(allowed)).max() < 6 * (size / len(allowed)) ** 0.5
    if slug == "mystic":
        numbers = np.bincount(np.asarray(state.drawn))[1:]
        assert np.abs(numbers - size / 9).max() < 6 * (size / 9) ** 0.5


@pytest.mark.parametrize("slug", GAMES.own)
def test_games_can_be_begun_anew_in_the_middle(slug: str) -> None:
    core = Core(slug)
    state = core.init(jax.random.key(1), 10)
    state, _ = core.step(state, core.sample(state, jax.random.key(2)), jax.random.key(3))
    new = jax.jit(core.restart)(state, jnp.arange(10) % 2 == 0, jax.random.key(4))
    for i in range(10):
        if i % 2:
            assert core.position(new, i) == core.position(state, i)
        else:
            assert core.position(new, i) in reveals(core.game, core.game.start())


def test_it_can_be_made_while_something_is_compiled() -> None:
    """The tables are kept for the next one, which must not find what was still to be compiled."""

    @jax.jit
    def moves(key: Any) -> Any:
        core = Core("sumquest", target=17)
        return core.sample(core.init(key, 3), key)

    moves(jax.random.key(1))
    core = Core("sumquest", target=17)
    assert core.mask(core.init(jax.random.key(1), 3)).all()


def test_what_is_no_game_or_too_large_is_refused() -> None:
    with pytest.raises(BadSetting, match="target"):
        Core("fifty", target=1)
    with pytest.raises(TooLarge, match=r"sumquest with target=999 high=9 .* no more than 0 MB are allowed"):
        Core("sumquest", target=999, most_memory=1000)


TRUE: list[Game[Any]] = [
    game("showdown", high=5, picks=4),
    game("fifty", target=20, high=4),
    game("grid", stand=True, side=2, target=6),
    game("sumquest"),
    game("mystic", target=9, high=4),
    Race(),
    *rules_of_files(),
]


@pytest.mark.parametrize("digits", [64, 32])
@pytest.mark.parametrize("rules", TRUE, ids=repr)
def test_values_regret_and_perfect_moves_are_those_of_the_solver(rules: Game[Any], digits: int) -> None:
    """With 64 bits to the last digit, and otherwise as exact as 32 bits are."""
    solver = Regret(rules)
    with jax.enable_x64(digits == 64):
        core = Core(rules)

        @jax.jit
        def told(state: Any, key: Any) -> Any:
            keys = jax.random.split(key, 10)
            action = core.sample(state, keys[0])
            chosen = jnp.stack([core.perfect(state, each) for each in keys[2:]])
            truth = core.regret(state, action), core.values(state), core.mattered(state)
            return action, truth, chosen, core.step(state, action, keys[1])[0]

        state = core.init(jax.random.key(1), SIZE)
        for key in jax.random.split(jax.random.key(2), min(rules.bound, 8)):
            action, (regrets, values, mattered), chosen, new = told(state, key)
            for i in range(SIZE):
                position = core.position(state, i)
                if not rules.moves(position):
                    continue
                expected = solver.of(position, rules.turn(position), rules.actions[action[i]])
                close = 0.0 if digits == 64 else 1e-6
                assert abs(float(regrets[i]) - expected.regret) <= close
                assert abs(float(values[i]) - expected.value) <= close
                assert mattered[i] == expected.mattered
                best = {rules.actions.index(move) for move in perfect_moves(rules, position)}
                assert set(chosen[:, i].tolist()) <= best
            state = new


def test_what_is_true_can_be_asked_first_while_something_is_compiled() -> None:
    core = Core("fifty", target=8, high=3)
    state = core.init(jax.random.key(1), 4)
    best = jax.jit(core.perfect)(state, jax.random.key(2))
    assert (core.regret(state, best) == 0).all()


def test_games_spread_over_devices_are_the_same_games() -> None:
    core = Core("mystic", target=9, high=4)
    mesh = jax.make_mesh((2,), ("games",), axis_types=(jax.sharding.AxisType.Auto,))
    games = jax.sharding.PartitionSpec("games")

    def played(state: Any) -> Any:
        def one(state: Any, keys: Any) -> Any:
            state, stepped = core.step(state, core.sample(state, keys[0]), keys[1])
            return state, stepped.rewards

        return jax.lax.scan(one, state, jax.random.split(jax.random.key(3), (20, 2)))

    state = core.init(jax.random.key(1), 8)
    spread = jax.device_put(state, jax.sharding.NamedSharding(mesh, games))
    together, apart = jax.jit(played)(state), jax.jit(played)(spread)
    assert len(apart[0].totals.sharding.device_set) == 2
    assert jax.tree.all(jax.tree.map(np.array_equal, together, apart))
    # Each device by itself, with the same keys: the same games twice.
    alone = jax.jit(jax.shard_map(lambda part: played(part)[0], mesh=mesh, in_specs=games, out_specs=games))(spread)
    assert len(alone.totals.sharding.device_set) == 2
    half = jax.jit(played)(jax.tree.map(lambda array: array[:4], state))[0]
    assert np.array_equal(alone.totals[:4], half.totals)


@pytest.mark.timeout(600)
def test_the_examples_of_the_document_run(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names = run_examples(ROOT / "docs" / "jax.md")
    assert "games ended" in capsys.readouterr().out
    # It has learned to play, and what it reached is measured, not estimated.
    assert names["after"] < 0.1 < names["before"]
