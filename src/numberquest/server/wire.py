"""Every message on the wire, both ways, typed. The server, the client, the API document and the page go by this file.

People and JSON count players 1 and 2; 0 in a history line is chance. Nothing hidden is in any of these before the
game is over: what a covered cell holds and how a pile lies is known to the dealer alone.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from numberquest.core.settings import SHORT_NAME

encode: Final = msgspec.json.Encoder().encode
"""A message as JSON."""
LARGEST_FRAME: Final = 8 * 1024
"""A WebSocket frame or a request body may be this long, in bytes; longer ones are refused."""
LARGEST_RECORD: Final = 64 * 1024
"""The body of a request that brings a record may be this long."""

Id = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{12,32}$")]
"""The public name of a match, in its address."""
OPENER: Final = "^[A-Za-z0-9_-]{32,64}$"
Token = Annotated[str, Meta(pattern=OPENER)]
"""A secret that opens a seat, or the invitation to one. Never part of an address that a server sees."""
# What people type, or their programs choose, is described here, and checked where it is used: there what is wrong with
# it can be said in words.
Key = Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": 64, "pattern": r"^[^\u0000]*$"})]
"""Chosen by whoever asks: the same request with the same key again gets the same answer, and happens once."""
SEAT_KEY: Final = "^[A-Za-z0-9_-]{22,64}$"
SeatKey = Annotated[str, Meta(extra_json_schema={"pattern": SEAT_KEY})]
"""A key for a request that gives a seat: at least 22 random signs, for whoever knows it can ask for the seat again."""
SLUG: Final = f"^{SHORT_NAME}$"
GAME_NAME: Final = f"^({SHORT_NAME}|recipe:[A-Za-z0-9_-]{{1,4000}})$"
Slug = Annotated[str, Meta(pattern=GAME_NAME)]
"""A game by its short name, as `/api/games` lists them, or by all of its recipe, which is data.

Never a path: no code is loaded over the network."""
Seed = Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": 100})] | int
"""What a deal follows from: a number or a short text. The same seed deals the same everywhere."""
Name = Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": 30, "pattern": r"^[^\u0000]*$"})]
Seat = Annotated[int, Meta(ge=1, le=2)]
Ply = Annotated[int, Meta(ge=0, le=100_000)]
"""How many entries the log of a match has: each move, take-back, offer and so on is one."""
MoveText = Annotated[str, Meta(min_length=1, max_length=20)]
RecordText = Annotated[str, Meta(min_length=1, max_length=LARGEST_RECORD)]
LONGEST_PUZZLE_ID: Final = 4600
"""Of a game in a link it carries the whole recipe."""
PuzzleId = Annotated[str, Meta(min_length=1, max_length=LONGEST_PUZZLE_ID)]
Chance = Annotated[float, Meta(ge=0, le=1)]
Setting = bool | int | str
_SETTING: Final = {"anyOf": [{"type": "boolean"}, {"type": "integer"}, {"type": "string", "maxLength": 40}]}
NewSettings = Annotated[dict[str, Any], Meta(extra_json_schema={"additionalProperties": _SETTING})]


class Request(Struct, forbid_unknown_fields=True):
    """What somebody asks. A field that is not known is a mistake, and is told."""


class Response(Struct):
    """What the server says."""


Facts = Mapping[str, Any]
"""Numbers, texts, truth values and lists of them, by name: what belongs into the gaps of a sentence."""
Board = dict[str, Any]
"""What lies on the table, by the names of the fields of the game's `view`, with what its own board needs besides."""
ChanceKind = Literal["", "deck", "draws"]
"""What is random: nothing, a deck that is dealt before the game, or draws on the way, such as a die."""


class Said(Response):
    """Something to be told: the code of a sentence of `/static/sentences.js`, and what belongs into its gaps."""

    code: str
    facts: Facts


# ---- the games on offer


