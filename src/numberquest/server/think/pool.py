"""Computer moves, hints, reviews and puzzles, thought out by workers outside the event loop, with limits.

A task waits in a line that is never longer than it may be. Moves, hints and comments go before reviews and puzzles,
and where there are several workers, one is always left for them. A worker that takes too long is ended and replaced;
one that dies is replaced, and its task tried once more.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import OrderedDict, deque
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from numberquest.sentences import Said
from numberquest.server import wire
from numberquest.server.refusal import Refusal
from numberquest.server.think import tasks

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable, Mapping

LIMITS: Final[Mapping[type, float]] = {
    tasks.Choose: 10.0,
    tasks.Hint: 10.0,
    tasks.Comment: 10.0,
    tasks.Review: 60.0,
    tasks.Puzzle: 30.0,
    tasks.Judge: 30.0,
    tasks.Games: 60.0,
}
"""How many seconds each kind of task may take once a worker has begun it."""
QUICK: Final = (tasks.Choose, tasks.Hint, tasks.Comment)
"""Somebody sits at the board and waits for these."""
ALWAYS_THE_SAME: Final = (tasks.Review, tasks.Puzzle, tasks.Judge, tasks.Games)
"""Asked again, these have the same answer again: it is kept."""
MOST_KEPT: Final = 16 * 1024 * 1024
"""How many bytes of such answers are kept."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tasks.Answer).decode


class Busy(Refusal):
    """So many wait already that one more would wait too long."""

    def __init__(self, said: str) -> None:
        super().__init__("busy", Said(said))


class TooSlow(Refusal):
    """It took longer than it may."""

    def __init__(self) -> None:
        super().__init__("too-large", Said("thinking-long"))


class _Job(NamedTuple):
    line: bytes
    limit: float
    answer: asyncio.Future[tasks.Answer]
    address: str


