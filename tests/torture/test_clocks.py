"""Clocks that jump while matches are made, played and removed: nothing is removed before its true time, and all is."""

import asyncio
import random
from pathlib import Path

import pytest

from numberquest.server import wire
from numberquest.server.hub import Hub
from numberquest.server.store.base import Retention
from numberquest.server.tokens import seats_of
from tests.server.clocks import DAY, HOUR, Computer, Told, hub_on
from tests.server.keeping import opened
from tests.torture.campaign import length

STEPS = length(short=300, long=5_000)
KEPT = Retention(unjoined=1 * DAY, abandoned=30 * DAY, finished=90 * DAY)


class Life:
    """Of one database: what is in it, and when each match may go, in truth."""

    def __init__(self, folder: Path, dice: random.Random) -> None:
        self.path, self.dice = str(folder / "games.db"), dice
        self.computer, self.log = Computer(), Told()
        self.due: dict[str, float] = {}
        self.seats: dict[str, str] = {}
        self.removed = self.jumps = self.starts = self.boots = 0

    async def run(self, steps: int) -> None:
        while steps > 0:
            self.starts += 1
            async with opened(self.path) as store:
                hub = hub_on(self.computer, store, self.log, KEPT)
                for _ in range(self.dice.randrange(1, 60)):
                    await self.do_something(hub)
                    steps -= 1
                if self.dice.random() < 0.5:
                    # Stopped; otherwise it was killed, and what passed since the last note was noted nowhere.
                    await hub.close()
            if self.dice.random() < 0.5:
                self.boots += 1
                self.computer.switch_off(self.dice.random() * 3 * DAY)
            else:
                self.computer.wait(self.dice.random() * DAY)

    async def do_something(self, hub: Hub) -> None:
        what = self.dice.random()
        if what < 0.1:
            self.jumps += 1
            self.computer.wrong_by = self.dice.choice([31, -31, 1, 400, -4000, 0]) * DAY * self.dice.random()
        elif what < 0.4:
            wish = wire.NewMatch("sumquest", opponent=self.dice.choice(["friend", "screen"]))
            made = await hub.create(wish)
            self.seats[made.match] = made.token
            self.due[made.match] = self.computer.truth + (
                KEPT.unjoined if wish.opponent == "friend" else KEPT.untouched
            )
            if wish.opponent == "friend" and self.dice.random() < 0.5:
                await hub.join(made.match, wire.Join(made.invite or ""))
                self.due[made.match] = self.computer.truth + KEPT.abandoned
        elif what < 0.7 and self.seats:
            await self.go_on(hub, self.dice.choice(list(self.seats)))
        else:
            self.computer.wait(self.dice.random() * self.dice.choice([HOUR, HOUR, DAY]))
        await hub.sweep()
        self.look()

    async def go_on(self, hub: Hub, match: str) -> None:
        room = await hub.room(match)
        seats = seats_of(self.seats[match], room.state.tokens)
        if room.state.over or not all(room.state.joined):
            return
        over = self.dice.random() < 0.2
        if not over and room.state.line.player not in seats:
            return
        if over:
            after = await hub.do(room, seats, wire.Act(room.state.ply, "resign", seats[0] + 1))
        else:
            after = await hub.do(room, seats, wire.Move(room.state.ply, self.dice.choice(room.state.line.moves)))
        self.due[match] = self.computer.truth + (KEPT.finished if after.over else KEPT.abandoned)

    def look(self) -> None:
        for match in self.log.removed:
            early = self.due.pop(match) - self.computer.truth
            assert early <= 0.01, f"{match} was removed {early:.0f} s before its time"
            del self.seats[match]
            self.removed += 1
        self.log.removed.clear()


@pytest.mark.timeout(1800)
def test_nothing_is_removed_before_its_true_time_and_everything_in_the_end(tmp_path: Path) -> None:
    life = Life(tmp_path, random.Random(31))

    async def main() -> None:
        await life.run(STEPS)
        async with opened(life.path) as store:
            hub = hub_on(life.computer, store, life.log, KEPT)
            for _ in range(91):
                life.computer.wait(DAY)
                await hub.sweep()
                life.look()
            await hub.close()

    asyncio.run(main())
    days = (life.computer.truth - 1_000_000.0) / DAY
    print(f"{life.jumps} jumps, {life.starts} starts, {life.boots} boots, {life.removed} removed, {days:.0f} days")
    assert life.due == {}
    assert life.removed > STEPS // 20
