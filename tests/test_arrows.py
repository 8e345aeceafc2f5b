"""Arrows point one way: a file imports only from what stands to its left, or its own room; and never in a circle."""

import ast
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "numberquest"
FILES = sorted(SOURCE.rglob("*.py"))

# From left to right.
ROOMS = ["core", "games", "solver", "players", "explain", "report", "study", "envs"]
ROOMS += ["server", "terminal", "client", "cli"]
PLACE = {room: place for place, room in enumerate(ROOMS)}
# The same for what is in the server.
SERVER = [{"refusal", "tokens", "log", "clock", "listening", "shared_read", "background"}, {"match"}, {"store", "wire"}]
SERVER += [
    {"boards", "limits"},
    {"solved", "think"},
    {"room"},
    {"computers"},
    {"hub"},
    {"classroom"},
    {"web"},
    {"site"},
    {"serve"},
    {"db"},
]
IN_SERVER = {room: place for place, rooms in enumerate(SERVER) for room in rooms}
# What a game has besides its rules lies in its folder, and belongs to the room that it is for.
PARTS = {"dialogue": "terminal", "lesson": "explain", "board": "server", "batch": "envs"}
PARTS |= {"solver": "solver", "gpu": "solver"}
# A match knows no wire, no disk and no clock: what is left to luck, and what time it is, is told from outside.
PURE = {"__future__", "collections.abc", "datetime", "functools", "math", "msgspec", "msgspec.structs", "typing"}
PURE |= {"types"}
# Neither does a class.
PURE_OF_A_CLASS = {"server.classroom.events", "server.classroom.state", "server.classroom.pairing"}


def name_of(path: Path) -> str:
    """The module in a file, without `numberquest.` in front: `games.fifty.rules`; a package is its folder."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for path in FILES}


def room_of(module: str) -> str:
    parts = module.split(".")
    of_a_game = parts[0] == "games" or parts[:2] == ["core", "recipe"]
    return PARTS.get(parts[2], parts[0]) if of_a_game and len(parts) == 3 else parts[0]


def found_in(path: Path) -> set[str]:
    """The modules that a file imports, wherever in it that stands: in a function, or for the types alone."""
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
    return found


def imported(path: Path) -> set[str]:
    """Those of ours."""
    ours = {name.removeprefix("numberquest.") for name in found_in(path) if name.startswith("numberquest.")}
    assert ours <= set(MODULES), f"{path}: {ours - set(MODULES)}"
    return ours


IMPORTED = {module: imported(path) for module, path in MODULES.items()}


def place_in_server(module: str) -> str:
    return module.split(".")[1] if module.startswith("server.") else ""


def test_a_file_imports_only_from_its_left() -> None:
    wrong = []
    for room_in, place in ((room_of, PLACE), (place_in_server, IN_SERVER)):
        rooms = {module: room_in(module) for module in MODULES}
        assert {room for room in rooms.values() if room} - {"__init__", "__main__"} == set(place)
        wrong += [
            f"{module} must not know {other}"
            for module, others in IMPORTED.items()
            for other in others
            if rooms[module] in place and rooms[other] and rooms[other] != rooms[module]
            if rooms[other] not in place or place[rooms[other]] >= place[rooms[module]]
        ]
    assert wrong == []


def forbidden(module: str) -> set[str]:
    """What a module imports and must not, wherever it stands."""
    ours, parts = IMPORTED[module], module.split(".")
    if parts[0] == "games" and parts[2:] == ["rules"]:
        return ours - {"core.contract", "core.settings", "core.view"}
    if parts[0] == "games":
        # A game does not know another.
        return {other for other in ours if other.startswith("games.") and other.split(".")[1] != parts[1]}
    if module.startswith("server.match"):
        foreign = {other for other in found_in(MODULES[module]) if not other.startswith("numberquest")}
        server = {other for other in ours if other.startswith("server.") and not other.startswith("server.match")}
        return (foreign - PURE) | (server - {"server.refusal", "server.tokens"})
    if module in PURE_OF_A_CLASS:
        foreign = {other for other in found_in(MODULES[module]) if not other.startswith("numberquest")}
        return (foreign - PURE) | {other for other in ours if other.startswith("server.")} - {
            "server.refusal",
            *PURE_OF_A_CLASS,
        }
    return set()


def test_rules_games_and_matches_know_no_more_than_they_may_and_nothing_goes_in_a_circle() -> None:
    assert {module: found for module in MODULES if (found := forbidden(module))} == {}
    ahead = {module: others - {module} for module, others in IMPORTED.items()}
    # Whoever imports nothing that is left cannot be part of a circle.
    while done := {module for module, others in ahead.items() if not others}:
        ahead = {module: others - done for module, others in ahead.items() if module not in done}
    # Nor can whoever is imported by nothing that is left.
    while free := set(ahead) - set().union(*ahead.values()):
        ahead = {module: others for module, others in ahead.items() if module not in free}
    assert ahead == {}
