"""A program that writes into a SQLite store as fast as it can, and says what was acknowledged, until it is killed.

    python store_under_load.py FILE HOW

HOW is FULL, as the server does it; or a way that is wrong: NORMAL and OFF (SQLite does not wait for the disk), and
`early` (acknowledged before the commit).
"""

import asyncio
import os
import sys
from collections.abc import Sequence

from numberquest.server.match.entries import MatchHeader, Move
from numberquest.server.store.base import Order, settle
from numberquest.server.store.sqlite import SqliteStore

PLAYERS = 20


class Early(SqliteStore):
    """Says yes, and writes then."""

    async def _answers(self, batch: list[Order]) -> Sequence[bool | Exception]:
        settle(batch, [True for _ in batch])
        return await super()._answers(batch)


async def main(path: str, how: str) -> None:
    """Never returns."""
    store = await (Early.open(path) if how == "early" else SqliteStore.open(path, synchronous=how))
    # Often, so that a kill hits that too.
    store._writing.execute("PRAGMA wal_autocheckpoint = 60")

    async def play(player: int) -> None:
        number = 0
        while True:
            name = f"player{player}-match{number}"
            number += 1
            kept = MatchHeader(name, "fifty", "", "", "", "screen", ("Ann", "Ben"), ("human", "human"), (b"", b""), b"",
                        1, 1, (0, 0), 0.0)  # fmt: skip
            assert await store.create(kept)
            os.write(1, f"{name} -1\n".encode())
            for ply in range(30):
                assert await store.append(name, Move(ply, ply % 2, "", 0.0, f"{name} {ply}"), over=ply == 29)
                os.write(1, f"{name} {ply}\n".encode())

    await asyncio.gather(*map(play, range(PLAYERS)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
