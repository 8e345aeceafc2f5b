"""Rounds, points, seats that change, a champion, names and the coin."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from numberquest.core.record import read
from tests.terminal.session import piped


def go_on(messages: str) -> list[str]:
    """The arguments of the line that says how to go on."""
    found = re.search(r"Go on with: .* (play \w+ --resume .*)\n", messages)
    assert found is not None, messages
    return shlex.split(found[1])


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
    arguments = go_on(done.stderr)
    resumed = piped(arguments, [*WON_BY_THE_FIRST[1:], *WON_BY_THE_FIRST])
    assert resumed.stdout.startswith("Round 2 of 3.\nPoints so far: Ann 1, Bo 0.\n")
    assert resumed.stdout.endswith("Points: Ann 2, Bo 1.\nOverall champion: Ann\n")


@pytest.mark.parametrize("place", [0, 1])
def test_a_saved_game_goes_on_in_plain_words_wherever_that_is_said(place: int) -> None:
    done = piped(["play", "sumquest"], ["9", "quit"])
    arguments = go_on(done.stderr)
    resumed = piped([*arguments[:place], "--plain", *arguments[place:]], ["quit"])
    assert resumed.returncode == 0, resumed.stderr
    assert "Game saved" in resumed.stderr


def test_points_are_kept_even_before_the_first_move_of_a_round() -> None:
    done = piped(["play", "sumquest", "--rounds", "2"], [*WON_BY_THE_FIRST, "quit"])
    resumed = piped(go_on(done.stderr), WON_BY_THE_FIRST)
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


def test_a_series_with_a_seed_that_is_resumed_deals_the_rounds_it_would_have_dealt(tmp_path: Path) -> None:
    options = ["play", "mystic", "--rounds", "3", "--seed", "7", "--p2", "random", "--record"]
    lines = ["resign", "yes"]
    piped([*options, str(tmp_path / "whole.nq")], lines * 3)
    done = piped([*options, str(tmp_path / "parts.nq")], [*lines, "add", "quit"])
    piped(go_on(done.stderr), lines * 2)
    whole, parts = (
        [read((tmp_path / f"{name}-{number}.nq").read_bytes()).match.dealer for number in (1, 2, 3)]
        for name in ("whole", "parts")
    )
    assert [dealer.seed for dealer in whole] == ["7", "7.2", "7.3"]
    assert [(dealer.seed, dealer.deal) for dealer in parts] == [(dealer.seed, dealer.deal) for dealer in whole]


def test_the_coin_decides_who_is_player_1_and_a_seed_decides_the_coin() -> None:
    first = []
    for seed in (*range(6), 0):
        done = piped(["play", "sumquest", "--names", "Ann,Bo", "--toss", "--seed", str(seed)], ["quit"])
        found = re.match(r"The coin is tossed: (Ann|Bo) goes first\.\n", done.stderr)
        assert found is not None
        assert f"{found[1]}, it's your turn" in done.stdout
        first.append(found[1])
    assert first[0] == first[-1]
    assert {*first} == {"Ann", "Bo"}


def test_with_a_coin_a_computer_may_come_first() -> None:
    shown = {piped(["play", "grid", "--p2", "random", "--toss", "--seed", str(seed)]).stderr for seed in range(6)}
    assert any("Computer (random) goes first." in text for text in shown)
    assert any("Player 1 (human) goes first" in text for text in shown)


def test_a_series_that_ended_between_two_rounds_goes_on_with_the_next(tmp_path: Path) -> None:
    # What a kill leaves after the last move of a round, before the next one is written.
    path = tmp_path / "round.nq"
    path.write_text(
        '[Game "sumquest"]\n[Player1 "Ann"]\n[Player2 "Bo"]\n[Round "1/2"]\n[Points "0-0"]\n1. 9\n2. 8\n3. 6\n'
    )
    done = piped(["play", "--resume", str(path)], WON_BY_THE_FIRST)
    assert done.stdout.startswith("Round 2 of 2. Bo goes first.\nPoints so far: Ann 1, Bo 0.\n")
    assert "Points: Ann 1, Bo 1." in done.stdout


def test_a_copy_of_the_record_goes_on_too_and_another_file_is_never_written_over(tmp_path: Path) -> None:
    copy = tmp_path / "game.nq"
    done = piped(["play", "sumquest", "--record", str(copy)], ["9", "quit"])
    arguments = go_on(done.stderr)
    assert arguments[-2:] == ["--record", str(copy)]
    piped(arguments, ["8", "6"])
    assert read(copy.read_bytes()).result == "1-0"
    other = tmp_path / "other.nq"
    other.write_text("mine")
    refused = piped(["play", "sumquest", "--record", str(other)], ["9"])
    assert (refused.returncode, other.read_text()) == (2, "mine")


def test_the_rounds_still_to_come_are_not_written_over_either(tmp_path: Path) -> None:
    done = piped(["play", "sumquest", "--rounds", "2"], ["9", "quit"])
    (tmp_path / "out-2.nq").write_text("mine")
    refused = piped([*go_on(done.stderr), "--record", str(tmp_path / "out.nq")])
    assert "out-2.nq exists already" in refused.stderr
    assert (tmp_path / "out-2.nq").read_text() == "mine"


def test_a_series_that_ended_before_its_champion_was_named_names_it(tmp_path: Path) -> None:
    path = tmp_path / "round.nq"
    path.write_text(
        '[Game "sumquest"]\n[Player1 "Bo"]\n[Player2 "Ann"]\n[Round "2/2"]\n[Points "0-1"]\n1. 9\n2. 8\nresign-1\n'
    )
    done = piped(["play", "--resume", str(path)])
    assert done.returncode == 0
    assert done.stdout.endswith("Points: Ann 2, Bo 0.\nOverall champion: Ann\n")
