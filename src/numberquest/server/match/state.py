"""How a match stands: its log, folded. `state.apply(entry)` is the state after it, or refuses; nothing ever changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import ceil
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from numberquest.core import dealer as dealers
from numberquest.core.contract import Game, IllegalMove, Outcome
from numberquest.core.line import Line, started
from numberquest.core.match import Match
from numberquest.core.record import HUMAN, PRACTICE, Record, match_in
from numberquest.core.registry import game as make_game
from numberquest.core.sentences import Said
from numberquest.core.settings import BadSetting, read_settings
from numberquest.server.match import entries
from numberquest.server.match.entries import FRIEND, SCREEN, Action, Entry, MatchHeader, Move
from numberquest.server.refusal import Refusal

BOTH: Final = (True, True)


class MatchState(Struct, frozen=True, gc=False):
    """A match after so many entries of its log."""

    header: MatchHeader
    ply: int
    """How many entries the log has."""
    line: Line[Any]
    """The game itself."""
    outcome: Outcome | None
    turn: int | None
    """Whose turn it is, 0 or 1; None while somebody is missing, and when the game is over."""
    names: tuple[str, str]
    tokens: tuple[bytes, bytes]
    joined: tuple[bool, bool]
    hints: tuple[int, int]
    """How many hints each player has used."""
    asked: int | None = None
    """Who has asked the other to take a move back."""
    wants: frozenset[int] = frozenset()
    """The seats that want another game."""
    withdrawn: bool = False
    """Whether the invitation was taken back before anybody came."""
    entry: Entry | None = None
    """The last entry, and the state before it; none at the start."""
    before: MatchState | None = None

    # ---- what can be known of it

    @property
    def opponent(self) -> str:
        """Who plays against whoever made the match: `friend`, `screen` or `computer`."""
        return self.header.opponent if self.header.opponent in (FRIEND, SCREEN) else "computer"

    @property
    def over(self) -> bool:
        """Whether the game has ended, also in a draw."""
        return self.outcome is not None

    @property
    def computer_to_move(self) -> bool:
        turn = self.turn
        return turn is not None and self.header.kinds[turn] != HUMAN

    @property
    def wins(self) -> tuple[int, int]:
        """How many rounds of the series each has won, with this one once it is over."""
        one, two = self.header.points
        winner = None if self.outcome is None else self.outcome.winner
        return one + (winner == 0), two + (winner == 1)

    @property
    def points(self) -> tuple[float, float]:
        """The points of the series: a round that nobody won is half a point for both."""
        one, two = self.wins
        drawn = (self.header.round - (self.line.outcome is None) - one - two) / 2
        return one + drawn, two + drawn

    @property
    def unplayed(self) -> bool:
        """Whether it was ended without a result: then the round is played anew."""
        return self.over and self.line.outcome is None

    def waited(self, now: float) -> float:
        """For how many seconds whoever's turn it is has had it and done nothing, whatever the other did meanwhile."""
        state = self
        while state.before and state.entry and state.before.turn == self.turn != state.entry.seat:
            state = state.before
        return now - (state.entry.at if state.entry else state.header.created)

    def rematch_with(self, seat: int | None = None) -> bool:
        """Whether there is a rematch, if this seat wants one too: all people do, or, at one screen, one of them."""
        wants = self.wants if seat is None else self.wants | {seat}
        people = {at for at in (0, 1) if self.header.kinds[at] == HUMAN}
        return bool(wants) if self.opponent == SCREEN else wants >= people

    @property
    def withdrawal(self) -> Refusal | None:
        """What is told to somebody who comes after the invitation was taken back."""
        if not self.withdrawn:
            return None
        return Refusal("not-allowed", Said("invitation-withdrawn", {"name": self.names[self.joined.index(True)]}))

    def take_back_refusal(self, seat: int) -> Said | None:
        """Why this seat's last move cannot be taken back now, or None."""
        if self.outcome is not None:
            return Said("game-over")
        if self.asked is not None:
            return Said("asked-already" if self.asked == seat else "answer-first")
        return self.line.take_back_refusal(seat)

    def seat_for(self, do: str | None, seats: Sequence[int], wanted: int | None = None) -> int:
        """Which of somebody's seats does this (None: a move): the one they name, the only one, or whose turn it is."""
        if not seats:
            raise Refusal("no-seat", Said("watching"))
        if wanted is not None:
            if wanted not in seats:
                raise Refusal("no-seat", Said("seat-of-other"))
            return wanted
        if len(seats) == 1:
            return seats[0]
        if do in (entries.AGREE, entries.REFUSE) and self.asked is not None:
            return 1 - self.asked
        if do == entries.TAKE_BACK and self.line.length:
            # At one screen, whoever asks wants the last move back, whoever made it.
            last = self.line.last_player
            return last if last in (0, 1) else seats[0]
        if do == entries.REMATCH:
            return next((seat for seat in seats if seat not in self.wants), seats[0])
        return self.line.player

    def earlier(self, ply: int) -> MatchState:
        """The match as it was when its log had so many entries."""
        state = self
        while state.ply > ply and state.before is not None:
            state = state.before
        return state

    def log(self) -> list[Entry]:
        """Everything that has happened, oldest first."""
        found, state = [], self
        while state.before is not None and state.entry is not None:
            found.append(state.entry)
            state = state.before
        return found[::-1]

    @property
    def looked_ahead(self) -> tuple[bool, bool]:
        """Which of the players are computers that had to look ahead."""
        seats = {entry.seat for entry in self.log() if entry.key == entries.AHEAD}
        one, two = (seat in seats and self.header.kinds[seat] != HUMAN for seat in (0, 1))
        return one, two

    def record(self) -> Record:
        """The match as a record; only for a game that is over, for the seed is in it."""
        header = self.header
        tags = [PRACTICE] if header.start else []
        tags += [(f"Hints{seat + 1}", str(used)) for seat, used in enumerate(self.hints) if used]
        tags += [(f"Ahead{seat + 1}", "yes") for seat, ahead in enumerate(self.looked_ahead) if ahead]
        if header.rounds > 1:
            tags += [("Round", f"{header.round}/{header.rounds}"), ("Points", f"{header.points[0]}-{header.points[1]}")]
        return Record(Match.at(self.line), self.names, header.kinds, header.date, tuple(tags))

    # ---- the fold

    def apply(self, entry: Entry) -> MatchState:
        """The match after this entry, which must be the next one; refused where it may not be."""
        if entry.ply != self.ply:
            raise Refusal("late", Said("stands", {"stands": self.ply, "ply": entry.ply}))
        if type(entry) is Move:
            return self._moved(entry)
        if type(entry) is not Action or entry.do not in _ACTIONS:
            raise Refusal("bad-request", Said("deed-unknown"))
        return _ACTIONS[entry.do](self, entry)

    def _after(self, entry: Entry, **changed: Any) -> MatchState:
        return replace(self, ply=self.ply + 1, entry=entry, before=self, **changed)

    def _going_on(self) -> None:
        """Refuse what is only for a game that both play."""
        if self.outcome is not None:
            raise Refusal("not-allowed", Said("game-over"))
        if self.joined != BOTH:
            raise self.withdrawal or Refusal("not-allowed", Said("other-missing"))

    def _moved(self, entry: Move) -> MatchState:
        if self.turn != entry.seat:
            self._going_on()
            raise Refusal("not-allowed", Said("not-your-turn"))
        try:
            line = self.line.play(entry.move)
        except IllegalMove as error:
            raise Refusal("not-allowed", error.said) from None
        outcome = line.outcome
        return self._after(entry, line=line, outcome=outcome, turn=_turn(line, outcome, BOTH), asked=None)

    def _joined(self, entry: Action) -> MatchState:
        seat, joined = entry.seat, _put(self.joined, entry.seat, True)
        if self.joined[seat]:
            raise Refusal("not-allowed", Said("seat-taken"))
        if self.withdrawal is not None:
            raise self.withdrawal
        return self._after(
            entry,
            names=_put(self.names, seat, entry.name),
            tokens=_put(self.tokens, seat, entry.token),
            joined=joined,
            turn=_turn(self.line, self.outcome, joined),
        )

    def _withdrawn(self, entry: Action) -> MatchState:
        if self.withdrawal is not None:
            raise self.withdrawal
        if self.opponent != FRIEND or self.joined == BOTH:
            raise Refusal("not-allowed", Said("nobody-awaited"))
        return self._after(entry, withdrawn=True)

    def _resigned(self, entry: Action) -> MatchState:
        self._going_on()
        line = self.line.resign(entry.seat)
        return self._after(entry, line=line, outcome=line.outcome, turn=None, asked=None)

    def _ended(self, entry: Action) -> MatchState:
        self._going_on()
        if self.opponent != FRIEND or self.turn is None or self.turn == entry.seat:
            raise Refusal("not-allowed", Said("nobody-waited-for"))
        name, left = self.names[self.turn], entries.PATIENCE - self.waited(entry.at)
        if left > 0:
            raise Refusal("not-allowed", Said("end-early", {"name": name, "minutes": ceil(left / 60)}))
        outcome = Outcome(None, "without-result", {"name": self.names[entry.seat], "other": name})
        return self._after(entry, outcome=outcome, turn=None, asked=None)

    def _stopped(self, entry: Action) -> MatchState:
        self._of_class()
        self._going_on()
        return self._after(entry, outcome=Outcome(None, "class-stopped"), turn=None, asked=None)

    def _seated(self, entry: Action) -> MatchState:
        self._of_class()
        names, tokens = _put(self.names, entry.seat, entry.name), _put(self.tokens, entry.seat, entry.token)
        return self._after(entry, names=names, tokens=tokens)

    def _of_class(self) -> None:
        if not self.header.classroom:
            raise Refusal("not-allowed", Said("deed-unknown"))

    def _take_back(self, entry: Action) -> MatchState:
        self._going_on()
        why = self.take_back_refusal(entry.seat)
        if why is not None:
            raise Refusal("not-allowed", why)
        if self.opponent == FRIEND:
            return self._after(entry, asked=entry.seat)
        return self._back(entry, entry.seat)

    def _answered(self, entry: Action) -> MatchState:
        self._going_on()
        if self.asked is None or self.asked == entry.seat:
            raise Refusal("not-allowed", Said("nobody-asked"))
        if entry.do == entries.REFUSE:
            return self._after(entry, asked=None)
        why = self.line.take_back_refusal(self.asked)
        if why is not None:
            raise Refusal("not-allowed", why)
        return self._back(entry, self.asked)

    def _back(self, entry: Action, seat: int) -> MatchState:
        line = self.line.taken_back(seat)
        return self._after(entry, line=line, turn=line.player, asked=None)

    def _hinted(self, entry: Action) -> MatchState:
        self._going_on()
        if self.turn != entry.seat:
            raise Refusal("not-allowed", Said("not-your-turn"))
        return self._after(entry, hints=_put(self.hints, entry.seat, self.hints[entry.seat] + 1))

    def _wants_rematch(self, entry: Action) -> MatchState:
        if self.outcome is None:
            raise Refusal("not-allowed", Said("rematch-early"))
        if entry.seat in self.wants or self.rematch_with():
            raise Refusal("not-allowed", Said("rematch-asked"))
        return self._after(entry, wants=self.wants | {entry.seat})


