"""A game learnt by playing it: a few steps, each a position, what is said about it, and the moves that lead on.

A game that wants to tell it in its own words has a `lesson.py` beside its rules, with `STEPS`; for all others the
steps are found by playing.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, Final, Literal, NamedTuple

from numberquest.core.contract import CHANCE, Game, Outcome
from numberquest.core.play_out import PlayedOut, play_out
from numberquest.core.registry import part
from numberquest.core.sentences import Said

GAMES: Final = 300
POSITIONS: Final = 3000
"""So many are looked through for a position that shows something, always the same ones."""
LONGEST: Final = 200
"""A game that need not end is played so far."""
MOST: Final = 12
"""Of more moves than this, the first ones do to try."""

Wanted = Literal["wins", "safe"]
"""A move that wins at once, or one that does not lose at once."""


class Step(NamedTuple):
    """One step: what is said, after which moves and reveals, and what is to be done there."""

    words: str | Said
    after: tuple[str, ...] = ()
    right: tuple[str, ...] | Wanted = ()
    """The moves that lead on; only these can be made. Or which kind of move is to be found among all; none: look."""
    shows: tuple[str, ...] = ()
    """What comes up after it."""
    then: str | Said = Said("lesson-right")
    """What is said when it is made."""


def lesson(game: Game[Any]) -> tuple[Step, ...]:
    """The steps in which somebody learns the game."""
    own = part(type(game), "lesson")
    steps: tuple[Step, ...] = own.STEPS if own is not None and game.is_classic else _found(game)
    return steps


def offered(game: Game[Any], p: Any, step: Step) -> tuple[str, ...]:
    """The moves that can be tried in a step."""
    return game.moves(p) if isinstance(step.right, str) else step.right


def right(game: Game[Any], p: Any, step: Step) -> tuple[str, ...]:
    """Those of them that lead on."""
    return _fitting(game, p, step.right) if isinstance(step.right, str) else step.right


def lost_by(game: Game[Any], p: Any, move: str) -> Outcome | None:
    """How a move that does not lead on loses at once; None where it does not."""
    outcome = game.outcome(game.play(p, move))
    return None if outcome is None or outcome.winner in (game.player(p), None) else outcome


def _fitting(game: Game[Any], p: Any, wanted: Wanted) -> tuple[str, ...]:
    """The moves that win at once, or those that do not lose at once."""
    me = game.player(p)
    ends = {move: game.outcome(game.play(p, move)) for move in game.moves(p)}
    if wanted == "wins":
        return tuple(move for move, end in ends.items() if end is not None and end.winner == me)
    return tuple(move for move, end in ends.items() if end is None or end.winner in (me, None))


def _found(game: Game[Any]) -> tuple[Step, ...]:
    """A lesson for a game that has none of its own."""
    (first, start), *more = _decisions(game, next(_games(game)))
    steps = [_try(game, first, start, Said("lesson-first", {"goal": game.summary}))]
    me, before = game.player(start), CHANCE
    for after, p in more:
        mover = game.player(p)
        if mover == me and before not in (me, CHANCE):
            steps.append(_try(game, after, p, Said("lesson-again")))
            break
        before = mover
    kinds: tuple[Wanted, ...] = ("wins", "safe")
    # In a game with secrets nobody sees what wins at once.
    for kind in () if game.has_secrets else kinds:
        shown = _showing(game, kind)
        if shown is not None:
            steps.append(Step(Said(f"lesson-{kind}"), shown, kind))
    return (*steps, Step(Said("lesson-rules", {"rules": game.rules})))


def _try(game: Game[Any], after: tuple[str, ...], p: Any, words: Said) -> Step:
    """A position in which any move will do; what chance does after it is the same for all, so it is left out."""
    return Step(words, after, game.moves(p)[:MOST], then=Said("lesson-made"))


def _showing(game: Game[Any], kind: Wanted) -> tuple[str, ...] | None:
    """How a game came to where some moves, but not most, win at once, or some, but not all, lose at once."""
    looked = 0
    for played in _games(game):
        for after, p in _decisions(game, played):
            moves, fitting = game.moves(p), _fitting(game, p, kind)
            if 0 < len(fitting) < len(moves) and (kind == "safe" or 2 * len(fitting) <= len(moves)):
                return after
        looked += len(played.history)
        if looked > POSITIONS:
            break
    return None


def _decisions(game: Game[Any], played: PlayedOut) -> list[tuple[tuple[str, ...], Any]]:
    """The beginnings of a game after which somebody has to decide, and where they lead."""
    places = enumerate(played.positions[:-1])
    return [(played.history[:at], p) for at, p in places if game.player(p) != CHANCE]


def _games(game: Game[Any]) -> Iterator[PlayedOut]:
    """Some games, played anyhow, that avoid what loses at once."""
    dice = Random("lesson")  # noqa: S311  # the same games every time
    for _ in range(GAMES):
        yield play_out(
            game,
            lambda p, *_: dice.choice(_fitting(game, p, "safe") or game.moves(p)),
            lambda p, _: dice.choices(game.moves(p), game.weights(p))[0],
            min(game.bound, LONGEST),
        )
