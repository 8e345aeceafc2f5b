"""One way to name a player: what each name gives, and what is said where it gives nothing."""

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberquest as nq
from numberquest.core.names import bad_old_name
from numberquest.core.stream import Stream
from numberquest.players.asking import ATTEMPTS, BadPlayer, Illegal, ProviderError, Reply, ask, closing
from numberquest.players.levels import PLAYERS, computer_name
from numberquest.players.named import CustomPlayer, is_program, maker, short_name, who
from tests.players import agents

FILE = Path(__file__).parent / "agents.py"
MODULE = "tests.players.agents"
SUM = nq.game("sumquest")


def asked_of(spec: str) -> Reply:
    return ask(who(spec), SUM, SUM.start(), Stream("1", "a"), ())


@pytest.mark.parametrize("level", PLAYERS)
def test_a_level_is_the_level(level: str) -> None:
    assert who(level) is PLAYERS[level]
    assert nq.player(level) is PLAYERS[level]


@pytest.mark.parametrize("where", [MODULE, FILE])
@pytest.mark.parametrize("name", ["First", "first", "Outer.inner", "Whole"])
def test_an_object_or_a_class_in_a_module_or_a_file_plays(where: object, name: str) -> None:
    spec = f"{where}:{name}"
    assert asked_of(spec) == Reply("1")
    assert nq.player(spec).name == spec


def test_a_module_in_the_folder_that_we_are_in_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["/nowhere"])
    (tmp_path / "nearby.py").write_text("class A:\n    def choose(self, game, position, dice):\n        return '3'\n")
    assert asked_of("nearby:A").move == "3"


def test_a_class_is_made_once_for_each_use_and_not_to_be_looked_at() -> None:
    agents.MADE.clear()
    make = maker(f"{MODULE}:First")
    assert agents.MADE == []
    one, two = make(), make()
    assert len(agents.MADE) == 2
    for _ in range(3):
        one.choose(SUM, SUM.start(), Stream("1", "a"))
    assert len(agents.MADE) == 2
    assert isinstance(one, CustomPlayer)
    assert isinstance(two, CustomPlayer)
    assert one.agent is not two.agent


def test_what_a_player_has_besides_is_its_own() -> None:
    whole, bare = who(f"{MODULE}:Whole"), who(f"{MODULE}:First")
    told: list[str] = []
    with closing(whole, bare):
        for one in (whole, bare):
            one.prepare(SUM, told.append)
            ask(one, SUM, SUM.start(), Stream("1", "a"), ())
    assert told == ["ready for sumquest"]
    assert isinstance(whole, CustomPlayer)
    assert whole.odds(SUM, SUM.start()) == {"1": 1.0}
    assert whole.agent.heard == [()]
    assert whole.agent.closed == 1
    assert whole.words == "takes the first move"
    assert not hasattr(bare, "odds")
    assert bare.words == f"plays as {MODULE}:First says"


@pytest.mark.parametrize(("name", "said"), [("Wrong", "nonsense"), ("Number", "5")])
def test_an_answer_that_is_no_allowed_move_is_illegal_and_forfeits_in_the_end(name: str, said: str) -> None:
    with pytest.raises(Illegal, match="is not an allowed move; allowed is 1 to 9"):
        who(f"{MODULE}:{name}").choose(SUM, SUM.start(), Stream("1", "a"))
    asked = asked_of(f"{MODULE}:{name}")
    assert asked.move is None
    assert [wrong.said for wrong in asked.illegal] == [said] * 3


def test_none_is_no_answer_asked_for_again_and_then_missing() -> None:
    nobody = who(f"{MODULE}:Nothing")
    with pytest.raises(ProviderError, match=rf"{MODULE}:Nothing: it gave no answer: None is no move"):
        asked_of(f"{MODULE}:Nothing")
    asked = ask(nobody, SUM, SUM.start(), Stream("1", "a"), attempts=ATTEMPTS)
    assert (asked.move, asked.is_missing, asked.illegal, len(asked.failures)) == (None, True, (), ATTEMPTS)


def test_an_error_in_it_is_told_with_its_place_and_is_no_move() -> None:
    with pytest.raises(ProviderError, match=rf"{MODULE}:Fails: line \d+, in choose: ZeroDivisionError: oh no"):
        asked_of(f"{MODULE}:Fails")


ARGUMENTS: dict[str, tuple[Any, ...]] = {"follow": ((),), "close": (), "odds": (SUM, SUM.start())}


@pytest.mark.parametrize("name", ["follow", "odds", "close", "prepare", "choose"])
def test_an_error_in_anything_that_it_has_is_told_and_reaches_nobody_as_it_is(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "class A:\n    def choose(self, *_):\n        return '1'\n"
        f"    def {name}(self, *_):\n        raise SystemExit(5)\n"
    )
    one: Any = who(f"{tmp_path / 'a.py'}:A")
    with pytest.raises(ProviderError, match=rf"a\.py:A: line 5, in {name}: SystemExit: 5"):
        getattr(one, name)(*ARGUMENTS.get(name, (SUM, SUM.start(), None)))


