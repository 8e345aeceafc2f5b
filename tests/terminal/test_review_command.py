"""`review FILE...`: words, data, a picture or a table of one game or many, and going back to the first mistake."""

import csv
import io
import json
import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from numberquest.core.match import Match
from numberquest.core.record import read
from numberquest.explain.review import review
from numberquest.terminal.commands.review import COLUMNS
from numberquest.terminal.commands.review_chart import chart, picture
from numberquest.terminal.commands.review_words import before_mistake, rows, table
from tests.terminal.session import ANSI, Terminal, at_forty, piped, sum_quest, told, way_on, without_colours

DOCS = Path(__file__).parent.parent.parent / "docs" / "review.md"
SVG = "{http://www.w3.org/2000/svg}"
SUMQUEST = '[Game "sumquest"]\n[Player1 "Ann"]\n[Player2 "Bo"]\n[Date "2026-11-16"]\n\n5 9 1 3 5\n'
GRID = '[Game "grid"]\n[Settings "side=2 target=6 stand=yes"]\n[Deal "4,3,1,2"]\n\n1,1 1,2 stand\n'
MYSTIC = '[Game "mystic"]\n[Settings "target=9 high=5 copies=1"]\n[Deal "5,3,4,1,2"]\n\nadd add pass\n'
FIELDS = [
    "game",
    "settings",
    "names",
    "result",
    "hints",
    "start",
    "end",
    "given_away",
    "luck",
    "exact",
    "accuracy",
    "key_moments",
]
FIELDS += ["moves", "steps", "turning_point"]


Reviewed = Callable[..., subprocess.CompletedProcess[str]]


def saved(folder: Path, *texts: str) -> list[str]:
    """Files with these texts, in their order."""
    paths = [folder / f"{number}.nq" for number in range(1, len(texts) + 1)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return list(map(str, paths))


@pytest.fixture
def reviewed(tmp_path: Path) -> Reviewed:
    """Runs `review` over the record of one game."""

    def run(text: str, *options: str, typed: Sequence[str] = (), code: int = 0) -> subprocess.CompletedProcess[str]:
        return piped(["review", *saved(tmp_path, text), *options], typed, code=code)

    return run


def test_the_worked_example_in_the_docs_is_true(reviewed: Reviewed) -> None:
    text = DOCS.read_text()
    game, shown = re.findall(r"```\n(.*?)```", text, re.DOTALL)[:2]
    assert reviewed(game).stdout == shown
    record = read(game)
    assert DOCS.with_name("review.svg").read_text() == picture(review(record.match), record.names)


def test_a_game_without_chance_in_words(reviewed: Reviewed) -> None:
    done = reviewed(SUMQUEST)
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
        "Key moments, where at least half of the moves are mistakes: Ann found 1 of 2, Bo found 1 of 2.\n"
        "\n"
        "Move 1, Ann played 5.\n"
        "0 + 5 = 5. The answer 7 leaves 12, from which every move loses.\n"
        "Best was 1 or 6: 0 + 1 = 1. Leave 1: whatever Bo may add, Ann can leave 12.\n"
        "\n"
        "Move 4, Bo played 3.\n"
        "15 + 3 = 18. The answer 5 wins: 18 + 5 = 23.\n"
        "Best was 4 or 8: 15 + 8 = 23: exactly 23.\n"
        "\n"
        "Luck and skill\n"
        "Ann could win from the start, whatever the other did.\n"
        "Ann threw the win away once, Bo once.\n"
        "There is no luck in this game: every change came from a move.\n"
    )
    assert done.stderr.startswith("To go back to the first mistake and play on from there: ")


def test_the_shown_numbers_of_luck_and_skill_add_up(reviewed: Reviewed) -> None:
    for text in (GRID, MYSTIC):
        shown = reviewed(text).stdout
        found = re.search(r"^([\d.]+) - ([\d.]+) \+ ([\d.]+) ([+-]) ([\d.]+) = ([\d.]+)", shown, re.MULTILINE)
        assert found is not None, shown
        start, one, two, luck, end = (float(found[at]) for at in (1, 2, 3, 5, 6))
        assert start - one + two + (luck if found[4] == "+" else -luck) == pytest.approx(end)


