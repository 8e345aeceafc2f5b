"""`numberquest serve`: opens the store, tells people where to go, and runs until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO
from urllib.parse import urlsplit

from numberquest.files import user_folder
from numberquest.mistake import FAILURE, INTERRUPTED, Mistake

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numberquest.server.limits import Limits

PORT: Final = 8000
HOST: Final = "0.0.0.0"  # noqa: S104  # for friends on the same network; --host 127.0.0.1 is for this computer alone
DATABASE_WAIT: Final = 60.0
"""Seconds."""

PACKAGES: Final = ("asyncpg", "httptools", "msgspec", "segno", "uvicorn", "uvloop", "websockets")
"""What `numberquest[server]` brings."""


class ServeOptions(NamedTuple):
    """What was asked for on the command line."""

    host: str = HOST
    port: str = str(PORT)
    db: str | None = None
    log: str | None = None
    rate: str | None = None
    connections: str | None = None
    matches: str | None = None
    proxy: str | None = None
    export: str | None = None


def run(options: ServeOptions) -> int:
    """Serve until stopped, and return the exit code."""
    check_packages()
    import uvloop

    if options.export is not None:
        return asyncio.run(_export(options.db, options.export))
    limits = limits_of(options)
    check_proxy(options.proxy)
    listening = opened(options.host, port_of(options.port))
    _raise_open_files()
    with (
        listening,
        _log_stream(options.log) as (stream, log_name),
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        stopped_by = runner.run(_serve(listening, options, limits, stream, log_name))
    return INTERRUPTED if stopped_by == signal.SIGINT else 0


def check_packages() -> None:
    """Say how to get what the server needs, where it is not there."""
    if any(find_spec(package) is None for package in PACKAGES):
        raise Mistake(
            "the server needs a few more packages: pip install 'numberquest[server]', or use make serve", FAILURE
        )


async def _serve(
    listening: socket.socket, options: ServeOptions, limits: Limits, stream: TextIO | None, log_name: str
) -> int | None:
    """Run the server; returns the signal that stopped it."""
    import uvicorn

    from numberquest.server import garbage
    from numberquest.server.hub import Hub
    from numberquest.server.limits import Gate
    from numberquest.server.log import Log, overheard
    from numberquest.server.store.stores import open_store
    from numberquest.server.think.pool import Thinking
    from numberquest.server.web.app import App
    from numberquest.server.web.graceful import Graceful
    from numberquest.server.web.sockets import HttpConnection, WebSocketConnection
    from numberquest.server.wire import LARGEST_FRAME

    store = await open_store(options.db, wait=_database_wait(), say=partial(print, file=sys.stderr, flush=True))
    log, thinking = Log(stream), Thinking()
    try:
        await thinking.start()
        app = App(Hub(store, thinking, Gate(limits), log), None if options.proxy else outside(listening))
        overheard("uvicorn.error", log)
        config = uvicorn.Config(
            app,
            http=HttpConnection,
            ws=WebSocketConnection,
            ws_max_size=LARGEST_FRAME,
            ws_per_message_deflate=False,
            ws_ping_interval=30.0,
            ws_ping_timeout=20.0,
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=options.proxy is not None,
            forwarded_allow_ips=options.proxy,
            timeout_graceful_shutdown=5,
            backlog=4096,
        )
        server = Graceful(config, app)
        garbage.spare()
        log.event("started", port=listening.getsockname()[1])
        for line in welcome(listening, log_name):
            print(line, flush=True)
        await server.serve(sockets=[listening])
        print("Stopped. Every move is kept; matches go on when the server is started again.", flush=True)
        return server.stopped_by
    finally:
        await thinking.close()
        await store.close()
        log.event("stopped")
        log.close()


def _database_wait() -> float:
    """How long a database that is just being started is waited for: PostgreSQL has a variable for such things."""
    text = os.environ.get("PGCONNECT_TIMEOUT", "")
    return float(text) if text.isascii() and text.isdecimal() else DATABASE_WAIT


def limits_of(options: ServeOptions) -> Limits:
    """The bounds that were asked for."""
    from numberquest.server.limits import Limits

    asked: dict[str, int] = {}
    for name in ("rate", "connections", "matches"):
        text = getattr(options, name)
        if text is not None:
            asked[name] = _whole(f"--{name}", text, 1, 10_000_000)
    limits = Limits()._replace(**asked)
    # Whoever may ask more often may also start more matches and think more.
    more = max(1.0, limits.rate / Limits().rate)
    return limits._replace(created=limits.created * more, thought=limits.thought * more)


def port_of(text: str) -> int:
    """The port that was asked for; 0 is any free one."""
    return _whole("--port", text, 0, 65535)


def check_proxy(text: str | None) -> None:
    """Refuse a proxy that is no address: requests from everywhere would seem to come from one place."""
    import ipaddress

    for part in (text or "*").split(","):
        if part.strip() != "*":
            try:
                ipaddress.ip_network(part.strip(), strict=False)
            except ValueError:
                raise Mistake(f"--proxy takes an address such as 127.0.0.1, not {part[:60]!r}") from None


def _whole(option: str, text: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and low <= int(text) <= high):
        raise Mistake(f"{option} takes a whole number from {low} to {high}, not {text[:40]!r}")
    return int(text)


def opened(host: str, port: int) -> socket.socket:
    """A socket that listens there; `Mistake` where that cannot be."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise Mistake(f"--host {host[:60]!r} is no address of this computer, such as 127.0.0.1") from None
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(4096)
    except OSError as error:
        listening.close()
        if isinstance(error, PermissionError):
            raise Mistake(f"port {port} is not open to you: choose one above 1023 with --port", FAILURE) from None
        import errno

        if error.errno == errno.EADDRINUSE:
            raise Mistake(f"port {port} is in use already: choose another with --port", FAILURE) from None
        raise Mistake(f"--host {host[:60]!r} is no address of this computer, such as 127.0.0.1") from None
    listening.setblocking(False)
    return listening


