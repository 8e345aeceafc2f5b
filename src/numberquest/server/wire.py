"""Every message on the wire, both ways, typed. The server, the client, the API document and the page go by this file.

People and JSON count players 1 and 2; 0 in a history line is chance. Nothing hidden is in any of these before the
game is over: what a covered cell holds and how a pile lies is known to the dealer alone.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

LARGEST_FRAME: Final = 8 * 1024
"""A WebSocket frame or a request body may be this long, in bytes; longer ones are refused."""
LARGEST_RECORD: Final = 64 * 1024
"""The body of a request that brings a record may be this long."""

Id = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{12,32}$")]
"""The public name of a match, in its address."""
Token = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{32,64}$")]
"""A secret that opens a seat, or the invitation to one. Never part of an address that a server sees."""
Key = Annotated[str, Meta(min_length=1, max_length=64)]
"""Chosen by whoever asks: the same request with the same key again gets the same answer, and happens once."""
SeatKey = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22,64}$")]
"""A key for a request that gives a seat: at least 22 random signs, for whoever knows it can ask for the seat again."""
Slug = Annotated[str, Meta(pattern="^[a-z]{1,20}$")]
"""A game: showdown, fifty, grid, sumquest or mystic."""
Name = Annotated[str, Meta(min_length=1, max_length=30)]
Seat = Annotated[int, Meta(ge=1, le=2)]
Ply = Annotated[int, Meta(ge=0, le=100_000)]
"""How many entries the log of a match has: each move, take-back, offer and so on is one."""
MoveText = Annotated[str, Meta(min_length=1, max_length=20)]
RecordText = Annotated[str, Meta(min_length=1, max_length=LARGEST_RECORD)]
PuzzleId = Annotated[str, Meta(min_length=1, max_length=200)]
Chance = Annotated[float, Meta(ge=0, le=1)]
Setting = bool | int | str


class Request(Struct, forbid_unknown_fields=True):
    """What somebody asks. A field that is not known is a mistake, and is told."""


class Answer(Struct):
    """What the server says."""


# ---- the games on offer


class SettingInfo(Answer):
    """One rule that can be changed, and how."""

    name: str
    meaning: str
    allowed: str
    """The range, in words."""
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


class Level(Answer):
    """A computer player."""

    name: str
    words: str


class GameInfo(Answer):
    """One of the games."""

    game: str
    title: str
    summary: str
    rules: str
    rulings: dict[str, str]
    proved: str
    """Who is favoured under best play, proved, in words."""
    value: Chance
    """Player 1's chance to win under best play."""
    settings: list[SettingInfo]
    board: Board
    """How the game starts."""


class Games(Answer):
    """All games, and the computer players, weakest first."""

    games: list[GameInfo]
    levels: list[Level]
    address: str | None = None
    """Where others on the network open the page, such as `http://192.168.1.20:8000`; null where they cannot."""


# ---- boards: what lies on the table, for each game


class FiftyBoard(Answer, tag_field="game", tag="fifty"):
    """Numbers to take, and two scores."""

    target: int
    high: int
    copies: int
    ops: str
    pool: list[int]
    """The numbers left, ascending."""
    scores: tuple[int, int]


class GridBoard(Answer, tag_field="game", tag="grid"):
    """Cells row by row; a covered one is null."""

    target: int
    side: int
    cells: list[int | None]
    totals: tuple[int, int]
    stood: tuple[bool, bool]
    """Who opens no more cells."""
    unseen: list[int]
    """The numbers that lie covered somewhere, ascending."""


class SumquestBoard(Answer, tag_field="game", tag="sumquest"):
    """The shared sum."""

    target: int
    high: int
    total: int
    barred: int | None
    """The number that may not be used now."""


class MysticBoard(Answer, tag_field="game", tag="mystic"):
    """The pile, the number drawn, and two totals."""

    target: int
    high: int
    copies: int
    totals: tuple[int, int]
    drawn: int | None
    pile: int
    """How many numbers lie in the pile."""
    unseen: list[int]
    """Those numbers, ascending: their order is known to nobody."""


class ShowdownBoard(Answer, tag_field="game", tag="showdown"):
    """The sequence, the numbers left, and the predictions."""

    high: int
    picks: int
    """The game ends after so many numbers."""
    sequence: list[int]
    players: list[int]
    """Who added each number of the sequence: 1 or 2."""
    sum: int
    pool: list[int]
    predictions: tuple[int | None, int | None]
    first: int | None
    """Who predicted first: 1 or 2."""


