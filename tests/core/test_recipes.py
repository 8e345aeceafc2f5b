"""Games as data: recipes agree with rules by hand, a wrong one is told in a sentence, and a name may carry one."""

import pickle
import subprocess
import sys
import zlib
from base64 import urlsafe_b64encode
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import numberquest as nq
from numberquest import cli
from numberquest.core.laws import LAWS, check
from numberquest.core.loading import BadGame
from numberquest.core.play_out import positions_of
from numberquest.core.recipe import link, load, text_of
from numberquest.core.recipe.checks import MOST_NUMBERS
from numberquest.core.recipe.keys import KEYS, LONGEST_TEXT, read
from numberquest.core.recipe.rules import NumbersGame
from numberquest.core.record import Record
from numberquest.core.registry import kind_for, name_of
from numberquest.core.seen_history import known_after
from numberquest.core.sentences import percent, told
from numberquest.solver.proved import can_be_drawn, proved
from numberquest.solver.secrets.solution import SecretSolution
from tests.core.test_recipe_fuzz import at_random
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


@pytest.mark.parametrize(
    ("stuck", "sentence"),
    [
        ("", "A number that cannot be used is lost, and the turn passes."),
        ('stuck = "loses"', "Who cannot use the number loses."),
    ],
)
def test_the_rules_say_what_becomes_of_a_throw_that_cannot_be_used(stuck: str, sentence: str) -> None:
    numbers = 'numbers = { kind = "die", to = 4 }\ntotals = { whose = "each" }\n[end]\ntarget = 12\n'
    refused = load(f'title = "Ladder"\n{numbers}past = "refused"\n{stuck}\n')()
    assert sentence in refused.rules
    assert "cannot" not in load(f'title = "Ladder"\n{numbers}')().rules
    # And so it is: 11 and 9, and then a 4.
    last = positions_of(refused, ["4", "4", "4", "4", "3", "1", "4"])[-1]
    outcome = refused.outcome(last)
    assert (outcome and outcome.winner, last.totals, last.mover) == ((1 if stuck else None), (11, 9), int(not stuck))


@pytest.mark.parametrize(
    ("heaps", "sentence"),
    [
        (1, "On your turn take 1, 3 or 4 from the heap, such as 1:1."),
        (2, "On your turn choose a heap and take 1, 3 or 4 from it: 1:1 for heap 1."),
    ],
)
def test_nobody_is_told_to_choose_where_there_is_one_heap(heaps: int, sentence: str) -> None:
    text = (
        f'numbers = {{ kind = "any", list = [1, 3, 4] }}\ntotals = {{ whose = "heaps", begin = 9, heaps = {heaps} }}\n'
    )
    assert sentence in load(f'title = "Coins"\n{text}turn = {{ operations = "-" }}\n')().rules


@pytest.mark.parametrize(
    ("recipe", "sentence"),
    [
        # Nothing is past a target that is not there, that nothing goes below, or that a throw simply misses.
        (
            "any 3 heaps begin=[2,3] operations='-' barred='last' stuck='passes'",
            "Who cannot move misses a turn, and then",
        ),
        ("pile 3 each begin=6 operations='-' target=0 stuck='loses'", "Who cannot use the number loses."),
        ("die 4 each target=9 stuck='passes'", "Go past 9 and you lose at once."),
        ("pool 4 shared target=9 barred='last' stuck='passes'", "your turn passes, and then no number is barred."),
        ("pool 4 shared target=9 barred='last'", "Who cannot move loses."),
        ("any 3 heaps begin=[0,2] target=6 past='refused'", "Bring a heap to exactly 6 and you win."),
        ("any 3 each begin=20 target=6 operations='+-*'", "No total may grow."),
        ("pile 0 each rows=1 stand=true target=6", "in 1 row of 3 cells."),
        ("pile 0 each rows=1 copies=2", "The numbers 1, 1 and 2 lie covered"),
        ("any 3 heaps begin=[2,3] operations='+-' turns=3", "then, or as soon as all heaps are empty, the player"),
        ("any 3 shared begin=9 operations='-' turns=3", "then, or as soon as the total is 0, the player"),
        ("pool 4 each turns=2", "Each player has 2 turns; then the higher total wins"),
        ("pool 4 each turns=3", "Each player has 3 turns; then, or as soon as nothing is left, the higher"),
        ("die 4 each roll_or_stop=true bank=true target=9 past='refused'", "What would go past 9 does not count."),
        ("pile 0 each rows=1 stand=true target=6", "its row and column, or stand (flee). The number of the cell is"),
        # What counts down never grows, whatever signs there are; nor does anything come to where nothing brings it.
        ("pool 5 shared begin=10 operations='+-' target=0 turns=3", "out of the pool and subtract it from the total."),
        ("die 4 each begin=9 operations='+-' pass_on=true target=2", "Then subtract it from your total (subtract)."),
        ("any 5 shared begin=10 operations='-' target=0 past='wins'", "Bring the total to exactly 0 and you win. "),
        ("any 5 shared begin=10 operations='+-' target=0 past='wins'", "Nothing goes below 0."),
        ("any 0 shared list=[2,4] target=7", "No total comes to exactly 7. Go past 7 and you lose at once."),
    ],
)
def test_the_rules_say_when_nothing_can_be_done_and_what_can(recipe: str, sentence: str) -> None:
    rules = load(_written(recipe))().rules
    assert sentence in rules
    assert "None" not in rules
    assert ("If no number stays within" in rules) is ("pool" in recipe and "stuck" in recipe)


