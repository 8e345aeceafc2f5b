"""Every message of a class, both ways, typed: what a teacher and pupils ask, and what each of them sees.

| request | who | body | answer |
|---|---|---|---|
| `POST /api/classes` | anybody | `NewClass` | `ClassOpened`, 201 |
| `POST /api/classes/join` | anybody with the code | `JoinClass` | `ClassSeated` |
| `GET /api/classes/ID/board` | teacher | | `ClassBoard` |
| `POST /api/classes/ID/board` | teacher | `TeacherAct` | `ClassBoard` |
| `GET /api/classes/ID/seat` | pupil | | `ClassSeat` |
| `POST /api/classes/ID/seat` | pupil | `PupilAct` | `ClassSeat` |
| `GET /api/classes/ID/events` | both | | lines of JSON: `ClassNews`, now and after each change, or `Ping` |
| `GET /api/classes/ID/figures` | teacher | | `ClassFigures` |
| `GET /api/classes/ID/report` | teacher | | `ClassReport` |
| `GET /api/classes/ID/report.csv` | teacher | | text |
| `GET /api/classes/ID/worksheet` | teacher | | HTML |

The token of the teacher, or of a pupil's seat, stands in the header `Authorization: Bearer TOKEN`. The events are the
live connection: read as a stream (`fetch`, then lines); whoever reads them is here, and whoever has read nothing for
some seconds is away. A pupil's end after some seconds and are asked for anew, for a lost phone says no goodbye. A
pupil's game is a match like any other: `match` and `token` of a `ClassSeat` open it at `/ws/MATCH`.
"""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from numberquest.server.wire import (
    Board,
    Chance,
    End,
    MoveText,
    NewSettings,
    OfGame,
    Posed,
    PuzzleId,
    Request,
    Response,
    Said,
    Seat,
    SeatKey,
    Setting,
    Slug,
)

MOST_PUPILS: Final = 60
"""No class has more."""
LARGEST_ASK: Final = 400
"""A position that is put to the class is so many moves and reveals from the start at most."""
LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""What a code is made of: no vowels, so that it spells nothing, and nothing that looks like another of them."""

Way = Literal["arena", "rounds", "computer", "position"]
"""How they meet. arena: whoever is free is paired anew, until the time is up; rounds: winners meet winners, and nobody
twice; computer: everybody against the computer; position: nobody plays, questions are put to all."""
Phase = Literal["lobby", "playing", "between", "over"]
"""lobby: they come in; between: a round is over, and the next has not begun; over: nobody plays any more."""
TeacherDeed = Literal[
    "begin",
    "next",
    "time",
    "pause",
    "resume",
    "lock",
    "unlock",
    "rename",
    "remove",
    "reseat",
    "refuse",
    "lower",
    "ask",
    "uncover",
    "close",
    "end",
    "erase",
]
"""begin: the first games, or with `position` nothing but that the lobby is over; next: the next round; time:
`minutes` more in an arena; reseat: give a seat to the device that asks for it; refuse: do not; lower: take a pupil's
hand down; ask: put a question to all; uncover: show what they answered, and what is true; close: the question is done
with; end: nobody plays any more; erase: all of it is removed, at once."""
PupilDeed = Literal["raise", "lower", "answer"]
"""raise and lower: the hand; answer: the question. The last answer before it is uncovered counts."""
Code = Annotated[str, Meta(extra_json_schema={"minLength": 4, "maxLength": 10})]
"""Four of the letters; capitals and spaces do not matter."""
PupilName = Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": 30, "pattern": r"^[^\u0000]*$"})]
PupilNumber = Annotated[int, Meta(ge=1, le=10000)]
"""A pupil by the order in which they came."""
Minutes = Annotated[int, Meta(ge=1, le=180)]
Names = Literal["typed", "animals", "roster"]
"""animals: each pupil is given the name of an animal, and a typed name is not kept; roster: pupils give their number
in a list that only the teacher's browser has."""


# ---- what is asked


