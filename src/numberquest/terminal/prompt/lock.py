"""One game, one player's window: a lock that whoever plays a saved game holds, and that a kill releases."""

import os
import sys
from contextlib import suppress

SUFFIX = ".lock"


class Held(Exception):
    """Somebody else holds the lock."""


class Lock:
    """Held until it is released, or until the process ends, however that comes."""

    def __init__(self, file: str, descriptor: int | None) -> None:
        self._file, self._descriptor = file, descriptor

    def release(self) -> None:
        """Let others have it. A second time does nothing."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is None:
            return
        # While it is still held: a file that somebody else has taken since must stay.
        with suppress(OSError):
            os.unlink(self._file)
        os.close(descriptor)
        if sys.platform == "win32":
            # Windows removes no file that is open.
            with suppress(OSError):
                os.unlink(self._file)


def hold(path: str) -> Lock:
    """The lock of the game at this path; `Held` where somebody else has it.

    It is a file of its own beside the game, because the game's file is another one after each save. Where nothing can
    be written, nothing can be written over either, and it is played without.
    """
    file = f"{path}{SUFFIX}"
    while True:
        try:
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return Lock(file, None)
        if not _taken(descriptor):
            os.close(descriptor)
            raise Held
        with suppress(OSError):
            if os.path.samestat(os.stat(file), os.fstat(descriptor)):
                return Lock(file, descriptor)
        # Whoever had it before has removed the file since it was opened here.
        os.close(descriptor)


def is_held(path: str) -> bool:
    try:
        descriptor = os.open(f"{path}{SUFFIX}", os.O_RDWR)
    except OSError:
        return False
    try:
        return not _taken(descriptor)
    finally:
        os.close(descriptor)


def _taken(descriptor: int) -> bool:
    """Take the lock; False where somebody else has it. The system gives it back when the process ends."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        # Nobody can be kept out here: then a game is played without a lock rather than not at all.
        return True
    except OSError as error:
        # Elsewhere than on Windows any other error comes from a network drive that knows no locks.
        return sys.platform != "win32" and not isinstance(error, BlockingIOError)
    return True
