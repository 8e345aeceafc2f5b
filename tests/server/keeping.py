"""What the tests of the stores share: matches to keep, and stores that are closed again."""

from __future__ import annotations

import asyncio
import os
import subprocess
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from numberquest.server.match.entries import Entry, Kept
from numberquest.server.store.contract import Store, StoreError
from numberquest.server.store.rows import entry_of, written
from numberquest.server.store.stores import open_store
from tests.conftest import required

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

NOW = 1_700_000_000.0


def a_match(
    name: str,
    created: float = NOW,
    opponent: str = "screen",
    names: tuple[str, str] = ("Ann", "Ben"),
    tokens: tuple[bytes, bytes] = (b"\x00\xff" * 16, b"\x01" * 32),
    owner: str = "",
) -> Kept:
    """A match with something in every field."""
    return Kept(
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


def an_entry(ply: int, text: str = "add", key: str = "", at: float = NOW) -> Entry:
    """An entry of a log: a move, or `!` and a deed."""
    deed, _, rest = text[1:].partition(" ") if text.startswith("!") else ("", "", text)
    return entry_of(ply, ply % 2, deed, rest, key, at)


def text_of(entry: Entry) -> str:
    """What the entry was made of."""
    deed, rest = written(entry)
    return f"!{deed} {rest}".rstrip() if deed else rest


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Store]:
    """A store that is closed at the end."""
    store = await open_store(address)
    try:
        yield store
    finally:
        await store.close()


async def fill(store: Store, free: Callable[[], None]) -> str:
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
            loaded = await store.load(f"m{match}")
            assert loaded is not None
            assert [entry.ply for entry in loaded[1]] == list(range(acknowledged[match]))

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
