"""The games as tools for language models, by the Model Context Protocol: `numberquest mcp`. docs/mcp.md describes it.

On standard input and output one program talks to us; over HTTP many may, at this computer alone.
"""

from __future__ import annotations

import os
import signal
import socket
from typing import TYPE_CHECKING, Any, Final

from numberquest.evaluate.adapters.missing import needing
from numberquest.mistake import FAILURE, INTERRUPTED, Mistake
from numberquest.solver import budget

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.evaluate.adapters.parlour import Parlour

with needing("mcp"):
    # Here and not where they are used: the tools are read by their annotations.
    from mcp.server.mcpserver import Context, MCPServer
    from mcp.types import ToolAnnotations

HOST: Final = "127.0.0.1"
PATH: Final = "/mcp"
SESSION: Final = "mcp-session-id"
"""The header that tells clients apart; on standard input and output there is one client alone."""
PATIENCE: Final = 60.0
"""So many seconds one answer may be worked at: then the rules are too large."""
INSTRUCTIONS: Final = (
    "Number games for two. Begin a game with `begin`, which answers with an id; then `move` with that id until it is "
    "over. Every answer tells where the game stands and which moves are allowed. An answer with `error` says what was "
    "wrong: nothing has happened then, and you may try again. After the end, `review` tells what every move was worth."
)


def server(parlour: Parlour) -> MCPServer[Any]:
    """The server with its tools; those of analysis only where the parlour allows them."""
    from numberquest import __version__

    made: MCPServer[Any] = MCPServer(
        "numberquest", title="Number Quest", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )

    def list_games() -> dict[str, Any]:
        """The games that can be played, and the opponents, from the weakest to the strongest."""
        return parlour.list_games()

    def rules(game: str, settings: dict[str, Any] | None = None) -> dict[str, Any]:
        """The rules of a game, what they leave open, and the settings that can be changed."""
        return parlour.rules(game, settings)

    def begin(
        game: str,
        ctx: Context[Any, Any],
        settings: dict[str, Any] | None = None,
        opponent: str = "hard",
        seat: int = 1,
    ) -> dict[str, Any]:
        """Begin a game against a computer player, in seat 1 (who begins) or 2. The answer has the id of the game."""
        return parlour.begin(game, settings, opponent, seat, (ctx.headers or {}).get(SESSION, ""))

    def look(id: str) -> dict[str, Any]:  # noqa: A002
        """Where a game stands: the position, what was played, whose turn it is and which moves are allowed."""
        return parlour.look(id)

    def move(id: str, move: str) -> dict[str, Any]:  # noqa: A002
        """Make one of the allowed moves; the opponent answers at once. A move that is not allowed changes nothing."""
        return parlour.move(id, move)

    def resign(id: str) -> dict[str, Any]:  # noqa: A002
        """Give the game up: the opponent has won."""
        return parlour.resign(id)

    def review(id: str) -> dict[str, Any]:  # noqa: A002
        """After the end of a game: what every move was worth exactly, which was best, and what was luck."""
        return parlour.review(id)

    def value(id: str) -> dict[str, Any]:  # noqa: A002
        """The exact chance of winning of the player to move, if both play as well as possible."""
        return parlour.value(id)

    def best_moves(id: str) -> dict[str, Any]:  # noqa: A002
        """The exact chance of winning after each allowed move, and which moves are best."""
        return parlour.best_moves(id)

    for tool in (list_games, rules, look, review, *((value, best_moves) if parlour.analysis else ())):
        made.add_tool(tool, annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
    for tool in (begin, move, resign):
        made.add_tool(tool, annotations=ToolAnnotations(destructive_hint=tool is resign, open_world_hint=False))
    return made


def run(parlour: Parlour, port: int | None, tell: Callable[[str], None]) -> None:
    """Serve until the input ends; with a port, over HTTP until it is stopped."""
    made = server(parlour)
    budget.patience = PATIENCE
    if port is None:
        # Otherwise Ctrl+C would wait until the input ends. Nothing is lost: games live no longer than this.
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
        made.run("stdio")
    else:
        _over_http(made, port, tell)


def _over_http(made: MCPServer[Any], port: int, tell: Callable[[str], None]) -> None:
    import uvicorn

    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    with listening:
        # So that it can be started again at once.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, port))
        except OSError as error:
            raise Mistake(f"port {port} cannot be used: {error.strerror}", FAILURE) from None
        listening.listen()
        tell(f"Number Quest speaks MCP at http://{HOST}:{listening.getsockname()[1]}{PATH} (Ctrl+C ends it)")
        app = made.streamable_http_app(streamable_http_path=PATH, host=HOST)
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])
