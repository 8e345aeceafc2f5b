"""The page as plain files, for any host and any folder of it: with our own Python, which runs in the browser."""

import io
import json
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from numberquest.core.errors import UsageError
from numberquest.core.progress import Progress, silently
from numberquest.core.registry import GAMES
from numberquest.server import wire
from numberquest.server.think import tasks
from numberquest.server.think.worker import answered
from numberquest.server.web.bundle import PAGE
from numberquest.server.web.pages import HOME, Pages, introduced
from numberquest.server.web.sandbox import allowing
from numberquest.study.atlas import has_atlas

PACKAGE: Final = Path(__file__).parent.parent.parent
OWN: Final = Path(__file__).parent
RUNTIME: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""What Pyodide's loader asks for."""
WHEELS: Final = "msgspec-*-pyemscripten_*_wasm32.whl"
NOT_IN_A_PAGE: Final = (
    "envs",
    "terminal",
    "server/page",
    "server/web/app.py",
    "server/store/postgres.py",
    "cli.py",
    "client.py",
)
"""Parts of the program that nothing in a page asks for."""
DATA: Final = (".py", ".wasm", ".bin", ".jsonl", ".json", ".csv")
LEVEL: Final = 9
GUEST: Final = ("frame.js", "guest.js")
"""Where somebody else's Python runs."""
POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'self'; form-action 'none'"
)
"""Nothing from other hosts, no inline script: what a server says in its headers."""
REPLACED: Final = ("/static/index.html", "/static/sw.js")
"""A server's own; here there is a page for each address, and a worker that keeps everything."""
PAGES: Final = ("", "review", "puzzle", "laboratory", "atlas", "workshop", "m")
WITH_FRIENDS: Final = b" with a friend,"
HOST: Final = "static/host.json"
"""Where Python lies, for a server that sends it along."""
Written = Iterator[tuple[str, bytes]]


def site_files(pyodide: Path, progress: Progress = silently) -> dict[str, bytes]:
    """Every file by its path; `pyodide` is the folder of the npm package, with the wheel of msgspec in it."""
    python = dict(python_files(pyodide))
    known = {address: (f"static/known/{_hash(body)}.json", body) for address, body in _known(progress)}
    site = {f"static/site/{name}": (OWN / name).read_bytes() for name in ("worker.js", "database.js", *GUEST)}
    names = {path.rpartition("/")[2]: path for path in python}
    runtime = names[RUNTIME[0]].removesuffix(RUNTIME[0])
    host: dict[str, Any] = {
        "alone": True,
        "worker": "static/site/worker.js",
        "guest": [f"static/site/{name}" for name in GUEST],
        "from": [runtime, *(path for path in python if path.endswith(".whl"))],
        "known": {address: path for address, (path, _) in known.items()},
    }
    host["files"] = [*dict.fromkeys([*python, *site, *(path for path, _ in known.values())])]
    pages = Pages(host=host)
    files = {path.removeprefix("/"): file.plain for path, file in pages.sent.items() if path not in REPLACED}
    files |= python | site | dict(known.values()) | {"favicon.ico": files["static/favicon.svg"]}
    files[HOST] = json.dumps(host).encode()
    kept = [_asked(path, pages) for path in files if path != HOST]
    for path in [*PAGES, *(f"lesson/{slug}" for slug in GAMES)]:
        files[f"{path}/index.html".removeprefix("/")] = _page(pages, path, known)
        kept.append(f"{path}/" if path else "./")
    version = sha256(b"".join(path.encode() + body for path, body in sorted(files.items()))).hexdigest()[:12]
    worker = (OWN / "sw.js").read_text().replace("FILES = []", f"FILES = {json.dumps(kept)}")
    files["sw.js"] = worker.replace("'numberquest-site-';", f"'numberquest-site-{version}';").encode()
    return files


def python_in(folder: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Of a page that was written there: where Python lies, for a server's page as well, and all that it is made of."""
    try:
        host = json.loads(Path(folder, HOST).read_text())
        return {**host, "alone": False}, {name: Path(folder, name).read_bytes() for name in host["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(f"there is no page in {folder}: numberquest site writes one") from None


def python_files(pyodide: Path) -> Written:
    """Pyodide, and the packages that it is given, each under an address that never changes what it means."""
    wheels = sorted(pyodide.glob(WHEELS))
    for name in RUNTIME:
        if not (pyodide / name).is_file():
            raise UsageError(f"there is no {name} in {pyodide}: name the folder of the npm package pyodide")
    if not wheels:
        raise UsageError(f"there is no wheel of msgspec for Pyodide in {pyodide} (it is called {WHEELS})")
    runtime = {name: (pyodide / name).read_bytes() for name in RUNTIME}
    version = _hash(b"".join(runtime.values()))
    for name, content in runtime.items():
        yield f"static/python/{version}/{name}", content
    for name, content in ((wheels[-1].name, wheels[-1].read_bytes()), ("numberquest.whl", own_wheel())):
        yield f"static/python/{_hash(content)}/{name}", content


def own_wheel() -> bytes:
    """What of us runs in a page: always the same bytes of the same files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for file in sorted(PACKAGE.rglob("*")):
            name = file.relative_to(PACKAGE).as_posix()
            if file.suffix in DATA and not name.startswith(NOT_IN_A_PAGE):
                archive.writestr(zipfile.ZipInfo(f"numberquest/{name}"), file.read_bytes(), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _known(progress: Progress) -> Written:
    """What everybody is told alike, by the address at which a server is asked for it: it is there before Python is."""
    asked: dict[str, tasks.Task] = {"games": tasks.Games(), "games?soon=yes": tasks.Games()}
    asked |= {f"lessons?game={slug}": tasks.AskLesson(slug) for slug in GAMES}
    asked |= {f"atlas?game={slug}": tasks.Map(slug) for slug, kind in GAMES.items() if has_atlas(kind)}
    for at, (address, task) in enumerate(asked.items()):
        progress(at, len(asked))
        answer = answered(wire.encode(task))
        assert isinstance(answer, tasks.Made), address  # noqa: S101  # of our own games
        yield address, bytes(answer.json)


def _page(pages: Pages, path: str, known: dict[str, tuple[str, bytes]]) -> bytes:
    up = "../" * (path.count("/") + 1) if path else "./"
    policy = (
        f'<meta http-equiv="Content-Security-Policy" content="{allowing(POLICY, (OWN / GUEST[0]).read_bytes())}">\n'
    )
    # What a link to it shows, where nobody has a friend on another device.
    text = introduced(pages, f"/{path}", None).plain.replace(WITH_FRIENDS, b"")
    text = text.replace(HOME, f'<base href="{up}"'.encode()).replace(
        b"<meta charset", policy.encode() + b"<meta charset"
    )
    return text.replace(b'href="api/games"', f'href="{known["games"][0]}"'.encode())


def _asked(path: str, pages: Pages) -> str:
    """The address at which the page asks for a file: with its version, where that stands in it."""
    file = pages.sent.get(f"/{path}")
    name = path if file is None else f"{path}?v={file.version}"
    asking = pages.index.plain + pages.sent[f"/static/{PAGE}"].plain
    return name if name.removeprefix("static/").encode() in asking else path


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()[:12]
