"""What lies on the table, what may be done, and what was done: positions and matches as messages.

They are made from the game's own view. A match is shown whole, or what one entry has changed; both say only what
whoever looks may know: in games without secrets the same to everybody.

Nothing here decides anything: what a move comes to is looked up in the game. All of it runs in the event loop for
every move, so what comes again and again is kept. The lists and messages handed out are shared: nobody changes them.

A game whose drawn board needs more than the view gives has a `board.py` beside its rules, with any of these:

    more(game, positions, history)      further fields of the board
    facts(game, before, entry, after)   what the words of a move need besides
    depends(game, position)             all of a position that counts for what its moves come to
"""

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Any, Final, Literal, cast

import msgspec

from numberquest.core.contract import CHANCE, Game, Outcome
from numberquest.core.dealer import Dealer
from numberquest.core.line import Line
from numberquest.core.record import sealed_choices
from numberquest.core.registry import name_of, part
from numberquest.core.seen_history import HIDDEN, shown_history, told_history
from numberquest.core.sentences import Said
from numberquest.core.view import filled, looks, progress_of, view_of
from numberquest.server import wire
from numberquest.server.match.state import MatchState, game_of

EVERYTHING: Final = "everything"
"""Who sees all of it: anybody, in a game without secrets, and where it is over."""
Viewer = int | Literal["everything"] | None
"""As whom somebody sees a match: 0, 1, or None, who watches."""
MOST_KEPT: Final = 400
"""For so many of those that a game's moves depend on, what they come to is kept; then it begins anew."""


def end(game: Game[Any], outcome: Outcome | None, resigned: bool) -> wire.End | None:
    """How a game ended, if it did."""
    if outcome is None:
        return None
    winner = None if outcome.winner is None else outcome.winner + 1
    return wire.End(winner, outcome.reason, {"bound": game.bound, **outcome.facts}, resigned)


def sealed(dealer: Dealer, game: Game[Any], over: bool) -> wire.Seal | None:
    """The promise about what is hidden; what was promised is told when the game is over."""
    if dealer.commitment is None:
        return None
    return wire.Seal(dealer.commitment, dealer.seed if over else None, list(game.deck) if over else [])


def unjudged(option: wire.Option) -> wire.Option:
    """The same move without a word about winning, for somebody who is to find that out."""
    return wire.Option(option.move, option.result, facts=option.facts)


