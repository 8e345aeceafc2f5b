"""The page's own files, read once: nothing outside this list can ever be asked for. And what a link to a match shows.

A link that is pasted somewhere shows who invites whom to which game, and a picture: all of it is what everybody who
opens it sees first. The invitation itself stands behind the # of its address, which is never sent to a server.
"""

import gzip
import json
import re
import sys
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.laws import LAWS
from numberquest.core.recipe.keys import KEYS
from numberquest.core.registry import GAMES, Kind
from numberquest.core.sentences import NAMES, PEOPLE
from numberquest.core.settings import TYPED
from numberquest.server.match.entries import FRIEND
from numberquest.server.match.state import MatchState
from numberquest.server.refusal import OF_REQUESTS, SENTENCES
from numberquest.server.web.bundle import ALONE, PAGE, joined
from numberquest.server.web.http import Reply, lighter

FOLDER: Final = Path(__file__).parent.parent / "page"
KINDS: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}
OF_PYTHON: Final = {"mjs": KINDS["js"], "wasm": "application/wasm", "json": "application/json"}
"""And what the Python in the browser is made of; whatever else it is, is packed."""
OF_A_GAME: Final = ("board.js", "board.css")
"""What a game may have for the page beside its rules; where it has none, an empty file is served in its place."""
PREVIEW: Final = "preview.png"
"""What a link to a match shows where it is pasted: of a game in its own folder, and one for all others."""
IN_PAGE: Final = "parts/in_page.js"
"""Wanted at once where there is Python for the browser."""
STYLE: Final = "style/page.css"
MATCH_STYLE: Final = "style/match.css"
"""What boards look like: fetched with the first screen that has one, for the front page has none."""
SHELL: Final = ("parts/theme.js", STYLE, PAGE)
"""Without these no page is shown."""
CLASS: Final = "/class"
PAGES: Final = (
    *("/", "/review", "/puzzle", "/laboratory", "/atlas", "/workshop", "/lesson/{game}"),
    *(CLASS, f"{CLASS}/{{code}}", "/m/{match}"),
)
"""Addresses of the page itself."""
FOR_EVER: Final = "public, max-age=31536000, immutable"
HOME: Final = b'<base href="/"'
"""What the page says of where it lies."""
WIDE, TALL = 1200, 630
"""How large the pictures are."""
NAME: Final = "Number Quest"
ABOUT: Final = {
    "/": f"{NAME}: Number games for two: against the computer, with a friend, or two at one screen.",
    "/puzzle": "Today’s puzzle: Three positions from easy to hard, one right move in each, the same for everybody.",
    "/review": "Review a game: What every move was worth, what else could have been played, and what was luck.",
    "/laboratory": "The laboratory: Change a rule and see what that does: how fair, how long, how much luck and skill.",
    "/workshop": "Make a game: Write one, see at once who wins and how fair it is, play it, and send it to others.",
    CLASS: "A class: Open one for thirty pupils in under a minute, or come in with the four letters on the board.",
    "/atlas": "The atlas: Who wins every rule set of every game, or how likely, and how to begin.",
}
"""What a link to each page shows: its title, and what it is."""
TITLE: Final = f"<title>{NAME}</title>"
"""What the page is called until it has loaded."""


class File(NamedTuple):
    """A file of the page, as it is sent."""

    kind: str
    plain: bytes
    packed: bytes
    tag: str

    @property
    def version(self) -> str:
        """What stands behind its address where it is asked for by it."""
        return self.tag.strip('"')