def _written(recipe: str) -> str:
    kind, most, whose, *keys = recipe.split()
    of = {"begin": "totals", "rows": "cells", "copies": "numbers"}
    of |= dict.fromkeys(("operations", "barred", "stand", "roll_or_stop", "bank", "pass_on"), "turn") | {
        "list": "numbers"
    }
    lines = [f'numbers.kind = "{kind}"', f'totals.whose = "{whose}"', *([f"numbers.to = {most}"] if int(most) else [])]
    lines += [f"{of.get(key.partition('=')[0], 'end')}.{key}" for key in keys]
    lines += ["cells.columns = 3", 'words.stand = "flee"'] if "rows" in recipe else []
    return "\n".join(['title = "T"', *lines])


@pytest.mark.parametrize(
    "recipe",
    ["any 5 shared begin=10 operations='+-' target=0 past='wins'", "any 4 each begin=10 operations='-' target=0"],
)
def test_where_nothing_goes_past_the_target_nobody_is_told_to(recipe: str) -> None:
    game = load(_written(recipe))()
    assert "past" not in game.rules + game.how_to_win + game.summary
    assert "+" not in game.rules


def test_a_setting_under_which_no_number_is_left_is_refused() -> None:
    settings = "[settings]\nlow = { usual = 1, from = 1, to = 5 }\nhigh = { usual = 5, from = 3, to = 9 }\n"
    kind = load(RACE.replace("to = 6", 'from = "low"\nto = "high"') + settings)
    assert "3" in kind(low=3, high=3).actions
    with pytest.raises(nq.BadSetting, match=r"^numbers.from is 5, and no number is larger than 3$"):
        kind(low=5, high=3)


def test_where_best_play_never_ends_half_of_the_points_are_no_wins() -> None:
    # Who throws first gives the other the better place: so nobody throws.
    text = _written("die 4 shared begin=1 target=13 exactly='loses' past='wins'")
    wait = nq.solve(load(f"{text}\nturn = {{ roll_or_stop = true, bust = 2, rolls = 3 }}\n")())
    assert can_be_drawn(wait)
    assert "gets 50.00 % of the points" in str(told(proved(wait)))
    dare = nq.solve(nq.game(str(SOURCE.parent / "examples" / "gallery" / "dare.toml")))
    assert not can_be_drawn(dare), "there it is better to throw"
    assert percent(-1e-17) == percent(-0.0) == "0.00 %", "what rounding leaves of nothing is nothing"


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
        (_packed(b"[" * 7000), "goes deeper"),
        (_packed(b"title = " + b"9" * 6000), "TOML|text"),
    ],
)
def test_what_is_no_recipe_in_a_link_is_refused_in_a_sentence(name: str, told: str) -> None:
    with pytest.raises(nq.BadSetting, match=told):
        nq.game(name)


def test_the_recipes_of_our_own_games_are_here() -> None:
    assert {path.stem for path in HERE.glob("*.toml")} == set(PAIRS)