class SettingInfo(Response):
    """One rule that can be changed, and how."""

    name: str
    meaning: str
    more: str
    """What somebody who is about to choose it should know besides; mostly empty."""
    kind: Literal["number", "yesno", "signs"]
    classic: Setting
    low: int | None = None
    high: int | None = None
    """For a number, its range."""
    up_to: str | None = None
    """For a number that another setting bounds: which one."""
    signs: str | None = None
    needed: str | None = None
    """For signs: all there are, and the one that must be there."""


class Level(Response):
    """A computer player."""

    name: str
    """`level-NAME` is the code of the sentence that says how it plays."""


class ViewField(Response, omit_defaults=True):
    """One field of a board, for whoever draws it and knows nothing of the game."""

    name: str
    label: str
    kind: str
    """scores, number, pool, pile, cells, flags, who, turn or plain."""
    target: int | None = None
    """Of scores and numbers that are on their way somewhere."""
    high: int | None = None
    """Of a pool or pile: its numbers are 1 up to this."""
    wide: int | None = None
    """Of cells: how many are in a row."""
    marks: str = ""
    """Of cells: `players` where each holds the mark of a player or nothing, `lamps` where each is on or off."""


class OfGame(Response):
    """Whatever shows a game under certain rules."""

    game: str
    title: str
    short_title: str
    settings: dict[str, Setting]
    view: list[ViewField]


class StarRule(Response):
    """What earns the star of a level in a game by its classic rules, without hints."""

    wins: int
    """So many wins."""
    seats: list[Seat]
    """In these seats."""
    held: str | None
    """The level that nobody can beat there, so that draws count; null where each can be beaten."""
    said: list[Said]


class GameInfo(Response):
    """One of the games, with its classic rules."""

    game: str
    title: str
    short_title: str
    summary: str
    goal: str
    """How to win, with settings in its gaps; empty where the summary has to do."""
    rules: str
    rulings: dict[str, str]
    endings: dict[str, str]
    """How it can end, by the `reason` of an `End`: sentences with gaps."""
    proved: Said | None
    """Who is favoured under best play, proved; null where the game is too large to be worked out."""
    value: Chance | None
    """Player 1's chance to win under best play."""
    stars: StarRule | None
    """What earns a star; null where the game is too large to be worked out."""
    turns: tuple[int, int]
    """So many most games have, of both players together."""
    luck: Chance | None
    """How much of it is luck: 0 nothing, 1 everything; null where nobody knows."""
    settings: list[SettingInfo]
    chance: ChanceKind
    view: list[ViewField]
    board: Board
    """How the game starts."""
    atlas: bool = False
    """Whether it is known what every one of its rule sets is worth: `/api/atlas` and `/api/fairness` tell."""


class Games(Response):
    """All games, and the computer players, weakest first."""

    games: list[GameInfo]
    levels: list[Level]
    address: str | None = None
    """Where others on the network open the page, such as `http://192.168.1.20:8000`; null where they cannot."""
    soon: bool = False
    """Whether it is only what is known at once: what has to be worked out (`proved`, `value`, `luck`) is null in it,
    and `turns` are 0."""


class Rules(Response):
    """The rules of a game as they hold under certain settings."""

    title: str
    rules: str
    rulings: dict[str, str]


# ---- moves


class Option(Response, omit_defaults=True):
    """One move that is allowed now, and what comes of it as far as anybody can know."""

    move: str
    result: int | None = None
    """The score of who makes it, or the shared number on its way to a target, after it; where that is known."""
    ends: Literal["wins", "loses", "draws"] | None = None
    """Whether the game is over with it, for the player who makes it."""
    facts: Facts = {}
    """What the game's own board says of it besides."""


