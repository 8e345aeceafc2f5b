"""What the tests of the environments share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from numberquest.core.registry import GAMES
from tests.envs.needs import needed


@pytest.fixture
def readers_place(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In the folder where a reader of the documents stands; games that they bring are forgotten again afterwards."""
    monkeypatch.chdir(Path(__file__).parent.parent.parent)
    monkeypatch.setattr(GAMES, "_brought", dict(GAMES._brought))
    registry = needed("gymnasium").registry
    before = set(registry)
    yield
    for name in set(registry) - before:
        del registry[name]
