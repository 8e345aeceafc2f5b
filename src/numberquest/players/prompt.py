"""The prompt of a language model: rules, position, history, allowed moves."""

from collections.abc import Sequence
from typing import Any

from numberquest.core.contract import CHANCE, Game, player_name
from numberquest.core.rulebook import rules_of, rulings_in_force, titled
from numberquest.core.view import said
from numberquest.players.asking import Illegal, with_movers

NOT_TOLD = "(secret)"
HOW_TO_ANSWER = "End your answer with one move in square brackets, as in [MOVE], with the move in place of MOVE."


def instructions(game: Game[Any]) -> str:
    """The rules and how to answer: what stays the same for the whole game."""
    parts = [f"You play {titled(game)}, a game for two players.", "", *rules_of(game)]
    rulings = rulings_in_force(game)
    if rulings:
        parts += [
            "",
            "What the rules leave open is decided like this:",
            *(f"- {ruling}" for ruling in rulings.values()),
        ]
    parts += ["", f"All moves that there are, as they are written: {', '.join(map(_written, game.actions))}"]
    return "\n".join([*parts, "", HOW_TO_ANSWER])


def question(game: Game[Any], position: Any, history: Sequence[str] | None = None, *, list_moves: bool = True) -> str:
    """Return position and history for the player to move, and with `list_moves` the allowed moves."""
    seat = game.player(position)
    parts = [f"You are {player_name(seat)}, and it is your turn."]
    if history is not None:
        movers = with_movers(game, history, seat)
        lines = [
            f"{'chance' if mover == CHANCE else player_name(mover)}: {entry or NOT_TOLD}" for mover, entry in movers
        ]
        parts += ["", "So far:", *(lines or ["nothing was played"])]
    parts += ["", "Now:", *said(game, game.sees(position, seat))]
    if list_moves:
        parts += ["", f"Allowed now: {', '.join(map(_written, game.moves(position)))}"]
    return "\n".join([*parts, "", f"Which move do you make? {HOW_TO_ANSWER}"])


def again(wrong: Illegal) -> str:
    """Return the message that follows an answer which is no allowed move."""
    return f"That is no move: {wrong.why}. {HOW_TO_ANSWER}"


def messages(
    game: Game[Any],
    position: Any,
    history: Sequence[str] | None = None,
    refused: Illegal | None = None,
    *,
    list_moves: bool = True,
) -> list[dict[str, str]]:
    """All of it as the messages of a chat; `refused` is the wrong answer that was given before."""
    told = [
        {"role": "system", "content": instructions(game)},
        {"role": "user", "content": question(game, position, history, list_moves=list_moves)},
    ]
    if refused is not None:
        # Some servers refuse a message without words.
        told.append({"role": "assistant", "content": refused.said.strip() or "(no answer)"})
        told.append({"role": "user", "content": again(refused)})
    return told


def _written(move: str) -> str:
    # Cells have a comma of their own.
    return f"[{move}]" if "," in move else move
