"""What the page says: the sentences of the common table as Python fills them, and each game in its own words."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import numberquest as nq
from numberquest.match import Match
from numberquest.sentences import SENTENCES, Said, told
from numberquest.server.boards import board, lines, options
from tests.browser.people import Person

VALUES: dict[str, Any] = {
    "": "some text",
    "quoted": "8",
    "percent": 0.4123,
    "whole": 0.125,
    "points": 0.0625,
    "times": 2,
    "name": 2,
    "move": "7",
    "either": ["4", "5", "6", "9", "11"],
    "short": ["4", "5", "6", "9"],
    "list": ["friend", "screen"],
    "sentence": "this cannot be",
    "said": {"code": "after-move", "facts": {"number": 3}},
    "ending": {"winner": 1, "reason": "resigned", "facts": {}},
}
"""A value for every kind of gap."""
ELSEWHERE = ("puzzle-rules",)
"""On the page this has settings in words."""


def facts_of(template: str) -> dict[str, Any]:
    """What belongs into the gaps of a sentence."""
    gaps = (part.partition("}")[0].partition(":") for part in template.split("{")[1:])
    return {name: VALUES[kind.lower()] for name, _, kind in gaps}


def test_every_sentence_has_the_same_words_on_the_page(visitor: Person) -> None:
    visitor.page.goto("/")
    said = [Said(code, facts_of(text)) for code, text in SENTENCES.items() if code not in ELSEWHERE]
    names = ("Ann", "Bo")
    on_the_page = visitor.page.evaluate(
        """async ([said, names]) => {
          const [{ teller }, general] = [await import('/static/words.js'), await import('/static/general_board.js')];
          const { say } = teller({ settings: [], endings: {} }, general, {}, names);
          return said.map(([code, facts]) => say({ code, facts }));
        }""",
        [[list(one) for one in said], names],
    )
    assert on_the_page == [told(one, names, lambda _: "Bo resigned") for one in said]


def after(slug: str, *moves: str, **settings: Any) -> Match[Any]:
    deal = settings.pop("deal", None)
    match = Match(nq.game(slug, **settings), deal=deal)
    for move in moves:
        match.play(move)
    return match


class Told:
    """How the page tells a match, and what its board offers."""

    def __init__(self, visitor: Person, match: Match[Any]) -> None:
        game, turn = match.game, match.player + 1
        found = visitor.page.evaluate(
            """async ([slug, settings, board, history, moves, turn]) => {
              const module = await (await import('/static/boards.js')).boardOf(slug);
              const shown = module.show({ ...settings, ...board }, { moves, play: () => undefined, turn });
              const buttons = [...shown.querySelectorAll('button:not([aria-disabled])')];
              return {
                lines: history.map((line) => module.told(line, settings).replaceAll('\\u00a0', ' ')),
                names: buttons.map((one) => one.getAttribute('aria-label') ?? one.textContent),
              };
            }""",
            msgspec.to_builtins(
                [
                    game.slug,
                    game.settings,
                    board(game, match.positions, match.history),
                    lines(game, match.positions, match.history),
                    options(game, match.position),
                    turn,
                ]
            ),
        )
        self.lines: list[str] = found["lines"]
        self.names: list[str] = found["names"]


@pytest.fixture
def tells(visitor: Person) -> Any:
    visitor.page.goto("/")
    return lambda slug, *moves, **settings: Told(visitor, after(slug, *moves, **settings))


def test_fifty_in_words(tells: Any) -> None:
    told = tells("fifty", "8+", "3+", "5*", "5-")
    assert told.lines == [
        "adds 8: 0 + 8 = 8",
        "adds 3: 0 + 3 = 3",
        "multiplies by 5: 8 × 5 = 40",
        "subtracts 5: 3 − 5 would go below 0, so the turn is lost",
    ]
    # The smallest number is chosen at first.
    assert told.names[-4:] == [
        "add: 40 + 1 = 41",
        "subtract: 40 − 1 = 39",
        "multiply: 40 × 1 = 40",
        "divide: 40 ÷ 1 = 40",
    ]
    told = tells("fifty", "1+", "1+", "2+", high=2)
    assert told.names[-4:] == [
        "add: 1 + 2 = 3: that loses",
        "subtract: 1 − 2 would go below 0, so the turn is lost: that loses",
        "multiply: 1 × 2 = 2: that loses",
        "divide: 1 ÷ 2 = 0: that loses",
    ]


def test_sumquest_in_words(tells: Any) -> None:
    told = tells("sumquest", "9", "8")
    assert told.lines == ["adds 9: 0 + 9 = 9", "adds 8: 9 + 8 = 17"]
    assert "6: 17 + 6 = 23: that wins" in told.names
    assert "7: 17 + 7 = 24, past 23: that loses" in told.names
    told = tells("sumquest", "9", "8", "4")
    assert "1: 21 + 1 = 22: that wins, for the other has no number left" in told.names


def test_mystic_in_words(tells: Any) -> None:
    told = tells("mystic", "add", "add", deal=[9, 8, 7, *[1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9]])
    assert told.lines == ["9 is drawn", "adds 9: total 9", "8 is drawn", "adds 8: total 8", "7 is drawn"]
    assert told.names == ["add 7: total 16", "subtract 7: total 2", "pass 7 to Player 2, who then has 15"]
    told = tells("mystic", "add", deal=[1, 2, 2, 1], high=2, target=2)
    assert told.names == ["add 2: total 2, that wins", "pass 2 to Player 1, who then has 3, past 2, that wins"]


def test_grid_in_words(tells: Any) -> None:
    told = tells("grid", "2,3", "stand", deal=[1, 2, 3, 4, 5, 6, 7, 8, 9], stand=True)
    assert told.lines == ["opens row 2, column 3", "row 2, column 3 hides 6", "stands at 0"]
    assert told.names[0] == "Row 1, column 1: covered"
    assert told.names[-1] == "Stand at 6: that wins"


def test_showdown_in_words(tells: Any) -> None:
    told = tells("showdown", "predict 6", "1", "2", high=3)
    assert told.lines == [
        "predicts 6",
        "adds 1 to the sequence: the sum is 1",
        "adds 2 to the sequence: the sum is 3",
    ]
    assert "3: add 3 to the sequence: that wins" in told.names
    told = tells("showdown", "predict 7", "1", "predict 6", "2", high=3)
    assert "3: add 3 to the sequence: that loses" in told.names


@pytest.mark.parametrize(
    ("slug", "move", "written"),
    [
        ("fifty", "6*", "× 6"),
        ("fifty", "9-", "− 9"),
        ("grid", "2,3", "row 2, column 3"),
        ("grid", "stand", "stand"),
        ("grid", "opening a cell", "opening a cell"),
        ("mystic", "add", "add"),
        ("showdown", "predict 45", "predict 45"),
    ],
)
def test_a_move_is_written_as_on_its_board(visitor: Person, slug: str, move: str, written: str) -> None:
    visitor.page.goto("/")
    found = visitor.page.evaluate(
        "async ([slug, move]) => (await (await import('/static/boards.js')).boardOf(slug)).written(move)", [slug, move]
    )
    assert found.replace("\u00a0", " ") == written
