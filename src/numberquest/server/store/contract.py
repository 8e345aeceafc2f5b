"""What a store of matches can do. `sqlite.py` and `postgres.py` are the two stores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from numberquest.sentences import Said
from numberquest.server.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from numberquest.server.match.entries import Entry, Kept


class StoreError(Refusal):
    """The store cannot do it now: a sentence for people, without addresses, passwords or SQL."""

    def __init__(self, why: str) -> None:
        super().__init__("not-stored", Said("because", {"why": why}))


class Rules(Struct, frozen=True):
    """When a match is removed: so many seconds after it was made, last touched, or over."""

    unjoined: float = 24 * 3600
    abandoned: float = 30 * 24 * 3600
    finished: float = 365 * 24 * 3600


class Store(Protocol):
    """Keeps matches. What `create` and `append` have answered survives a kill and a power cut."""

    @property
    def secret(self) -> bytes:
        """32 random bytes, made with the database and the same for every process that uses it."""

    async def create(self, kept: Kept) -> bool:
        """Keep a new match; False where one of that name is there already (and nothing is changed)."""

    async def append(self, match: str, entry: Entry, over: bool) -> bool:
        """Write an entry down; False where its ply is taken or not the next one. `over`: the game ends with it."""

    async def load(self, match: str) -> tuple[Kept, list[Entry]] | None:
        """A match with its whole log, or None."""

    async def unfinished(self) -> int:
        """How many matches are not over."""

    async def ready(self) -> None:
        """Return if matches can be kept now; `StoreError` otherwise."""

    async def prune(self, rules: Rules, now: float) -> list[str]:
        """Remove what the rules say, and return the names of the matches removed."""

    def everything(self) -> AsyncIterator[tuple[Kept, list[Entry]]]:
        """Every match with its log, oldest first."""

    def on_change(self, told: Callable[[str], None]) -> None:
        """Have this called, in the event loop, with the name of a match that another process has changed.

        An empty name: word from the others was lost for a while, and any match may have changed.
        """

    async def close(self) -> None:
        """Write down what waits, and let go."""
