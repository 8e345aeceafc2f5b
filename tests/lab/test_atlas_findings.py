"""What docs/atlas.md tells is what the atlas holds: each finding is counted anew."""

from __future__ import annotations

import doctest
import importlib.util
import re
from fractions import Fraction
from pathlib import Path

import pytest

import numberquest as nq
import numberquest.lab.atlas
from numberquest.games import GAMES
from numberquest.lab.atlas import atlas
from numberquest.lab.row import Row
from numberquest.solver.search import Search
from tests.conftest import in_ci

DOCS = Path(__file__).parents[2] / "docs"
TEXT = " ".join((DOCS / "atlas.md").read_text().split())


def rows(slug: str, **settings: object) -> list[Row]:
    """The rule sets that have these settings."""
    found = atlas(slug)
    assert found is not None
    return [row for row in found.rows if settings.items() <= row.settings.items()]


def value(slug: str, **settings: object) -> float:
    found = atlas(slug)
    assert found is not None
    known = found.row(**settings).value
    assert known is not None
    return known


def said(words: str) -> bool:
    return words in TEXT


def test_player_2_wins_only_119_of_the_settings_of_fifty() -> None:
    lost = [row.settings for row in rows("fifty") if row.value == 0]
    assert (len(lost), len(rows("fifty"))) == (119, 50_944)
    assert said("Player 2 wins only 119 of the 50,944 settings")
    even = rows("fifty", copies=2) + rows("fifty", copies=4)
    assert {row.value for row in even} == {1}
    assert said(f"all {len(even):,} are Player 1's")
    odd = [one for one in lost if int(one["high"]) % 2 and int(one["copies"]) % 2]
    assert len(odd) == 118
    assert [one for one in lost if one not in odd] == [{"target": 16, "high": 8, "copies": 1, "ops": "+"}]
    assert sum("-" in str(one["ops"]) for one in lost) == 16
    assert sum("-" in str(row.settings["ops"]) for row in rows("fifty")) == 50_944 // 2
    assert [tuple(one.values()) for one in lost if int(one["target"]) > 71] == [(131, 9, 1, "+*/"), (199, 5, 3, "+*")]
    assert sum(one["copies"] != 1 for one in lost) == 1


def test_of_the_first_moves_of_fifty_only_adding_4_loses() -> None:
    adding = {f"{number}+" for number in range(1, 10)}
    (classic,) = rows("fifty", target=50, high=9, copies=2, ops="+-*/")
    (lower,) = rows("fifty", target=45, high=9, copies=2, ops="+-*/")
    assert adding - {*classic.first} == {"4+"}
    assert adding & {*lower.first} == {"5+", "9+"}


def test_twice_one_begins_best_by_multiplying_nothing() -> None:
    found = [row for row in rows("fifty") if row.value == 1 and all(move.endswith("*") for move in row.first)]
    assert [tuple(row.settings.values()) for row in found] == [(11, 8, 1, "+*"), (13, 8, 1, "+*")]


def test_player_1_wins_390_of_472_settings_of_sumquest_and_6585_of_all() -> None:
    every = rows("sumquest")
    low = [row for row in every if int(row.settings["target"]) <= 60]
    assert (sum(row.value == 1 for row in every), len(every)) == (6585, 7984)
    assert (sum(row.value == 1 for row in low), len(low)) == (390, 472)


@pytest.mark.parametrize(("high", "period"), [(2, 3), (3, 4), (4, 5), (5, 13), (6, 7), (7, 25), (8, 9), (9, 32)])
def test_lost_targets_of_sumquest_come_back_like_a_clock(high: int, period: int) -> None:
    known = {int(row.settings["target"]): row.value for row in rows("sumquest", high=high)}
    lost = [target for target, worth in known.items() if worth == 0]
    repeats = [every for every in range(1, 100) if all(known[at] == known[at + every] for at in range(2, 1000 - every))]
    assert repeats[0] == period
    if high % 2 == 0 or high == 3:
        assert lost == list(range(high + 1, 1000, high + 1))
    if high == 5:
        assert {(b - a, c - b) for a, b, c in zip(lost, lost[1:], lost[2:], strict=False)} == {(6, 7), (7, 6)}
    if high == 9:
        assert lost[:6] == [11, 22, 32, 43, 54, 64]


def test_parity_decides_showdown() -> None:
    for row in rows("showdown"):
        high, picks = int(row.settings["high"]), int(row.settings["picks"])
        assert row.value == int(picks % 2 == 1 or picks == high)
        if picks == high:
            assert row.first == (f"predict {high * (high + 1) // 2}",)
    assert len(rows("showdown")) == 90