SETTINGS = 'title = "x"\n[settings]\n'
HEAPS = """\
title = "Heaps"
[numbers]
kind = "any"
to = 99
[totals]
whose = "heaps"
heaps = 9
begin = 99
[turn]
operations = "-"
"""
GROWS = """\
title = "Doubles"
[numbers]
kind = "any"
from = 2
to = 2
[totals]
whose = "shared"
begin = 999
[turn]
operations = "*"
[end]
turns = 99
nothing_left = "last wins"
"""


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
        ("[end]", "[numbers]", "line 11: this is no TOML: [numbers] stands there twice"),
        ("target = 31", "target = 31\ntarget = 3", "line 13: this is no TOML: this key stands there twice"),
        (
            "[end]",
            "[settings]\non = {usual = true, to = 3}\n[end]",
            "line 12: settings.on is a setting of true or false",
        ),
        ("[end]", "[settings]\non = {signs = '+-', usual = 3}\n[end]", "line 12: settings.on is a setting with signs"),
        (
            "copies = 4",
            "copies = true",
            "line 6: numbers.copies is a whole number from 1 to 9, or the name of a setting, not true",
        ),
        ("target = 31", "target = 0", "line 12: end.target cannot be reached"),
        ("[end]", "[turn]\noperations = '*'\n[end]", "line 14: end.target cannot be reached"),
        ("copies = 4", "copies = 9\nfrom = 1\n[words]\nadd = 'Add'", "line 9: words.add is a word"),
        ("to = 6", "from = 9\nto = 3", "line 5: numbers.from is 9, and no number is larger than 3"),
        ("[end]", "[words]\nadd = 'undo'\n[end]", "line 12: words.add cannot be undo"),
        ("[end]", "[settings]\nstand = {usual = true}\n[end]", "line 12: settings.stand changes nothing: no key"),
        (
            "[end]",
            "[settings]\nt = {usual = 31, from = 1, to = 40}\n[words]\nrules = '{t}'\n[end]",
            "line 12: settings.t",
        ),
        ("target = 31", "target = { usual = 900 }", "line 12: end.target hangs on a yes-or-no setting"),
        ("target = 31", "target = 900", "line 12: end.target cannot be reached"),
        ("target = 31", "target = 85\nturns = 9", "line 12: end.target cannot be reached"),
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


@pytest.mark.parametrize(
    ("recipe", "refused"),
    [
        ("any 0 shared list=[2,4] target=7 past='refused'", True),
        ("any 0 shared list=[2,4] target=8 past='refused'", False),
        ("pile 3 each target=7", True),
        ("pile 3 each target=5", False),
        ("pool 0 shared list=[2,3] target=4", False),
        ("pool 0 shared list=[2,3] target=4 past='refused'", True),
        ("pool 6 shared operations='+-' target=22", True),
        ("any 5 each target=16 turns=3", True),
        ("any 5 each target=15 turns=3", False),
        ("die 5 each target=15 turns=3 pass_on=true", False),
        ("any 3 heaps begin=[3,9] target=9 operations='+'", False),
        ("any 5 shared begin=4 target=4 operations='+-' past='refused'", False),
    ],
)
def test_a_target_that_nothing_comes_to_is_refused_and_no_other(recipe: str, refused: bool) -> None:
    try:
        game = load(_written(recipe))()
    except nq.BadGame as refusal:
        assert "end.target cannot be reached" in str(refusal)
        assert refused
    else:
        assert not refused
        # Some row of moves brings it about, or the rules say that none does.
        random = Random(1)
        found = {at_random(game, random).over.removesuffix(" by a pass") for _ in range(400)}
        assert ("reached" in found) is ("No total comes to exactly" not in game.rules)


@pytest.mark.parametrize(
    ("recipe", "told"),
    [
        (SETTINGS + "".join(f"a{at} = {{ usual = true }}\n" for at in range(13)), "line 2: settings has 13 settings"),
        (HEAPS, "line 9: turn has 891 moves, and there can be at most 600"),
        ("title = " + "#" * LONGEST_TEXT, f"a recipe has at most {LONGEST_TEXT} characters"),
    ],
)
def test_what_is_far_too_much_is_refused_before_anything_is_worked_out(recipe: str, told: str) -> None:
    with pytest.raises(nq.BadGame, match=told):
        load(recipe)


@pytest.mark.parametrize("section", KEYS)
def test_a_key_takes_the_ends_of_its_range_and_nothing_beyond(section: str) -> None:
    for name, key in KEYS[section].items():
        ends: list[Any] = [key.low, key.high]
        beyond: list[Any] = [key.low - 1, key.high + 1]
        if key.kind in ("text", "label", "word"):
            ends, beyond = ["a", "a" * key.high], ["", "a" * (key.high + 1)]
        if key.kind == "word":
            beyond += ["stop now!", "stop!", "Stop"]
        if key.kind in ("yes", "choice", "signs"):
            continue
        for value in (*ends, *beyond):
            text = "" if name == "title" else "title = 'T'\n"
            with pytest.raises(nq.BadGame) if value in beyond else nullcontext():
                read(f"{text}{section}{'.' if section else ''}{name} = {value!r}\n")


