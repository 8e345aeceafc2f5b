"""A request that comes again gets the answer it got, and makes no work beyond that of showing it."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from numberquest.games import GAMES
from numberquest.line import Line
from numberquest.server import wire
from numberquest.server.hub import Hub
from numberquest.server.limits import Gate, Limits
from numberquest.server.log import Log
from numberquest.server.match.state import MatchState, game_of
from numberquest.server.refusal import Refusal
from numberquest.server.room import Room
from numberquest.server.store.sqlite import SqliteStore
from numberquest.server.think.pool import Thinking
from tests.strategies import KINDS

LONG = 400


def with_hubs(folder: Path, work: Callable[[Hub, Hub], Awaitable[None]]) -> None:
    """Two hubs on one store, as two processes have it: neither hears of what the other does."""

    async def main() -> None:
        store = await SqliteStore.open(str(folder / "games.db"), synchronous="OFF")
        one, two = (Hub(store, Thinking(), Gate(Limits()), Log(None)) for _ in range(2))
        try:
            await work(one, two)
        finally:
            await one.close()
            await two.close()
            await store.close()

    asyncio.run(main())


class Work(Counter[str]):
    """How often a rule was asked, and a line of play was made."""

    def __init__(self, patch: pytest.MonkeyPatch, kind: Any) -> None:
        super().__init__()
        for name in ("play", "moves", "outcome"):
            patch.setattr(kind, name, self._counted(name, getattr(kind, name)))
        patch.setattr(Line, "__init__", self._counted("line", Line.__init__))

    def _counted(self, name: str, true: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any) -> Any:
            self[name] += 1
            return true(*arguments)

        return counted


async def told(hub: Hub, room: Room, wish: wire.Move | wire.Act) -> bytes:
    """What is answered, as over HTTP."""
    return room.shown(await hub.do(room, [0, 1], wish))


def next_wish(state: MatchState, dice: Random) -> wire.Move | wire.Act:
    """A move that does not end the game; where it would, the one before is taken back."""
    line, key = state.line, f"key {state.ply}"
    if line.game.slug == "pig":
        # A few rolls, and then nobody gets anywhere.
        return wire.Move(state.ply, "roll" if state.ply < 20 and line.position.this_turn == 0 else "hold", key)
    move = dice.choice(line.moves)
    if line.game.outcome(line.game.play(line.position, move)) is not None:
        return wire.Act(state.ply, "take-back", key=key)
    return wire.Move(state.ply, move, key)


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(GAMES, "_brought", {kind.slug: kind for kind in KINDS if kind.slug not in GAMES.own})
    yield
    # The rules of a match are kept once they were looked up; these are not there any more.
    game_of.cache_clear()


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("slug", ["pig", "sumquest"])
def test_repeating_an_old_move_of_a_long_match_costs_no_more_than_a_new_one(
    slug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one that need not end, and in one in which much was taken back."""
    work = Work(monkeypatch, GAMES[slug])
    dice = Random(7)

    async def play(hub: Hub, _: Hub) -> None:
        made = await hub.create(wire.NewMatch(slug, opponent="screen"))
        room = await hub.room(made.match)
        asked: list[tuple[wire.Move | wire.Act, bytes, Counter[str]]] = []
        while room.state.ply < LONG:
            wish = next_wish(room.state, dice)
            before = Counter(work)
            answer = await told(hub, room, wish)
            asked.append((wish, answer, Counter(work) - before))
        # What is told of a long history is told of every entry of it: the dearest new answer is the measure.
        dearest = {name: max(cost[name] for *_, cost in asked) for name in work}
        for wish, answer, _first in dice.sample(asked, 60):
            before = Counter(work)
            assert await told(hub, room, wish) == answer
            spent = Counter(work) - before
            assert spent["line"] == 0
            assert all(spent[name] <= dearest[name] for name in dearest), (spent, dearest)
        assert room.state.ply == LONG

    with_hubs(tmp_path, play)


class Listener:
    """Somebody who looks on, and keeps what they are told."""

    seats: tuple[int, ...] = ()

    def passed(self, frame: bytes) -> None:
        raise AssertionError(frame)

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.done: list[str | None] = []

    def told(self, update: bytes, done: str | None = None) -> None:
        self.heard.append(update)
        self.done.append(done)


def test_a_request_that_was_done_at_another_process_is_told_as_done_at_once(tmp_path: Path) -> None:
    async def work(one: Hub, two: Hub) -> None:
        made = await one.create(wire.NewMatch("sumquest", opponent="screen"))
        here, there = await one.room(made.match), await two.room(made.match)
        listener = Listener()
        there.watchers.add(listener)
        wish = wire.Move(0, "5", "the key")
        first = await told(one, here, wish)
        after = await two.do(there, [0, 1], wish, listener)
        assert there.shown(after) == first
        assert [key for key in listener.done if key] == ["the key"]
        assert here.state.log() == there.state.log()

    with_hubs(tmp_path, work)


def test_of_one_screen_the_same_deed_for_the_other_seat_is_another_request(tmp_path: Path) -> None:
    async def work(hub: Hub, _: Hub) -> None:
        made = await hub.create(wire.NewMatch("sumquest", opponent="screen", key=secrets.token_urlsafe(20)))
        room = await hub.room(made.match)
        first = await told(hub, room, wire.Act(0, "resign", 2, "k"))
        assert await told(hub, room, wire.Act(0, "resign", 2, "k")) == first
        with pytest.raises(Refusal) as refused:
            await hub.do(room, [0, 1], wire.Act(0, "resign", 1, "k"))
        assert refused.value.code == "late"

    with_hubs(tmp_path, work)