class NewClass(Request):
    """Open a class."""

    game: Slug
    settings: NewSettings = {}
    way: Way = "arena"
    minutes: Minutes = 15
    """Of an arena, and against the computer."""
    rounds: Annotated[int, Meta(ge=1, le=20)] = 5
    level: Annotated[str, Meta(min_length=1, max_length=20)] = "medium"
    """The computer player for the odd one, and for everybody where they play the computer."""
    marks: bool = True
    """Whether boards say of each move what it comes to."""
    hints: bool = False
    """Whether hints and the coach may be asked, against the computer."""
    names: Names = "typed"
    roster: Annotated[int, Meta(ge=0, le=MOST_PUPILS)] = 0
    """How long that list is."""
    ranking: Literal["none", "points", "moments"] = "none"
    """What the teacher wants to see a ranking by: points, or key moments found."""
    pupils: Annotated[int, Meta(ge=1, le=MOST_PUPILS)] = 40
    """So many may come in."""
    per_device: Annotated[int, Meta(ge=1, le=10)] = 1
    """So many names may come in from one device: from one `key`, which a program can choose anew each time."""
    per_address: Annotated[int, Meta(ge=1, le=MOST_PUPILS)] = MOST_PUPILS
    """So many names may come in from one address: at a school all may share one."""
    key: SeatKey | None = None


class JoinClass(Request):
    """Come in, or come back: the same device gives the same `key`, and has its seat again."""

    code: Code
    key: SeatKey
    """What this device is known by; keep it as long as the class goes on."""
    name: PupilName | None = None
    """As typed, or the number in the teacher's list; not needed with animals, or by a device that has its seat."""
    again: bool = False
    """Whether it is somebody who has that seat already and has lost their device: then the teacher is asked."""
    other: bool = False
    """Whether it is another pupil at a device at which somebody has a seat already, and not that one come back."""


class TeacherAct(Request):
    """Something that the teacher does."""

    do: TeacherDeed
    pupil: PupilNumber | None = None
    """Of rename, remove, reseat, refuse and lower."""
    name: PupilName | None = None
    """Of rename."""
    minutes: Minutes | None = None
    """Of time."""
    puzzle: PuzzleId | None = None
    """Of ask: this puzzle."""
    after: Annotated[list[MoveText], Meta(max_length=LARGEST_ASK)] | None = None
    """Of ask: the position of this class's game after these moves and reveals."""
    guess: bool = False
    """Of ask: what is the chance of whoever begins, if both play as well as they can?"""
    key: Annotated[str, Meta(extra_json_schema={"maxLength": 64})] = ""
    """The same request with the same key again does nothing new."""


class PupilAct(Request):
    """Something that a pupil does besides playing."""

    do: PupilDeed
    question: int | None = None
    """Of answer: the number of the question."""
    answer: MoveText | None = None
    """Of answer: one of its `options`."""


# ---- what is seen by both


class Bar(Response):
    """How many gave one answer."""

    answer: str
    count: int
    right: bool
    value: Chance | None = None
    """Of a move: what it is exactly worth; null where nobody knows."""


class ClassQuestion(Response):
    """What is put to all. The teacher and the pupils see the same of it, but for `yours`."""

    number: int
    kind: Literal["move", "guess"]
    """move: what would you play there? guess: the chance of whoever begins, in percent."""
    said: list[Said]
    position: Posed | None
    """Of move."""
    options: list[str]
    """Moves, or percents such as `75`."""
    answered: int
    """How many have."""
    yours: str | None = None
    """What a pupil has answered."""
    uncovered: bool = False
    bars: list[Bar] = []
    """When it is uncovered: how many chose what."""
    exact: Chance | None = None
    """When it is uncovered: the exact chance, of the player to move, or of whoever begins; null where nobody knows."""
    why: list[Said] = []
    """When it is uncovered: why the best answer is best."""


# ---- what the teacher sees


class Pupil(Response):
    """Somebody in the class."""

    number: int
    name: str
    here: bool
    """Whether their device is reading."""
    hand: bool
    knocks: bool
    """Whether another device asks for this seat: `reseat` gives it to that one."""
    device_number: int | None
    """Three digits that stand on that device too. Of two devices that ask, the first stays until it is answered."""
    table: int | None
    """Where they play now, as `ClassTable.number`."""
    played: int
    """Games that are over, with a result."""
    points: float
    """A win is a point, a draw half of one; against the computer too."""
    moments: tuple[int, int]
    """In how many key moments they made no mistake, and how many those were; (0, 0) until it is worked out."""


