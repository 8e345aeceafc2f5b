"""Games as data: recipes agree with rules by hand, a wrong one is told in a sentence, and a name may carry one."""

import pickle
import subprocess
import sys
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path
from random import Random

import pytest

import numberquest as nq
from numberquest import cli
from numberquest.core.recipe import link, load, text_of
from numberquest.core.recipe.keys import LONGEST_TEXT
from numberquest.core.record import Record
from numberquest.core.registry import kind_for, name_of
from tests.recipes.tours import HERE, PAIRS, pair, tour

SOURCE = Path(__file__).parent.parent.parent / "src"
RACE = """\
title = "Race to 31"

[numbers]
kind = "pool"
to = 6
copies = 4

[totals]
whose = "shared"

[end]
target = 31
"""


@pytest.mark.parametrize("name", PAIRS)
def test_a_recipe_and_rules_by_hand_are_the_same_game(name: str) -> None:
    random = Random(name)
    small = name in ("sumquest", "nim", "row")
    # Of a small game every position.
    assert tour(*pair(name), 6000 if small else 300, random) == small
    for _ in range(6 if name != "row" else 0):
        tour(*pair(name, random), 250, random)


def test_a_recipe_is_worth_what_the_rules_by_hand_are_worth() -> None:
    for name in ("sumquest", "nim", "row"):
        by_hand, made = pair(name)
        told, again = nq.solve(by_hand), nq.solve(made)
        assert told.value(by_hand.start()) == again.value(made.start())
        if name != "row":
            assert told.moves(by_hand.start()) == again.moves(made.start())


def test_a_file_with_a_recipe_is_a_game_wherever_a_file_of_rules_is(tmp_path: Path) -> None:
    path = tmp_path / "race.toml"
    path.write_text(RACE)
    race = nq.game(str(path))
    assert (race.slug, race.title, race.settings_text) == ("race_to_31", "Race to 31", "")
    assert "each 4 times" in race.rules
    match = nq.Match(race, seed=1)
    while match.moves:
        match.play(match.moves[-1])
    assert match.outcome is not None
    again = pickle.loads(pickle.dumps(race))  # noqa: S301  # the bytes are our own
    assert (type(again), again) == (type(race), race)


def test_a_name_may_carry_a_recipe_and_nothing_is_kept_of_it() -> None:
    name = link(RACE)
    assert text_of(name) == RACE
    race = nq.game(name)
    assert (race.title, name_of(race), race.full_name) == ("Race to 31", name, name)
    assert race.slug not in nq.GAMES, "nobody else sees it"
    assert kind_for(name) is load(RACE)


def test_a_record_carries_the_recipe_and_is_read_where_nobody_has_the_file() -> None:
    match = nq.Match(load(RACE)())
    for move in ("6", "5", "6"):
        match.play(move)
    text = Record(match).text()
    assert f'[Game "{link(RACE)}"]' in text
    again = Record.read(text)
    assert again.match.game == match.game
    assert again.match.position == match.position
    with pytest.raises(nq.RecordError, match="line 1: this link holds"):
        Record.read(text.replace("recipe:", "recipe:A"))


def _packed(data: bytes) -> str:
    return "recipe:" + urlsafe_b64encode(zlib.compress(data, 9, wbits=-15)).decode().rstrip("=")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("recipe:", "is the link whole"),
        ("recipe:!!", "is the link whole"),
        ("recipe:abcd", "is it whole"),
        (link(RACE)[:-9], "is it whole"),
        ("recipe:" + "A" * 5000, "at most 4000 characters"),
        (_packed(b"#" * 10_000_000), "at most 4000|far more"),
        (_packed(b"#" * 100_000), "far more"),
        (_packed(b"#" * (LONGEST_TEXT + 1)), "at most 8000 characters"),
        (_packed(b"\xff\xfe"), "is it whole"),
        (_packed(b"[" * 7000), "no TOML"),
        (_packed(b"title = " + b"9" * 6000), "TOML|text"),
    ],
)
def test_what_is_no_recipe_in_a_link_is_refused_in_a_sentence(name: str, told: str) -> None:
    with pytest.raises(nq.BadSetting, match=told):
        nq.game(name)


def test_the_recipes_of_our_own_games_are_here() -> None:
    assert {path.stem for path in HERE.glob("*.toml")} == set(PAIRS)


