"""`numberquest serve`: opens the store, tells people where to go, and runs until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO

from numberquest.core.errors import FAILURE, INTERRUPTED, UsageError, to_install
from numberquest.core.files import user_folder
from numberquest.server.listening import EVERYWHERE, Listening, notify

if TYPE_CHECKING:
    from numberquest.server.limits import Limits
    from numberquest.server.web.public_address import PublicAddress

PORT: Final = 8000
KEPT: Final = "Every move is kept; matches go on when the server is started again."

PACKAGES: Final = ("aiohttp", "asyncpg", "msgspec", "segno", "uvloop", "websockets")
"""What `numberquest[server]` brings."""


class ServeOptions(NamedTuple):
    """What was asked for on the command line."""

    host: str = EVERYWHERE
    port: str = str(PORT)
    db: str | None = None
    log: str | None = None
    rate: str | None = None
    connections: str | None = None
    matches: str | None = None
    proxy: str | None = None
    hosts: str | None = None
    prefix: str | None = None
    metrics: str | None = None
    export: str | None = None
    site: str | None = None
    hide_addresses: bool = False


def run(options: ServeOptions) -> int:
    """Serve until stopped, and return the exit code."""
    check_packages()
    import uvloop

    if options.export is not None:
        return asyncio.run(_export(options.db, options.export))
    limits = limits_of(options)
    place = public_address(options)
    port = _whole("--port", options.port, 0, 65535)
    _raise_open_files()
    with (
        Listening(options.host, port) as listening,
        _log_stream(options.log) as (stream, log_name),
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        place = place._replace(outside=listening.outside(place.prefix, place.hosts, options.proxy is not None))
        return runner.run(_serve(listening, options, place, limits, stream, log_name))


def check_packages() -> None:
    """Say how to get what the server needs, where it is not there."""
    if any(find_spec(package) is None for package in PACKAGES):
        raise UsageError(f"the server needs a few more packages: {to_install('server')}, or use make serve", FAILURE)


async def _serve(
    listening: Listening,
    options: ServeOptions,
    place: PublicAddress,
    limits: Limits,
    stream: TextIO | None,
    log_name: str,
) -> int:
    """Run the server; returns the exit code."""
    from numberquest.server.hub import Hub
    from numberquest.server.limits import Gate
    from numberquest.server.log import Log
    from numberquest.server.site.files import python_in
    from numberquest.server.store.stores import open_store
    from numberquest.server.think.pool import Thinking
    from numberquest.server.web.app import App, serve

    # A folder without a page is told before a database is made or waited for.
    python = None if options.site is None else python_in(options.site)
    store = await open_store(options.db, wait=_database_wait(), say=partial(print, file=sys.stderr, flush=True))
    log, thinking = Log(stream, hides=options.hide_addresses), Thinking()

    def ready() -> None:
        # Matches and messages hold no cycles: looking for some after every few hundred objects is wasted time. From now
        # on only what is new is looked at, once, and everything once an hour (`Oversight.go_round`).
        gc.collect()
        gc.freeze()
        gc.set_threshold(10_000, 1_000_000, 1_000_000)
        # While a long record is played through in a thread, nobody's move waits longer than this for its turn.
        sys.setswitchinterval(0.0005)
        log.event("started", port=listening.port)
        notify("READY=1")
        for line in welcome(listening.addresses(place.prefix, place.hosts, place.proxies is not None), log_name):
            print(line, flush=True)

    try:
        await thinking.start()
        for library in ("aiohttp", "asyncio", "websockets.server"):
            log.overhear(library)
        app = App(Hub(store, thinking, Gate(limits), log), place, python)
        stopped_by = await serve(app, listening.sockets, ready)
    finally:
        await thinking.close()
        await store.close()
        log.event("stopped")
        log.close()
    print(f"Stopped. {store.farewell or KEPT}", flush=True)
    return FAILURE if store.farewell else INTERRUPTED if stopped_by == signal.SIGINT else 0


def _database_wait() -> float:
    """Seconds for a database that is just being started: PostgreSQL has a variable for such things."""
    text = os.environ.get("PGCONNECT_TIMEOUT", "")
    return float(text) if text.isascii() and text.isdecimal() else 60.0


def limits_of(options: ServeOptions) -> Limits:
    """The bounds that were asked for."""
    from numberquest.server.limits import Limits

    texts = {"rate": options.rate, "connections": options.connections, "matches": options.matches}
    asked = {name: _whole(f"--{name}", text, 1, 10_000_000) for name, text in texts.items() if text is not None}
    limits = Limits()._replace(**asked)
    # Whoever may ask more often may also start more matches and think more.
    more = max(1.0, limits.rate / Limits().rate)
    return limits._replace(created=limits.created * more, thought=limits.thought * more, pages=limits.pages * more)


def public_address(options: ServeOptions) -> PublicAddress:
    """Where the server is said to be, and who is believed about where visitors come from."""
    import re

    from numberquest.server.web.public_address import EVERYBODY, LOCAL, NOBODY, PublicAddress, networks

    proxies = None
    if options.proxy is not None:
        try:
            proxies = networks(options.proxy)
        except ValueError:
            raise UsageError(f"--proxy takes an address such as 127.0.0.1, not {options.proxy[:60]!r}") from None
    hosts = [name.strip().lower() for name in (options.hosts or "").split(",")]
    if options.hosts is not None and not all(re.fullmatch(r"[a-z0-9_.-]+|\[[0-9a-f:.]+\]", name) for name in hosts):
        raise UsageError(f"--hosts takes names such as example.org,play.example.org, not {options.hosts[:60]!r}")
    prefix = (options.prefix or "").rstrip("/")
    if not re.fullmatch(r"(/[A-Za-z0-9_.~-]+)*", prefix) or "/." in prefix:
        raise UsageError(f"--prefix takes the beginning of an address such as /games, not {prefix[:60]!r}")
    metrics = options.metrics or EVERYBODY
    if metrics not in (EVERYBODY, LOCAL, NOBODY):
        raise UsageError(f"--metrics takes {EVERYBODY}, {LOCAL} or {NOBODY}, not {metrics[:60]!r}")
    return PublicAddress(None, prefix, tuple(filter(None, hosts)), proxies, metrics)


def _whole(option: str, text: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and low <= int(text) <= high):
        raise UsageError(f"{option} takes a whole number from {low} to {high}, not {text[:40]!r}")
    return int(text)


def welcome(addresses: Sequence[str], log_name: str, rich: bool | None = None) -> Iterator[str]:
    """What is shown when the server is ready: addresses, and a code for the phone's camera where it fits."""
    here, *others = addresses
    yield f"Number Quest is ready. On this computer: {here}"
    for other in others:
        yield f"From a phone or another computer on your network: {other}"
    if sys.stdout.isatty() if rich is None else rich:
        if others:
            yield "Point the phone's camera here:"
            yield terminal_code(others[0])
            yield "Anybody on your network can play. For this computer alone: --host 127.0.0.1"
        if log_name:
            yield f"What happens is written to {log_name}"
        yield "Stop with Ctrl-C: no game is lost."