def test_grid_is_exactly_fair_in_six_settings_and_standing_makes_it_fairer() -> None:
    fair = [row.settings for row in rows("grid") if row.value == 0.5]
    assert len(fair) == 6
    assert {"target": 18, "side": 3, "stand": True} in fair
    assert [one for one in fair if not one["stand"]] == [{"target": 27, "side": 3, "stand": False}]
    # Not only to the last digit: as a fraction.
    game = nq.game("grid", target=18, stand=True)
    assert Search(game).value_for(0, game.start()) == Fraction(1, 2)
    without = {tuple(row.key[:2]): row.value for row in rows("grid", stand=False)}
    fairer = less = 0
    for row in rows("grid", stand=True):
        now, before = row.value, without[tuple(row.key[:2])]
        assert now is not None
        assert before is not None
        fairer += abs(now - 0.5) < abs(before - 0.5) - 1e-12
        less += abs(now - 0.5) > abs(before - 0.5) + 1e-12
    assert said(f"fairer {fairer} times and less fair {less} times")
    for target in range(8, 22):
        assert abs(value("grid", target=target, stand=True) - 0.5) <= 0.01
    for target in (7, 22):
        assert abs(value("grid", target=target, stand=True) - 0.5) > 0.01
    assert round(100 * value("grid")) == 41


def test_without_standing_grid_knows_no_skill() -> None:
    skill = [row.measures["skill"] for row in rows("grid", stand=False) if row.measures["skill"] is not None]
    assert len(skill) == 2 * 98
    assert max(skill) < 1e-9
    (most,) = rows("grid", target=29, side=3, stand=True)
    assert 0.5 < (most.measures["skill"] or 0) < 0.55


def test_low_targets_of_mystic_are_player_1s_and_the_classic_one_player_2s() -> None:
    assert [round(100 * value("mystic", target=target)) for target in (2, 21)] == [90, 43]
    assert [f"{100 * value('mystic', target=target):.2f}" for target in (13, 14)] == ["50.26", "49.76"]
    near = {
        int(row.settings["target"]) for row in rows("mystic", high=9, copies=2) if abs((row.value or 0) - 0.5) < 0.005
    }
    assert near == {13, 14, 57}
    for row in rows("mystic", high=6, copies=1):
        assert (row.value == 0.5) == (int(row.settings["target"]) >= 21)
    assert [row.settings for row in rows("mystic") if row.value in (0, 1)] == [{"target": 2, "high": 2, "copies": 1}]


def test_a_game_lost_with_best_play_can_be_fair_to_people() -> None:
    (long,) = rows("sumquest", target=100, high=9)
    assert long.value == 1
    assert f"{50 + 50 * (long.measures['advantage'] or 0):.2f}" == "50.04"
    (fair,) = rows("grid", target=18, side=3, stand=True)
    assert f"{50 + 50 * (fair.measures['advantage'] or 0):.1f}" == "49.3"


@pytest.mark.parametrize("slug", GAMES.own)
def test_the_table_of_the_files_says_what_they_hold(slug: str) -> None:
    found = atlas(slug)
    assert found is not None
    line = re.search(rf"\| `{slug}` \|(.*?`) \|", TEXT)
    assert line is not None
    cells = [cell.strip() for cell in line[1].split("|")]
    measured = sum(row.measures["length"] is not None for row in found.rows)
    positions = sum(row.positions or 0 for row in found.rows)
    assert cells[:3] == [f"{len(found):,}", f"{positions:,}", f"{measured:,}"]
    for at, what in enumerate(("values", "measures"), start=3):
        seconds = sum(one["seconds"] for one in found.made if one["what"] == what)
        assert f"{seconds:.0f} s" in cells[at]
    assert cells[-1] == f"`{found.hash}`"


@in_ci
def test_the_pictures_are_drawn_from_it() -> None:
    spec = importlib.util.spec_from_file_location("atlas_pictures", DOCS / "atlas.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, drawn in module.pictures().items():
        assert (DOCS / name).read_text(encoding="utf-8") == drawn, f"{name}: python docs/atlas.py draws it anew"
        assert f"({name})" in TEXT


def test_what_it_shows_in_python_is_so() -> None:
    shown = doctest.testfile(str(DOCS / "atlas.md"), module_relative=False)
    assert (shown.attempted > 5, shown.failed) == (True, 0)
    shown = doctest.testmod(numberquest.lab.atlas)
    assert (shown.attempted > 2, shown.failed) == (True, 0)
