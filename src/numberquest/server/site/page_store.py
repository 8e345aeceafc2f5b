"""Keeps matches in the browser: the same rows as on a server, in a database of the page (database.js)."""

import json
import time
from typing import Any

import msgspec

from numberquest.server.clock import Lived
from numberquest.server.match.entries import Entry, MatchHeader
from numberquest.server.store.base import Logged, Store, StoreError, check_texts, entry_of, row_of, written

FULL = "The browser has no room for another move: free some in the settings of this page."


class PageStore(Store):
    """Whatever was answered is in the browser's database. Other tabs use it too, and are not heard of."""

    hears = False

    def __init__(self, database: Any, secret: bytes) -> None:
        super().__init__(secret, Lived(time.time(), "", 0.0))
        self._database = database

    async def ready(self) -> None:
        """It is opened before anything is asked."""

    async def create(self, header: MatchHeader) -> bool:
        """In a transaction of its own."""
        check_texts(row_of(header))
        return await self._written(self._database.create, header.match, _json(header))

    async def append(self, match: str, entry: Entry, over: bool, new: MatchHeader | None = None) -> bool:
        """In one transaction with the match that comes of it."""
        deed, text = written(entry)
        check_texts((deed, text, entry.key))
        row = json.dumps([entry.ply, entry.seat, deed, text, entry.key, entry.at])
        further = ("", "") if new is None else (new.match, _json(new))
        return await self._written(self._database.append, match, entry.ply, row, *further)

    async def _written(self, write: Any, *values: Any) -> bool:
        try:
            return bool(await write(*values))
        except Exception as error:  # whatever a browser says: it was not written
            trouble = StoreError(FULL if "Quota" in str(error) else "The browser does not let this page keep anything.")
            self.failed(trouble)
            raise trouble from None

    async def load(self, match: str) -> Logged | None:
        found = await self._database.load(match)
        if found is None:
            return None
        header, *entries = found.to_py()
        return msgspec.json.decode(header, type=MatchHeader), [entry_of(*json.loads(one)) for one in entries]

    async def count_answer(self, day: str, step: int, right: bool) -> None:
        """There is nobody else to compare with: nothing is counted."""

    async def close(self) -> None:
        """Nothing waits."""


def _json(header: MatchHeader) -> str:
    return msgspec.json.encode(header).decode()
