"""One match as the server plays it: its log folded into who sits where and how the game stands.

The log is all there is. An entry is a move as the game writes it, or one of these deeds:

    !join HASH NAME    somebody took the seat, whose token has this SHA-256
    !resign
    !take-back         at once where no other person is asked; otherwise the question
    !agree  !refuse    the answer to it
    !rematch           this seat wants another game
    !hint              this seat was given a hint

Reveals are not in it: they follow from the seed, which only the dealer has.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from numberquest import dealer as dealers
from numberquest.games import game as make_game
from numberquest.match import Match
from numberquest.record import HUMAN, Record
from numberquest.sentences import Said, told
from numberquest.server import wire
from numberquest.server.boards import end, shown
from numberquest.settings import BadSetting, read_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numberquest.contract import Game
    from numberquest.server.boards import Shown
    from numberquest.server.store.contract import Entry, Kept, StoreError

FRIEND: Final = "friend"
SCREEN: Final = "screen"

JOIN, RESIGN, TAKE_BACK, AGREE, REFUSE, REMATCH, HINT = (
    "!join",
    "!resign",
    "!take-back",
    "!agree",
    "!refuse",
    "!rematch",
    "!hint",
)

_encode = msgspec.json.Encoder().encode


class Refusal(Exception):
    """A request that cannot be done: a word for programs, and what is to be told to people. Nothing has changed.

    `line` is where a record goes wrong, if that is what it is about.
    """

    def __init__(self, code: str, said: Said, line: int | None = None) -> None:
        super().__init__(told(said))
        self.code = code
        self.said = said
        self.line = line

    def problem(self) -> wire.Problem:
        """It as an answer."""
        return wire.Problem(self.code, str(self), self.line, wire.Said(*self.said))


def refusal_of(error: Refusal | StoreError) -> Refusal:
    """What cannot be stored is refused too."""
    return error if isinstance(error, Refusal) else Refusal("not-stored", Said("because", {"why": str(error)}))


class RuleSet(NamedTuple):
    """A game, and what every state says of its rules; the same object for all matches with the same rules."""

    game: Game[Any]
    settings: dict[str, bool | int | str]
    shown: Shown


@lru_cache(maxsize=1024)
def rules_of(slug: str, settings: str) -> RuleSet:
    """The rules that a match was made with; refused where the game is not here any more."""
    try:
        game = make_game(slug, **read_settings(settings.split()))
    except BadSetting:
        raise Refusal("not-found", Said("match-of-game", {"game": slug})) from None
    return RuleSet(game, game.settings, shown(game))


class LiveMatch:
    """A match, folded from its log. Only `apply` changes it."""

    __slots__ = (
        "_lines",
        "_name_of_next",
        "_next",
        "_players",
        "_rules",
        "_shown",
        "asked",
        "hints",
        "joined",
        "kept",
        "log",
        "match",
        "names",
        "outcome",
        "tokens",
        "wants",
    )

    def __init__(self, kept: Kept, log: Sequence[Entry] = (), name_of_next: Callable[[str], str] = str) -> None:
        """`name_of_next` says what a rematch of the match of this name is called."""
        self.kept = kept
        self._rules = rules_of(kept.game, kept.settings)
        self.log: list[Entry] = []
        self.match: Match[Any] = started(kept)
        self.outcome = self.match.outcome
        self.names = list(kept.names)
        self.tokens = list(kept.tokens)
        self.joined = [kept.kinds[seat] != HUMAN or bool(kept.tokens[seat]) for seat in (0, 1)]
        self.hints = [0, 0]
        self.asked: int | None = None
        self.wants: set[int] = set()
        self._name_of_next = name_of_next
        self._next: str | None = None
        self._lines: list[wire.Line] = []
        self._shown: bytes | None = None
        self._players = self._seated()
        self._tell()
        for entry in log:
            self.apply(entry)

    # ---- what everybody may see

    @property
    def opponent(self) -> str:
        """Who plays against whoever made the match: `friend`, `screen` or `computer`."""
        return self.kept.opponent if self.kept.opponent in (FRIEND, SCREEN) else "computer"

    @property
    def over(self) -> bool:
        """Whether the game has ended, also in a draw."""
        return self.outcome is not None

    @property
    def turn(self) -> int | None:
        """Whose turn it is, 0 or 1; None while somebody is missing, and when the game is over."""
        return self.match.player if self.outcome is None and all(self.joined) else None

    @property
    def computer_to_move(self) -> bool:
        """Whether the computer is to move."""
        turn = self.turn
        return turn is not None and self.kept.kinds[turn] != HUMAN

    def shown(self, computer: wire.Said | None = None) -> bytes:
        """The state as JSON, the same for everybody; worked out once after each change, if nothing else is told."""
        if computer is not None:
            return _encode(self.state(computer))
        if self._shown is None:
            self._shown = _encode(self.state())
        return self._shown

    def state(self, computer: wire.Said | None = None) -> wire.State:
        """What everybody may know of the match; `computer` is what is told about how the computer chooses."""
        match, kept, game, shown = self.match, self.kept, self.match.game, self._rules.shown
        outcome, turn = self.outcome, self.turn
        return wire.State(
            match=kept.match,
            ply=len(self.log),
            game=game.slug,
            title=game.title,
            short_title=game.short_title,
            settings=self._rules.settings,
            chance=game.chance,
            opponent=self.opponent,  # type: ignore[arg-type]  # one of the three
            practice=bool(kept.start),
            players=self._players,
            turn=None if turn is None else turn + 1,
            moves=[] if turn is None else shown.options(match.position),
            view=shown.view,
            board=shown.board(match.positions, match.history),
            history=self._lines,
            outcome=end(game, outcome, match.resigned is not None),
            take_back=wire.TakeBack(
                None if self.asked is None else self.asked + 1,
                (_wired(self.take_back_refusal(0)), _wired(self.take_back_refusal(1))),
            ),
            seal=sealed(match.dealer, game, outcome is not None),
            series=wire.Series(kept.round, kept.rounds, self.points),
            rematch=[seat + 1 for seat in sorted(self.wants)],
            next=self._next,
            computer=computer,
        )

    @property
    def wins(self) -> tuple[int, int]:
        """How many rounds of the series each has won, with this one once it is over."""
        one, two = self.kept.points
        winner = None if self.outcome is None else self.outcome.winner
        return one + (winner == 0), two + (winner == 1)

    @property
    def points(self) -> tuple[float, float]:
        """The points of the series: a round that nobody won is half a point for both."""
        one, two = self.wins
        drawn = (self.kept.round - (self.outcome is None) - one - two) / 2
        return one + drawn, two + drawn

    def record(self) -> Record:
        """The match as a record; only for a game that is over, for the seed is in it."""
        kept = self.kept
        tags = [(f"Hints{seat + 1}", str(used)) for seat, used in enumerate(self.hints) if used]
        if kept.rounds > 1:
            tags += [("Round", f"{kept.round}/{kept.rounds}"), ("Points", f"{kept.points[0]}-{kept.points[1]}")]
        date = datetime.fromtimestamp(kept.created, UTC).date().isoformat()
        return Record(self.match, (self.names[0], self.names[1]), kept.kinds, date, tuple(tags))

    def _seated(self) -> tuple[wire.PlayerState, wire.PlayerState]:
        one, two = (
            wire.PlayerState(self.names[seat], self.kept.kinds[seat], self.joined[seat], self.hints[seat])
            for seat in (0, 1)
        )
        return one, two

    # ---- what is allowed

    def check(self, seat: int, text: str) -> None:
        """Refuse what this seat may not do now."""
        if not text.startswith("!"):
            self._check_move(seat, text)
        elif text.startswith(JOIN):
            if self.joined[seat]:
                raise Refusal("not-allowed", Said("seat-taken"))
        elif text == REMATCH:
            if not self.over:
                raise Refusal("not-allowed", Said("rematch-early"))
            if seat in self.wants or self._next is not None:
                raise Refusal("not-allowed", Said("rematch-asked"))
        elif self.over:
            raise Refusal("not-allowed", Said("game-over"))
        elif not all(self.joined):
            raise Refusal("not-allowed", Said("other-missing"))
        elif text == TAKE_BACK:
            why = self.take_back_refusal(seat)
            if why is not None:
                raise Refusal("not-allowed", why)
        elif text in (AGREE, REFUSE):
            if self.asked is None or self.asked == seat:
                raise Refusal("not-allowed", Said("nobody-asked"))
            why = self.match.take_back_refusal(self.asked)
            if text == AGREE and why is not None:
                raise Refusal("not-allowed", why)
        elif text == HINT and self.turn != seat:
            raise Refusal("not-allowed", Said("not-your-turn"))

    def _check_move(self, seat: int, move: str) -> None:
        if self.over:
            raise Refusal("not-allowed", Said("game-over"))
        if not all(self.joined):
            raise Refusal("not-allowed", Said("other-missing"))
        if self.match.player != seat:
            raise Refusal("not-allowed", Said("not-your-turn"))
        allowed = self.match.moves
        if move not in allowed:
            raise Refusal("not-allowed", Said("not-allowed", {"move": move, "allowed": allowed}))

    def take_back_refusal(self, seat: int) -> Said | None:
        """Why this seat's last move cannot be taken back now, or None."""
        if self.over:
            return Said("game-over")
        if self.asked is not None:
            return Said("asked-already" if self.asked == seat else "answer-first")
        return self.match.take_back_refusal(seat)

    def seat_for(self, text: str, seats: Sequence[int], wanted: int | None) -> int:
        """Which of somebody's seats does this: the one they name, the one whose turn it is, or the only one."""
        if not seats:
            raise Refusal("no-seat", Said("watching"))
        if wanted is not None:
            if wanted not in seats:
                raise Refusal("no-seat", Said("seat-of-other"))
            return wanted
        if len(seats) == 1:
            return seats[0]
        if text in (AGREE, REFUSE) and self.asked is not None:
            return 1 - self.asked
        if text == TAKE_BACK and self.match.history:
            # At one screen, whoever asks wants the last move back, whoever made it.
            last = self.match.last_player
            return last if last in (0, 1) else seats[0]
        if text == REMATCH:
            return next((seat for seat in seats if seat not in self.wants), seats[0])
        return self.match.player

    # ---- the fold

    def apply(self, entry: Entry) -> None:
        """Take in the next entry of the log, which has been checked."""
        text, seat = entry.text, entry.seat
        self.log.append(entry)
        self._shown = None
        if not text.startswith("!"):
            self.match.play(text)
            self.outcome = self.match.outcome
            self.asked = None
            self._tell()
        elif text.startswith(JOIN):
            _, token, name = text.split(" ", 2)
            self.tokens[seat], self.names[seat], self.joined[seat] = bytes.fromhex(token), name, True
            self._players = self._seated()
        elif text == RESIGN:
            self.match.resign(seat)
            self.outcome = self.match.outcome
            self.asked = None
        elif text == TAKE_BACK:
            if self.opponent == FRIEND:
                self.asked = seat
            else:
                self._take_back(seat)
        elif text == AGREE and self.asked is not None:
            self._take_back(self.asked)
        elif text == REFUSE:
            self.asked = None
        elif text == HINT:
            self.hints[seat] += 1
            self._players = self._seated()
        elif text == REMATCH:
            self.wants.add(seat)
            if self.enough(self.wants):
                self._next = self._name_of_next(self.kept.match)

    def enough(self, wants: set[int]) -> bool:
        """Whether there is a rematch when these seats want one: all people do, or, at one screen, one of them."""
        return self.opponent == SCREEN or wants >= {seat for seat in (0, 1) if self.kept.kinds[seat] == HUMAN}

    def earlier(self, ply: int) -> LiveMatch:
        """The match as it was when its log had so many entries."""
        return LiveMatch(self.kept, self.log[:ply], self._name_of_next)

    def _take_back(self, seat: int) -> None:
        self.match.take_back(seat)
        self.asked = None
        del self._lines[len(self.match.history) :]

    def _tell(self) -> None:
        """Take in what is new in the history."""
        positions, history = self.match.positions, self.match.history
        for at in range(len(self._lines), len(history)):
            self._lines.append(self._rules.shown.line(positions[at], history[at], positions[at + 1]))


def started(kept: Kept) -> Match[Any]:
    """The match as it was before the first entry of its log."""
    if kept.start:
        return Record.read(kept.start).match
    game = rules_of(kept.game, kept.settings).game
    return Match(game, dealer=dealers.sealed(game, kept.seed) if game.chance else dealers.Dealer(()))


def sealed(dealer: dealers.Dealer, game: Game[Any], over: bool) -> wire.Seal | None:
    """The promise about what is hidden; what was promised is told when the game is over."""
    if dealer.commitment is None:
        return None
    return wire.Seal(dealer.commitment, dealer.seed if over else None, list(game.deck) if over else [])


def _wired(said: Said | None) -> wire.Said | None:
    if said is None:
        return None
    return wire.Said(*said) if said.facts else _plain(said.code)


@lru_cache(maxsize=64)
def _plain(code: str) -> wire.Said:
    """A sentence without gaps: the same few again and again, in every state."""
    return wire.Said(code, {})
