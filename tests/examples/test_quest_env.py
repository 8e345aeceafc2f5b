"""What a client or a row of data names is never run, and the image of the OpenEnv example is made of our own wheel."""

import importlib
import re
import shlex
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from numberquest.core.errors import UsageError
from numberquest.core.registry import GAMES
from numberquest.players.levels import PLAYERS

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
QUEST_ENV = EXAMPLES / "quest_env"


class Plain:
    """A message of OpenEnv as far as the example needs one."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


@pytest.fixture(params=["openenv", "trl"])
def environment(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The example's environment; OpenEnv's own classes are left out, so that this runs where it is not installed."""
    if request.param == "trl":
        monkeypatch.syspath_prepend(str(EXAMPLES / "recipes"))
        return importlib.import_module("trl_grpo").QuestEnvironment()
    there: dict[str, dict[str, Any]] = {
        "openenv.core.env_server.interfaces": {"Environment": object},
        "openenv.core.env_server.types": {"State": Plain, "Action": Plain, "Observation": Plain},
        "pydantic": {"Field": lambda *_, **__: None},
    }
    for name, classes in there.items():
        module = ModuleType(name)
        module.__dict__.update(classes)
        monkeypatch.setitem(sys.modules, name, module)
    made = importlib.import_module("examples.quest_env.server.environment").QuestEnvironment()
    for name in [name for name in sys.modules if name.startswith("examples.quest_env")]:
        monkeypatch.delitem(sys.modules, name)
    return made


@pytest.mark.parametrize(
    "options",
    [
        {"opponent": "cmd:touch {file}"},
        {"opponent": "{agent}:Agent"},
        {"opponent": "human"},
        {"game": "{agent}"},
        {"game": ["sumquest"]},
        {"opponent": None},
    ],
    ids=str,
)
def test_what_a_client_names_is_refused_in_a_sentence_and_never_run(
    environment: Any, options: dict[str, Any], tmp_path: Path
) -> None:
    ran, agent = tmp_path / "ran", tmp_path / "agent.py"
    agent.write_text(
        f"open({str(ran)!r}, 'w')\nclass Agent:\n    choose = lambda self, game, p, dice: game.moves(p)[0]\n"
    )
    asked = {
        name: value.format(file=ran, agent=agent) if isinstance(value, str) else value
        for name, value in options.items()
    }
    with pytest.raises(UsageError) as refused:
        environment.reset(**asked)
    assert not ran.exists()
    (what,) = options
    assert all(name in str(refused.value) for name in (GAMES.own if what == "game" else PLAYERS))


def test_nothing_installs_us_by_a_name_that_anybody_may_take_on_an_index() -> None:
    done = re.findall(r"^RUN (.*)$", (QUEST_ENV / "server" / "Dockerfile").read_text(), re.MULTILINE)
    installed = [word for line in done for word in shlex.split(line)]
    installed += tomllib.loads((QUEST_ENV / "pyproject.toml").read_text())["project"]["dependencies"]
    assert [word for word in installed if "numberquest" in word] == ["./wheels/numberquest-*.whl"]
