"""The games as TextArena's environments: its conventions, and games that are ours to the last move."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.environment import needed

needed("textarena", "textarena")

import textarena as ta  # noqa: E402

import numberquest as nq  # noqa: E402
from numberquest.core.stream import Stream  # noqa: E402
from numberquest.envs.textarena import environment_id, register  # noqa: E402
from tests.players.readings import READINGS  # noqa: E402


def made(slug: str, version: str = "", **how: Any) -> Any:
    return ta.make(environment_id(slug) + version, **how)


def allowed(observation: str) -> list[str]:
    """The moves that were told last."""
    return re.findall(r"\[([^\]]+)\]", observation.rpartition("Allowed now: ")[2].partition("\n")[0])


@given(
    st.sampled_from(list(nq.GAMES)),
    st.sampled_from(["", "-train"]),
    st.integers(0, 10**6),
)
def test_a_game_is_the_same_as_ours_and_its_rewards_are_who_won(slug: str, version: str, seed: int) -> None:
    env, match, dice = made(slug, version), nq.Match(nq.game(slug), seed=seed), Stream(str(seed), "here")
    env.reset(num_players=2, seed=seed)
    done = False
    while not done:
        player, observation = env.get_observation()
        assert player == match.player
        assert f"You are Player {player + 1}." in observation
        assert allowed(observation) == list(match.moves)
        move = dice.choose(match.moves)
        match.play(move)
        done, _ = env.step(f"I think [{move}] is best.")
    assert match.outcome is not None
    rewards, info = env.close()
    winner = match.outcome.winner
    assert rewards == ({0: 0, 1: 0} if winner is None else {winner: 1, 1 - winner: -1})
    assert info[0]["reason"] == info[1]["reason"]
    assert not any(info[seat]["invalid_move"] for seat in (0, 1))
    assert env.match.history == match.history
    assert [one.verdict for one in env.review()] == [one.verdict for one in nq.review(match)]


@pytest.mark.parametrize("slug", nq.GAMES)
def test_ours_do_not_care_for_the_random_numbers_of_the_program_and_leave_them_alone(slug: str) -> None:
    def played(noise: int) -> list[Any]:
        random.seed(noise)
        before = random.getstate()
        env, told = made(slug), []
        env.reset(num_players=2, seed=5)
        done = False
        while not done:
            _, observation = env.get_observation()
            told.append(observation)
            done, _ = env.step(f"[{allowed(observation)[-1]}]")
            random.random() if noise == 2 else None
        if noise == 1:
            assert random.getstate() == before
        return told

    assert played(1) == played(2)


def test_a_wrong_answer_may_be_mended_once_and_then_loses() -> None:
    env = made("fifty", error_allowance=1)
    env.reset(num_players=2, seed=1)
    player, _ = env.get_observation()
    done, _ = env.step("[99*]")
    assert not done
    again, observation = env.get_observation()
    assert again == player
    assert "Player 1 attempted an invalid move. Reason: " in observation
    assert "allowed is" in observation
    assert env.match.history == ()
    done, _ = env.step("[5+]")
    assert not done
    assert env.match.history == ("5+",)
    player, _ = env.get_observation()
    for _ in range(2):
        done, _ = env.step("[no idea]")
    assert done
    rewards, info = env.close()
    assert rewards == {player: -1, 1 - player: 1}
    assert info[player]["invalid_move"]


@pytest.mark.parametrize("wrapping", ["", "-raw"])
@pytest.mark.parametrize("slug", READINGS)
def test_an_answer_means_what_it_means_everywhere(slug: str, wrapping: str) -> None:
    # Its own wrapper puts brackets around answers that have none.
    env = made(slug, wrapping, error_allowance=10)
    for said, move in READINGS[slug].items():
        env.reset(num_players=2, seed=1)
        before = env.match.history
        env.step(said)
        assert env.match.history[len(before) :][:1] == (() if move is None else (move,)), said


def test_settings_and_hidden_moves() -> None:
    env = made("fifty", list_moves=False, target=30)
    env.reset(num_players=2)
    _, observation = env.get_observation()
    assert "30" in observation
    assert "Allowed now" not in observation
    with pytest.raises(nq.BadSetting):
        made("fifty", target="none")


def test_the_example_of_the_docs_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parent.parent.parent / "docs" / "textarena.md").read_text()
    example = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert example is not None
    exec(example[1], {})  # noqa: S102
    assert "Player" in capsys.readouterr().out


def test_each_game_is_registered_once() -> None:
    register()
    for slug in nq.GAMES:
        ta.check_env_exists(environment_id(slug))
