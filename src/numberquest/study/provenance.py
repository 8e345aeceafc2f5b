"""Where figures come from: which program, when, by which command, and which agents, each known by its file's hash."""

import json
import os
import platform
import shlex
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final

from numberquest import __version__
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.files import write_whole
from numberquest.players.named import COMMAND, MODEL, is_program

FILE: Final = "provenance.json"


def provenance(seed: str | None, names: Sequence[str]) -> dict[str, Any]:
    """What every JSON, folder and report says of how it was made."""
    return {
        "program": f"numberquest {__version__}",
        "date": datetime.now(UTC).date().isoformat(),
        "command": shlex.join(["numberquest", *sys.argv[1:]]),
        "seed": seed,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "agents": [{"name": name, "sha256": hash_of_agent(name)} for name in names],
    }


def sentence(made: dict[str, Any]) -> str:
    """The same for people."""
    agents = "".join(f"; {one['name']} is SHA-256 {one['sha256']}" for one in made["agents"] if one["sha256"])
    return (
        f"Made by {made['program']} on {made['date']} with Python {made['python']} and NumPy {made['numpy']}: "
        f"{made['command']}{agents}"
    )


def hash_of_agent(name: str) -> str | None:
    """The SHA-256 of the file that an agent is in; None where there is none, as for a level or a model elsewhere."""
    for path in _files(name) if is_program(name) else ():
        if os.path.isfile(path):
            with open(path, "rb") as file:
                return sha256(file.read()).hexdigest()
    return None


def _files(name: str) -> list[str]:
    """Where an agent may be, the likeliest first: of a program that runs another, that other."""
    if name.startswith(MODEL):
        return []
    if name.startswith(COMMAND):
        first, *others = (os.path.expanduser(word) for word in shlex.split(name.removeprefix(COMMAND)))
        return [*others, first]
    where = name.rpartition(":")[0]
    if os.path.isfile(where):
        return [where]
    spec = find_spec(where)
    return [spec.origin] if spec is not None and spec.origin else []


def keep(folder: str | None, made: dict[str, Any], *, anyway: bool) -> None:
    """Keep it beside what it made; `UsageError` where an agent has changed since what is there was made."""
    if folder is None:
        return
    path = os.path.join(folder, FILE)
    known: list[dict[str, Any]] = []
    try:
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                known = json.load(file)
        before = {one["name"]: one["sha256"] for run in known for one in run["agents"]}
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(f"{path} does not say what was played there: name another folder", FAILURE) from None
    for one in made["agents"]:
        if before.get(one["name"], one["sha256"]) != one["sha256"] and not anyway:
            raise UsageError(
                f"{one['name']} has changed since the answers in {folder} were given: name another folder, "
                "or say --anyway to put both together",
                FAILURE,
            )
    try:
        os.makedirs(folder, exist_ok=True)
        write_whole(path, [json.dumps([*(run for run in known if run != made), made], indent=1).encode() + b"\n"])
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}", FAILURE) from None