class Shown:
    """One rule set as messages."""

    def __init__(self, game: Game[Any]) -> None:
        own = part(type(game), "board")
        self.game = game
        self.view = msgspec.convert(looks(game), list[wire.ViewField])
        self.head: dict[str, Any] = {
            "game": name_of(game),
            "title": game.title,
            "short_title": game.short_title,
            "settings": game.settings,
            "view": self.view,
        }
        """What every `wire.OfGame` begins with."""
        self._fields = view_of(game)
        self._more: Callable[..., wire.Board] | None = getattr(own, "more", None)
        self._facts: Callable[..., wire.Facts] | None = getattr(own, "facts", None)
        self._depends: Callable[..., Hashable] | None = getattr(own, "depends", None)
        progress = progress_of(game)
        self._score = None if progress is None else progress.value
        self._cells = next((field.name for field in self._fields if field.kind == "cells" and own is None), None)
        self._known: dict[Hashable, dict[str, bytes]] = {}

    def board(self, positions: Sequence[Any], history: Sequence[str]) -> wire.Board:
        """The table at the last of these positions."""
        found = self._seen(positions[-1])
        if self._more is not None:
            found.update(self._more(self.game, positions, history))
        return found

    def board_at(self, line: Line[Any]) -> wire.Board:
        """The table at the end of this line; how it came there is looked up only where that is needed."""
        return self._seen(line.position) if self._more is None else self.board(line.positions, line.history)

    def board_for(self, line: Line[Any], who: Viewer) -> wire.Board:
        """The same, as it is seen by somebody."""
        if isinstance(who, str):
            return self.board_at(line)
        seen = [self.game.sees(p, who) for p in line.positions]
        return self.board(seen, shown_history(self.game, line.history, who))

    def lines_for(self, line: Line[Any], who: Viewer) -> list[wire.Line]:
        """The whole history, as somebody can tell it; of a choice that is hidden only the seal is shown."""
        game, positions, history = self.game, line.positions, line.history
        seals, found = sealed_choices(line), list[wire.Line]()
        if isinstance(who, str):
            found = self.lines(positions, history)
            for at, seal in seals.items():
                found[at].sealed = seal
            return found
        for at, entry in enumerate(told_history(game, history, who)):
            player, p = game.player(positions[at]), game.sees(positions[at], who)
            seal = seals.get(at, "")
            if entry is None:
                found.append(wire.Line(player + 1, HIDDEN, sealed=seal))
                continue
            facts = dict[str, Any]()
            if player != CHANCE and self._score is not None:
                after = game.sees(positions[at + 1], who)
                facts = {"had": self._score(p, player), "has": self._score(after, player)}
            place = game.slot(positions[at]) if player == CHANCE and game.deck else None
            found.append(wire.Line(player + 1, entry, facts, place, sealed=seal))
        return found

    def _seen(self, p: Any) -> wire.Board:
        game = self.game
        if game.has_secrets:
            p = filled(game, p)
        return {field.name: field.shown(game, p) for field in self._fields}

    def options(self, p: Any) -> list[wire.Option]:
        """The moves of the player who decides there, in the game's own order; none before a reveal and at the end."""
        player = self.game.player(p)
        if self.game.has_secrets and player != CHANCE:
            # What a move comes to may depend on what is secret.
            return [wire.Option(move) for move in self.game.moves(p)]
        return [] if player == CHANCE else [self._option(p, player, move) for move in self.game.moves(p)]

    def options_json(self, p: Any, moves: Sequence[str]) -> msgspec.Raw:
        """The same, for these moves, as JSON."""
        game = self.game
        if self._depends is None:
            player = game.player(p)
            return msgspec.Raw(wire.encode([self._option(p, player, move) for move in moves]))
        if len(self._known) > MOST_KEPT:
            self._known.clear()
        known = self._known.setdefault(self._depends(game, p), {})
        try:
            parts = [known[move] for move in moves]
        except KeyError:
            player = game.player(p)
            known.update({move: wire.encode(self._option(p, player, move)) for move in moves if move not in known})
            parts = [known[move] for move in moves]
        return msgspec.Raw(b"[%b]" % b",".join(parts))

    def _option(self, p: Any, player: int, move: str) -> wire.Option:
        game, score = self.game, self._score
        after = game.play(p, move)
        outcome = game.outcome(after)
        result = None
        if score is not None:
            result = score(after, player)
            # While something is to be revealed first, nobody knows yet.
            if outcome is None and result == score(p, player) and game.player(after) == CHANCE:
                result = None
        facts = self._cell(p, after) if self._facts is None else self._facts(game, p, move, after)
        return wire.Option(move, result, None if outcome is None else _ends(outcome, player), facts)

    def _cell(self, p: Any, after: Any) -> wire.Facts:
        """The one cell that a move changes, for a board on which cells are pressed."""
        if self._cells is None:
            return {}
        before, then = getattr(p, self._cells), getattr(after, self._cells)
        changed = [at for at, pair in enumerate(zip(before, then, strict=False)) if pair[0] != pair[1]]
        return {"cell": changed[0]} if len(changed) == 1 else {}

    def lines(self, positions: Sequence[Any], history: Sequence[str]) -> list[wire.Line]:
        """A whole history, a line for each move and reveal."""
        return [self.line(positions[at], entry, positions[at + 1]) for at, entry in enumerate(history)]

    def line(self, before: Any, entry: str, after: Any) -> wire.Line:
        """One entry of the history, a move or a reveal."""
        game, score = self.game, self._score
        player = game.player(before)
        facts = {} if self._facts is None else self._facts(game, before, entry, after)
        if player == CHANCE:
            if game.deck:
                return wire.Line(0, entry, facts, game.slot(before))
            return wire.Line(0, entry, facts, None, list(game.moves(before)), list(game.weights(before)))
        if score is not None:
            facts = {**facts, "had": score(before, player), "has": score(after, player)}
        return wire.Line(player + 1, entry, facts)


def _ends(outcome: Outcome, player: int) -> Literal["wins", "loses", "draws"]:
    if outcome.winner is None:
        return "draws"
    return "wins" if outcome.winner == player else "loses"


# Each keeps a megabyte at most, and most of them far less.
@lru_cache(maxsize=128)
def shown(game: Game[Any]) -> Shown:
    """The rule set as messages, made once."""
    return Shown(game)


def viewer(state: MatchState, seats: Sequence[int]) -> Viewer:
    """As whom somebody with these seats sees a match, 0 or 1 or None; everything where nothing is secret any more."""
    if state.over or not state.line.game.has_secrets:
        return EVERYTHING
    if len(seats) < 2:
        return seats[0] if seats else None
    # At one screen it is shown to whoever is to move; the other looks away.
    return state.line.player


