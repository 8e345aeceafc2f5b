"""Who works: several processes of this machine, or (cluster.py) those of others."""

from __future__ import annotations

from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.solver.budget import silently

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

MOST_BREAKS: Final = 3
"""So often in a row, without one job done between, workers may die; then it is no accident."""

GRACE: Final = 5.0
"""So many seconds a worker has to end what it has begun, once nobody waits for it."""


class Crew(NamedTuple):
    """Who works: how to begin with new workers, how many there are, and what went wrong where they are gone."""

    begin: Callable[[], Executor]
    number: int
    gone: Callable[[BaseException], str | None]
    end: Callable[[], None] = silently
    """Ends those who are still working where nobody waits for them any more."""


def crew_here(number: int) -> Crew:
    """So many processes of this machine."""
    return Crew(lambda: _processes(number), number, _died, _ended(set(active_children())))


def _ended(others: set[Any]) -> Callable[[], None]:
    def end() -> None:
        children = set(active_children()) - others
        for child in children:
            child.terminate()
        until = monotonic() + GRACE
        for child in children:
            child.join(max(0.0, until - monotonic()))
            # Who is deep in something that hears no signal is not waited for.
            if child.is_alive():
                child.kill()

    return end


def _processes(number: int) -> Executor:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Not forked: a copy of a process with threads and open files is no safe place to begin.
    return ProcessPoolExecutor(number, get_context("spawn"), _in_worker)


def _in_worker() -> None:
    """A worker ends when it is told to, and when whoever began it is gone; not by the keys that are pressed there."""
    import os
    import signal
    import sys
    from multiprocessing import parent_process
    from threading import Thread

    def orphaned() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # By this way players are closed, which may have processes of their own.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    Thread(target=orphaned, daemon=True).start()


def _died(error: BaseException) -> str | None:
    if isinstance(error, BrokenProcessPool):
        return (
            f"workers have died {MOST_BREAKS} times in a row: what they run ends its process, or the memory is used up"
        )
    return None
