"""The environment from another program: `QuestEnv(base_url="http://localhost:8000").sync()`."""

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import State

from .models import QuestAction, QuestObservation


class QuestEnv(EnvClient[QuestAction, QuestObservation, State]):
    """A game on a server."""

    def _step_payload(self, action: QuestAction) -> dict[str, Any]:
        return {"text": action.text}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[QuestObservation]:
        done, reward = payload.get("done", False), payload.get("reward")
        seen = QuestObservation(**{**payload.get("observation", {}), "done": done, "reward": reward})
        return StepResult(observation=seen, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)
