"""How a match stands, as messages: whole, or what one entry has changed. Both say only what everybody may know."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

import msgspec

from numberquest.server import wire
from numberquest.server.boards import Shown, end, sealed, shown
from numberquest.server.match.state import game_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.sentences import Said
    from numberquest.server.match.state import MatchState


class Showing:
    """Shows matches. It knows what a rematch will be called, which nobody else can."""

    def __init__(self, name_of_next: Callable[[str], str]) -> None:
        """`name_of_next` says what a rematch of the match of this name is called."""
        self._name_of_next = name_of_next

    def whole(self, state: MatchState, computer: wire.Said | None = None) -> wire.State:
        """Everything; `computer` is what is told about how the computer chooses."""
        kept, line, outcome, turn = state.kept, state.line, state.outcome, state.turn
        look = _look(kept.game, kept.settings)
        game = look.game
        return wire.State(
            match=kept.match,
            ply=state.ply,
            game=game.slug,
            title=game.title,
            short_title=game.short_title,
            settings=look.settings,
            chance=game.chance,
            opponent=state.opponent,  # type: ignore[arg-type]  # one of the three
            practice=bool(kept.start),
            players=_players(state),
            turn=None if turn is None else turn + 1,
            moves=_moves(state, look),
            view=look.view,
            board=look.board_at(line),
            history=_history(state, look, 0),
            outcome=end(game, outcome, line.resigned is not None),
            take_back=_take_back(state),
            seal=sealed(line.dealer, game, outcome is not None),
            series=_series(state),
            rematch=_rematch(state),
            withdrawn=state.withdrawn,
            marks=kept.marks,
            next=self._next(state),
            computer=computer,
        )

    def change(self, state: MatchState) -> wire.Change:
        """What the last entry of its log has changed."""
        before = state.before
        if before is None:
            raise LookupError("nothing has happened yet")
        change = wire.Change(state.ply)
        if state.line is not before.line or state.joined != before.joined:
            turn = state.turn
            look = _look(state.kept.game, state.kept.settings)
            change.turn, change.moves = None if turn is None else turn + 1, _moves(state, look)
            self._played(state, before, change, look)
        if state.line is not before.line or state.asked != before.asked:
            change.take_back = _take_back(state)
        if state.joined != before.joined or state.hints != before.hints:
            change.players = _players(state)
        if state.withdrawn != before.withdrawn:
            change.withdrawn = state.withdrawn
        if state.wants != before.wants:
            change.rematch = _rematch(state)
            change.next = self._next(state) or msgspec.UNSET
        return change

    def _played(self, state: MatchState, before: MatchState, change: wire.Change, look: Shown) -> None:
        line = state.line
        if line.length != before.line.length:
            change.since = min(line.length, before.line.length)
            change.history = _history(state, look, change.since)
            change.board = look.board_at(line)
        if state.outcome is not None:
            game = line.game
            change.outcome = end(game, state.outcome, line.resigned is not None) or msgspec.UNSET
            change.seal = sealed(line.dealer, game, True) or msgspec.UNSET
            change.series = _series(state)

    def _next(self, state: MatchState) -> str | None:
        return self._name_of_next(state.kept.match) if state.wants and state.rematch_with() else None


@lru_cache(maxsize=128)
def _look(slug: str, settings: str) -> Shown:
    return shown(game_of(slug, settings))


def _moves(state: MatchState, look: Shown) -> list[wire.Option]:
    """The options of whose turn it is; most of them are kept as JSON, ready to be passed on."""
    line = state.line
    if state.turn is None:
        return []
    if not state.kept.marks:
        return [wire.Option(move) for move in line.moves]
    return cast("list[wire.Option]", look.options_json(line.position, line.moves))


def _history(state: MatchState, look: Shown, since: int) -> list[wire.Line]:
    return [
        look.line(line.before.position, line.entry, line.position) for line in state.line.since(since) if line.before
    ]


def _players(state: MatchState) -> tuple[wire.PlayerState, wire.PlayerState]:
    one, two = (
        wire.PlayerState(state.names[seat], state.kept.kinds[seat], state.joined[seat], state.hints[seat])
        for seat in (0, 1)
    )
    return one, two


def _take_back(state: MatchState) -> wire.TakeBack:
    asked = None if state.asked is None else state.asked + 1
    return wire.TakeBack(asked, (_wired(state.take_back_refusal(0)), _wired(state.take_back_refusal(1))))


def _series(state: MatchState) -> wire.Series:
    return wire.Series(state.kept.round, state.kept.rounds, state.points)


def _rematch(state: MatchState) -> list[int]:
    return [seat + 1 for seat in sorted(state.wants)]


def _wired(said: Said | None) -> wire.Said | None:
    if said is None:
        return None
    return wire.Said(*said) if said.facts else _plain(said.code)


@lru_cache(maxsize=64)
def _plain(code: str) -> wire.Said:
    """A sentence without gaps: the same few again and again, in every state."""
    return wire.Said(code, {})
