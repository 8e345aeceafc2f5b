"""`review FILE`: what it prints, as words, as data and as a picture, and going back to the first mistake."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from numberquest.core.match import Match
from numberquest.core.record import Record, read
from numberquest.explain.review import review
from numberquest.terminal.commands.review_chart import chart, picture
from numberquest.terminal.commands.review_words import before_mistake
from tests.terminal.session import ANSI, Terminal, piped, told, without_colours

DOCS = Path(__file__).parent.parent.parent / "docs" / "review.md"
SVG = "{http://www.w3.org/2000/svg}"
SUMQUEST = '[Game "sumquest"]\n[Player1 "Ann"]\n[Player2 "Bo"]\n\n5 9 1 3 5\n'
GRID = '[Game "grid"]\n[Settings "side=2 target=6 stand=yes"]\n[Deal "4,3,1,2"]\n\n1,1 1,2 stand\n'
MYSTIC = '[Game "mystic"]\n[Settings "target=9 high=5 copies=1"]\n[Deal "5,3,4,1,2"]\n\nadd add pass\n'
FIELDS = ["game", "settings", "names", "result", "hints", "start", "end", "given_away", "luck", "exact", "accuracy"]
FIELDS += ["moves", "steps", "turning_point"]


def saved(folder: Path, text: str) -> str:
    path = folder / "game.nq"
    path.write_text(text)
    return str(path)


def test_the_worked_example_in_the_docs_is_true(tmp_path: Path) -> None:
    game, shown = re.findall(r"```\n(.*?)```", DOCS.read_text(), re.DOTALL)[:2]
    done = piped(["review", saved(tmp_path, game)])
    assert done.stdout == shown
    record = read(game)
    found = review(record.match)
    assert DOCS.with_name("review.svg").read_text() == picture(found, record.names)
    text = DOCS.read_text()
    for verdict in (found[1], found[5]):
        assert re.search(rf"{100 * verdict.after:.1f}\s+of\s+{100 * verdict.before:.1f} %", text)


def test_a_game_without_chance_in_words(tmp_path: Path) -> None:
    done = piped(["review", saved(tmp_path, SUMQUEST)])
    assert done.returncode == 0
    assert done.stdout == (
        "Sum Quest: Race to 23\n"
        "Ann against Bo. Ann won: Ann reached 23.\n"
        "\n"
        "No  Player  Move  Before  After  Verdict          Better was\n"
        " 1  Ann     5     100 %   0 %    win thrown away  1 or 6\n"
        " 2  Bo      9     100 %   100 %  win kept\n"
        " 3  Ann     1     0 %     0 %    still lost\n"
        " 4  Bo      3     100 %   0 %    win thrown away  4 or 8\n"
        " 5  Ann     5     100 %   100 %  win kept\n"
        "\n"
        "Ann's chance to win, from the start on: 100 %, 0 %, 0 %, 0 %, 100 %, 100 %.\n"
        "\n"
        "The turning point was move 4: Bo played 3 and threw the win away.\n"
        "Accuracy (100 is perfect): Ann 50, Bo 50.\n"
        "\n"
        "Luck and skill\n"
        "Ann could win from the start, whatever the other did.\n"
        "Ann threw the win away once, Bo once.\n"
        "There is no luck in this game: every change came from a move.\n"
    )
    assert done.stderr.startswith("To go back to the first mistake and play on from there: ")


def test_the_shown_numbers_of_luck_and_skill_add_up(tmp_path: Path) -> None:
    for text in (GRID, MYSTIC):
        shown = piped(["review", saved(tmp_path, text)]).stdout
        found = re.search(r"^([\d.]+) - ([\d.]+) \+ ([\d.]+) ([+-]) ([\d.]+) = ([\d.]+)", shown, re.MULTILINE)
        assert found is not None, shown
        start, one, two, luck, end = (float(found[at]) for at in (1, 2, 3, 5, 6))
        assert start - one + two + (luck if found[4] == "+" else -luck) == pytest.approx(end)


def test_a_game_that_goes_on_is_reviewed_as_far_as_it_goes(tmp_path: Path) -> None:
    done = piped(["review", saved(tmp_path, '[Game "sumquest"]\n\n1 2\n')])
    assert (done.returncode, told(done.stderr)) == (0, "")
    assert "The game is not over yet." in done.stdout
    assert "Nothing has changed so far." in done.stdout
    done = piped(["review", saved(tmp_path, '[Game "sumquest"]\n')])
    assert done.stdout.endswith("No move has been made, so there is nothing to review.\n")
    done = piped(["review", saved(tmp_path, MYSTIC)])
    assert ": that is where the game stands.\n" in done.stdout


def test_a_resignation_is_judged_too(tmp_path: Path) -> None:
    done = piped(["review", saved(tmp_path, '[Game "sumquest"]\n\n5 resign-2\n')])
    assert " 2  Player 2  resign  100 %   0 %    win thrown away  7 or 9\n" in done.stdout
    assert "The turning point was move 2: Player 2 resigned and threw the win away." in done.stdout


def test_the_data_has_the_documented_fields(tmp_path: Path) -> None:
    done = piped(["review", saved(tmp_path, GRID), "--json"])
    data = json.loads(done.stdout)
    assert list(data) == FIELDS
    for field in (*FIELDS, *data["moves"][0], *data["steps"][0], *data["exact"]):
        assert f"`{field}`" in DOCS.read_text(), field
    assert {move["player"] for move in data["moves"]} == {1, 2}
    one, two = data["given_away"]
    assert data["start"] - one + two + data["luck"] == pytest.approx(data["end"])
    assert told(done.stderr) == ""


def test_the_data_of_a_game_without_chance_is_exact(tmp_path: Path) -> None:
    data = json.loads(piped(["review", saved(tmp_path, SUMQUEST), "--json"]).stdout)
    assert data["exact"] == {"start": "1", "given_away_1": "1", "given_away_2": "1", "luck": "0", "end": "1"}
    assert data["turning_point"] == 4
    assert data["moves"][0] == {
        "number": 1,
        "player": 1,
        "move": "5",
        "before": 1,
        "after": 0,
        "loss": 1,
        "best": ["1", "6"],
        "verdict": "win thrown away",
    }


def test_the_data_counts_hints(tmp_path: Path) -> None:
    path = tmp_path / "game.nq"
    piped(["play", "sumquest", "--record", str(path)], ["hint", "9", "8", "6"])
    assert json.loads(piped(["review", str(path), "--json"]).stdout)["hints"] == [1, 0]


@pytest.mark.parametrize("text", [SUMQUEST, GRID, MYSTIC, '[Game "sumquest"]\n'])
def test_the_picture_is_sound_and_names_both_players(text: str) -> None:
    names = ("Ann & <b>", "Bo \"the\" 'Bold'")
    record = read(text)
    drawn = picture(review(record.match), names)
    root = ElementTree.fromstring(drawn)  # noqa: S314
    said = " ".join("".join(element.itertext()) for element in root.iter(f"{SVG}text"))
    assert f"{names[0]} (Player 1)" in said
    assert f"{names[1]} (Player 2)" in said
    assert "<b>" not in drawn
    moves = len(record.match.history)
    # Shapes tell the players apart, not colour alone: circles and squares, one of each in the key.
    assert len(list(root.iter(f"{SVG}circle"))) + len(list(root.iter(f"{SVG}rect"))) >= 2
    assert ("turning point" in said) == (moves > 0)
    assert "Luck and skill" in said
    assert root.get("viewBox", "").startswith("0 0 480 ")


def test_the_picture_is_written_and_never_over_another_file(tmp_path: Path) -> None:
    game, path = saved(tmp_path, SUMQUEST), tmp_path / "game.svg"
    assert piped(["review", game, "--svg", str(path)]).returncode == 0
    assert path.read_text().startswith("<svg ")
    again = piped(["review", game, "--svg", str(path)])
    assert (again.returncode, again.stdout) == (2, "")
    assert "exists already" in again.stderr
    nowhere = piped(["review", game, "--svg", str(tmp_path / "no" / "where.svg")])
    assert nowhere.returncode == 1
    assert "cannot be written" in nowhere.stderr


def test_a_long_game_still_fits_into_the_chart_and_the_picture() -> None:
    match = Match(read('[Game "sumquest"]\n[Settings "target=999"]\n').match.game)
    while match.moves:
        match.play(match.moves[0])
    found = review(match)
    assert len(found.steps) > 600
    lines = chart(found, ("Ann", "Bo"), 60, lambda text, _: text)
    assert max(map(len, lines)) <= 60
    assert picture(found, ("Ann", "Bo")).count("rotate(") <= 40


def test_a_terminal_gets_a_chart_and_plain_words_have_none(tmp_path: Path) -> None:
    game = saved(tmp_path, SUMQUEST)
    coloured = Terminal(["review", game]).finish()
    assert ANSI.search(coloured)
    assert " 100 % |-" in without_colours(coloured)
    assert "o Ann, x Bo" in without_colours(coloured)
    bare = Terminal(["review", game], {"NO_COLOR": "1"}).finish()
    assert not ANSI.search(bare)
    assert " 100 % |-" in bare
    plain = Terminal(["review", game, "--plain"]).finish()
    assert "|" not in plain
    assert "Ann's chance to win, from the start on: 100 %, 0 %" in plain


def test_a_game_too_large_to_solve_gets_one_sentence(tmp_path: Path) -> None:
    path = saved(tmp_path, '[Game "fifty"]\n[Settings "target=200 copies=4"]\n\n1+\n')
    code = (
        "import sys, numberquest.cli as cli\nfrom numberquest.solver import budget\n"
        f"budget.free_memory = lambda: 10**6\nsys.exit(cli.main(['review', {path!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"numberquest: to solve .* of memory, .*\n", done.stderr)


@pytest.mark.parametrize("text", ["", "nothing", '[Game "chess"]\n'])
def test_what_is_no_record_is_refused(text: str, tmp_path: Path) -> None:
    done = piped(["review", saved(tmp_path, text)])
    assert done.returncode == 1
    assert "is not a record" in done.stderr
    assert piped(["review", str(tmp_path / "none.nq")]).returncode == 1


@pytest.mark.parametrize("text", [SUMQUEST, GRID, MYSTIC])
def test_a_retry_restores_the_position_before_the_mistake_and_keeps_the_deal(text: str) -> None:
    record = read(text)._replace(other=(("Round", "1/3"), ("Points", "0-0"), ("Hints1", "2")))
    mistake = review(record.match).first_mistake()
    assert mistake is not None
    again = before_mistake(record, mistake)
    assert again.match.position == record.match.positions[mistake.at]
    assert again.match.dealer == record.match.dealer
    assert again.match.player == mistake.player
    assert again.other == (("Retry", str(mistake.number)),)
    assert read(again.text()) == again


def test_after_a_resignation_a_retry_goes_on_where_it_was_given_up() -> None:
    record = read('[Game "sumquest"]\n\n1 2 resign-1\n')
    mistake = review(record.match).first_mistake()
    assert mistake is not None
    again = before_mistake(record, mistake)
    assert (again.match.history, again.match.outcome) == (("1", "2"), None)


def test_a_retry_is_played_on_at_the_keyboard(tmp_path: Path) -> None:
    done = piped(["review", saved(tmp_path, SUMQUEST), "--retry"], ["1", "2", "9", "4", "7"])
    assert done.returncode == 0
    assert done.stdout.startswith(
        "Back to move 1, where Ann played 5: win thrown away.\n\nSystem: The current sum is 0."
    )
    assert "Ann reaches 23 and wins" in done.stdout


def test_a_retry_says_that_the_numbers_seen_come_again(tmp_path: Path) -> None:
    path = saved(tmp_path, MYSTIC.replace("add add pass", "add add pass add"))
    done = piped(["review", path, "--retry"], ["1"])
    assert "Back to move 3, where Player 1 played pass: blunder.\n" in done.stdout
    assert "the numbers seen since (1, 2) come up again from the same places: this try is for learning." in done.stdout
    assert "You drew a 4.\n" in done.stdout
    assert "You have reached exactly 9!" in done.stdout


def test_a_retry_can_be_left_and_resumed(tmp_path: Path) -> None:
    left = piped(["review", saved(tmp_path, SUMQUEST), "--retry"], ["1", "quit"])
    way_on = shlex.split(left.stderr.split("numberquest play", 1)[1])
    resumed = piped(["play", *way_on], ["2", "quit"])
    assert "The current sum is 1. Bo, it's your turn." in resumed.stdout
    assert '[Retry "1"]' in Path(way_on[-1]).read_text()


def test_a_retry_is_for_the_mistakes_of_people(tmp_path: Path) -> None:
    text = SUMQUEST.replace('[Player2 "Bo"]', '[Player2 "Bo"]\n[Player1Type "random"]')
    done = piped(["review", saved(tmp_path, text), "--retry"])
    assert done.stdout.startswith("Back to move 4, where Bo played 3")
    text = text.replace('[Player1Type "random"]', '[Player1Type "random"]\n[Player2Type "random"]')
    done = piped(["review", saved(tmp_path, text), "--retry"])
    assert done.returncode == 1
    assert done.stderr == ("numberquest: no person made a mistake in this game, so there is nothing to try again\n")


def test_records_are_equal_when_read_back() -> None:
    record = Record(read(SUMQUEST).match).with_hint(1).with_hint(1).with_hint(0)
    assert record.hints == (1, 2)
    assert read(record.text()) == record
