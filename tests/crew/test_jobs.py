"""Whatever becomes of the workers, every job is done, once."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

from numberquest.crew.jobs import Worked, do_all
from numberquest.crew.workers import Crew

JOBS = list(range(20))


def work(jobs: list[int]) -> Worked[int]:
    return Worked(list(jobs), 0.001)


class Leaving(Executor):
    """Does what it is given at once, until it is gone: that is noticed when it is given more."""

    def __init__(self, gone_after: int) -> None:
        self._left = gone_after

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if not self._left:
            raise BrokenProcessPool
        self._left -= 1
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


@pytest.mark.parametrize("gone_after", [3, 4, 7])
def test_what_nobody_was_left_to_take_is_given_to_the_next(gone_after: int) -> None:
    kept: list[int] = []
    crew = Crew(lambda: Leaving(gone_after), 1, lambda _: "gone")
    do_all(work, JOBS, kept.extend, crew, lambda _: None, "jobs")
    assert sorted(kept) == JOBS
