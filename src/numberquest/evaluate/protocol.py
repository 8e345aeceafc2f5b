"""The line protocol between us and a player in a process of its own: what is said, and how an answer is read.

One JSON object a line, in both directions. docs/protocol.md describes it for whoever writes an engine.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from numberquest.contract import CHANCE
from numberquest.evaluate.trouble import Illegal, ProviderError, shown
from numberquest.rulebook import rules_of
from numberquest.view import looks, said
from numberquest.view import shown as facts
from numberquest.wording import in_short

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numberquest.contract import Game

VERSION: Final = 1
"""Of the protocol. New fields do not change it: whoever does not know a field ignores it."""
SEEDS: Final = 2**53
"""Seeds are below this: so far every language reads a number in JSON exactly."""


def hello(game: Game[Any]) -> dict[str, Any]:
    """What an engine is told before the first question about a game, and before the first about another."""
    from numberquest import __version__

    return {
        "type": "hello",
        "protocol": VERSION,
        "program": f"numberquest {__version__}",
        "game": game.slug,
        "title": game.title,
        "settings": game.settings,
        "rules": "\n".join([*rules_of(game), *game.rulings_told().values()]),
        "actions": list(game.actions),
        "fields": looks(game),
    }


def question(
    game: Game[Any],
    position: Any,
    history: Sequence[str] | None,
    *,
    number: int,
    seed: int,
    seconds: float,
    refused: Illegal | None = None,
) -> dict[str, Any]:
    """What an engine is asked: where the game stands, as facts, and what it may answer."""
    asked = {
        "type": "question",
        "id": number,
        "seat": game.player(position) + 1,
        "position": facts(game, position),
        "words": said(game, position),
        "history": None if history is None else told_history(game, history),
        "moves": list(game.moves(position)),
        "seed": seed,
        "seconds": seconds,
    }
    return asked if refused is None else {**asked, "refused": {"said": refused.said, "why": refused.why}}


GOODBYE: Final = {"type": "goodbye"}


def told_history(game: Game[Any], history: Sequence[str]) -> list[dict[str, Any]]:
    """Every move and reveal so far, with whose it was: 1, 2, or None where chance moved."""
    told, position = [], game.start()
    for entry in history:
        mover = game.player(position)
        told.append({"by": None if mover == CHANCE else mover + 1, "move": entry})
        position = game.play(position, entry)
    return told


def leads_to(game: Game[Any], history: Sequence[str], position: Any) -> bool:
    """Whether these moves and reveals lead to that position."""
    p = game.start()
    for entry in history:
        if entry not in game.moves(p):
            return False
        p = game.play(p, entry)
    return bool(p == position)


def line(message: Mapping[str, Any]) -> bytes:
    """A message as it goes over the wire."""
    # As ASCII: not every language reads anything else from a pipe by itself.
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def is_ready(text: bytes) -> bool:
    """Whether a line answers our hello; `ProviderError` where it shows that this is no engine of ours."""
    try:
        heard = _object(text)
    except Illegal as wrong:
        raise ProviderError(f"it does not speak the protocol: {wrong}") from None
    _raise_error(heard)
    if heard.get("type") == "hello":
        raise ProviderError("it does not speak the protocol: it says back what it is told")
    if heard.get("type") != "ready":
        return False
    version = heard.get("protocol")
    if version != VERSION:
        raise ProviderError(f"it speaks version {shown(str(version))} of the protocol, and this is version {VERSION}")
    return True


def read_answer(text: bytes, number: int, allowed: Sequence[str]) -> str | None:
    """The move in a line; None where the line is no answer to this question, and the next one may be.

    `Illegal` where it is a wrong one, `ProviderError` where the engine says that it cannot.
    """
    heard = _object(text)
    _raise_error(heard)
    if heard.get("type") != "answer":
        return None
    said_id, move = heard.get("id"), heard.get("move")
    if said_id is None:
        raise Illegal(_text(text), f"an answer has the id of its question, {number}")
    if said_id != number:
        # It answers an earlier question, which nobody waits for any more.
        return None
    if type(move) is int:
        move = str(move)
    if not isinstance(move, str):
        raise Illegal(_text(text), 'an answer has a "move", which is text')
    if move not in allowed:
        raise Illegal(move, f"{shown(move)} is not an allowed move; allowed is {in_short(allowed)}")
    return move


def _object(text: bytes) -> dict[str, Any]:
    try:
        heard = json.loads(text)
    except (ValueError, RecursionError):
        heard = None
    if not isinstance(heard, dict):
        raise Illegal(_text(text), f"{shown(_text(text))} is no JSON object")
    return heard


def _raise_error(heard: Mapping[str, Any]) -> None:
    if heard.get("error"):
        raise ProviderError(f"it reports an error: {shown(str(heard['error']), 200)}")


def _text(text: bytes) -> str:
    return text.decode(errors="replace").strip()[:1000]
