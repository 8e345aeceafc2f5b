"""Computer moves, hints, reviews and puzzles, thought out by workers outside the event loop, with limits.

Who is next is settled in fair_queue.py. Of several workers one never does anything large, and first of all what is
known to be small: everything else is first tried with a little patience, and what takes longer waits again, with the
large ones, for the others. What nobody waits for any more is dropped when it is its turn. A worker that takes too
long is ended and replaced; one that dies is replaced, and its task tried once more.
"""

import asyncio
import os
import sys
from asyncio.subprocess import Process
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
from msgspec import structs

from numberquest.core.sentences import Said
from numberquest.server import wire
from numberquest.server.background import Background
from numberquest.server.refusal import Refusal
from numberquest.server.think import tasks
from numberquest.server.think.fair_queue import LARGE, NEW, QUICK, RECENT, SIZES, SMALL, CostModel, FairQueue, Job

LIMITS: Final[Mapping[type, float]] = {
    **dict.fromkeys((tasks.Hint, tasks.Comment, tasks.QrCode), 10.0),
    tasks.Choose: 20.0,
    **dict.fromkeys((tasks.AskPuzzle, tasks.Judge, tasks.Weigh, tasks.AskLesson, tasks.Map), 30.0),
    **dict.fromkeys((tasks.CheckDraft, tasks.TryDraft), 20.0),
    tasks.MeasureDraft: 40.0,
    **dict.fromkeys(
        (tasks.AskReview, tasks.LookBack, tasks.Worksheet, tasks.Games, tasks.Measure, tasks.BestLine, tasks.Prepare),
        60.0,
    ),
}
"""How many seconds each kind of task may take once a worker has begun it."""
FIRST_TRY: Final = 5.0
"""So many seconds a first try may take in all. The worker itself gives up after little work, and is not ended for it;
this is for one that does not answer at all."""
URGENT: Final = (tasks.Choose, tasks.Hint, tasks.Comment, tasks.QrCode)
"""Somebody sits at the board and waits for these."""
LARGE_ALWAYS: Final = (tasks.Games, tasks.Measure, tasks.MeasureDraft, tasks.Prepare)
"""These are never tried as small ones."""
ALWAYS_THE_SAME: Final = (
    *(tasks.AskReview, tasks.AskPuzzle, tasks.Judge, tasks.Games, tasks.AskLesson),
    *(tasks.Measure, tasks.Map, tasks.BestLine, tasks.Weigh, tasks.Worksheet),
)
"""Asked again, these have the same answer again: it is kept."""
LOOK: Final = 0.5
"""After so many seconds it is looked again whether somebody still waits."""
MOST_KEPT: Final = 16 * 1024 * 1024
"""How many bytes of such answers are kept."""

T = TypeVar("T")
_decode = msgspec.json.Decoder(tasks.Answer).decode


class Busy(Refusal):
    """So many wait already that one more would wait too long."""

    def __init__(self, said: str) -> None:
        super().__init__("busy", Said(said))


class Unwanted(Refusal):
    """Nobody waited for it any more when it was its turn."""

    def __init__(self) -> None:
        super().__init__("busy", Said("thinking-not"))


class TooSlow(Refusal):
    """It took longer than it may."""

    def __init__(self) -> None:
        super().__init__("too-large", Said("thinking-long"))


@dataclass(slots=True, eq=False)
class _Asked:
    """A task on its way, and who waits for its answer."""

    task: tasks.Task
    key: bytes
    rules: str
    answer: asyncio.Future[tasks.Answer]
    wanted: list[Callable[[], bool]]
    """Of each who asked: whether they still wait for it."""