class Thinking:
    """Asks the workers. Use it in one event loop: `start`, then `ask`, at the end `close`."""

    def __init__(
        self,
        workers: int = 2,
        longest_line: int = 64,
        limits: Mapping[type, float] = LIMITS,
        memory: int = tasks.MEMORY,
    ) -> None:
        self._workers = workers
        self._longest_line = longest_line
        self._limits = limits
        self._memory = memory
        self._quick: deque[_Job] = deque()
        self._slow: deque[_Job] = deque()
        self._changed = asyncio.Condition()
        self._slots: list[asyncio.Task[None]] = []
        self._processes: dict[int, Process] = {}
        self._asked: dict[bytes, asyncio.Future[tasks.Answer]] = {}
        self._kept: OrderedDict[bytes, tasks.Made] = OrderedDict()
        self._kept_bytes = 0
        self._running = 0
        self.spent: Callable[[str, float], None] = lambda _address, _seconds: None

    @property
    def waiting(self) -> int:
        """How many tasks no worker has begun."""
        return len(self._quick) + len(self._slow)

    @property
    def running(self) -> int:
        """How many tasks the workers have in hand."""
        return self._running

    @property
    def pids(self) -> list[int]:
        """The workers that run now."""
        return [process.pid for process in self._processes.values() if process.returncode is None]

    async def start(self) -> None:
        """Be ready. The first worker starts at once, others when there is something for them to do."""
        self._processes[0] = await self._started()
        self._slots = [asyncio.create_task(self._work(slot)) for slot in range(self._workers)]

    async def close(self) -> None:
        """End the workers, in the middle of what they do; whoever waits is told that nobody has time."""
        for slot in self._slots:
            slot.cancel()
        await asyncio.gather(*self._slots, return_exceptions=True)
        self._slots = []
        for process in self._processes.values():
            await _ended(process)
        self._processes.clear()
        for job in (*self._quick, *self._slow):
            _fail(job, Busy("stopping"))
        self._quick.clear()
        self._slow.clear()
        await asyncio.gather(*self._asked.values(), return_exceptions=True)

    def knows(self, task: tasks.Task) -> bool:
        """Whether the answer is kept, or being thought out: then it costs nothing."""
        line = _encode(task)
        return line in self._kept or line in self._asked

    async def ask(self, task: tasks.Task, address: str = "") -> tasks.Answer:
        """The worker's answer; `Busy` where too many wait, `TooSlow` where it takes longer than it may.

        `spent` is told for which address, and for how many seconds, a worker was busy with it.
        """
        if not self._slots:
            raise Busy("stopping")
        line = _encode(task)
        if len(line) >= tasks.LARGEST_TASK:
            return tasks.Failed("too-large", wire.Said("longer-than-games", {}))
        if not isinstance(task, ALWAYS_THE_SAME):
            return await self._answer(line, task, address)
        kept = self._kept.get(line)
        if kept is not None:
            self._kept.move_to_end(line)
            return kept
        # Many who ask the same at once are answered together.
        asked = self._asked.get(line)
        if asked is None:
            asked = self._asked[line] = asyncio.ensure_future(self._answer(line, task, address))
            asked.add_done_callback(lambda done: self._keep(line, done))
        return await asyncio.shield(asked)

    async def _answer(self, line: bytes, task: tasks.Task, address: str) -> tasks.Answer:
        # Two lines, so that no number of reviews keeps a computer player from its move.
        waiting = self._quick if isinstance(task, QUICK) else self._slow
        if len(waiting) >= self._longest_line:
            raise Busy("thinking-much")
        job = _Job(line, self._limits[type(task)], asyncio.get_running_loop().create_future(), address)
        waiting.append(job)
        async with self._changed:
            self._changed.notify_all()
        try:
            return await job.answer
        except asyncio.CancelledError:
            if job in waiting:
                waiting.remove(job)
            raise

    def _keep(self, line: bytes, done: asyncio.Future[tasks.Answer]) -> None:
        del self._asked[line]
        if done.cancelled() or done.exception() is not None:
            return
        answer = done.result()
        if isinstance(answer, tasks.Made):
            self._kept[line] = answer
            self._kept_bytes += _size(line, answer)
            while self._kept_bytes > MOST_KEPT:
                self._kept_bytes -= _size(*self._kept.popitem(last=False))

    async def _work(self, slot: int) -> None:
        """Give one worker task after task."""
        while True:
            job = await self._next(slot)
            self._running += 1
            began = asyncio.get_running_loop().time()
            try:
                await self._do(slot, job)
            except OSError:
                _fail(job, Busy("thinking-not"))
            finally:
                self._running -= 1
                self.spent(job.address, asyncio.get_running_loop().time() - began)
                # Only where this slot is being closed is it still open.
                _fail(job, Busy("stopping"))

    async def _next(self, slot: int) -> _Job:
        async with self._changed:
            while True:
                if self._quick:
                    return self._quick.popleft()
                if self._slow and (slot > 0 or self._workers == 1):
                    return self._slow.popleft()
                await self._changed.wait()

    async def _do(self, slot: int, job: _Job) -> None:
        deadline = asyncio.get_running_loop().time() + job.limit
        for _ in range(2):
            process = await self._process(slot)
            try:
                async with asyncio.timeout_at(deadline):
                    answer = await _exchanged(process, job.line)
            except TimeoutError:
                _fail(job, TooSlow())
                await self._end(slot)
                return
            if answer is not None:
                if not job.answer.done():
                    job.answer.set_result(answer)
                if answer.last:
                    await self._end(slot)
                return
            # It died, for whatever reason: another one tries once more.
            await self._end(slot)
        if not job.answer.done():
            job.answer.set_result(tasks.Failed("internal", wire.Said("went-wrong-again", {})))

    async def _process(self, slot: int) -> Process:
        process = self._processes.get(slot)
        if process is None or process.returncode is not None:
            await self._end(slot)
            process = self._processes[slot] = await self._started()
        return process

    async def _started(self) -> Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "numberquest.server.think.worker",
            "--memory",
            str(self._memory),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=tasks.LARGEST_ANSWER,
            # Each thread of these would set memory aside, and there is one worker for each that thinks.
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            # Ctrl-C in the terminal is for the server alone.
            start_new_session=True,
        )

    async def _end(self, slot: int) -> None:
        process = self._processes.get(slot)
        if process is not None:
            # Only then forgotten: whoever is stopped while waiting for it leaves it to `close`.
            await _ended(process)
            del self._processes[slot]


async def _exchanged(process: Process, line: bytes) -> tasks.Answer | None:
    """The answer of this worker; None where it died over it."""
    if process.stdin is None or process.stdout is None:
        raise LookupError("a worker has an input and an output")
    try:
        process.stdin.write(line + b"\n")
        await process.stdin.drain()
        answer: tasks.Answer = _decode(await process.stdout.readline())
    except (ConnectionError, ValueError):
        # Gone, or in the middle of an answer, or with more to say than anybody wants to hear.
        return None
    return answer


async def _ended(process: Process) -> None:
    """End a worker for certain, and leave nothing of it behind."""
    if process.returncode is None:
        # It may have been faster.
        with suppress(ProcessLookupError):
            process.kill()
    if process.stdin is not None:
        process.stdin.close()
    if process.stdout is not None:
        while await process.stdout.read(1 << 16):
            continue
    await process.wait()


def _fail(job: _Job, why: Exception) -> None:
    if not job.answer.done():
        job.answer.set_exception(why)


def _size(line: bytes, answer: tasks.Made) -> int:
    return len(line) + len(memoryview(answer.json))
