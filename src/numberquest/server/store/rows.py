"""A match as one row of a table, and an entry of its log as one of another: the same columns in both stores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from numberquest.server.match.entries import JOIN, Deed, Entry, Kept, Move
from numberquest.server.store.contract import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

COLUMNS: Final = (
    "match, game, settings, seed, start, opponent, name1, name2, kind1, kind2, token1, token2, invite,"
    " round, rounds, points1, points2, created, owner, date, marks"
)
HOW_MANY: Final = COLUMNS.count(",") + 1

ROW_BYTES: Final = 400
"""What a match takes on the disk, about, besides the record that it goes on from."""
ENTRY_BYTES: Final = 100
"""What an entry takes, about: with a long key and a name it may be twice as much."""


def size_of(kept: Kept) -> int:
    """About so many bytes are taken by a new match."""
    return ROW_BYTES + len(kept.start)


def check_texts(texts: Iterable[Any]) -> None:
    """Refuse what PostgreSQL cannot keep, and SQLite not surely: a NUL, and half a character.

    Asked by both stores before they write, so that what is refused by one is refused by the other.
    """
    for text in texts:
        if isinstance(text, str) and ("\0" in text or not (text.isascii() or _is_whole(text))):
            raise StoreError("There are characters in it that cannot be kept: it was not written down.")


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def row_of(kept: Kept) -> tuple[Any, ...]:
    """The values of `COLUMNS`."""
    return (
        *(kept.match, kept.game, kept.settings, kept.seed, kept.start, kept.opponent),
        *(*kept.names, *kept.kinds, *kept.tokens, kept.invite),
        *(kept.round, kept.rounds, *kept.points, kept.created, kept.owner, kept.date, int(kept.marks)),
    )


def kept_of(row: Sequence[Any]) -> Kept:
    """The match that is in such a row."""
    return Kept(
        match=row[0],
        game=row[1],
        settings=row[2],
        seed=row[3],
        start=row[4],
        opponent=row[5],
        names=(row[6], row[7]),
        kinds=(row[8], row[9]),
        tokens=(row[10], row[11]),
        invite=row[12],
        round=row[13],
        rounds=row[14],
        points=(row[15], row[16]),
        created=row[17],
        owner=row[18],
        date=row[19],
        marks=bool(row[20]),
    )


def written(entry: Entry) -> tuple[str, str]:
    """What happened, as it is written down: the deed, empty for a move; and the move, or who has joined."""
    if type(entry) is Move:
        return "", entry.move
    if not isinstance(entry, Deed):
        raise TypeError("an entry is a move or a deed")
    return entry.do, f"{entry.token.hex()} {entry.name}" if entry.do == JOIN else ""


def entry_of(ply: int, seat: int, deed: str, text: str, key: str, at: float) -> Entry:
    """The entry that was written down so."""
    if not deed:
        return Move(ply, seat, key, at, text)
    token, _, name = text.partition(" ")
    try:
        return Deed(ply, seat, key, at, deed, bytes.fromhex(token), name)
    except ValueError:
        # Nobody of us has written that: a deed that no match allows.
        return Deed(ply, seat, key, at, f"{deed} {text}")
