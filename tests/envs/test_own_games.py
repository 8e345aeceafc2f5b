"""Somebody's own game, with nothing but what is required, works in every interface: dice, decks, draws, no end."""

import contextlib
import io
import warnings
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numberquest.core.contract import CHANCE, ENDLESS, Game
from numberquest.core.laws import check
from numberquest.core.loading import BadGame
from numberquest.core.settings import BadSetting
from numberquest.envs.batch import Batch
from numberquest.envs.batches.arrays import BITS, below, below_many
from numberquest.envs.batches.general import alias_columns
from numberquest.envs.episode import Episode, picture
from numberquest.envs.observation import Observer
from tests.conftest import in_ci
from tests.envs.needs import needed, run
from tests.own.kinds import OWN, Cards, Forever, Many, Meet, Nim, Race, Toss

with warnings.catch_warnings():
    # Its tests use an old way to one of its own environments.
    warnings.simplefilter("ignore", DeprecationWarning)
    suites = needed("pettingzoo.test")
gymnasium = needed("gymnasium")
pyspiel = needed("pyspiel")
zoo = needed("numberquest.envs.pettingzoo")
solo = needed("numberquest.envs.gymnasium")
vector = needed("numberquest.envs.vector")
openspiel = needed("numberquest.envs.openspiel")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from tests.envs.spiel import run_their_tests  # noqa: E402
from tests.envs.test_vector import MODES, legal  # noqa: E402

ROOT = Path(__file__).parent.parent.parent
of_each = pytest.mark.parametrize("rules", OWN, ids=lambda rules: rules.slug)


@cache
def how_it_ends(rules: Game[Any]) -> dict[Any, float]:
    """How likely each winner, a draw (None) and a truncation are in random play: worked out from the rules alone."""
    ends: dict[Any, float] = {}
    now = {rules.start(): 1.0}
    for _ in range(rules.bound if rules.longest is None else rules.bound + 1):
        if sum(now.values()) < 1e-12:
            # So rarely does a game go on that nobody will see it.
            break
        following: dict[Any, float] = {}
        for position, share in now.items():
            outcome, moves = rules.outcome(position), rules.moves(position)
            if outcome is not None:
                ends[outcome.winner] = ends.get(outcome.winner, 0.0) + share
                continue
            odds = [1 / len(moves)] * len(moves)
            if rules.player(position) == CHANCE:
                odds = list(map(float, rules.odds(position)))
            for move, chance in zip(moves, odds, strict=True):
                after = rules.play(position, move)
                following[after] = following.get(after, 0.0) + share * chance
        now = following
    for position, share in now.items():
        outcome = rules.outcome(position)
        end = "truncated" if outcome is None else outcome.winner
        ends[end] = ends.get(end, 0.0) + share
    assert sum(ends.values()) == pytest.approx(1)
    return ends


def check_shares(found: Counter[Any], rules: Game[Any]) -> None:
    """As often as the rules say, up to five times what chance makes of it."""
    total, expected = found.total(), how_it_ends(rules)
    for end in {*found, *expected}:
        share = expected.get(end, 0.0)
        off = abs(found[end] / total - share)
        assert off <= 5 * (share * (1 - share) / total) ** 0.5 + 1e-9, (end, found[end] / total, share)


@of_each
def test_it_keeps_the_contract(rules: Game[Any]) -> None:
    check(type(rules), rules.slug)


@in_ci
@of_each
def test_games_end_as_often_as_the_rules_say_one_by_one(rules: Game[Any]) -> None:
    episode, dice, ends = Episode(rules), np.random.default_rng(1), Counter[Any]()
    for _ in range(1500):
        episode.start(dice)
        while not episode.over:
            episode.play(episode.moves[int(dice.random() * len(episode.moves))])
        ends["truncated" if episode.outcome is None else episode.outcome.winner] += 1
        assert not episode.moves
        assert not episode.mask.any()
    check_shares(ends, rules)


