"""Rounds, points, seats that change, a champion, names and the coin."""

import re
from pathlib import Path

import pytest

from numberquest.core.record import read
from tests.terminal.session import piped, way_on

WON = ["9", "8", "6"]
LOST = ["9", "8", "1", "5"]
"""And so who begins loses."""


def test_g3_seats_change_each_round_and_the_most_points_make_the_champion() -> None:
    done = piped(["play", "sumquest", "--names", "Ann,Bo", "--rounds", "3"], WON * 3)
    assert re.findall(r"(\w+) goes first", done.stdout) == ["Ann", "Bo", "Ann"]
    assert "Points so far: Ann 1, Bo 1." in done.stdout
    assert done.stdout.endswith("Points: Ann 2, Bo 1.\nOverall champion: Ann\n")


def test_a_series_resumes_in_its_round_with_its_points_even_before_the_first_move_of_a_round() -> None:
    done = piped(["play", "sumquest", "--names", "Ann,Bo", "--rounds", "3"], [*WON, "9", "quit"])
    resumed = piped(way_on(done.stderr), [*WON[1:], *WON]).stdout
    assert resumed.startswith("Round 2 of 3.\nPoints so far: Ann 1, Bo 0.\n")
    assert resumed.endswith("Points: Ann 2, Bo 1.\nOverall champion: Ann\n")
    done = piped(["play", "sumquest", "--rounds", "2"], [*WON, "quit"])
    resumed = piped(way_on(done.stderr), WON).stdout
    equal = "Points: Player A 1, Player B 1.\nThe points are equal: there is no overall champion.\n"
    assert resumed.endswith(equal)


@pytest.mark.parametrize(
    ("begins", "first"),
    [
        ("turns", ["Ann", "Bo", "Ann", "Bo"]),
        ("loser", ["Ann", "Bo", "Bo", "Ann"]),
        ("winner", ["Ann", "Ann", "Bo", "Bo"]),
        ("first", ["Ann", "Ann", "Ann", "Ann"]),
    ],
)
def test_who_begins_the_next_round_is_as_was_asked_for_also_when_it_is_resumed(begins: str, first: list[str]) -> None:
    """Who begins wins the first round and loses the second."""
    asked = ["play", "sumquest", "--names", "Ann,Bo", "--rounds", "4", "--begins", begins]
    rounds = [*WON, *LOST, *WON, *WON]
    whole = piped(asked, rounds).stdout
    assert re.findall(r"(\w+) goes first", whole) == first
    done = piped(asked, [*rounds[: len(WON + LOST)], WON[0], "quit"])
    resumed = piped(way_on(done.stderr), rounds[len(WON + LOST) + 1 :]).stdout
    assert re.findall(r"(\w+) goes first", resumed) == first[3:]
    assert resumed.splitlines()[-2:] == whole.splitlines()[-2:]


@pytest.mark.parametrize("place", [0, 1])
def test_a_saved_game_goes_on_in_plain_words_wherever_that_is_said(place: int) -> None:
    arguments = way_on(piped(["play", "sumquest"], ["9", "quit"]).stderr)
    resumed = piped([*arguments[:place], "--plain", *arguments[place:]], ["quit"], code=0)
    assert "Game saved" in resumed.stderr


def test_a_series_with_a_seed_that_is_resumed_deals_the_rounds_it_would_have_dealt(tmp_path: Path) -> None:
    options = ["play", "mystic", "--rounds", "3", "--seed", "7", "--p2", "random", "--record"]
    lines = ["resign", "yes"]
    piped([*options, str(tmp_path / "whole.nq")], lines * 3)
    done = piped([*options, str(tmp_path / "parts.nq")], [*lines, "add", "quit"])
    piped(way_on(done.stderr), lines * 2)
    whole, parts = (
        [read((tmp_path / f"{name}-{number}.nq").read_bytes()).match.dealer for number in (1, 2, 3)]
        for name in ("whole", "parts")
    )
    assert [dealer.seed for dealer in whole] == ["7", "7.2", "7.3"]
    assert len({dealer.deal for dealer in whole}) == 3
    assert [(dealer.seed, dealer.deal) for dealer in parts] == [(dealer.seed, dealer.deal) for dealer in whole]


@pytest.mark.parametrize(
    ("options", "names"),
    [(["--names", "Ann,Bo"], {"Ann", "Bo"}), (["--p2", "random"], {"Player 1 (human)", "Computer (random)"})],
)
def test_the_coin_decides_who_is_player_1_and_a_seed_decides_the_coin(options: list[str], names: set[str]) -> None:
    first = []
    for seed in (*range(6), 0):
        done = piped(["play", "sumquest", *options, "--toss", "--seed", str(seed)], ["quit"])
        (name,) = re.findall(r"\AThe coin is tossed: (.*) goes first\.\n", done.stderr)
        assert "Ann" not in names or f"{name}, it's your turn" in done.stdout
        first.append(name)
    assert first[0] == first[-1]
    assert {*first} == names


def test_a_series_that_ended_after_a_round_goes_on_with_the_next_or_names_its_champion(tmp_path: Path) -> None:
    # What a kill leaves after the last move of a round, before the next one is written.
    path = tmp_path / "round.nq"
    head = '[Game "sumquest"]\n[Player1 "{}"]\n[Player2 "{}"]\n[Round "{}/2"]\n[Points "{}"]\n1. 9\n2. 8\n'
    path.write_text(head.format("Ann", "Bo", 1, "0-0") + "3. 6\n")
    shown = piped(["play", "--resume", str(path)], WON).stdout
    assert shown.startswith("Round 2 of 2. Bo goes first.\nPoints so far: Ann 1, Bo 0.\n")
    assert "Points: Ann 1, Bo 1." in shown
    path.write_text(head.format("Bo", "Ann", 2, "0-1") + "resign-1\n")
    shown = piped(["play", "--resume", str(path)], code=0).stdout
    assert shown.endswith("Points: Ann 2, Bo 0.\nOverall champion: Ann\n")


def test_a_copy_of_the_record_goes_on_too_and_no_other_round_is_written_over(tmp_path: Path) -> None:
    copy = tmp_path / "game.nq"
    arguments = way_on(piped(["play", "sumquest", "--record", str(copy)], ["9", "quit"]).stderr)
    assert arguments[-2:] == ["--record", str(copy)]
    piped(arguments, ["8", "6"])
    assert read(copy.read_bytes()).result == "1-0"
    done = piped(["play", "sumquest", "--rounds", "2"], ["9", "quit"])
    (tmp_path / "out-2.nq").write_text("mine")
    refused = piped([*way_on(done.stderr), "--record", str(tmp_path / "out.nq")])
    assert "out-2.nq exists already" in refused.stderr
    assert (tmp_path / "out-2.nq").read_text() == "mine"


def test_it_is_said_which_files_a_series_writes(tmp_path: Path) -> None:
    for rounds, shown in ((2, "{0} and {1}"), (3, "{0} to {2}")):
        folder = tmp_path / str(rounds)
        folder.mkdir()
        path = folder / "game.nq"
        done = piped(["play", "sumquest", "--rounds", str(rounds), "--record", str(path)], WON * rounds)
        names = [folder / f"game-{number}.nq" for number in range(1, rounds + 1)]
        assert f"Each round is written to a file of its own: {shown.format(*names)}\n" in done.stderr
        assert sorted(folder.iterdir()) == names
