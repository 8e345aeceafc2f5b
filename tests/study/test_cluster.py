"""Work on a cluster of Dask: real schedulers and workers in processes of their own."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from numberquest.study.journal import FILE
from tests.conftest import in_ci, required
from tests.study.running import until
from tests.terminal.session import PROGRAM, piped

RULES = ["evaluate", "sumquest", "--seed", "7", "--against", "random,hard"]
HELD = "tests.study.unruly:Held"


def started(mark: Path, *arguments: str) -> subprocess.Popen[str]:
    quietly = {"DASK_DISTRIBUTED__DASHBOARD__ENABLED": "false", "PYTHONWARNINGS": "ignore", "HELD_MARK": str(mark)}
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **quietly},
    )


class Cluster:
    """A scheduler and its workers; an agent that is held there goes on when `mark` is taken away."""

    def __init__(self, folder: Path, workers: int) -> None:
        file = folder / "scheduler.json"
        self.mark = folder / "mark"
        self.mark.touch()
        self.scheduler = started(
            self.mark, "dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)
        )
        until(lambda: self.scheduler.poll() is not None or (file.exists() and '"address"' in file.read_text()))
        assert self.scheduler.poll() is None
        self.address: str = json.loads(file.read_text())["address"]
        options = ("--nthreads", "1", "--no-dashboard", "--no-nanny", "--local-directory", str(folder))
        self.workers = [started(self.mark, "dask_worker", self.address, *options) for _ in range(workers)]
        for worker in self.workers:
            assert worker.stderr is not None
            for line in worker.stderr:
                if "Registered to" in line:
                    break

    def end(self) -> None:
        """All at once, as when the power fails; a second time does nothing."""
        ended, self.workers = [*self.workers, self.scheduler], []
        for process in ended:
            if process.returncode is None:
                process.kill()
                process.communicate()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    if importlib.util.find_spec("distributed") is None:
        required("Dask")
    found = Cluster(tmp_path, 2)
    yield found
    found.end()


def wait_for_rows(path: Path, number: int) -> None:
    until(lambda: path.exists() and path.read_bytes().count(b"\n") >= number)


@in_ci
def test_a_worker_that_is_killed_leaves_no_trace(cluster: Cluster, tmp_path: Path) -> None:
    out, whole = tmp_path / "out", tmp_path / "whole"
    command = [*RULES, HELD, "--deals", "6"]
    run = subprocess.Popen(
        [*PROGRAM, *command, "--out", str(out), "--cluster", cluster.address], stderr=subprocess.PIPE, text=True
    )
    wait_for_rows(out / FILE, 4)
    # Both are in the middle of a game: it has to be played again.
    cluster.workers[0].send_signal(signal.SIGKILL)
    cluster.mark.unlink()
    _, said = run.communicate()
    assert run.returncode == 0, said
    assert piped([*command, "--out", str(whole)]).returncode == 0
    assert (out / FILE).read_bytes() == (whole / FILE).read_bytes()


@in_ci
def test_a_cluster_that_goes_away_is_told_in_a_sentence_and_the_rows_are_kept(cluster: Cluster, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [*PROGRAM, *RULES, HELD, "--deals", "40", "--out", str(out), "--cluster", cluster.address]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    wait_for_rows(out / FILE, 4)
    cluster.end()
    _, said = run.communicate()
    assert run.returncode == 1
    assert "has gone away. The games before are kept" in said
    assert "Traceback" not in said
    assert (out / FILE).read_bytes().count(b"\n") >= 4


@in_ci
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nowhere", "tcp://", "ftp://x:1", "127.0.0.1:notaport"])
def test_a_wrong_address_is_told_in_a_sentence(address: str) -> None:
    if importlib.util.find_spec("distributed") is None:
        required("Dask")
    done = piped([*RULES, "easy", "--deals", "2", "--cluster", address])
    assert (done.returncode, done.stdout) == (1, "")
    assert f"there is no cluster at {address}" in done.stderr
    assert "Traceback" not in done.stderr
