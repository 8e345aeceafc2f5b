"""Does many jobs: here, in several processes, or on a cluster; what a worker that dies leaves behind is done again."""

import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children
from time import monotonic, perf_counter
from typing import Any, Final, Generic, NamedTuple, TypeVar

from numberquest.core.errors import FAILURE, UsageError, to_install

MOST_BREAKS: Final = 3
"""So often in a row, without one job done between, workers may die; then it is no accident."""

GRACE: Final = 5.0
"""So many seconds a worker has to end what it has begun, once nobody waits for it."""


class Workers(NamedTuple):
    """Who works: how to begin with new workers, how many there are, and what went wrong where they are gone."""

    begin: Callable[[], Executor]
    number: int
    gone: Callable[[BaseException], str | None]
    end: Callable[[Iterable[Future[Any]]], object]
    """Ends what is still worked on, where nobody waits for it any more."""


def local_workers(number: int) -> Workers:
    """So many processes of this machine."""
    others = set(active_children())

    # The pool itself says of what they were doing that it is broken off, which it cannot of what is cancelled.
    def end(_: Iterable[Future[Any]]) -> None:
        children = set(active_children()) - others
        for child in children:
            child.terminate()
        until = monotonic() + GRACE
        for child in children:
            child.join(max(0.0, until - monotonic()))
            # Who is deep in something that hears no signal is not waited for.
            if child.is_alive():
                child.kill()

    return Workers(lambda: _processes(number), number, _died, end)


def _processes(number: int) -> Executor:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Not forked: a copy of a process with threads and open files is no safe place to begin.
    return ProcessPoolExecutor(number, get_context("spawn"), _in_worker)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Ctrl-C is heard when this is over: a worker begun here hears none at all until it can turn a deaf ear to it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_worker() -> None:
    """A worker ends when it is told to, and when whoever began it is gone; not by the keys that are pressed there."""
    import atexit
    import os
    from multiprocessing import parent_process
    from threading import Thread

    def orphaned() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    def told_to_end(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        # In this way players are closed, which may have processes of their own. An error that came up wherever this
        # process is would be taken for their own by somebody's code, by an import or by the pool.
        atexit._run_exitfuncs()
        os._exit(0)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, told_to_end)
    Thread(target=orphaned, daemon=True).start()


def _died(error: BaseException) -> str | None:
    if isinstance(error, BrokenProcessPool):
        return (
            f"workers have died {MOST_BREAKS} times in a row: what they run ends its process, or the memory is used up"
        )
    return None


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
    work: Callable[[J], R],
    jobs: Sequence[J],
    keep: Callable[[list[R]], None],
    workers: Workers | None,
    progress: Callable[[int], None],
    what: str,
) -> None:
    """Do every job, and keep each row as it comes; `UsageError`, with what has been kept, where that cannot be.

    `work` runs in a worker, and needs nothing but what it is given. `progress` is told how many jobs are done.
    """
    done = _Done(keep, progress)
    if workers is None:
        for job in jobs:
            done.take(_worked(work, [job]))
    elif jobs:
        _shared(work, jobs, workers, done, what)


def _worked(work: Callable[[J], R], jobs: Sequence[J]) -> Worked[R]:
    """Do some jobs: this is what runs in a worker."""
    started, rows, mistake = perf_counter(), list[R](), ""
    try:
        for job in jobs:
            rows.append(work(job))
    except UsageError as error:
        mistake = str(error)
    return Worked(rows, perf_counter() - started, mistake)


class _Done(Generic[R]):
    def __init__(self, keep: Callable[[list[R]], None], progress: Callable[[int], None]) -> None:
        self._keep, self._progress = keep, progress
        self.done = 0
        self.pace: float | None = None

    def take(self, worked: Worked[R]) -> None:
        """Keep what a worker has done; `UsageError` where it could not."""
        if worked.rows:
            self._keep(worked.rows)
            pace = worked.seconds / len(worked.rows)
            self.pace = pace if self.pace is None else 0.7 * self.pace + 0.3 * pace
        self.done += len(worked.rows)
        if worked.mistake:
            raise UsageError(worked.mistake, FAILURE)
        self._progress(self.done)


