"""Backups taken and put back under load, with kills between: what was acknowledged before a backup is in it."""

import contextlib
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import in_ci
from tests.server.keeping import lengths
from tests.server.running import Running
from tests.torture.campaign import length
from tests.torture.playing import Acknowledged, World, start_players

BACKUPS = length(short=2, long=60)


def db(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "numberquest", "db", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def done(*words: str) -> str:
    with db(*words) as process:
        said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return said


def kill_one(dice: random.Random, *words: str) -> None:
    """Kill the command at a random moment; it may have come to its end before."""
    with db(*words) as process:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.2 + dice.random())
        process.kill()


def lost(path: str, acknowledged: list[Acknowledged]) -> list[str]:
    found = lengths(path)
    return [f"ply {one.ply} of {one.match}" for one in acknowledged if found.get(one.match, 0) <= one.ply]


@in_ci
@pytest.mark.timeout(3600)
def test_backups_under_load_with_kills_have_all_that_was_acknowledged(tmp_path: Path) -> None:
    dice = random.Random(17)
    killed = 0
    file, restored = str(tmp_path / "backup"), str(tmp_path / "restored.db")
    with Running(tmp_path) as server:
        world = World(server.port)
        start_players(world, 4, 2)
        for number in range(BACKUPS):
            world.wait_for_more(dice.randrange(1, 30))
            if dice.random() < 0.5:
                # The good one of the time before stays what it is.
                killed += 1
                kill_one(dice, "backup", "--force", "--db", server.db, file)
                assert number == 0 or "Nothing is wrong" in done("check", "--db", file)
            if dice.random() < 0.3:
                server.kill()
                server.again()
            before = list(world.acknowledged)
            done("backup", "--force", "--db", server.db, file)
            if dice.random() < 0.5:
                killed += 1
                kill_one(dice, "restore", "--db", restored, file)
            done("restore", "--db", restored, file)
            assert "Nothing is wrong" in done("check", "--db", restored)
            assert lost(restored, before) == []
            assert not [*tmp_path.glob("*.tmp"), *tmp_path.glob("*.tmp-journal")]
            for old in tmp_path.glob("restored.db.2*"):
                old.unlink()
        world.finish()
        server.kill()
    print(f"{BACKUPS} backups, {killed} kills, {len(world.acknowledged)} acknowledged")
    assert world.troubles == []
    assert lost(server.db, world.acknowledged) == []