Board = FiftyBoard | GridBoard | SumquestBoard | MysticBoard | ShowdownBoard


class Option(Answer, omit_defaults=True):
    """One move that is allowed now, and what comes of it as far as anybody can know."""

    move: str
    words: str
    """`12 × 4 = 48`, `add 7: 21, and that wins`."""
    result: int | None = None
    """The score, total or sum after it, where that is known."""
    ends: Literal["wins", "loses"] | None = None
    """Whether the game is over with it, for the player who makes it."""


class Line(Answer):
    """One entry of the history."""

    player: Annotated[int, Meta(ge=0, le=2)]
    """1 or 2, or 0 for a number that was revealed."""
    entry: str
    words: str
    """Without a name in front: `adds 5: 7 + 5 = 12`."""


# ---- a match


class PlayerState(Answer):
    """Who sits on a seat."""

    name: str
    kind: str
    """human, or the name of a computer player."""
    joined: bool
    hints: int
    """How many hints this player has used."""


class End(Answer):
    """How the game ended."""

    winner: Seat
    reason: str
    """In words, with the players' names: `Ann reached 50`."""
    resigned: bool


class TakeBack(Answer):
    """Whether the last move can be taken back."""

    asked: Seat | None
    """Who has asked the other for it."""
    refusal: tuple[str, str]
    """For each player why not now, in words; empty where it is possible."""


class Seal(Answer):
    """The promise about the hidden numbers: the SHA-256 of the seed at the start, the seed itself at the end."""

    commitment: str
    seed: str | None


class Series(Answer):
    """A round of several; `points` are those of this match's Player 1 and 2 before and, once over, with this round."""

    round: int
    rounds: int
    points: tuple[int, int]


class State(Answer):
    """A match as everybody may see it."""

    match: str
    ply: int
    game: str
    title: str
    settings: dict[str, Setting]
    changes: str
    """The settings that are not classic, as they are typed: `target=30`; empty in the classic game."""
    house_rules: str
    """The same in words: `the score to reach: 30`."""
    opponent: Literal["friend", "screen", "computer"]
    """Two people with two devices, two people at this screen, or one and the computer."""
    practice: bool
    """Whether the game was taken up from a position, so that its deal was not sealed beforehand."""
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
    rematch: list[int]
    """The seats that want another game."""
    next: str | None
    """The match that follows this one: the same players with seats changed, the same seat tokens."""


class NewMatch(Request):
    """Start a match."""

    game: Slug
    settings: dict[Annotated[str, Meta(max_length=20)], bool | int | Annotated[str, Meta(max_length=20)]] = {}
    opponent: Annotated[str, Meta(min_length=1, max_length=20)] = "friend"
    """friend (a link for the other seat), screen (two people at one screen), or a computer player such as hard."""
    seat: Literal[1, 2, "toss"] = 1
    name: Name | None = None
    other_name: Name | None = None
    """The other player's name, where both sit at one screen."""
    rounds: Annotated[int, Meta(ge=1, le=99)] = 1
    record: RecordText | None = None
    """Go on from this record (not with a friend): game and settings are then the record's."""
    at: Annotated[int, Meta(ge=0, le=1000)] | None = None
    """After so many entries of its history, reveals counted; the end of the record if left out."""
    key: SeatKey | None = None


class Join(Request):
    """Take the seat that an invitation is for."""

    invite: Token
    name: Name | None = None
    key: SeatKey | None = None


class Seated(Answer):
    """Your seat. Keep the token: whoever has it plays for you."""

    match: str
    seats: list[int]
    """The seats that the token opens: one, or both at one screen."""
    token: str
    invite: str | None
    """What to give the friend; null where nobody is awaited."""
    state: State


class Move(Request):
    """Make a move. `ply` is where you think the match stands, so that a repeated or late request does no harm."""

    ply: Ply
    move: MoveText
    key: Key | None = None


Deed = Literal["resign", "take-back", "agree", "refuse", "rematch"]
"""take-back: at once against the computer or at one screen; against a person it asks, and they agree or refuse."""


class Act(Request):
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


class Hint(Answer):
    """One step of a hint."""

    step: int
    steps: int
    words: str
    moves: list[str]
    """The best moves, from the second step on; none where all are alike."""


class Comment(Answer):
    """What the coach says about your last move; empty where it gave nothing away, and there was something to lose."""

    words: str


# ---- review and puzzles


class Worth(Answer):
    """One allowed move and the exact chance to win with it, for the player who makes it."""

    move: str
    value: Chance


