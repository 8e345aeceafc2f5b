"""The Gymnasium environments pass that project's own check; a seed decides everything; the regret is exact."""

import copy
import inspect
import pickle
import random
import re
import sys
from collections.abc import Iterator
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numberquest.core.registry import GAMES, game
from numberquest.core.settings import BadSetting
from numberquest.envs.observation import Observer
from numberquest.players.asking import ProviderError
from numberquest.players.engine import Engine
from numberquest.players.levels import PLAYERS
from numberquest.solver import TooLarge, budget, solve
from numberquest.solver.solution import ALIKE
from tests.conftest import a_few, in_ci
from tests.documents import run_examples
from tests.envs.needs import needed, run
from tests.own.kinds import Race
from tests.solver.small import SMALL
from tests.study.running import runs

gymnasium = needed("gymnasium")
check_env = needed("gymnasium.utils.env_checker").check_env
SoloEnv = needed("numberquest.envs.gymnasium").SoloEnv
NumberQuestVectorEnv = needed("numberquest.envs.vector").NumberQuestVectorEnv

ROOT = Path(__file__).parent.parent.parent
DOCUMENT = ROOT / "docs" / "gymnasium.md"

IDS = {slug: f"NumberQuest/{slug.capitalize()}-v0" for slug in GAMES}


def made(rules: Any, **options: Any) -> Any:
    return gymnasium.make(IDS[rules.slug], **options, **rules.settings)


def seen(row: Any, info: dict[str, Any]) -> dict[str, Any]:
    return {"row": row.tolist(), **info, "action_mask": info["action_mask"].tolist()}


def stepped(env: Any, seed: int | None, dice: random.Random, count: int = 3) -> Iterator[dict[str, Any]]:
    """Everything seen in some episodes of random legal play, one step after the other."""
    for number in range(count):
        row, info = env.reset(seed=seed if number == 0 else None)
        yield seen(row, info)
        over = False
        while not over:
            action = dice.choice(np.flatnonzero(info["action_mask"]).tolist())
            row, reward, over, cut, info = env.step(action)
            assert not cut
            yield {**seen(row, info), "reward": reward, "over": over}


def episodes(env: Any, seed: int | None, dice: random.Random, count: int = 3) -> list[dict[str, Any]]:
    return list(stepped(env, seed, dice, count))


@pytest.mark.parametrize("opponent", a_few(PLAYERS, 2))
@pytest.mark.parametrize("slug", GAMES)
def test_the_check_passes_against_every_player(slug: str, opponent: str) -> None:
    check_env(gymnasium.make(IDS[slug], opponent=opponent).unwrapped)


@pytest.mark.parametrize("seat", [1, 2, "random"])
@pytest.mark.parametrize("rules", a_few([*SMALL, game("grid", stand=True), game("fifty", target=2)], 4), ids=repr)
def test_the_check_passes_with_every_kind_of_rules(rules: Any, seat: Any) -> None:
    check_env(made(rules, seat=seat, opponent="easy", regret=True).unwrapped)


def test_every_game_has_its_id() -> None:
    assert {name for name in gymnasium.registry if name.startswith("NumberQuest/")} == set(IDS.values())
    for slug, name in IDS.items():
        assert gymnasium.make(name).unwrapped.game == game(slug)


def test_gymnasium_finds_them_without_an_import() -> None:
    assert "NumberQuest/Fifty-v0" in run(
        "import gymnasium\n"
        "env = gymnasium.make('numberquest.envs.gymnasium:NumberQuest/Fifty-v0', target=30)\n"
        "print(env.spec.id, env.reset(seed=1)[1]['seat'])\n"
        # From then on by the short id as well.
        "gymnasium.make('NumberQuest/Grid-v0')\n"
    )


def test_an_entry_point_may_register_them_inside_its_namespace() -> None:
    names = run(
        "import gymnasium\n"
        "from gymnasium.envs.registration import namespace\n"
        "from numberquest.envs.arguments import register\n"
        "with namespace('NumberQuest'):\n"
        "    register()\n"
        "import numberquest.envs.gymnasium\n"
        "print(*[name for name in gymnasium.registry if 'NumberQuest' in name])\n"
    )
    assert set(names.split()) == set(IDS.values())


