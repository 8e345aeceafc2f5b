"""Workers on other machines: a cluster of Dask, found at the address of its scheduler."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from numberquest.crew.workers import Crew
from numberquest.mistake import FAILURE, Mistake

if TYPE_CHECKING:
    from collections.abc import Iterator

RETRIES: Final = 2
"""So often what a worker was doing that died is given to another."""
PATIENCE: Final = 10
"""So many seconds a scheduler may take to answer."""


@contextmanager
def crew_at(address: str) -> Iterator[Crew]:
    """The workers of the cluster at that address; `Mistake` where there is none."""
    try:
        from distributed import Client
    except ImportError:
        raise Mistake("--cluster needs Dask: pip install 'numberquest[cluster]'", FAILURE) from None
    client = _client(Client, address)
    try:
        yield Crew(
            lambda: client.get_executor(retries=RETRIES, pure=False),
            max(1, sum(client.nthreads().values())),
            lambda error: _gone(address, error),
        )
    finally:
        # A cluster that is gone does not answer to a goodbye.
        client.close(timeout=2)


def _client(kind: Any, address: str) -> Any:
    import logging
    import socket
    from urllib.parse import urlsplit

    try:
        place = urlsplit(address)
        host, port = place.hostname, place.port
    except ValueError:
        host = port = None
    if not host or not port or place.scheme not in ("tcp", "tls"):
        raise Mistake(f"there is no cluster at {address}: an address is written tcp://host:8786", FAILURE)
    try:
        # Whether anybody is there at all is found out sooner, and said better, without Dask.
        socket.create_connection((host, port), PATIENCE).close()
    except OSError as error:
        raise Mistake(f"there is no cluster at {address}: {error.strerror or error}", FAILURE) from None
    # What goes wrong is told in one sentence, by us.
    for name in ("asyncio", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("asyncio", "distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        client = kind(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        said = " ".join(str(error).split())[:200]
        raise Mistake(f"there is no cluster at {address}: {said}", FAILURE) from None
    if not client.nthreads():
        client.close(timeout=2)
        raise Mistake(f"the cluster at {address} has no workers", FAILURE)
    return client


def _gone(address: str, error: BaseException) -> str | None:
    """What to say where the cluster has gone away, or has not what it takes."""
    from concurrent.futures import CancelledError

    from distributed import KilledWorker
    from distributed.comm.core import CommClosedError

    if isinstance(error, KilledWorker):
        why = "its workers die at this work"
    elif isinstance(error, ModuleNotFoundError):
        why = f"its workers lack {error.name}: install the same things there"
    elif isinstance(error, CancelledError | CommClosedError | OSError | TimeoutError) or "lost" in str(error):
        why = "it has gone away"
    else:
        return None
    return f"the cluster at {address} cannot go on: {why}"
