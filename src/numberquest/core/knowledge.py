"""What somebody knows of a game with secrets: all that they have seen and done so far, in order.

Knowledge is a tuple: first who knows it, then positions as they were seen, and each move of one's own with what was
seen after it. The last one is what is seen now. What looks the same as before adds nothing: it does not tell how often
something happened out of sight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from numberquest.core.contract import Game
from numberquest.core.view import fields_of

if TYPE_CHECKING:
    from random import Random

Knowledge: TypeAlias = tuple[Any, ...]

STEP: Final = " > "
"""Stands between what is known, where it is written down."""


def learned(known: Knowledge, done: str | None, seen: Any) -> Knowledge:
    """What is known after a move: one's own (`done`), or whatever else happened (None)."""
    if done is not None:
        return (*known, done, seen)
    return known if known[-1] == seen else (*known, seen)


def learned_by_both(
    game: Game[Any], known: Sequence[Knowledge], mover: int, move: str, after: Any
) -> tuple[Knowledge, Knowledge]:
    """What each player knows after a move or reveal that has led to this position."""
    one, two = (
        learned(before, move if mover == who else None, game.sees(after, who)) for who, before in enumerate(known)
    )
    return one, two


def knowledge(game: Game[Any], steps: Iterable[tuple[Any, str]], last: Any, who: int | None) -> Any:
    """What `who` knows after these positions, each with the move or reveal made there, and a last one.

    `who` is 0 or 1, or None: somebody who watches. Without secrets that is the last position itself.
    """
    if not game.has_secrets:
        return last
    known: Knowledge = (who,)
    done = None
    for p, move in steps:
        known = learned(known, done, game.sees(p, who))
        done = move if who is not None and game.player(p) == who else None
    return learned(known, done, game.sees(last, who))


def in_text(known: Knowledge) -> str:
    """Knowledge as one line: the first position with all its fields, then moves of one's own, and what has changed."""
    parts: list[str] = []
    before: dict[str, Any] = {}
    for step in known[1:]:
        if isinstance(step, str):
            parts.append(f"'{step}'")
            continue
        fields = fields_of(step)
        parts.append(" ".join(f"{name}={_short(value)}" for name, value in fields.items() if before.get(name) != value))
        before = fields
    return STEP.join(part for part in parts if part)


def _short(value: Any) -> str:
    return repr(value).replace(" ", "")


def worlds(game: Game[Any], steps: list[tuple[Any, str]], p: Any, who: int, random: Random, most: int) -> Iterator[Any]:
    """Positions that could as well be there for all that `who` has seen and done, in any order; at most so many looks.

    `steps` are the positions before, each with what was played there.
    """
    seen = [game.sees(each, who) for each, _ in steps] + [game.sees(p, who)]
    own = [move if game.player(each) == who else None for each, move in steps]
    waiting = [(0, game.start())]
    looks = 0
    while waiting and looks < most:
        at, here = waiting.pop()
        looks += 1
        if game.sees(here, who) != seen[at]:
            continue
        if at == len(steps):
            yield here
            continue
        moves = game.moves(here)
        if (game.player(here) == who) != (own[at] is not None):
            continue
        follow = [move for move in moves if own[at] in (None, move)]
        random.shuffle(follow)
        waiting += [(at + 1, game.play(here, move)) for move in follow]
