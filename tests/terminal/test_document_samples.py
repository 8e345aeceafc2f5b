"""The sample sessions of the five documents show the documents' lines: in a pipe alone, and among others at a terminal.

`transcripts/documents` holds the samples as the documents print them; a line of three dots stands
where a document leaves something out. Where a sample opens in the middle of a game, the moves that
lead there are played first.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.terminal.session import Terminal, piped, without_colours

DOCUMENTS = Path(__file__).parent.parent / "transcripts" / "documents"

YES_NO = "Do you want to declare a prediction? (yes/no): "
PREDICT = "Enter your prediction for the final sum: "
PICK = "Select a number to add to the sequence: "
CELL = "Select a cell (row,column): "
ACTION = "Enter the number of your choice: "
NUMBER, OPERATION = "Select a number: ", "Choose an operation (+, -, *, /): "


class Sample(NamedTuple):
    arguments: list[str]
    answers: list[tuple[str, str]]


SAMPLES = {
    "showdown": Sample(
        ["showdown"],
        [
            *((YES_NO, "no"), (PICK, "5")),
            *((YES_NO, "yes"), (PREDICT, "30"), (PICK, "9")),
            *((YES_NO, "yes"), (PREDICT, "35"), (PICK, "8")),
            *((PICK, number) for number in "764321"),
        ],
    ),
    "fifty": Sample(
        ["fifty"],
        [
            *((NUMBER, "5"), (OPERATION, "+")),
            *((NUMBER, "2"), (OPERATION, "*")),
            *((NUMBER, "9"), (OPERATION, "+")),
            *((NUMBER, "8"), (OPERATION, "+")),
            *((NUMBER, "6"), (OPERATION, "*")),
        ],
    ),
    "grid": Sample(
        ["grid", "--deal", "4,2,3,1,5,6,9,7,8"], [(CELL, cell) for cell in ("2,2", "1,3", "3,1", "2,1", "1,2")]
    ),
    "sumquest": Sample(
        ["sumquest"],
        [(f"Player {player} Input: ", number) for player, number in ((1, "7"), (2, "5"), (1, "7"), (2, "4"))],
    ),
    "mystic": Sample(
        ["mystic", "--deal", "3,7,1,5,2,8,9,4,6,2,5,7,1,6,8,9,4,3"], [(ACTION, choice) for choice in "1113113"]
    ),
}


def passages(slug: str) -> list[str]:
    """The document's sample, in the pieces between what it leaves out."""
    return [piece.strip("\n") for piece in (DOCUMENTS / f"{slug}.txt").read_text().split("\n...\n")]


def played_at_a_terminal(slug: str, *options: str) -> str:
    sample = SAMPLES[slug]
    terminal = Terminal(["play", *sample.arguments, *options])
    for prompt, text in sample.answers:
        terminal.answer(prompt, text)
    if "--plain" not in options:
        terminal.answer("See how it went? (yes/no): ", "no")
    shown = terminal.finish()
    assert terminal.code == 0
    return shown


@cache
def played_in_a_pipe(slug: str, *options: str) -> str:
    sample = SAMPLES[slug]
    done = piped(["play", *sample.arguments, *options], [text for _, text in sample.answers])
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("slug", SAMPLES)
def test_a_session_in_a_pipe_is_exactly_the_document_s(slug: str) -> None:
    shown = played_in_a_pipe(slug)
    for passage in passages(slug):
        assert f"\n{passage}\n" in f"\n{shown}"


@pytest.mark.parametrize("slug", SAMPLES)
def test_plain_words_are_the_same_at_a_terminal_and_in_a_pipe(slug: str) -> None:
    assert played_in_a_pipe(slug, "--plain") == played_at_a_terminal(slug, "--plain")


@pytest.mark.parametrize("slug", SAMPLES)
def test_plain_words_are_the_document_s_and_tell_at_every_turn_where_the_game_stands(slug: str) -> None:
    shown = played_in_a_pipe(slug, "--plain")
    assert "\x1b" not in shown
    lines = iter(shown.split("\n"))
    for line in played_in_a_pipe(slug).split("\n"):
        assert line in lines, f"{line!r} is missing, or not in its place"
    turns = len(SAMPLES[slug].answers) // (2 if slug == "fifty" else 1)
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


@pytest.mark.parametrize("slug", ["grid", "mystic"])
def test_samples_that_show_a_whole_game_are_the_whole_session(slug: str) -> None:
    assert played_in_a_pipe(slug).strip("\n") == "\n".join(passages(slug))
