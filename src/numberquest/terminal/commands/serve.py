"""`serve`, `site`, `db` and `mcp`: what is started for others, and the server's database."""

import sys
from typing import Annotated, Final, NamedTuple

from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.registry import GAMES
from numberquest.core.settings import whole_in
from numberquest.terminal.options import File, option, positional
from numberquest.terminal.prompt.console import tell

LAST_PORT: Final = 65535


class Serve(NamedTuple):
    """What can be said to `serve`; the defaults are the server's."""

    host: Annotated[str | None, option("listen there; otherwise the whole network can come", "ADDRESS")] = None
    port: Annotated[str | None, option("listen on this port (8000)", "N")] = None
    db: Annotated[str | None, option("a file, or postgresql://...; otherwise in your data folder", "WHERE")] = None
    log: Annotated[str | None, option("write what happens there; - is standard error, none is nowhere", "FILE")] = None
    hide_addresses: Annotated[
        bool, option("no addresses in the log, but a word for a day", name="--hide-addresses")
    ] = False
    rate: Annotated[str | None, option("requests a second from one address, a quarter in one match (200)", "N")] = None
    connections: Annotated[str | None, option("open connections from one address (500)", "N")] = None
    matches: Annotated[str | None, option("open matches (20000)", "N")] = None
    proxy: Annotated[str | None, option("a proxy at this address says where requests come from", "ADDRESS")] = None
    hosts: Annotated[str | None, option("answer to these names alone: example.org,play.example.org", "NAMES")] = None
    prefix: Annotated[str | None, option("all addresses begin with this: /games", "PATH")] = None
    metrics: Annotated[str | None, option("who may read /metrics: all, local or none (all)", "WHOM")] = None
    site: Annotated[
        str | None, option("play on without a network: the page that `site` wrote there goes along", "FOLDER")
    ] = None
    export: Annotated[str | None, option("write finished and abandoned matches there, and end", "FOLDER")] = None


def run_serve(options: Serve) -> int:
    from numberquest.server import serve

    wishes = {wish: value for wish, value in options._asdict().items() if value is not None}
    return serve.run(serve.ServeOptions(**wishes))


def run_site(
    folder: Annotated[str, positional("FOLDER")],
    pyodide: Annotated[
        str, option("the folder of the npm package pyodide, with the wheel of msgspec in it", "FOLDER")
    ] = "node_modules/pyodide",
) -> None:
    from pathlib import Path

    from numberquest.server.serve import check_packages

    check_packages()
    if others := [slug for slug in GAMES if slug not in GAMES.own]:
        raise UsageError(
            f"the page without a server has only the games that come with Number Quest: leave {others[0]} out"
        )
    from numberquest.server.site.files import site_files
    from numberquest.terminal.commands.progress import Progress

    with Progress("Putting the page together") as progress:
        files = site_files(Path(pyodide), progress)
    try:
        for name, content in files.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{error.filename or folder} cannot be written: {error.strerror}", FAILURE) from None
    size = sum(map(len, files.values())) / 1e6
    print(f"{len(files)} files, {size:.1f} MB, are in {folder}. Try them: python3 -m http.server -d {folder}")


Database = Annotated[str | None, option("as for serve: a file, or postgresql://...", "WHERE")]


def run_db_backup(
    file: File, db: Database = None, force: Annotated[bool, option("write over a backup of that name")] = False
) -> int:
    from numberquest.server.db import backup

    return backup(file, db, force)


def run_db_check(db: Database = None) -> int:
    from numberquest.server.db import check

    return check(db)


def run_db_prune(db: Database = None) -> int:
    from numberquest.server.db import prune

    return prune(db)


def run_db_restore(file: File, db: Database = None) -> int:
    from numberquest.server.db import restore

    return restore(file, db)


def run_mcp(
    http: Annotated[
        str | None, option("over HTTP, for this computer; otherwise standard input and output", "PORT")
    ] = None,
    analysis: Annotated[bool, option("also tell what positions and moves are worth")] = False,
    seed: Annotated[str | None, option("the same number deals the same games again", "N")] = None,
) -> None:
    from numberquest.core.dealer import seed_text

    port = None if http is None else whole_in(http)
    if http is not None and (port is None or port > LAST_PORT):
        raise UsageError(f"--http takes a port, a whole number from 0 (any that is free) to {LAST_PORT}")
    seed = None if seed is None else seed_text(seed)
    from numberquest.envs import mcp
    from numberquest.envs.tool_session import ToolSession

    if port is None and sys.stdin is not None and sys.stdin.isatty():
        tell("This speaks with programs, on standard input and output: docs/mcp.md says how. Ctrl+C ends it.")
    mcp.run(ToolSession(analysis=analysis, seed=seed, tell=tell), port, tell)
