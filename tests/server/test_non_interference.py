"""Nothing that the server says or logs depends on what lies hidden, until it is uncovered: see two_worlds.py."""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from numberquest.core import dealer as dealers
from numberquest.core.sentences import Said
from numberquest.server import wire
from numberquest.server.boards import Showing
from numberquest.server.hub import Hub
from numberquest.server.match.entries import Entry
from numberquest.server.match.state import MatchState
from numberquest.server.refusal import Refusal
from tests.conftest import a_few, in_ci
from tests.server.two_worlds import Difference, Worlds, settings_of

GAMES = 10


def assert_telling(tally: Counter[str], lines: int) -> None:
    """Many games went on for long, some to the end, and requests of every kind were among them."""
    assert tally["parted"] * 5 > tally["games"]
    assert tally["over"] * 15 > tally["games"]
    assert {"200", "201", "400", "403", "404", "409"} <= set(tally)
    # Refusals are told in sums.
    assert lines * 3 > tally["games"] * 2


def played(folder: Path, games: int, seed: int) -> tuple[Counter[str], int]:
    """So many random games on two worlds; returns what happened, and how many log lines were compared."""

    async def main() -> tuple[Counter[str], int]:
        worlds = await Worlds.made(folder, Random(seed))
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(dealers, "sealed", worlds.sealed)
                for _ in range(games):
                    slug = worlds.random.choice(["grid", "mystic"])
                    await worlds.play(slug, settings_of(worlds.random, slug))
            return worlds.tally, worlds.compare_logs()
        finally:
            await worlds.close()

    return asyncio.run(main())


@pytest.fixture(autouse=True)
def a_cache_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


def test_two_worlds_that_differ_in_what_is_hidden_cannot_be_told_apart(tmp_path: Path) -> None:
    """A short row of games; tests/torture/test_hidden.py has ten thousand."""
    tally, lines = played(tmp_path, GAMES, 1)
    assert tally["games"] == GAMES
    assert_telling(tally, lines)


def unseen(state: MatchState) -> int:
    """A hidden number: the last of the pile or the board; of a game in which nothing is dealt, none."""
    return int(state.line.dealer.deal[-1]) if state.line.dealer.deal else 0


def in_the_state(leak: pytest.MonkeyPatch) -> None:
    true = Showing.whole

    def whole(showing: Showing, state: MatchState, *more: Any, **named: Any) -> wire.State:
        said = true(showing, state, *more, **named)
        said.title += f" {unseen(state)}"
        return said

    leak.setattr(Showing, "whole", whole)


def in_what_has_changed(leak: pytest.MonkeyPatch) -> None:
    """Only to those who watch."""
    true = Showing.change

    def change(showing: Showing, state: MatchState, *more: Any, **named: Any) -> wire.Change:
        said = true(showing, state, *more, **named)
        if said.board is not msgspec.UNSET:
            said.board["next"] = unseen(state)
        return said

    leak.setattr(Showing, "change", change)


def in_an_error(leak: pytest.MonkeyPatch) -> None:
    true = MatchState.apply

    def apply(state: MatchState, entry: Entry) -> MatchState:
        try:
            return true(state, entry)
        except Refusal as refusal:
            raise Refusal(refusal.code, Said("because", {"why": f"{refusal} {unseen(state)}"})) from None

    leak.setattr(MatchState, "apply", apply)


def in_the_order_of_moves(leak: pytest.MonkeyPatch) -> None:
    """Only one bit, and only in some games."""
    true = Showing.whole

    def whole(showing: Showing, state: MatchState, *more: Any, **named: Any) -> wire.State:
        said = true(showing, state, *more, **named)
        if unseen(state) % 2:
            said.moves = msgspec.json.decode(msgspec.json.encode(said.moves))[::-1]
        return said

    leak.setattr(Showing, "whole", whole)


def in_the_log(leak: pytest.MonkeyPatch) -> None:
    true = Hub._append

    async def append(hub: Hub, room: Any, after: MatchState, by: Any) -> MatchState:
        hub.log.event("dealt", what=str(unseen(after)))
        return await true(hub, room, after, by)

    leak.setattr(Hub, "_append", append)


@in_ci
@pytest.mark.parametrize(
    "leak", a_few([in_the_state, in_what_has_changed, in_an_error, in_the_order_of_moves, in_the_log], 2)
)
def test_a_world_that_gives_a_hidden_number_away_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    leak(monkeypatch)
    with pytest.raises(Difference):
        played(tmp_path, 60, 2)
