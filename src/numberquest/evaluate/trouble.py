"""What can go wrong with a player: there is none of that name, it says something wrong, or it cannot answer at all."""

from __future__ import annotations

from numberquest.settings import BadSetting


class BadPlayer(BadSetting):
    """A player that there is not, or that cannot play: one sentence."""


class Illegal(Exception):
    """An answer that is no allowed move: what was said, and why it is none."""

    def __init__(self, said: str, why: str = "") -> None:
        # Both as arguments, so that it travels between processes whole.
        super().__init__(said, why)
        self.said = said
        self.why = why or f"{shown(said)} is not an allowed move"

    def __str__(self) -> str:
        return self.why


class ProviderError(Exception):
    """The agent's provider failed (a crash, silence, a server that is down): never a move, and never a loss."""


def shown(said: str, most: int = 80) -> str:
    """What an agent said, as it can stand in a sentence: one line, quoted, not too long."""
    text = " ".join(said.split())
    text = text if text.isprintable() else ascii(text)[1:-1]
    return repr(text if len(text) <= most else f"{text[:most]}…")
