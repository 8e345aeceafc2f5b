"""`verify FILE …`: whether records keep the rules, and whether their deals are the sealed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.terminal.arguments import read_each

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numberquest.record import Record


def verify(paths: Sequence[str]) -> int:
    """Say of each record what is true of it."""
    for path, record in read_each(paths):
        for line in _found(path, record):
            print(line)
    return 0


def _found(path: str, record: Record) -> Iterator[str]:
    match, dealer = record.match, record.match.dealer
    yield f"{path}: a game of {match.game.slug} that keeps the rules."
    given = record.given
    if given is not None:
        moves = "1 move" if given == 1 else f"{given} moves"
        yield f"This was practice: it began after {moves}, at a position that somebody chose."
    elif record.practice:
        yield "This was practice: it was taken up from a record, at a position that somebody chose."
    if record.practice and match.game.chance:
        # A seal says that the deal was settled beforehand; here somebody may have had the seed before it was sealed.
        yield "The deal was known beforehand to whoever chose it: what is sealed in it proves nothing."
    elif dealer.commitment is not None:
        yield f"The deal is the one that was sealed: SHA-256 of the seed {dealer.seed} is {dealer.commitment}."
    elif dealer.given:
        yield "The hidden numbers were written down, not sealed beforehand."
    elif match.game.chance:
        yield f"The deal follows from the seed {dealer.seed}, which was not sealed beforehand."
    else:
        yield "Nothing is hidden in this game."
