"""Many learners at once are as many learners one by one, and Gymnasium's own tools take the environment as theirs."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from numberquest.games import GAMES, game
from tests.envs.needs import needed

gymnasium = needed("gymnasium")

from gymnasium.utils.env_checker import data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

from numberquest.envs.gymnasium import SoloEnv  # noqa: E402
from numberquest.envs.vector import NumberQuestVectorEnv  # noqa: E402

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((slug, {}) for slug in GAMES),
    ("showdown", {"high": 4, "picks": 1}),
    ("fifty", {"target": 6, "high": 3, "copies": 2}),
    ("grid", {"side": 2, "target": 4, "stand": True}),
    ("sumquest", {"target": 2, "high": 2}),
    ("mystic", {"target": 4, "high": 3, "copies": 2}),
]


MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]


def legal(info: dict[str, Any], dice: np.random.Generator) -> Any:
    """A random allowed action for every learner."""
    scores = dice.random(info["action_mask"].shape) * info["action_mask"]
    return scores.argmax(axis=1)


def run(env: Any, steps: int, seed: int) -> list[Any]:
    dice = np.random.default_rng(seed)
    seen: list[Any] = [env.reset(seed=seed)]
    for _ in range(steps):
        seen.append(env.step(legal(seen[-1][-1], dice)))
    return seen


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize(("slug", "settings"), SETTINGS, ids=str)
def test_what_it_gives_has_the_shape_and_type_of_its_spaces(
    slug: str, settings: dict[str, Any], mode: AutoresetMode
) -> None:
    env = NumberQuestVectorEnv(slug, 16, autoreset_mode=mode, **settings)
    assert env.metadata["autoreset_mode"] is mode
    was_over = np.zeros(16, bool)
    for seen, reward, over, cut, info in run(env, 60, 1)[1:]:
        assert seen in env.observation_space
        assert (reward.dtype, over.dtype, cut.dtype) == (np.float64, np.bool_, np.bool_)
        assert reward.shape == over.shape == cut.shape == (16,)
        assert not cut.any()
        assert (np.abs(reward) == over).all()
        can_move = info["action_mask"].any(axis=1)
        if mode is AutoresetMode.NEXT_STEP:
            assert (can_move == ~over).all()
            assert not (over & was_over).any()
        else:
            assert can_move.all()
            assert ("final_obs" in info) == over.any()
            for i in np.flatnonzero(over):
                assert info["final_obs"][i] in env.single_observation_space
                assert info["_final_obs"][i]
        was_over = over


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize(("slug", "settings"), SETTINGS, ids=str)
def test_as_many_learners_one_by_one_tell_the_same_and_win_as_often(
    slug: str, settings: dict[str, Any], mode: AutoresetMode
) -> None:
    """Against Gymnasium's own vector of our single environments, with the same way of beginning anew."""
    ours = NumberQuestVectorEnv(slug, 40, autoreset_mode=mode, **settings)
    theirs = SyncVectorEnv([lambda: SoloEnv(slug, **settings)] * 40, autoreset_mode=mode)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.action_space == theirs.action_space
    assert ours.observation_space == theirs.observation_space
    figures = []
    for env in (ours, theirs):
        steps = run(env, 120, 7)
        rewards = np.concatenate([step[1][step[2]] for step in steps[1:]])
        over = np.mean([step[2] for step in steps[1:]])
        told = next(step[-1] for step in steps[1:] if step[2].any())
        kinds: dict[str, Any] = {name: value.shape for name, value in told.items() if isinstance(value, np.ndarray)}
        kinds.update({name: set(value) for name, value in told.items() if isinstance(value, dict)})
        seen = np.concatenate([step[0] for step in steps[1:]]).mean(axis=0)
        figures.append((rewards.mean(), over, len(rewards), kinds, seen))
    (won, over, count, kinds, seen), (their_won, their_over, their_count, their_kinds, their_seen) = figures
    assert kinds == their_kinds
    # How often games end, and how often they are won: six times what chance makes of it.
    assert abs(won - their_won) < 6 * (1 / count + 1 / their_count) ** 0.5
    assert abs(over - their_over) < 6 * (over * (1 - over) * 2 / 4800) ** 0.5 + 1e-9
    # And what is seen on the average.
    assert (np.abs(seen - their_seen) <= 0.1 * ours.batch.observer.high).all()


@pytest.mark.parametrize("slug", GAMES)
def test_every_move_of_learner_and_opponent_is_one_that_the_rules_allow(slug: str) -> None:
    """From one observation of a learner to the next: their move, and an answer of the opponent."""
    rules = game(slug)
    env = NumberQuestVectorEnv(slug, 12, seat=1, autoreset_mode=AutoresetMode.SAME_STEP)
    dice = np.random.default_rng(3)
    _, info = env.reset(seed=3)
    for _ in range(30):
        before = [env.batch.position(i) for i in range(12)]
        actions = legal(info, dice)
        seen, _, over, _, info = env.step(actions)
        for i in np.flatnonzero(~over).tolist():
            move, after = rules.actions[actions[i]], env.batch.position(i)
            assert after in answers(rules, rules.play(before[i], move))
            assert seen[i].tolist() == env.batch.observer.see(after, 0).tolist()


def answers(rules: Any, position: Any) -> set[Any]:
    """Where the opponent and chance may lead from there, until Player 1 is to move again."""
    reached, todo = set(), [position]
    while todo:
        position = todo.pop()
        if rules.player(position) == 0 or not rules.moves(position):
            reached.add(position)
        else:
            todo += [rules.play(position, move) for move in rules.moves(position)]
    return reached


