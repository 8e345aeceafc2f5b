"""How a model is asked for one move, in plain text or by a tool, and how its answers are read and logged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageTool, ChatMessageUser, get_model
from inspect_ai.tool import Tool, tool

from numberquest.evaluate.answers import read_move
from numberquest.evaluate.prompt import again
from numberquest.evaluate.trouble import Illegal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import TaskState

    from numberquest.contract import Game

ANSWERS: Final = "numberquest_answers"
"""Where a sample's store keeps every answer: what was said, and as which move it was read."""


@tool
def make_move() -> Tool:
    """The tool by which a model makes its move."""

    async def execute(move: str) -> str:
        """Make your move.

        Args:
            move: One of the moves of the game, as it is written in the rules.
        """
        # What is said to the model is decided where the answer is read.
        return move

    return execute


class Asked(NamedTuple):
    """The move that a model made; None where none of its answers was an allowed one."""

    move: str | None
    illegal: int


async def ask(state: TaskState, game: Game[Any], position: Any, *, by_tool: bool, tries: int) -> Asked:
    """Ask for a move, and again up to so many times in all. Errors of the provider are for Inspect to handle."""
    allowed = game.moves(position)
    tools = [make_move()] if by_tool else []
    for number in range(tries):
        state.output = await get_model().generate(state.messages, tools=tools)
        state.messages.append(state.output.message)
        said, call = _said(state.output)
        reading = read_move(said, allowed, game.actions)
        log(state, said, reading.move, reading.why, "tool" if call else "text")
        told = "Your move is made." if reading.move is not None else again(Illegal(said, reading.why))
        _answer_calls(state, told)
        if reading.move is not None:
            return Asked(reading.move, number)
        if not call and number + 1 < tries:
            state.messages.append(ChatMessageUser(content=told))
    return Asked(None, tries)


def log(state: TaskState, said: str, move: str | None, why: str, how: str) -> None:
    """Keep an answer in the log of the sample."""
    entry: dict[str, Any] = {"said": said, "read": move, "why": why, "how": how}
    transcript().info(entry, source="numberquest")
    state.store.set(ANSWERS, [*answers(state), entry])


def answers(state: TaskState) -> Sequence[dict[str, Any]]:
    """Every answer of a sample so far."""
    found: Sequence[dict[str, Any]] = state.store.get(ANSWERS, [])
    return found


def _said(output: ModelOutput) -> tuple[str, bool]:
    """What a model has said, and whether by the tool; words are read too, where it has called nothing."""
    calls = output.message.tool_calls or [] if output.choices else []
    if calls:
        return str(calls[0].arguments.get("move", "")), True
    return output.completion, False


def _answer_calls(state: TaskState, told: str) -> None:
    """Answer each call of the last message: a model that gets no answer to one cannot go on."""
    for number, call in enumerate(state.output.message.tool_calls or []):
        content = told if number == 0 else "Only the first move counts."
        state.messages.append(ChatMessageTool(content=content, tool_call_id=call.id, function=call.function))
