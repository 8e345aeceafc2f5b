"""The environment over HTTP and WebSocket: `uvicorn server.app:app`, or `server` after an installation."""

from fastapi import Request
from fastapi.responses import JSONResponse
from openenv.core.env_server.http_server import create_app

from numberquest.core.errors import UsageError

try:
    from ..models import QuestAction, QuestObservation
    from .environment import QuestEnvironment
except ImportError:  # started in its own folder
    from models import QuestAction, QuestObservation
    from server.environment import QuestEnvironment

app = create_app(QuestEnvironment, QuestAction, QuestObservation, env_name="number_quest", max_concurrent_envs=64)


@app.exception_handler(UsageError)
def refused(_: Request, error: UsageError) -> JSONResponse:
    """Tell a client what is wrong with what it asked for."""
    return JSONResponse({"detail": str(error)}, 422)


def main() -> None:
    """Serve it at port 8000."""
    import uvicorn

    uvicorn.run(app, host="127.0.0.1", port=8000)


if __name__ == "__main__":
    main()