def test_a_seed_gives_the_same_again() -> None:
    env = NumberQuestVectorEnv("mystic", 20, opponent="easy")
    first, again = run(env, 30, 5), run(env, 30, 5)
    other = run(env, 30, 6)
    assert all(data_equivalence(a, b) for a, b in zip(first, again, strict=True))
    assert not all(data_equivalence(a, b) for a, b in zip(first, other, strict=True))


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_an_illegal_move_ends_the_game_and_loses_it(mode: AutoresetMode) -> None:
    env = NumberQuestVectorEnv("sumquest", 3, seat=2, autoreset_mode=mode, target=99)
    _, info = env.reset(seed=1)
    seen, _, over, _, info = env.step(info["action_mask"].argmax(axis=1))
    assert not over.any()
    barred = info["action_mask"].argmin(axis=1)
    fine = info["action_mask"].argmax(axis=1)
    after, rewards, over, _, info = env.step(np.array([barred[0], fine[1], barred[2]]))
    assert rewards[[0, 2]].tolist() == [-1, -1]
    assert over[[0, 2]].all()
    if mode is AutoresetMode.NEXT_STEP:
        assert info["illegal"].tolist() == [True, False, True]
        assert after[0].tolist() == seen[0].tolist()
        after, rewards, over, _, info = env.step(barred)
        assert (rewards[0], over[0], "illegal" in info) == (0, False, info.get("illegal", [0, 0])[1])
    else:
        assert info["final_info"]["illegal"].tolist() == [True, False, True]
        assert info["final_obs"][0].tolist() == seen[0].tolist()
    # And the next game has begun, with the opponent's first move made.
    assert (info["seat"] == 2).all()
    assert env.batch.players.tolist() == [1, 1, 1]
    first = after[[0, 2]]
    assert (first[:, env.batch.observer.at("sum")] == first[:, env.batch.observer.at("barred")]).all()
    assert (first[:, env.batch.observer.at("sum")] > 0).all()


def test_against_perfect_whoever_plays_at_random_loses() -> None:
    env = NumberQuestVectorEnv("sumquest", 50, opponent="perfect")
    rewards = np.concatenate([step[1][step[2]] for step in run(env, 60, 1)[1:]])
    assert len(rewards) > 500
    assert rewards.mean() < -0.9


def test_stronger_opponents_win_more_often() -> None:
    won = []
    for opponent in ("random", "easy", "hard"):
        steps = run(NumberQuestVectorEnv("sumquest", 100, opponent=opponent), 60, 2)
        won.append(np.concatenate([step[1][step[2]] for step in steps[1:]]).mean())
    assert won[0] > won[1] + 0.1 > won[2] + 0.2


def test_only_some_games_can_be_reset() -> None:
    env = NumberQuestVectorEnv("grid", 10, seat=1)
    _, info = env.reset(seed=1)
    env.step(legal(info, np.random.default_rng(1)))
    before = [env.batch.position(i) for i in range(10)]
    some = np.arange(10) < 4
    env.reset(options={"reset_mask": some})
    start = game("grid").start()
    assert [env.batch.position(i) for i in range(10)] == [start if some[i] else before[i] for i in range(10)]


def test_the_tools_of_gymnasium_run_on_it() -> None:
    """What Gymnasium offers for vector environments: its wrappers, and its own measure of steps."""
    from gymnasium.utils.performance import benchmark_vector_step
    from gymnasium.wrappers import vector as wrappers

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env: Any = NumberQuestVectorEnv("fifty", 8)
        assert benchmark_vector_step(env, target_duration=0, seed=1) > 0
        env = wrappers.RecordEpisodeStatistics(env)
        env = wrappers.NormalizeObservation(wrappers.FlattenObservation(env))
        env = wrappers.DictInfoToList(wrappers.ClipReward(env, -1, 1))
        _, infos = env.reset(seed=1)
        told = []
        for _ in range(40):
            _, _, _, _, infos = env.step(np.array([info["action_mask"].argmax() for info in infos]))
            told += [info["episode"] for info in infos if "episode" in info]
        assert told
        assert all(abs(episode["r"]) == 1 for episode in told)
        env.close()


def test_made_by_its_id() -> None:
    env = gymnasium.make_vec("NumberQuest/Fifty-v0", num_envs=5, vectorization_mode="vector_entry_point", target=30)
    assert isinstance(env, NumberQuestVectorEnv)
    assert env.game == game("fifty", target=30)
    assert env.num_envs == 5


def test_positions_are_rendered_in_words() -> None:
    env = NumberQuestVectorEnv("sumquest", 2, render_mode="ansi")
    env.reset(seed=1)
    shown = env.render()
    assert shown is not None
    assert len(shown) == 2
    assert all("Sum Quest" in text and " is to move." in text for text in shown)


def test_wrong_arguments_are_refused_in_words() -> None:
    with pytest.raises(ValueError, match="seat is 1, 2 or 'random', not 3"):
        NumberQuestVectorEnv("fifty", 2, seat=3)
    with pytest.raises(ValueError, match="render_mode is None or 'ansi', not 'human'"):
        NumberQuestVectorEnv("fifty", 2, render_mode="human")
    with pytest.raises(ValueError, match="autoreset_mode is NEXT_STEP or SAME_STEP"):
        NumberQuestVectorEnv("fifty", 2, autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(ValueError, match="reset_mask is an array of 2 truth values"):
        NumberQuestVectorEnv("fifty", 2).reset(options={"reset_mask": np.ones(3)})
