"""A PostgreSQL server of the tests' own: Debian's programs, a temporary folder, a free port, and a password."""

import asyncio
import atexit
import functools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from glob import glob
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from tests.conftest import required

PASSWORD = "open-sesame-4711"  # noqa: S105
"""Of the server, which listens on this machine alone, and of nothing else."""


class PostgresServer:
    """Runs until the tests end. `stop` and `start` are there to lose it and to get it back."""

    def __init__(self, programs: str) -> None:
        self.programs = programs
        self.folder = tempfile.mkdtemp(prefix="nq-postgres-", dir="/tmp")  # a socket's path must be short
        self.user: dict[str, Any] = {}
        if os.getuid() == 0:
            # PostgreSQL refuses to run as root.
            user = next(user for user in pwd.getpwall() if user.pw_name in ("postgres", "nobody"))
            self.user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        secret = os.path.join(self.folder, "password")
        with open(secret, "w") as file:
            file.write(PASSWORD)
        self.data = os.path.join(self.folder, "data")
        self.port = 0
        os.chmod(secret, 0o644)
        self._run("initdb", "-D", self.data, "-U", "tester", "-A", "scram-sha-256", "--pwfile", secret, "-N",
                  "--no-locale", "-E", "UTF8")  # fmt: skip
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [os.path.join(self.programs, program), *arguments],
            **self.user,
            cwd=self.folder,
            env={"PATH": os.environ["PATH"]},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
        )
        assert done.returncode == 0, f"{program} has failed"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        if not self.port:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.port = free.getsockname()[1]
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=on"
        self._run("pg_ctl", "start", "-w", "-D", self.data, "-l", os.path.join(self.folder, "log"), "-o", options)

    def stop(self, how: str = "fast") -> None:
        """Stop it; `immediate` is what a crash looks like."""
        self._run("pg_ctl", "stop", "-w", "-D", self.data, "-m", how)

    def remove(self) -> None:
        """Leave nothing behind."""
        self.stop("immediate")
        shutil.rmtree(self.folder)

    def address(self, database: str, user: str = "tester", password: str = PASSWORD) -> str:
        """As `--db` takes it."""
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}"

    async def connect(self, database: str = "postgres") -> Any:
        """A connection of the test's own."""
        return await asyncpg.connect(self.address(database))

    async def execute(self, *statements: str, database: str = "postgres") -> None:
        """As the one who may do everything."""
        db = await self.connect(database)
        try:
            for statement in statements:
                await db.execute(statement)
        finally:
            await db.close()


@functools.cache
def postgres_server() -> PostgresServer:
    """The server of this test process: started when first asked for."""
    found = shutil.which("initdb")
    folders = [os.path.dirname(os.path.realpath(found))] if found else sorted(glob("/usr/lib/postgresql/*/bin"))
    folders = [folder for folder in folders if os.path.exists(os.path.join(folder, "pg_ctl"))]
    if not folders:
        required("PostgreSQL")
    server = PostgresServer(folders[-1])
    atexit.register(server.remove)
    return server


def new_database() -> str:
    """The address of an empty database. Not to be called in an event loop."""
    name = f"d{os.urandom(6).hex()}"
    asyncio.run(postgres_server().execute(f"CREATE DATABASE {name}"))
    return postgres_server().address(name)
