"""What is said to the environment, and what it answers."""

from openenv.core.env_server.types import Action, Observation
from pydantic import Field


class QuestAction(Action):
    """The answer of a model, as text: the move is read in it."""

    text: str = Field(..., description="the answer, with the move in square brackets: I add seven. [7]")


class QuestObservation(Observation):
    """What the model is asked next; at the end, nothing."""

    messages: list[dict[str, str]] = Field(default_factory=list, description="the question, as a chat")
    moves: list[str] = Field(default_factory=list, description="what is allowed now")
    score: float | None = Field(default=None, description="after the end: 1 won, 0.5 drawn, 0 lost")
