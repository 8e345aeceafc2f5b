"""What the boards of the games say of moves, in words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.node import Node

TOLD = "return (await page(`games/${game}/board.js`)).told(line, settings, ['Ann', 'Bo']);"


@pytest.mark.parametrize(
    ("game", "entry", "facts", "settings", "words"),
    [
        ("fifty", "5-", {"had": 9, "has": 4}, {"target": 50}, "subtracts 5: 9 − 5 = 4"),
        # To exactly 0 is a move like another; below it the turn is lost.
        ("fifty", "5-", {"had": 5, "has": 0}, {"target": 50}, "subtracts 5: 5 − 5 = 0"),
        (
            "fifty",
            "5-",
            {"had": 4, "has": 4},
            {"target": 50},
            "subtracts 5: 4 − 5 would go below 0, so the turn is lost",
        ),
        ("fifty", "7*", {"had": 7, "has": 49}, {"target": 50}, "multiplies by 7: 7 × 7 = 49"),
        ("fifty", "8+", {"had": 42, "has": 50}, {"target": 50}, "adds 8: 42 + 8 = 50"),
        ("fifty", "9+", {"had": 42, "has": 51}, {"target": 50}, "adds 9: 42 + 9 = 51, past 50"),
        ("fifty", "2/", {"had": 9, "has": 4}, {"target": 50}, "divides by 2: 9 ÷ 2 = 4"),
        ("sumquest", "5", {"had": 18, "has": 23}, {"target": 23}, "adds 5: 18 + 5 = 23"),
        ("sumquest", "6", {"had": 18, "has": 24}, {"target": 23}, "adds 6: 18 + 6 = 24, past 23"),
        ("mystic", "pass", {"drawn": 7, "total": 12}, {"target": 21}, "passes 7 to Bo, who then has 12"),
        ("mystic", "subtract", {"drawn": 7, "total": 0}, {"target": 21}, "subtracts 7: total 0"),
        ("mystic", "add", {"drawn": 7, "total": 22}, {"target": 21}, "adds 7: total 22, past 21"),
        ("grid", "2,3", {}, {"side": 4}, "opens row\u00a02, column\u00a03"),
        ("grid", "stand", {"has": 21}, {"side": 4}, "stands at 21"),
        ("showdown", "predict 45", {}, {}, "predicts 45"),
        ("showdown", "5", {"sum": 12}, {}, "adds 5 to the sequence: the sum is 12"),
    ],
)
def test_a_move_is_told(
    node: Node, game: str, entry: str, facts: dict[str, int], settings: dict[str, int], words: str
) -> None:
    assert node(TOLD, game=game, line={"player": 1, "entry": entry, "facts": facts}, settings=settings) == words


@pytest.mark.parametrize(("place", "words"), [(0, "row\u00a01, column\u00a01"), (5, "row\u00a02, column\u00a02")])
def test_a_card_is_told_by_its_row_and_column(node: Node, place: int, words: str) -> None:
    line = {"player": 0, "entry": "9", "place": place}
    assert node(TOLD, game="grid", line=line, settings={"side": 4}) == f"{words} hides 9"


def test_before_the_next_number_is_seen_it_lies_on_the_pile(node: Node) -> None:
    before: dict[str, Any] = {"totals": [0, 0], "drawn": 3, "pile": 4, "unseen": [1, 2, 5, 6]}
    after: dict[str, Any] = {"totals": [3, 0], "drawn": 5, "pile": 3, "unseen": [1, 2, 6]}
    snippet = "return (await page('games/mystic/board.js')).between(before, after);"
    assert node(snippet, before=before, after=after) == {**after, "drawn": None, "pile": 4, "unseen": [1, 2, 6, 5]}
    last = {**after, "drawn": None}
    assert node(snippet, before=before, after=last) == last


def test_the_buttons_of_fifty_say_what_a_subtraction_to_0_comes_to(node: Node) -> None:
    snippet = """
        const { show } = await page('games/fifty/board.js');
        const board = { target: 50, high: 5, ops: '+-', pool: [5], scores: [5, 0] };
        const moves = [{ move: '5+', result: 10 }, { move: '5-', result: 0 }];
        const shown = show(board, { moves, play() {}, turn: 1, names: ['Ann', 'Bo'] });
        return shown.all('button').slice(-2).map(({ attributes }) => attributes['aria-label']);
    """
    assert node(snippet) == ["add: 5 + 5 = 10", "subtract: 5 − 5 = 0"]
