"""Arrows point one way: a file imports only from what stands to its left, or from its own folder."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "numberquest"
FILES = sorted(SOURCE.rglob("*.py"))

# From left to right. A room may use those on its own line only if it is the same room.
ROOMS = [
    {"settings", "wording", "stream", "mistake", "files"},
    {"game"},
    {"games"},
    {"dealer", "rulebook"},
    {"match"},
    {"record", "solve"},
    {"thinker"},
    {"players"},
    {"review", "lab"},
    {"puzzles"},
    {"telling"},
    {"terminal", "server", "envs"},
    {"client"},
    {"completion"},
    {"cli"},
]
PLACE = {room: place for place, rooms in enumerate(ROOMS) for room in rooms}


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The rooms that a file imports from, wherever in it that stands."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "numberquest" and len(parts) > 1 and parts[1] in PLACE:
                rooms.add(parts[1])
    return rooms


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_file_imports_only_from_its_left(path: Path) -> None:
    room = room_of(path)
    if room in ("__init__", "__main__"):
        assert path.parent == SOURCE
        return
    for other in imported(path) - {room}:
        assert PLACE[other] < PLACE[room], f"{room} must not know {other}"


def test_every_room_has_its_place() -> None:
    assert {room_of(path) for path in FILES} - {"__init__", "__main__"} == set(PLACE)
