"""A level is never silently weaker: where a computer's move takes long or does not come, that is told."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Literal

import msgspec
import pytest

import numberquest as nq
from numberquest.core.contract import in_words
from numberquest.core.record import Record
from numberquest.explain.review import looked_ahead
from numberquest.players.levels import perfect_moves
from numberquest.server import computers, wire
from numberquest.server.hub import Hub
from numberquest.server.limits import Gate, Limits
from numberquest.server.log import Log
from numberquest.server.match.state import new_state
from numberquest.server.refusal import Refusal
from numberquest.server.room import Room
from numberquest.server.think import tasks
from numberquest.server.think.pool import LIMITS, Thinking
from tests.conftest import in_ci
from tests.server.folding import SHOWING, TOKENS, header
from tests.server.keeping import Watcher, opened, until

TOO_SHORT = 0.0
"""No worker answers in so many seconds, on however fast a machine."""
WEAKER = "numberquest_weaker_moves_total"
AHEAD = "numberquest_looked_ahead_moves_total"


class Table:
    """A hub with workers, and a limit for their answers that can be changed."""

    def __init__(self, hub: Hub, limits: dict[type, float]) -> None:
        self.hub, self.limits = hub, limits

    async def match(
        self, game: str = "sumquest", opponent: str = "perfect", seat: Literal[1, 2] = 2, **settings: int
    ) -> Room:
        """A match against the computer, which begins unless it has the second seat; somebody looks at it."""
        wish = wire.NewMatch(game, settings=dict(settings), opponent=opponent, seat=seat)
        seated = await self.hub.create(wish, "10.0.0.1")
        room = await self.hub.room(seated.match)
        Watcher(room)
        return room


@asynccontextmanager
async def at_the_table(folder: Path, choose: float = 60.0) -> AsyncIterator[Table]:
    limits = {**LIMITS, tasks.Choose: choose}
    thinking = Thinking(1, limits=limits)
    await thinking.start()
    async with opened(str(folder / "games.db")) as store:
        hub = Hub(store, thinking, Gate(Limits()), Log(None))
        try:
            yield Table(hub, limits)
        finally:
            await thinking.close()
            await hub.close()


@pytest.fixture
def table(tmp_path: Path) -> AbstractAsyncContextManager[Table]:
    return at_the_table(tmp_path)


def seen(room: Room) -> wire.State:
    """How the match stands for whoever comes to look, which is what those see who have looked all the time."""
    state = msgspec.json.decode(room.whole(), type=wire.State)
    assert all(isinstance(one, Watcher) and one.sees == state for one in room.watchers)
    return state


def told(room: Room) -> str:
    """What everybody who looks is told of the computer."""
    computer = seen(room).computer
    return "" if computer is None else computer.code


@in_ci
async def test_a_computer_that_cannot_choose_says_so_and_plays_its_level_when_it_can(tmp_path: Path) -> None:
    async with at_the_table(tmp_path, choose=TOO_SHORT) as table:
        table.hub._computers.solvable("sumquest", nq.game("sumquest").settings_text)
        room = await table.match()
        await until(lambda: told(room) == "computer-could-not")
        await until(lambda: room.failed > computers.IN_EARNEST)
        assert room.state.ply == 0, "nothing is played rather than something weaker"
        table.limits[tasks.Choose] = 60.0
        await until(lambda: room.state.ply == 1)
        game = nq.game("sumquest")
        assert seen(room).history[0].entry in perfect_moves(game, game.start())
        assert told(room) == ""
        assert table.hub.metrics.counts[WEAKER] == table.hub.metrics.counts[AHEAD] == 0


async def test_what_is_told_goes_with_a_resignation(tmp_path: Path) -> None:
    async with at_the_table(tmp_path, choose=TOO_SHORT) as table:
        room = await table.match()
        await until(lambda: told(room) == "computer-could-not")
        await table.hub.do(room, [1], wire.Act(0, "resign"))
        assert told(room) == ""
        await until(lambda: not room.thinking)


async def test_where_nobody_looks_it_waits_until_somebody_does(tmp_path: Path) -> None:
    async with at_the_table(tmp_path, choose=TOO_SHORT) as table:
        room = await table.match()
        room.watchers.clear()
        await until(lambda: not room.thinking)
        assert room.failed >= 1
        table.limits[tasks.Choose] = 60.0
        await table.hub.room(room.name)
        await until(lambda: room.state.ply == 1)


@in_ci
async def test_while_it_takes_long_everybody_is_told_that_it_is_thinking(table: Table) -> None:
    (pid,) = table.hub.thinking.pids
    os.kill(pid, signal.SIGSTOP)
    room = await table.match()
    await until(lambda: told(room) == "computer-thinking")
    os.kill(pid, signal.SIGCONT)
    await until(lambda: room.state.ply == 1)
    assert told(room) == ""


async def test_that_the_computer_will_look_ahead_is_told_before_it_moves(table: Table) -> None:
    room = await table.match("fifty", seat=1, target=200, copies=4)
    await until(lambda: told(room) == "computer-looks-ahead")
    assert room.state.ply == 0
    # Of rules that were seen before, with the answer to the wish for a match.
    wish = wire.NewMatch("fifty", settings={"target": 200, "copies": 4}, opponent="hard")
    seated = await table.hub.create(wish, "10.0.0.2")
    assert seated.state.computer == wire.Said("computer-looks-ahead", {})
    easy = await table.match("fifty", "random", 1, target=200, copies=4)
    assert told(easy) == "", "who plays any move never looks ahead"


async def test_of_rules_that_can_be_worked_out_nothing_is_told(table: Table) -> None:
    room = await table.match(seat=1)
    rules = room.state.header.game, room.state.header.settings
    await until(lambda: rules in table.hub._computers._solved)
    assert told(room) == ""


async def test_rules_too_large_to_work_out_are_played_by_looking_ahead_which_is_told_and_recorded(
    tmp_path: Path,
) -> None:
    async with at_the_table(tmp_path) as table:
        # Far more memory than there is: that is seen at once.
        room = await table.match("fifty", target=200, copies=4)
        await until(lambda: room.state.ply == 1)
        assert told(room) == "computer-looks-ahead"
        assert (table.hub.metrics.counts[AHEAD], table.hub.metrics.counts[WEAKER]) == (1, 0)
        await table.hub.do(room, [1], wire.Move(1, room.state.line.moves[0]))
        assert told(room) == "computer-looks-ahead"
        await table.hub.do(room, [1], wire.Act(room.state.ply, "resign"))
    # After a restart too.
    async with at_the_table(tmp_path) as table:
        room = await table.hub.room(room.name)
        record = Record.read(room.state.record().text())
        assert record.ahead == (True, False)
        assert '[Ahead1 "yes"]' in record.text()
        (said,) = looked_ahead(record.ahead)
        assert in_words(record.match.game, said, record.names).startswith(
            "These rules were too large to work out during the game: Computer (perfect) looked ahead"
        )


async def test_the_record_of_a_computer_that_knew_says_nothing_of_it(table: Table) -> None:
    room = await table.match()
    await until(lambda: room.state.ply == 1)
    # What a person calls a request means nothing.
    await table.hub.do(room, [1], wire.Move(1, room.state.line.moves[0], "ahead"))
    assert room.state.record().ahead == (False, False)


async def test_a_computers_moves_are_counted_where_the_person_is_who_moved_last(table: Table) -> None:
    room = await table.match()
    assert room.address == "10.0.0.1"
    await until(lambda: room.state.ply == 1)
    with pytest.raises(Refusal):
        await table.hub.do(room, [], wire.Move(1, room.state.line.moves[0]), address="10.0.0.3")
    assert room.address == "10.0.0.1", "who only watches cannot have it counted elsewhere"
    await table.hub.do(room, [1], wire.Move(1, room.state.line.moves[0]), address="10.0.0.2")
    assert room.address == "10.0.0.2"


def test_the_same_about_the_computers_move_is_told_once() -> None:
    begins = header(nq.game("sumquest"), "hard", kinds=("hard", "human"), tokens=(b"", TOKENS[1]))
    room = Room(new_state(begins), SHOWING)
    room.stuck_at = 0
    watcher = Watcher(room)
    for code in ("computer-thinking", "computer-thinking", "computer-could-not", "computer-could-not"):
        room.say(code)
    assert len(watcher.updates) == 2


def test_of_no_more_rules_than_that_it_is_remembered_whether_they_can_be_worked_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(computers, "REMEMBERED", 2)
    known: dict[computers.Rules, None] = {}
    for target in (10, 11, 12):
        computers._remember(known, ("sumquest", f"target={target}"))
    assert [*known] == [("sumquest", "target=11"), ("sumquest", "target=12")]
