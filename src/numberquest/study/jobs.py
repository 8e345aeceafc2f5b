"""Plays many games: here, on several cores, or on a cluster."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.progress import Progress, silently
from numberquest.players.asking import close
from numberquest.players.levels import Player
from numberquest.players.named import who
from numberquest.study.game import Contest, ContestRunner, Job, Row
from numberquest.study.journal import Rows
from numberquest.study.workers import Workers, do_all

MOST_FAILED: Final = 10
"""Games of a player in a row without one answer from it, after which nothing more is played."""


_runners: dict[tuple[Contest, str, str], ContestRunner] = {}
_players: dict[tuple[Contest, str], Player] = {}


def _played(contest: Contest, job: Job) -> Row:
    """Play one game: this is what runs in a worker, and it needs nothing but its arguments."""
    key = contest, job.agent, job.opponent
    if key not in _runners:
        _runners[key] = ContestRunner(contest, {name: ready(name, contest) for name in (job.agent, job.opponent)})
    return _runners[key].play(job)


def ready(
    name: str, contest: Contest, tell: Callable[[str], None] = silently, progress: Progress | None = None
) -> Player:
    """The player of that name, prepared, who is closed when this process ends; `UsageError` where there is none.

    There is one of each name in a contest and a process, however often it is asked for.
    """
    import atexit

    if (contest, name) in _players:
        return _players[contest, name]
    player = who(name)
    atexit.register(close, player)
    player.prepare(contest.game, tell, progress)
    _players[contest, name] = player
    return player


def play(contest: Contest, jobs: Sequence[Job], rows: Rows, workers: Workers | None, progress: Progress) -> None:
    """Play all games that are not among the rows yet, and keep each as it ends. `UsageError` keeps what there is."""
    waiting = rows.missing(jobs)
    failed: Counter[str] = Counter()

    def keep(played: Sequence[Row]) -> None:
        rows.add(played)
        for row in played:
            for name, unanswered in zip(row.players, row.unanswered, strict=True):
                failed[name] = failed[name] + 1 if unanswered and (row.result is None or row.silent) else 0
                if failed[name] >= MOST_FAILED:
                    why = f"{row.error.removeprefix(f'{name}: ')}. The games before are kept"
                    raise UsageError(f"of the last {MOST_FAILED} games of {name} none could be played: {why}", FAILURE)

    before = len(jobs) - len(waiting)
    do_all(partial(_played, contest), waiting, keep, workers, lambda done: progress(before + done, len(jobs)), "games")
