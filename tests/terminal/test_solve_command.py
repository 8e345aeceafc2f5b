"""`solve`, `cache` and `measure` on the command line."""

import json
from typing import Any

import pytest

import numberquest as nq
from numberquest.cli import main
from numberquest.study.measures import MEASURES, Measures, measure
from numberquest.terminal.commands.measure import in_words, measured
from tests.strategies import EXAMPLES
from tests.terminal.session import here, piped

FIELDS = ["game", "settings", "after", "player", "value", "exact", "moves", "best", "positions", "seconds"]


def data(*arguments: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(here("solve", *arguments, "--json"))
    assert list(answer) == FIELDS
    return answer


def test_a_decision_or_a_reveal_as_data_after_moves_as_they_are_written() -> None:
    answer = data("sumquest", "--after", "5 7")
    assert (answer["after"], answer["player"]) == (["5", "7"], 1)
    assert (answer["value"], answer["exact"]) == (0, "0")
    assert set(answer["moves"].values()) == {0}
    assert len(answer["best"]) == 8
    answer = data("grid", "--after", "2,2")
    assert (answer["player"], answer["moves"], answer["best"]) == (1, {}, [])
    assert (answer["exact"], answer["value"]) == ("1039/2520", pytest.approx(1039 / 2520))
    answer = data("mystic", "--set", "high=4", "--set", "copies=1")
    assert answer["exact"] is None, "these chances are not known as fractions"
    assert 0 < answer["value"] < 1
    over = ["sumquest", "--set", "target=5", "--after", "5"]
    answer = data(*over)
    assert (answer["player"], answer["value"], answer["moves"]) == (2, 0, {})
    assert "the game is over: Player 1 reached 5" in here("solve", *over)
    assert data("grid", "--after", "2,2 5 1,3 (3)")["after"] == ["2,2", "5", "1,3", "3"]
    assert data("showdown", "--after", "predict 45 9")["after"] == ["predict 45", "9"]


def test_for_a_person_it_is_words_and_a_picture() -> None:
    shown = piped(["solve", "sumquest"]).stdout
    assert "Player 1 wins with best play." in shown
    assert "Winning moves: 1, 6" in shown
    assert "   12         - - - - - - - - -" in shown
    shown = piped(["solve", "mystic", "--set", "high=4", "--set", "copies=1"]).stdout
    assert "by your own total, if your opponent has 0:" in shown
    assert shown.count("#") > 50


def test_the_cache_is_shown_and_cleared() -> None:
    assert "Nothing is kept" in piped(["cache"]).stdout
    piped(["solve", "fifty", "--set", "high=3"])
    assert "fifty_target=50_high=3_copies=2" in piped(["cache"]).stdout
    assert "Removed 1 file" in piped(["cache", "--clear"]).stdout
    assert "Nothing is kept" in piped(["cache"]).stdout


def test_the_data_has_every_measure_under_its_name() -> None:
    said = json.loads(here("measure", "sumquest", "--set", "target=12", "--players", "hard,easy", "--json"))
    assert list(said) == ["game", "settings", "players", *MEASURES, "why", "positions"]
    assert said["players"] == ["hard", "easy"]
    known = measure(nq.game("sumquest", target=12), ("hard", "easy"))
    assert said["length"] == known.length
    assert said["ladder"] == list(known.ladder or ())
    assert set(said["why"]) == {name for name in MEASURES if said[name] is None}
    # A program that names nobody means best play, and a game in a file is measured too.
    assert json.loads(here("measure", "sumquest", "--json"))["players"] == ["perfect", "perfect"]
    nim = here("measure", str(EXAMPLES[0]), "--players", "random,random", "--json")
    assert json.loads(nim)["value"] == pytest.approx(0.5)


def test_a_person_sees_best_play_people_and_nobody_who_thinks_side_by_side() -> None:
    told, names = here("measure", "sumquest"), ["perfect", "medium", "random"]
    lines = told.split("\n")
    assert next(line for line in lines if line.startswith("between players")).split()[2:] == names
    figures = next(line for line in lines if line.startswith("  length  ")).split()[1:]
    lengths = [measure(nq.game("sumquest"), (name, name)).length or 0 for name in names]
    assert figures == [f"{length:.2f}" for length in lengths]
    assert "No luck, skill (perfect): between these players every game ends alike." in told
    # Every measure is told, and explained.
    explained = " ".join(told.partition("What they mean")[2].split())
    for name, meaning in MEASURES.items():
        assert f"{name} {meaning}" in explained
    assert "\x1b" not in told
    assert max(map(len, lines)) <= 80


def test_bars_stand_beside_their_figures_where_somebody_looks() -> None:
    game = nq.game("grid", side=2, target=6, stand=True)
    found = measured(game, [("medium", "medium")])
    drawn = in_words(game, found, 80, lambda text, _: text)
    row = next(line for line in drawn.split("\n") if line.startswith("  luck"))
    luck = found["medium", "medium"].luck or 0
    assert row.count("█") == round(30 * luck)
    assert row.count("█") + row.count("·") == 30
    assert f"{100 * luck:.1f} %" in row
    assert max(map(len, drawn.split("\n"))) <= 80
    narrow = in_words(game, measured(game, [("medium", "medium"), ("easy", "hard")]), 40, lambda text, _: text)
    assert max(map(len, narrow.split("\n"))) <= 40
    assert narrow.count("between players") == 2


def test_no_measure_is_less_than_nothing_because_of_how_it_was_rounded() -> None:
    nothing = Measures(value=0.5, gain=-1e-17, advantage=-1e-17, head_start=-1e-17, ladder=(-1e-17,) * 4)
    told = in_words(nq.game("sumquest"), {("medium", "medium"): nothing}, 80, None)
    assert "perfect over hard" in told
    assert "-0" not in told


def test_rules_that_are_too_large_are_named_as_they_are_typed(capsys: pytest.CaptureFixture[str]) -> None:
    here("levels", "fifty", "--set", "copies=4", code=1)
    assert "fifty with target=50 high=9 copies=4 ops=+-*/ has 4,882,812,500 positions" in capsys.readouterr().err


def test_what_is_too_large_is_said_in_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numberquest.solver.budget.MOST_FOLLOWED", 100)
    assert main(["measure", "sumquest", "--set", "target=24"]) == 1
    sentence = "it cannot be measured: sumquest with target=24 high=9 has more than 100 positions"
    assert sentence in capsys.readouterr().err