def test_no_setting_is_called_like_an_argument_of_make() -> None:
    taken = {
        name
        for function in (gymnasium.make, gymnasium.make_vec, gymnasium.register, SoloEnv.__init__)
        for name in inspect.signature(function).parameters
    }
    for kind in GAMES.values():
        assert not taken & set(kind.fields)


@pytest.mark.parametrize("opponent", a_few(PLAYERS, 2))
@pytest.mark.parametrize("rules", [*map(game, GAMES), Race()], ids=repr)
def test_a_seed_gives_the_same_episodes(rules: Any, opponent: str) -> None:
    before = random.getstate(), pickle.dumps(np.random.get_state())
    env = SoloEnv(rules, opponent=opponent)
    one = episodes(env, 1, random.Random(1))
    two = episodes(SoloEnv(rules, opponent=opponent), 2, random.Random(1))
    assert episodes(env, 1, random.Random(1)) == one
    assert episodes(SoloEnv(rules, opponent=opponent), 1, random.Random(1)) == one
    assert one != two
    assert before == (random.getstate(), pickle.dumps(np.random.get_state()))


@pytest.mark.parametrize("slug", GAMES)
def test_two_environments_do_not_disturb_each_other(slug: str) -> None:
    alone = [episodes(gymnasium.make(IDS[slug]), seed, random.Random(seed)) for seed in (1, 2)]
    in_turns = zip_longest(*(stepped(gymnasium.make(IDS[slug]), seed, random.Random(seed)) for seed in (1, 2)))
    assert [[step for step in steps if step] for steps in zip(*in_turns, strict=True)] == alone


def test_random_is_the_computer_player_of_that_name() -> None:
    class Same:
        """Asks that player itself, as every other one is asked."""

        name, words = "same", "plays any move"
        prepare, choose = PLAYERS["random"].prepare, PLAYERS["random"].choose

    for slug in GAMES:
        one = episodes(gymnasium.make(IDS[slug], opponent="random"), 3, random.Random(1))
        assert episodes(gymnasium.make(IDS[slug], opponent=Same()), 3, random.Random(1)) == one


def test_the_learner_sits_where_it_was_told() -> None:
    for seat in (1, 2, np.int64(1), np.uint8(2)):
        env = gymnasium.make(IDS["sumquest"], seat=seat)
        for seed in range(5):
            row, info = env.reset(seed=seed)
            assert info["seat"] == seat
            # Nothing has been added before the first player's first move.
            assert (row[env.unwrapped.observer.at("sum")][0] == 0) == (seat == 1)
    env = gymnasium.make(IDS["sumquest"])
    seats = [env.reset(seed=3)[1]["seat"], *[env.reset()[1]["seat"] for _ in range(200)]]
    assert 70 < seats.count(1) < 130


@pytest.mark.parametrize("slug", GAMES)
def test_a_win_is_1_and_a_loss_is_minus_1(slug: str) -> None:
    env, dice = gymnasium.make(IDS[slug]), random.Random(1)
    rewards = set()
    for seed in range(30):
        told = episodes(env, seed, dice, count=1)
        assert [step["reward"] for step in told[1:-1]] == [0.0] * (len(told) - 2)
        last = told[-1]
        winner = env.unwrapped.game.outcome(env.unwrapped.position).winner
        assert last["reward"] == (1.0 if winner == last["seat"] - 1 else -1.0)
        assert not any(last["action_mask"])
        assert "illegal" not in last
        rewards.add(last["reward"])
    assert rewards == {1.0, -1.0}


