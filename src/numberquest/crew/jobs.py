"""Does many jobs: here, on several cores, or on a cluster; what a worker that dies leaves behind is done again."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from numberquest.crew.workers import MOST_BREAKS
from numberquest.mistake import FAILURE, Mistake

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numberquest.crew.workers import Crew

CHUNK_SECONDS: Final = 0.5
"""A worker is given about so much to do at a time: a kill loses no more, and sending it costs little beside it."""
MOST_IN_CHUNK: Final = 500

J = TypeVar("J")
R = TypeVar("R")


class Worked(NamedTuple, Generic[R]):
    """What a worker has done: rows, or the sentence that says why it cannot, and how many seconds it took."""

    rows: list[R]
    seconds: float
    mistake: str = ""


def do_all(
    work: Callable[[list[J]], Worked[R]],
    jobs: Sequence[J],
    keep: Callable[[list[R]], None],
    crew: Crew | None,
    progress: Callable[[int], None],
    what: str,
) -> None:
    """Do every job, and keep each row as it comes; `Mistake`, with what has been kept, where that cannot be.

    `work` runs in a worker, and needs nothing but what it is given. `progress` is told how many jobs are done.
    """
    done = _Done(keep, progress)
    if crew is None:
        for job in jobs:
            done.take(work([job]))
    elif jobs:
        _shared(work, jobs, crew, done, what)


class _Done(Generic[R]):
    """Counts what comes in."""

    def __init__(self, keep: Callable[[list[R]], None], progress: Callable[[int], None]) -> None:
        self._keep, self._progress = keep, progress
        self.done = 0
        self.pace: float | None = None
        """How many seconds a job takes."""

    def take(self, worked: Worked[R]) -> None:
        """Keep what a worker has done; `Mistake` where it could not."""
        if worked.rows:
            self._keep(worked.rows)
            pace = worked.seconds / len(worked.rows)
            self.pace = pace if self.pace is None else 0.7 * self.pace + 0.3 * pace
        self.done += len(worked.rows)
        if worked.mistake:
            raise Mistake(worked.mistake, FAILURE)
        self._progress(self.done)


def _shared(work: Callable[[list[J]], Worked[R]], jobs: Sequence[J], crew: Crew, done: _Done[R], what: str) -> None:
    waiting, breaks = list(reversed(jobs)), 0
    while waiting:
        before = done.done
        running: dict[Future[Worked[R]], list[J]] = {}
        workers = crew.begin()
        try:
            while waiting or running:
                while waiting and len(running) < 2 * crew.number:
                    size = min(_size(done.pace, len(waiting), crew), len(waiting))
                    chunk = waiting[: -size - 1 : -1]
                    # Taken off the list only when somebody has it: workers may be gone by now.
                    running[workers.submit(work, chunk)] = chunk
                    del waiting[-size:]
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    # Taken off the list only when it is kept: what is on it is done again.
                    done.take(future.result())
                    del running[future]
        except (Exception, CancelledError) as error:
            if isinstance(error, Mistake):
                raise
            sentence = crew.gone(error)
            if sentence is None:
                raise
            breaks = 1 if done.done > before else breaks + 1
            if breaks >= MOST_BREAKS or not isinstance(error, BrokenProcessPool):
                raise Mistake(f"{sentence}. The {what} before are kept", FAILURE) from error
            # In the order in which they were: nothing depends on it, but people like to see it.
            waiting += [job for chunk in reversed(running.values()) for job in reversed(chunk)]
        finally:
            for future in running:
                future.cancel()
            workers.shutdown(wait=False)
            if running:
                crew.end()


def _size(pace: float | None, waiting: int, crew: Crew) -> int:
    """How many jobs a worker is given at a time."""
    if pace is None:
        return 1
    # Towards the end, so few that all have something to do.
    return max(1, min(MOST_IN_CHUNK, int(CHUNK_SECONDS / max(pace, 1e-6)), waiting // (2 * crew.number)))