def addresses(listening: socket.socket) -> list[str]:
    """Where the page can be opened: on this computer first, then from others on the network."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104
        hosts = ["localhost"]
        outside = _own_address()
        hosts += [outside] if outside else []
    else:
        hosts = [f"[{host}]" if ":" in host else host]
    return [f"http://{name}:{port}/" for name in hosts]


def outside(listening: socket.socket) -> str | None:
    """Where others on the network open the page; None where only this computer can."""
    import ipaddress

    *_, last = addresses(listening)
    name = urlsplit(last).hostname or ""
    try:
        only_here = ipaddress.ip_address(name).is_loopback
    except ValueError:
        only_here = True
    return None if only_here else last.rstrip("/")


def _own_address() -> str:
    """The address that others on the network reach this computer at; empty where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        # Nothing is sent: this only asks which way a packet would go.
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return ""


def welcome(listening: socket.socket, log_name: str, rich: bool | None = None) -> Iterator[str]:
    """What is shown when the server is ready: addresses, and a code for the phone's camera where it fits."""
    here, *others = addresses(listening)
    yield f"Number Quest is ready. On this computer: {here}"
    for other in others:
        yield f"From a phone or another computer on your network: {other}"
    if sys.stdout.isatty() if rich is None else rich:
        if others:
            yield "Point the phone's camera here:"
            yield qr_code(others[0])
            yield "Anybody on your network can play. For this computer alone: --host 127.0.0.1"
        if log_name:
            yield f"What happens is written to {log_name}"
        yield "Stop with Ctrl-C: no game is lost."


def qr_code(text: str) -> str:
    """The text as a picture that a camera reads, in letters for a terminal."""
    from io import StringIO

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
            raise Mistake(f"--log {path} cannot be written: {error.strerror}", FAILURE) from None
        with stream:
            yield stream, path


def _raise_open_files() -> None:
    """Allow as many open connections as the system lets us have, where it counts them."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 1_000_000), hard))


async def _export(db: str | None, folder: str) -> int:
    """Write the record of every finished or abandoned match into a folder, one file each."""
    from numberquest.server.store.export import export
    from numberquest.server.store.stores import open_store

    store = await open_store(db, new=False)
    try:
        written = await export(store, folder)
    finally:
        await store.close()
    print(f"{written} records written to {folder}.")
    return 0
