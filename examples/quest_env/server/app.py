"""The environment over HTTP and WebSocket: `uvicorn server.app:app`, or `server` after an installation."""

from openenv.core.env_server.http_server import create_app

try:
    from ..models import QuestAction, QuestObservation
    from .environment import QuestEnvironment
except ImportError:  # started in its own folder
    from models import QuestAction, QuestObservation
    from server.environment import QuestEnvironment

app = create_app(QuestEnvironment, QuestAction, QuestObservation, env_name="number_quest", max_concurrent_envs=64)


def main() -> None:
    """Serve it at port 8000."""
    import uvicorn

    uvicorn.run(app, host="127.0.0.1", port=8000)


if __name__ == "__main__":
    main()
