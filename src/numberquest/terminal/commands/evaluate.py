"""The commands `evaluate` and `league`: play the games, and report the figures."""

import json
import os
from collections.abc import Sequence
from typing import Annotated, Any, Final, NamedTuple

from numberquest.core import dealer
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.files import write_whole
from numberquest.core.record import HUMAN
from numberquest.players.asking import ERRORS, RANDOM, aside
from numberquest.players.levels import Player
from numberquest.report.report import Report, counted
from numberquest.study import evaluation as evaluations
from numberquest.study import league as leagues
from numberquest.study.decisions import answered_share
from numberquest.study.evaluation import Evaluation
from numberquest.study.evaluation_report import evaluation_report
from numberquest.study.game import Contest, Job, Row
from numberquest.study.jobs import play, ready
from numberquest.study.journal import Rows, kept_seed
from numberquest.study.league import League
from numberquest.study.league_report import league_report
from numberquest.study.provenance import keep, provenance
from numberquest.study.workers import workers_for
from numberquest.terminal.commands.arguments import game_with, jobs_in, whole_number
from numberquest.terminal.commands.progress import Progress, told_what_is_kept
from numberquest.terminal.commands.report import answer, check_report, signed, written
from numberquest.terminal.options import (
    Anyway,
    FiguresFolder,
    Force,
    GameName,
    Json,
    ReportFile,
    SameGames,
    Set,
    option,
    positional,
)
from numberquest.terminal.prompt.console import tell

MOST_DEALS: Final = 1_000_000
MOST_TRIES: Final = 100
LONGEST_SEED: Final = 80
"""The number of a deal, and who plays, must still fit behind it."""


Deals = Annotated[str, option("so many deals, each played in both seats (100)", "N", name="--deals")]
Out = Annotated[str | None, option("keep every game there; the same command goes on where it was", "DIR")]
Jobs = Annotated[str, option("so many games at a time, each on a core (1)", "N")]
Cluster = Annotated[str | None, option("play on a cluster of Dask: tcp://host:8786", "ADDRESS")]
Tries = Annotated[str, option("who answers so often with no allowed move loses (3)", "N")]

Errors = Annotated[
    str, option("what a missing answer counts as: any move, a lost game, or left out (random)", choices=ERRORS)
]


class EvaluateOptions(NamedTuple):
    """The arguments of `evaluate`."""

    game: GameName
    who: Annotated[str, positional("PLAYER", "whom to measure: a level, ./file.py:name, or cmd:./engine")]
    against: Annotated[str, option("the opponents (random,hard,perfect)", "PLAYER,PLAYER")] = "random,hard,perfect"
    deals: Deals = "100"
    seed: SameGames = None
    set: Set = ()
    out: Out = None
    jobs: Jobs = "1"
    cluster: Cluster = None
    tries: Tries = "3"
    errors: Errors = RANDOM
    anyway: Anyway = False
    figures: FiguresFolder = None
    report: ReportFile = None
    force: Force = False
    json: Json = False


class LeagueOptions(NamedTuple):
    """The arguments of `league`."""

    game: GameName
    who: Annotated[Sequence[str], positional("PLAYER", "the players, two or more", nargs="+")]
    deals: Deals = "100"
    seed: SameGames = None
    set: Set = ()
    out: Out = None
    jobs: Jobs = "1"
    cluster: Cluster = None
    tries: Tries = "3"
    errors: Errors = RANDOM
    anyway: Anyway = False
    figures: FiguresFolder = None
    report: ReportFile = None
    force: Force = False
    json: Json = False


Options = EvaluateOptions | LeagueOptions


def run_evaluate(options: EvaluateOptions) -> None:
    with aside():
        report = evaluated(options)
    answer(report, json=options.json)


def run_league(options: LeagueOptions) -> None:
    with aside():
        report = league(options)
    answer(report, json=options.json)


def evaluated(asked: EvaluateOptions) -> Report:
    opponents = list(dict.fromkeys(filter(None, asked.against.split(","))))
    agent = asked.who
    if not opponents:
        raise UsageError("--against wants opponents, such as random,hard,perfect")
    check_report(asked.report, asked.figures, force=asked.force)
    contest, deals = _contest(asked, fewest=0)
    players = _players(contest, [agent, *opponents])
    jobs = evaluations.jobs_for(agent, opponents, range(deals))
    made = provenance(contest.seed, [agent, *opponents])
    rows = _rows(asked, contest, jobs, made)
    with Progress("Working out what luck was") as progress:
        found = Evaluation(contest, agent, opponents, rows, progress)
    with Progress("Working out what to expect exactly") as progress:
        found.add_exact(players[agent], progress)
    data = found.data() | {"provenance": made}
    _keep(asked.out, "evaluation.json", json.dumps(data, indent=1) + "\n")
    for number, one in enumerate(data["worst"], start=1):
        one["file"] = _keep(asked.out, f"worst-{number:02}.nq", one["record"])
    report = signed(evaluation_report(contest.game, data, asked.game), made)
    return written(report, asked.report, asked.figures, force=asked.force)


