"""The page's own files, read once: nothing outside this list can ever be asked for."""

from __future__ import annotations

import gzip
import json
import os
import sys
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from numberquest.games import GAMES
from numberquest.sentences import SENTENCES
from numberquest.server.web.http import Reply
from numberquest.settings import TYPED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from numberquest.games import Kind

KINDS: Final = {
    "html": b"text/html; charset=utf-8",
    "css": b"text/css; charset=utf-8",
    "js": b"text/javascript; charset=utf-8",
    "svg": b"image/svg+xml",
    "png": b"image/png",
    "webmanifest": b"application/manifest+json",
}
OF_A_GAME: Final = ("board.js", "board.css")
"""What a game may have for the page beside its rules; where it has none, an empty file is served in its place."""
PAGES: Final = ("/", "/review", "/puzzle")
"""Addresses of the page itself; `/m/…` is one too."""


class _File(NamedTuple):
    kind: bytes
    plain: bytes
    packed: bytes
    tag: bytes


class Pages:
    """The files of the page, by address."""

    def __init__(self) -> None:
        page = ((name, file.read_bytes()) for name, file in _walk(files(__package__) / "static"))
        games = ((f"games/{slug}/{name}", _of(kind, name)) for slug, kind in GAMES.items() for name in OF_A_GAME)
        everything = (*page, *games, ("sentences.js", _sentences()))
        self._files = {f"/static/{name}": _file(name, content) for name, content in everything}
        self._index = self._files["/static/index.html"]

    @property
    def size(self) -> int:
        """How many bytes all files have together, as they are sent."""
        return sum(min(len(file.plain), len(file.packed)) for file in self._files.values())

    def find(self, path: str, accepts: bytes, known: bytes | None) -> Reply | None:
        """What is at this address, or None."""
        is_page = path in PAGES or (path.startswith("/m/") and "/" not in path[3:])
        file = self._index if is_page else self._files.get("/static/favicon.svg" if path == "/favicon.ico" else path)
        if file is None:
            return None
        headers = [(b"etag", file.tag), (b"cache-control", b"no-cache"), (b"vary", b"accept-encoding")]
        if known == file.tag:
            return Reply(b"", 304, file.kind, tuple(headers))
        if b"gzip" in accepts and len(file.packed) < len(file.plain):
            return Reply(file.packed, 200, file.kind, (*headers, (b"content-encoding", b"gzip")))
        return Reply(file.plain, 200, file.kind, tuple(headers))


def _walk(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    for item in folder.iterdir():
        if item.is_dir():
            yield from _walk(item, f"{prefix}{item.name}/")
        elif item.name.rpartition(".")[2] in KINDS:
            yield f"{prefix}{item.name}", item


def _of(kind: Kind, name: str) -> bytes:
    """What a game has for the page in its own folder; nothing where its rules are a single file."""
    module = kind.__module__
    path = getattr(sys.modules[module], "__file__", None)
    file = os.path.join(os.path.dirname(path), name) if path and module.endswith(".rules") else ""
    if not os.path.isfile(file):
        return b""
    with open(file, "rb") as found:
        return found.read()


def _sentences() -> bytes:
    """The table of all sentences, and of signs as people write them, as a module of the page."""
    signs = {typed: written for written, typed in TYPED.items()}
    return f"export const SENTENCES = {json.dumps(SENTENCES)};\nexport const SIGNS = {json.dumps(signs)};\n".encode()


def _file(name: str, content: bytes) -> _File:
    tag = f'"{sha256(content).hexdigest()[:20]}"'.encode()
    return _File(KINDS[name.rpartition(".")[2]], content, gzip.compress(content, 9, mtime=0), tag)