@pytest.mark.parametrize("rules", [*SMALL, game("sumquest"), game("grid", stand=True)], ids=repr)
def test_the_regret_is_the_winning_chance_lost(rules: Any) -> None:
    env, dice, solution, mattered = made(rules, regret=True), random.Random(1), solve(rules), set()
    for seed in range(40):
        _, info = env.reset(seed=seed)
        assert "regret" not in info
        over = False
        while not over:
            position = env.unwrapped.position
            action = dice.choice(np.flatnonzero(info["action_mask"]).tolist())
            values = solution.moves(position)
            _, reward, over, _, info = env.step(action)
            if not values:
                # It was over before the learner's first move.
                assert info["regret"] == 0
                assert not info["mattered"]
                assert info["value"] == (1 + reward) / 2
                continue
            lost = float(max(values.values()) - values[rules.actions[action]])
            assert info["regret"] == pytest.approx(lost, abs=1e-9)
            assert isinstance(info["regret"], float)
            if rules.actions[action] in solution.best(position):
                assert info["regret"] == 0
            assert info["value"] == pytest.approx(float(max(values.values())), abs=1e-9)
            assert info["mattered"] is bool(max(values.values()) - min(values.values()) > ALIKE)
            mattered.add(info["mattered"])
    # Where no cell can be told from another and nobody may stand, no choice ever matters.
    assert mattered == ({False} if rules == game("grid", target=5, side=2) else {False, True})
    plain = made(rules)
    _, info = plain.reset()
    for told in (info, plain.step(int(info["action_mask"].argmax()))[-1]):
        assert not {"regret", "value", "mattered"} & set(told)


def test_without_regret_a_won_game_is_won_against_perfect() -> None:
    env, rules = gymnasium.make(IDS["sumquest"], opponent="perfect", regret=True), game("sumquest")
    solution, wins, games = solve(rules), 0, 0
    for seed in range(40):
        _, info = env.reset(seed=seed)
        position = env.unwrapped.position
        expected = solution.value(position)
        over = False
        while not over:
            best = solution.best(env.unwrapped.position)[0]
            _, reward, over, _, info = env.step(rules.actions.index(best))
            assert info["regret"] == 0
        assert reward == (1.0 if expected else -1.0)
        wins, games = wins + (reward > 0), games + 1
    assert 0 < wins < games


@pytest.mark.parametrize("slug", GAMES)
def test_an_illegal_move_ends_the_episode_and_loses_it(slug: str) -> None:
    env = gymnasium.make(IDS[slug], regret=True, seat=1)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        over = False
        while info["action_mask"].all() and not over:
            _, _, over, _, info = env.step(0)
        if not over:
            break
    position = env.unwrapped.position
    row, reward, over, cut, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, over, cut) == (-1.0, True, False)
    assert info["illegal"] is True
    assert not info["action_mask"].any()
    # All that could be won is lost; nothing has been played.
    assert info["regret"] == info["value"] == pytest.approx(float(solve(game(slug)).value(position)))
    assert env.unwrapped.position == position
    assert row.tolist() == Observer(game(slug)).see(position, 0).tolist()


def test_what_is_no_action_id_is_refused() -> None:
    env = gymnasium.make(IDS["sumquest"])
    env.reset()
    for action in (-1, 9, 10**30, 1.0, None, "1", np.uint64(1), [1]):
        with pytest.raises(gymnasium.error.InvalidAction, match="from 0 to 8"):
            env.step(action)
    for kind in (int, np.int64, np.int32, np.uint8, np.array):
        env.reset()
        env.step(kind(3))


def test_a_game_that_is_over_needs_a_reset() -> None:
    env = SoloEnv("sumquest", target=2, high=2, seat=1)
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        env.step(0)
    env.reset()
    assert env.step(1)[1:3] == (1.0, True)
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        env.step(0)


def test_a_game_decided_before_the_learners_first_move_takes_one_step_that_does_not_matter() -> None:
    # One number is picked, by Player 1: Player 2 never moves, and wins if Player 1 has predicted nothing.
    env, rewards = gymnasium.make(IDS["showdown"], high=4, picks=1, seat=2, regret=True), []
    for seed in range(400):
        row, info = env.reset(seed=seed)
        assert info["action_mask"].all()
        last, reward, over, _, info = env.step(seed % len(info["action_mask"]))
        assert over
        assert last.tolist() == row.tolist()
        assert (info["regret"], info["value"], info["mattered"]) == (0, (1 + reward) / 2, False)
        assert "illegal" not in info
        rewards.append(reward)
    # `random` predicts with 99 of its 103 moves.
    assert 0 < rewards.count(1.0) < 40


