"""The games as tools for language models, by the Model Context Protocol: `numberquest mcp`. docs/mcp.md describes it.

On standard input and output one program talks to us; over HTTP many may, at this computer alone.
"""

from __future__ import annotations

import inspect
import os
import signal
import socket
from collections.abc import Callable
from typing import Any, Final

from numberquest import __version__
from numberquest.core.errors import FAILURE, INTERRUPTED, UsageError
from numberquest.envs.arguments import needing
from numberquest.envs.tool_session import ToolSession
from numberquest.solver import budget

with needing("mcp", adapter=True):
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


def server(session: ToolSession) -> MCPServer[Any]:
    """The server with its tools; those of analysis only where the session allows them."""
    made: MCPServer[Any] = MCPServer(
        "numberquest", title="Number Quest", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )

    for tool in (session.list_games, session.rules):
        made.add_tool(tool, annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
    reading = (session.look, session.review, *((session.value, session.best_moves) if session.analysis else ()))
    for call in reading:
        made.add_tool(_own(call), annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
    for call in (session.begin, session.move, session.resign):
        destructive = ToolAnnotations(destructive_hint=call == session.resign, open_world_hint=False)
        made.add_tool(_own(call), annotations=destructive)
    return made


def _own(call: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """The call as a tool: which client it comes from is not for the model to say."""

    def tool(ctx: Context[Any, Any], **arguments: Any) -> dict[str, Any]:
        return call(**arguments, client=(ctx.headers or {}).get(SESSION, ""))

    asked = inspect.signature(call, eval_str=True)
    whose = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=Context[Any, Any])
    parameters = [*(one for name, one in asked.parameters.items() if name != "client"), whose]
    tool.__name__, tool.__doc__ = call.__name__, call.__doc__
    tool.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": asked.return_annotation}
    vars(tool)["__signature__"] = asked.replace(parameters=parameters)
    return tool


def run(session: ToolSession, port: int | None, tell: Callable[[str], None]) -> None:
    """Serve until the input ends; with a port, over HTTP until it is stopped."""
    made = server(session)
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
            raise UsageError(f"port {port} cannot be used: {error.strerror}", FAILURE) from None
        listening.listen()
        tell(f"Number Quest speaks MCP at http://{HOST}:{listening.getsockname()[1]}{PATH} (Ctrl+C ends it)")
        app = made.streamable_http_app(streamable_http_path=PATH, host=HOST)
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])
