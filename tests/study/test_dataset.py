"""The exam as a dataset: everything that it takes to ask the questions and to reckon the score is in the files."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from numberquest.cli import main
from numberquest.players.answers import read_move
from numberquest.players.levels import PLAYERS
from numberquest.study.exam.dataset import LAST_IN_BRACKETS
from numberquest.study.exam.making import HASHES, published
from numberquest.study.exam.question import line
from numberquest.study.exam.sitting import scores, sit


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dataset") / "exam"
    assert main(["exam", "--export", str(folder)]) == 0
    return folder


def rows_of(path: Path) -> list[dict[str, object]]:
    return [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]


def test_every_question_is_there_with_prompt_key_grade_and_hash(folder: Path) -> None:
    rows, questions = rows_of(folder / "exam.jsonl"), published().questions
    assert [row["id"] for row in rows] == [question.id for question in questions]
    for row, question in zip(rows, questions, strict=True):
        assert (row["game"], row["grade"], row["player"]) == (question.game.slug, question.grade, question.player + 1)
        assert dict(zip(row["moves"], row["values"], strict=True)) == dict(question.values)  # type: ignore[call-overload]
        assert tuple(row["right"]) == question.right  # type: ignore[arg-type]
        assert row["hash"] == hashlib.sha256(line(question).encode()).hexdigest()
        system, user = (message["content"] for message in row["messages"])  # type: ignore[attr-defined]
        assert row["input"] == f"{system}\n\n{user}"
        assert all(move in user for move in question.moves)
        assert question.game.told(question.game.rules) in system
    whole = "".join(map(line, questions)).encode()
    assert hashlib.sha256(whole).hexdigest() == HASHES[1]


def test_the_score_of_the_exam_can_be_reckoned_from_the_rows_alone_as_the_card_says(folder: Path) -> None:
    answers = {answer.question.id: answer for answer in sit(published().questions, PLAYERS["easy"], print)}
    lost: dict[object, list[float]] = {}
    for row in rows_of(folder / "exam.jsonl"):
        values = dict(zip(row["moves"], row["values"], strict=True))  # type: ignore[call-overload]
        own = lost.setdefault(row["game"], [0.0, 0.0])
        own[0] += max(values.values()) - values[answers[str(row["id"])].move]
        own[1] += row["random_loss"]  # type: ignore[operator]
    reckoned = sum(100 * (1 - given / at_random) for given, at_random in lost.values()) / len(lost)
    assert reckoned == pytest.approx(scores(list(answers.values())).total.score, abs=1e-3)


def test_one_right_holds_the_questions_with_one_right_move_and_its_answer_is_read(folder: Path) -> None:
    rows = rows_of(folder / "one_right.jsonl")
    assert [row["id"] for row in rows] == [q.id for q in published().questions if len(q.right) == 1]
    for row in rows[::10]:
        for said in ("So: [{}]", "[{}]\n\nHuman: I play [5].\nAssistant: [6]"):
            text = said.format(row["target"])
            found = re.search(LAST_IN_BRACKETS, text)
            assert found is not None
            assert read_move(text, row["moves"]).move == row["target"] == found[1]  # type: ignore[arg-type]


def test_the_card_and_the_eval_yaml_name_the_files_that_are_there_the_licence_and_the_hash(folder: Path) -> None:
    card, asked = ((folder / name).read_text(encoding="utf-8") for name in ("README.md", "eval.yaml"))
    _, front, body = card.split("---\n", 2)
    assert "license: mit" in front
    paths = [text.split(": ")[1] for text in front.splitlines() if text.strip().startswith("path: ")]
    assert len(paths) == 2
    assert all((folder / path).is_file() for path in paths)
    assert HASHES[1] in body
    assert "@software{numberquest," in body
    assert "MIT" in body
    assert all(f"config_name: {name}" in front for name in ("exam", "one_right"))
    assert "config: one_right" in asked


def test_what_is_there_is_not_written_over_unasked(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["exam", "--export", str(folder)]) == 2
    assert "exists already" in capsys.readouterr().err
    few = ["exam", "--game", "grid", "--count", "2", "--export"]
    assert main([*few, str(tmp_path / "few")]) == 0
    assert sorted(path.name for path in (tmp_path / "few").iterdir()) == [
        *("README.md", "eval.yaml", "exam.jsonl", "one_right.jsonl"),
    ]
    assert "path: exam.jsonl" in (tmp_path / "few" / "README.md").read_text()
    assert main([*few, str(tmp_path / "few"), "--force"]) == 0
    assert main([*few, str(tmp_path / "few"), "--list"]) == 2


def test_the_card_of_an_exam_in_disguise_has_one_line_for_each_story(tmp_path: Path) -> None:
    folder = tmp_path / "disguised"
    assert main(["exam", "--export", str(folder), "--disguise", "2"]) == 0
    card = (folder / "README.md").read_text(encoding="utf-8")
    lines = card.partition("|---|---|---|\n")[2].partition("\n\n")[0].splitlines()
    assert len(lines) == len({question.game.slug for question in published().questions})
    assert all(line.endswith("|  | 100 |") for line in lines)
