"""A real nginx in front of real servers, set up with the samples of `deploy/`."""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import socket
import subprocess
from pathlib import Path

from tests.conftest import required
from tests.server.running import wait_until

DEPLOY = Path(__file__).parents[2] / "deploy"
AROUND = """
user root;
worker_processes 2;
pid nginx.pid;
error_log error.log;
events {{ worker_connections 1024; }}
http {{
    log_format told '$status $upstream_status $request_method $uri';
    access_log access.log told;
    client_body_temp_path {folder}/temp; proxy_temp_path {folder}/temp; fastcgi_temp_path {folder}/temp;
    uwsgi_temp_path {folder}/temp; scgi_temp_path {folder}/temp;
    include conf.d/*.conf;
}}
"""
"""What Debian's nginx.conf is to the samples; all of it stays in the test's own folder."""


def free_port() -> int:
    """One that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Nginx:
    """nginx with the samples as they stand; only the ports are others."""

    def __init__(
        self,
        folder: Path,
        port: int,
        second: int | None = None,
        *,
        prefixed: bool = False,
        bare: bool = False,
        several: bool = False,
        rate: int | None = None,
    ) -> None:
        """With a prefix it is the sample for that; a bare one is told where the server is, and nothing else.

        `several`: both servers are there for everybody. `rate`: so many requests a second.
        """
        program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
        if program is None:
            required("nginx")
            return
        self.folder = folder
        self.port = free_port()
        for name in ("conf.d", "snippets"):
            (folder / name).mkdir(parents=True)
        (folder / "nginx.conf").write_text(AROUND.format(folder=folder))
        snippet = "proxy_pass http://numberquest;" if bare else (DEPLOY / "nginx" / "snippet.conf").read_text()
        (folder / "snippets" / "numberquest.conf").write_text(snippet)
        refused = (DEPLOY / "nginx" / "refused.conf").read_text()
        (folder / "snippets" / "numberquest-refused.conf").write_text(refused)
        sample = (DEPLOY / "nginx" / "numberquest.conf").read_text()
        for theirs, ours in (("127.0.0.1:8000 ", port), ("127.0.0.1:8001 ", second or free_port())):
            assert theirs in sample
            sample = sample.replace(theirs, f"127.0.0.1:{ours} ")
        if rate is not None:
            sample, rates = re.subn(r"rate=\d+r/s", f"rate={rate}r/s", sample)
            snippet, bursts = re.subn(r"burst=\d+", "burst=2", snippet)
            assert (rates, bursts) == (1, 1)
            (folder / "snippets" / "numberquest.conf").write_text(snippet)
        if several:
            assert " backup;" in sample
            sample = sample.replace(" backup;", ";")
        sample = re.sub(r"\blisten 80;", f"listen 127.0.0.1:{self.port};", sample)
        # Not every machine has IPv6.
        sample = re.sub(r" *listen \[::\]:80;\n", "", sample)
        if prefixed:
            place = (DEPLOY / "nginx" / "prefix.conf").read_text()
            # All of a block of their own, which has nothing of ours but this.
            sample, places = re.subn(r"    location / \{.*?\n    \}.*?\n\}", f"{place}\n}}", sample, flags=re.DOTALL)
            assert places == 1
        (folder / "conf.d" / "numberquest.conf").write_text(sample)
        command = [program, "-p", str(folder), "-c", "nginx.conf", "-e", "error.log", "-g", "daemon off;"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self._wait_until_it_listens()

    def _wait_until_it_listens(self) -> None:
        def listens() -> bool:
            assert self.process.poll() is None, f"nginx did not start: {self.process.communicate()[1]}"
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 5).close()
                return True
            return False

        wait_until(listens)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answers(self) -> list[tuple[int, str]]:
        """The status and the address of everything it has answered."""
        lines = (self.folder / "access.log").read_text().splitlines()
        return [(int(line.split()[0]), line.split()[-1]) for line in lines]

    def __enter__(self) -> Nginx:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=30)