class Pages:
    """The files of the page, by address."""

    def __init__(
        self, prefix: str = "", host: Mapping[str, Any] | None = None, python: Mapping[str, bytes] | None = None
    ) -> None:
        """`prefix` is what stands before all addresses.

        `host` says where the Python lies that answers in the browser, and `python` is what is sent of it from here.
        """
        every = [file for file in FOLDER.rglob("*") if file.suffix[1:] in KINDS]
        everything = {file.relative_to(FOLDER).as_posix(): file.read_bytes() for file in every}
        for slug, kind in GAMES.items():
            everything |= {f"games/{slug}/{name}": _of(kind, name) for name in OF_A_GAME}
            if picture := _of(kind, PREVIEW):
                everything[f"games/{slug}/{PREVIEW}"] = picture
        everything["sentences.js"] = _sentences()
        starts = {file.name: file.read_text() for file in sorted((FOLDER.parent / "starts").iterdir())}
        everything["starts.js"] = _exported({"STARTS": starts})
        everything["recipe_keys.js"] = _exported({"KEYS": _recipe_keys()})
        everything["laws.js"] = _exported({"LAWS": {law.name: law.sentence for law in LAWS}})
        if host is not None:
            everything["host.js"] = f"export const HOST = {json.dumps(host)};\n".encode()
        everything["heat_map.js"] = (FOLDER.parent.parent / "report" / "heat_map.js").read_bytes()
        everything["index.html"] = everything["index.html"].replace(HOME, f'<base href="{prefix}/"'.encode())
        parts = _join(everything, python=host is not None)
        static = {f"/static/{name}": _file(name, content) for name, content in everything.items()}
        # No page asks for the pictures of links.
        sent = {path for path in static if not path.endswith(f"/{PREVIEW}")} - {f"/static/{name}" for name in parts}
        self.sent = {path: static[path] for path in sent}
        """What a page may ask for."""
        self.size = sum(min(len(static[path].plain), len(static[path].packed)) for path in sent)
        """How many bytes all files have together, as they are sent: of what is joined, not the parts as well."""
        self.index = static["/static/index.html"]
        self.files = {
            **static,
            **{f"/{path}": _file(path, content) for path, content in (python or {}).items()},
            **dict.fromkeys(PAGES, self.index),
            "/favicon.ico": static["/static/favicon.svg"],
            # It sees to the addresses beside and below its own.
            "/sw.js": static["/static/sw.js"],
        }
        """By address."""


def shown(file: File, headers: Mapping[str, str], status: int = 200, version: str = "") -> Reply:
    """A file as the answer to a request with these headers; `version` is the one that is asked for."""
    # Under the address of this very version it never changes.
    keeps = FOR_EVER if version and version == file.version else "no-cache"
    said = {"ETag": file.tag, "Cache-Control": keeps, "Vary": "Accept-Encoding"}
    return lighter(Reply(file.plain, status, file.kind, said), headers, file.packed)


def _of(kind: Kind, name: str) -> bytes:
    """What a game has for the page in its own folder; nothing where its rules are a single file."""
    path = getattr(sys.modules[kind.__module__], "__file__", None)
    if not path or not kind.__module__.endswith(".rules"):
        return b""
    file = Path(path).with_name(name)
    return file.read_bytes() if file.is_file() else b""


def _sentences() -> bytes:
    """The sentences that come as codes, and signs as people write them, as a module of the page."""
    signs = {typed: written for written, typed in TYPED.items()}
    coded = {code: text for code, text in SENTENCES.items() if code not in OF_REQUESTS}
    tables = {"SENTENCES": coded, "SIGNS": signs, "STYLED": list(GAMES.own)}
    return _exported(tables)


def _exported(tables: Mapping[str, object]) -> bytes:
    """Tables as a module of the page."""
    return "".join(f"export const {name} = {json.dumps(table)};\n" for name, table in tables.items()).encode()


def _recipe_keys() -> list[dict[str, Any]]:
    """What a recipe may say, for a form."""
    return [
        {"section": section, "name": name, **key._asdict(), "words": key.words}
        for section, keys in KEYS.items()
        for name, key in keys.items()
    ]