class Line(Response, omit_defaults=True):
    """One entry of the history."""

    player: Annotated[int, Meta(ge=0, le=2)]
    """1 or 2, or 0 for something that was revealed."""
    entry: str
    """The move, or what was revealed; `?` where that is secret to whoever looks."""
    facts: Facts = {}
    """Of a move: `had` and `has`, the score or shared number before and after it, where there is one."""
    place: int | None = None
    """Of a number that was dealt: its place in the deal, from 0."""
    faces: list[str] = []
    weights: list[int] = []
    """Of a draw: what could come up, and the weight of each."""
    sealed: str = ""
    """Of a choice that was made in secret: the SHA-256 of `SEED/PLACE/MOVE`, with its place in the history from 0."""


# ---- a match


class PlayerState(Response):
    """Who sits on a seat."""

    name: str
    kind: str
    """human, or the name of a computer player."""
    joined: bool
    hints: int
    """How many hints this player has used."""


class End(Response):
    """How the game ended."""

    winner: Seat | None
    """Null: a draw."""
    reason: str
    """A key of the game's `endings`, or the code of a sentence; otherwise the words themselves, said of the winner."""
    facts: Facts
    resigned: bool


class TakeBack(Response):
    """Whether the last move can be taken back."""

    asked: Seat | None
    """Who has asked the other for it."""
    refusal: tuple[Said | None, Said | None]
    """For each player why not now; null where it is possible."""
    moves: tuple[list[str], list[str]]
    """For each player what would go: their own last move, and then what the other has played since."""


class Seal(Response):
    """The promise about the hidden numbers: the SHA-256 of the seed at the start, the seed itself at the end."""

    commitment: str
    seed: str | None
    deck: list[int]
    """Told with the seed: the numbers that were dealt, in the order in which they were shuffled; none of draws."""


class Series(Response):
    """A round of several; `points` are those of this match's Player 1 and 2 before and, once over, with this round.

    A round that nobody wins is half a point for both.
    """

    round: int
    rounds: int
    points: tuple[float, float]


class State(OfGame):
    """A match as everybody may see it."""

    match: str
    ply: int
    chance: ChanceKind
    opponent: Literal["friend", "screen", "computer"]
    """Two people with two devices, two people at this screen, or one and the computer."""
    practice: bool
    """Whether the game was taken up from a record or dealt from a known seed, so that nothing was sealed beforehand."""
    players: tuple[PlayerState, PlayerState]
    turn: Seat | None
    """Whose turn it is; null while a player is missing, and when the game is over."""
    moves: list[Option]
    """What the player whose turn it is may do."""
    board: Board
    history: list[Line]
    outcome: End | None
    take_back: TakeBack
    seal: Seal | None
    series: Series
    rematch: list[Seat]
    """The seats that want another game."""
    withdrawn: bool
    """Whether the invitation was taken back before anybody came."""
    marks: bool
    """Whether the moves say what they come to; where not, each is told by its name alone."""
    next: str | None
    """The match that follows this one: the same players with seats changed, the same seat tokens."""
    computer: Said | None
    """Told where the computer takes long, could not choose yet, or looks ahead because the rules are too large."""
    secrets: bool = False
    """Whether the players do not see the same: then this is what the one who asked may know, or who watches."""
    of_class: bool = False
    """Whether it is played in a class, which alone keeps it: a browser remembers nothing of it."""


class Change(Response):
    """What a state has become by one entry of the log: the fields that changed, as in `State`; `changed` puts it in."""

    ply: int
    players: tuple[PlayerState, PlayerState] | UnsetType = UNSET
    turn: Seat | UnsetType | None = UNSET
    moves: list[Option] | UnsetType = UNSET
    board: Board | UnsetType = UNSET
    since: int | UnsetType = UNSET
    """So many entries of the history are still there; these follow them."""
    history: list[Line] | UnsetType = UNSET
    outcome: End | UnsetType = UNSET
    take_back: TakeBack | UnsetType = UNSET
    seal: Seal | UnsetType = UNSET
    series: Series | UnsetType = UNSET
    rematch: list[Seat] | UnsetType = UNSET
    withdrawn: bool | UnsetType = UNSET
    next: str | UnsetType = UNSET
    computer: Said | UnsetType | None = UNSET


