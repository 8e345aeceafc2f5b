"""A record reads back as an equal match, and whatever is wrong with one is told with its line."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberquest.core.match import Match
from numberquest.core.names import bad_name
from numberquest.core.record import LONGEST_TAG, LONGEST_VALUE, MOST_TAGS, Record, RecordError, match_in, read
from numberquest.core.registry import game
from tests.strategies import matches

NAMES = st.text(min_size=1, max_size=30).filter(lambda name: bad_name(name) is None)

MYSTIC = """\
[Game "mystic"]
[Settings "target=21 high=9 copies=2"]
[Player1 "Ann"]
[Player2 "Bo \\"the Bold\\""]
[Date "2026-11-16"]
[Result "1-0"]
[Deal "3,7,1,5,2,8,9,4,6,2,5,7,1,6,8,9,4,3"]

1. (3) add
2. (7) add
3. (1) add
4. (5) pass  # a comment
5. (2) add
6. (8) add
7. (9) pass
"""


@given(matches(), NAMES, NAMES, st.sampled_from(["human", "random"]))
def test_reading_back_gives_an_equal_record(match: Match[Any], one: str, two: str, kind: str) -> None:
    record = Record(
        match, (one, two), ("human", kind), "2026-11-16", (("Round", "2/3"), ("Points", "1-0"), ("Event", "club night"))
    )
    assert read(record.text()) == record
    assert read(record.text().encode()) == record


def test_a_record_is_text_that_a_person_can_read() -> None:
    record = read(MYSTIC)
    assert record.names == ("Ann", 'Bo "the Bold"')
    assert record.match.position.totals == (11, 24)
    assert record.match.outcome is not None
    assert record.text().endswith("\n6. (8) add\n7. (9) pass\n")


def test_move_numbers_reveals_and_all_tags_but_the_game_may_be_left_out() -> None:
    match = read('[Game "grid"]\n[Deal "1,2,3,4,5,6,7,8,9"]\n1,1 2,2\n3,3 (9)').match
    assert match.history == ("1,1", "1", "2,2", "5", "3,3", "9")


def test_a_game_played_with_paper_needs_no_deal_only_the_reveals() -> None:
    match = read('[Game "grid"]\n1. 2,2 (5)\n2. 1,3 (3)\n3. 3,1 (9)').match
    assert match.position.totals == (14, 3)
    assert match.outcome is None


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "no [Game"),
        ('[Game "chess"]', 1, "there is no game called 'chess'"),
        ('[Game "fifty"]\n[Settings "target=500"]', 2, "from 2 to 200"),
        ('[Game "fifty"]\n[Settings "target"]', 2, "name=value"),
        ('[Game "fifty"]\n[Settings "stand=yes"]', 2, "no setting 'stand'"),
        ('[Game "fifty"]\n\n[Game "fifty"]', 3, "stands twice"),
        ("[Game fifty]", 1, 'written [Name "value"]'),
        ('[Game "fifty"]\n1. 5+\n[Date "2026-01-01"]', 3, "all tags come first"),
        ('[Game "fifty"]\n[Date "yesterday"]', 2, "a date is written"),
        ('[Game "fifty"]\n1. 5+\n2. 99', 3, "'99' is not allowed here"),
        ('[Game "fifty"]\n1. 5+\n3. 5+', 3, "this is move 2, not 3."),
        ('[Game "fifty"]\n1. 5+ (3)', 2, "nothing is revealed here"),
        ('[Game "sumquest"]\n[Settings "target=2"]\n1. 2\n2. 1', 4, "The game is over"),
        ('[Game "sumquest"]\n[Result "1-0"]\n1. 2', 2, "the moves come to *"),
        ('[Game "sumquest"]\n[Result "draw"]', 2, "1-0, 0-1, 1/2-1/2 or *"),
        ('[Game "sumquest"]\nresign-1\n5', 3, "The game is over"),
        ('[Game "sumquest"]\n[Deal "1,2"]', 2, "nothing is hidden"),
        ('[Game "grid"]\n[Deal "1,2,3"]', 2, "4 is missing"),
        ('[Game "grid"]\n[Deal "one"]', 2, "a deal is written"),
        ('[Game "grid"]\n[Seed "7"]\n1. 1,1 (9)', 3, "the deal reveals 7 here, but it says (9)"),
        ('[Game "grid"]\n1. 1,1\n2. 1,2', 3, "write what was revealed before this"),
        ('[Game "grid"]\n[Seed "7"]\n[Commitment "00"]', 3, "not the deal promised"),
        ('[Game "grid"]\n[Commitment "00"]', 2, "not the deal promised"),
        ('[Game "showdown"]\n1. predict', 2, "'predict' is not allowed"),
        ('[Game "showdown"]\n1. predict 100', 2, "'predict 100' is not allowed"),
        ('[Game "showdown"]\n[Player1 ""]', 2, "1 to 30 characters"),
        ('[Game "showdown"]\n[Player1Type "a wizard"]', 2, "human, or a computer player"),
        ('[Game "showdown"]\n[Player1Type ":"]', 2, "human, or a computer player"),
        ('[Game "showdown"]\n[Player1Type "cmd:"]', 2, "human, or a computer player"),
        ('[Game "showdown"]\n[Player1Type " cmd:a"]', 2, "human, or a computer player"),
        (f'[Game "showdown"]\n[Player1Type "cmd:{"x" * 200}"]', 2, "human, or a computer player"),
        ('[Game "showdown"]\n[Date "2026-02-30"]', 2, "a date is written"),
        ('[Game "showdown"]\n[Round "banana"]', 2, "a round is written 2/3"),
        ('[Game "showdown"]\n[Round "4/3"]\n[Points "2-1"]', 2, "a round is written 2/3"),
        ('[Game "showdown"]\n[Round "2/3"]\n[Points "5-0"]', 3, "at most 1 are won in all"),
        ('[Game "showdown"]\n[Round "2/3"]\n[Points "1-1"]', 3, "at most 1 are won in all"),
        ('[Game "showdown"]\n99. 1. 5', 2, "a move is missing between 99. and 1."),
        ('[Game "grid"]\n1. 1,1 (77)', 2, "(77) cannot be revealed here; possible is 1 to 9"),
        ('[Game "showdown"]\n[Player1 "\x07"]', 2, "invisible"),
        (b'[Game "fifty"]\n\xff\n', 2, "this is not text in UTF-8"),
        pytest.param("#" * 100_001, 1, "longer than", id="far too long"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str | bytes, line: int, reason: str) -> None:
    with pytest.raises(RecordError) as error:
        read(text)
    assert error.value.line == line
    assert reason in error.value.reason
    assert str(error.value) == f"line {line}: {error.value.reason}"


def test_comments_may_stand_anywhere_and_a_mark_at_the_start_is_passed_over() -> None:
    text = '\ufeff[Game "sumquest"]  # the shared sum\n# first\n1. 5 # then\n2. 6\n'
    assert read(text).match.history == ("5", "6")


def test_a_sealed_deal_that_was_exchanged_is_noticed() -> None:
    text = Record(Match(game("grid"))).text()
    seed = text.split('[Seed "')[1][:32]
    with pytest.raises(RecordError, match="not the deal promised"):
        read(text.replace(seed, "0" * 32))


def test_the_example_in_the_documentation_is_a_record() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "records.md").read_text()
    example = page.split("```\n")[1]
    record = read(example)
    assert record.kinds == ("human", "random")
    assert record.text() == example


def tagged(count: int, name: int = 8, value: int = 5) -> str:
    """A record with so many tags of other kinds, the last of them with a name and a value so long."""
    tags = [f'[T{at} "x"]' for at in range(count - 1)] + [f'[{"T" * name} "{"v" * value}"]']
    return "\n".join(['[Game "sumquest"]', *tags, "", "1. 5"])


def test_other_tags_are_kept_as_they_are_up_to_a_number_and_a_length() -> None:
    text = tagged(MOST_TAGS, LONGEST_TAG, LONGEST_VALUE)
    record = read(text)
    assert len(record.other) == MOST_TAGS
    assert read(record.text()) == record


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (tagged(MOST_TAGS + 1), MOST_TAGS + 2, f"at most {MOST_TAGS} tags"),
        (tagged(3, name=LONGEST_TAG + 1), 4, f"at most {LONGEST_TAG} characters"),
        (tagged(3, value=LONGEST_VALUE + 1), 4, f"longer than {LONGEST_VALUE} characters"),
    ],
)
def test_more_tags_or_longer_ones_are_told_with_their_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(RecordError) as error:
        read(text)
    assert (error.value.line, reason in error.value.reason) == (line, True)
    # What an older version took, and kept, is played on all the same.
    assert match_in(text).history == ("5",)


def test_every_name_that_was_ever_written_is_read() -> None:
    """Computer players of the server are called that, and names were not always looked at as closely."""
    text = '[Game "sumquest"]\n[Player1 "Computer (hard)"]\n[Player2 "\u3164"]\n[Player1Type "hard"]\n'
    assert read(text).names == ("Computer (hard)", "\u3164")


@pytest.mark.parametrize(
    "kind", ["./my agents.py:Careful", 'cmd:./engine --say "hi" \\\\', "llm:maker/model:7b", "a.b:c"]
)
def test_a_program_that_played_is_kept_as_it_was_named_and_not_run(kind: str) -> None:
    record = Record(Match(game("sumquest"), seed=1), kinds=("human", kind))
    assert Record.read(record.text()).kinds == ("human", kind)