_ACTIONS: Final[dict[str, Callable[[MatchState, Action], MatchState]]] = {
    entries.JOIN: MatchState._joined,
    entries.RESIGN: MatchState._resigned,
    entries.TAKE_BACK: MatchState._take_back,
    entries.AGREE: MatchState._answered,
    entries.REFUSE: MatchState._answered,
    entries.HINT: MatchState._hinted,
    entries.REMATCH: MatchState._wants_rematch,
    entries.WITHDRAW: MatchState._withdrawn,
    entries.END: MatchState._ended,
    entries.STOP: MatchState._stopped,
    entries.SEAT: MatchState._seated,
}


def _turn(line: Line[Any], outcome: Outcome | None, joined: tuple[bool, bool]) -> int | None:
    return line.player if outcome is None and joined == BOTH else None


def _put(pair: tuple[Any, Any], seat: int, value: Any) -> tuple[Any, Any]:
    return (pair[0], value) if seat else (value, pair[1])


@lru_cache(maxsize=1024)
def game_of(slug: str, settings: str) -> Game[Any]:
    """The rules that a match was made with; refused where the game is not here any more."""
    try:
        return make_game(slug, **read_settings(settings.split()))
    except BadSetting:
        raise Refusal("not-found", Said("match-of-game", {"game": slug})) from None


def new_state(header: MatchHeader) -> MatchState:
    """A match before the first entry of its log."""
    if header.start:
        line = match_in(header.start).line
    else:
        game = game_of(header.game, header.settings)
        line = started(game, dealers.sealed(game, header.seed) if dealers.is_sealed(game) else dealers.Dealer(()))
    joined = (header.kinds[0] != HUMAN or bool(header.tokens[0]), header.kinds[1] != HUMAN or bool(header.tokens[1]))
    turn = _turn(line, line.outcome, joined)
    return MatchState(header, 0, line, line.outcome, turn, header.names, header.tokens, joined, (0, 0))


def folded(header: MatchHeader, log: Iterable[Entry]) -> MatchState:
    """A match after all of its log."""
    state = new_state(header)
    for entry in log:
        state = state.apply(entry)
    return state
