"""The PettingZoo environments pass that project's own tests, and behave as its wrappers would make them."""

import copy
import pickle
import random
import re
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from itertools import zip_longest
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberquest.core.registry import GAMES, game
from numberquest.core.settings import BadSetting
from numberquest.solver import solve
from tests.conftest import a_few
from tests.documents import run_examples
from tests.envs.needs import needed
from tests.envs.test_episode import Stacked, deals
from tests.solver.small import SMALL

with warnings.catch_warnings():
    # Its tests use an old way to one of its own environments.
    warnings.simplefilter("ignore", DeprecationWarning)
    suites = needed("pettingzoo.test")
zoo = needed("pettingzoo")
state_test = needed("pettingzoo.test.state_test")
performance = needed("pettingzoo.test.performance_benchmark")
wrappers = needed("pettingzoo.utils").wrappers
ours = needed("numberquest.envs.pettingzoo")

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "pettingzoo.md"

VARIANTS = [
    *(game(slug) for slug in GAMES),
    *SMALL,
    game("fifty", target=2),
    game("fifty", target=200, copies=4),
    game("grid", stand=True),
    game("grid", side=4, target=99, stand=True),
    game("showdown", high=13, picks=6),
    game("sumquest", target=999),
    game("mystic", target=60, copies=4),
]
of_every_kind = pytest.mark.parametrize("rules", a_few(VARIANTS, 6), ids=repr)
both_kinds = pytest.mark.parametrize("make", [ours.env, ours.raw_env], ids=["env", "raw_env"])


def making(make: Any, rules: Any) -> Callable[..., Any]:
    return partial(make, rules.slug, **rules.settings)


APPLIED = {"api_test", "seed_test", "performance_benchmark", "render_test", "state_test"}
"""The suites that are run here."""
OF_OTHER_KINDS = {
    "bombardment_test": "takes what step() returns for an observation, and so fails wherever two agents take turns",
    "collect_render_results": "a part of render_test",
    "manual_control_test": "for games steered by keys",
    "max_cycles_test": "for environments with a parameter max_cycles",
    "parallel_api_test": "for agents that move at the same time",
    "parallel_seed_test": "for agents that move at the same time",
    "test_save_obs": "for observations that are pictures",
}


def test_no_suite_is_forgotten() -> None:
    offered = {name for name in dir(suites) if callable(getattr(suites, name))}
    assert offered == APPLIED | set(OF_OTHER_KINDS)


@pytest.mark.parametrize("masked", [False, True], ids=["row", "row and mask"])
@both_kinds
@of_every_kind
def test_the_api_test_passes_without_a_warning_and_the_seed_test(rules: Any, make: Any, masked: bool) -> None:
    made = partial(making(make, rules), mask_in_observation=masked)
    with warnings.catch_warnings():
        if masked:
            # It says so of the environments that come with PettingZoo too, which have such dictionaries.
            warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
            warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        suites.api_test(made(), num_cycles=100)
    suites.seed_test(made, num_cycles=100)


@both_kinds
@pytest.mark.parametrize("slug", GAMES)
def test_the_mask_in_the_observation_is_that_of_the_info_and_the_row_is_the_same(slug: str, make: Any) -> None:
    env, plain, dice = make(slug, mask_in_observation=True), make(slug), random.Random(1)
    for seed in range(20):
        env.reset(seed=seed)
        plain.reset(seed=seed)
        for agent in env.agent_iter():
            observation, *_, over, _, info = env.last()
            for other in env.possible_agents:
                seen = env.observe(other)
                assert env.observation_space(other).contains(seen)
                assert seen["observation"].tolist() == plain.observe(other).tolist()
                # Only whoever is to move may do something.
                assert seen["action_mask"].any() == (other == agent and not over)
            assert observation["action_mask"].tolist() == info["action_mask"].tolist()
            observation["action_mask"][:] = 0
            action = None if over else dice.choice(np.flatnonzero(info["action_mask"]))
            env.step(action)
            plain.step(action)