def test_a_copy_goes_on_as_the_original_does() -> None:
    for rules in (*map(game, GAMES), Race()):
        env = SoloEnv(rules, opponent="easy")
        row, info = env.reset(seed=4)
        copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]  # noqa: S301
        action = int(np.flatnonzero(info["action_mask"])[0])
        row, *rest, info = env.step(action)
        ahead = [seen(row, info), rest, episodes(env, None, random.Random(1))]
        for other in copies:
            row, *rest, info = other.step(action)
            assert [seen(row, info), rest, episodes(other, None, random.Random(1))] == ahead


def test_rules_too_large_to_solve_are_told_to_whoever_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "free_memory", lambda: 10**6)
    monkeypatch.setattr(sys.modules["numberquest.solver"], "_solved", {})
    for make in (SoloEnv, NumberQuestVectorEnv):
        with pytest.warns(UserWarning, match="too large to work out completely, so hard looks ahead") as told:
            make("mystic", opponent="hard")
        assert told[0].filename == __file__
    with pytest.raises(TooLarge, match="MB of memory"):
        gymnasium.make(IDS["mystic"], regret=True)


@pytest.mark.parametrize("make", [SoloEnv, NumberQuestVectorEnv, partial(gymnasium.make, IDS["fifty"])])
@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("opponent", ["nobody"], "no computer player called 'nobody'"),
        ("opponent", [None, 3, object()], "opponent is the name of a computer player, a function that takes"),
        ("seat", [0, 3, "first", "1", True, 1.0, np.float64(2), None], "seat is 1, 2 or 'random', not "),
        ("colour", ["red"], "no setting 'colour'"),
        ("oponent", ["perfect"], r"no setting 'oponent'; .*; the environment itself takes opponent, seat"),
        ("regret", ["no"], "regret is True or False, not 'no'"),
    ],
)
def test_what_cannot_be_is_refused(make: Any, name: str, values: list[Any], said: str) -> None:
    for value in values:
        with pytest.raises(BadSetting if said.startswith("no ") else ValueError, match=said):
            make(game="fifty", **{name: value})


@pytest.mark.parametrize("chosen", ["nonsense", "5"])
def test_an_opponent_of_ones_own_that_breaks_the_rules_is_told(chosen: str) -> None:
    class Own:
        name, words = "own", "plays the same number again and again"

        def prepare(self, *_: object) -> None:
            """Nothing takes long."""

        def choose(self, *_: object) -> str:
            return chosen

    for env in (SoloEnv("sumquest", opponent=Own(), seat=1), NumberQuestVectorEnv("sumquest", 1, Own(), seat=1)):
        env.reset(seed=1)
        with pytest.raises(ValueError, match=f"chose '{chosen}', which is not allowed: 1 to 4, 6 to 9"):
            # The learner bars 5.
            env.step(np.array([4]) if env.action_space.shape else 4)


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("gymnasium", "gymnasium", "gymnasium"),
        ("vector", "gymnasium", "gymnasium"),
        ("pettingzoo", "pettingzoo", "pettingzoo"),
        ("openspiel", "pyspiel", "openspiel"),
    ],
)
def test_without_its_package_an_adapter_names_the_extra(module: str, package: str, extra: str) -> None:
    said = run(
        f"import sys\nsys.modules[{package!r}] = None\n"
        f"try:\n    import numberquest.envs.{module}\nexcept ModuleNotFoundError as error:\n    print(error)\n"
    )
    assert (
        said
        == f"this environment needs the package {package}: pip install '.[{extra}]' in the folder of Number Quest\n"
    )


def test_what_is_said_of_a_position(capsys: Any) -> None:
    env = gymnasium.make(IDS["sumquest"], render_mode="ansi", seat=1)
    env.reset()
    assert env.render().splitlines() == [
        "Sum Quest: Race to 23",
        "Sum: 0 of 23",
        "Barred now: no number",
        "Player 1 is to move.",
        "The learner is Player 1.",
    ]
    assert capsys.readouterr().out == ""
    env = gymnasium.make(IDS["sumquest"], render_mode="human", seat=1, target=2, high=2)
    env.reset()
    env.step(1)
    assert "Player 1 wins: Player 1 reached 2." in capsys.readouterr().out
    env = SoloEnv("sumquest")
    env.reset()
    with pytest.warns(UserWarning, match="without specifying any render mode"):
        assert env.render() is None


