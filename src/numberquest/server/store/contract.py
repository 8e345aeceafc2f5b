"""What is kept of a match, and what a store of matches can do. `sqlite.py` and `postgres.py` are the two stores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable


class StoreError(Exception):
    """The store cannot do it now: a sentence for people, without addresses, passwords or SQL."""


class Kept(Struct, frozen=True):
    """A match as it was made. It never changes: whatever happens later is an entry in its log."""

    match: str
    game: str
    settings: str
    """As typed: `target=50 high=9 copies=2 ops=+-*/`."""
    seed: str
    """The sealed seed; empty where nothing is hidden, or the deal is in `start`."""
    start: str
    """The record that the match goes on from; empty for a new game."""
    opponent: str
    """friend, screen, or a computer player."""
    names: tuple[str, str]
    kinds: tuple[str, str]
    tokens: tuple[bytes, bytes]
    """For each seat the SHA-256 of its token; empty where nobody sits yet, or the computer does."""
    invite: bytes
    """The SHA-256 of the invitation; empty where there is none."""
    round: int
    rounds: int
    points: tuple[int, int]
    """How many rounds this match's Player 1 and 2 have won before this one."""
    created: float
    """Seconds since 1970."""
    owner: str = ""
    """A keyed hash of the address that made it, which tells nothing about it; empty where nobody has noted one."""


class Entry(Struct, frozen=True):
    """One thing that happened in a match."""

    ply: int
    """Its place in the log, from 0; no two entries of a match have the same."""
    seat: int
    """Whose deed it is: 0 or 1."""
    text: str
    """A move as the game writes it, or a deed that begins with `!`: see live.py."""
    key: str
    """What the request was called by whoever asked; may be empty."""
    at: float


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