@pytest.mark.parametrize(
    ("line", "instead", "told"),
    [
        ('title = "Race to 31"', "", "it has no title"),
        ('title = "Race to 31"', 'title = "Race', "line 1: this is no TOML"),
        (
            'kind = "pool"',
            'kind = "pol"',
            "line 4: numbers.kind is any, pool, pile or die, not 'pol'; did you mean pool?",
        ),
        ("to = 6", "to = 600", "line 5: numbers.to is a whole number from 1 to 99, or the name of a setting, not 600"),
        ("to = 6", "too = 6", "line 5: numbers.too is no key of a recipe; did you mean to?"),
        ("to = 6", 'to = "most"', "line 5: numbers.to is a whole number from 1 to 99, or the name of a setting"),
        ("to = 6", "", "line 3: numbers must say to, the largest number, or list"),
        ("[end]", "[ende]", "line 11: ende is no key of a recipe; did you mean end?"),
        ("[end]", "[end]\nturns = true", "line 12: end.turns is a whole number"),
        ("[end]", "[end]\nnothing_left = 'higher'", "line 12: end.nothing_left compares totals"),
        ("[end]", "[turn]\nbust = 1\n[end]", "line 12: turn.bust goes with roll_or_stop only"),
        ("[end]", "[settings]\ntarget = 31\n[end]", "line 12: settings.target is a setting, and is written"),
        ("[end]", "[settings]\nmoves = {usual=true}\n[end]", "line 12: settings.moves cannot be called so"),
        ("[end]", "[words]\nrules = 'To {goal}'\n[end]", "line 12: words.rules has a gap in braces"),
        (
            "[end]",
            "[turn]\nbelow = 'stays'\noperations = '-'\n[end]",
            "line 15: end.target cannot be reached: nothing in",
        ),
        ("[end]", "[numbers]", "line 11: this is no TOML: "),
        ("copies = 4", "copies = 9\nfrom = 1\n[words]\nadd = 'Add'", "line 9: words.add is a word"),
        ("to = 6\ncopies = 4", "to = 99\ncopies = 9", "line 3: numbers come to 891, and there can be at most 100"),
    ],
)
def test_a_wrong_file_is_told_in_one_sentence_with_its_place(
    line: str, instead: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "race.toml"
    assert line in RACE
    path.write_text(RACE.replace(line, instead))
    assert cli.main(["check", str(path)]) == 1
    said = capsys.readouterr().out
    assert said.startswith(f"{path}: {told}")
    assert said.count("\n") == 1


def test_a_recipe_that_no_record_could_carry_is_refused() -> None:
    noise = "".join(Random(1).choices("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", k=4500))
    assert len(link(f"{RACE}# {noise[:3000]}\n")) < 4000
    load(f"{RACE}# {noise[:3000]}\n")
    with pytest.raises(nq.BadGame, match=r"packed into a link it has [0-9]+ characters, and 4000 are allowed"):
        load(f"{RACE}# {noise}\n")


def test_a_recipe_needs_nothing_beyond_the_standard_library() -> None:
    code = (
        "import sys\n"
        f"sys.path.insert(0, {str(SOURCE)!r})\n"
        "import numberquest as nq\n"
        f"match = nq.Match(nq.game({link(RACE)!r}), seed=1)\n"
        "while match.moves: match.play(match.moves[0])\n"
        "known = sys.stdlib_module_names | {'numberquest', '__main__'}\n"
        "print(match.outcome.reason, sorted({name.partition('.')[0] for name in sys.modules} - known))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "passed and lost []"


def test_a_recipe_does_not_pass_itself_off_as_a_game_of_ours() -> None:
    other = RACE.replace('title = "Race to 31"', 'title = "Fifty"')
    with pytest.raises(nq.BadSetting, match="the slug 'fifty' is taken already, by a game of ours"):
        nq.game(link(other))
    assert nq.game(link('slug = "fifties"\n' + other)).slug == "fifties"


def test_a_recipe_that_is_wrong_is_told_so_wherever_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "no.toml").write_bytes(b"\xff\xff")
    with pytest.raises(nq.BadGame, match=r"no.toml: this is no text in UTF-8"):
        nq.game(str(tmp_path / "no.toml"))
    with pytest.raises(nq.BadGame, match=r"gone.toml: it cannot be read: No such file"):
        nq.game(str(tmp_path / "gone.toml"))