def changed(state: State, change: Change) -> State:
    """The state after a change."""
    fields = {name: getattr(change, name) for name in Change.__struct_fields__ if name != "since"}
    if change.since is not UNSET and change.history is not UNSET:
        fields["history"] = [*state.history[: change.since], *change.history]
    return replace(state, **{name: value for name, value in fields.items() if value is not UNSET})


class NewMatch(Request):
    """Start a match."""

    game: Slug | None = None
    """Needed, unless there is a record."""
    settings: NewSettings = {}
    opponent: Annotated[str, Meta(min_length=1, max_length=20)] = "friend"
    """friend (a link for the other seat), screen (two people at one screen), or a computer player such as hard."""
    seat: Literal[1, 2, "toss"] = 1
    name: Name | None = None
    other_name: Name | None = None
    """The other player's name, where both sit at one screen."""
    rounds: Annotated[int, Meta(ge=1, le=99)] = 1
    record: RecordText | None = None
    """Go on from this record (not with a friend): game and settings are then the record's."""
    at: Ply | None = None
    """After so many entries of its history, reveals counted; the end of the record if left out."""
    seed: Seed | None = None
    """Deal what this seed gives, and nothing secret: such a match is practice. Only where something is dealt."""
    marks: bool = True
    """Whether the board says of each move what it comes to, and whether it wins or loses; else there are no hints."""
    key: SeatKey | None = None


class Join(Request):
    """Take the seat that an invitation is for."""

    invite: Token
    name: Name | None = None
    key: SeatKey | None = None


class Seated(Response):
    """Your seat. Keep the token: whoever has it plays for you."""

    match: str
    seats: list[Seat]
    """The seats that the token opens: one, or both at one screen."""
    token: str
    invite: str | None
    """What to give the friend; null where nobody is awaited."""
    state: State


class Move(Request, tag="move"):
    """Make a move. `ply` is where you think the match stands, so that a repeated or late request does no harm."""

    ply: Ply
    move: MoveText
    key: Key | None = None


Deed = Literal["resign", "take-back", "agree", "refuse", "rematch", "withdraw", "end"]
"""take-back: at once against the computer or at one screen; against a person it asks, and they agree or refuse.

withdraw: the invitation, as long as nobody has come.

end: the match, without a result, where the friend has not moved for 15 minutes.
"""


class Act(Request, tag="act"):
    """Anything else a player can do in a match."""

    ply: Ply
    do: Deed
    seat: Seat | None = None
    """At one screen, who does it; the player whose turn it is if left out."""
    key: Key | None = None


class AskHint(Request):
    """Ask for the next step of a hint: a nudge, the move, the proof. Not against a friend."""

    ply: Ply
    step: Annotated[int, Meta(ge=1, le=3)]
    key: Key | None = None


class Hint(Response):
    """One step of a hint."""

    step: int
    steps: int
    said: list[Said]
    moves: list[str]
    """The best moves, from the second step on; none where all are alike."""


class Comment(Response):
    """What the coach says about your last move; empty where it gave nothing away, and there was something to lose."""

    said: list[Said]


# ---- review and puzzles


class Worth(Response):
    """One allowed move and the exact chance to win with it, for the player who makes it."""

    move: str
    value: Chance


class ReviewStep(Response):
    """One entry of the history: a move with its verdict, or a reveal with its luck."""

    player: Seat
    """Whose turn it was."""
    reveal: bool
    entry: str
    number: int
    """Which move of the game; for a reveal, how many moves came before it."""
    before: Chance
    after: Chance
    """Player 1's chance to win before and after it."""
    verdict: str | None
    """win kept, win thrown away, draw kept, draw thrown away, still lost, only move, all alike, best, small slip,
    mistake, blunder; null for a reveal; 'set up' for a move that nobody played, because the game began after it."""
    mistake: bool
    """Whether it is worth another try."""
    loss: Chance
    """What the move gave away of its player's chance."""
    best: list[str]
    options: list[Worth]
    """'What if': every move that was allowed, best first."""
    why: list[Said] = []
    """Of a move that gave something away: why it did, and what was best."""


