"""The laws of games with secrets: what is seen of a position, and that nothing hidden shows in what happens."""

from collections.abc import Iterator
from typing import Any, Final

from numberquest.core.contract import CHANCE
from numberquest.core.knowledge import worlds
from numberquest.core.sentences import NAMES
from numberquest.core.settings import quoted
from numberquest.core.walk import Broken, Walk

SEATS: Final = (0, 1, None)
WORLDS_OF: Final = 4
"""At so many decisions of a game one looks what else could be there for all that a player knows,"""
MOST_WORLDS: Final = 300
"""and looks at so many positions for it."""


def seen(walk: Walk) -> None:
    """What is seen is a position again, and looks the same to whoever has seen it."""
    game = walk.game
    for p in walk:
        for who in SEATS:
            seen = game.sees(p, who)
            if type(seen) is not type(p):
                raise Broken(f"sees gives {quoted(seen)} and no {type(p).__name__}")
            hash(seen)
            if game.sees(seen, who) != seen:
                raise Broken(f"what {_who(who)} sees is not the same when it is seen again")


def watched(walk: Walk) -> None:
    """Whatever a player sees, who watches sees the same of it."""
    game = walk.game
    for p in walk:
        for who in (0, 1):
            if game.sees(game.sees(p, who), None) != game.sees(p, None):
                raise Broken(f"who watches sees something that {_who(who)} does not")


def known(walk: Walk) -> None:
    """Whatever is secret is made otherwise, as far as the one to move cannot tell the difference."""
    game = walk.game
    for p, who, other in _other_worlds(walk):
        if game.player(other) != who:
            raise Broken(f"{_who(who)} is to move here or not, depending on what is secret to them")
        if bool(game.moves(other)) != bool(game.moves(p)):
            raise Broken(f"whether the game is over depends on what is secret to {_who(who)}, who is to move")


def allowed(walk: Walk) -> None:
    """And then the same moves are allowed."""
    game = walk.game
    for p, who, other in _other_worlds(walk):
        here, there = game.moves(p), game.moves(other)
        if game.player(other) == who and here != there:
            odd = next(iter([move for move in (*here, *there) if (move in here) != (move in there)]), here[0])
            raise Broken(f"whether {quoted(odd)} is allowed depends on what is secret to {_who(who)}")


def _other_worlds(walk: Walk) -> Iterator[tuple[Any, int, Any]]:
    """Decisions of a walk, the player who is to move there, and a position that is the same for all that they know."""
    game, steps = walk.game, list(walk.steps())
    decisions = [at for at, (p, _) in enumerate(steps) if game.player(p) != CHANCE]
    for at in walk.random.sample(decisions, min(len(decisions), WORLDS_OF)):
        walk.at = at
        p, _ = steps[at]
        who = game.player(p)
        for other in worlds(game, steps[:at], p, who, walk.random, MOST_WORLDS):
            yield p, who, other


def _who(who: int | None) -> str:
    return "who watches" if who is None else NAMES[who]