@pytest.mark.parametrize(("to", "copies"), [(50, 2), (51, 2)])
def test_a_pool_holds_a_hundred_numbers_and_no_more(to: int, copies: int) -> None:
    with pytest.raises(nq.BadGame, match="come to 102") if to * copies > MOST_NUMBERS else nullcontext():
        load(RACE.replace("to = 6", f"to = {to}").replace("copies = 4", f"copies = {copies}"))


@pytest.mark.parametrize("recipe", ["any 2 shared target=7 past='refused'", "any 3 heaps begin=[2,3] operations='-'"])
def test_where_the_other_cannot_move_ones_own_last_number_is_not_barred(recipe: str) -> None:
    game = load(_written(f"{recipe} barred='last' stuck='passes'"))()
    again = [p for p in nq.solve(game).solved() if p.last == p.mover and game.moves(p)]
    assert again
    assert all(game.moves(p) == game.moves(p._replace(barred=0)) for p in again)


def test_no_total_grows_without_end() -> None:
    game = load(GROWS)()
    p = game.start()
    while moves := game.moves(p):
        p = game.play(p, moves[-1])
    assert 999_999 // 2 < p.total <= 999_999


def test_two_things_are_not_done_by_the_same_word_and_a_line_fits_the_board() -> None:
    pile = 'title = "T"\n[numbers]\nkind = "pile"\nto = 4\n[totals]\nwhose = "each"\n[end]\ntarget = 9\n'
    for turn, word in (("pass_on", 'pass = "add"'), ("stand", 'draw = "stand"')):
        with pytest.raises(nq.BadGame, match="line 11: words has one word for two moves"):
            load(f"{pile}[turn]\n{turn} = true\n[words]\n{word}\n")
    load(f'{pile}[turn]\nstand = true\n[words]\ndraw = "add"\n')  # What is only added is not asked for.
    with pytest.raises(nq.BadGame, match=r"line 3: .* is longer than the board"):
        load('title = "T"\n[cells]\nline = 4\n')


def test_a_game_of_many_moves_is_looked_at_without_going_too_deep() -> None:
    game = load(_written("any 9 each stand=true target=300"))()
    for law in LAWS:
        assert law.name not in ("alike", "canonical") or law.broken(game, Random(2)) is None


PAGE = (SOURCE.parent / "docs" / "recipes.md").read_text()
UNDERCUT, SLEEVE = (
    next(text.partition("```")[0] for text in PAGE.split("```toml\n") if f'"{title}"' in text)
    for title in ("Undercut", "Up my sleeve")
)


def test_what_both_choose_at_once_is_seen_when_both_have_chosen_and_one_less_takes_both() -> None:
    game = load(UNDERCUT)()
    match = nq.Match(game)
    match.play("4")
    assert game.sees(match.position, 0).choice == 4
    assert [game.sees(match.position, who).choice for who in (1, None)] == [None, None]
    known = {repr(known_after(game, [move], 1)) for move in game.moves(game.start())}
    assert len(known) == 1, "Player 2 knows the same whatever was chosen"
    match.play("3")
    assert match.position.totals == (0, 7)
    for both, totals in (("1 2", (3, 7)), ("5 5", (8, 12))):
        for move in both.split():
            match.play(move)
        assert match.position.totals == totals
    assert match.outcome == nq.Outcome(1, "higher", match.outcome.facts if match.outcome else {})
    same = load(UNDERCUT.replace("one less", "same"))()
    assert positions_of(same, ["3", "3"])[-1].totals == (0, 0)
    assert positions_of(same, ["3", "2"])[-1].totals == (3, 2)


def test_a_secret_number_is_seen_by_its_owner_alone_and_added_in_the_end() -> None:
    game = load(SLEEVE)()
    match = nq.Match(game, deal=[2, 3, 1])
    p = match.position
    assert (game.sees(p, 0).secrets, game.sees(p, 1).secrets, game.sees(p, None).secrets) == ((2, 0), (0, 3), (0, 0))
    for move in ("roll", "stand", "stand"):
        match.play(move)
    assert game.sees(match.position, None) == match.position
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.reason) == (None, "tie draw")
    assert match.position.totals == (3, 3)


