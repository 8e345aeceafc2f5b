"""A match as one row of a table: the same columns in both stores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from numberquest.server.store.contract import Kept

if TYPE_CHECKING:
    from collections.abc import Sequence

COLUMNS: Final = (
    "match, game, settings, seed, start, opponent, name1, name2, kind1, kind2, token1, token2, invite,"
    " round, rounds, points1, points2, created"
)
HOW_MANY: Final = COLUMNS.count(",") + 1

ROW_BYTES: Final = 400
"""What a match takes on the disk, about, besides the record that it goes on from."""
ENTRY_BYTES: Final = 100
"""What an entry takes, about: with a long key and a name it may be twice as much."""


def size_of(kept: Kept) -> int:
    """About so many bytes are taken by a new match."""
    return ROW_BYTES + len(kept.start)


def row_of(kept: Kept) -> tuple[Any, ...]:
    """The values of `COLUMNS`."""
    return (
        *(kept.match, kept.game, kept.settings, kept.seed, kept.start, kept.opponent),
        *(*kept.names, *kept.kinds, *kept.tokens, kept.invite),
        *(kept.round, kept.rounds, *kept.points, kept.created),
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
    )
