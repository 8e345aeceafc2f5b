"""The computer players: whenever it is the turn of one, a worker is asked, and the move is made like anybody's."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from numberquest.server import wire
from numberquest.server.refusal import Refusal
from numberquest.server.store.contract import StoreError
from numberquest.server.think import tasks
from numberquest.server.think.pool import Busy, TooSlow

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from numberquest.server.log import Log
    from numberquest.server.match.state import MatchState
    from numberquest.server.room import Room
    from numberquest.server.think.pool import Thinking

TRIES: Final = 3
"""After so many times without an answer in time, the computer makes any move rather than none."""


class Computers:
    """Moves for the computer in every match of this process."""

    def __init__(
        self,
        thinking: Thinking,
        log: Log,
        new_seed: Callable[[], str],
        go: Callable[[Any], None],
        do: Callable[[Room, list[int], wire.Move], Awaitable[MatchState]],
    ) -> None:
        """`go` runs something beside everything else; `do` is how anything happens in a match."""
        self._thinking, self._log, self._new_seed = thinking, log, new_seed
        self._go, self._do = go, do

    def wake(self, room: Room) -> None:
        """Something has happened in this match: perhaps it is a computer's turn."""
        if room.state.computer_to_move and not room.thinking:
            room.thinking = True
            self._go(self._play(room))

    async def _play(self, room: Room) -> None:
        try:
            failed = 0
            while room.state.computer_to_move:
                state = room.state
                seat = state.line.player
                level = state.kept.kinds[seat] if failed < TRIES else "random"
                try:
                    move = await self._chosen(state, level)
                    await self._do(room, [seat], wire.Move(state.ply, move))
                except (Busy, TooSlow, StoreError):
                    failed += 1
                    await asyncio.sleep(min(5.0, 0.25 * 2**failed))
                except Refusal:
                    # Somebody was faster: a take-back, a resignation. Look again.
                    continue
        finally:
            room.thinking = False

    async def _chosen(self, state: MatchState, level: str) -> str:
        kept = state.kept
        task = tasks.Choose(kept.game, kept.settings, list(state.line.history), level, self._new_seed())
        answer = await self._thinking.ask(task)
        if not isinstance(answer, tasks.Chosen):
            self._log.event("error", what="the computer could not choose", match=kept.match)
            raise Busy("thinking-not")
        return answer.move
