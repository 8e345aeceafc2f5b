"""Arrows point one way: a file imports only from what stands to its left, or its own room; and never in a circle."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "numberquest"
FILES = sorted(SOURCE.rglob("*.py"))

# From left to right. A room may use those on its own line only if it is the same room.
ROOMS = [
    {"settings", "wording", "stream", "mistake", "files", "loading", "names", "paper"},
    {"sentences", "journal"},
    {"contract"},
    {"view"},
    {"games"},
    {"dealer", "rulebook"},
    {"line"},
    {"match"},
    {"record", "solver"},
    {"thinker", "crew"},
    {"players"},
    {"verdicts", "lab"},
    {"puzzle", "lesson"},
    {"telling"},
    {"evaluate"},
    {"terminal", "server", "envs"},
    {"client"},
    {"completion"},
    {"cli"},
]
PLACE = {room: place for place, rooms in enumerate(ROOMS) for room in rooms}
# The same for what is in the server.
SERVER = [
    {"refusal", "tokens", "log", "metrics", "clock", "garbage", "listening"},
    {"match"},
    {"store", "wire"},
    {"boards", "limits"},
    {"offered"},
    {"showing", "solved", "think"},
    {"room"},
    {"computers", "presence"},
    {"hub"},
    {"web"},
    {"serve"},
    {"db"},
]
IN_SERVER = {room: place for place, rooms in enumerate(SERVER) for room in rooms}
# What a game has besides its rules lies in its folder, and belongs to the room that it is for.
PARTS = {
    "dialogue": "terminal",
    "lesson": "lesson",
    "chart": "terminal",
    "board": "server",
    "solver": "solver",
    "cuda": "solver",
    "distances": "solver",
    "levels": "lab",
    "measures": "lab",
    "batch": "envs",
    "truth": "envs",
}


def name_of(path: Path) -> str:
    """The module in a file, without `numberquest.` in front: `games.fifty.rules`; a package is its folder."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for path in FILES}


def room_of(module: str) -> str:
    parts = module.split(".")
    return PARTS.get(parts[2], "games") if parts[0] == "games" and len(parts) == 3 else parts[0]


def imported(path: Path) -> set[str]:
    """The modules of ours that a file imports, wherever in it that stands: in a function, or for the types alone."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            start = ["numberquest", *path.relative_to(SOURCE).parts][: -node.level] if node.level else []
            base = ".".join([*start, *filter(None, [node.module])])
            # A name may be a module of its own, or something in the module that it is taken from.
            inside = [f"{base}.{alias.name}" for alias in node.names]
            found |= {name if name.removeprefix("numberquest.") in MODULES else base for name in inside}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    ours = {name.removeprefix("numberquest.") for name in found if name.startswith("numberquest.")}
    assert ours <= set(MODULES), f"{path}: {ours - set(MODULES)}"
    return ours


@pytest.mark.parametrize("module", MODULES)
def test_a_file_imports_only_from_its_left(module: str) -> None:
    room = room_of(module)
    if room in ("__init__", "__main__"):
        return
    for other in {room_of(other) for other in imported(MODULES[module])} - {room}:
        assert PLACE[other] < PLACE[room], f"{room} must not know {other}"


def test_every_room_has_its_place() -> None:
    assert {room_of(module) for module in MODULES} - {"__init__", "__main__"} == set(PLACE)


@pytest.mark.parametrize("module", [module for module in MODULES if module.startswith("server.")])
def test_within_the_server_too(module: str) -> None:
    room = module.split(".")[1]
    others = {other.split(".")[1] for other in imported(MODULES[module]) if other.startswith("server.")}
    for other in others - {room}:
        assert IN_SERVER[other] < IN_SERVER[room], f"server.{room} must not know server.{other}"


def test_everything_in_the_server_has_its_place() -> None:
    assert {module.split(".")[1] for module in MODULES if module.startswith("server.")} == set(IN_SERVER)


@pytest.mark.parametrize("path", sorted(SOURCE.glob("server/match/*.py")), ids=lambda path: path.stem)
def test_a_match_knows_no_wire_no_disk_and_no_clock(path: Path) -> None:
    ours = {other for other in imported(path) if other.startswith("server.")}
    assert {other for other in ours if not other.startswith("server.match")} <= {"server.refusal", "server.tokens"}
    others = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            others.add(node.module)
        elif isinstance(node, ast.Import):
            others |= {alias.name for alias in node.names}
    foreign = {name for name in others if name and not name.startswith("numberquest")}
    # What is left to luck, and what time it is, is told from outside.
    assert foreign <= {
        "__future__",
        "collections.abc",
        "datetime",
        "functools",
        "msgspec",
        "msgspec.structs",
        "typing",
    }


def test_no_modules_import_each_other_in_a_circle() -> None:
    ahead = {module: imported(path) - {module} for module, path in MODULES.items()}
    # Whoever imports nothing that is left cannot be part of a circle.
    while done := {module for module, others in ahead.items() if not others}:
        ahead = {module: others - done for module, others in ahead.items() if module not in done}
    # Nor can whoever is imported by nothing that is left.
    while free := set(ahead) - set().union(*ahead.values()):
        ahead = {module: others for module, others in ahead.items() if module not in free}
    assert ahead == {}


@pytest.mark.parametrize("path", sorted(SOURCE.glob("games/*/rules.py")), ids=lambda path: path.parent.name)
def test_the_rules_of_a_game_need_the_contract_its_settings_and_its_view_alone(path: Path) -> None:
    assert imported(path) <= {"contract", "settings", "view"}


@pytest.mark.parametrize("module", [module for module in MODULES if module.startswith("games.")])
def test_a_game_does_not_know_another(module: str) -> None:
    own = module.split(".")[1]
    others = {other.split(".")[1] for other in imported(MODULES[module]) if other.startswith("games.")}
    assert others <= {own}