def test_what_the_page_says_of_recipes_with_secrets_is_proved() -> None:
    undercut, sleeve = (nq.solve(load(text)()) for text in (UNDERCUT, SLEEVE))
    assert isinstance(undercut, SecretSolution)
    assert isinstance(sleeve, SecretSolution)
    assert {undercut.certificate.low, undercut.certificate.high} == {Fraction(1, 2)}
    ((_, odds),) = undercut.first_decisions(0)
    told = PAGE.partition("best odds: ")[2].partition("\n")[0]
    for move, share in odds.items():
        assert f"{move} in {float(share):.1%}".replace("%", " %") in told
    assert sleeve.certificate.error == 0
    assert f"Best play gets Player 1 {float(sleeve.certificate.value):.2%}".replace("%", " %") in PAGE


@pytest.mark.parametrize(
    ("recipe", "line", "instead", "told"),
    [
        (UNDERCUT, 'kind = "any"', 'kind = "pool"', "turn.at_once goes with kind"),
        (UNDERCUT, "turns = 3", "tie = 'draw'", "turn.at_once needs end.turns"),
        (UNDERCUT, "turns = 3", "turns = 3\ntie = 'last wins'", "end.tie does not go with turn.at_once"),
        (UNDERCUT, "turns = 3", "turns = 3\ntarget = 9", "end.target does not go with turn.at_once"),
        (UNDERCUT, "at_once = true", "", "turn.clash goes with at_once only"),
        (SLEEVE, 'kind = "die"', 'kind = "pile"', "totals.secret goes with one total for each"),
        (SLEEVE, 'tie = "draw"', 'nothing_left = "draw"', "totals.secret goes with one total for each"),
    ],
)
def test_keys_of_secrets_that_do_not_go_together_are_told(recipe: str, line: str, instead: str, told: str) -> None:
    assert line in recipe
    with pytest.raises(nq.BadGame, match=told):
        load(recipe.replace(line, instead))


@pytest.mark.parametrize(
    ("kind", "turn", "end", "longest", "highest"),
    [
        ("any", "stand = true\nbarred = 'last'\noperations = '+*/'", "target = 5", None, 6),
        ("die", "pass_on = true\noperations = '-'", "target = 7", None, 8),
    ],
)
def test_how_long_and_how_high_a_game_can_get_is_never_said_too_low(
    kind: str, turn: str, end: str, longest: int | None, highest: int
) -> None:
    text = f'title = "T"\n[numbers]\nkind = "{kind}"\nto = 2\n[totals]\nwhose = "each"\n[turn]\n{turn}\n[end]\n{end}\n'
    game = load(text)()
    assert game.longest == longest
    assert isinstance(game, NumbersGame)
    assert game.highest_total >= highest
    for law in LAWS:
        assert law.broken(game, Random(3)) is None, law.name


def test_a_game_whose_totals_only_grow_or_only_shrink_comes_to_an_end() -> None:
    for name, longest in (("product", 999), ("halve_it", 100)):
        assert nq.game(str(SOURCE.parent / "examples" / "gallery" / f"{name}.toml")).longest == longest
    for recipe in ("any 3 each begin=1 target=9 operations='*'", "any 3 each begin=9 target=2 operations='-/'"):
        # What a 1 multiplies, or is divided by it, stays.
        assert load(_written(recipe))().longest is None


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


@pytest.mark.parametrize("past", ["loses", "wins", "refused"])
@pytest.mark.parametrize("target", [0, 1])
def test_the_rules_speak_of_past_the_target_only_where_a_total_can_come_there(past: str, target: int) -> None:
    down = '[totals]\nwhose = "shared"\nbegin = 21\n[turn]\noperations = "-"\n'
    numbers = 'title = "Down"\n[numbers]\nkind = "any"\nto = 3\n'
    rules = load(f'{numbers}{down}[end]\nexactly = "loses"\npast = "{past}"\ntarget = {target}\n')().rules
    assert f"exactly {target} and you lose" in rules
    assert (f"past {target}" in rules) == (target > 0)


def test_words_are_written_as_their_script_wants_them_and_nothing_unseen_stands_in_them() -> None:
    words = '\n[words]\ngoal = "%s"\ntotal = "%s"\n'
    persian, family = "می\u200cرود", "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    kind = load(RACE.replace("Race to 31", persian) + words % (family, family))
    assert kind.title == persian
    check(kind, "here")
    for unseen in ("\u200d", "a\u202eb", "a\u2066b", "a\u0007b"):
        with pytest.raises(BadGame, match=r"visible characters|TOML"):
            load(RACE + words % ("Fine", unseen))