def test_the_bombardment_test_fails_on_pettingzoos_own_example_too() -> None:
    # Once it is mended, it belongs to those that are run here.
    own = needed("pettingzoo.test.example_envs").generated_agents_env_v0
    for env in (own.env(), ours.env("fifty")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(AssertionError, match="outside of its observation space"):
                suites.bombardment_test(env, cycles=1)


@both_kinds
@pytest.mark.parametrize("slug", GAMES)
def test_the_render_test_passes(slug: str, make: Any) -> None:
    said = []

    def told(text: str) -> bool:
        said.append(text)
        return text.startswith(game(slug).title)

    # That test takes any action, which only the checked environment may be given.
    if make is ours.env:
        suites.render_test(partial(make, slug), custom_tests={"ansi": told})
        assert len(said) == 5
    else:
        env = make(slug, render_mode="ansi")
        env.reset()
        assert told(env.render())


@of_every_kind
def test_the_state_test_passes(rules: Any) -> None:
    # Its third part is for agents that move at the same time.
    env = making(ours.env, rules)()
    state_test.test_state_space(env)
    state_test.test_state(env, num_cycles=10)


def test_the_performance_benchmark_runs(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    # Its clock goes faster here: five seconds for each game would be long for a test.
    for slug in GAMES:
        ticks = iter(range(10_000))
        monkeypatch.setattr(performance, "time", SimpleNamespace(time=lambda ticks=ticks: next(ticks) / 10))
        suites.performance_benchmark(ours.env(slug))
    assert capsys.readouterr().out.count("Finished performance benchmark") == len(GAMES)


def wrapped(rules: Any) -> Any:
    """The environment without checks, inside PettingZoo's own."""
    env = making(ours.raw_env, rules)()
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


def shown(env: Any) -> dict[str, Any]:
    """Everything that can be seen of an environment."""
    names = ["agents", "rewards", "terminations", "truncations", "_cumulative_rewards", "agent_selection", "num_agents"]
    seen = {name: copy.deepcopy(getattr(env, name)) for name in names}
    seen["infos"] = {agent: {key: value.tolist() for key, value in info.items()} for agent, info in env.infos.items()}
    seen["observations"] = [env.observe(agent).tolist() for agent in env.possible_agents]
    seen["state"] = env.state().tolist()
    if env.agents:
        row, *rest, info = env.last()
        seen["last"] = [row.tolist(), *rest, info["action_mask"].tolist()]
    return seen


def tried(do: Callable[[], Any]) -> tuple[str, str]:
    """What is raised, if anything."""
    try:
        do()
    except (AssertionError, AttributeError, ValueError) as trouble:
        return type(trouble).__name__, str(trouble)
    return "", ""


def allowed(env: Any) -> list[int]:
    """What the agent whose turn it is may do."""
    ids: list[int] = np.flatnonzero(env.infos[env.agent_selection]["action_mask"]).tolist()
    return ids


def any_action(env: Any, dice: random.Random) -> Any:
    """Mostly an allowed action, sometimes one that is not, sometimes none at all."""
    count = len(env.unwrapped.game.actions)
    kind = dice.random()
    if env.agents and env.terminations[env.agent_selection]:
        return None if kind < 0.7 else dice.choice([0, -1, count, count + 5])
    legal = allowed(env) if env.agents else [0]
    action = dice.choice(legal)
    if kind < 0.7:
        return dice.choice([action, np.int64(action), np.int32(action), np.uint8(action), np.array(action)])
    if kind < 0.85:
        return dice.choice([other for other in range(count) if other not in legal] or [action])
    return dice.choice([None, -1, count, 10**30, np.int64(-1), np.uint64(action), float(action), "0", [action]])


@of_every_kind
def test_an_environment_does_what_pettingzoos_wrappers_do(rules: Any) -> None:
    dice = random.Random(1)
    one, other = making(ours.env, rules)(), wrapped(rules)
    troubles, illegal = set(), 0
    for seed in range(25):
        one.reset(seed=seed)
        other.reset(seed=seed)
        assert shown(one) == shown(other)
        for _ in range(60):
            action = any_action(one, dice)
            trouble = tried(lambda: one.step(action))  # noqa: B023
            assert tried(lambda: other.step(action)) == trouble  # noqa: B023
            assert shown(one) == shown(other)
            troubles.add(trouble[0])
            illegal += any(one.truncations.values())
            if not one.agents and dice.random() < 0.7:
                break
    assert troubles >= {"", "AssertionError"}
    assert illegal or rules.changes


@pytest.mark.parametrize("slug", GAMES)
def test_an_illegal_move_loses_for_the_one_who_made_it(slug: str, caplog: Any) -> None:
    env = ours.env(slug)
    env.reset(seed=1)
    while env.infos[env.agent_selection]["action_mask"].all():
        env.step(allowed(env)[0])
    mover = env.agent_selection
    env.step(int(np.flatnonzero(env.infos[mover]["action_mask"] == 0)[0]))
    assert env.rewards == {agent: -1 if agent == mover else 0 for agent in env.possible_agents}
    assert env.terminations == env.truncations == dict.fromkeys(env.possible_agents, True)
    assert "Illegal move" in caplog.text
    last = {}
    for agent in env.agent_iter():
        last[agent] = env.last()[1]
        env.step(None)
    assert last == {agent: -1 if agent == mover else 0 for agent in env.possible_agents}
    assert env.agents == []


def test_nothing_can_be_asked_before_the_first_reset() -> None:
    one, other = ours.env("fifty", render_mode="ansi"), wrapped(game("fifty"))
    asked: list[Callable[[Any], Any]] = [
        lambda env: env.step(0),
        lambda env: env.step(None),
        lambda env: env.observe("player_1"),
        lambda env: env.last(),
        lambda env: env.render(),
        lambda env: env.state(),
        lambda env: env.agent_iter(),
        *(
            lambda env, name=name: getattr(env, name)
            for name in ("agents", "num_agents", "rewards", "terminations", "truncations", "infos", "agent_selection")
        ),
    ]
    for ask in asked:
        trouble = tried(lambda: ask(one))  # noqa: B023
        assert "reset" in trouble[1]
        assert tried(lambda: ask(other)) == trouble  # noqa: B023
    one.reset()
    for ask in asked:
        if ask is not asked[1]:
            ask(one)


def test_whoever_does_not_step_in_the_loop_is_told() -> None:
    for env in (ours.env("fifty"), wrapped(game("fifty"))):
        env.reset()
        turns = iter(env.agent_iter())
        assert next(turns) == "player_1"
        with pytest.raises(AssertionError, match="need to call step"):
            next(turns)
        env.step(0)
        # Asked in vain above: that counts too.
        assert list(env.agent_iter(1)) == ["player_2"]


def test_an_unknown_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        _ = ours.env("fifty").colour


@pytest.mark.parametrize("slug", GAMES)
def test_the_winner_gets_1_and_the_loser_minus_1(slug: str) -> None:
    env, dice = ours.env(slug), random.Random(1)
    winners = set()
    for seed in range(20):
        env.reset(seed=seed)
        got = {}
        for agent in env.agent_iter():
            _, reward, over, cut, _ = env.last()
            assert not cut
            got[agent] = reward
            assert over or reward == 0
            env.step(None if over else dice.choice(allowed(env)))
        outcome = env.game.outcome(env.position)
        winner = env.possible_agents[outcome.winner]
        assert got == {agent: 1 if agent == winner else -1 for agent in env.possible_agents}
        winners.add(winner)
    assert len(winners) == 2


@given(deals(), st.randoms(use_true_random=False))
def test_what_is_still_hidden_shows_nowhere(dealt: tuple[Any, list[int]], dice: Any) -> None:
    """Two deals that differ only in what nobody has seen give the same observations and infos."""
    rules, deal = dealt
    env = making(ours.env, rules)()
    env._dice = Stacked(deal)
    env.reset()
    seen = [shown(env)]
    actions: list[int] = []
    length = dice.randrange(rules.longest + 1)
    while len(actions) < length and not any(env.terminations.values()):
        actions.append(dice.choice(allowed(env)))
        env.step(actions[-1])
        seen.append(shown(env))
    position = env.position
    if rules.slug == "grid":
        open_slots = [slot for slot, number in enumerate(position.cells) if number]
    elif rules.slug == "mystic":
        open_slots = list(range(len(deal) - len(position.unseen)))
    else:
        open_slots = []
    hidden = [slot for slot in range(len(deal)) if slot not in open_slots]
    numbers = [deal[slot] for slot in hidden]
    dice.shuffle(numbers)
    again = list(deal)
    for slot, number in zip(hidden, numbers, strict=True):
        again[slot] = number
    env = making(ours.env, rules)()
    env._dice = Stacked(again)
    env.reset()
    assert shown(env) == seen[0]
    for action, before in zip(actions, seen[1:], strict=True):
        env.step(action)
        assert shown(env) == before


def to_the_end(env: Any, dice: random.Random) -> Iterator[dict[str, Any]]:
    """Everything seen in the rest of a game of random moves, one step after the other."""
    while env.agents:
        yield shown(env)
        env.step(None if env.terminations[env.agent_selection] else dice.choice(allowed(env)))


def stepped(env: Any, seed: int | None, dice: random.Random) -> Iterator[dict[str, Any]]:
    """Everything seen in three games."""
    for number in range(3):
        env.reset(seed=seed if number == 0 else None)
        yield from to_the_end(env, dice)


@pytest.mark.parametrize("slug", GAMES)
def test_no_random_numbers_but_its_own(slug: str) -> None:
    before = random.getstate(), pickle.dumps(np.random.get_state())
    alone = [list(stepped(ours.env(slug), seed, random.Random(seed))) for seed in (1, 2)]
    assert before == (random.getstate(), pickle.dumps(np.random.get_state()))
    # In turns, step by step, with another one that was seeded otherwise.
    in_turns = zip_longest(*(stepped(ours.env(slug), seed, random.Random(seed)) for seed in (1, 2)))
    assert [[step for step in steps if step] for steps in zip(*in_turns, strict=True)] == alone


@pytest.mark.parametrize("slug", ["grid", "mystic"])
def test_another_seed_deals_otherwise(slug: str) -> None:
    ends = set()
    for seed in range(5):
        env = ours.env(slug, target=60)
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            env.step(0 if slug == "mystic" else allowed(env)[0])
        ends.add(tuple(env.state().tolist()))
    assert len(ends) > 1


@both_kinds
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301
@pytest.mark.parametrize("slug", GAMES)
def test_a_copy_goes_on_as_the_original_does(slug: str, copied: Any, make: Any) -> None:
    env = make(slug)
    env.reset(seed=4)
    env.step(allowed(env)[1])
    other = copied(env)
    before = shown(env)
    assert shown(other) == before

    def on(env: Any) -> list[Any]:
        dice = random.Random(1)
        return [*to_the_end(env, dice), *stepped(env, None, dice)]

    ahead = on(other)
    # The original has not moved, and then goes the same way.
    assert shown(env) == before
    assert on(env) == ahead
    fresh = copied(make(slug))
    fresh.reset(seed=4)


@pytest.mark.parametrize("slug", GAMES)
def test_pettingzoo_makes_them_by_their_ids(slug: str) -> None:
    settings = next(({name: value} for name, value in (("side", 2), ("high", 4)) if name in game(slug).settings), {})
    env = zoo.make("aec", f"NumberQuest/{slug.capitalize()}-v0", render_mode="ansi", **settings)
    assert env.game == game(slug, **settings)
    assert env.render_mode == "ansi"
    assert str(env) == f"numberquest_{slug}_v0"


def test_what_is_said_of_a_position() -> None:
    env = ours.env("grid", render_mode="ansi", target=20)
    env._dice = Stacked([3, 1, 4, 5, 9, 2, 6, 8, 7])
    env.reset()
    env.step(0)
    env.step(4)
    assert env.render().splitlines() == [
        "Number Quest: Grid (target=20)",
        "Total: Player 1 3, Player 2 9",
        "Who stands: nobody",
        "3 . .",
        ". 9 .",
        ". . .",
        "Player 1 is to move.",
    ]


def test_human_rendering_prints_each_position_and_without_a_mode_that_is_told(capsys: Any) -> None:
    env = ours.env("sumquest", render_mode="human")
    env.reset()
    title = "Sum Quest: Race to 23"
    before = [title, "Sum: 0 of 23", "Barred now: no number", "Player 1 is to move."]
    assert capsys.readouterr().out.splitlines() == before
    env.step(4)
    after = [title, "Sum: 5 of 23", "Barred now: 5", "Player 2 is to move."]
    assert capsys.readouterr().out.splitlines() == after
    env.step(4)
    assert capsys.readouterr().out.splitlines() == after, "and where an illegal move has ended the game"
    env = ours.env("sumquest")
    env.reset()
    with pytest.warns(UserWarning, match="without specifying any render mode"):
        assert env.render() is None


@pytest.mark.parametrize("make", [ours.env, ours.raw_env])
def test_nobody_but_the_agents_can_look(make: Any) -> None:
    env = make("fifty")
    env.reset(seed=1)
    with pytest.raises(KeyError, match="player_0"):
        env.observe("player_0")


def test_true_is_the_number_1() -> None:
    """As everywhere in Python, and in Gymnasium's environment."""
    one, other = ours.env("sumquest"), ours.env("sumquest")
    for env, action in ((one, True), (other, 1)):
        env.reset(seed=1)
        env.step(action)
    assert one.position == other.position


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="render_mode"):
        ours.env("fifty", render_mode="rgb_array")
    with pytest.raises(BadSetting, match="no setting 'colour'"):
        ours.env("fifty", colour="red")
    with pytest.raises(BadSetting, match="no game called"):
        ours.raw_env("chess")
    env = ours.raw_env("fifty")
    env.reset()
    with pytest.raises(ValueError, match="action id is needed"):
        env.step(None)


@pytest.mark.usefixtures("readers_place")
def test_the_examples_of_the_document_run(capsys: Any) -> None:
    names = run_examples(DOCUMENT)
    said = capsys.readouterr().out
    for expected in re.findall(r"```text\n(.*?)```", DOCUMENT.read_text(), re.DOTALL):
        assert expected in said
    assert names["scripted"] > names["blind"]


@pytest.mark.parametrize("make", [ours.env, ours.raw_env])
def test_each_agent_is_told_what_its_last_move_has_lost_until_its_next(make: Any) -> None:
    env, dice, solution = make("sumquest", regret=True), random.Random(3), solve(game("sumquest"))
    seen = set()
    for seed in range(30):
        env.reset(seed=seed)
        expected: dict[str, tuple[float, float, bool]] = {}
        for agent in env.agent_iter():
            _, _, ended, cut, info = env.last()
            told = tuple(info[name] for name in ("regret", "value", "mattered")) if agent in expected else None
            assert told == expected.get(agent)
            if told is None:
                assert not {"regret", "value", "mattered"} & set(info)
            if ended or cut:
                env.step(None)
                continue
            values = solution.moves(env.position)
            move = dice.choice(list(values))
            best = max(values.values())
            expected[agent] = (float(best - values[move]), float(best), best != min(values.values()))
            seen.add(expected[agent])
            env.step(env.game.actions.index(move))
    assert seen == {(0.0, 0.0, False), (0.0, 1.0, True), (1.0, 1.0, True)}


def test_an_illegal_move_loses_all_there_was_to_win() -> None:
    env = ours.env("sumquest", regret=True)
    env.reset(seed=1)
    env.step(8)
    value = float(solve(game("sumquest")).value(env.position))
    env.step(8)
    assert (env.infos["player_2"]["regret"], env.infos["player_2"]["value"]) == (value, value)


def test_without_regret_nothing_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> Any:
        raise AssertionError("nothing is to be solved")

    monkeypatch.setattr("numberquest.envs.episode.solve", refused)
    env = ours.env("mystic")
    env.reset(seed=1)
    env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    with pytest.raises(AssertionError, match="solved"):
        ours.env("mystic", regret=True)
    with pytest.raises(ValueError, match="regret is True or False, not 'no'"):
        ours.env("mystic", regret="no")
