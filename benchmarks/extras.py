"""What each extra costs: how much is installed with it, and how long its import takes.

Each is installed by pip into an environment of its own, as a user would do it, with the newest versions there are.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from benchmarks.row import Row

PROJECT: Final = Path(__file__).parent.parent
ROUNDS = 15
ALONE: Final = "numberquest"
IMPORTS: Final = {
    "": ALONE,
    "pettingzoo": "numberquest.envs.pettingzoo",
    "gymnasium": "numberquest.envs.gymnasium",
    "openspiel": "numberquest.envs.openspiel",
    "agents": "numberquest.envs.batch",
    "client": "numberquest.client",
    "server": "numberquest.server.web.app",
}


def measure() -> list[Row]:
    """Megabytes installed beside the plain package with NumPy, and milliseconds to import beside the interpreter."""
    folder = Path(tempfile.mkdtemp(prefix="numberquest-extras-"))
    try:
        pythons = {extra: _installed(folder / (extra or "alone"), extra) for extra in IMPORTS}
        sizes = {extra: _megabytes(folder / (extra or "alone")) for extra in IMPORTS}
        times = _import_times(pythons)
    finally:
        shutil.rmtree(folder)
    rows = []
    for extra, module in IMPORTS.items():
        if extra:
            rows.append(Row(f"installed: [{extra}]", sizes[extra], sizes[""], "numberquest alone", "MB", None))
        rows.append(Row(f"import {module}", times[extra], times["pass"], "python -c pass", "ms", None))
    return rows


def _installed(folder: Path, extra: str) -> Path:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    what = f"{PROJECT}[{extra}]" if extra else str(PROJECT)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python), "install", "--quiet"]
    subprocess.run([*pip, "--compile", what], check=True)
    return python


def _megabytes(folder: Path) -> float:
    """What stands in the environment, links not followed."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir()) / 1e6


def _import_times(pythons: dict[str, Path]) -> dict[str, float]:
    """Milliseconds from start to end of an interpreter that imports it, medians of runs taken in turns."""
    commands = {extra: [str(python), "-c", f"import {IMPORTS[extra]}"] for extra, python in pythons.items()}
    commands["pass"] = [str(pythons[""]), "-c", "pass"]
    tries: dict[str, list[float]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as home:
        for _ in range(ROUNDS):
            for name, command in commands.items():
                start = time.perf_counter()
                subprocess.run(command, env={**os.environ, "HOME": home}, cwd=home, check=True)
                tries[name].append(1000 * (time.perf_counter() - start))
    return {name: statistics.median(taken) for name, taken in tries.items()}


if __name__ == "__main__":
    for row in measure():
        print(row.line())
