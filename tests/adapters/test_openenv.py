"""The game as an environment of OpenEnv: it is valid, an oracle gets all there is, and play at random does not."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import pytest

from tests.adapters.environment import needed

needed("openenv", "openenv")


import numberquest as nq  # noqa: E402

PACKAGE = "examples.quest_env"
FOLDER = Path(__file__).parent.parent.parent / "examples" / "quest_env"
QuestAction: Any = importlib.import_module(f"{PACKAGE}.models").QuestAction
QuestEnvironment: Any = importlib.import_module(f"{PACKAGE}.server.environment").QuestEnvironment


def played(choose: Any, seed: int, **options: Any) -> list[float]:
    """What each answer of a game was worth."""
    env, rewards = QuestEnvironment(), list[float]()
    seen = env.reset(seed=seed, **options)
    assert seen.reward is None
    while not seen.done:
        assert seen.messages[-1]["role"] == "user"
        seen = env.step(QuestAction(text=f"[{choose(env, seen)}]"))
        rewards.append(seen.reward)
    assert env.state.step_count == len(rewards)
    assert seen.score in (0, 1)
    return rewards


def best(env: Any, _: Any) -> str:
    match = env._episode.match
    return nq.solve(match.game).best(match.position)[0]


def test_openenv_says_that_it_is_valid() -> None:
    command = [
        str(Path(sys.executable).parent / "openenv"),
        "validate",
        str(FOLDER),
        "--level",
        "static",
        "--skip-build",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Verdict: PASS" in done.stdout


@pytest.mark.parametrize("options", [{}, {"game": "mystic", "target": 15, "seat": 2, "opponent": "easy"}])
def test_an_oracle_has_the_highest_reward_and_play_at_random_does_not(options: dict[str, Any]) -> None:
    random = Random(1)
    assert {reward for seed in range(5) for reward in played(best, seed, **options)} == {1}
    floor = mean(mean(played(lambda _, seen: random.choice(seen.moves), seed, **options)) for seed in range(40))
    assert 0 < floor < 0.95


def test_a_wrong_answer_costs_and_is_asked_again() -> None:
    env = QuestEnvironment()
    before = env.reset(seed=1)
    after = env.step(QuestAction(text="I resign"))
    assert (after.reward, after.done, after.moves) == (-1, False, before.moves)
    assert "That is no move" in after.messages[-1]["content"]


def test_the_server_plays_it() -> None:
    app = importlib.import_module(f"{PACKAGE}.server.app").app
    client_of = importlib.import_module("fastapi.testclient").TestClient
    with client_of(app) as client, client.websocket_connect("/ws") as line:
        line.send_json({"type": "reset", "data": {"seed": 1, "target": 12}})
        seen = line.receive_json()["data"]
        assert seen["observation"]["moves"]
        line.send_json({"type": "step", "data": {"text": "[1]"}})
        assert 0 <= line.receive_json()["data"]["reward"] <= 1


def test_a_client_is_told_what_it_may_name_and_nothing_is_run(tmp_path: Path) -> None:
    app = importlib.import_module(f"{PACKAGE}.server.app").app
    client_of = importlib.import_module("fastapi.testclient").TestClient
    asked = {"game": "sumquest", "opponent": f"cmd:touch {tmp_path / 'ran'}"}
    with client_of(app) as client, client.websocket_connect("/ws") as line:
        refused = client.post("/reset", json=asked)
        line.send_json({"type": "reset", "data": asked})
        told = line.receive_json()["data"]["message"]
    assert (refused.status_code, refused.json()["detail"]) == (422, told)
    assert "the opponents are random, easy, medium, hard, perfect" in told
    assert not (tmp_path / "ran").exists()
