"""A model that answers in plain text, and one that calls a tool: each for a question of the exam or a whole game."""

from __future__ import annotations

from typing import Any, Final

from inspect_ai.model import ChatMessageUser

# Inspect reads the annotations of solvers, so that their types are needed here.
from inspect_ai.solver import Generate, Solver, TaskState, solver

from numberquest.evaluate.adapters.inspect.asking import ask
from numberquest.evaluate.adapters.inspect.samples import match_of, question_of
from numberquest.evaluate.asking import TRIES
from numberquest.evaluate.prompt import question
from numberquest.players import PLAYERS
from numberquest.stream import Stream

DONE: Final = "numberquest_done"
"""Where a sample's store keeps what came of it; nothing where it was broken off."""


@solver
def text(tries: int = TRIES) -> Solver:
    """Asks in plain text, up to so many times for one move."""
    return _solver(by_tool=False, tries=tries)


@solver
def tools(tries: int = TRIES) -> Solver:
    """Asks with a tool to make the move by, up to so many times for one move."""
    return _solver(by_tool=True, tries=tries)


def _solver(*, by_tool: bool, tries: int) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        if "question" in state.metadata:
            done = await _question(state, by_tool=by_tool, tries=tries)
        else:
            done = await _game(state, by_tool=by_tool, tries=tries)
        state.store.set(DONE, done)
        return state

    return solve


async def _question(state: TaskState, *, by_tool: bool, tries: int) -> dict[str, Any]:
    asked = question_of(state.metadata)
    move, illegal = await ask(state, asked.game, asked.position, by_tool=by_tool, tries=tries)
    return {"move": move, "illegal": illegal}


async def _game(state: TaskState, *, by_tool: bool, tries: int) -> dict[str, Any]:
    match, known = match_of(state.metadata), state.metadata
    seat, opponent = known["seat"] - 1, PLAYERS[known["opponent"]]
    moves: list[str] = []
    illegal = 0
    del state.messages[1:]
    while match.outcome is None:
        if match.player != seat:
            move = opponent.choose(match.game, match.position, Stream(known["seed"], f"opponent {len(match.history)}"))
        else:
            words = question(match.game, match.position, match.history, list_moves=known["list_moves"])
            state.messages.append(ChatMessageUser(content=words))
            answer = await ask(state, match.game, match.position, by_tool=by_tool, tries=tries)
            illegal += answer.illegal
            if answer.move is None:
                match.resign(seat)
                break
            move = answer.move
        moves.append(move)
        match.play(move)
    return {"moves": moves, "history": list(match.history), "forfeit": match.resigned is not None, "illegal": illegal}