class Review(OfGame):
    """A match looked at again. `boards` has one more entry than `steps`: the start, and what each step led to.

    A resignation is the last step (`entry` is `resign`), leaves the board as it is, and is not in the `history`.
    """

    chance: ChanceKind
    names: tuple[str, str]
    kinds: tuple[str, str]
    outcome: End | None
    turn: Seat | None
    """Who is to move after the last step, where the game is not over."""
    steps: list[ReviewStep]
    history: list[Line]
    boards: list[Board]
    start: Chance
    end: Chance
    given_away: tuple[float, float]
    luck: float
    """start - given_away[0] + given_away[1] + luck = end, all as Player 1's chance."""
    mixing: tuple[float, float] | None
    """In a game with secrets, how the secret choices met, by whose move it came; both are added to luck there."""
    key_moments: tuple[tuple[int, int], tuple[int, int]]
    """Of each player, in how many key moments they made no mistake, and how many those were."""
    turning_point: int | None
    """Which step, counted from 0."""
    first_mistake: int | None
    """The step of the first mistake made by a person, counted from 0."""
    told: list[Said]
    """The turning point and the key moments."""
    luck_and_skill: list[Said]
    record: str
    """The record it is a review of."""
    seal: Seal | None
    hints: tuple[int, int]


class ReviewRequest(Request):
    """Review this record, or what if: as it would have gone on with `move` after `at` entries, and best play."""

    record: RecordText
    at: Annotated[int, Meta(ge=0, le=10_000)] = 0
    move: MoveText | None = None


class Puzzle(OfGame):
    """A position with one right move. The answer is not in it."""

    id: str
    chance: ChanceKind
    note: Said | None
    """Why the rules are not the classic ones; null where they are."""
    grade: int
    """1 to 5; `grade-1` is the code of what it is called."""
    player: Seat
    """Who is to move."""
    board: Board
    moves: list[Option]
    history: list[Line]
    question: list[Said]
    """What is to be found."""
    date: str | None
    """The day whose puzzle it is."""
    record: str
    """The game up to here, to play on from."""


class Posed(OfGame):
    """A position that is a question: what would you play? The answer is not in it."""

    player: Seat
    """Who is to move."""
    board: Board
    moves: list[Option]
    history: list[Line]


class Guess(Request):
    """An answer to a puzzle."""

    id: PuzzleId
    move: MoveText
    first: bool = False
    """Whether nobody at this screen has answered it before: then it counts for how often today's is solved here."""


class Judged(Response):
    """Whether a guess is right, and what every move is worth."""

    right: bool
    answers: list[str]
    values: list[Worth]
    said: list[Said]
    board: Board
    """What the move makes of the board."""
    line: Line
    """The move, as it stands in a history."""


class Tally(Response):
    """How many addresses have answered a step of today's puzzle here, and for how many the first answer was right."""

    tries: int
    right: int


class Solved(Response):
    """How often today's puzzle was solved here: one tally for each step. Who it was is not kept."""

    date: str
    steps: list[Tally]


# ---- lessons


class LessonAnswer(Response):
    """One move that can be tried in a step of a lesson: whether it leads on, and what is said of it."""

    move: str
    right: bool
    said: Said
    board: Board | None
    """How the table looks after it, where it leads on."""
    history: list[Line]
    """What it adds to the history then."""


class LessonStep(Response):
    """One step of a lesson: a position, and what is said about it. Without moves it is only to be looked at."""

    said: Said
    player: Seat | None
    """Who learns here; null where the game is over."""
    board: Board
    moves: list[Option]
    history: list[Line]
    answers: list[LessonAnswer]