class Showing:
    """Shows matches. It knows what a rematch will be called, which nobody else can."""

    def __init__(self, name_of_next: Callable[[str], str]) -> None:
        """`name_of_next` says what a rematch of the match of this name is called."""
        self._name_of_next = name_of_next

    def whole(self, state: MatchState, computer: wire.Said | None = None, seats: Sequence[int] = ()) -> wire.State:
        """All that somebody with these seats may know; `computer` is what is told about how the computer chooses."""
        header, line, outcome, turn = state.header, state.line, state.outcome, state.turn
        look = _look(header.game, header.settings)
        game, who = look.game, viewer(state, seats)
        return wire.State(
            **look.head,
            match=header.match,
            ply=state.ply,
            chance=game.chance,
            opponent=state.opponent,  # type: ignore[arg-type]  # one of the three
            practice=bool(header.start),
            players=_players(state),
            turn=None if turn is None else turn + 1,
            moves=_moves(state, look) if who in (EVERYTHING, turn) else [],
            board=look.board_for(line, who),
            history=look.lines_for(line, who),
            outcome=end(game, outcome, line.resigned is not None),
            take_back=_take_back(state),
            seal=sealed(line.dealer, game, outcome is not None),
            series=wire.Series(header.round, header.rounds, state.points),
            rematch=[seat + 1 for seat in sorted(state.wants)],
            withdrawn=state.withdrawn,
            marks=header.marks,
            next=self._next(state),
            computer=computer,
            secrets=game.has_secrets,
            of_class=bool(header.classroom),
        )

    def change(self, state: MatchState) -> wire.Change:
        """What the last entry of its log has changed."""
        before = state.before
        if before is None:
            raise LookupError("nothing has happened yet")
        change = wire.Change(state.ply)
        if state.line is not before.line or state.joined != before.joined or state.over != before.over:
            turn = state.turn
            look = _look(state.header.game, state.header.settings)
            change.turn, change.moves = None if turn is None else turn + 1, _moves(state, look)
            line = state.line
            if line.length != before.line.length:
                change.since = min(line.length, before.line.length)
                change.history = _history(state, look, change.since)
                change.board = look.board_at(line)
            if state.outcome is not None:
                change.outcome = end(line.game, state.outcome, line.resigned is not None) or msgspec.UNSET
                change.seal = sealed(line.dealer, line.game, True) or msgspec.UNSET
                change.series = wire.Series(state.header.round, state.header.rounds, state.points)
        if state.line is not before.line or state.asked != before.asked or state.over != before.over:
            change.take_back = _take_back(state)
        if state.joined != before.joined or state.hints != before.hints or state.names != before.names:
            change.players = _players(state)
        if state.withdrawn != before.withdrawn:
            change.withdrawn = state.withdrawn
        if state.wants != before.wants:
            change.rematch = [seat + 1 for seat in sorted(state.wants)]
            change.next = self._next(state) or msgspec.UNSET
        return change

    def _next(self, state: MatchState) -> str | None:
        return self._name_of_next(state.header.match) if state.wants and state.rematch_with() else None


@lru_cache(maxsize=128)
def _look(slug: str, settings: str) -> Shown:
    return shown(game_of(slug, settings))


def _moves(state: MatchState, look: Shown) -> list[wire.Option]:
    """The options of whose turn it is; most of them are kept as JSON, ready to be passed on."""
    line = state.line
    if state.turn is None:
        return []
    if not state.header.marks or look.game.has_secrets:
        # What a move comes to may depend on what is secret.
        return [wire.Option(move) for move in line.moves]
    return cast("list[wire.Option]", look.options_json(line.position, line.moves))


def _history(state: MatchState, look: Shown, since: int) -> list[wire.Line]:
    return [
        look.line(line.before.position, line.entry, line.position) for line in state.line.since(since) if line.before
    ]


def _players(state: MatchState) -> tuple[wire.PlayerState, wire.PlayerState]:
    one, two = (
        wire.PlayerState(state.names[seat], state.header.kinds[seat], state.joined[seat], state.hints[seat])
        for seat in (0, 1)
    )
    return one, two


def _take_back(state: MatchState) -> wire.TakeBack:
    asked = None if state.asked is None else state.asked + 1
    one, two = ([] if state.over else [line.entry for line in state.line.taken_with(seat)] for seat in (0, 1))
    return wire.TakeBack(asked, (_wired(state.take_back_refusal(0)), _wired(state.take_back_refusal(1))), (one, two))


def _wired(said: Said | None) -> wire.Said | None:
    if said is None:
        return None
    return wire.Said(*said) if said.facts else _plain(said.code)


@lru_cache(maxsize=64)
def _plain(code: str) -> wire.Said:
    """A sentence without gaps: the same few again and again, in every state."""
    return wire.Said(code, {})
