"""`play --after MOVES` and `play --from FILE`: a game that starts in the middle, and a file that stays as it is."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from numberquest.core.match import led_to
from numberquest.core.record import Record, read
from numberquest.server.think.messages import review_message
from numberquest.solver import solve
from numberquest.terminal.commands.arguments import game_with
from tests.conftest import in_ci
from tests.terminal.session import piped, sum_quest, way_on

MYSTIC = '[Game "mystic"]\n[Player1 "Ann"]\n[Player2 "Bo"]\n[Player2Type "random"]\n[Seed "7"]\n\n1. add\n2. add\n'


def played(folder: Path, arguments: list[str], moves: list[str]) -> Record:
    """The record, in a file `played.nq`, of a game that was played with these arguments."""
    path = folder / "played.nq"
    piped(["play", *arguments, "--record", str(path)], moves, code=0)
    return read(path.read_bytes())


def reviewed(folder: Path) -> Any:
    """The review of that game, as data."""
    return json.loads(piped(["review", "--json", str(folder / "played.nq")]).stdout)


def test_a_game_starts_after_the_moves_and_is_played_to_its_end(tmp_path: Path) -> None:
    terminal = sum_quest("", "--after", "9 8", "--record", str(tmp_path / "game.nq"))
    terminal.wait_for("The current sum is 17.")
    terminal.answer("Player 1 Input: ", "6")
    terminal.answer("See how it went? (yes/no): ", "no")
    assert "Player 1 reaches 23 and wins the game!" in terminal.finish()
    record = read((tmp_path / "game.nq").read_bytes())
    assert (record.match.history, record.practice) == (("9", "8", "6"), True)


def test_what_was_revealed_is_as_it_was_said_and_the_same_seed_hides_the_same_numbers(tmp_path: Path) -> None:
    match = played(tmp_path, ["grid", "--after", "1,1 (9) 2,2 (1)", "--names", "Ann,Bo"], ["3,3"]).match
    assert match.history[:4] == ("1,1", "9", "2,2", "1")
    assert sorted(match.dealer.deal) == list(range(1, 10))
    game, after = game_with("mystic"), ("3", "add", "7")
    one, two, other = (led_to(game, after, seed).dealer.deal for seed in ("4", "4", "5"))
    assert one == two != other
    shown = [piped(["play", "mystic", "--after", "3 add 7", "--seed", "4"], ["1", "1", "1"]).stdout for _ in range(2)]
    assert shown[0] == shown[1]


def test_draws_are_as_they_were_said_and_where_none_was_they_come_from_the_seed(tmp_path: Path) -> None:
    pig = str(Path(__file__).parent.parent.parent / "examples" / "pig.py")
    for after, history in (("roll (4)", ("roll", "4", "hold")), ("roll", ("roll",))):
        path = tmp_path / f"{len(history)}.nq"
        piped(["play", pig, "--after", after, "--seed", "1", "--record", str(path)], ["hold", "quit"], code=0)
        piped(["verify", str(path), "--with", pig], code=0)
        assert f"1. {' '.join(f'({one})' if one.isdigit() else one for one in history[:2])}" in path.read_text()


@pytest.mark.parametrize("who", [[], ["--p1", "random", "--names", "Cy,Di"]])
def test_a_game_starts_where_a_file_stands_and_the_file_stays_as_it_was(
    who: list[str], tmp_path: Path, home: Path
) -> None:
    path = tmp_path / "lesson.nq"
    path.write_text(MYSTIC)
    os.utime(path, (1, 1))
    before = read(MYSTIC)
    record = played(tmp_path, ["--from", str(path), *who], ["1"] * 20)
    assert path.read_text() == MYSTIC
    assert path.stat().st_mtime == 1
    assert record.match.history[: len(before.match.history)] == before.match.history
    assert record.match.dealer.deal == before.match.dealer.deal
    assert record.names == (("Cy", "Di") if who else ("Ann", "Bo"))
    assert record.kinds == (("random" if who else "human"), "random")
    assert record.practice
    # What is kept of it is kept elsewhere.
    resumed = way_on(piped(["play", "--from", str(path)], ["1", "quit"]).stderr)
    assert Path(resumed[3]).parent == home / ".local" / "state" / "numberquest"
    assert path.read_text() == MYSTIC


SET_UP = ["fifty", "--after", "5+ 2*", "--names", "Ann,Bo"], ["3+", "resign", "yes"]
"""Ann plays on after two moves that were typed for her, and gives up."""


def test_a_review_judges_only_what_was_played_after_the_position_and_verify_says_it_was_chosen(tmp_path: Path) -> None:
    played(tmp_path, *SET_UP)
    path = str(tmp_path / "played.nq")
    shown = piped(["review", path]).stdout
    assert "The position was set up; from move 3 on it was played.\n" in shown
    assert re.findall(r"^ *(\d+)  (Ann|Bo) +(\S+)", shown, re.MULTILINE) == [("3", "Ann", "3+"), ("4", "Bo", "resign")]
    assert "Key moments" in shown
    data = reviewed(tmp_path)
    assert [move["number"] for move in data["moves"]] == [3, 4]
    assert [step["entry"] for step in data["steps"]] == ["3+", "resign"]
    assert data["start"] == data["steps"][0]["before"]
    table = piped(["review", "--csv", path]).stdout.splitlines()
    assert [row.split(",")[5] for row in table[1:]] == ["3", "4"]
    said = piped(["verify", path]).stdout
    assert "This was practice: it began after 2 moves, at a position that somebody chose.\n" in said
    assert "taken up from a record" not in said


@in_ci
def test_a_draw_that_was_set_up_is_nobodys_luck(tmp_path: Path) -> None:
    played(tmp_path, ["mystic", "--after", "2 add 9 add 3", "--seed", "1"], ["1", "resign", "yes"])
    data = reviewed(tmp_path)
    assert [step["entry"] for step in data["steps"] if not step["reveal"]] == ["add", "resign"]
    assert not data["steps"][0]["reveal"]
    assert data["start"] - data["given_away"][0] + data["given_away"][1] + data["luck"] == pytest.approx(data["end"])


def test_the_pages_review_shows_what_was_set_up_and_judges_what_was_played(tmp_path: Path) -> None:
    record = played(tmp_path, *SET_UP)
    message = review_message(record, record.text(), solve(record.match.game))
    assert [step.entry for step in message.steps] == ["5+", "2*", "3+", "resign"]
    assert [step.verdict == "set up" for step in message.steps] == [True, True, False, False]
    assert {step.after for step in message.steps[:2]} == {message.start}
    assert len(message.boards) == len(message.steps) + 1
    assert message.told[0].code == "review-set-up"


def test_undo_goes_back_behind_the_position_and_what_is_played_in_its_place_is_judged(tmp_path: Path) -> None:
    played(tmp_path, ["sumquest", "--after", "9 8"], ["undo", "yes", "7", "resign", "yes"])
    data = reviewed(tmp_path)
    assert [move["move"] for move in data["moves"]] == ["7", "resign"]
