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
        self._changed: set[str] = set()

    async def __call__(self, name: str) -> T:
        """Read it, or wait until whoever asked first has. Whoever goes away ends it for nobody else."""
        waiting = self._waiting.get(name)
        if waiting is None:
            waiting = self._waiting[name] = asyncio.ensure_future(self._read(name))
            waiting.add_done_callback(lambda _: self._end(name))
        return await asyncio.shield(waiting)

    def changed(self, name: str) -> None:
        """Somebody else has changed it; without a name, anything may have been changed."""
        self._changed.update(self._waiting if not name else {name} & self._waiting.keys())

    def is_old(self, name: str) -> bool:
        """Whether what is being read was changed since that began: then nobody knows whether it was read with that."""
        return name in self._changed

    def _end(self, name: str) -> None:
        del self._waiting[name]
        self._changed.discard(name)
