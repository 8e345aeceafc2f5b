"""Plays many games: here, on several cores, or on a cluster; what a worker that dies leaves behind is played again."""

from __future__ import annotations

import time
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.evaluate.crew import MOST_BREAKS
from numberquest.evaluate.game import Contest, Hall, Job, Row
from numberquest.evaluate.trouble import ProviderError
from numberquest.evaluate.who import who
from numberquest.mistake import FAILURE, Mistake
from numberquest.settings import BadSetting
from numberquest.solver.budget import silently

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numberquest.evaluate.crew import Crew
    from numberquest.evaluate.rows import Rows
    from numberquest.players import Player
    from numberquest.solver.budget import Progress

CHUNK_SECONDS: Final = 0.5
"""A worker is given about so much to do at a time: a kill loses no more, and sending it costs little beside it."""
MOST_IN_CHUNK: Final = 500
MOST_FAILED: Final = 10
"""So many games in a row, without one that ended, a provider may fail; then it is not there."""


class Worked(NamedTuple):
    """What a worker has done: rows, or the sentence that says why it cannot, and how many seconds it took."""

    rows: list[Row]
    seconds: float
    mistake: str = ""


_halls: dict[tuple[Contest, str, str], Hall] = {}
_players: dict[tuple[Contest, str], Player] = {}


def work(contest: Contest, jobs: Sequence[Job]) -> Worked:
    """Play some games: this is what runs in a worker, and it needs nothing but its arguments."""
    started = time.perf_counter()
    rows: list[Row] = []
    try:
        rows += [_hall(contest, job).play(job) for job in jobs]
    except Mistake as mistake:
        return Worked(rows, time.perf_counter() - started, str(mistake))
    return Worked(rows, time.perf_counter() - started)


def _hall(contest: Contest, job: Job) -> Hall:
    key = contest, job.agent, job.opponent
    if key not in _halls:
        _halls[key] = Hall(contest, {name: _player(contest, name) for name in (job.agent, job.opponent)})
    return _halls[key]


def _player(contest: Contest, name: str) -> Player:
    if (contest, name) not in _players:
        _players[contest, name] = ready(name, contest)
    return _players[contest, name]


def ready(
    name: str, contest: Contest, tell: Callable[[str], None] = silently, progress: Progress | None = None
) -> Player:
    """The player of that name, prepared, who is closed when this process ends; `Mistake` where there is none."""
    import atexit

    try:
        player = who(name)
    except BadSetting as error:
        raise Mistake(str(error)) from None
    close: Any = getattr(player, "close", None)
    if callable(close):
        atexit.register(close)
    try:
        player.prepare(contest.game, tell, progress)
    except ProviderError as error:
        raise Mistake(str(error), FAILURE) from None
    return player


def play(contest: Contest, jobs: Sequence[Job], rows: Rows, crew: Crew | None, progress: Progress) -> None:
    """Play all games that are not among the rows yet, and keep each as it ends. `Mistake` keeps what there is."""
    waiting = rows.missing(jobs)
    done = _Done(rows, len(jobs) - len(waiting), len(jobs), progress)
    if crew is None:
        for job in waiting:
            done.take(work(contest, [job]))
    elif waiting:
        _shared(contest, waiting, crew, done)


class _Done:
    """Counts what comes in."""

    def __init__(self, rows: Rows, done: int, total: int, progress: Progress) -> None:
        self._rows, self.done, self._total, self._progress = rows, done, total, progress
        self._failed = 0
        self.pace: float | None = None
        """How many seconds a game takes."""

    def take(self, worked: Worked) -> None:
        """Keep what a worker has done; `Mistake` where it could not."""
        if worked.rows:
            self._rows.add(worked.rows)
            pace = worked.seconds / len(worked.rows)
            self.pace = pace if self.pace is None else 0.7 * self.pace + 0.3 * pace
        self.done += len(worked.rows)
        if worked.mistake:
            raise Mistake(worked.mistake, FAILURE)
        for row in worked.rows:
            self._failed = 0 if row.result is not None else self._failed + 1
            if self._failed >= MOST_FAILED:
                raise Mistake(
                    f"of the last {MOST_FAILED} games none could be played: {row.error}. The games before are kept",
                    FAILURE,
                )
        self._progress(self.done, self._total)


def _shared(contest: Contest, jobs: Sequence[Job], crew: Crew, done: _Done) -> None:
    waiting, breaks = list(reversed(jobs)), 0
    while waiting:
        before = done.done
        running: dict[Future[Worked], list[Job]] = {}
        workers = crew.begin()
        try:
            while waiting or running:
                while waiting and len(running) < 2 * crew.number:
                    chunk = [waiting.pop() for _ in range(min(_size(done.pace, len(waiting), crew), len(waiting)))]
                    running[workers.submit(work, contest, chunk)] = chunk
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    # Taken off the list only when it is kept: what is on it is played again.
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
                raise Mistake(sentence, FAILURE) from error
            # In the order in which they were: nothing depends on it, but people like to see it.
            waiting += [job for chunk in reversed(running.values()) for job in reversed(chunk)]
        finally:
            for future in running:
                future.cancel()
            workers.shutdown(wait=False)
            if running:
                crew.end()


def _size(pace: float | None, waiting: int, crew: Crew) -> int:
    """How many games a worker is given at a time."""
    if pace is None:
        return 1
    # Towards the end, so few that all have something to do.
    return max(1, min(MOST_IN_CHUNK, int(CHUNK_SECONDS / max(pace, 1e-6)), waiting // (2 * crew.number)))
