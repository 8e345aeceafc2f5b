"""Games of other people's: how they are brought, what a wrong one is told, and what a record of one needs."""

import os
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import numberquest as nq
from numberquest.core.contract import ending
from numberquest.core.registry import bring, kind_for, kind_in, part
from tests.own.files import CARDS, LAST, adding, written
from tests.strategies import EXAMPLES, KINDS, matches

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(autouse=True)
def _registry_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test brings is gone after it."""
    monkeypatch.delenv("NUMBERQUEST_WITH", raising=False)
    monkeypatch.setattr(nq.GAMES, "_brought", {})
    monkeypatch.setattr(nq.GAMES, "_complete", False)


def answer(code: str, *paths: Path, **environment: str) -> str:
    """What a program prints that knows nothing of this one; the paths are where it finds packages besides ours."""
    python_path = os.pathsep.join(map(str, (ROOT / "src", *paths)))
    variables = {**os.environ, "PYTHONPATH": python_path, **environment}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=variables)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def refusal(path: str) -> str:
    """What is said about a wrong file, without its name in front."""
    with pytest.raises(nq.BadGame) as error:
        bring(path)
    told = str(error.value)
    assert told.startswith(f"{path}: ")
    assert told.isprintable()
    return told.removeprefix(f"{path}: ")


def test_a_path_may_stand_where_a_name_does_and_changes_no_list_that_others_see(tmp_path: Path) -> None:
    path = written(tmp_path, LAST)
    last = nq.game(path, heap=5)
    assert (last.slug, last.settings_text) == ("last", "heap=5")
    assert nq.game("last", heap="5") == last, "and then it is known by its name"
    assert (list(nq.GAMES), len(nq.GAMES)) == ([*nq.GAMES.own], len(nq.GAMES.own))
    # Whoever wants it among the others says so.
    assert bring(path) is type(last)
    assert (list(nq.GAMES), len(nq.GAMES)) == ([*nq.GAMES.own, "last"], len(nq.GAMES.own) + 1)
    assert nq.game(path) == nq.game("last")
    assert "last" in list(nq.GAMES)


def test_the_documents_say_that_a_game_in_a_file_may_have_secrets() -> None:
    page = (ROOT / "docs" / "your-own-game.md").read_text()
    section = page.partition("## Secrets\n")[2].partition("\n## ")[0]
    assert "A hand of cards that its owner alone sees, or a choice that both make at the same time" in section
    assert "sees" not in page.partition("## What it cannot be\n")[2].partition("\n## ")[0]
    readme = " ".join((ROOT / "README.md").read_text().split())
    assert "cards that one player sees and the other does not, and choices made at the same time" in readme


def test_a_game_may_say_where_it_stands_among_the_others(tmp_path: Path) -> None:
    bring(written(tmp_path, LAST, ('slug = "last"', 'slug = "last"\n    order = 0')))
    assert list(nq.GAMES) == ["last", *nq.GAMES.own]


def test_a_folder_with_rules_may_have_other_parts(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "rules.py").write_text(LAST)
    (folder / "dialogue.py").write_text("from .rules import Last\nGREETING = Last.title")
    (folder / "board.py").write_text("1 / 0")
    kind = kind_for(str(folder))
    dialogue = part(kind, "dialogue")
    assert dialogue is not None
    assert dialogue.GREETING == "Who takes the last"
    assert part(kind, "solver") is None
    with pytest.raises(nq.BadGame, match=r"^last: its board.py does not load: line 1, in <module>: ZeroDivisionError"):
        part(kind, "board")


def test_a_file_that_is_named_twice_is_loaded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, LAST)
    monkeypatch.chdir(tmp_path)
    assert bring(path) is bring(f"./{Path(path).name}") is kind_for("last")


def test_a_class_can_be_registered_by_a_decorator(tmp_path: Path) -> None:
    kind = kind_in(written(tmp_path, LAST))
    assert nq.register(kind) is kind
    assert nq.game("last") == kind()
    for nothing in (3, Path, kind()):
        with pytest.raises(nq.BadGame, match=r"is no class derived from numberquest\.Game"):
            nq.register(nothing)  # type: ignore[arg-type]


def test_the_variable_names_files_that_every_process_knows(tmp_path: Path) -> None:
    paths = os.pathsep.join((written(tmp_path, LAST), written(tmp_path, CARDS)))
    code = "import numberquest as nq; print(nq.game('cards').title, *list(nq.GAMES)[-2:])"
    assert answer(code, NUMBERQUEST_WITH=paths) == "Cards last cards"


def test_a_wrong_file_in_the_variable_is_told_whenever_all_games_are_asked_for_and_leaves_ours_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBERQUEST_WITH", os.pathsep.join(("nowhere.py", written(tmp_path, LAST))))
    assert nq.game("fifty").slug == "fifty"
    for _ in range(2):
        with pytest.raises(nq.BadGame, match=r"^nowhere\.py: there is no such file$"):
            list(nq.GAMES)


def installed(folder: Path, text: str, value: str = "somebodys_game:Last") -> None:
    """A package as an installer leaves it."""
    (folder / "somebodys_game.py").write_text(text)
    about = folder / "somebodys_game-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: somebodys-game\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[numberquest.games]\nlast = {value}\n")


def test_an_installed_package_announces_its_game(tmp_path: Path) -> None:
    installed(tmp_path, LAST)
    code = "import numberquest as nq; print(*nq.GAMES); print(nq.game('last', heap=4).start())"
    assert answer(code, tmp_path).split("\n") == [" ".join([*nq.GAMES.own, "last"]), "Position(left=4, player=0)"]


@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        (LAST, "somebodys_game:First", "it does not load: "),
        ("import nothing_of_that_name", "somebodys_game:Last", "No module named 'nothing_of_that_name'"),
        (LAST, "somebodys_game:Position", "it is no class derived from numberquest.Game"),
        (LAST.replace("p.left else", "p.left > 9 else"), "somebodys_game:Last", "there is an outcome, but moves are"),
    ],
)
def test_a_package_that_is_wrong_is_told_by_its_entry_point(text: str, value: str, told: str, tmp_path: Path) -> None:
    installed(tmp_path, text, value)
    code = "import numberquest as nq\ntry: list(nq.GAMES)\nexcept nq.BadGame as error: print(error)"
    said = answer(code, tmp_path)
    assert said.startswith(f"{value} (the entry point last): ")
    assert told in said


def test_a_game_reaches_another_process(tmp_path: Path) -> None:
    last = nq.game(written(tmp_path, LAST), heap=7)
    code = f"import pickle; print(repr(pickle.loads({pickle.dumps(last)!r})))"
    assert answer(code) == "Last(heap=7)"
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "rules.py").write_text(CARDS)
    assert answer(f"import pickle; print(repr(pickle.loads({pickle.dumps(kind_in(str(folder))())!r})))") == "Cards()"


WRONG = [
    # what stands there, what it is changed to, what is told
    ("(nq.Game[Position])", "", "it holds no game; a game is a class derived from numberquest.Game"),
    ("    left: int\n", "    left: int:\n", "it does not load: line 8: invalid syntax"),
    ("import numberquest as nq", "import numberquest as nq\nimport nothing_at_all", "No module named 'nothing_at_all'"),
    ("import numberquest as nq", "import numberquest as nq\nraise SystemExit", "it does not load: line 5, in <module>"),
    ('    slug = "last"\n', "", "Last has no slug"),
    ('    title = "Who takes the last"\n', "", "Last has no title"),
    ('slug = "last"', 'slug = "The Last"', "small letters, digits and _, such as nim, not 'The Last'"),
    ('slug = "last"', 'slug = "fifty"', "the slug 'fifty' is taken already, by numberquest.games.fifty.rules"),
    ('title = "Who takes the last"', "title = 3", "title of Last is a text, not 3"),
    ("def start", "def begin", "Last has no start"),
    ("def outcome", "def result", "Last has no outcome"),
    ("heap: int", "longest: int", "a setting cannot be called longest"),
    ("whole(21, 1, 99,", "whole(210, 1, 99,", "heap must be a whole number from 1 to 99 in last, not 210"),
    ("whole(21, 1, 99,", "up_to('high',", "heap is up to 'high', which is no whole number among the settings"),
    ("for m in self.actions if", "for m in '1234' if", "the move '4' is allowed, which actions does not have, at the"),
    (*adding("common = ('G9',)"), "there is no common ruling 'G9'"),
    (*adding("view = ('left',)"), "view is a tuple of fields"),
    (*adding("landmark = 'sum'"), "landmark is 'sum', but a position has left, player"),
    (*adding("exam_settings = ({'heap': 0},)"), "heap must be a whole number from 1 to 99"),
    (*adding("puzzle_settings = {'heap': 0}"), "heap must be a whole number from 1 to 99"),
    ("return Position(self.heap, 0)", "return (self.heap, 0)", "a NamedTuple or a frozen dataclass, not tuple"),
    ("return Position(self.heap, 0)", "return Position([self.heap], 0)", "but left is a list: make it a tuple"),
    ("return p.player", "return nq.CHANCE", "chance moves, but the game has no weights, at the start"),
    ("nq.Outcome(1 - p.player,", "nq.Outcome(-1,", "the winner of an outcome is 0 or 1, or None in a draw, not -1"),
    ("return None if p.left else", "return None if p.left else 1 /", "TypeError"),
    ("return p.player", "raise RuntimeError('oh')", "line 28, in player: RuntimeError: oh, at the start"),
    ('"took the last one"', "''", "an outcome has no reason"),
    ("    @cached_property\n", "", "actions is a method: write @property above it"),
    ("return Position(p", "Position(p", "play gives None for the move '2', and no Position, at the start"),
    (*adding("order = 'first'"), "order is a whole number, not 'first'"),
    (*adding("rulings = ['Why not']"), "rulings is a dictionary of texts, not ['Why not']"),
    (*adding("short_title = 'Of {heap}'"), "short_title has a gap {heap} that nothing fills: only in titled"),
    (*adding("titled = 'Of {heaps}'"), "title has a gap {heaps} that nothing fills: only in titled"),
    (*adding("endings = {1: 'x'}"), "endings is a dictionary of texts, not {1: 'x'}"),
    (*adding("endings = {'a': '{winner'}"), "the ending 'a' has a gap that is not written like {winner}: '{winner'"),
    (*adding("view = (nq.Scores('left', '', 99),)"), "view says that left is Scores, which 21 is not, at the start"),
    (*adding("view = (nq.Cells('left', '', 3, 99),)"), "view says that left is Cells, which 21 is not, at the start"),
    ("whole(21, 1, 99,", "whole(21, -5, 99,", "heap is from -5 to 99: a setting is a whole number from 0 to 999999999"),
    ("whole(21, 1, 99,", "whole(21, 1, 10**12,", "a setting is a whole number from 0 to 999999999"),
]
WRONG_CHANCE = [
    ("tuple(p.unseen.count(card) for", "tuple(1.5 for", "weights is a tuple of whole numbers above 0"),
    ("sorted(set(p.unseen)))\n\n    def slot", "p.unseen)\n\n    def slot", "6 weights for 3 reveals"),
    ("    def turn", "    def other", "turn says whose turn it is also while chance moves, 0 or 1, not -1"),
    ("return len(self.deck) - len(p.unseen)", "return 7", "slot is a place of the deck, 0 to 5, not 7"),
    ("deck = (1, 1, 2, 2, 3, 3)", "deck = (1, 1, 2, 2, 3, 'x')", "line "),
    ("deck = (", "deck = property(lambda _: 1 / 0)\n    cards = (", "line 19, in <lambda>: ZeroDivisionError"),
    ("    def slot", "    def place", "there is a deck, but no slot that says which place of it is uncovered"),
    ("most=18", "most='most'", "view speaks of 'most', which is no number of the game"),
]


@pytest.mark.parametrize(
    ("text", "was", "now", "told"),
    [*((LAST, *wrong) for wrong in WRONG), *((CARDS, *wrong) for wrong in WRONG_CHANCE)],
)
def test_a_wrong_file_is_told_in_one_sentence_with_the_place(
    text: str, was: str, now: str, told: str, tmp_path: Path
) -> None:
    assert told in refusal(written(tmp_path, text, (was, now)))


@pytest.mark.parametrize("reason", ["won", "drawn", "cost", "began", "leaves", "accuracy"])
def test_any_words_can_be_the_reason_of_an_ending(reason: str, tmp_path: Path) -> None:
    last = bring(written(tmp_path, LAST, ('"took the last one"', repr(reason))))
    match = nq.Match(last(heap=1))
    match.play("1")
    assert match.outcome is not None
    assert ending(match.game, match.outcome) == f"Player 1 {reason}"


def test_two_games_in_one_file_are_told_apart_from_one_that_is_made_from_another(tmp_path: Path) -> None:
    two = LAST + LAST[LAST.index("class Last") :].replace("Last(", "Other(")
    assert "it holds 2 games, Last and Other: put each into a file of its own" in refusal(written(tmp_path, two))
    made = LAST + '\n\nclass Longer(Last):\n    slug = "longer"\n    heap: int = nq.whole(30, 1, 99, "how many")\n'
    assert bring(written(tmp_path, made)).slug == "longer"
    assert nq.game("longer").settings == {"heap": 30}


def test_what_is_no_python_file_is_told(tmp_path: Path) -> None:
    assert refusal(str(tmp_path / "no.py")) == "there is no such file"
    assert refusal(str(tmp_path)) == "there is no rules.py in this folder"
    (tmp_path / "game.txt").write_text(LAST)
    assert refusal(str(tmp_path / "game.txt")) == "a game is a Python file, and this is none"


def test_a_record_of_a_game_that_is_not_there_says_what_to_do(tmp_path: Path) -> None:
    path = written(tmp_path, LAST)
    last = kind_in(path)()
    text = nq.Record(nq.Match(last)).text()
    with pytest.raises(nq.RecordError) as error:
        nq.Record.read(text)
    assert error.value.line == 1
    assert "there is no game called 'last'" in error.value.reason
    assert "name its file as well: numberquest --with FILE" in error.value.reason
    bring(path)
    assert nq.Record.read(text).match.game == last


def test_a_record_never_loads_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, LAST)
    with pytest.raises(nq.RecordError, match=re.escape("there is no game called '")):
        nq.Record.read(f'[Game "{path}"]\n')


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(matches(KINDS[-len(EXAMPLES) :]))
def test_a_match_of_the_examples_is_read_back_from_its_record(match: nq.Match[Any]) -> None:
    nq.register(type(match.game))
    record = nq.Record(match)
    assert nq.Record.read(record.text()) == record
    again = nq.Record.read(record.text(deal=False))
    assert again.match.history == match.history


def test_moves_of_several_words_stand_in_a_record(tmp_path: Path) -> None:
    words = ('"1", "2", "3"', '"take", "take 2", "take 2 and 1"')
    worth = [("int(m) <=", "len(m.split()) <="), ("- int(move)", "- len(move.split())")]
    rules = nq.game(written(tmp_path, LAST, words, *worth), heap=9)
    match = nq.Match(rules)
    for move in ("take 2 and 1", "take", "take 2", "take", "take"):
        if move in match.moves:
            match.play(move)
    assert nq.Record.read(nq.Record(match).text()).match.history == match.history
