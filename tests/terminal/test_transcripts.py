"""Whole sessions as text files: the samples of the five documents, and others with all that is shown.

`transcripts/documents` holds the samples as the documents print them; a line of three dots stands where a document
leaves something out. Where a sample opens in the middle of a game, the moves that lead there are played first.

`transcripts/sessions` holds the command, what is typed (`< `), and everything that is shown. After a change of words
that is meant, read the difference and write the files anew: NUMBERQUEST_WRITE_TRANSCRIPTS=1 make test
"""

import os
import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from tests.terminal.session import Terminal, piped, without_colours

DOCUMENTS = Path(__file__).parent.parent / "transcripts" / "documents"
SESSIONS = sorted(DOCUMENTS.with_name("sessions").glob("*.txt"))

YES_NO = "Do you want to declare a prediction? (yes/no): "
PREDICT = "Enter your prediction for the final sum: "
PICK = "Select a number to add to the sequence: "
CELL = "Select a cell (row,column): "
ACTION = "Enter the number of your choice: "
NUMBER, OPERATION = "Select a number: ", "Choose an operation (+, -, *, /): "


# The arguments, and the answers with the questions that they are given to.
SAMPLES = {
    "showdown": (
        ["showdown"],
        [
            *((YES_NO, "no"), (PICK, "5")),
            *((YES_NO, "yes"), (PREDICT, "30"), (PICK, "9")),
            *((YES_NO, "yes"), (PREDICT, "35"), (PICK, "8")),
            *((PICK, number) for number in "764321"),
        ],
    ),
    "fifty": (
        ["fifty"],
        [answer for move in ("5+", "2*", "9+", "8+", "6*") for answer in ((NUMBER, move[0]), (OPERATION, move[1]))],
    ),
    "grid": (["grid", "--deal", "4,2,3,1,5,6,9,7,8"], [(CELL, cell) for cell in ("2,2", "1,3", "3,1", "2,1", "1,2")]),
    "sumquest": (["sumquest"], [(f"Player {1 + at % 2} Input: ", number) for at, number in enumerate("7574")]),
    "mystic": (["mystic", "--deal", "3,7,1,5,2,8,9,4,6,2,5,7,1,6,8,9,4,3"], [(ACTION, choice) for choice in "1113113"]),
}


def passages(slug: str) -> list[str]:
    """The document's sample, in the pieces between what it leaves out."""
    return [piece.strip("\n") for piece in (DOCUMENTS / f"{slug}.txt").read_text().split("\n...\n")]


def played_at_a_terminal(slug: str, *options: str) -> str:
    arguments, answers = SAMPLES[slug]
    terminal = Terminal(["play", *arguments, *options])
    for prompt, text in answers:
        terminal.answer(prompt, text)
    if "--plain" not in options:
        terminal.answer("See how it went? (yes/no): ", "no")
    shown = terminal.finish()
    assert terminal.code == 0
    return shown


@cache
def played_in_a_pipe(slug: str, *options: str) -> str:
    arguments, answers = SAMPLES[slug]
    done = piped(["play", *arguments, *options], [text for _, text in answers])
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("slug", SAMPLES)
def test_a_session_in_a_pipe_is_exactly_the_document_s(slug: str) -> None:
    shown = played_in_a_pipe(slug)
    for passage in passages(slug):
        assert f"\n{passage}\n" in f"\n{shown}"
    if slug in ("grid", "mystic"):
        assert shown.strip("\n") == "\n".join(passages(slug)), "these two documents show a whole game"


@pytest.mark.parametrize("slug", SAMPLES)
def test_plain_words_are_the_document_s_wherever_they_are_shown_and_tell_where_the_game_stands(slug: str) -> None:
    shown = played_in_a_pipe(slug, "--plain")
    assert shown == played_at_a_terminal(slug, "--plain")
    assert "\x1b" not in shown
    lines = iter(shown.split("\n"))
    for line in played_in_a_pipe(slug).split("\n"):
        assert line in lines, f"{line!r} is missing, or not in its place"
    turns = len(SAMPLES[slug][1]) // (2 if slug == "fifty" else 1)
    if slug in ("fifty", "grid", "mystic"):
        for player in (1, 2):
            assert len(re.findall(rf"^Player {player}: \d+ of \d+$", shown, re.MULTILINE)) == turns + 1
    if slug == "grid":
        assert shown.count("[ ][ ][ ]\n[ ][ ][ ]\n[ ][ ][ ]\n") == 1
        assert shown.count("[ ][ ][3]\n[ ][5][ ]\n[ ][ ][ ]\n") == 1


@pytest.mark.parametrize("slug", SAMPLES)
def test_a_colour_terminal_shows_every_line_of_the_document_in_its_order(slug: str) -> None:
    shown = played_at_a_terminal(slug)
    assert "\x1b[" in shown
    lines = iter(without_colours(shown).split("\n"))
    for passage in passages(slug):
        for expected in passage.split("\n"):
            assert expected in lines, f"{expected!r} is missing, or not in its place"


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_the_session_reads_as_written_down(path: Path) -> None:
    head, _, expected = path.read_text().partition("\n\n")
    command, *typed = head.split("\n")
    arguments = shlex.split(command.removeprefix("$ numberquest"))
    done = piped(arguments, [line.removeprefix("<").removeprefix(" ") for line in typed])
    messages = re.sub(
        r"Go on with: .* play (\w+) --resume \S+", r"Go on with: numberquest play \1 --resume FILE", done.stderr
    )
    messages = re.sub(r"[0-9a-f]{16,}", "…", messages)
    shown = done.stdout + (f"-- messages --\n{messages}" if messages else "")
    if os.environ.get("NUMBERQUEST_WRITE_TRANSCRIPTS"):
        path.write_text(f"{head}\n\n{shown}")
    assert shown == expected
    assert done.returncode == 0


def test_there_are_sessions_of_every_game() -> None:
    assert {path.stem.split("-")[0] for path in SESSIONS} >= set(SAMPLES)
