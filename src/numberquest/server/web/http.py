"""One HTTP request taken apart, with everything about it that could be wrong checked; and the answer to it."""

import gzip
from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import sha256
from html import escape
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

import msgspec

from numberquest.core.sentences import Said
from numberquest.server import wire
from numberquest.server.classroom.classes import Classes
from numberquest.server.refusal import Refusal

STATUS: Final[Mapping[str, int]] = {
    "bad-request": 400,
    "no-seat": 403,
    "wrong-origin": 403,
    "not-found": 404,
    "not-there": 405,
    "late": 409,
    "not-allowed": 409,
    "too-long": 413,
    "not-json": 415,
    "wrong-host": 421,
    "too-large": 422,
    "too-many": 429,
    "internal": 500,
    "busy": 503,
    "not-stored": 503,
}
"""The HTTP status of each kind of trouble."""

SECURITY: Final[Mapping[str, str]] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""Sent with every answer: nothing from other hosts, no inline script, no address passed on."""

RETRY: Final[Mapping[int | str, str]] = {
    429: "1",
    503: "2",
    **dict.fromkeys(("server-full", "much-kept", "much-in-a-minute"), "60"),
    **dict.fromkeys(("class-many", "class-share", "class-opened", "class-guessed"), "60"),
    "class-asked-much": "20",
    "class-much": "2",
}
"""Seconds after which a request can succeed, by status or by the code of the sentence."""
POLICY: Final = "Content-Security-Policy"
RUNS_PYTHON: Final = {POLICY: SECURITY[POLICY].replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")}
"""The policy of a page in which Python runs."""

JSON: Final = "application/json"
UNCACHED: Final[Mapping[str, str]] = {"Cache-Control": "no-store"}
UNKEPT: Final[Mapping[str, str]] = {**UNCACHED, "X-Keep": "no"}
"""Not even the page's own worker keeps this for reading it without a network: it is about a class."""


class Reply(NamedTuple):
    """An answer: its status, kind and body."""

    body: bytes
    status: int = 200
    kind: str = JSON
    headers: Mapping[str, str] = UNCACHED


class Call(NamedTuple):
    """A request for one of the API's routes."""

    match: str
    """The name of the match in its address; empty where there is none."""
    token: str | None
    query: Mapping[str, str]
    body: Any
    """The request's body as the type that its route asks for."""
    outside: str | None = None
    """The address at which other computers on the network open the page; None where they cannot."""
    address: str = ""
    """The address of the client."""
    waits: Callable[[], bool] = lambda: True
    """Whether the client is still connected."""
    classroom: str = ""
    """The name of the class in its address."""
    classes: Classes | None = None
    """All classes; None where there are none."""


def same_origin(headers: Mapping[str, str]) -> bool:
    """Whether a request comes from our own page, or from no page at all."""
    origin = headers.get("Origin")
    if origin is None:
        return True
    _, found, host = origin.partition("://")
    return bool(found) and host.lower() == headers.get("Host", "").lower()


def token_in(headers: Mapping[str, str]) -> str | None:
    """The seat token of the header `Authorization: Bearer …`."""
    said = headers.get("Authorization")
    if said is None:
        return None
    scheme, _, token = said.partition(" ")
    if scheme.lower() != "bearer" or not 1 <= len(token) <= 100 or not token.isascii():
        raise Refusal("bad-request", Said("header-wrong"))
    return token


def query_in(text: str, known: frozenset[str]) -> dict[str, str]:
    """The parameters in the address; refused where one is not known, or stands twice."""
    if not text:
        return {}
    if len(text) > 1000:
        raise Refusal("bad-request", Said("address-long"))
    try:
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=10)
    except ValueError:
        raise Refusal("bad-request", Said("parameters-unreadable")) from None
    query = dict(pairs)
    if not known.issuperset(query) or len(query) < len(pairs):
        raise Refusal("bad-request", Said("parameters-allowed", {"allowed": sorted(known)}))
    return query


def decoded(body: bytes, kind: Any) -> Any:
    """The body as this type; refused with what is wrong about it."""
    try:
        return msgspec.json.decode(body, type=kind)
    except RecursionError:
        raise Refusal("bad-request", Said("nested")) from None
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        # What was sent may be in it, at any length.
        raise Refusal("bad-request", Said("unreadable", {"why": str(error)[:200]})) from None


def lasting(body: bytes) -> Reply:
    """A cacheable answer with an ETag: it is the same until the server restarts."""
    tag = f'"{sha256(body).hexdigest()[:20]}"'
    return Reply(body, headers={"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"})


def lighter(reply: Reply, headers: Mapping[str, str], ready: bytes | None = None) -> Reply:
    """An answer with an ETag, left out or compressed where the client allows it; `ready` is its compressed body."""
    tag = reply.headers.get("ETag")
    if tag is None:
        return reply
    if headers.get("If-None-Match") == tag and reply.status == 200:
        return reply._replace(body=b"", status=304)
    if "gzip" in headers.get("Accept-Encoding", ""):
        ready = packed(reply.body) if ready is None else ready
        if len(ready) < len(reply.body):
            return reply._replace(body=ready, headers={**reply.headers, "Content-Encoding": "gzip"})
    return reply


@lru_cache(maxsize=64)
def packed(body: bytes) -> bytes:
    """The body as most programs take it, smaller."""
    return gzip.compress(body, mtime=0)


def problem(refusal: Refusal) -> Reply:
    """Trouble, as an answer."""
    said = wire.Problem(refusal.code, str(refusal), refusal.line, wire.Said(*refusal.said))
    status = STATUS[refusal.code]
    retry = {"Retry-After": RETRY.get(refusal.said.code, RETRY[status])} if status in RETRY else {}
    return Reply(msgspec.json.encode(said), status, headers={**UNCACHED, **retry})


def plain_page(refusal: Refusal) -> Reply:
    """Trouble, for a browser that may not be shown our own page."""
    words = escape(str(refusal))
    page = f"<!doctype html><html lang='en'><title>Number Quest</title><h1>Number Quest</h1><p>{words}</p></html>"
    return Reply(page.encode(), STATUS[refusal.code], "text/html; charset=utf-8")
