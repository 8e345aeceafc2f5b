"""Which moves and reveals of a game with secrets somebody can tell: those that follow from all they have seen and done.

Nothing is worked out from what is true, only from what was seen: two games that look the same to somebody give the
same answer. All positions are followed that could as well be there; where they are too many, a fair share of them.
"""

from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zlib import crc32

from numberquest.core.contract import CHANCE, Game
from numberquest.core.knowledge import Knowledge, knowledge, learned
from numberquest.core.play_out import positions_of

if TYPE_CHECKING:
    from random import Random

HIDDEN: Final = "?"
"""Stands for a move or a reveal that somebody cannot tell."""
MOST: Final = 300
"""So many positions that could be there are followed."""
STEP: Final = 100
MOST_LOOKS: Final = 20_000
"""In so many positions one that could be there is looked for."""


class _Story(NamedTuple):
    """How a game looks to somebody after some moves and reveals."""

    position: Any
    """As it is, for the next look."""
    could_be: tuple[tuple[Any, tuple[str, ...]], ...]
    """Positions that could be there, each with what would have led to it."""
    told: tuple[str | None, ...]
    """Of each move and reveal what it was, or None."""
    all_are_known: bool
    """Whether none that could be there was left out."""


def known_after(game: Game[Any], history: Sequence[str], who: int | None) -> Any:
    """What `who` knows after these moves and reveals; in a game without secrets the position itself."""
    positions = positions_of(game, history)
    return knowledge(game, zip(positions, history, strict=False), positions[-1], who)


def told_history(game: Game[Any], history: Sequence[str], who: int | None) -> tuple[str | None, ...]:
    """Each move and reveal as `who` can tell it, 0 or 1, or None: somebody who watches. None for what is hidden."""
    if not game.has_secrets:
        return tuple(history)
    # Not all at once: a long game would go too deep.
    for length in range(STEP, len(history), STEP):
        _story(game, tuple(history[:length]), who)
    return _story(game, tuple(history), who).told


def shown_history(game: Game[Any], history: Sequence[str], who: int | None) -> list[str]:
    """The same in words, with a sign for what is hidden."""
    return [HIDDEN if entry is None else entry for entry in told_history(game, history, who)]


def secret_choices(game: Game[Any], history: Sequence[str]) -> list[int]:
    """The places in the history of the moves that the other player could not tell when they were made."""
    found, p = [], game.start()
    for at, entry in enumerate(history if game.has_secrets else ()):
        mover = game.player(p)
        if mover != CHANCE and told_history(game, history[: at + 1], 1 - mover)[at] is None:
            found.append(at)
        p = game.play(p, entry)
    return found


@lru_cache(maxsize=1024)
def _story(game: Game[Any], history: tuple[str, ...], who: int | None) -> _Story:
    if not history:
        start = game.start()
        return _Story(start, ((start, ()),), (), True)
    before, entry = _story(game, history[:-1], who), history[-1]
    after = game.play(before.position, entry)
    seen, own = game.sees(after, who), who is not None and game.player(before.position) == who
    could_be = []
    for p, way in before.could_be:
        if (game.player(p) == who) is own:
            for move in (entry,) if own else game.moves(p):
                then = game.play(p, move)
                if game.sees(then, who) == seen:
                    could_be.append((then, (*way, move)))
    entries = {way[-1] for _, way in could_be}
    told = (*before.told, entry if own or entries == {entry} else None)
    complete = before.all_are_known and len(could_be) <= MOST
    if complete:
        # What was hidden may have been uncovered since.
        columns = zip(told, *(way for _, way in could_be), strict=True)
        told = tuple(one or (column[0] if len(set(column)) == 1 else None) for one, *column in columns)
    else:
        could_be.sort(key=lambda each: crc32(" ".join(each[1]).encode()))
    return _Story(after, tuple(could_be[:MOST]), told, complete)


def seen_by_mover(game: Game[Any], p: Any) -> tuple[Game[Any], Any]:
    """The game and the position as the one to move sees it, for somebody's own player, who asks the game about it."""
    who = game.player(p)
    seen = game.sees(p, who)
    return (game, seen) if seen == p else (knowing(game, seen, who, game.moves(p)), seen)


def knowing(game: Game[Any], seen: Any, who: int, moves: tuple[str, ...]) -> Game[Any]:
    """The same game, which says of this position, where something is left blank, whose turn it is and what is allowed.

    The rules themselves might take what is blank for something that has not happened yet.
    """
    told = copy(game)
    told.__dict__.update(
        moves=lambda p: moves if p == seen else game.moves(p),
        player=lambda p: who if p == seen else game.player(p),
        turn=lambda p: who if p == seen else game.turn(p),
    )
    return told


def could_be_there(game: Game[Any], known: Knowledge, who: int, random: "Random") -> Any | None:
    """A position at which `who` knows just this and has to decide, found at random; None where none is found soon."""
    waiting: list[tuple[Any, Knowledge]] = [(game.start(), (who, game.sees(game.start(), who)))]
    for _ in range(MOST_LOOKS):
        if not waiting:
            break
        p, so_far = waiting.pop()
        mover = game.player(p)
        if so_far == known and mover == who and game.moves(p):
            return p
        follow = list(game.moves(p))
        random.shuffle(follow)
        if mover == CHANCE:
            # Each first as often as its weight says; the last one is followed first.
            weight = dict(zip(game.moves(p), game.weights(p), strict=True))
            follow.sort(key=lambda move: random.random() ** (1 / weight[move]))
        for move in follow:
            then = game.play(p, move)
            knows = learned(so_far, move if mover == who else None, game.sees(then, who))
            if knows == known[: len(knows)]:
                waiting.append((then, knows))
    return None
