"""`numberquest`, but with a store that says yes first and writes a little later: what the tests must catch."""

import asyncio
import sys
from collections.abc import Sequence

from numberquest.cli import main
from numberquest.server.store.base import Order, settle
from numberquest.server.store.sqlite import SqliteStore

LATER = 0.1
"""Seconds between the word and the deed."""

_in_time = SqliteStore._answers


async def _too_early(self: SqliteStore, batch: list[Order]) -> Sequence[bool | Exception]:
    settle(batch, [True for _ in batch])
    await asyncio.sleep(LATER)
    return await _in_time(self, batch)


if __name__ == "__main__":
    SqliteStore._answers = _too_early  # type: ignore[method-assign]
    sys.exit(main())
