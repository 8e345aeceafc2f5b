"""Reads once what many ask for at the same time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class SharedRead(Generic[T]):
    """What is being read, by its name: whoever asks for it meanwhile waits for the same read."""

    def __init__(self, read: Callable[[str], Awaitable[T]]) -> None:
        self._read = read
        self._waiting: dict[str, asyncio.Future[T]] = {}

    async def __call__(self, name: str) -> T:
        """Read it, or wait until whoever asked first has. Whoever goes away ends it for nobody else."""
        waiting = self._waiting.get(name)
        if waiting is None:
            waiting = self._waiting[name] = asyncio.ensure_future(self._read(name))
            waiting.add_done_callback(lambda _: self._waiting.pop(name, None))
        return await asyncio.shield(waiting)