@in_ci
@pytest.mark.usefixtures("readers_place")
def test_the_examples_of_the_document_run(capsys: Any) -> None:
    names = run_examples(DOCUMENT)
    said = capsys.readouterr().out
    for expected in re.findall(r"```text\n(.*?)```", DOCUMENT.read_text(), re.DOTALL):
        assert expected in said
    # What has learnt wins far more often than random moves do.
    assert names["trained"] > names["untrained"] + 0.2
    assert names["strong"] > 0.9


AGENTS = Path(__file__).parent.parent / "players" / "agents.py"
ROGUE = f"cmd:{sys.executable} -S {Path(__file__).parent.parent / 'players' / 'rogue.py'}"


@pytest.mark.parametrize("opponent", [f"{AGENTS}:First", "tests.players.agents:first", ROGUE])
def test_any_player_can_be_named_as_the_opponent(opponent: str) -> None:
    for env in (SoloEnv("sumquest", opponent=opponent, seat=1), NumberQuestVectorEnv("sumquest", 2, opponent, seat=1)):
        env.reset(seed=1)
        seen, *_ = env.step(np.array([4, 5]) if env.action_space.shape else 4)
        # 5 is answered with the first move, 1.
        assert np.atleast_2d(seen)[0].tolist() == [1, 6, 1]
        env.close()
        env.close()


def test_an_opponent_that_was_named_is_ended_with_the_environment() -> None:
    env = SoloEnv("sumquest", opponent=ROGUE)
    assert isinstance(env.opponent, Engine)
    process = env.opponent._process
    assert process is not None
    assert runs(process._child.pid)
    env.close()
    assert not runs(process._child.pid)


def test_an_opponent_needs_no_more_than_choose() -> None:
    class Bare:
        closed = False

        def choose(self, game: Any, position: Any, dice: Any) -> str:
            return str(game.moves(position)[-1])

        def close(self) -> None:
            self.closed = True

    bare: Any = Bare()
    env = SoloEnv("sumquest", opponent=bare, seat=2)
    seen, _ = env.reset(seed=1)
    assert seen.tolist() == [1, 9, 9]
    env.close()
    # Who was made elsewhere is closed elsewhere.
    assert not bare.closed


def test_an_error_of_an_opponent_is_no_move_and_a_wrong_answer_is_told() -> None:
    with pytest.raises(ProviderError, match="ZeroDivisionError: oh no"):
        SoloEnv("sumquest", opponent=f"{AGENTS}:Fails", seat=2).reset(seed=1)
    with pytest.raises(ValueError, match="chose 'nonsense', which is not allowed: 1 to 9"):
        SoloEnv("sumquest", opponent=f"{AGENTS}:Wrong", seat=2).reset(seed=1)


@pytest.mark.parametrize("slug", GAMES)
def test_action_masks_are_what_the_info_says_also_through_wrappers(slug: str) -> None:
    env = gymnasium.make(f"NumberQuest/{slug.capitalize()}-v0", opponent="random")
    masks, dice = env.get_wrapper_attr("action_masks"), np.random.default_rng(1)
    for seed in range(10):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            assert masks().dtype == bool
            assert masks().tolist() == info["action_mask"].astype(bool).tolist()
            *_, over, _, info = env.step(dice.choice(np.flatnonzero(masks())))
        assert not masks().any()


def test_a_way_to_render_and_options_of_reset_that_there_are_not_are_refused() -> None:
    with pytest.raises(ValueError, match="render_mode is None or 'human' or 'ansi' or 'rgb_array', not 'film'"):
        SoloEnv("fifty", render_mode="film")
    env = SoloEnv("sumquest")
    env.reset(options={})
    with pytest.raises(ValueError, match="no options here, and was given 'deal'"):
        env.reset(options={"deal": [1, 2]})