def test_a_game_that_goes_on_is_reviewed_as_far_as_it_goes(reviewed: Reviewed) -> None:
    done = reviewed('[Game "sumquest"]\n\n1 2\n')
    assert told(done.stderr) == ""
    assert "The game is not over yet." in done.stdout
    assert "Nothing has changed so far." in done.stdout
    done = reviewed('[Game "sumquest"]\n')
    assert done.stdout.endswith("No move has been made, so there is nothing to review.\n")
    assert ": that is where the game stands.\n" in reviewed(MYSTIC).stdout
    # A resignation is judged too.
    shown = reviewed('[Game "sumquest"]\n\n5 resign-2\n').stdout
    assert " 2  Player 2  resign  100 %   0 %    win thrown away  7 or 9\n" in shown
    assert "The turning point was move 2: Player 2 resigned and threw the win away." in shown


def test_the_data_has_the_documented_fields_and_is_exact_without_chance(reviewed: Reviewed) -> None:
    done = reviewed(GRID, "--json")
    data = json.loads(done.stdout)
    assert list(data) == FIELDS
    for field in (*FIELDS, *data["moves"][0], *data["steps"][0], *data["exact"]):
        assert f"`{field}`" in DOCS.read_text(), field
    assert {move["player"] for move in data["moves"]} == {1, 2}
    one, two = data["given_away"]
    assert data["start"] - one + two + data["luck"] == pytest.approx(data["end"])
    assert told(done.stderr) == ""
    data = json.loads(reviewed(SUMQUEST, "--json").stdout)
    assert data["exact"] == {"start": "1", "given_away_1": "1", "given_away_2": "1", "luck": "0", "end": "1"}
    assert data["turning_point"] == 4
    first = {"number": 1, "player": 1, "move": "5", "before": 1, "after": 0, "loss": 1, "best": ["1", "6"]}
    assert data["key_moments"] == [{"found": 1, "of": 2}, {"found": 1, "of": 2}]
    why = "0 + 5 = 5. The answer 7 leaves 12, from which every move loses."
    assert data["moves"][0].pop("why").startswith(f"{why} Best was 1 or 6: 0 + 1 = 1. Leave 1: ")
    assert data["moves"][0] == {**first, "verdict": "win thrown away", "key": True}
    record = read(SUMQUEST).with_hint(1).with_hint(1).with_hint(0)
    assert (record.hints, read(record.text())) == ((1, 2), record)
    assert json.loads(reviewed(record.text(), "--json").stdout)["hints"] == [1, 2]


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
    (game,) = saved(tmp_path, SUMQUEST)
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


@pytest.mark.parametrize("text", [SUMQUEST, GRID, MYSTIC, '[Game "sumquest"]\n\n1 2 resign-1\n'])
def test_a_retry_restores_the_position_before_the_mistake_and_keeps_the_deal(text: str) -> None:
    record = read(text)._replace(other=(("Round", "1/3"), ("Points", "0-0"), ("Hints1", "2")))
    mistake = review(record.match).first_mistake()
    assert mistake is not None
    again = before_mistake(record, mistake)
    assert again.match.position == record.match.positions[mistake.at]
    assert again.match.dealer == record.match.dealer
    assert again.match.player == mistake.player
    assert (again.match.history, again.match.outcome) == (record.match.history[: mistake.at], None)
    assert again.other == (("Retry", str(mistake.number)),)
    assert read(again.text()) == again


def test_a_retry_is_played_on_at_the_keyboard_and_can_be_left_and_resumed(reviewed: Reviewed) -> None:
    shown = reviewed(SUMQUEST, "--retry", typed=["1", "2", "9", "4", "7"]).stdout
    assert shown.startswith("Back to move 1, where Ann played 5: win thrown away.\n\nSystem: The current sum is 0.")
    assert "Ann reaches 23 and wins" in shown
    again = way_on(reviewed(SUMQUEST, "--retry", typed=["1", "quit"]).stderr)
    assert "The current sum is 1. Bo, it's your turn." in piped(again, ["2", "quit"]).stdout
    assert '[Retry "1"]' in Path(again[-1]).read_text()


def test_a_retry_says_that_the_numbers_seen_come_again(reviewed: Reviewed) -> None:
    shown = reviewed(MYSTIC.replace("add add pass", "add add pass add"), "--retry", typed=["1"]).stdout
    assert "Back to move 3, where Player 1 played pass: blunder.\n" in shown
    assert "the numbers seen since (1, 2) come up again from the same places: this try is for learning." in shown
    assert "You drew a 4.\n" in shown
    assert "You have reached exactly 9!" in shown