class ReviewStep(Answer):
    """One entry of the history: a move with its verdict, or a reveal with its luck."""

    player: Seat
    """Whose turn it was."""
    reveal: bool
    entry: str
    words: str
    number: int
    """Which move of the game; for a reveal, how many moves came before it."""
    before: Chance
    after: Chance
    """Player 1's chance to win before and after it."""
    verdict: str | None
    """win kept, win thrown away, still lost, only move, all alike, best, small slip, mistake, blunder.

    Null for a reveal.
    """
    mistake: bool
    """Whether it is worth another try."""
    loss: Chance
    """What the move gave away of its player's chance."""
    best: list[str]
    options: list[Worth]
    """'What if': every move that was allowed, best first."""


class Review(Answer):
    """A match looked at again. `boards` has one more entry than `steps`: the start, and what each step led to.

    A resignation is the last step (`entry` is `resign`), and leaves the board as it is.
    """

    game: str
    title: str
    settings: dict[str, Setting]
    changes: str
    house_rules: str
    names: tuple[str, str]
    kinds: tuple[str, str]
    result: str
    """Who won and why, in words."""
    winner: Seat | None
    turn: Seat | None
    """Who is to move after the last step, where the game is not over."""
    steps: list[ReviewStep]
    boards: list[Board]
    start: Chance
    end: Chance
    given_away: tuple[float, float]
    luck: float
    """start - given_away[0] + given_away[1] + luck = end, all as Player 1's chance."""
    accuracy: tuple[float | None, float | None]
    turning_point: int | None
    """Which step, counted from 0."""
    first_mistake: int | None
    """The step of the first mistake made by a person, counted from 0."""
    told: list[str]
    """The turning point and the accuracy, in words."""
    luck_and_skill: list[str]
    record: str
    """The record it is a review of."""
    seal: Seal | None
    hints: tuple[int, int]


class ReviewRequest(Request):
    """Review this record."""

    record: RecordText


class Puzzle(Answer):
    """A position with one right move. The answer is not in it."""

    id: str
    game: str
    title: str
    settings: dict[str, Setting]
    changes: str
    house_rules: str
    note: str
    """Why the rules are not the classic ones, in words; empty where they are."""
    grade: int
    grade_words: str
    player: Seat
    """Who is to move."""
    board: Board
    moves: list[Option]
    history: list[Line]
    question: str
    """What is to be found, in words."""
    date: str | None
    """The day whose puzzle it is."""
    record: str
    """The game up to here, to play on from."""


class Guess(Request):
    """An answer to a puzzle."""

    id: PuzzleId
    move: MoveText


class Judged(Answer):
    """Whether a guess is right, and what every move is worth."""

    right: bool
    answers: list[str]
    values: list[Worth]
    words: str


# ---- trouble


class Problem(Answer):
    """What was wrong, in a sentence for people, and in a word for programs."""

    code: str
    """bad-request, no-seat, not-found, late, not-allowed, too-large, too-many, busy, not-stored, internal."""
    error: str


# ---- the live connection of the page: frames of JSON, `type` says which


class Hello(Request, tag="hello"):
    """The first frame: who is there. Without a token, or with one that opens nothing here: a spectator.

    Sent again later with the name of another match, such as a rematch, the connection goes on with that one.
    """

    token: Token | None = None
    match: Id | None = None


class DoMove(Request, tag="move"):
    """A move, as in `Move`; the key is needed, and comes back."""

    ply: Ply
    move: MoveText
    key: Key


class DoAct(Request, tag="act"):
    """Anything else, as in `Act`."""

    ply: Ply
    do: Deed
    key: Key
    seat: Seat | None = None


ToServer = Hello | DoMove | DoAct


class Welcome(Answer, tag="welcome"):
    """The answer to a hello: the seats you have (none: you watch), and how the match stands."""

    seats: list[int]
    state: msgspec.Raw
    """A `State`."""


class Update(Answer, tag="update", omit_defaults=True):
    """The match has changed. A slow reader may miss some in between, but never the last."""

    state: msgspec.Raw
    """A `State`."""
    done: list[str] = []
    """The keys of your requests that are now done, and on disk."""


class Refused(Answer, tag="refused"):
    """Your request was not done. Nothing has changed by it."""

    key: str
    code: str
    error: str
    state: msgspec.Raw
    """A `State`: how the match really stands."""


class Ping(Answer, tag="ping"):
    """Only in the stream of events, while nothing happens."""
