"""The rules as they are in a game: also in one whose rules are changed, and on paper."""

import re
from itertools import product
from pathlib import Path
from random import Random

import pytest

from numberquest.core.contract import Game
from numberquest.core.laws import some_settings
from numberquest.core.registry import GAMES, game
from numberquest.core.rulebook import rulebook
from numberquest.terminal.commands.rules import handout
from tests.own.files import LAST, written
from tests.terminal.paper import Page
from tests.terminal.session import Terminal, piped, without_colours

SOME = 8
"""So many rule sets of each game are looked at, chosen by a fixed seed."""


def rule_sets(kind: type[Game[object]]) -> list[Game[object]]:
    """The classic rules, and some others."""
    random = Random(11)
    return [kind(), *(kind(**some_settings(kind, random)) for _ in range(SOME))]


@pytest.mark.parametrize("slug", GAMES.own)
def test_no_gap_stays_open_under_any_rules(slug: str) -> None:
    for rules in rule_sets(GAMES[slug]):
        assert not re.search(r"[{}]", rulebook(rules)), rules


@pytest.mark.parametrize(
    ("slug", "settings", "said", "not_said"),
    [
        ("sumquest", {"target": 30}, ["exactly 30", "past 30", "the sum is 29"], ["23 and", "22"]),
        ("fifty", {"target": 30, "copies": 1}, ["each once", "Reach exactly 30", "9 numbers: Player 1"], ["50 points"]),
        ("fifty", {"ops": "+"}, ["+, the only one", "Adding is possible"], ["ivision", "subtraction", "F2", "F3"]),
        ("fifty", {"ops": "+-*"}, ["+ - or *", "subtraction that would"], ["ivision", "F2"]),
        ("grid", {"side": 2, "target": 6}, ["2 by 2", "such as 2,2", "to 2,2"], ["3 by 3", "you may stand", "C2"]),
        ("grid", {"stand": True}, ["you may stand", "If both players stand, or every cell"], []),
        ("mystic", {"high": 5, "copies": 3}, ["1 to 5, each 3 times", "15 draws: Player 1"], ["1 to 9"]),
        ("showdown", {"picks": 5}, ["5 numbers are in the sequence"], ["all numbers"]),
        ("showdown", {"high": 4}, ["1 to 4, each once", "all numbers are"], ["1 to 9,"]),
    ],
)
def test_changed_rules_are_told_as_they_are(
    slug: str, settings: dict[str, object], said: list[str], not_said: list[str]
) -> None:
    told = " ".join(rulebook(game(slug, **settings)).split())
    # From what it was changed is said too; everything else is about these rules.
    rules, _, rest = told.partition("These are the rules as changed: ")
    told = rules + rest[rest.index("What the rules leave open") : rest.index("Rules that you can change")]
    assert [words for words in said if words not in told] == []
    assert [words for words in not_said if words in told] == []


def test_the_command_tells_what_is_changed_and_what_it_was() -> None:
    told = " ".join(piped(["rules", "fifty", "--set", "target=30"]).stdout.split())
    assert told.startswith("Number Quest: Fifty (target=30) ")
    assert "These are the rules as changed: the score to reach: 30 instead of 50." in told
    assert "classic 50, here 30" in told


def test_a_text_without_gaps_is_said_to_be_the_classic_one(tmp_path: Path) -> None:
    told = " ".join(piped(["rules", written(tmp_path, LAST), "--set", "heap=9"]).stdout.split())
    assert "These are the classic rules. In your game some are changed: " in told


def test_what_names_nothing_of_the_game_stays_as_it_is_written() -> None:
    own = game("sumquest")
    text = "{nothing} {target:nonsense} {nothing?said} {} {target} {2, 3}"
    assert own.told(text) == "{nothing} {target:nonsense} {nothing?said} {} 23 {2, 3}"
    assert own.told("{deck} {start}") == "{deck} {start}"


def test_inside_a_changed_game_the_rules_are_those_of_that_game() -> None:
    terminal = Terminal(["play", "sumquest", "--set", "target=30"])
    terminal.answer("Player 1 Input: ", "rules")
    terminal.answer("Player 1 Input: ", "quit")
    shown = " ".join(without_colours(terminal.finish()).split())
    assert "Bring the sum to exactly 30 and you win." in shown
    assert "exactly 23" not in shown


@pytest.mark.parametrize(("slug", "changed"), list(product(GAMES.own, [False, True])))
def test_the_handout_is_a_whole_page_with_every_rule_and_nothing_from_elsewhere(slug: str, changed: bool) -> None:
    rules = rule_sets(GAMES[slug])[-1 if changed else 0]
    text = handout(rules, "Player 1 wins")
    page = Page(text)
    page.check_alone()
    for line in (*rules.told(rules.rules).split("\n"), *rules.rulings_told().values()):
        assert line in page.text
    # A pupil's page has no codes, and a whole game as it may go.
    pupils = page.text[: page.text.index("For the teacher")]
    assert not re.search(r"\b[A-Z][0-9]\b", pupils)
    assert "A game as it may go" in pupils or changed
    # Whoever wins is not for those who are about to play.
    assert page.text.index("For the teacher") < page.text.index("Player 1 wins")


def test_a_handout_has_its_example_where_every_move_of_a_turn_is_binding() -> None:
    assert "A game as it may go" in handout(game("showdown", secret=True, high=4, picks=3), None)


def test_what_somebody_s_game_says_is_escaped_on_paper() -> None:
    class Rude(type(game("sumquest"))):  # type: ignore[misc]
        title = "<b>Rude</b> & <script>alert(1)</script>"
        rules = "</p><img src=x onerror=alert(1)> “ü”"

    page = Page(handout(Rude(), None))
    assert not {"b", "script", "img"} & set(page.tags)
    assert "</p><img src=x onerror=alert(1)> “ü”" in page.text


def test_the_handout_comes_from_the_command_line() -> None:
    done = piped(["rules", "grid", "--set", "stand=yes", "--html"], env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    page = Page(done.stdout)
    assert page.open == []
    assert "Instead of opening a cell you may stand" in page.text
    assert "Proved by looking at every position: with best play Player " in page.text
    refused = piped(["rules", "grid", "--html", "--json"])
    assert (refused.returncode, refused.stdout) == (2, "")
