"""Makes the atlas: `python -m numberquest.study.atlas`, or of some games alone; goes on where it was interrupted."""

# Values are worked out on a card where there is one, the rest in processes. Rows are kept as they come, in files of a
# folder; whoever interrupts loses nothing.

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import Any, Final, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.files import write_whole
from numberquest.core.progress import Progress, silently
from numberquest.core.registry import GAMES, kind_for, part
from numberquest.core.settings import BadSetting
from numberquest.solver.budget import NoDevice
from numberquest.solver.device import CPU, PART
from numberquest.solver.gpu import card
from numberquest.study.atlas import place_for, read, write
from numberquest.study.journal import Swept
from numberquest.study.rule_sets import combinations
from numberquest.study.sweep import MOST, Sweep
from numberquest.study.workers import workers_for

Kind = type[Game[Any]]

CARD: Final = "cuda"
MEASURES: Final = ("advantage", "length", "luck", "skill", "gain")
"""What is told of a rule set besides its value, between two who err at times, as people do."""
PEOPLE: Final = ("medium", "medium")
MEASURED: Final = 104_000


class Making(NamedTuple):
    """How an atlas is made."""

    folder: str
    jobs: int = 1
    card: bool = False
    most: float = MOST
    """A rule set of more positions than this is left out by the processor; a card takes any that fits on it."""
    partly: bool = False
    """Whether an atlas may leave out what takes a card where there is none."""
    measured: float = MEASURED
    progress: Progress = silently
    say: Callable[[str], None] = silently


def make(kind: Kind, how: Making, path: str) -> None:
    """Make the atlas of a game, and write its file."""
    games = combinations(kind, dict.fromkeys(kind.fields))
    on_card = how.card and part(kind, PART) is not None
    values = Sweep(kind, games, most=inf if on_card else how.most)
    with values.swept(os.path.join(how.folder, f"{kind.slug}.values")) as rows:
        missing = values.missing(rows)
        how.say(f"{kind.slug}: {len(games):,} rule sets, {len(missing):,} of them still to be solved")
        if missing and not on_card and not how.partly and part(kind, PART) is not None:
            raise UsageError(
                f"{kind.slug} has rule sets that only a CUDA card solves, and there is none here: "
                "--device cpu leaves them out, or name other games",
                FAILURE,
            )
        if missing:
            with _timed(kind, how, "values", card().name if on_card else _here(how.jobs)):
                if on_card:
                    values.run_on(CARD, rows, how.progress)
                else:
                    _worked_out(values, rows, how)
        known = values.run(rows)
    small = [
        game for game, row in zip(games, known, strict=True) if (row.positions or how.measured + 1) <= how.measured
    ]
    measures = Sweep(kind, small, MEASURES, PEOPLE, how.measured)
    with measures.swept(os.path.join(how.folder, f"{kind.slug}.measures")) as rows:
        missing = measures.missing(rows)
        how.say(f"{kind.slug}: {len(small):,} rule sets to measure, {len(missing):,} of them still ahead")
        if missing:
            with _timed(kind, how, "measures", _here(how.jobs)):
                _worked_out(measures, rows, how)
        found = {row.key: row.measures for row in measures.run(rows)}
    nothing: dict[str, float | None] = dict.fromkeys(MEASURES)
    write(kind, [row._replace(measures=found.get(row.key, nothing)) for row in known], PEOPLE, _made(kind, how), path)


def _worked_out(sweep: Sweep, rows: Swept, how: Making) -> None:
    ahead = sweep.estimate(rows)
    how.say(f"{sweep.kind.slug}: about {ahead.seconds / 60:.1f} minutes of one core")
    with workers_for(how.jobs) as workers:
        sweep.run(rows, workers, how.progress)


@contextmanager
def _timed(kind: Kind, how: Making, what: str, on: str) -> Iterator[None]:
    """How long it takes, and on what, is written down, also where somebody interrupts: it goes on another time."""
    started = time.monotonic()
    try:
        yield
    finally:
        made = _made(kind, how)
        seconds = time.monotonic() - started
        before = next((one for one in made if one["what"] == what and one["on"] == on), None)
        if before is None:
            made.append({"what": what, "seconds": round(seconds, 1), "on": on})
        else:
            before["seconds"] = round(before["seconds"] + seconds, 1)
        write_whole(_time_file(kind, how), [json.dumps(made).encode()])
        how.say(f"{kind.slug}: {what} took {seconds:.1f} s on {on}")


def _made(kind: Kind, how: Making) -> list[dict[str, Any]]:
    path = _time_file(kind, how)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        made: list[dict[str, Any]] = json.load(file)
        return made


def _here(jobs: int) -> str:
    name = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            name = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), name)
    return f"{jobs} core{'' if jobs == 1 else 's'} of {name}"


def _time_file(kind: Kind, how: Making) -> str:
    return os.path.join(how.folder, f"{kind.slug}.times.json")


EVERY: Final = 5.0


def main(arguments: list[str] | None = None) -> int:
    """Make what is asked for; 0 where all is well."""
    parser = argparse.ArgumentParser(prog="python -m numberquest.study.atlas", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="of these games; of all where none is named")
    parser.add_argument("--folder", default=os.path.join("build", "atlas"), help="where rows are kept meanwhile")
    parser.add_argument("--out", help="the folder for the files; beside the rules of each game where none is named")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes work at a time")
    parser.add_argument("--device", choices=(CPU, CARD), help="a card is used where there is one")
    parser.add_argument("--most", type=float, default=MOST, help="the most positions that the processor solves")
    parser.add_argument("--measured", type=float, default=MEASURED, help="the most positions that are measured")
    asked = parser.parse_args(arguments)
    try:
        kinds = [kind_for(name) for name in asked.games] or list(GAMES.own.values())
        how = Making(
            asked.folder,
            asked.jobs,
            _card(asked.device),
            asked.most,
            asked.device == CPU,
            asked.measured,
            _progress(),
            _say,
        )
        for kind in kinds:
            path = place_for(kind)
            if asked.out is not None:
                path = os.path.join(asked.out, f"{kind.slug}-{os.path.basename(path)}")
            make(kind, how, path)
            _say(f"{kind.slug}: {os.path.getsize(path):,} bytes in {path}, SHA-256 {read(kind, path).hash}")
    except (BadSetting, UsageError, NoDevice, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        _say("What is done is kept: the same command goes on from there.")
        return 130
    return 0


def _card(device: str | None) -> bool:
    """Whether a card works; `NoDevice` where one was asked for and is not there."""
    if device == CPU:
        return False
    try:
        card()
    except NoDevice:
        if device == CARD:
            raise
        return False
    return True


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _progress() -> Callable[[int, int], None]:
    said = time.monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal said
        if time.monotonic() - said > EVERY:
            said = time.monotonic()
            _say(f"  {100 * done // total} %")

    return progress


if __name__ == "__main__":
    sys.exit(main())
