"""Moves of the computer players: on the turn of one, a worker is asked, and the move is made like any other.

No move ever comes from anything weaker than the level, and none is thought about while nobody looks. Where an answer
takes long, or does not come, everybody who looks is told, and it is asked again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from numberquest.players.levels import PLAYERS
from numberquest.server import wire
from numberquest.server.limits import payer
from numberquest.server.log import Log, Metrics
from numberquest.server.match.entries import AHEAD
from numberquest.server.match.state import MatchState
from numberquest.server.refusal import Refusal
from numberquest.server.room import Room
from numberquest.server.store.base import StoreError
from numberquest.server.think import tasks
from numberquest.server.think.pool import Busy, Thinking, TooSlow, Unwanted

UNNOTICED: Final = 2.0
"""Seconds of a move after which the watchers hear that the computer is still thinking."""
IN_EARNEST: Final = 3
"""Tries to solve the rules for one move; after that the computer looks ahead."""
LONGEST_PAUSE: Final = 60.0
"""Seconds, at most, between two tries."""
MOST_FAILED, MOST_UNSTORED = 10, 5
"""Failures that lengthen the pause: up to a minute, or up to 3 s while the database is away."""
REMEMBERED: Final = 10_000
"""Rule sets of which the server remembers whether they can be solved."""

Rules = tuple[str, str]
"""A game, and its settings as typed."""


class Computers:
    """Moves for the computer in every match of this process."""

    def __init__(
        self,
        thinking: Thinking,
        log: Log,
        metrics: Metrics,
        new_seed: Callable[[], str],
        owner: Callable[[str], str],
        go: Callable[[Any], object],
        do: Callable[[Room, list[int], wire.Move], Awaitable[MatchState]],
    ) -> None:
        """`owner` names an address as it is counted; `go` runs something beside everything; `do` acts in a match."""
        self._thinking, self._log, self._metrics, self._new_seed = thinking, log, metrics, new_seed
        self._owner, self._go, self._do = owner, go, do
        self._waiting: dict[Room, tuple[int, asyncio.Future[Any]]] = {}
        self._solved: dict[Rules, None] = {}
        self._too_large: dict[Rules, None] = {}
        self._asked: dict[Rules, None] = {}
        """Rule sets that a worker was asked about before a computer had to move."""

    def wake(self, room: Room) -> None:
        """Start thinking where it is a computer's turn; called after a change of the match, or when a watcher comes."""
        if not room.ahead:
            self._foresee(room)
        if room.thinking:
            ply, waiting = self._waiting.get(room, (room.state.ply, None))
            if waiting is not None and ply != room.state.ply:
                # A take-back, a resignation: that answer is not needed any more.
                waiting.cancel()
        elif room.state.computer_to_move and room.is_looked_at:
            room.thinking = True
            self._go(self._play(room))

    def _foresee(self, room: Room) -> None:
        """Tell the player before the first move where the computer can only look ahead."""
        state = room.state
        level, rules = state.header.opponent, (state.header.game, state.header.settings)
        if state.opponent != "computer" or PLAYERS[level].any_move == 100 or state.over or rules in self._solved:
            return
        if rules in self._too_large:
            room.ahead = True
            self._go(self._tell(room))
        elif not state.computer_to_move and rules not in self._asked and room.is_looked_at:
            _remember(self._asked, rules)
            self._go(self._find_out(room, rules))

    async def _find_out(self, room: Room, rules: Rules) -> None:
        """Ask a worker for a move that nobody makes, to learn whether the rules can be solved."""
        task = tasks.Choose(*rules, list(room.state.line.history), "perfect", "0")
        try:
            answer = await self._ask(room, task)
        except (Busy, TooSlow):
            # Then it is known when the computer has moved.
            return
        except Unwanted:
            self._asked.pop(rules, None)
            return
        if isinstance(answer, tasks.Chosen):
            self._learn(answer.how, rules)
            self._foresee(room)

    def _ask(self, room: Room, task: tasks.Choose) -> Coroutine[Any, Any, tasks.Answer]:
        # Whoever moved last pays, before that who made the match, or the class that it belongs to.
        pays = payer(self._owner(room.address) or room.state.header.owner) or f"match {room.name}"
        return self._thinking.ask(task, pays, room.name, lambda: room.is_looked_at)

    async def _tell(self, room: Room) -> None:
        async with room.lock:
            room.say(room.delay)

    async def _play(self, room: Room) -> None:
        try:
            while room.state.computer_to_move and room.is_looked_at:
                ply = room.state.ply
                if ply != room.stuck_at:
                    room.stuck_at, room.failed, room.too_long, room.delay = ply, 0, 0, ""
                elif room.failed:
                    await self._unless_it_goes_on(room, asyncio.sleep(min(LONGEST_PAUSE, 0.1 * 2**room.failed)))
                if ply != room.state.ply:
                    continue
                try:
                    await self._move(room)
                except Refusal as refusal:
                    if self._thinking.stopped:
                        return
                    # Otherwise somebody was faster: a take-back, a resignation. Look again.
                    if isinstance(refusal, Busy | TooSlow | StoreError):
                        await self._failed(room, ply, refusal)
                if room.failed and ply == room.state.ply and not room.watchers:
                    # Whoever comes to look wakes it again.
                    return
        finally:
            room.thinking = False

    async def _move(self, room: Room) -> None:
        state = room.state
        seat, rules = state.line.player, (state.header.game, state.header.settings)
        level = state.header.kinds[seat]
        ahead = room.too_long >= IN_EARNEST and rules not in self._solved
        task = tasks.Choose(*rules, list(state.line.history), level, self._new_seed(), ahead)
        try:
            answer = await self._unless_it_goes_on(room, self._ask(room, task), say="computer-thinking")
        except TooSlow:
            room.too_long += 1
            raise
        if answer is None:
            return
        if not isinstance(answer, tasks.Chosen):
            room.too_long += answer.code == "too-large"
            raise Busy("thinking-not")
        if answer.how == "ahead" and rules in self._solved:
            # It was worked out before, so it can be: perhaps it was memory that was short.
            raise Busy("thinking-not")
        room.ahead = answer.how == "ahead" or (answer.how == "any" and room.ahead)
        key = AHEAD if answer.how == "ahead" else None
        await self._do(room, [seat], wire.Move(state.ply, answer.move, key))
        if (answer.how == "ahead" and rules in self._solved) or (answer.how == "any" and not PLAYERS[level].any_move):
            self._metrics.count("numberquest_weaker_moves_total")
        elif answer.how == "ahead":
            self._metrics.count("numberquest_looked_ahead_moves_total")
        self._learn(answer.how, rules)

    def solvable(self, game: str, settings: str) -> None:
        """These rules have been worked out: here the computer never merely looks ahead."""
        _remember(self._solved, (game, settings))
        self._too_large.pop((game, settings), None)

    def _learn(self, how: str, rules: Rules) -> None:
        if how == "solved" and rules not in self._solved:
            self.solvable(*rules)
        elif how == "ahead" and rules not in self._solved:
            _remember(self._too_large, rules)

    async def _unless_it_goes_on(self, room: Room, work: Coroutine[Any, Any, Any], say: str = "") -> Any:
        """Return the result of the work; None where something else has happened in the match meanwhile."""
        ply, waiting = room.state.ply, asyncio.ensure_future(work)
        self._waiting[room] = ply, waiting
        try:
            await asyncio.wait((waiting,), timeout=UNNOTICED if say else None)
            if say and not waiting.done():
                await self._say(room, ply, room.delay or say)
                await asyncio.wait((waiting,))
        finally:
            del self._waiting[room]
            waiting.cancel()
        return None if waiting.cancelled() else waiting.result()

    async def _failed(self, room: Room, ply: int, why: Refusal) -> None:
        # A database that is away comes back at any moment, and then nobody should wait for long.
        room.failed = min(room.failed + 1, MOST_UNSTORED if isinstance(why, StoreError) else MOST_FAILED)
        what = f"the computer could not choose: {why}"
        self._log.error("computer", what=what, match=room.name, tries=room.failed)
        await self._say(room, ply, "computer-could-not")

    async def _say(self, room: Room, ply: int, code: str) -> None:
        """Tell the watchers about the computer's move, unless the match has gone on since."""
        async with room.lock:
            if room.state.ply == ply:
                room.say(code)


def _remember(known: dict[Rules, None], rules: Rules) -> None:
    if len(known) >= REMEMBERED:
        del known[next(iter(known))]
    known[rules] = None
