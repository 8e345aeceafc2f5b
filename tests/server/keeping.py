"""What the tests of the stores share: matches to keep, and stores that are closed again."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from numberquest.server import wire
from numberquest.server.hub import Hub
from numberquest.server.limits import Gate, Limits
from numberquest.server.log import Log
from numberquest.server.match.entries import Entry, MatchHeader
from numberquest.server.refusal import Refusal
from numberquest.server.room import Room
from numberquest.server.store.base import SqlStore, StoreError, entry_of, written
from numberquest.server.store.stores import open_store
from numberquest.server.think.pool import Thinking
from tests.conftest import required
from tests.server.websocket import followed

NOW = 1_700_000_000.0


def a_match(
    name: str,
    created: float = NOW,
    opponent: str = "screen",
    names: tuple[str, str] = ("Ann", "Ben"),
    tokens: tuple[bytes, bytes] = (b"\x00\xff" * 16, b"\x01" * 32),
    owner: str = "",
) -> MatchHeader:
    """A match with something in every field."""
    return MatchHeader(
        match=name,
        game="mystic",
        settings="target=21 high=9 copies=2",
        seed="f00d" * 8,
        start="",
        opponent=opponent,
        names=names,
        kinds=("human", "human"),
        tokens=tokens,
        invite=b"\x02" * 32,
        round=2,
        rounds=3,
        points=(1, 0),
        created=created,
        owner=owner,
        marks=False,
    )


def a_game(name: str) -> MatchHeader:
    """A match whose log can be played through."""
    return MatchHeader(
        *(name, "sumquest", "", "", "", "screen", ("Ann", "Ben"), ("human", "human")),
        *((b"\x01" * 32, b"\x01" * 32), b"", 1, 1, (0, 0), NOW),
    )


async def make_games(address: str, matches: int = 3, *entries: str) -> None:
    """A database with matches `game0`, `game1`, ... that have these entries."""
    async with opened(address) as store:
        for number in range(matches):
            await store.create(a_game(f"game{number}"))
            for ply, text in enumerate(entries):
                assert await store.append(f"game{number}", an_entry(ply, text, "needle"), over=text == "!resign")


def an_entry(ply: int, text: str = "add", key: str = "", at: float = NOW) -> Entry:
    """An entry of a log: a move, or `!` and a deed."""
    deed, _, rest = text[1:].partition(" ") if text.startswith("!") else ("", "", text)
    return entry_of(ply, ply % 2, deed, rest, key, at)


def text_of(entry: Entry) -> str:
    """What the entry was made of."""
    deed, rest = written(entry)
    return f"!{deed} {rest}".rstrip() if deed else rest


async def log_of(store: SqlStore, match: str) -> list[Entry]:
    """All that happened in a match that is there."""
    loaded = await store.load(match)
    assert loaded is not None
    return loaded[1]


async def is_refused(asked: Awaitable[object], code: str, why: str = "") -> None:
    """What a hub is asked for is refused, for this reason."""
    with pytest.raises(Refusal, match=why or None) as refused:
        await asked
    assert refused.value.code == code


@asynccontextmanager
async def opened(address: str, beside: bool = False) -> AsyncIterator[SqlStore]:
    """A store that is closed at the end."""
    store = await open_store(address, beside=beside)
    try:
        yield store
    finally:
        await store.close()


def lengths(address: str) -> dict[str, int]:
    """How many entries each match of a database has."""

    async def main() -> dict[str, int]:
        async with opened(address) as store:
            return {kept.match: len(log) async for kept, log in store.everything()}

    return asyncio.run(main())


@asynccontextmanager
async def hub_at(store: SqlStore, limits: Limits | None = None) -> AsyncIterator[Hub]:
    """A server without its web and its workers."""
    hub = Hub(store, Thinking(1), Gate(limits or Limits()), Log(None))
    try:
        yield hub
    finally:
        await hub.close()


def heard_at(store: SqlStore) -> list[str]:
    """What a store tells of the others' changes, as it comes."""
    names: list[str] = []
    store.on_change(names.append)
    return names


class Held:
    """A read of a store that answers only when it is let: what it says was so a while ago."""

    def __init__(self, read: Callable[..., Awaitable[Any]]) -> None:
        self._read = read
        self.asked, self.answers = asyncio.Event(), asyncio.Event()

    async def __call__(self, *what: Any) -> Any:
        found = await self._read(*what)
        self.asked.set()
        await self.answers.wait()
        return found


async def until(true: Callable[[], bool]) -> None:
    """Let everybody go on until it is so."""
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.001)  # workers need the processor more


class Watcher:
    """Somebody who looks at a match, and keeps what they are told."""

    seats = (1,)

    def __init__(self, room: Room) -> None:
        self.sees = msgspec.json.decode(room.whole(), type=wire.State)
        """How the match stands as a page knows it: the whole at first, then what has changed."""
        self.updates: list[wire.Update] = []
        room.watchers.add(self)

    def told(self, update: bytes, done: str | None = None) -> None:
        self.sees = followed(self.sees, update)
        self.updates.append(msgspec.json.decode(update, type=wire.Update))

    def passed(self, frame: bytes) -> None:
        raise AssertionError(frame)


async def fill(store: SqlStore, free: Callable[[], None]) -> str:
    """Write until it fails, make room, go on; every acknowledged entry is there, and no other.

    What is written looks like nothing in particular, for PostgreSQL would make x, x, x, ... very small.
    """
    acknowledged: list[int] = []
    for match in range(8):
        await store.create(a_match(f"m{match}"))
        acknowledged.append(0)
    sentences: set[str] = set()

    async def write(match: int, text: str, entries: int) -> None:
        for _ in range(entries):
            try:
                assert await store.append(f"m{match}", an_entry(acknowledged[match], text), over=False)
            except StoreError as error:
                sentences.add(str(error))
                return
            acknowledged[match] += 1

    async def check() -> None:
        for match in range(8):
            assert [entry.ply for entry in await log_of(store, f"m{match}")] == list(range(acknowledged[match]))

    await asyncio.gather(*(write(match, os.urandom(2500).hex(), 10_000) for match in range(8)))
    assert sentences, "the disk never filled up"
    assert sum(acknowledged) > 10
    await check()
    told = set(sentences)
    assert len(told) == 1
    free()
    sentences.clear()
    await asyncio.gather(*(write(match, "y" * 500, 20) for match in range(8)))
    assert not sentences
    await check()
    return told.pop()


@contextmanager
def small_disk(place: Path, megabytes: int) -> Iterator[Path]:
    """A disk that is soon full."""
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(place)]
    try:
        mounted = subprocess.run(command, capture_output=True).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        place.rmdir()
        required("the right to mount a small disk")
    try:
        yield place
    finally:
        # Lazily: a server may still have a file open there.
        subprocess.run(["umount", "--lazy", str(place)], check=True)  # noqa: S607
        place.rmdir()
