"""How often today's puzzle is solved here: first answers only, one for each address and step, and no names."""

import contextlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from numberquest.server import wire
from numberquest.server.refusal import Refusal
from numberquest.server.store.base import Store

STEPS: Final = 3
MOST: Final = 30_000
"""So many answers of a day are counted: beyond that one more would not change the share, and memory is bounded."""


class SolvedToday:
    """Counts the answers of one day. Addresses are in memory alone, and only until the day is over."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._day = ""
        self._steps: dict[str, int] = {}
        self._counted: set[tuple[str, int]] = set()

    def _today(self) -> str:
        day = datetime.fromtimestamp(self._clock(), UTC).date().isoformat()
        if day != self._day:
            self._day, self._steps, self._counted = day, {}, set()
        return day

    def posed(self, date: str, step: int, puzzle: str) -> None:
        """Somebody was shown this step of the puzzle of that date: from now on answers to it are known as such."""
        if date == self._today():
            self._steps[puzzle] = step

    async def answered(self, puzzle: str, address: str, right: bool) -> None:
        """Count the answer, if it is the first of this address to a step of today."""
        day, step = self._today(), self._steps.get(puzzle)
        if step is None or (address, step) in self._counted or len(self._counted) >= MOST:
            return
        self._counted.add((address, step))
        # Whoever answers a puzzle is told whether it is right, also while the disk is full.
        with contextlib.suppress(Refusal):
            await self._store.count_answer(day, step, right)

    async def tallies(self) -> wire.Solved:
        """How it stands, step by step."""
        day = self._today()
        found = await self._store.answers(day)
        return wire.Solved(day, [wire.Tally(*found.get(step, (0, 0))) for step in range(1, STEPS + 1)])