@in_ci
@of_each
def test_games_end_as_often_as_the_rules_say_in_a_batch(rules: Game[Any]) -> None:
    """As many rounds as the longest of them needs, so that short games are not counted more often than long ones."""
    batch, ends = Batch(rules, 8000, seed=1), Counter[Any]()
    running = np.ones(batch.size, bool)
    while running.any():
        stepped = batch.step(batch.sample())
        for winner in (0, 1):
            ends[winner] += int((running & (batch.winners == winner)).sum())
        ends[None] += int((running & stepped.ended & (batch.winners == -1)).sum())
        ends["truncated"] += int((running & stepped.truncated).sum())
        assert not (stepped.ended & stepped.truncated).any()
        assert not stepped.rewards[~stepped.ended].any()
        running &= ~(stepped.ended | stepped.truncated)
    check_shares(ends, rules)


@pytest.mark.parametrize("mode", MODES, ids=str)
@of_each
def test_learners_win_and_draw_as_often_as_the_rules_say(rules: Game[Any], mode: AutoresetMode) -> None:
    env, dice = vector.NumberQuestVectorEnv(rules, 2000, autoreset_mode=mode), np.random.default_rng(1)
    _, info = env.reset(seed=1)
    running, ends = np.ones(2000, bool), Counter[Any]()
    while running.any():
        seats = info["seat"] - 1
        seen, rewards, ended, truncated, info = env.step(legal(info, dice))
        assert seen in env.observation_space
        assert not (ended & truncated).any()
        assert not rewards[~ended].any()
        for won in (1, -1):
            for seat, count in enumerate(np.bincount(seats[running & (rewards == won)], minlength=2).tolist()):
                ends[seat if won == 1 else 1 - seat] += count
        ends[None] += int((running & ended & (rewards == 0)).sum())
        ends["truncated"] += int((running & truncated).sum())
        if mode is AutoresetMode.SAME_STEP:
            assert ("final_obs" in info) == bool((ended | truncated).any())
        running &= ~(ended | truncated)
    check_shares(ends, rules)


@pytest.mark.parametrize("opponent", ["random", "perfect"])
@of_each
def test_gymnasiums_check_passes_with_every_kind_of_opponent_in_every_seat(rules: Game[Any], opponent: str) -> None:
    for seat in (1, 2, "random"):
        check_env(solo.SoloEnv(rules, opponent=opponent, seat=seat, regret=True), skip_render_check=True)
    env = vector.NumberQuestVectorEnv(rules, 30, opponent=opponent, regret=True)
    dice = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    for _ in range(20):
        _, _, _, _, info = env.step(legal(info, dice))
        # Where all games begin anew in a step, nobody has moved in it.
        if "regret" in info:
            assert ((info["regret"] >= 0) & (info["regret"] <= 1)).all()


@of_each
def test_pettingzoos_suites_pass(rules: Game[Any]) -> None:
    for make in (zoo.env, zoo.raw_env):
        with contextlib.redirect_stdout(io.StringIO()):
            suites.api_test(make(rules), num_cycles=60)
            suites.seed_test(lambda make=make: make(rules), num_cycles=60)


@of_each
def test_openspiels_suites_pass(rules: Game[Any]) -> None:
    loaded = openspiel.load(rules)
    pyspiel.random_sim_test(loaded, num_sims=2, serialize=True, verbose=False)
    with contextlib.redirect_stdout(io.StringIO()):
        needed("open_spiel.python.tests.games_sim_test").GamesSimTest().sim_game(loaded)
    api_test = needed("open_spiel.integration_tests.api_test")
    attributes = {"game": loaded, "game_name": str(loaded)}
    assert run_their_tests(type("PartialTree", (api_test.EnforceAPIOnPartialTreeBase,), attributes)) >= 5
    assert loaded.get_type().chance_mode == (
        pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC if rules.chance else pyspiel.GameType.ChanceMode.DETERMINISTIC
    )
    assert loaded.max_game_length() == rules.bound


def test_a_drawn_game_is_worth_nothing_to_both() -> None:
    env = zoo.env(Meet(), render_mode="ansi")
    env.reset()
    env.step(1)
    env.step(1)
    assert env.rewards == {"player_1": 0, "player_2": 0}
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert env.render().endswith("It is a draw: both said the same.")
    alone = solo.SoloEnv(Meet(), seat=1)
    ends = set()
    for seed in range(30):
        alone.reset(seed=seed)
        ends.add(alone.step(1)[1:4])
    assert ends == {(0.0, True, False), (1.0, True, False), (-1.0, True, False)}


