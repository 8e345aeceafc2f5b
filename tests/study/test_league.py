"""A league: strengths that fit, honest intervals, and no number where there can be none."""

import json
from itertools import combinations
from math import exp
from pathlib import Path
from random import Random

import pytest

from numberquest.core.errors import UsageError
from numberquest.study.game import Row
from numberquest.study.league import fitted, jobs_for, tiers
from numberquest.terminal.commands import evaluate as terminal
from numberquest.terminal.commands.evaluate import LeagueOptions
from tests.terminal.session import piped

NAMES = ("a", "b", "c", "d")


def played(strengths: dict[str, float], seat: float, deals: int, dice: Random) -> list[Row]:
    """Games of players of these strengths."""
    rows = []
    for deal in range(deals):
        for a, b in combinations(strengths, 2):
            for at in (0, 1):
                edge = strengths[a] - strengths[b] + (seat if at == 0 else -seat)
                rows.append(Row(a, b, deal, at, float(dice.random() < 1 / (1 + exp(-edge))), ()))
    return rows


def test_a_single_deal_tells_nothing_of_how_sure_it_is() -> None:
    results = {("a", "b"): (1.0, 0.0), ("a", "c"): (1.0, 1.0), ("b", "c"): (0.0, 1.0)}
    rows = [Row(a, b, 0, at, result, ()) for (a, b), both in results.items() for at, result in enumerate(both)]
    fit = fitted(("a", "b", "c"), [*rows, Row("a", "c", 0, 0, 0.0, ())])
    assert fit.strengths is not None
    assert {(one.low, one.high) for one in fit.strengths} == {(float("-inf"), float("inf"))}


def test_who_wins_every_game_is_above_the_others_and_has_no_number() -> None:
    dice = Random(3)
    rows = [row for row in played({"a": 0, "b": 0, "c": 0, "d": 0}, 0, 40, dice) if "a" not in row.job[:2]]
    rows += [Row("a", other, deal, seat, 1.0, ()) for other in "bcd" for deal in range(40) for seat in (0, 1)]
    assert tiers(NAMES, rows) == [("a",), ("b", "c", "d")]
    assert fitted(("a",), rows).strengths is None
    within = fitted(("b", "c", "d"), rows)
    assert within.strengths is not None
    assert len(within.strengths) == 3


def test_where_the_seat_decides_everything_there_is_no_number_either() -> None:
    rows = [Row("a", "b", deal, seat, 1.0 - seat, ()) for deal in range(30) for seat in (0, 1)]
    assert tiers(("a", "b"), rows) == [("a", "b")]
    fit = fitted(("a", "b"), rows)
    assert (fit.strengths, fit.seat) == (None, None)


def test_one_draw_among_wins_puts_two_into_one_tier_whoever_stands_first_in_a_row() -> None:
    rows = [Row("a", "b", deal, 0, 0.5 if deal == 4 else 1.0, ()) for deal in range(9)]
    turned = [Row("b", "a", row.deal, 1, 1 - (row.result or 0.0), ()) for row in rows]
    assert tiers(("a", "b"), rows) == tiers(("a", "b"), turned) == [("a", "b")]
    wins = [row for row in rows if row.result == 1], [row for row in turned if row.result == 0]
    assert [tiers(("a", "b"), each) for each in wins] == [[("a",), ("b",)]] * 2


def test_everybody_plays_everybody_in_both_seats() -> None:
    jobs = jobs_for(NAMES, range(3))
    assert len(jobs) == len(set(jobs)) == 3 * 6 * 2


def test_the_command_says_who_is_strongest(tmp_path: Path) -> None:
    command = [
        "league",
        "sumquest",
        "random",
        "hard",
        "perfect",
        "--deals",
        "30",
        "--seed",
        "5",
        "--out",
        str(tmp_path),
    ]
    data = terminal.league(LeagueOptions("sumquest", command[2:5], "30", seed="5", out=str(tmp_path))).figures
    assert [one["who"] for one in data["players"]] == ["perfect", "hard", "random"]
    assert data["games"] == 30 * 3 * 2
    assert data == json.loads((tmp_path / "league.json").read_text())
    for at, row in enumerate(data["crosstable"]):
        assert row[at] is None
        for other, share in enumerate(row):
            assert share is None or share + data["crosstable"][other][at] == pytest.approx(1)
    said = piped(command)
    assert said.returncode == 0
    assert "180 of 180 games are in" in said.stderr
    lines = said.stdout.split("\n")
    assert lines[3].split()[1] == "perfect"
    table = [line for line in lines if line.startswith(("  1", "  2", "  3", "    "))]
    assert max(map(len, table)) <= 80
    if data["players"][0]["tier"] != data["players"][-1]["tier"]:
        assert "those above have won every game against those below" in said.stdout
        assert "cannot be told" in said.stdout


@pytest.mark.parametrize(
    ("players", "why"), [(["easy", "easy"], "easy cannot play in a league twice"), (["easy"], "two players or more")]
)
def test_a_league_of_one_is_refused(players: list[str], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        terminal.league(LeagueOptions("sumquest", players, "2"))
