"""Which move an answer in words means: lenient about how it is written, strict about which one it is."""

from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberquest as nq
from numberquest.players.answers import LONGEST, Reading, read_move
from tests.players.readings import READINGS
from tests.strategies import KINDS

ALLOWED = {
    # In this one 5 is barred.
    "sumquest": ("1", "2", "3", "4", "6", "7", "8", "9"),
    "mystic": ("add", "subtract", "pass"),
}


def meant(slug: str, said: str) -> Reading:
    game = nq.game(slug)
    return read_move(said, ALLOWED.get(slug, game.actions), game.actions)


def test_every_answer_of_the_table_means_what_is_written_there() -> None:
    assert sum(map(len, READINGS.values())) >= 150
    for slug, cases in READINGS.items():
        match = nq.Match(nq.game(slug), seed=1)
        for said, move in cases.items():
            found = read_move(said, match.moves, match.game.actions)
            assert found.move == move, (slug, said, found.why)


@pytest.mark.parametrize("said", ["5 is barred, so 7", "I choose [7] because [5] is barred"])
def test_what_is_barred_may_be_mentioned(said: str) -> None:
    assert meant("sumquest", said) == Reading("7")


@pytest.mark.parametrize(
    ("slug", "said", "why"),
    [
        ("sumquest", "", "the answer is empty"),
        ("sumquest", "<think>It should be [9]", "the answer is empty"),
        ("sumquest", "I do not know.", "names no allowed move; allowed is 1 to 4, 6 to 9"),
        ("sumquest", "12", "names no allowed move"),
        ("sumquest", "7.5", "names no allowed move"),
        ("sumquest", "-7", "names no allowed move"),
        # What is marked counts, though something allowed is mentioned besides.
        ("sumquest", "[5]", "5 is not allowed now"),
        ("sumquest", "7 is worse: [5]", "5 is not allowed now"),
        ("sumquest", "I play 5 to reach 7.", "5 is not allowed now"),
        ("sumquest", "Either 7 or 8", "the answer names 7 and 8: which one is meant cannot be told"),
        ("sumquest", "I play 7 or I play 8", "which one is meant cannot be told"),
        ("mystic", "Adding is risky, so perhaps pass", "which one is meant cannot be told"),
        ("showdown", "I play 5 and predict 45", "which one is meant cannot be told"),
        ("fifty", "5", "names no allowed move"),
        ("fifty", "That makes 5 + 6 = 11", "names no allowed move"),
        # A cell is not another one read backwards.
        ("grid", "[3,4]", "names no allowed move"),
    ],
)
def test_what_means_no_move_or_more_than_one_is_told(slug: str, said: str, why: str) -> None:
    found = meant(slug, said)
    assert found.move is None
    assert why in found.why


def test_a_cell_is_not_read_backwards() -> None:
    found = read_move("1,2", ["2,1"], nq.game("grid").actions)
    assert found == (None, "1,2 is not allowed now; allowed is 2,1")


def test_what_two_moves_can_be_called_means_neither() -> None:
    assert read_move("my number is 3", ["take 3", "3"]).move is None
    assert read_move("take 3", ["take 3", "3"]).move == "take 3"
    assert read_move("my number is 3", ["take 3", "4"]).move == "take 3"


REPEATED = [
    "**a",
    "I play 5 or 6 ",
    "[1] ",
    "[1] or ",
    "If [5] then [6], so not [5]. ",
    "- **5** leaves 18, **6** leaves 17",
]
REPEATED += [
    "*",
    "1x",
    "<answer>",
    "my answer is ",
    "answer:",
    "-\n",
    "\\boxed{",
    "play ",
    "[5]?",
    "\u0301\u0323",
    "~~",
    "col 1 ",
]


def test_an_answer_that_repeats_itself_takes_time_in_proportion_to_its_length() -> None:
    def seconds(text: str) -> float:
        began = process_time()
        read_move((text * LONGEST)[:LONGEST], ALLOWED["sumquest"], nq.game("sumquest").actions)
        return process_time() - began

    plain = max(seconds("a word in a plain text, ") for _ in range(3))
    for unit in REPEATED:
        # A generous bound: marks and moves take more work than words.
        assert min(seconds(unit), seconds(unit)) < 40 * plain, unit


WAYS = ["{}", "[{}]", " {}\n", "My move: {}", "I have thought about it.\n\n**{}**", "`{}`", "<think>no</think> [{}]."]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)
@given(st.data())
def test_every_move_of_every_game_is_read_back(kind: Any, data: st.DataObject) -> None:
    game = kind()
    move = data.draw(st.sampled_from(game.actions))
    way = data.draw(st.sampled_from(WAYS))
    for said in (way.format(move), way.format(move.upper())):
        assert read_move(said, [move], game.actions).move == move
        assert read_move(said, game.actions, game.actions).move == move
        others = [other for other in game.actions if other != move]
        assert read_move(said, others, game.actions).move is None


@given(st.text(max_size=200) | st.text("0123456789+-*/[] ,.pas\n", max_size=60))
def test_whatever_is_said_it_is_an_allowed_move_or_none(said: str) -> None:
    for slug in ("fifty", "grid", "mystic"):
        game = nq.game(slug)
        found = read_move(said, game.actions[:5], game.actions)
        assert found.move in (None, *game.actions[:5])
        assert bool(found.why) == (found.move is None)
