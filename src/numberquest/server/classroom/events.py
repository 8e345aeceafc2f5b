"""What is kept of a class: how it was opened, and everything that happened in it, one event after the other.

The games themselves are matches like any others, and are kept as such; here stands who was put at which table, and what
came of it.
"""

from typing import Final

from msgspec import Struct

COMPUTER: Final = 0
"""Stands where a pupil's number would, at a table with the computer."""


class ClassHeader(Struct, frozen=True, kw_only=True):
    """A class as it was opened: as `NewClass` wishes, and what was made of it."""

    classroom: str
    code: str
    game: str
    settings: str
    """As typed: `target=50 high=9`."""
    way: str
    minutes: int
    rounds: int
    level: str
    marks: bool
    hints: bool
    names: str
    roster: int
    ranking: str
    pupils: int
    per_device: int
    per_address: int
    teacher: bytes
    """The SHA-256 of the teacher's token."""
    created: float
    """Seconds, by the store's own time."""
    owner: str
    date: str


class Event(Struct, frozen=True, kw_only=True, tag_field="what", tag=str.lower):
    """One thing that happened."""

    number: int = 0
    """Its place in the log, from 0; no two events of a class have the same."""
    at: float = 0.0


class Joined(Event, frozen=True):
    """Somebody came in. Pupils are counted from 1, in this order."""

    name: str
    device: str
    """A keyed hash of what their device is known by."""
    place: str
    """A keyed hash of the address that they came from."""


JOINED: Final = b'"what":"joined"'
"""What stands in the log of a class that has, or had, a pupil: the tag of `Joined`."""


class Knocked(Event, frozen=True):
    """Another device asks for the seat of a pupil."""

    pupil: int
    device: str


class Reseated(Event, frozen=True):
    """The seat is given to the device that asks for it."""

    pupil: int


class TurnedAway(Event, frozen=True):
    """The device that asks for a seat does not get it."""

    pupil: int


class Renamed(Event, frozen=True):
    """A pupil is called something else."""

    pupil: int
    name: str


class Removed(Event, frozen=True):
    """A pupil was sent out."""

    pupil: int


class Hand(Event, frozen=True):
    """A hand went up or down."""

    pupil: int
    up: bool


class Seating(Struct, frozen=True):
    """A game at a table."""

    table: int
    match: str
    pupils: tuple[int, int]
    """Player 1 and 2; `COMPUTER` for the computer."""
    seed: str
    """What the deal of its match follows from; empty where nothing is dealt."""


class Paired(Event, frozen=True):
    """Pupils were put at tables. The first time the class begins with it."""

    round: int
    tables: tuple[Seating, ...]
    key: str = ""


class Result(Event, frozen=True):
    """A game is over."""

    match: str
    winner: int | None
    """0 or 1; None where nobody won."""
    counts: bool
    """Whether it has a result at all; a game that somebody left has none."""
    points: tuple[int, int]
    """In halves of a point: also where nobody played, for whoever was there."""


class Paused(Event, frozen=True):
    """Everything stands still, or goes on."""

    on: bool


class Locked(Event, frozen=True):
    """Nobody new may come in, or they may again."""

    on: bool


class MoreTime(Event, frozen=True):
    """The time is longer by so many minutes."""

    minutes: int
    key: str = ""


class Asked(Event, frozen=True):
    """A question was put to all: what to play after these moves and reveals, or, without a game, a guess."""

    options: tuple[str, ...]
    game: str = ""
    settings: str = ""
    after: tuple[str, ...] = ()
    said: bytes = b"[]"
    """What is to be found, of a puzzle: as JSON."""
    key: str = ""


class Answered(Event, frozen=True):
    """A pupil has answered the question, perhaps anew."""

    pupil: int
    question: int
    answer: str


class Uncovered(Event, frozen=True):
    """The answers to the question were shown, and what is true."""

    right: tuple[str, ...]
    values: dict[str, float]
    """What each answer is worth; empty where nobody knows, or of a guess."""
    exact: float | None
    why: bytes
    """What is told of it, as JSON."""


class Closed(Event, frozen=True):
    """The question is done with."""


class Ended(Event, frozen=True):
    """Nobody plays any more."""


AnyEvent = (
    Joined
    | Knocked
    | Reseated
    | TurnedAway
    | Renamed
    | Removed
    | Hand
    | Paired
    | Result
    | Paused
    | Locked
    | MoreTime
    | Asked
    | Answered
    | Uncovered
    | Closed
    | Ended
)
