"""Many learners at once are as many learners one by one, and Gymnasium's own tools take the environment as theirs."""

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

from numberquest.core.contract import Game
from numberquest.core.registry import GAMES, game
from numberquest.envs.batches.arrays import BitsOfEach
from numberquest.solver import TooLarge
from tests.conftest import in_ci
from tests.envs.needs import needed
from tests.own.kinds import OWN, Race, ShortRace

gymnasium = needed("gymnasium")

from gymnasium.utils.env_checker import data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

from numberquest.envs.gymnasium import SoloEnv  # noqa: E402
from numberquest.envs.vector import NumberQuestVectorEnv  # noqa: E402

RULES = [
    *map(game, GAMES),
    game("showdown", high=4, picks=1),
    game("fifty", target=6, high=3, copies=2),
    game("grid", side=2, target=4, stand=True),
    game("sumquest", target=2, high=2),
    game("mystic", target=4, high=3, copies=2),
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
@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_what_it_gives_has_the_shape_and_type_of_its_spaces(rules: Game[Any], mode: AutoresetMode) -> None:
    env = NumberQuestVectorEnv(rules, 16, autoreset_mode=mode)
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
@pytest.mark.parametrize("rules", [*(pytest.param(rules, marks=in_ci) for rules in RULES), *OWN], ids=repr)
def test_as_many_learners_one_by_one_are_told_the_same_things_and_win_about_as_often(
    rules: Game[Any], mode: AutoresetMode
) -> None:
    """Against Gymnasium's own vector of our single environments, with the same way of beginning anew."""
    ours: Any = NumberQuestVectorEnv(rules, 40, autoreset_mode=mode, render_mode="ansi")
    theirs: Any = SyncVectorEnv([lambda: SoloEnv(rules, render_mode="ansi")] * 40, autoreset_mode=mode)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.action_space == theirs.action_space
    assert ours.observation_space == theirs.observation_space
    figures = []
    for env in (ours, theirs):
        steps = run(env, 120, 7)[1:]
        assert len(env.render()) == 40
        rewards = np.concatenate([rewards[over | cut] for _, rewards, over, cut, _ in steps])
        ends = np.array([(over.mean(), cut.mean()) for _, _, over, cut, _ in steps]).mean(axis=0)
        told = next(info for _, _, over, cut, info in steps if (over | cut).any())
        kinds: dict[str, Any] = {name: value.shape for name, value in told.items() if isinstance(value, np.ndarray)}
        kinds.update({name: set(value) for name, value in told.items() if isinstance(value, dict)})
        seen = np.concatenate([step[0] for step in steps]).mean(axis=0)
        figures.append((rewards.mean(), ends, len(rewards), kinds, seen))
    (won, ends, count, kinds, seen), (their_won, their_ends, their_count, their_kinds, their_seen) = figures
    assert kinds == their_kinds
    # How often games end or are cut short, and how often they are won: six times what chance makes of it.
    assert abs(won - their_won) < 6 * (1 / count + 1 / their_count) ** 0.5
    assert (np.abs(ends - their_ends) < 6 * (ends * (1 - ends) * 2 / 4800) ** 0.5 + 1e-9).all()
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
        after, rewards, over, _, info = env.step(info["action_mask"].argmax(axis=1))
        assert (rewards[[0, 2]].tolist(), over[[0, 2]].tolist()) == ([0, 0], [False, False])
        assert "illegal" not in info
    else:
        assert info["final_info"]["illegal"].tolist() == [True, False, True]
        assert info["final_obs"][0].tolist() == seen[0].tolist()
    # And the next game has begun, with the opponent's first move made.
    assert (info["seat"] == 2).all()
    assert env.batch.players.tolist() == [1, 1, 1]
    first = after[[0, 2]]
    assert (first[:, env.batch.observer.at("sum")] == first[:, env.batch.observer.at("barred")]).all()
    assert (first[:, env.batch.observer.at("sum")] > 0).all()


def test_stronger_opponents_win_more_often_and_against_perfect_whoever_plays_at_random_loses() -> None:
    won = []
    for opponent in ("random", "easy", "hard", "perfect"):
        steps = run(NumberQuestVectorEnv("sumquest", 100, opponent=opponent), 60, 2)
        rewards = np.concatenate([step[1][step[2]] for step in steps[1:]])
        assert len(rewards) > 500
        won.append(rewards.mean())
    assert won[0] > won[1] + 0.1 > won[2] + 0.2
    assert won[3] < -0.9


def test_only_some_games_can_be_reset() -> None:
    env = NumberQuestVectorEnv("grid", 10, seat=1)
    _, info = env.reset(seed=1)
    env.step(legal(info, np.random.default_rng(1)))
    before = [env.batch.position(i) for i in range(10)]
    some = np.arange(10) < 4
    env.reset(options={"reset_mask": some})
    start = game("grid").start()
    assert [env.batch.position(i) for i in range(10)] == [start if some[i] else before[i] for i in range(10)]


def test_with_a_seed_too_only_some_games_are_reset() -> None:
    env = NumberQuestVectorEnv("mystic", 40)
    some = np.arange(40) < 9
    _, info = env.reset(seed=1)
    before, _, over, _, info = env.step(legal(info, np.random.default_rng(1)))
    assert not over.any()
    seen, told = env.reset(seed=2, options={"reset_mask": some})
    assert (seen[~some] == before[~some]).all()
    assert (told["action_mask"][~some] == info["action_mask"][~some]).all()
    assert (told["seat"][~some] == info["seat"][~some]).all()
    assert (seen[some] != before[some]).any()
    again, _ = env.reset(seed=2, options={"reset_mask": some})
    assert (seen == again).all()


@pytest.mark.parametrize("slug", ["sumquest", "mystic"])
def test_a_game_that_is_over_stays_so_when_others_are_reset(slug: str) -> None:
    """As in Gymnasium's own vector environments: until the next step, which only begins it anew."""
    ours: Any = NumberQuestVectorEnv(slug, 6, seat=1, target=4, high=3, render_mode="ansi")
    theirs: Any = SyncVectorEnv([lambda: SoloEnv(slug, seat=1, target=4, high=3, render_mode="ansi")] * 6)
    for env in (ours, theirs):
        dice = np.random.default_rng(1)
        _, info = env.reset(seed=1)
        over = np.zeros(6, bool)
        while not over.any() or over.all():
            seen, _, over, _, info = env.step(legal(info, dice))
        shown = env.render()
        first = int(np.flatnonzero(over)[0])
        assert " wins: " in shown[first]
        others = ~over
        after, told = env.reset(options={"reset_mask": others})
        assert (after[over] == seen[over]).all()
        assert env.render()[first] == shown[first]
        if env is ours:
            assert not told["action_mask"][over].any()
            assert (told["seat"] == 1).all()
        _, rewards, ended, _, info = env.step(np.where(over, 0, told["action_mask"].argmax(axis=1)))
        assert not rewards[over].any()
        assert not ended[over].any()
        assert info["action_mask"][over].any(axis=1).all()
        assert " wins: " not in env.render()[first]


def test_what_a_game_decided_before_the_first_move_looks_like_is_shown() -> None:
    env = NumberQuestVectorEnv("sumquest", 30, seat=2, target=3, high=3, render_mode="ansi")
    _, info = env.reset(seed=1)
    shown = env.render()
    assert shown is not None
    decided = info["action_mask"].all(axis=1)
    assert 0 < decided.sum() < 30
    assert [" wins: " in text for text in shown] == decided.tolist()
    assert [" is to move." in text for text in shown] == (~decided).tolist()
    assert all(text.startswith("Sum Quest") for text in shown)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_the_regret_is_that_of_a_single_environment(mode: AutoresetMode) -> None:
    env = NumberQuestVectorEnv("sumquest", 20, seat=1, regret=True, autoreset_mode=mode)
    alone = SoloEnv("sumquest", seat=1, regret=True)
    dice = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    assert "regret" not in info
    lost = set()
    waiting = np.zeros(20, bool)
    for _ in range(12):
        positions = [env.batch.position(i) for i in range(20)]
        actions = legal(info, dice)
        if mode is AutoresetMode.SAME_STEP:
            actions[0] = (positions[0].barred - 1) % 9
        _, _, over, _, info = env.step(actions)
        told, final = info, info.get("final_info", info)
        assert (info["_regret"] == ~waiting).all()
        for i in np.flatnonzero(~waiting).tolist():
            alone.reset()
            alone._episode._arrive(positions[i])
            expected = alone.step(int(actions[i]))[-1]
            # The last move of a game is told where all are told, and with the rest of its end besides.
            for where in (told, final) if over[i] and mode is AutoresetMode.SAME_STEP else (told,):
                for name in ("regret", "value", "mattered"):
                    assert where[name][i] == expected[name]
                    assert where[f"_{name}"][i]
            lost.add((expected["regret"], expected["mattered"]))
        waiting = over if mode is AutoresetMode.NEXT_STEP else waiting
    assert lost == {(0.0, False), (0.0, True), (1.0, True)}
    plain = NumberQuestVectorEnv("sumquest", 20, seat=1, autoreset_mode=mode)
    _, info = plain.reset(seed=1)
    info = plain.step(legal(info, dice))[-1]
    assert not {"regret", "value", "mattered"} & set(info)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_the_regret_can_be_read_after_every_step(mode: AutoresetMode) -> None:
    """Also when all games have ended in the step before, so that nobody moves."""
    env = NumberQuestVectorEnv("sumquest", 2, seat=1, regret=True, autoreset_mode=mode, target=2, high=2)
    env.reset(seed=1)
    moved = np.zeros(2, int)
    for _ in range(6):
        # 2 wins at once, every time.
        _, _, over, _, info = env.step(np.array([1, 1]))
        assert info["regret"].tolist() == [0.0, 0.0]
        assert info["value"].tolist() == info["_regret"].tolist()
        assert info["_regret"].all() or not over.any()
        moved += info["_regret"]
    assert moved.tolist() == ([3, 3] if mode is AutoresetMode.NEXT_STEP else [6, 6])


def test_where_a_game_was_over_before_the_first_move_nothing_mattered() -> None:
    env = NumberQuestVectorEnv("showdown", 200, high=4, picks=1, seat=2, regret=True)
    env.reset(seed=1)
    _, rewards, over, _, info = env.step(np.zeros(200, np.int64))
    assert over.all()
    assert set(rewards) == {1.0, -1.0}
    assert (info["value"] == (1 + rewards) / 2).all()
    assert not info["mattered"].any()
    assert not info["regret"].any()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301
@pytest.mark.parametrize("rules", [*map(game, GAMES), ShortRace()], ids=repr)
def test_a_copy_goes_on_as_the_original_does(rules: Game[Any], copied: Any) -> None:
    env = NumberQuestVectorEnv(rules, 8, opponent="random", regret=rules.slug == "sumquest")
    dice = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    other = copied(env)
    for _ in range(15):
        actions = legal(info, dice)
        one, two = env.step(actions), other.step(actions)
        assert data_equivalence(one, two)
        info = one[-1]


@pytest.mark.parametrize("opponent", ["random", "hard", "perfect"])
@pytest.mark.parametrize(
    "rules",
    [game("mystic"), game("fifty", target=7, high=3), game("grid", side=2, target=6, stand=True), Race()],
    ids=repr,
)
def test_with_a_list_of_seeds_no_game_depends_on_another(rules: Any, opponent: str) -> None:
    def told(seeds: list[int]) -> list[Any]:
        env = NumberQuestVectorEnv(rules, len(seeds), opponent=opponent)
        seen, info = env.reset(seed=seeds)
        found = [(seen, info["seat"], info["action_mask"])]
        for _ in range(15):
            # A learner of few words: always the last of the actions that are allowed.
            actions = info["action_mask"].shape[1] - 1 - info["action_mask"][:, ::-1].argmax(axis=1)
            seen, rewards, _, _, info = env.step(actions)
            found.append((seen, rewards, info["action_mask"]))
        return [[part[i].tolist() for step in found for part in step] for i in range(len(seeds))]

    together = told([5, 6, 7, 5])
    assert together[0] == together[3] != together[1]
    assert told([7, 6]) == [together[2], together[1]]
    assert told([6]) == [together[1]]


def test_the_bits_of_games_with_seeds_of_their_own_are_random_along_and_across() -> None:
    bits = BitsOfEach([np.random.SeedSequence(seed) for seed in range(300)])
    drawn = np.stack([bits() for _ in range(300)]) / 2**24
    assert drawn.min() >= 0
    assert drawn.max() < 1
    for axis in (0, 1):
        # Means of 300 lie within six of their standard deviations, and neighbours have nothing in common.
        assert np.abs(drawn.mean(axis=axis) - 0.5).max() < 6 * (1 / 12 / 300) ** 0.5
        one, other = np.delete(drawn, 0, axis), np.delete(drawn, -1, axis)
        assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 6 / 300
    some = np.arange(300) % 2 == 0
    before = bits.where(some)()
    assert ((bits() == before) == ~some).all()


def test_a_list_of_seeds_may_be_for_some_games_and_leave_some_open() -> None:
    env = NumberQuestVectorEnv("mystic", 4, seat=1)
    first = env.reset(seed=[1, 2, None, None])[0]
    again = env.reset(seed=[1, 2, None, None])[0]
    assert (first[:2] == again[:2]).all()
    env.step(np.zeros(4, int))
    mask = np.array([False, True, False, False])
    before = env.batch.observe(np.zeros(4, int))
    seen, _ = env.reset(seed=[9, 2, 9, 9], options={"reset_mask": mask})
    assert (seen[1] == first[1]).all()
    assert (seen[~mask] == before[~mask]).all()
    # A single seed is for all of them again.
    assert (env.reset(seed=3)[0] == NumberQuestVectorEnv("mystic", 4, seat=1).reset(seed=3)[0]).all()


@pytest.mark.parametrize("seeds", [[1], [1, 2, 3], [1, -2], [1, 2.0], "12", {1, 2}], ids=repr)
def test_what_is_no_list_of_seeds_is_refused(seeds: Any) -> None:
    with pytest.raises(ValueError, match="seed is a whole number from 0 on, or a list of 2 of them, not "):
        NumberQuestVectorEnv("mystic", 2).reset(seed=seeds)


@pytest.mark.parametrize("fits", [True, False])
def test_where_the_tables_do_not_fit_all_is_asked_game_by_game(fits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(*_: Any) -> Any:
        raise TooLarge("too large")

    if not fits:
        monkeypatch.setattr("numberquest.envs.batch.truth_of", too_large)
    env = NumberQuestVectorEnv("sumquest", 50, opponent="perfect", seat=1, regret=True)
    assert env.opponent._looks_up == fits
    _, info = env.reset(seed=4)
    regrets, lost = [], 0
    for _ in range(8):
        _, rewards, _, _, info = env.step(8 - info["action_mask"][:, ::-1].argmax(axis=1))
        regrets.append(info["regret"][:3].tolist())
        lost += int((rewards < 0).sum())
    # 9 first throws the win away, and `perfect` takes it whatever comes.
    assert regrets[0] == [1.0, 1.0, 1.0]
    assert regrets[1] == [0.0, 0.0, 0.0]
    assert lost >= 50


def test_nothing_can_be_done_before_the_first_reset() -> None:
    env = NumberQuestVectorEnv("sumquest", 2, render_mode="ansi")
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step(np.zeros(2, int))
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.render()


@pytest.mark.parametrize(
    "actions",
    [np.zeros((3, 1), int), np.zeros(2, int), np.zeros(3), np.array([0, -1, 0]), np.array([0, 9, 0]), np.array(0)],
    ids=str,
)
def test_what_are_no_actions_is_refused_and_the_games_go_on(actions: Any) -> None:
    env = NumberQuestVectorEnv("sumquest", 3, seat=1)
    seen, _ = env.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction, match="actions are 3 whole numbers, each from 0 to 8"):
        env.step(actions)
    assert (env.batch.observe() == seen).all()
    env.step(np.array([0, 1, 2]))


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


def test_a_seat_and_a_way_to_begin_anew_may_be_named_in_several_ways() -> None:
    env = NumberQuestVectorEnv("fifty", 9, seat=np.int64(2))  # type: ignore[arg-type]
    assert (env.reset(seed=1)[1]["seat"] == 2).all()
    for name in ("SAME_STEP", "SameStep", AutoresetMode.SAME_STEP):
        assert (
            NumberQuestVectorEnv("fifty", 2, autoreset_mode=name).metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
        )


def test_where_nothing_is_begun_anew_by_itself_a_reset_does_it() -> None:
    env = NumberQuestVectorEnv("sumquest", 8, seat=1, autoreset_mode="DISABLED", target=12)
    _, info = env.reset(seed=3)
    finished = 0
    for _ in range(30):
        _, rewards, over, truncated, info = env.step(info["action_mask"].argmax(1))
        assert (rewards[over] != 0).all()
        # What is over stays so, and has no moves, until somebody begins it anew.
        assert (info["action_mask"].any(1) == ~over).all()
        finished += over.sum()
        if over.any():
            which = ", ".join(map(str, np.flatnonzero(over)))
            with pytest.raises(
                gymnasium.error.ResetNeeded, match=f"over are the games {which}: call reset with a reset"
            ):
                env.step(np.zeros(8, int))
            begun = env.reset(options={"reset_mask": over | truncated})[0]
            assert (begun[over] == env.reset(options={"reset_mask": over})[0][over]).all()
            info["action_mask"] = env._info()["action_mask"]
    assert finished > 8


def test_its_pictures_are_those_of_one_game() -> None:
    env = NumberQuestVectorEnv("sumquest", 2, seat=1, render_mode="rgb_array")
    env.reset(seed=1)
    pictures = env.render()
    assert pictures is not None
    assert [picture.shape for picture in pictures] == [(512, 768, 3)] * 2


def test_made_by_its_id() -> None:
    env = gymnasium.make_vec("NumberQuest/Fifty-v0", num_envs=5, vectorization_mode="vector_entry_point", target=30)
    assert isinstance(env, NumberQuestVectorEnv)
    assert env.game == game("fifty", target=30)
    assert env.num_envs == 5


def test_wrong_arguments_are_refused_in_words() -> None:
    """Those that it shares with the environment of one learner are tried there."""
    with pytest.raises(ValueError, match="render_mode is None or 'ansi' or 'rgb_array', not 'human'"):
        NumberQuestVectorEnv("fifty", 2, render_mode="human")
    with pytest.raises(ValueError, match="autoreset_mode is NEXT_STEP, SAME_STEP or DISABLED, not 'NEVER'"):
        NumberQuestVectorEnv("fifty", 2, autoreset_mode="NEVER")
    with pytest.raises(ValueError, match="reset_mask is an array of 2 truth values"):
        NumberQuestVectorEnv("fifty", 2).reset(options={"reset_mask": np.ones(3)})
    with pytest.raises(ValueError, match="the only option of reset is reset_mask; there is no 'mask', 'deal'"):
        NumberQuestVectorEnv("mystic", 2).reset(options={"mask": [True, False], "deal": "1,2"})