class Lesson(OfGame):
    """A game learnt by playing it, in a few steps."""

    steps: list[LessonStep]


# ---- the laboratory


class Measured(Response):
    """One measure of a rule set: what it means, and what it comes to; null where `why` says why not."""

    name: str
    meaning: str
    value: float | None
    why: str | None = None


class LadderStep(Response):
    """How much more often the better of two levels wins, over both seats: from -1 to 1."""

    better: str
    worse: str
    gain: float


class Measures(Response):
    """What a rule set is like between two players, worked out exactly."""

    game: str
    title: str
    settings: dict[str, Setting]
    players: tuple[str, str]
    positions: int
    """How many positions were looked at."""
    measures: list[Measured]
    ladder: list[LadderStep]


# ---- the workshop


class Draft(Request):
    """A recipe that somebody is writing."""

    text: Annotated[str, Meta(min_length=1, max_length=20_000)]


class DraftTrial(Draft):
    """Play it from the start, as far as these moves of both players go."""

    moves: Annotated[list[MoveText], Meta(max_length=400)] = []
    level: str = ""
    """A computer player, who then answers as Player 2; empty: somebody plays both."""
    seed: Annotated[str, Meta(min_length=1, max_length=40)] = "1"
    """What all that is random follows from."""


class DraftMeasure(Draft):
    """Measure it between two of this level."""

    level: str = "perfect"
    soon: bool = False
    """Give up where it takes more than a moment."""


class LawSeen(Response):
    """A law of every game, and whether a game keeps it."""

    name: str
    state: Literal["holds", "broken", "unseen", "-"]
    """`unseen` where the game cannot be played far enough to know, `-` where the law has nothing to say of it."""
    why: str | None
    """How it is broken, and where."""


class CheckedDraft(Response):
    """A game that somebody is making, looked at."""

    info: GameInfo
    laws: list[LawSeen]
    line: int | None
    """Where in the text it goes wrong, as far as that is known."""
    ends: bool
    """Whether any of the games that were played came to an end."""
    recipe: dict[str, Any]
    """What a recipe says, by its sections; empty of a game in Python."""
    name: str
    """What the game is called where it is played: the name of a recipe carries all of it."""


class TriedDraft(Response):
    """A game that somebody is making, as far as it was played."""

    view: list[ViewField]
    board: Board
    moves: list[Option]
    turn: Seat | None
    """Whose turn it is; null when the game is over."""
    history: list[Line]
    ending: str | None
    """Who won and why, in the words of the game; null while it goes on."""
    winner: Seat | None
    played: list[str]
    """The moves of both players so far, those of the computer among them: what to send with the next one."""


class Fairness(Response):
    """How fair a rule set is, from the atlas: whom it favours, and by how much, without a word about how to win."""

    value: Chance | None
    """Player 1's chance to win under best play; null where nobody knows."""
    people: Chance | None
    """Player 1's chance between two who err at times, as people do; null where nobody knows."""
    length: float | None
    """How many moves such a game takes, both players' together."""


class MapColumn(Response):
    """A figure for every rule set of a game; null where nobody knows, or there is no such rule set."""

    name: str
    meaning: str
    share: bool
    """Whether it is a part of a whole, from 0 to 1."""
    figures: list[float | None]


