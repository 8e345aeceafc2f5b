"""How long a start takes, against the bare interpreter."""

import compileall
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.row import Row

ROUNDS = 60
SOURCE = Path(__file__).parent.parent / "src"


def measure() -> list[Row]:
    """`--version` and the first prompt of a game, each beside `python -c pass`."""
    # As an installed program has it: a machine that writes no bytecode would compile at every start.
    compileall.compile_dir(SOURCE, quiet=2)
    program = str(Path(sys.executable).with_name("numberquest"))
    goals = {"--version": 3.0, "play sumquest": 4.0}
    times: dict[str, list[float]] = {"pass": [], **{arguments: [] for arguments in goals}}
    with tempfile.TemporaryDirectory() as home:
        for _ in range(ROUNDS):
            times["pass"].append(_until_end([sys.executable, "-c", "pass"], home))
            times["--version"].append(_until_end([program, "--version"], home))
            times["play sumquest"].append(_until_prompt([program, "play", "sumquest"], b"Player 1 Input: ", home))
    medians = {name: 1000 * statistics.median(seconds) for name, seconds in times.items()}
    return [
        Row(f"start-up: {arguments}", medians[arguments], medians["pass"], "python -c pass", "ms", goal)
        for arguments, goal in goals.items()
    ]


def _until_end(command: list[str], home: str) -> float:
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, env=_environment(home), check=True)
    return time.perf_counter() - start


def _until_prompt(command: list[str], prompt: bytes, home: str) -> float:
    """The time until the first question stands on the screen."""
    start = time.perf_counter()
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=quiet, env=_environment(home)) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("no pipe")
        shown = b""
        while not shown.endswith(prompt):
            piece = os.read(process.stdout.fileno(), 4096)
            if not piece:
                raise RuntimeError(f"no prompt came: {shown!r}")
            shown += piece
        seconds = time.perf_counter() - start
        process.stdin.close()
        process.stdout.read()
    return seconds


def _environment(home: str) -> dict[str, str]:
    return {**os.environ, "HOME": home, "XDG_STATE_HOME": home}