def terminal_code(text: str) -> str:
    """A code that a phone's camera reads, in letters for a terminal."""
    import segno

    picture = StringIO()
    segno.make(text, error="m").terminal(picture, compact=True)
    return picture.getvalue().rstrip("\n")


@contextlib.contextmanager
def _log_stream(wish: str | None) -> Iterator[tuple[TextIO | None, str]]:
    """Where log lines go: to a file that is named, or, at a terminal, to one of ours; otherwise to standard error."""
    if wish == "none":
        yield None, ""
    elif wish == "-" or (wish is None and not sys.stdout.isatty()):
        yield sys.stderr, ""
    else:
        path = wish or os.path.join(user_folder("XDG_STATE_HOME", ".local", "state"), "serve.log")
        try:
            if wish is None:
                os.makedirs(os.path.dirname(path), exist_ok=True)
            stream = open(path, "a", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600))
        except OSError as error:
            raise UsageError(f"--log {path} cannot be written: {error.strerror}", FAILURE) from None
        with stream:
            yield stream, path


def _raise_open_files() -> None:
    """Allow as many open connections as the system lets us have, where it counts them."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < hard:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 1_000_000), hard))


async def _export(db: str | None, folder: str) -> int:
    """Write the record of every finished or abandoned match into a folder, one file each."""
    from numberquest.server.store.stores import export, opened

    async with opened(db, new=False) as store:
        written = await export(store, folder)
    print(f"{written} records written to {folder}.")
    return 0
