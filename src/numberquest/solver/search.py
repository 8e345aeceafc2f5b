"""Every position of a game in an order in which each comes after all that follow it, one by one."""

from collections.abc import Callable, Container, Iterator

from numberquest.core.contract import Game, P
from numberquest.core.progress import silently


class Circular(Exception):
    """A game in which one can come back to where one was."""


def backward(
    game: Game[P], root: P, done: Container[P], met: Callable[[tuple[str, ...]], None] = silently
) -> Iterator[tuple[P, list[P]]]:
    """Every position from the root on that is not done, after all that follow it, and where its moves lead.

    All in canonical form. Whoever asks must put each position among those done before asking for the next.
    `Circular` where there is no such order. `met` is told the moves of every position that is met, and may refuse.
    """
    waiting: list[tuple[P, list[P] | None]] = [(root, None)]
    begun: set[P] = set()
    while waiting:
        p, following = waiting.pop()
        if p in done:
            continue
        if following is None:
            if p in begun:
                raise Circular
            begun.add(p)
            moves = game.moves(p)
            met(moves)
            following = [game.canonical(game.play(p, move)) for move in moves]
            # Comes back here when all that follows it is done: a stack of our own has no recursion limit.
            waiting.append((p, following))
            waiting.extend((after, None) for after in dict.fromkeys(following) if after not in done)
        else:
            begun.discard(p)
            yield p, following
