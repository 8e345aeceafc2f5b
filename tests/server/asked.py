"""A worker of one's own, in a process of its own, for the tests that ask it."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, TypeVar

import msgspec

from numberquest.core.match import Match
from numberquest.server.think import tasks

T = TypeVar("T")


class Worker:
    """Started here, ended by `close`."""

    def __init__(self, cache: str, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "numberquest.server.think.worker", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "XDG_CACHE_HOME": cache},
        )

    def send(self, task: tasks.Task | bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write((task if isinstance(task, bytes) else msgspec.json.encode(task)) + b"\n")
        self.process.stdin.flush()

    def answer(self) -> tasks.Answer:
        assert self.process.stdout is not None
        found: tasks.Answer = msgspec.json.decode(self.process.stdout.readline(), type=tasks.Answer)
        return found

    def ask(self, task: tasks.Task | bytes) -> tasks.Answer:
        self.send(task)
        return self.answer()

    def made(self, task: tasks.Task, kind: type[T]) -> T:
        """The message that a task is answered by."""
        answer = self.ask(task)
        assert isinstance(answer, tasks.Made), answer
        return msgspec.json.decode(bytes(answer.json), type=kind)

    def close(self) -> tuple[bytes, bytes]:
        """End it; what it still said on both outputs."""
        return self.process.communicate(timeout=60)


def choose(match: Match[Any], level: str = "perfect", dice: str = "1") -> tasks.Choose:
    return tasks.Choose(match.game.slug, match.game.settings_text, list(match.history), level, dice)
