"""A question of the exam, and a game to play, as samples: what is in their metadata, and how it is read back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser

from numberquest.evaluate.exam.question import line, read
from numberquest.evaluate.prompt import instructions, question
from numberquest.games import GAMES
from numberquest.games import game as make_game
from numberquest.match import Match

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numberquest.contract import Game
    from numberquest.evaluate.exam.question import Question


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
