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
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

    from numberquest.games import Kind

KINDS: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}
OF_A_GAME: Final = ("board.js", "board.css")
"""What a game may have for the page beside its rules; where it has none, an empty file is served in its place."""
PAGES: Final = ("/", "/review", "/puzzle", "/m/{match}")
"""Addresses of the page itself."""
HOME: Final = b'<base href="/"'
"""What the page says of where it lies."""


class File(NamedTuple):
    """A file of the page, as it is sent."""

    kind: str
    plain: bytes
    packed: bytes
    tag: str


class Pages:
    """The files of the page, by address."""

    def __init__(self, prefix: str = "") -> None:
        """`prefix` is what stands before all addresses."""
        page = ((name, file.read_bytes()) for name, file in _walk(files(__package__) / "static"))
        games = ((f"games/{slug}/{name}", _of(kind, name)) for slug, kind in GAMES.items() for name in OF_A_GAME)
        everything = {**dict(page), **dict(games), "sentences.js": _sentences()}
        everything["index.html"] = everything["index.html"].replace(HOME, f'<base href="{prefix}/"'.encode())
        static = {f"/static/{name}": _file(name, content) for name, content in everything.items()}
        self.size = sum(min(len(file.plain), len(file.packed)) for file in static.values())
        """How many bytes all files have together, as they are sent."""
        self.index = static["/static/index.html"]
        self.files = {**static, **dict.fromkeys(PAGES, self.index), "/favicon.ico": static["/static/favicon.svg"]}
        """By address."""


def shown(file: File, headers: Mapping[str, str], status: int = 200) -> Reply:
    """A file as the answer to a request with these headers."""
    said = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if headers.get("If-None-Match") == file.tag and status == 200:
        return Reply(b"", 304, file.kind, said)
    if "gzip" in headers.get("Accept-Encoding", "") and len(file.packed) < len(file.plain):
        return Reply(file.packed, status, file.kind, {**said, "Content-Encoding": "gzip"})
    return Reply(file.plain, status, file.kind, said)


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


def _file(name: str, content: bytes) -> File:
    tag = f'"{sha256(content).hexdigest()[:20]}"'
    return File(KINDS[name.rpartition(".")[2]], content, gzip.compress(content, 9, mtime=0), tag)