class Map(Response):
    """Every rule set of a game, in the order of the settings, of which the last changes fastest."""

    game: str
    settings: dict[str, list[Setting]]
    """Every value of each setting."""
    players: tuple[str, str]
    """Between whom the measures hold; `value` and `first` hold between perfect ones."""
    columns: list[MapColumn]
    first: list[int | None]
    """The best first moves of each, as a place in `moves`."""
    moves: list[list[str]]
    scale: list[list[int]]
    """Colours from low to high, evenly, as red, green and blue: each lighter than the one before."""
    fair: list[list[int]]
    """Colours of Player 1's chance, in the same way: Player 2's, what is fair as the lightest, and Player 1's."""
    fairest: list[int]
    """The fairest rule sets, each game once, by the column `fairest_by`; of two as fair the shorter one first."""
    fairest_by: Literal["value", "people"]
    repeated: int
    """How many rule sets are the same game as another one, and left out of `fairest`."""
    out_of_reach: int
    """How many of `repeated` are the same game because nobody can reach the target; the others have equal measures."""
    hash: str
    """The SHA-256 of the atlas."""


class QrRequest(Request):
    """What is to be shown to a camera."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


class QrCode(Response):
    """A QR code, to be drawn: a square of this side, white around, and the path of what is dark in it."""

    side: int
    path: str


class BestLine(Response):
    """A game in which both play as well as they can."""

    game: str
    settings: dict[str, Setting]
    history: list[Line]
    chances: list[Chance]
    """Player 1's chance to win under best play, at the start and after each entry of the history."""
    outcome: End | None


# ---- trouble


class Problem(Response, omit_defaults=True):
    """What was wrong, in a sentence for people, and in a word for programs."""

    code: str
    """bad-request, no-seat, not-found, late, not-allowed, too-large, too-many, busy, not-stored, internal."""
    error: str
    line: int | None = None
    """Of a record that cannot be read: in which line, counted from 1."""
    said: Said | None = None
    """What the sentence was made from."""


# ---- the live connection of the page: frames of JSON, `type` says which


class Hello(Request, tag="hello"):
    """The first frame: who is there. Without a token, or with one that opens nothing here: somebody who watches.

    Sent again later with the name of another match, such as a rematch, the connection goes on with that one.
    """

    token: Annotated[str, Meta(extra_json_schema={"pattern": OPENER})] | None = None
    match: Id | None = None


SignName = Literal["thumbs-up", "clap", "wow"]
"""What a friend can send: 👍, 👏 or 😮."""


class SendSign(Request, tag="sign"):
    """Show a sign to whoever looks. It passes, and is not kept; only players can, against a friend, and not often."""

    sign: SignName


ToServer = Hello | Move | Act | SendSign
"""`Move` and `Act` as in a request; their keys come back."""


class Welcome(Response, tag="welcome"):
    """The answer to a hello: the seats you have (none: you watch), and how the match stands."""

    seats: list[Seat]
    state: msgspec.Raw
    """A `State`."""
    away: list[Seat]
    """As in `Presence`."""
    waited: float
    """For how many seconds whoever's turn it is has done nothing."""
    patience: float
    """After so many the friend who waits may `end` the match without a result."""


class Update(Response, tag="update", omit_defaults=True):
    """The match has changed. A slow reader may miss some in between, but never the last."""

    change: Change | UnsetType = UNSET
    """What one entry changed in the state that was told last."""
    state: msgspec.Raw | UnsetType = UNSET
    """A `State`: where more has happened than one entry, and in the stream of events."""
    done: list[str] = []
    """The keys of your requests that are now done, and on disk."""


class Refused(Response, tag="refused", omit_defaults=True):
    """Your request was not done. Nothing has changed by it."""

    key: str
    """That of the request; empty where it had none, and where what came was no request at all."""
    code: str
    error: str
    said: Said
    """What the sentence was made from."""
    state: msgspec.Raw | UnsetType = UNSET
    """A `State`: how the match really stands; left out with the last frame before the connection is closed."""


class Presence(Response, tag="presence"):
    """Who has been gone for some seconds from a game of two friends. Of the others it may only be unknown."""

    away: list[Seat]


class Sign(Response, tag="sign"):
    """A player shows something."""

    seat: Seat
    sign: SignName


FromServer = Welcome | Update | Refused | Presence | Sign


class Ping(Response, tag="ping"):
    """Only in the stream of events, while nothing happens."""
