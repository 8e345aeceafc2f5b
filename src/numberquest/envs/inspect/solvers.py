"""A model that answers in plain text, and one that calls a tool: each for a question of the exam or a whole game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from inspect_ai.dataset import Sample
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageSystem, ChatMessageTool, ChatMessageUser, get_model

# Inspect reads the annotations of solvers, so that their types are needed here.
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, tool

from numberquest.core.contract import Game
from numberquest.core.match import Match
from numberquest.core.registry import GAMES
from numberquest.core.registry import game as make_game
from numberquest.core.stream import Stream
from numberquest.players.answers import read_move
from numberquest.players.asking import TRIES, Illegal, Reply
from numberquest.players.levels import PLAYERS
from numberquest.players.prompt import again, instructions, question
from numberquest.study.exam.question import Question, line, read

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
            asked = question_of(state.metadata)
            reply = await ask(state, asked.game, asked.position, by_tool=by_tool, tries=tries)
            done = {"move": reply.move, "illegal": len(reply.illegal)}
        else:
            done = await _game(state, by_tool=by_tool, tries=tries)
        state.store.set(DONE, done)
        return state

    return solve


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
            illegal += len(answer.illegal)
            if answer.move is None:
                match.resign(seat)
                break
            move = answer.move
        moves.append(move)
        match.play(move)
    return {"moves": moves, "history": list(match.history), "forfeit": match.resigned is not None, "illegal": illegal}


def rules_named(game: Game[Any]) -> str:
    """The game and its changed settings: what questions and games are grouped by."""
    return f"{game.slug} {game.changes}".strip()


def exam_sample(asked: Question, *, list_moves: bool) -> Sample:
    """One question of the exam."""
    game = asked.game
    return Sample(
        id=asked.id,
        input=[
            ChatMessageSystem(content=instructions(game)),
            ChatMessageUser(content=question(game, asked.position, asked.history, list_moves=list_moves)),
        ],
        target=list(asked.right),
        metadata={
            "game": game.slug,
            "rules": rules_named(game),
            "grade": asked.grade,
            "list_moves": list_moves,
            "question": line(asked),
        },
    )


def question_of(metadata: Mapping[str, Any]) -> Question:
    """The question of such a sample."""
    return read(metadata["question"], GAMES[metadata["game"]])


def game_sample(game: Game[Any], opponent: str, deal: int, seat: int, seed: str, *, list_moves: bool) -> Sample:
    """One game to play; both seats of a deal are dealt the same."""
    rules = rules_named(game)
    return Sample(
        id=f"{rules.replace(' ', ',')}-{opponent}-{deal}-{seat + 1}",
        input=[ChatMessageSystem(content=instructions(game)), ChatMessageUser(content=f"You are Player {seat + 1}.")],
        metadata={
            "game": game.slug,
            "settings": dict(game.changed),
            "rules": rules,
            "opponent": opponent,
            "deal": f"{rules} {deal}",
            "seat": seat + 1,
            "seed": f"{seed}.{deal}",
            "list_moves": list_moves,
        },
    )


def match_of(metadata: Mapping[str, Any]) -> Match[Any]:
    """The game of such a sample, at its start."""
    return Match(make_game(metadata["game"], **metadata["settings"]), seed=metadata["seed"])


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


async def ask(state: TaskState, game: Game[Any], position: Any, *, by_tool: bool, tries: int) -> Reply:
    """Ask for a move, and again up to so many times in all. Errors of the provider are for Inspect to handle."""
    allowed = game.moves(position)
    tools = [make_move()] if by_tool else []
    illegal: list[Illegal] = []
    while True:
        state.output = await get_model().generate(state.messages, tools=tools)
        state.messages.append(state.output.message)
        # Words are read too, where a model has called nothing.
        call = bool(state.output.choices and state.output.message.tool_calls)
        said = str(state.output.message.tool_calls[0].arguments.get("move", "")) if call else state.output.completion
        reading = read_move(said, allowed, game.actions)
        log(state, said, reading.move, reading.why, "tool" if call else "text")
        if reading.move is not None:
            _answer_calls(state, "Your move is made.")
            return Reply(reading.move, tuple(illegal))
        illegal.append(Illegal(said, reading.why))
        _answer_calls(state, again(illegal[-1]))
        if len(illegal) == tries:
            return Reply(None, tuple(illegal))
        if not call:
            state.messages.append(ChatMessageUser(content=again(illegal[-1])))


def log(state: TaskState, said: str, move: str | None, why: str, how: str) -> None:
    """Keep an answer in the log of the sample."""
    entry: dict[str, Any] = {"said": said, "read": move, "why": why, "how": how}
    transcript().info(entry, source="numberquest")
    state.store.set(ANSWERS, [*answers(state), entry])


def answers(state: TaskState) -> Sequence[dict[str, Any]]:
    """Every answer of a sample so far."""
    found: Sequence[dict[str, Any]] = state.store.get(ANSWERS, [])
    return found


def _answer_calls(state: TaskState, told: str) -> None:
    """Answer each call of the last message: a model that gets no answer to one cannot go on."""
    for number, call in enumerate(state.output.message.tool_calls or []):
        content = told if number == 0 else "Only the first move counts."
        state.messages.append(ChatMessageTool(content=content, tool_call_id=call.id, function=call.function))
