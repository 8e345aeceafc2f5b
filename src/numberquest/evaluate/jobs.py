"""Plays many games: here, on several cores, or on a cluster."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from numberquest.crew.jobs import Worked, do_all
from numberquest.evaluate.game import Contest, Hall, Job, Row
from numberquest.evaluate.trouble import ProviderError
from numberquest.evaluate.who import who
from numberquest.mistake import FAILURE, Mistake
from numberquest.settings import BadSetting
from numberquest.solver.budget import silently

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numberquest.crew import Crew
    from numberquest.evaluate.rows import Rows
    from numberquest.players import Player
    from numberquest.solver.budget import Progress

MOST_FAILED: Final = 10
"""So many games in a row, without one that ended, a provider may fail; then it is not there."""


_halls: dict[tuple[Contest, str, str], Hall] = {}
_players: dict[tuple[Contest, str], Player] = {}


def work(contest: Contest, jobs: Sequence[Job]) -> Worked[Row]:
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
    failed = 0

    def keep(played: Sequence[Row]) -> None:
        nonlocal failed
        rows.add(played)
        for row in played:
            failed = 0 if row.result is not None else failed + 1
            if failed >= MOST_FAILED:
                raise Mistake(
                    f"of the last {MOST_FAILED} games none could be played: {row.error}. The games before are kept",
                    FAILURE,
                )

    before = len(jobs) - len(waiting)
    do_all(partial(work, contest), waiting, keep, crew, lambda done: progress(before + done, len(jobs)), "games")
