"""How a puzzle, or a question of an exam, came about: who began, the game so far, and what nobody has seen yet."""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

from numberquest.contract import CHANCE, Game, player_name


class Asked(Protocol):
    """A puzzle or a question."""

    @property
    def game(self) -> Game[Any]:
        """With the rules that hold."""

    @property
    def history(self) -> tuple[str, ...]:
        """The moves and reveals that led there."""


def story(puzzle: Asked) -> list[str]:
    """A sentence about the game so far, and one about what is hidden where something is."""
    told = f"The game so far, {player_name(_first(puzzle))} first: {_so_far(puzzle)}"
    lines = [told if puzzle.history else "The game is about to begin."]
    if puzzle.game.chance == "deck":
        lines.append(f"Numbers that nobody has seen yet: {_unseen(puzzle)}")
    return lines


def _first(puzzle: Asked) -> int:
    """Who made the first move, or is about to."""
    game = puzzle.game
    p = game.start()
    for entry in puzzle.history:
        if game.player(p) != CHANCE:
            break
        p = game.play(p, entry)
    return game.player(p)


def _so_far(puzzle: Asked) -> str:
    """The moves with what they revealed; where the game opens with a draw, it stands before its move."""
    game = puzzle.game
    p = game.start()
    draws_first = game.player(p) == CHANCE
    groups: list[str] = []
    for entry in puzzle.history:
        revealed = game.player(p) == CHANCE
        text = f"({entry})" if revealed else entry
        if revealed == draws_first or not groups:
            groups.append(text)
        else:
            groups[-1] += f" {text}"
        p = game.play(p, entry)
    return "; ".join(groups)


def _unseen(puzzle: Asked) -> str:
    game = puzzle.game
    p, unseen = game.start(), Counter(game.deck)
    for entry in puzzle.history:
        if game.player(p) == CHANCE:
            unseen[int(entry)] -= 1
        p = game.play(p, entry)
    return " ".join(map(str, sorted(unseen.elements())))
