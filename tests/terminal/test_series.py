"""Rounds, points, seats that change, a champion, names and the coin."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from numberquest.record import Record, read
from numberquest.terminal.series import standing
from tests.terminal.session import piped

WON_BY_THE_FIRST = ["9", "8", "6"]


def test_g3_seats_change_each_round_and_the_most_points_make_the_champion() -> None:
    done = piped(["play", "sumquest", "--names", "Ann,Bo", "--rounds", "3"], WON_BY_THE_FIRST * 3)
    assert re.findall(r"(\w+) goes first", done.stdout) == ["Ann", "Bo", "Ann"]
    assert "Points so far: Ann 1, Bo 1." in done.stdout
    assert done.stdout.endswith("Points: Ann 2, Bo 1.\nOverall champion: Ann\n")


def test_equal_points_make_no_champion() -> None:
    done = piped(["play", "sumquest", "--rounds", "2"], WON_BY_THE_FIRST * 2)
    assert done.stdout.endswith(
        "Points: Player A 1, Player B 1.\nThe points are equal: there is no overall champion.\n"
    )


def test_a_series_resumes_in_its_round_with_its_points() -> None:
    done = piped(["play", "sumquest", "--names", "Ann,Bo", "--rounds", "3"], [*WON_BY_THE_FIRST, "9", "quit"])
    arguments = shlex.split(done.stderr.split("numberquest ", 1)[1])
    resumed = piped(arguments, [*WON_BY_THE_FIRST[1:], *WON_BY_THE_FIRST])
    assert resumed.stdout.startswith("Round 2 of 3. Bo goes first.\nPoints so far: Ann 1, Bo 0.\n")
    assert resumed.stdout.endswith("Points: Ann 2, Bo 1.\nOverall champion: Ann\n")


def test_points_are_kept_even_before_the_first_move_of_a_round() -> None:
    done = piped(["play", "sumquest", "--rounds", "2"], [*WON_BY_THE_FIRST, "quit"])
    resumed = piped(shlex.split(done.stderr.split("numberquest ", 1)[1]), WON_BY_THE_FIRST)
    assert "Points: Player A 1, Player B 1." in resumed.stdout


def test_each_round_of_a_seed_has_a_deal_of_its_own_and_the_same_again_next_time(tmp_path: Path) -> None:
    deals = []
    for attempt in ("one", "two"):
        path = tmp_path / f"{attempt}.nq"
        options = ["--p1", "random", "--p2", "random", "--rounds", "3", "--seed", "7", "--record", str(path)]
        assert piped(["play", "mystic", *options]).returncode == 0
        records = [read((tmp_path / f"{attempt}-{number}.nq").read_bytes()) for number in (1, 2, 3)]
        deals.append([record.match.dealer.deal for record in records])
    assert deals[0] == deals[1]
    assert len(set(deals[0])) == 3


@pytest.mark.parametrize("seed", range(8))
def test_the_coin_decides_who_is_player_1_and_a_seed_decides_the_coin(seed: int) -> None:
    toss = ["play", "sumquest", "--names", "Ann,Bo", "--toss", "--seed", str(seed)]
    one, two = piped(toss, ["quit"]), piped(toss, ["quit"])
    assert one.stderr == two.stderr
    found = re.match(r"The coin is tossed: (Ann|Bo) goes first\.\n", one.stderr)
    assert found is not None
    assert f"{found[1]}, it's your turn" in one.stdout


def test_the_coin_falls_both_ways() -> None:
    sides = {
        piped(["play", "sumquest", "--names", "Ann,Bo", "--toss", "--seed", str(seed)], ["quit"]).stderr
        for seed in range(8)
    }
    assert len(sides) == 2


def test_with_a_coin_a_computer_may_come_first() -> None:
    shown = {piped(["play", "grid", "--p2", "random", "--toss", "--seed", str(seed)]).stderr for seed in range(8)}
    assert any("Player 1 (random) goes first" in text for text in shown)
    assert any("Player 1 (human) goes first" in text for text in shown)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ((("Round", "2/3"), ("Points", "1-0")), (2, 3, 1, 0)),
        ((("Round", "2/3"), ("Points", "5-0")), (1, 1, 0, 0)),
        ((("Round", "4/3"), ("Points", "1-2")), (1, 1, 0, 0)),
        ((("Round", "two"),), (1, 1, 0, 0)),
        ((), (1, 1, 0, 0)),
    ],
)
def test_tags_that_make_no_sense_are_no_series(
    other: tuple[tuple[str, str], ...], expected: tuple[int, int, int, int]
) -> None:
    assert standing(Record(read('[Game "sumquest"]').match, other=other)) == expected
