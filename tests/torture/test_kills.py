"""Kill -9 at any moment loses at most the move that was being typed."""

import os
import random
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from numberquest.core.record import read
from tests.terminal.session import PROGRAM, piped
from tests.torture.campaign import length

KILLS = length(short=3, long=200)


class Long(NamedTuple):
    """A long game: how to start it, what to type, and what acknowledges a move."""

    arguments: list[str]
    answers: list[str]
    acknowledged: str


GAMES = [
    Long(["sumquest", "--set", "target=999"], ["1", "2"] * 333, r"chooses \d\. The cumulative sum is now \d+\.\n"),
    Long(
        ["grid", "--set", "side=4", "--set", "target=99", "--seed", "1"],
        [f"{row},{column}" for row in range(1, 5) for column in range(1, 5)],
        r"Your new total score: \d+\n",
    ),
    Long(
        ["fifty", "--set", "copies=4", "--set", "target=200", "--set", "ops=+"],
        [str(number) for number in range(1, 10) for _ in range(4)],
        r"Your score is now \d+\n",
    ),
]


def decisions(history: tuple[str, ...], slug: str) -> int:
    """How many moves there are in a history; in the grid a reveal follows each."""
    return len(history) // 2 if slug == "grid" else len(history)


def wait_for_a_random_moment(state: Path, dice: random.Random) -> None:
    """Half of the moments are while the first moves are being made, the others at any time from the start."""
    delay = dice.random() * 0.6
    if dice.random() < 0.5:
        deadline = time.monotonic() + 30
        while not list(state.glob("*.nq")) and time.monotonic() < deadline:
            os.sched_yield()
        delay = dice.random() * 0.02
    until = time.monotonic() + delay
    while time.monotonic() < until:
        os.sched_yield()


def killed(state: Path, dice: random.Random, options: list[str], lines: list[str]) -> tuple[str, int]:
    """What a game has shown that is killed at a random moment, and its exit code."""
    with (
        tempfile.TemporaryFile() as output,
        subprocess.Popen(
            [*PROGRAM, "play", *options], stdin=subprocess.PIPE, stdout=output, stderr=subprocess.DEVNULL
        ) as process,
    ):
        assert process.stdin is not None
        process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        process.stdin.flush()
        wait_for_a_random_moment(state, dice)
        process.send_signal(signal.SIGKILL)
        process.stdin.close()
        code = process.wait()
        output.seek(0)
        return output.read().decode(), code


@pytest.mark.parametrize("kill", range(KILLS))
def test_a_killed_game_has_every_acknowledged_move(kill: int, home: Path) -> None:
    dice = random.Random(kill)
    game = dice.choice(GAMES)
    slug = game.arguments[0]
    state = home / ".local" / "state" / "numberquest"
    # All but the last move, so that the game cannot be over when the kill comes.
    shown, code = killed(state, dice, game.arguments, game.answers[:-1])
    assert code == -signal.SIGKILL
    acknowledged = len(re.findall(game.acknowledged, shown))
    saved = list(state.glob("*.nq"))
    if not saved:
        assert acknowledged == 0
        return
    record = read(saved[0].read_bytes())
    kept = decisions(record.match.history, slug)
    assert acknowledged <= kept <= acknowledged + 1
    resumed = piped(["play", slug, "--resume", str(saved[0])], game.answers[kept:])
    assert resumed.returncode == 0
    assert [path.name for path in state.iterdir()] == ["finished"], "the game came to its end, so it is no longer here"
    assert [path.name for path in (state / "finished").iterdir()] == [saved[0].name]


@pytest.mark.parametrize("kill", range(KILLS))
def test_a_killed_series_goes_on_in_its_round_with_its_points(kill: int, home: Path) -> None:
    dice = random.Random(1000 + kill)
    state = home / ".local" / "state" / "numberquest"
    series = ["sumquest", "--p1", "random", "--p2", "random", "--rounds", "60", "--seed", str(kill)]
    shown, _ = killed(state, dice, series, [])
    over = "champion" in shown
    saved = sorted(state.glob("*.nq"), key=lambda path: path.stat().st_mtime_ns) if state.exists() else []
    if over or not saved:
        # Nothing is kept before the first move of the first round, and once the champion has been named.
        assert over or "chooses" not in shown
        return
    resumed = piped(["play", "--resume", str(saved[-1])])
    assert resumed.returncode == 0
    points = re.search(r"Points: Computer 1 \(random\) (\d+), Computer 2 \(random\) (\d+)\.", resumed.stdout)
    assert points is not None
    assert int(points[1]) + int(points[2]) == 60