def test_a_game_without_end_is_truncated_and_not_lost() -> None:
    env = zoo.env(Forever())
    env.reset()
    for _ in range(Forever().bound):
        assert not any(env.truncations.values())
        env.step(1)
    assert env.truncations == {"player_1": True, "player_2": True}
    assert env.terminations == {"player_1": False, "player_2": False}
    assert env.rewards == {"player_1": 0, "player_2": 0}
    for agent in env.agent_iter():
        assert env.last()[1:4] == (0, False, True), agent
        env.step(None)
    assert env.agents == []
    alone = solo.SoloEnv(Forever(), seat=1)
    alone.reset(seed=1)
    told = [alone.step(0)[1:4] for _ in range(4)]
    assert told == [(0.0, False, False)] * 3 + [(0.0, False, True)]
    with pytest.raises(gymnasium.error.ResetNeeded):
        alone.step(0)


def test_where_nothing_else_is_said_the_bound_is_that_of_a_match() -> None:
    class Endless(Forever):
        slug = "own_endless"

        @property
        def bound(self) -> int:
            return super(Forever, self).bound

    episode = Episode(Endless())
    episode.start(np.random.default_rng(1))
    moves = 0
    while not episode.over:
        episode.play(episode.moves[0])
        moves += 1
    assert moves == ENDLESS


def test_a_game_ended_by_chance_before_the_first_move_takes_one_step_that_does_not_matter() -> None:
    env, rewards = zoo.env(Toss()), Counter[Any]()
    for seed in range(400):
        env.reset(seed=seed)
        assert not any(env.terminations.values())
        assert env.agent_selection == "player_2"
        decided = not env.game.moves(env.position)
        position = env.position
        assert env.infos["player_2"]["action_mask"].all()
        env.step(seed % 2)
        assert all(env.terminations.values())
        if decided:
            assert env.position == position
            rewards[tuple(env.rewards.values())] += 1
    assert set(rewards) == {(0, 0), (1, -1)}
    assert 60 < rewards[0, 0] < 140


def test_a_name_that_is_taken_gets_a_number() -> None:
    """Two parts of an observation never have the same name: a position may have a field `turn` of its own."""
    observer = Observer(Race())
    assert [part.name for part in observer.parts] == ["turn", "turn_2", "places", "pot", "waits"]
    seen = observer.see(Race().start()._replace(turn=1, places=(4, 2), waits=False), 0)
    assert seen.tolist() == [2, 1, 4, 2, 0, 0]
    assert seen[observer.at("turn_2")] == [1]
    assert (observer.low <= seen).all()
    assert observer.see(Race().start(), 0)[1] == -1


def test_what_is_said_of_a_position_without_a_view() -> None:
    assert picture(Cards(), Cards().start()).splitlines() == [
        "Cards",
        "Totals: Player 1 0, Player 2 0",
        "Left: 1 2 1",
        "Card: 0",
        "Player 1 is to move.",
    ]


@pytest.mark.parametrize("weights", [(1,), (1, 1, 1), (1, 2), (5, 1, 1, 1), (1, 999_999), (3, 7, 2, 2, 9), (2**40, 1)])
def test_the_columns_give_every_reveal_its_weight(weights: tuple[int, ...]) -> None:
    shares = [0.0] * len(weights)
    columns = alias_columns(weights)
    assert len(columns) == len(weights)
    for one, other, share in columns:
        shares[one] += share / 2**BITS / len(columns)
        shares[other] += (1 - share / 2**BITS) / len(columns)
    assert shares == pytest.approx([weight / sum(weights) for weight in weights], abs=2**-BITS)


def test_among_many_choices_the_same_one_is_chosen_as_among_few() -> None:
    bits = np.random.default_rng(1).integers(0, 2**BITS, 1000).astype(np.int32)
    for count in (1, 2, 100, 127):
        assert (below_many(bits, np.int32(count)) == below(bits, np.int32(count))).all()
    for count in (128, 300, 40_000, 500_000):
        assert (below_many(bits, np.int32(count)) == (bits.astype(np.int64) * count >> BITS)).all()


def test_of_more_actions_than_a_byte_has_values_each_is_sampled_alike() -> None:
    batch = Batch(Many(), 300_000, seed=1)
    drawn = np.bincount(batch.sample(), minlength=300)
    assert len(drawn) == 300
    assert np.abs(drawn - 1000).max() < 6 * 1000**0.5