def test_it_can_be_copied() -> None:
    again = copy.deepcopy(who(f"{MODULE}:Whole"))
    assert isinstance(again, CustomPlayer)
    assert again.choose(SUM, SUM.start(), Stream("1", "a")) == "1"


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (
            "wizard",
            "there is no computer player called 'wizard'; there is random, easy, medium, hard, perfect, or pack",
        ),
        ("", "there is no computer player called ''"),
        ("human", "a human plays at the keyboard alone"),
        ("./nowhere.py:A", "./nowhere.py: there is no such file"),
        (f"{FILE}", f"{FILE}: say which player in it is meant: {FILE}:name; it has First, Whole, "),
        (f"{FILE}:", "names no player: write package.module:name, ./file.py:name, cmd:./engine or llm:MODEL"),
        (":A", "':A' names no player"),
        (f"{FILE}:Wizard", f"{FILE}: there is nothing called Wizard in it; it has First, Whole, "),
        (f"{FILE}:number", f"{FILE}:number: this int has no choose; a player is an object with choose(game, position"),
        (f"{MODULE}:Any", "has no choose"),
        ("json:JSONDecoder", "json:JSONDecoder: this class has no choose"),
        (f"{FILE}:CannotBeMade", "it cannot be made: TypeError: "),
        ("nowhere:A", "nowhere:A: there is no module nowhere; a file is named ./nowhere.py:"),
        ("no where:A", "names no player"),
        ("./:A", "./: a player is in a Python file, whose name ends in .py"),
        ("cmd:", "'cmd:' names no program"),
        ("cmd:'", "cannot be read as a command: No closing quotation"),
        ("cmd:./nowhere --flag", "cmd:./nowhere --flag: there is no such program"),
        (f"cmd:{FILE}", "it may not be run (chmod +x)"),
        ("llm:", "names no model"),
        (f"{MODULE}:{'x' * 200}", "a player is named in at most 200 visible characters"),
        ("json:\x07", "a player is named in at most 200 visible characters"),
    ],
)
def test_what_names_no_player_is_told_in_one_sentence(spec: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBERQUEST_LLM_URL", "http://localhost:1/v1")
    with pytest.raises(BadPlayer) as error:
        who(spec)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


def test_a_plain_function_is_a_player(tmp_path: Path) -> None:
    file = tmp_path / "greedy.py"
    file.write_text(
        "def greedy(game, position, dice):\n    return game.moves(position)[-1]\n\n\n"
        "def failing(game, position, dice):\n    return [][1]\n"
    )
    game = nq.game("sumquest")
    agent = who(f"{file}:greedy")
    agent.prepare(game, print)
    assert agent.choose(game, game.start(), Stream("1", "a")) == "9"
    with pytest.raises(ProviderError, match=r"failing: line 6, in failing: IndexError"):
        who(f"{file}:failing").choose(game, game.start(), Stream("1", "a"))
    with pytest.raises(BadPlayer, match=r"say which player in it is meant: .*; it has greedy, failing"):
        who(str(file))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def choose(:\n", "it does not load: line 1: "),
        ("import nowhere_at_all\n", "it does not load: line 1, in <module>: ModuleNotFoundError: No module named"),
        ("\n1 / 0\n", "it does not load: line 2, in <module>: ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)\n", "it does not load: line 1, in <module>: SystemExit: 3"),
        (
            "class A:\n    def __init__(self):\n        open('/nowhere')\n    choose = print\n",
            "it cannot be made: line 3, in",
        ),
        ("class A:\n    choose = 3\n", "this class has no choose"),
    ],
)
def test_a_file_that_does_not_load_is_told_with_its_place(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(text)
    with pytest.raises(BadPlayer) as error:
        who(f"{tmp_path / 'a.py'}:A")
    assert why in str(error.value)
    assert str(error.value).startswith(f"{tmp_path / 'a.py'}")


@given(st.text(max_size=40), st.sampled_from(["", "cmd:", "llm:", "./", "a:"]))
def test_no_name_whatever_is_more_than_a_sentence(text: str, beginning: str) -> None:
    try:
        maker(beginning + text)
    except BadPlayer as error:
        assert len(str(error)) < 500


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("hard", "hard"),
        ("./agents.py:Careful", "Careful"),
        ("package.module:careful", "careful"),
        ("cmd:./engine --flag", "engine"),
        ("cmd:python3 -S examples/engines/reckoner.py", "reckoner.py"),
        ("cmd:python3", "python3"),
        ("cmd:", "program"),
        ("llm:maker/model-7b:q4", "model-7b:q4"),
        ("./a.py:AVeryLongNameIndeedForAPlayer", "AVeryLongNameInd…"),
        ("cmd:./\u3164", "program"),
    ],
)
def test_it_has_a_short_name(spec: str, name: str) -> None:
    assert short_name(spec) == name


@given(st.text(max_size=60), st.sampled_from(["cmd:", "llm:", "a.py:"]))
def test_a_short_name_can_always_stand_in_a_record(text: str, beginning: str) -> None:
    assert is_program(beginning + text)
    for number in (None, 1):
        assert bad_old_name(computer_name(short_name(beginning + text), number)) is None


@pytest.mark.parametrize("error", [Illegal("5"), Illegal("5", "it is barred"), ProviderError("down")])
def test_trouble_travels_between_processes(error: Any) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


LOUD = """
import ctypes, os, subprocess, sys

os.write(1, b"loaded\\n")


def loud(game, position, dice):
    os.write(1, b"written\\n")
    subprocess.run(["/bin/echo", "by a child"])
    if sys.platform == "linux":
        ctypes.CDLL(None).printf(b"by C\\n")
    print("printed")
    return game.moves(position)[0]
"""


@pytest.mark.parametrize(
    "words",
    [
        ("exam", "--count", "1", "--who"),
        ("evaluate", "sumquest", "--deals", "1", "--against", "random"),
        ("evaluate", "sumquest", "--deals", "1", "--against", "random", "--jobs", "2"),
        ("match", "sumquest", "random", "-n", "2"),
    ],
)
def test_what_a_player_writes_anywhere_does_not_get_into_the_data(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text(LOUD)
    command = [sys.executable, "-m", "numberquest", *words, f"{tmp_path}/loud.py:loud", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    for said in ("loaded", "written", "by a child", "printed"):
        assert said in done.stderr
