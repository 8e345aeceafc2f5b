"""`review` and `verify` of many records, of standard input, and as one table."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from numberquest.core.record import read
from numberquest.explain.review import review
from numberquest.terminal.commands.review import COLUMNS
from tests.terminal.session import piped, told

DOCS = Path(__file__).parent.parent.parent / "docs" / "review.md"
SUMQUEST = '[Game "sumquest"]\n[Player1 "Ann"]\n[Player2 "Bo"]\n[Date "2026-11-16"]\n\n5 9 1 3 5\n'
GRID = '[Game "grid"]\n[Settings "side=2 target=6 stand=yes"]\n[Deal "4,3,1,2"]\n\n1,1 1,2 stand\n'


def saved(folder: Path, *texts: str) -> list[str]:
    """Files with these texts, in their order."""
    paths = [folder / f"{number}.nq" for number in range(1, len(texts) + 1)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return list(map(str, paths))


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_many_are_reviewed_one_after_the_other_each_under_its_name(tmp_path: Path) -> None:
    one, two = saved(tmp_path, SUMQUEST, GRID)
    done = piped(["review", one, two])
    alone = [piped(["review", path]).stdout for path in (one, two)]
    assert (done.returncode, told(done.stderr)) == (0, "")
    assert done.stdout == f"{one}:\n{alone[0]}\n{two}:\n{alone[1]}"


def test_standard_input_is_a_record_like_any_other(tmp_path: Path) -> None:
    (path,) = saved(tmp_path, SUMQUEST)
    assert piped(["review", "-"], SUMQUEST.encode()).stdout == piped(["review", path]).stdout
    assert piped(["verify", "-"], SUMQUEST.encode()).stdout.startswith("-: a game of sumquest that keeps the rules.\n")
    bad = piped(["review", "-"], b"nothing")
    assert (bad.returncode, bad.stdout) == (1, "")
    assert "standard input is not a record: line 1: " in bad.stderr
    assert "--retry asks at the keyboard" in piped(["review", "-", "--retry"], SUMQUEST.encode()).stderr


def test_many_as_data_are_a_list_with_the_files(tmp_path: Path) -> None:
    one, two = saved(tmp_path, SUMQUEST, GRID)
    data = json.loads(piped(["review", one, two, "--json"]).stdout)
    assert [each["file"] for each in data] == [one, two]
    alone = json.loads(piped(["review", one, "--json"]).stdout)
    assert data[0] == {"file": one, **alone}


def test_the_table_has_a_row_for_every_move_of_every_game(tmp_path: Path) -> None:
    one, two = saved(tmp_path, SUMQUEST, GRID)
    done = piped(["review", one, two, "--csv"])
    found = rows(done.stdout)
    assert (done.returncode, told(done.stderr)) == (0, "")
    assert tuple(found[0]) == COLUMNS
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
    assert found[0] | {"best": "", "file": ""} == {
        "file": "",
        "date": "2026-11-16",
        "game": "sumquest",
        "settings": "target=23 high=9",
        "result": "1-0",
        "number": "1",
        "player": "1",
        "name": "Ann",
        "type": "human",
        "move": "5",
        "before": "1.0",
        "after": "0.0",
        "loss": "1.0",
        "best": "",
        "verdict": "win thrown away",
        "accuracy": "50.0",
    }


def test_the_columns_of_the_table_are_described() -> None:
    assert [column for column in COLUMNS if f"`{column}`" not in DOCS.read_text()] == []


def test_no_name_in_the_table_is_taken_for_a_formula(tmp_path: Path) -> None:
    paths = saved(tmp_path, SUMQUEST.replace("Ann", "=1+1").replace('"Bo"', '"@Bo, \\"the\\""'))
    found = rows(piped(["review", *paths, "--csv"]).stdout)
    assert [row["name"] for row in found[:2]] == ["'=1+1", '\'@Bo, "the"']


@pytest.mark.parametrize("command", [["review"], ["review", "--csv"], ["review", "--json"], ["verify"]])
def test_one_bad_file_does_not_keep_the_others_back(command: list[str], tmp_path: Path) -> None:
    one, bad, two = saved(tmp_path, SUMQUEST, "nothing", GRID)
    done = piped([*command, one, bad, two])
    assert done.returncode == 1
    good = piped([*command, one, two])
    assert done.stdout == good.stdout
    assert told(done.stderr) == (
        f'numberquest: {bad} is not a record: line 1: there is no [Game "…"] tag, so this is no record of a game\n'
        "numberquest: 1 of 3 files could not be read as a record\n"
    )


def test_every_record_is_verified(tmp_path: Path) -> None:
    one, two = saved(tmp_path, SUMQUEST, GRID)
    done = piped(["verify", one, two])
    assert done.returncode == 0
    assert done.stdout == (
        f"{one}: a game of sumquest that keeps the rules.\nNothing is hidden in this game.\n"
        f"{two}: a game of grid that keeps the rules.\nThe hidden numbers were written down, not sealed beforehand.\n"
    )


def test_a_picture_is_written_over_only_where_that_is_said(tmp_path: Path) -> None:
    (path,) = saved(tmp_path, SUMQUEST)
    picture = tmp_path / "game.svg"
    picture.write_text("mine")
    refused = piped(["review", path, "--svg", str(picture)])
    assert (refused.returncode, picture.read_text()) == (2, "mine")
    assert "exists already; choose another name for the picture, or say --force" in refused.stderr
    assert piped(["review", path, "--svg", str(picture), "--force"]).returncode == 0
    assert picture.read_text().startswith("<svg")
