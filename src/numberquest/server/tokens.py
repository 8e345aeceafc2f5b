"""Names of matches, which everybody may know, and tokens of seats, which open them and are kept only as hashes."""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from hashlib import blake2b, sha256
from typing import Final

NOBODY: Final = bytes(32)
"""The hash of no token."""


class Tokens:
    """Makes names and tokens out of what was asked: the same again where the same is asked with the same key."""

    def __init__(self, secret: bytes) -> None:
        """`secret` is the database's, and never leaves the server."""
        self._secret = secret

    def token(self, purpose: str, text: str) -> str:
        """A secret of 256 bits that only this server's database could make again from the same text."""
        # A keyed hash by design, and a hundred times as fast as an HMAC through OpenSSL.
        made = blake2b(f"{purpose}\0{text}".encode(), key=self._secret, digest_size=32).digest()
        return urlsafe_b64encode(made).decode().rstrip("=")

    def name(self, purpose: str, text: str) -> str:
        """A public name, which tells nothing about what it was made of."""
        return self.token(purpose, text)[:20]

    def owner(self, places: Sequence[str]) -> str:
        """What an address is called where its share is counted: nobody can tell its places from it.

        They are the network, its home, its site; the widest stands first in the name: `SITE.HOME.NETWORK`.
        """
        return ".".join(self.token("owner", place)[:16] for place in reversed(places))


def hashed(token: str) -> bytes:
    """What is kept of a token."""
    return sha256(token.encode()).digest()


def opens(token: str, kept: bytes) -> bool:
    """Whether it is the token of that hash. Takes as long whichever it is."""
    return hmac.compare_digest(hashed(token), kept or NOBODY)


def seats_of(token: str | None, kept: Sequence[bytes]) -> list[int]:
    """The seats that a token opens. Takes as long whichever they are."""
    if not token:
        return []
    had = hashed(token)
    return [seat for seat in (0, 1) if hmac.compare_digest(had, kept[seat] or NOBODY)]