def league(asked: LeagueOptions) -> Report:
    names = list(asked.who)
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise UsageError(f"{' and '.join(sorted(twice))} cannot play in a league twice")
    if len(names) < 2:
        raise UsageError("a league needs two players or more")
    check_report(asked.report, asked.figures, force=asked.force)
    contest, deals = _contest(asked, fewest=1)
    _players(contest, names)
    made = provenance(contest.seed, names)
    rows = _rows(asked, contest, leagues.jobs_for(names, range(deals)), made)
    with Progress("Working out how strong they are") as progress:
        data = League(contest, names, rows, progress).data() | {"provenance": made}
    _keep(asked.out, "league.json", json.dumps(data, indent=1) + "\n")
    report = signed(league_report(contest.game, data, asked.game), made)
    return written(report, asked.report, asked.figures, force=asked.force)


def _contest(asked: Options, fewest: int) -> tuple[Contest, int]:
    game = game_with(asked.game, asked.set)
    deals = whole_number("--deals", asked.deals, fewest, MOST_DEALS)
    tries = whole_number("--tries", asked.tries, 1, MOST_TRIES)
    jobs_in(asked.jobs)
    seed = dealer.seed_text(asked.seed or kept_seed(asked.out) or dealer.new_seed())
    if len(seed) > LONGEST_SEED:
        raise UsageError(f"here a seed has at most {LONGEST_SEED} characters")
    return Contest(game, seed, tries, asked.errors), deals


def _players(contest: Contest, names: Sequence[str]) -> dict[str, Player]:
    """Make every player ready, so that a bad one is refused before the first game."""
    if HUMAN in names:
        raise UsageError("nobody wants to play so many games by hand: name computer players and agents")
    players = {}
    for name in dict.fromkeys(names):
        with Progress(f"Solving {contest.game.slug}") as progress:
            players[name] = ready(name, contest, progress.tell, progress)
    return players


def _rows(asked: Options, contest: Contest, jobs: Sequence[Job], made: dict[str, Any]) -> list[Row]:
    """Every game that was asked for: those that were kept, and the others played."""
    with (
        Rows(contest, asked.out) as rows,
        told_what_is_kept("games", len(jobs), lambda: len(rows.missing(jobs)), rows.path),
    ):
        keep(asked.out, made, anyway=asked.anyway)
        kept = len(jobs) - len(rows.missing(jobs))
        if kept and asked.out is not None:
            tell(f"{kept:,} of {len(jobs):,} games are in {rows.path} already.")
        if kept < len(jobs):
            with (
                workers_for(int(asked.jobs), asked.cluster) as workers,
                Progress(f"Playing {counted(len(jobs), 'game')}", estimate=True) as progress,
            ):
                play(contest, jobs, rows, workers, progress)
        rows.bring_into_order(jobs)
        found = [rows.known[job] for job in jobs]
    _check_answers(contest, found)
    return found


def _check_answers(contest: Contest, rows: Sequence[Row]) -> None:
    """Refuse to tell figures of a player without one answer, and give the reason: nothing was measured."""
    incomplete = [(row, seat) for row in rows for seat in (0, 1) if row.unanswered[seat]]
    for name in dict.fromkeys(row.players[seat] for row, seat in incomplete):
        own = [(row, seat) for row in rows for seat in (0, 1) if row.players[seat] == name]
        if answered_share(contest.game, own) == 0:
            row, _ = min(incomplete, key=lambda one: (one[0].players[one[1]] != name, one[0].unanswered[1 - one[1]]))
            why = row.error.removeprefix(f"{name}: ")
            raise UsageError(f"of the games of {name} none could be played: {why}", FAILURE)


def _keep(folder: str | None, name: str, text: str) -> str | None:
    """Put a file into the folder of the games, where there is one."""
    if folder is None:
        return None
    path = os.path.join(folder, name)
    try:
        write_whole(path, [text.encode()])
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}. The games are kept", FAILURE) from None
    return path