class ClassTable(Response):
    """A game at a table, which anybody may watch as the match that it is."""

    number: int
    """Counted from 1 in each round; in an arena as they were begun, and free numbers are used again."""
    match: str
    round: int
    pupils: tuple[int | None, int | None]
    """Player 1 and 2, as `Pupil.number`; null: the computer."""
    board: Board
    turn: Seat | None
    moves: int
    """How many moves were made."""
    outcome: End | None
    """Of a game that is over; it stays until both play anew."""


class ClassBoard(OfGame):
    """All that the teacher sees. Nothing in it is secret, but for the names."""

    classroom: str
    code: str
    way: Way
    level: str
    marks: bool
    hints: bool
    names: Names
    ranking: Literal["none", "points", "moments"]
    phase: Phase
    paused: bool
    locked: bool
    """Whether nobody new may come in."""
    round: int
    """The round that is being played, or was last; 0 in the lobby."""
    rounds: int
    left: float | None
    """Seconds until the time is up, of a class that has a time and has begun; it stands still in a pause."""
    erased_in: float
    """Seconds until all of it is removed."""
    pupils: list[Pupil]
    tables: list[ClassTable]
    question: ClassQuestion | None
    played: int
    """How many games are over: when it grows, there are new `ClassFigures`."""


class ClassOpened(Response):
    """Your class. Keep the token: whoever has it is the teacher, at any device."""

    classroom: str
    code: str
    token: str
    board: ClassBoard


class MoveCount(Response):
    """How often a move was chosen in a position."""

    move: str
    count: int
    value: Chance
    right: bool


class Missed(Response):
    """A position that pupils got wrong."""

    position: Posed
    after: list[str]
    """How a game came there: what `ask` takes."""
    times: int
    """So often somebody had to choose there."""
    wrong: int
    """So often it was a mistake."""
    choices: list[MoveCount]
    """What they chose, the most frequent first, and the best moves."""
    why: list[Said]


class ClassFigures(Response):
    """What the class as a whole has done so far, of games that are over."""

    games: int
    """Between two pupils, or a pupil and the computer, with a result."""
    began_won: int
    """So many of these were won by whoever began."""
    draws: int
    exact: Chance | None
    """The chance of whoever begins, under best play; null where nobody knows."""
    people: Chance | None
    """The same between two who err at times."""
    found: int
    """Key moments without a mistake, of all pupils together."""
    of: int
    """Key moments in all."""
    waiting: int
    """Games that are over and not looked through yet."""
    missed: list[Missed]
    """The positions most often got wrong, at most five."""


class PupilReport(Response):
    """A pupil at the end."""

    number: int
    name: str
    games: int
    won: int
    points: float
    moments: tuple[int, int]
    answered: int
    """Questions answered, and how many of these rightly."""
    right: int
    slip: list[Said]
    """Their commonest mistake: why it was one; empty where there was none."""
    slip_position: Posed | None
    slip_move: str | None
    slip_times: int


class ClassReport(Response):
    """The class at the end."""

    figures: ClassFigures
    pupils: list[PupilReport]


# ---- what a pupil sees


class ClassSeat(Response):
    """All that a pupil sees of the class: nothing of what others do or were told."""

    classroom: str
    code: str
    game: str
    title: str
    settings: dict[str, Setting]
    way: Way
    level: str
    hints: bool
    pupil: int
    name: str
    names: Names
    waits: bool
    """Whether the teacher was asked for this seat, and has not answered."""
    device_number: int | None
    """Of a device that waits: what the teacher sees too."""
    removed: bool
    """Whether the teacher has removed them."""
    phase: Phase
    paused: bool
    round: int
    rounds: int
    left: float | None
    table: int | None
    match: str | None
    """The game they play, or have just played."""
    token: str | None
    """What opens their seat in it."""
    seat: Seat | None
    opponent: str | None
    """Its name; null for the computer, and where there is no game."""
    free: bool
    """Whether they wait for somebody to play."""
    hand: bool
    played: int
    points: float
    question: ClassQuestion | None


class ClassSeated(Response):
    """Your seat. It belongs to this device: whoever has the token is you."""

    classroom: str
    token: str
    seat: ClassSeat


class ClassNews(Response, omit_defaults=True):
    """A line of the events: the whole of what the reader may see."""

    board: ClassBoard | UnsetType = UNSET
    seat: ClassSeat | UnsetType = UNSET
    erased: bool = False
    """Whether the class is gone; nothing more comes."""
    gone: bool = False
    """Whether the seat has gone to another device; nothing more comes."""