def _shared(work: Callable[[J], R], jobs: Sequence[J], workers: Workers, done: _Done[R], what: str) -> None:
    waiting, breaks = list(reversed(jobs)), 0
    while waiting:
        before = done.done
        running: dict[Future[Worked[R]], list[J]] = {}
        executor = workers.begin()
        try:
            while waiting or running:
                while waiting and len(running) < 2 * workers.number:
                    size = min(_size(done.pace, len(waiting), workers), len(waiting))
                    chunk = waiting[: -size - 1 : -1]
                    # Taken off the list only when somebody has it: workers may be gone by now.
                    with _interrupts_later():
                        running[executor.submit(_worked, work, chunk)] = chunk
                    del waiting[-size:]
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    # Taken off the list only when it is kept: what is on it is done again.
                    done.take(future.result())
                    del running[future]
        except (Exception, CancelledError) as error:
            if isinstance(error, UsageError):
                raise
            sentence = workers.gone(error)
            if sentence is None:
                raise
            breaks = 1 if done.done > before else breaks + 1
            if breaks >= MOST_BREAKS or not isinstance(error, BrokenProcessPool):
                raise UsageError(f"{sentence}. The {what} before are kept", FAILURE) from error
            # In the order in which they were: nothing depends on it, but people like to see it.
            waiting += [job for chunk in reversed(running.values()) for job in reversed(chunk)]
        finally:
            executor.shutdown(wait=False)
            if running:
                workers.end(running)


def _size(pace: float | None, waiting: int, workers: Workers) -> int:
    if pace is None:
        return 1
    # Towards the end, so few that all have something to do.
    return max(1, min(MOST_IN_CHUNK, int(CHUNK_SECONDS / max(pace, 1e-6)), waiting // (2 * workers.number)))


@contextmanager
def workers_for(number: int, cluster: str | None = None) -> Iterator[Workers | None]:
    """Those who work: nobody else where one is enough, so many processes, or a cluster at that address."""
    if cluster is not None:
        with cluster_workers(cluster) as workers:
            yield workers
    else:
        yield local_workers(number) if number > 1 else None


RETRIES: Final = 2
"""So often what a worker was doing that died is given to another."""
PATIENCE: Final = 10
"""So many seconds a scheduler may take to answer."""


@contextmanager
def cluster_workers(address: str) -> Iterator[Workers]:
    """The workers of the cluster at that address; `UsageError` where there is none."""
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(f"--cluster needs Dask: {to_install('cluster')}", FAILURE) from None
    client = _client(Client, address)
    try:
        yield Workers(
            lambda: client.get_executor(retries=RETRIES, pure=False),
            max(1, sum(client.nthreads().values())),
            lambda error: _gone(address, error),
            lambda running: [future.cancel() for future in running],
        )
    finally:
        # A cluster that is gone does not answer to a goodbye.
        client.close(timeout=2)


def _client(kind: Any, address: str) -> Any:
    import logging
    import socket
    from urllib.parse import urlsplit

    try:
        place = urlsplit(address)
        host, port = place.hostname, place.port
    except ValueError:
        host = port = None
    if not host or not port or place.scheme not in ("tcp", "tls"):
        raise UsageError(f"there is no cluster at {address}: an address is written tcp://host:8786", FAILURE)
    try:
        # Whether anybody is there at all is found out sooner, and said better, without Dask.
        socket.create_connection((host, port), PATIENCE).close()
    except OSError as error:
        raise UsageError(f"there is no cluster at {address}: {error.strerror or error}", FAILURE) from None
    # What goes wrong is told in one sentence, by us.
    for name in ("asyncio", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("asyncio", "distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        client = kind(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        said = " ".join(str(error).split())[:200]
        raise UsageError(f"there is no cluster at {address}: {said}", FAILURE) from None
    if not client.nthreads():
        client.close(timeout=2)
        raise UsageError(f"the cluster at {address} has no workers", FAILURE)
    return client


def _gone(address: str, error: BaseException) -> str | None:
    """What to say where the cluster has gone away, or has not what it takes."""
    from distributed import KilledWorker
    from distributed.comm.core import CommClosedError

    if isinstance(error, KilledWorker):
        why = "its workers die at this work"
    elif isinstance(error, ModuleNotFoundError):
        why = f"its workers lack {error.name}: install the same things there"
    elif isinstance(error, CancelledError | CommClosedError | OSError | TimeoutError) or "lost" in str(error):
        why = "it has gone away"
    else:
        return None
    return f"the cluster at {address} cannot go on: {why}"