def test_a_game_can_be_named_in_several_ways() -> None:
    for game in (Nim(), Nim):
        assert solo.SoloEnv(game).game == zoo.env(game).game == openspiel.load(game).rules == Nim()
        assert vector.NumberQuestVectorEnv(game, 2).game == Nim()
    assert Batch(Nim, 2).game == Batch(Nim(), 2).game == Nim()
    assert solo.SoloEnv(Nim, heaps=3).game == Nim(heaps=3) == openspiel.load(Nim, heaps=3).rules
    with pytest.raises(BadSetting, match=r"Nim\(heaps=2\) has its settings already: change heaps there"):
        zoo.env(Nim(), heaps=3)
    with pytest.raises(BadSetting, match=r"own_nim has no setting 'high'; it has heaps; the environment itself takes "):
        solo.SoloEnv(Nim, high=3)
    for wrong in (3, None, int, ["fifty"]):
        with pytest.raises(
            TypeError, match="a game is its name, the path of its file, its class, or an object of that"
        ):
            zoo.env(wrong)


def test_openspiel_knows_one_game_of_a_name() -> None:
    class Other(Nim):
        pass

    openspiel.load(Nim())
    with pytest.raises(BadGame, match="OpenSpiel knows another game called own_nim"):
        openspiel.load(Other())


def test_what_is_drawn_first_late_in_a_game_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numberquest.envs.openspiel.MOST_LOOKED_AT", 2)
    state = openspiel.load(Race, goal=29).new_initial_state()
    state.apply_action(state.string_to_action("heads"))
    with pytest.raises(BadGame, match="own_race: 3 can be drawn, but in none of the 2 positions nearest to the start"):
        state.apply_action(1)


def test_a_file_is_played_by_its_path_and_then_has_an_id() -> None:
    said = run(
        "import gymnasium, pettingzoo, pyspiel, pickle\n"
        "from numberquest.envs import gymnasium as solo, openspiel, pettingzoo as zoo, vector\n"
        "from numberquest.envs.batch import Batch\n"
        "path = './tests/own/last.py'\n"
        "print(solo.SoloEnv(path, heap=7).game, zoo.env(path).game, vector.NumberQuestVectorEnv(path, 2).game)\n"
        "print(Batch(path, 2).game, openspiel.load(path, heap=4))\n"
        "for one in (solo, zoo, openspiel):\n"
        "    one.register()\n"
        "print(gymnasium.make('NumberQuest/Last-v0').unwrapped.game)\n"
        "print(pettingzoo.make('aec', 'NumberQuest/Last-v0', heap=8).game)\n"
        "print(pickle.loads(pickle.dumps(pyspiel.load_game('numberquest_last(heap=6)'))).rules)\n"
    )
    assert said == (
        "Last(heap=7) Last(heap=21) Last(heap=21)\nLast(heap=21) numberquest_last(heap=4)\n"
        "Last(heap=21)\nLast(heap=8)\nLast(heap=6)\n"
    )


def test_a_file_named_beforehand_has_its_ids_at_once() -> None:
    said = run(
        "import gymnasium, pyspiel, numberquest.envs.openspiel\n"
        "print(gymnasium.make('numberquest.envs.gymnasium:NumberQuest/Last-v0', heap=5).unwrapped.game)\n"
        "print(pyspiel.load_game('numberquest_last'))\n",
        NUMBERQUEST_WITH="tests/own/last.py",
    )
    assert said == "Last(heap=5)\nnumberquest_last(heap=21)\n"


def test_a_pickled_game_of_a_file_is_found_again_by_another_process(tmp_path: Path) -> None:
    file = tmp_path / "env"
    run(
        "import pickle, sys\n"
        "from numberquest.envs.gymnasium import SoloEnv\n"
        "from numberquest.envs.openspiel import load\n"
        "env = SoloEnv('./tests/own/last.py', seat=1)\n"
        "env.reset(seed=1)\n"
        f"with open({str(file)!r}, 'wb') as file:\n"
        "    pickle.dump((env, load(env.game)), file)\n"
    )
    said = run(
        f"import pickle\nwith open({str(file)!r}, 'rb') as file:\n    env, game = pickle.load(file)\n"
        "print(env.step(0)[1:4], game.rules)"
    )
    assert said == "(0.0, False, False) Last(heap=21)\n"