class Thinking:
    """Asks the workers. Use it in one event loop: `start`, then `ask`, at the end `close`."""

    def __init__(
        self,
        workers: int = 2,
        longest_line: int = 128,
        limits: Mapping[type, float] = LIMITS,
        memory: int = tasks.MEMORY,
    ) -> None:
        """`longest_line`: so many reviews and puzzles of one address may wait. What is urgent always may."""
        self._workers = workers
        self._longest_line = longest_line
        self._limits = limits
        self._memory = memory
        self._queue: FairQueue[_Asked] = FairQueue()
        self._costs = CostModel()
        self._changed = asyncio.Condition()
        self.background = Background()
        self._slots: list[asyncio.Task[None]] = []
        self._processes: dict[int, Process] = {}
        self._asked: dict[tuple[bytes, str], tuple[asyncio.Future[tasks.Answer], list[Callable[[], bool]]]] = {}
        self._kept: OrderedDict[bytes, tasks.Made] = OrderedDict()
        self._kept_bytes = 0
        self.running = 0
        """How many tasks the workers have in hand."""
        self._seconds = dict.fromkeys(SIZES, 0.0)
        self._tries: Counter[str] = Counter()
        self.spent: Callable[[str, float], None] = lambda _address, _seconds: None

    @property
    def waiting(self) -> int:
        """How many tasks no worker has begun."""
        return sum(map(self._queue.waiting, SIZES))

    def measured(self) -> dict[str, float]:
        """What there is to know about it for whoever looks after the server."""
        figures: dict[str, Callable[[str], float]] = {
            "waiting": self._queue.waiting,
            "seconds_total": self._seconds.__getitem__,
            "tasks_total": self._tries.__getitem__,
        }
        return {
            f'numberquest_thinking_{name}{{size="{size}"}}': float(figure(size))
            for name, figure in figures.items()
            for size in SIZES
        }

    @property
    def stopped(self) -> bool:
        """Whether nothing is thought about any more."""
        return not self._slots

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in self._processes.values() if process.returncode is None]

    async def start(self) -> None:
        """Be ready. The first worker starts at once, others when there is something for them to do."""
        self._processes[0] = await self._started()
        self._slots = [
            asyncio.create_task(self.background.keep_running(f"worker {slot + 1}", partial(self._work, slot)))
            for slot in range(self._workers)
        ]

    async def close(self) -> None:
        """End the workers, in the middle of what they do; whoever waits is told that nobody has time."""
        work, self._slots = self._slots, []
        for one in work:
            one.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        for slot in list(self._processes):
            await self._end(slot)
        for job in self._queue.clear():
            _fail(job, Busy("stopping"))
        await asyncio.gather(*(asked for asked, _ in self._asked.values()), return_exceptions=True)

    def knows(self, task: tasks.Task) -> bool:
        """Whether the answer is kept already."""
        return wire.encode(task) in self._kept

    def free(self, task: tasks.Task, address: str) -> bool:
        """Whether it costs this address nothing: it is kept, or being thought out for it, or everybody needs it."""
        key = wire.encode(task)
        return isinstance(task, tasks.Games) or key in self._kept or (key, address) in self._asked

    async def ask(
        self, task: tasks.Task, address: str, match: str = "", wanted: Callable[[], bool] = lambda: True
    ) -> tasks.Answer:
        """The worker's answer; `Busy` where too many of that address wait, `TooSlow` where it takes longer than it may.

        The time it takes is counted for the address and the match; `spent` is told too. If it is not `wanted` any more
        when it is its turn, nobody thinks about it: `Unwanted`.
        """
        if self.stopped:
            raise Busy("stopping")
        key = wire.encode(task)
        if len(key) >= tasks.LARGEST_TASK:
            return tasks.Failed("too-large", wire.Said("longer-than-games", {}))
        if not isinstance(task, ALWAYS_THE_SAME):
            return await self._answer(key, task, address, match, [wanted])
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        if isinstance(task, tasks.Games):
            # Everybody needs it: it is nobody's, and waits behind nobody's games.
            address = ""
        # Many who ask the same at once are answered together; not of different addresses, for one may wait longer.
        asked, all_wanted = self._asked.get((key, address), (None, list[Callable[[], bool]]()))
        all_wanted.append(wanted)
        if asked is None:
            asked = asyncio.ensure_future(self._answer(key, task, address, match, all_wanted))
            self._asked[key, address] = asked, all_wanted
            asked.add_done_callback(lambda done: self._keep(key, address, done))
        return await asyncio.shield(asked)

    async def _answer(
        self, key: bytes, task: tasks.Task, address: str, match: str, wanted: list[Callable[[], bool]]
    ) -> tasks.Answer:
        # Of a match only one move of the computer waits, so that their number is bounded by that of the matches; hints
        # are by what an address may use in all. Both go before what waits here.
        urgent = isinstance(task, URGENT)
        if not urgent and sum(self._queue.waiting(size, address) for size in SIZES) >= self._longest_line:
            raise Busy("thinking-much")
        rules = tasks.rules_of(task)
        asked = _Asked(task, key, rules, asyncio.get_running_loop().create_future(), wanted)
        size = LARGE if isinstance(task, LARGE_ALWAYS) else self._costs.size(rules)
        job = Job(asked, address, match, urgent, size)
        await self._put(job)
        try:
            return await asked.answer
        except asyncio.CancelledError:
            self._queue.remove(job)
            raise

    async def _put(self, job: Job[_Asked]) -> None:
        self._queue.put(job, asyncio.get_running_loop().time())
        async with self._changed:
            self._changed.notify_all()

    def _keep(self, key: bytes, address: str, done: asyncio.Future[tasks.Answer]) -> None:
        del self._asked[key, address]
        if done.cancelled() or done.exception() is not None:
            return
        answer = done.result()
        if isinstance(answer, tasks.Made) and key not in self._kept:
            self._kept[key] = answer
            self._kept_bytes += _size(key, answer)
            while self._kept_bytes > MOST_KEPT:
                self._kept_bytes -= _size(*self._kept.popitem(last=False))

    async def _work(self, slot: int) -> None:
        """Give one worker task after task."""
        # The first is for small ones, and tries new ones while there are none, but not of those who have used much
        # while others play; the rest, for which the large ones wait, take turns between those and new ones, so that
        # neither keeps the other waiting for ever.
        sizes = SIZES if self._workers == 1 else (LARGE, NEW, SMALL) if slot else (SMALL, NEW)
        clock = asyncio.get_running_loop().time
        while True:
            job = await self._next(sizes)
            if LARGE in sizes[:2]:
                sizes = (sizes[1], sizes[0], SMALL)
            self.running += 1
            try:
                await self._do(slot, job)
            except OSError:
                _fail(job, Busy("thinking-not"))
            except Exception:
                _fail(job, Busy("thinking-not"))
                # The worker may be in the middle of an answer.
                await self._end(slot)
                raise
            except BaseException:
                _fail(job, Busy("stopping"))
                raise
            finally:
                self.running -= 1
                took = clock() - job.began
                self._queue.done(job, clock())
                # A computer's move counts in the line alone: it is never refused, and no hint is because of it.
                if not isinstance(job.what.task, tasks.Choose):
                    self.spent(job.address, took)
                self._seconds[job.size] += took
                self._tries[job.size] += 1
            if not job.what.answer.done():
                job.size = LARGE
                await self._put(job)

    async def _next(self, sizes: tuple[str, ...]) -> Job[_Asked]:
        async with self._changed:
            while True:
                now = asyncio.get_running_loop().time()
                job = self._queue.take(now, *sizes, spares=self._workers > 1 and sizes[0] == SMALL)
                if job is None:
                    # What is spared now may be tried when nobody else has asked for a while.
                    with suppress(TimeoutError):
                        async with asyncio.timeout(RECENT if NEW in sizes and self._queue.waiting(NEW) else None):
                            await self._changed.wait()
                elif not any(wanted() for wanted in job.what.wanted):
                    self._queue.done(job, now)
                    _fail(job, Unwanted())
                elif job.size != LARGE and self._costs.size(job.what.rules) == LARGE:
                    # It has been learnt while this one waited.
                    self._queue.done(job, now)
                    job.size = LARGE
                    self._queue.put(job, now)
                    self._changed.notify_all()
                else:
                    return job

    async def _do(self, slot: int, job: Job[_Asked]) -> None:
        """Have it answered, or, after a first try, leave it to be done in earnest."""
        asked = job.what
        if asked.key in self._kept:
            # Somebody else has asked the same meanwhile.
            asked.answer.set_result(self._kept[asked.key])
            return
        tried, limit = job.size != LARGE, self._limits[type(asked.task)]
        line = wire.encode(structs.replace(asked.task, patience=QUICK)) if tried else asked.key
        for again in (False,) if tried else (False, True):
            began = asyncio.get_running_loop().time()
            process = self._processes.get(slot)
            if process is None or process.returncode is not None:
                await self._end(slot)
                process = self._processes[slot] = await self._started()
            try:
                async with asyncio.timeout_at(began + (min(FIRST_TRY, limit) if tried else limit)):
                    answer = await _while_wanted(asked, _exchanged(process, line))
            except Unwanted as why:
                _fail(job, why)
                await self._end(slot)
                return
            except TimeoutError:
                if tried:
                    self._costs.too_long(asked.rules)
                else:
                    _fail(job, TooSlow())
                await self._end(slot)
                return
            if answer is not None:
                if answer.last:
                    await self._end(slot)
                if tried and tasks.gave_up(answer):
                    self._costs.too_long(asked.rules)
                    return
                if answer.last and tasks.gave_up(answer) and not again:
                    # It may have been for want of memory: a new one has more.
                    continue
                self._costs.answered(asked.rules, job.size, solved=not tasks.gave_up(answer))
                if not asked.answer.done():
                    asked.answer.set_result(answer)
                return
            # It died, for whatever reason: another one tries once more.
            await self._end(slot)
        if tried:
            self._costs.too_long(asked.rules)
        elif not asked.answer.done():
            asked.answer.set_result(tasks.Failed("internal", wire.Said("went-wrong-again", {})))

    async def _started(self) -> Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "numberquest.server.think.worker", "--memory", str(self._memory)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=tasks.LARGEST_ANSWER,
            # Each thread of these would set memory aside, and there is one worker for each that thinks.
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            # Ctrl-C in the terminal is for the server alone.
            start_new_session=True,
        )

    async def _end(self, slot: int) -> None:
        """End a worker for certain, and leave nothing of it behind."""
        process = self._processes.get(slot)
        if process is None:
            return
        if process.returncode is None:
            # It may have been faster.
            with suppress(ProcessLookupError):
                process.kill()
        tasks_for, answers_of = _pipes(process)
        tasks_for.close()
        while await answers_of.read(1 << 16):
            continue
        await process.wait()
        # Only then forgotten: whoever is stopped while waiting for it leaves it to `close`.
        del self._processes[slot]


