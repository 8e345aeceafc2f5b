"""A whole game against one of our players, as an OpenEnv environment: the reward of a step is 1 - regret, exactly."""

from typing import Any
from uuid import uuid4

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import State

from numberquest.envs.llm import Episode

try:
    from ..models import QuestAction, QuestObservation
except ImportError:  # the server's folder is where it was started
    from models import QuestAction, QuestObservation


class QuestEnvironment(Environment):
    """`reset` begins a game, `step` takes an answer, `state` says how far it is."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State(episode_id=str(uuid4()), step_count=0)
        self._episode = Episode("sumquest", "hard", seed=1)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> QuestObservation:
        """Begin a game: `game`, `opponent`, `seat` and the rule settings stand in the options.

        The options come from a client: anything but a listed game and a level is a `UsageError`, and is never run.
        """
        self._episode = Episode.by_name(**{"game": "sumquest", **options}, seed=seed)
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        return self._seen(None)

    def step(self, action: QuestAction, timeout_s: float | None = None, **_: Any) -> QuestObservation:
        """Take an answer; the opponent has replied when this returns. A wrong answer is asked again."""
        if self._episode.over:
            return self._seen(0.0)
        self._state.step_count += 1
        return self._seen(self._episode.answer(action.text))

    @property
    def state(self) -> State:
        """How many answers there were."""
        return self._state

    def _seen(self, reward: float | None) -> QuestObservation:
        episode = self._episode
        asked = [] if episode.over else episode.messages
        return QuestObservation(
            messages=asked, moves=list(episode.match.moves), score=episode.score, done=episode.over, reward=reward
        )