def _join(everything: dict[str, bytes], *, python: bool) -> set[str]:
    """Put together what is asked for together, and let the page ask for just these versions; what was joined."""
    # What others have brought is served by itself: a mistake in it must not take the page along.
    own = [f"games/{slug}" for slug in GAMES.own]
    modules = {
        name: text.decode()
        for name, text in everything.items()
        if name.endswith(".js") and (not name.startswith("games/") or name.rpartition("/")[0] in own)
    }
    boards = [*(f"{folder}/board.js" for folder in own), *([IN_PAGE] if python else [])]
    everything[MATCH_STYLE] = b"".join([everything[MATCH_STYLE], *(everything[f"{one}/board.css"] for one in own)])
    for name in (STYLE, MATCH_STYLE):
        everything[name] = _tight(everything[name])
    files = joined(modules, boards, lambda name, text: _versioned(name, {name: text.encode()}))
    everything |= {name: text.encode() for name, text in files.items()}
    everything[PAGE] = files[PAGE].replace(MATCH_STYLE, _versioned(MATCH_STYLE, everything)).encode()
    shell = {f"static/{name}": f"static/{_versioned(name, everything)}" for name in SHELL}
    kept = json.dumps(["./", *shell.values()])
    everything["sw.js"] = everything["sw.js"].replace(b"SHELL = []", f"SHELL = {kept}".encode())
    for plain, address in shell.items():
        everything["index.html"] = everything["index.html"].replace(f'"{plain}"'.encode(), f'"{address}"'.encode())
    return {*modules, *(f"{one}/board.css" for one in own)} - {*ALONE}


def _tight(style: bytes) -> bytes:
    """A style sheet without what only its writers read."""
    return re.sub(rb"\s*([{};,])\s*|/\*.*?\*/", rb"\1", style, flags=re.DOTALL)


def _versioned(name: str, everything: Mapping[str, bytes]) -> str:
    return f"{name}?v={_file(name, everything[name]).version}"


def _file(name: str, content: bytes) -> File:
    tag = f'"{sha256(content).hexdigest()[:20]}"'
    kind = (KINDS | OF_PYTHON).get(name.rpartition(".")[2], "application/zip")
    return File(kind, content, gzip.compress(content, 9, mtime=0), tag)


def previewed(pages: Pages, state: MatchState, home: str | None) -> File:
    """The page of a match, with what others are shown of it; `home` is where they open our pages, if that is known."""
    words, game = headline(state), state.line.game
    return _tagged(pages, words, home, f"/m/{state.header.match}", game) if words else introduced(pages, "/", home)


def introduced(pages: Pages, path: str, home: str | None) -> File:
    """Any other page, with what a link to it shows."""
    kind = GAMES.get(path.removeprefix("/lesson/"))
    about = ABOUT.get(CLASS if path.startswith(f"{CLASS}/") else path, ABOUT["/"])
    return _tagged(pages, "" if kind else about, home, path, kind() if kind else None)


def _tagged(pages: Pages, words: str, home: str | None, path: str, game: Game[Any] | None) -> File:
    words, about = words.split(": ", 1) if game is None else (words or f"Learn {game.short_title}", game.summary)
    tags = {
        "og:site_name": "Number Quest",
        "og:type": "website",
        "og:title": words,
        "og:description": about,
        "twitter:card": "summary",
    }
    if home is not None:
        own = f"/static/games/{game.slug}/{PREVIEW}" if game else ""
        picture = home + (own if own in pages.files else f"/static/{PREVIEW}")
        tags |= {
            "og:url": home + path,
            "og:image": picture,
            "og:image:width": str(WIDE),
            "og:image:height": str(TALL),
            "og:image:alt": f"The board of {game.short_title}" if game else "Number tiles",
            "twitter:card": "summary_large_image",
        }
    lines = [f'<meta property="{name}" content="{escape(text)}">' for name, text in tags.items()]
    title = TITLE if words == NAME else f"<title>{escape(words)} – {NAME}</title>"
    return _file("index.html", pages.index.plain.decode().replace(TITLE, "\n".join([title, *lines]), 1).encode())


def headline(state: MatchState) -> str:
    """Who invites to what, or who plays what; nothing of an invitation that was withdrawn."""
    title = state.line.game.short_title
    if state.withdrawn:
        return ""
    if state.opponent == FRIEND and not all(state.joined):
        name = state.names[state.joined.index(True)]
        return f"{'A friend' if name in NAMES + PEOPLE else name} invites you to {title}"
    return f"{state.names[0]} and {state.names[1]} play {title}"
