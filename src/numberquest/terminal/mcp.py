"""`mcp`: what people say and read when they start the games as tools for language models."""

from __future__ import annotations

import sys
from typing import Final, NamedTuple

from numberquest.mistake import Mistake
from numberquest.settings import whole_in
from numberquest.terminal.messages import tell

LAST_PORT: Final = 65535


class McpOptions(NamedTuple):
    """What was asked for on the command line."""

    http: str | None = None
    analysis: bool = False
    seed: str | None = None


def run(options: McpOptions) -> None:
    """Serve; `Mistake` where what was asked for cannot be."""
    from numberquest.dealer import BadDeal, seed_text

    port = None if options.http is None else whole_in(options.http)
    if options.http is not None and (port is None or port > LAST_PORT):
        raise Mistake(f"--http takes a port, a whole number from 0 (any that is free) to {LAST_PORT}")
    try:
        seed = None if options.seed is None else seed_text(options.seed)
    except BadDeal as error:
        raise Mistake(str(error)) from None
    from numberquest.evaluate.adapters import mcp
    from numberquest.evaluate.adapters.parlour import Parlour

    if port is None and sys.stdin is not None and sys.stdin.isatty():
        tell("This speaks with programs, on standard input and output: docs/mcp.md says how. Ctrl+C ends it.")
    mcp.run(Parlour(analysis=options.analysis, seed=seed, tell=tell), port, tell)
