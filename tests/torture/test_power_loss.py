"""A power cut loses nothing that the store has acknowledged.

A cut leaves of a file what was last synced. So the store runs with a library under it that copies each file away
whenever it has been synced; the store is killed at a random moment; and then only those copies are looked at.
"""

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import required
from tests.server.keeping import opened, text_of
from tests.torture.campaign import only_long

CUTS, CONTROL_CUTS = 200, 60
RUNNER = Path(__file__).with_name("store_under_load.py")

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* After the real sync, and before anybody hears of it: keep what the disk has now. */
static void keep(int fd)
{
    char link[64], path[4096], part[4200], whole[4200], block[65536];
    const char *folder = getenv("SYNCED");
    struct stat about;
    if (!folder || fstat(fd, &about) || !S_ISREG(about.st_mode)) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) abort();
    path[size] = 0;
    const char *name = strrchr(path, '/') + 1;
    snprintf(part, sizeof part, "%s/%s.part", folder, name);
    snprintf(whole, sizeof whole, "%s/%s", folder, name);
    int out = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (out < 0) abort();
    off_t at = 0;
    while ((size = pread(fd, block, sizeof block, at)) > 0) {
        if (write(out, block, size) != size) abort();
        at += size;
    }
    close(out);
    if (size < 0 || rename(part, whole)) abort();
}

static int synced(const char *name, int fd)
{
    int answer = ((int (*)(int))dlsym(RTLD_NEXT, name))(fd);
    if (answer == 0) keep(fd);
    return answer;
}

int fsync(int fd) { return synced("fsync", fd); }
int fdatasync(int fd) { return synced("fdatasync", fd); }
"""


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that keeps what was synced."""
    compiler = shutil.which("cc")
    if compiler is None:
        required("a C compiler")
    assert compiler is not None
    folder = tmp_path_factory.mktemp("shim")
    (folder / "shim.c").write_text(SHIM)
    library = folder / "shim.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, folder / "shim.c", "-ldl"], check=True)
    return library


class Cut(NamedTuple):
    """What was acknowledged before a power cut, and what is there after it."""

    acknowledged: dict[str, int]
    """For each match the last ply; -1 where it was made and has no entry."""
    there: dict[str, list[str]]

    @property
    def lost(self) -> list[str]:
        """Matches of which something acknowledged is missing."""
        return [
            name for name, ply in self.acknowledged.items() if name not in self.there or len(self.there[name]) <= ply
        ]


def cut_the_power(folder: Path, shim: Path, how: str, delay: float) -> Cut:
    synced = folder / "synced"
    synced.mkdir(parents=True)
    command = [sys.executable, str(RUNNER), str(folder / "games.db"), how]
    environment = {**os.environ, "LD_PRELOAD": str(shim), "SYNCED": str(synced)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as store:
        assert store.stdout is not None
        first = store.stdout.readline()
        assert first, "the store did not start"
        killer = threading.Timer(delay, store.send_signal, [signal.SIGKILL])
        killer.start()
        # The last line may be cut in the middle; then it was not said.
        lines = (first + store.stdout.read()).decode().split("\n")[:-1]
        killer.join()
    acknowledged: dict[str, int] = {}
    for line in lines:
        name, _, ply = line.partition(" ")
        assert int(ply) == acknowledged.get(name, -2) + 1
        acknowledged[name] = int(ply)
    return Cut(acknowledged, asyncio.run(what_is_there(folder, synced)))


async def what_is_there(folder: Path, synced: Path) -> dict[str, list[str]]:
    after = folder / "after"
    after.mkdir()
    for name in ("games.db", "games.db-wal"):
        if (synced / name).exists():
            shutil.copy(synced / name, after)
    async with opened(str(after / "games.db")) as store:
        there = {kept.match: [text_of(entry) for entry in log] async for kept, log in store.everything()}
    # No log has a gap, and each entry is where it belongs.
    for name, texts in there.items():
        assert texts == [f"{name} {ply}" for ply in range(len(texts))]
    return there


@only_long
def test_a_power_cut_loses_nothing_acknowledged(tmp_path: Path, shim: Path) -> None:
    dice = random.Random(23)
    entries = 0
    for number in range(CUTS):
        cut = cut_the_power(tmp_path / str(number), shim, "FULL", dice.random() * 0.5)
        assert cut.lost == []
        entries += sum(cut.acknowledged.values())
        shutil.rmtree(tmp_path / str(number))
    # And the cuts came while there was something to lose.
    assert entries > 50 * CUTS


@only_long
@pytest.mark.parametrize("how", ["early", "NORMAL", "OFF"])
def test_a_store_that_acknowledges_too_early_is_caught(tmp_path: Path, shim: Path, how: str) -> None:
    dice = random.Random(42)
    for number in range(CONTROL_CUTS):
        # Whether a cut comes in the moment between the two is chance; that one of many does is not.
        if cut_the_power(tmp_path / str(number), shim, how, dice.random() * 0.3).lost:
            return
    pytest.fail("nothing that was acknowledged too early was lost")
