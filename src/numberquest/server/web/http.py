"""One HTTP request taken apart, with everything about it that could be wrong checked; and the answer to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import parse_qsl

import msgspec

from numberquest.sentences import Said
from numberquest.server.limits import place_of
from numberquest.server.match.state import Refusal

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, MutableMapping

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

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
    "too-large": 422,
    "too-many": 429,
    "internal": 500,
    "busy": 503,
    "not-stored": 503,
}
"""The HTTP status of each kind of trouble."""

SECURITY: Final[tuple[tuple[bytes, bytes], ...]] = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
"""Sent with every answer: nothing from other hosts, no inline script, no address passed on."""

JSON: Final = b"application/json"
DEEPEST: Final = 16
"""JSON may be nested this deep; no message of ours is deeper than three."""


class Reply(NamedTuple):
    """An answer: its status, kind and body."""

    body: bytes
    status: int = 200
    kind: bytes = JSON
    headers: tuple[tuple[bytes, bytes], ...] = ()


class Call(NamedTuple):
    """A request for one of the API's routes."""

    match: str
    """The name of the match in its address; empty where there is none."""
    token: str | None
    query: Mapping[str, str]
    body: Any
    """The request's body as the type that its route asks for."""
    outside: str | None = None
    """Where others on the network open the page, if they can."""
    address: str = ""
    """Where it comes from."""


def headers_of(scope: Scope) -> dict[bytes, bytes]:
    """The headers; of one that stands twice, the last."""
    return dict(scope["headers"])


def address_of(scope: Scope) -> str:
    """Where the request comes from, as it is counted and logged."""
    client = scope.get("client")
    return place_of(str(client[0])) if client else "local"


def same_origin(headers: Mapping[bytes, bytes]) -> bool:
    """Whether a request comes from our own page, or from no page at all."""
    origin = headers.get(b"origin")
    if origin is None:
        return True
    _, found, host = origin.partition(b"://")
    return bool(found) and host.lower() == headers.get(b"host", b"").lower()


def token_in(headers: Mapping[bytes, bytes]) -> str | None:
    """The seat token of the header `Authorization: Bearer …`."""
    said = headers.get(b"authorization")
    if said is None:
        return None
    scheme, _, token = said.decode("latin-1").partition(" ")
    if scheme.lower() != "bearer" or not 1 <= len(token) <= 100 or not token.isascii():
        raise Refusal("bad-request", Said("header-wrong"))
    return token


def query_in(scope: Scope, known: frozenset[str]) -> dict[str, str]:
    """The parameters in the address; refused where one is not known, or stands twice."""
    text = scope.get("query_string", b"").decode("latin-1")
    if not text:
        return {}
    if len(text) > 1000:
        raise Refusal("bad-request", Said("address-long"))
    try:
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=10)
    except ValueError:
        raise Refusal("bad-request", Said("parameters-unreadable")) from None
    query = dict(pairs)
    strange = [name for name in query if name not in known]
    if strange or len(query) < len(pairs):
        raise Refusal("bad-request", Said("parameters-allowed", {"allowed": sorted(known)}))
    return query


async def body_of(scope: Scope, receive: Receive, largest: int) -> bytes:
    """The whole body, if it is not too long."""
    said = headers_of(scope).get(b"content-length", b"0")
    if said.isdigit() and int(said) > largest:
        raise Refusal("too-long", Said("too-long", {"largest": largest}))
    pieces, length = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError
        piece = message.get("body", b"")
        length += len(piece)
        if length > largest:
            raise Refusal("too-long", Said("too-long", {"largest": largest}))
        pieces.append(piece)
        if not message.get("more_body"):
            return b"".join(pieces)


def decoded(body: bytes, kind: Any) -> Any:
    """The body as this type; refused with what is wrong about it."""
    try:
        check_depth(body)
        return msgspec.json.decode(body, type=kind)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        # What was sent may be in it, at any length.
        raise Refusal("bad-request", Said("unreadable", {"why": str(error)[:200]})) from None


def check_depth(body: bytes | str) -> None:
    """Refuse JSON that is nested deeper than any message of ours, before anything walks into it."""
    opening: tuple[Any, Any] = (b"[", b"{") if isinstance(body, bytes) else ("[", "{")
    # Most messages have fewer brackets than that altogether, inside texts included.
    if body.count(opening[0]) + body.count(opening[1]) <= DEEPEST:
        return
    depth = 0
    in_text = escaped = False
    for sign in body if isinstance(body, str) else body.decode("utf-8", "replace"):
        if in_text:
            escaped, in_text = (sign == "\\" and not escaped), not (sign == '"' and not escaped)
        elif sign == '"':
            in_text = True
        elif sign in "[{":
            depth += 1
            if depth > DEEPEST:
                raise Refusal("bad-request", Said("nested"))
        elif sign in "]}":
            depth -= 1


def problem(refusal: Refusal) -> Reply:
    """Trouble, as an answer."""
    return Reply(msgspec.json.encode(refusal.problem()), STATUS[refusal.code])


async def reply_with(send: Send, reply: Reply, bodiless: bool = False, kind: str = "http.response") -> None:
    """Send an answer with the headers that every answer has; `kind` is the name of such messages in ASGI."""
    headers = [
        (b"content-type", reply.kind),
        (b"content-length", str(len(reply.body)).encode()),
        *SECURITY,
        *(reply.headers or ((b"cache-control", b"no-store"),)),
    ]
    await send({"type": f"{kind}.start", "status": reply.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": b"" if bodiless else reply.body})
