"""Whether a process runs, and waiting until something is so."""

import subprocess
import time
from collections.abc import Callable


def runs(pid: int) -> bool:
    """Whether there is such a process; one that has ended and that nobody has looked after yet is none."""
    state = subprocess.run(["/bin/ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return bool(state) and not state.startswith("Z")


def until(so: Callable[[], object], seconds: float = 100) -> None:
    """Wait until it is so; fail where it is not in the end."""
    deadline = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < deadline, "it has not come to be so"
        time.sleep(0.02)
