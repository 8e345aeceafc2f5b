"""What is kept of a match: how it was made, and everything that happened in it, one entry after the other.

An entry is a move as the game writes it, or an action. Reveals are not among them: they follow from the seed, which
only the dealer has.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

FRIEND: Final = "friend"
SCREEN: Final = "screen"

JOIN: Final = "join"
"""Somebody took the free seat."""
RESIGN: Final = "resign"
TAKE_BACK: Final = "take-back"
"""At once where no other person is asked; otherwise the question."""
AGREE: Final = "agree"
REFUSE: Final = "refuse"
REMATCH: Final = "rematch"
HINT: Final = "hint"
"""This seat was given a hint."""
WITHDRAW: Final = "withdraw"
"""Whoever made the match takes the invitation back, before anybody has come."""
END: Final = "end"
"""Whoever waits for a friend who stays away ends the match without a result."""
SEAT: Final = "seat"
"""Of a class: another device has the seat from now on, or its player is called something else."""
STOP: Final = "stop"
"""Of a class: the match ends without a result."""
PATIENCE: Final = 900.0
"""So many seconds a friend has for a move before the other may do that."""
AHEAD: Final = "ahead"
"""What the computer calls a move for which it looked ahead, because the rules were too large to be worked out."""


class MatchHeader(Struct, frozen=True):
    """A match as it was made. It never changes: whatever happens later is an entry in its log."""

    match: str
    game: str
    settings: str
    """As typed: `target=50 high=9 copies=2 ops=+-*/`."""
    seed: str
    """The sealed seed; empty where nothing is hidden, or the deal is in `start`."""
    start: str
    """The record that the match goes on from, or that holds its known deal; empty for a new game."""
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
    """Seconds, by the store's own time: see `clock.py`."""
    owner: str = ""
    """Keyed hashes of the address that made it (`Tokens.owner`), which tell nothing about it; empty: none was noted."""
    date: str = ""
    """The day (UTC) on which it was made, as the clock had it, for its record."""
    marks: bool = True
    """Whether the board says of each move what it comes to, and whether it wins."""
    classroom: str = ""
    """The class that put its players at this table; empty where nobody did."""


class Entry(Struct, frozen=True, gc=False):
    """One thing that happened in a match: a `Move` or a `Action`."""

    ply: int
    """Its place in the log, from 0; no two entries of a match have the same."""
    seat: int
    """Whose it is: 0 or 1."""
    key: str
    """What the request was called by whoever asked; may be empty."""
    at: float

    def repeats(self, other: Entry) -> bool:
        """Whether this is the same request as that one, whenever it came; of who joins, by whatever name."""
        if isinstance(self, Action) and isinstance(other, Action):
            other = replace(other, name=self.name)
        return self == replace(other, at=self.at)


class Move(Entry, frozen=True, gc=False):
    """A move, as the game writes it."""

    move: str


class Action(Entry, frozen=True, gc=False):
    """Anything else that somebody does."""

    do: str
    """join, resign, take-back, agree, refuse, rematch, hint, withdraw or end; of a class: seat or stop."""
    token: bytes = b""
    """Of somebody who joins, or is seated anew: the SHA-256 of the seat's token."""
    name: str = ""
    """Of the same: what they are called."""
