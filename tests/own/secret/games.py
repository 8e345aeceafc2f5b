"""The games with secrets in this folder, for tests that go through every room with each of them."""

from pathlib import Path
from typing import Any, Final

from numberquest.core.contract import Game
from numberquest.core.registry import kind_in

PATHS: Final = {
    name: str(Path(__file__).parent / f"{name}.py") for name in ("kuhn", "bluff", "pennies", "goof", "liar")
}


def secret_games() -> dict[str, Game[Any]]:
    """One of each, by its name."""
    return {name: kind_in(path)() for name, path in PATHS.items()}
