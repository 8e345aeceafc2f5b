"""What a store of matches can do. `sqlite.py` and `postgres.py` are the two stores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from numberquest.sentences import Said
from numberquest.server.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from numberquest.server.clock import Lived
    from numberquest.server.match.entries import Entry, Kept


class StoreError(Refusal):
    """The store cannot do it now: a sentence for people, without addresses, passwords or SQL."""

    def __init__(self, why: str) -> None:
        super().__init__("not-stored", Said("because", {"why": why}))


class Retention(Struct, frozen=True):
    """How long matches stay: so many seconds after they were made, last touched, or over; and how many of the last."""

    unjoined: float = 24 * 3600
    abandoned: float = 30 * 24 * 3600
    finished: float = 365 * 24 * 3600
    most_finished: int = 1_000_000
    """Beyond so many, those that have been over longest go before their time."""
    share: int = 48 * 1024 * 1024
    """Of an owner who has more bytes than that, likewise: so a school need not wait for a year to have room again."""
    at_once: int = 10_000
    """No more than so many are removed in one go; the others stay until the next."""


class Share(Struct, frozen=True):
    """What one owner has in the store."""

    open: int = 0
    """Matches that are not over."""
    bytes: int = 0
    """About so many, for all matches."""


class Totals(Struct, frozen=True):
    """What there is in the store."""

    unfinished: int
    finished: int
    bytes: int
    """As much as is in use on the disk."""


class Figures(Struct):
    """What a store has done since it was opened; it alone changes them."""

    commits: int = 0
    entries: int = 0
    """In all commits together."""
    seconds: float = 0.0
    """How long the commits took together."""


class Store(Protocol):
    """Keeps matches. What `create` and `append` have answered survives a kill and a power cut."""

    @property
    def secret(self) -> bytes:
        """32 random bytes, made with the database and the same for every process that uses it."""

    @property
    def lived(self) -> Lived:
        """How far its own time had come when it was opened, or when `live` was asked last."""

    @property
    def figures(self) -> Figures:
        """What it has done so far."""

    @property
    def hears(self) -> bool:
        """Whether it would hear now of what other processes change; where not, only reading anew shows it."""

    async def ready(self) -> None:
        """A `StoreError` where nothing could be written now. Asked often, it looks at most once a second."""

    async def create(self, kept: Kept) -> bool:
        """Keep a new match; False where one of that name is there already (and nothing is changed)."""

    async def append(self, match: str, entry: Entry, over: bool) -> bool:
        """Write an entry down; False where its ply is taken or not the next one. `over`: the game ends with it."""

    async def load(self, match: str) -> tuple[Kept, list[Entry]] | None:
        """A match with its whole log, or None."""

    async def count_answer(self, day: str, step: int, right: bool) -> None:
        """Count an answer to a step of that day's puzzle. Of other days nothing is kept."""

    async def answers(self, day: str) -> dict[int, tuple[int, int]]:
        """How many answers each step of that day has had, and how many of them were right."""

    async def totals(self) -> Totals:
        """How much there is."""

    async def shares(self) -> dict[str, Share]:
        """How much each owner has who is known and has anything."""

    async def live(self, lived: Lived) -> Lived:
        """Note how far its own time has come, unless it is known to have come further; returns what it knows then."""

    async def prune(self, retention: Retention, now: float) -> list[str]:
        """Remove what has been there long enough by the store's own time, in small steps; returns their names."""

    def everything(self, unreadable: Callable[[str], object] | None = None) -> AsyncIterator[tuple[Kept, list[Entry]]]:
        """Every match with its log, oldest first.

        Where single ones cannot be read, `unreadable` is told their names; without it, and where nothing can be read
        any more, that is a `StoreError`.
        """

    def on_change(self, told: Callable[[str], None]) -> None:
        """Have this called, in the event loop, with the name of a match that another process has changed.

        An empty name: word from the others is lost, or was for a while, and any match may have changed.
        """

    def pass_on(self, match: str, word: str) -> None:
        """Say something about a match to the other processes, soon. It is not kept: who does not listen misses it."""

    def on_word(self, told: Callable[[str, str], None]) -> None:
        """Have this called, in the event loop, with a match and what another process says about it."""

    async def close(self) -> None:
        """Write down what waits, and let go."""
