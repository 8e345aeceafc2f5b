"""`numberquest measure`: a table to read, and data with exactly the names of the measures."""

from __future__ import annotations

import json

import pytest

import numberquest as nq
from numberquest.cli import main
from numberquest.study.measures import MEASURES, measure
from numberquest.terminal.commands.measure import in_words, measured
from tests.strategies import EXAMPLES

NAMES = ("perfect", "medium", "random")
NIM = next(str(path) for path in EXAMPLES if path.stem == "nim")


def test_the_data_has_every_measure_under_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "sumquest", "--set", "target=12", "--players", "hard,easy", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert list(said) == ["game", "settings", "players", *MEASURES, "why", "positions"]
    assert said["players"] == ["hard", "easy"]
    known = measure(nq.game("sumquest", target=12), ("hard", "easy"))
    assert said["length"] == known.length
    assert said["ladder"] == list(known.ladder or ())
    assert set(said["why"]) == {name for name in MEASURES if said[name] is None}


def test_a_program_that_names_nobody_means_best_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "sumquest", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["players"] == ["perfect", "perfect"]


def test_a_person_sees_best_play_people_and_nobody_who_thinks_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "sumquest"]) == 0
    told = capsys.readouterr().out
    lines = told.split("\n")
    assert next(line for line in lines if line.startswith("between players")).split()[2:] == [*NAMES]
    figures = next(line for line in lines if line.startswith("  length  ")).split()[1:]
    lengths = [measure(nq.game("sumquest"), (name, name)).length or 0 for name in NAMES]
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


def test_a_game_in_a_file_is_measured_too(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    # What is brought in here is not there for the tests that come after it in the same process.
    monkeypatch.setattr(nq.GAMES, "_brought", {})
    monkeypatch.setattr(nq.GAMES, "_complete", False)
    assert main(["measure", NIM, "--players", "random,random", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == pytest.approx(0.5)


def test_what_is_too_large_is_said_in_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numberquest.solver.budget.MOST_FOLLOWED", 100)
    assert main(["measure", "sumquest"]) == 1
    assert (
        "it cannot be measured: sumquest with target=23 high=9 has more than 100 positions" in capsys.readouterr().err
    )
