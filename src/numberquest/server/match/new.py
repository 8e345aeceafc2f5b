"""What a new match begins with: its rules, who sits where, and what they are called."""

from collections.abc import Callable
from typing import Any, Final, Literal, Protocol

from msgspec.structs import replace

from numberquest.core.contract import Game, player_name
from numberquest.core.dealer import BadDeal, is_sealed
from numberquest.core.match import Match
from numberquest.core.names import bad_name, one_way
from numberquest.core.record import HUMAN, Record, RecordError
from numberquest.core.registry import game as make_game
from numberquest.core.registry import name_of
from numberquest.core.sentences import Said
from numberquest.core.settings import BadSetting
from numberquest.players.levels import PLAYERS, computer_name
from numberquest.server.match.entries import FRIEND, SCREEN, MatchHeader
from numberquest.server.match.state import MatchState
from numberquest.server.refusal import Refusal
from numberquest.server.tokens import hashed

MOST_SETTINGS: Final = 40
"""No game has so many: of more, one of the first is unknown already."""


class Wish(Protocol):
    """What somebody says who wants a match, as `NewMatch` on the wire."""

    game: str | None
    settings: dict[str, Any]
    opponent: str
    seat: Literal[1, 2, "toss"]
    name: str | None
    other_name: str | None
    rounds: int
    record: str | None
    at: int | None
    seed: int | str | None
    marks: bool


def new_match(
    wish: Wish,
    match: str,
    token: str,
    invite: str,
    new_seed: Callable[[], str],
    toss: Callable[[], int],
    now: float,
    owner: str = "",
    date: str = "",
) -> MatchHeader:
    """The match that somebody wishes for; refused where there can be none like that."""
    game, start = _rules(wish)
    kinds, seat = _seats(wish, toss)
    names = _names(wish, kinds, seat)
    mine = hashed(token)
    both = wish.opponent == SCREEN
    if start is not None:
        # Whatever else its tags say is of no use here, and nobody would ever read it.
        start = start._replace(names=names, kinds=kinds, date="", other=())
    return MatchHeader(
        match=match,
        game=name_of(game),
        settings=game.settings_text,
        seed=new_seed() if is_sealed(game) and start is None else "",
        start="" if start is None else start.text(),
        opponent=wish.opponent,
        names=names,
        kinds=kinds,
        tokens=(mine if both or seat == 0 else b"", mine if both or seat == 1 else b""),
        invite=hashed(invite) if wish.opponent == FRIEND else b"",
        round=1,
        rounds=wish.rounds,
        points=(0, 0),
        created=now,
        owner=owner,
        date=date,
        marks=wish.marks,
    )


def rematch(state: MatchState, match: str, new_seed: Callable[[], str], now: float, date: str = "") -> MatchHeader:
    """The match after this one, with seats changed: the next round, or a new series."""
    header = state.header
    goes_on = state.unplayed or header.round < header.rounds
    return replace(
        header,
        match=match,
        seed=new_seed() if is_sealed(state.line.game) else "",
        start="",
        names=state.names[::-1],
        kinds=header.kinds[::-1],
        tokens=state.tokens[::-1],
        invite=b"",
        round=header.round + (not state.unplayed) if goes_on else 1,
        points=state.wins[::-1] if goes_on else (0, 0),
        created=now,
        date=date,
    )


def checked_name(name: str) -> str:
    """A name as a person gave it, in the one way of writing it; refused where it is none."""
    why = bad_name(name)
    if why is not None:
        raise Refusal("bad-request", Said("because", {"why": why}))
    return one_way(name)


def checked_level(level: str) -> str:
    """A level of the computer, by its name; refused where there is none of that name."""
    if level not in PLAYERS:
        raise Refusal("bad-request", Said("opponent-unknown", {"allowed": [*PLAYERS]}))
    return level


def checked_key(key: str | None) -> str:
    """What a request is called by whoever asks; empty where it is not called anything."""
    if key is not None and (not 1 <= len(key) <= 64 or "\0" in key):
        raise Refusal("bad-request", Said("key-none"))
    return key or ""


def _rules(wish: Wish) -> tuple[Game[Any], Record | None]:
    """The game, and the record that it goes on from, if any: one with a known deal has only that in it."""
    if wish.record is None:
        if wish.at is not None:
            raise Refusal("bad-request", Said("at-without-record"))
        if wish.game is None:
            raise Refusal("bad-request", Said("game-missing"))
        first = list(wish.settings.items())[:MOST_SETTINGS]
        if not all(isinstance(value, bool | int | str) and len(name) <= 40 for name, value in first):
            raise Refusal("bad-request", Said("settings-none"))
        try:
            game = make_game(wish.game, **dict(first))
            if wish.seed is None:
                return game, None
            if not game.chance:
                raise Refusal("bad-request", Said("seed-of-nothing", {"game": game.slug}))
            return game, Record(Match(game, seed=wish.seed))
        except (BadSetting, BadDeal) as error:
            raise Refusal("bad-request", Said("because", {"why": str(error)})) from None
    if wish.opponent == FRIEND:
        raise Refusal("bad-request", Said("record-with-friend"))
    if wish.settings:
        raise Refusal("bad-request", Said("record-has-rules"))
    if wish.seed is not None:
        raise Refusal("bad-request", Said("record-has-deal"))
    try:
        record = Record.read(wish.record)
    except RecordError as error:
        raise Refusal("bad-request", Said("record-none", {"why": str(error)}), error.line) from None
    length = len(record.match.history)
    if wish.at is not None and wish.at > length:
        raise Refusal("bad-request", Said("at-beyond", {"at": wish.at, "length": length}))
    record = record.cut_back(length if wish.at is None else wish.at)
    if record.match.outcome is not None:
        raise Refusal("bad-request", Said("record-over"))
    return record.match.game, record


def _seats(wish: Wish, toss: Callable[[], int]) -> tuple[tuple[str, str], int]:
    """Who plays on each seat, and where the one who asks sits."""
    if wish.opponent not in (FRIEND, SCREEN, *PLAYERS):
        raise Refusal("bad-request", Said("opponent-unknown", {"allowed": [FRIEND, SCREEN, *PLAYERS]}))
    seat = toss() if wish.seat == "toss" else wish.seat - 1
    other = HUMAN if wish.opponent in (FRIEND, SCREEN) else wish.opponent
    return ((HUMAN, other) if seat == 0 else (other, HUMAN)), seat


def _names(wish: Wish, kinds: tuple[str, str], seat: int) -> tuple[str, str]:
    names = [player_name(at, wish.rounds) if kinds[at] == HUMAN else computer_name(kinds[at]) for at in (0, 1)]
    if wish.name is not None:
        names[seat] = checked_name(wish.name)
    if wish.other_name is not None:
        if wish.opponent != SCREEN:
            raise Refusal("bad-request", Said("other-name"))
        names[1 - seat] = checked_name(wish.other_name)
    return names[0], names[1]
