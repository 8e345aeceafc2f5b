"""What is easy to read: narrow terminals, small slips, second tries, and the files of a series."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from numberquest.core.record import read
from numberquest.core.registry import GAMES
from numberquest.explain.review import review
from numberquest.terminal.commands.review_words import rows, table
from numberquest.terminal.prompt.console import folded
from tests.conftest import in_ci
from tests.terminal.session import Terminal, piped, without_colours

NARROW = (60, 40)
MYSTIC = '[Game "mystic"]\n[Settings "target=9 high=5 copies=1"]\n[Deal "5,3,4,1,2"]\n\nadd add pass\n'


def at_forty(*arguments: str) -> list[str]:
    """The lines that a terminal of 40 columns shows."""
    terminal = Terminal(arguments, dimensions=NARROW)
    # On a slow machine there is progress, which is written over itself.
    shown = re.sub(r"\r(Solving|Working) [^\r\n]*\n?", "", terminal.finish())
    return without_colours(shown).split("\n")


@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_a_review_fits_a_narrow_terminal_with_every_move_whole(plain: list[str], tmp_path: Path) -> None:
    path = tmp_path / "game.nq"
    path.write_text(MYSTIC)
    record = read(MYSTIC)
    shown = at_forty("review", str(path), *plain)
    expected = rows(review(record.match), record.names)
    listed = table(expected, 40)
    assert max(map(len, listed)) <= 40
    assert all(line in shown for line in listed)
    for row in expected:
        assert any(f"{row.player}: {row.move}" in line for line in listed)
        assert any(f"{row.before} → {row.after}, {row.verdict}" in line for line in listed)
    # Where there is room it is a table.
    assert table(expected, 200) == table(expected)


def test_the_levels_fit_a_narrow_terminal() -> None:
    wide = piped(["levels", "sumquest"]).stdout
    shown = at_forty("levels", "sumquest")
    assert max(map(len, shown)) <= 40
    chances = re.compile(r"\d+\.\d\d %")
    table_alone = [
        chance for line in wide.split("\n") if re.match(r"\w+ +\d", line) for chance in chances.findall(line)
    ]
    rows_alone = [chance for line in shown if line.startswith("  ") for chance in chances.findall(line)]
    assert rows_alone == table_alone


@in_ci
def test_the_list_and_what_help_says_of_options_fit_a_narrow_terminal() -> None:
    # What takes long on a busy machine is known by then, and no line about it is shown.
    piped(["list"])
    shown = "\n".join(at_forty("play", "--help"))
    for lines in (at_forty("list"), shown[shown.index("options:") :].split("\n")):
        assert max(map(len, lines)) <= 40


def test_what_goes_on_of_a_row_stands_under_its_last_column() -> None:
    row = "hint           help with your move, in three steps"
    assert folded(row, 40) == "hint           help with your move, in\n               three steps"
    assert folded("  a won 3 of 5 games as Player 1", 20) == "  a won 3 of 5 games\n    as Player 1"
    assert folded("short\nand long enough to be broken", 20) == "short\nand long enough to\nbe broken"
    assert folded(row, None) == row


@in_ci
def test_plain_lists_one_line_each_however_narrow_the_terminal_is() -> None:
    known = piped(["list"]).stdout
    shown = [line for line in at_forty("list", "--plain") if line]
    assert [line.split()[0] for line in shown] == list(GAMES)
    assert "\n".join(shown) + "\n" == known


@pytest.mark.parametrize(
    ("loss", "shown"),
    [
        (0.02, ("43 %", "41 %", "small slip")),
        (0.002, ("43.1 %", "42.9 %", "small slip")),
        (0.0002, ("43.12 %", "43.10 %", "small slip")),
        (0.000002, ("43.12 %", "43.12 %", "nearly best")),
    ],
)
def test_no_slip_is_told_of_two_chances_that_look_the_same(loss: float, shown: tuple[str, str, str]) -> None:
    found = review(read(MYSTIC).match)
    slip = found[0]._replace(before=0.4312, after=0.4312 - loss, verdict="small slip", best=("pass",))
    changed = replace(found, verdicts=(slip, *found.verdicts[1:]))
    row = next(row for row in rows(changed, ("Ann", "Bo")) if row.number == "1")
    assert (row.before, row.after, row.verdict) == shown


def test_a_second_try_at_the_daily_puzzle_says_that_only_the_first_counts() -> None:
    first = piped(["puzzle", "sumquest", "--daily"], ["1"])
    second = piped(["puzzle", "sumquest", "--daily"], ["2"])
    sentence = "You have tried today's puzzle before: only the first try counts."
    assert sentence not in first.stdout
    assert sentence in second.stdout
    count = re.compile(r"Solved so far: .*")
    assert count.findall(first.stdout) == count.findall(second.stdout) != []
    again = re.search(r"\((sumquest-\S+)\)", first.stdout)
    assert again is not None
    assert "You have tried this puzzle before: only the first try counts." in piped(["puzzle", again[1]], ["1"]).stdout


def test_it_is_said_which_files_a_series_writes(tmp_path: Path) -> None:
    path, moves = tmp_path / "game.nq", ["9", "8", "6"]
    for rounds, shown in ((2, "{0} and {1}"), (3, "{0} to {2}")):
        folder = tmp_path / str(rounds)
        folder.mkdir()
        path = folder / "game.nq"
        done = piped(["play", "sumquest", "--rounds", str(rounds), "--record", str(path)], moves * rounds)
        names = [folder / f"game-{number}.nq" for number in range(1, rounds + 1)]
        assert f"Each round is written to a file of its own: {shown.format(*names)}\n" in done.stderr
        assert sorted(folder.iterdir()) == names


@pytest.mark.parametrize(("game", "before"), [("fifty", []), ("showdown", ["no"])])
def test_an_empty_line_where_a_number_is_wanted_is_asked_for_one(game: str, before: list[str]) -> None:
    shown = piped(["play", game], [*before, "", "quit"]).stdout
    assert "Type a number. Available Numbers: 1" in shown
    assert "An empty line" not in shown


def test_quit_where_the_review_is_offered_is_a_no_and_the_way_to_retry_is_folded(tmp_path: Path) -> None:
    path = tmp_path / "game.nq"
    terminal = Terminal(["play", "sumquest", "--record", str(path)])
    for seat, move in ((1, "1"), (2, "7"), (1, "6"), (2, "9")):
        terminal.answer(f"Player {seat} Input: ", move)
    terminal.answer("See how it went? (yes/no): ", "q")
    assert "Please answer yes or no." not in terminal.finish()
    shown = Terminal(["review", str(path)], dimensions=(50, 40)).finish()
    assert "To go back to the first mistake and play\non from there:" in shown