def test_a_retry_is_for_the_mistakes_of_people(reviewed: Reviewed) -> None:
    text = SUMQUEST.replace('[Player2 "Bo"]', '[Player2 "Bo"]\n[Player1Type "random"]')
    assert reviewed(text, "--retry").stdout.startswith("Back to move 4, where Bo played 3")
    text = text.replace('[Player1Type "random"]', '[Player1Type "random"]\n[Player2Type "random"]')
    refused = reviewed(text, "--retry", code=1).stderr
    assert refused == "numberquest: no person made a mistake in this game, so there is nothing to try again\n"


def cells(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_many_are_reviewed_one_after_the_other_each_under_its_name(tmp_path: Path) -> None:
    one, two = saved(tmp_path, SUMQUEST, GRID)
    done = piped(["review", one, two])
    alone = [piped(["review", path]).stdout for path in (one, two)]
    assert (done.returncode, told(done.stderr)) == (0, "")
    assert done.stdout == f"{one}:\n{alone[0]}\n{two}:\n{alone[1]}"
    data = json.loads(piped(["review", one, two, "--json"]).stdout)
    assert data == [{"file": path, **json.loads(piped(["review", path, "--json"]).stdout)} for path in (one, two)]


def test_standard_input_is_a_record_like_any_other(tmp_path: Path) -> None:
    (path,) = saved(tmp_path, SUMQUEST)
    assert piped(["review", "-"], SUMQUEST.encode()).stdout == piped(["review", path]).stdout
    assert piped(["verify", "-"], SUMQUEST.encode()).stdout.startswith("-: a game of sumquest that keeps the rules.\n")
    bad = piped(["review", "-"], b"nothing")
    assert (bad.returncode, bad.stdout) == (1, "")
    assert "standard input is not a record: line 1: " in bad.stderr
    assert "--retry asks at the keyboard" in piped(["review", "-", "--retry"], SUMQUEST.encode()).stderr


def test_the_table_has_a_row_for_every_move_of_every_game(tmp_path: Path) -> None:
    one, two = saved(tmp_path, SUMQUEST, GRID)
    done = piped(["review", one, two, "--csv"])
    found = cells(done.stdout)
    assert (done.returncode, told(done.stderr)) == (0, "")
    assert tuple(found[0]) == COLUMNS
    assert [column for column in COLUMNS if f"`{column}`" not in DOCS.read_text()] == []
    expected = [
        (path, verdict) for path, text in ((one, SUMQUEST), (two, GRID)) for verdict in review(read(text).match)
    ]
    assert [(row["file"], row["move"], row["verdict"]) for row in found] == [
        (path, verdict.move, verdict.verdict) for path, verdict in expected
    ]
    for row, (_, verdict) in zip(found, expected, strict=True):
        assert float(row["before"]) - float(row["after"]) == pytest.approx(float(row["loss"]))
        assert float(row["loss"]) == float(verdict.loss)
        assert row["player"] == str(verdict.player + 1)
    match = {"date": "2026-11-16", "game": "sumquest", "settings": "target=23 high=9", "result": "1-0"}
    mover = {"number": "1", "player": "1", "name": "Ann", "type": "human", "key": "yes", "key_moments": "1 of 2"}
    move = {"move": "5", "before": "1.0", "after": "0.0", "loss": "1.0", "verdict": "win thrown away"}
    assert found[0] | {"best": "", "file": "", "why": ""} == {
        "file": "",
        **match,
        **mover,
        **move,
        "best": "",
        "why": "",
    }
    assert found[0]["why"].startswith("0 + 5 = 5. The answer 7 leaves 12")
    # No name is taken for a formula.
    paths = saved(tmp_path, SUMQUEST.replace("Ann", "=1+1").replace('"Bo"', '"@Bo, \\"the\\""'))
    found = cells(piped(["review", *paths, "--csv"]).stdout)
    assert [row["name"] for row in found[:2]] == ["'=1+1", '\'@Bo, "the"']


@pytest.mark.parametrize("command", [["review"], ["review", "--csv"], ["review", "--json"], ["verify"]])
def test_one_bad_file_does_not_keep_the_others_back(command: list[str], tmp_path: Path) -> None:
    one, bad, two = saved(tmp_path, SUMQUEST, "nothing", GRID)
    done = piped([*command, one, bad, two], code=1)
    assert done.stdout == piped([*command, one, two]).stdout
    assert told(done.stderr) == (
        f'numberquest: {bad} is not a record: line 1: there is no [Game "…"] tag, so this is no record of a game\n'
        "numberquest: 1 of 3 files could not be read as a record\n"
    )


def test_every_record_is_verified(tmp_path: Path) -> None:
    one, two = saved(tmp_path, SUMQUEST, GRID)
    done = piped(["verify", one, two], code=0)
    assert done.stdout == (
        f"{one}: a game of sumquest that keeps the rules.\nNothing is hidden in this game.\n"
        f"{two}: a game of grid that keeps the rules.\nThe hidden numbers were written down, not sealed beforehand.\n"
    )


def test_a_picture_is_written_and_over_another_file_only_where_that_is_said(reviewed: Reviewed, tmp_path: Path) -> None:
    picture = tmp_path / "game.svg"
    reviewed(SUMQUEST, "--svg", str(picture))
    assert picture.read_text().startswith("<svg ")
    picture.write_text("mine")
    refused = reviewed(SUMQUEST, "--svg", str(picture), code=2)
    assert (refused.stdout, picture.read_text()) == ("", "mine")
    assert "exists already; choose another name for the picture, or say --force" in refused.stderr
    reviewed(SUMQUEST, "--svg", str(picture), "--force")
    assert picture.read_text().startswith("<svg")


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


@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_a_review_fits_a_narrow_terminal_with_every_move_whole(plain: list[str], tmp_path: Path) -> None:
    record = read(MYSTIC)
    shown = at_forty("review", *saved(tmp_path, MYSTIC), *plain)
    expected = rows(review(record.match), record.names)
    listed = table(expected, 40)
    assert max(map(len, listed)) <= 40
    assert all(line in shown for line in listed)
    for row in expected:
        assert any(f"{row.player}: {row.move}" in line for line in listed)
        assert any(f"{row.before} → {row.after}, {row.verdict}" in line for line in listed)
    # Where there is room it is a table.
    assert table(expected, 200) == table(expected)


def test_quit_where_the_review_is_offered_is_a_no_and_the_way_to_retry_is_folded(tmp_path: Path) -> None:
    path = tmp_path / "game.nq"
    terminal = sum_quest("1769", "--record", str(path))
    terminal.answer("See how it went? (yes/no): ", "q")
    assert "Please answer yes or no." not in terminal.finish()
    shown = at_forty("review", str(path))
    at = shown.index("To go back to the first mistake and play")
    assert shown[at + 1].startswith("on from there:")


def test_at_a_narrow_terminal_a_class_is_a_list_of_whole_lines(tmp_path: Path) -> None:
    paths = saved(tmp_path, SUMQUEST.replace('"Bo"', '"Bartholomew of the Hill"'))
    shown = at_forty("review", *paths, "--by", "player")
    assert shown[:2] == ["Ann: games 1, won 1, key moments 1 of 2,", "mistakes 1"]
    assert not any(line.startswith("Player ") for line in shown)


def test_a_class_has_a_row_for_every_pupil_and_its_commonest_slips(tmp_path: Path) -> None:
    texts = [SUMQUEST.replace('"Bo"', f'"{name}"') for name in ("Bo", "Cy", "=1+1")]
    paths = saved(tmp_path, *texts, GRID)
    shown = piped(["review", *paths, "--by", "player"]).stdout.split("\n")
    assert [line.split() for line in shown[:3]] == [
        ["Player", "Games", "Won", "Key", "moments", "Mistakes"],
        ["=1+1", "1", "0", "1", "of", "2", "1"],
        ["Ann", "3", "3", "3", "of", "6", "3"],
    ]
    slip = shown.index("3 times in Sum Quest: Race to 23: 5, where it stood Sum: 0 of 23; Barred now: no number.")
    assert slip > shown.index("The commonest slips")
    assert shown[slip + 1].startswith(
        "0 + 5 = 5. The answer 7 leaves 12, from which every move loses. Best was 1 or 6: "
    )
    table = cells(piped(["review", *paths, "--by", "player", "--csv"]).stdout)
    assert table[1] == {"name": "Ann", "games": "3", "won": "3", "key_moments": "3 of 6", "mistakes": "3"}
    assert table[0]["name"] == "'=1+1"
    assert "No mistake was made twice." in piped(["review", paths[0], "--by", "player"]).stdout
    assert "--by can only be player, not game" in piped(["review", *paths, "--by", "game"], code=2).stderr
    assert "leave --retry, --json and --svg out" in piped(["review", *paths, "--by", "player", "--json"], code=2).stderr
    machines = SUMQUEST.replace("[Date", '[Player1Type "easy"]\n[Player2Type "easy"]\n[Date')
    only = piped(["review", *saved(tmp_path, machines), "--by", "player"]).stdout
    assert only == "Nobody but computers played these games.\n"