async def _exchanged(process: Process, line: bytes) -> tasks.Answer | None:
    """The answer of this worker; None where it died over it."""
    tasks_for, answers_of = _pipes(process)
    try:
        tasks_for.write(line + b"\n")
        await tasks_for.drain()
        answer: tasks.Answer = _decode(await answers_of.readline())
    except (ConnectionError, ValueError):
        # Gone, or in the middle of an answer, or with more to say than anybody wants to hear.
        return None
    return answer


async def _while_wanted(asked: _Asked, work: Coroutine[Any, Any, T]) -> T:
    """What comes of it; `Unwanted` when whoever wanted to know what rules are like has gone meanwhile."""
    doing = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait([doing], timeout=LOOK))[0]:
            if isinstance(asked.task, tasks.Measure) and not any(wanted() for wanted in asked.wanted):
                raise Unwanted
        return doing.result()
    finally:
        doing.cancel()
        # Nobody else can read from the worker before this has ended.
        await asyncio.gather(doing, return_exceptions=True)


def _pipes(process: Process) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
    if process.stdin is None or process.stdout is None:
        raise LookupError("a worker has an input and an output")
    return process.stdin, process.stdout


def _fail(job: Job[_Asked], why: Exception) -> None:
    if not job.what.answer.done():
        job.what.answer.set_exception(why)


def _size(line: bytes, answer: tasks.Made) -> int:
    return len(line) + len(memoryview(answer.json))
