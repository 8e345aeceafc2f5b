"""What earns a star is one rule: the page counts as `explain/ladder` does."""

from typing import Any

import pytest

from numberquest.explain.ladder import NEVER_ERRS, Ladder, counts
from tests.page.node import Node

RULES = [Ladder((0,), beatable=True, luck=False), Ladder((0, 1), beatable=False, luck=False)]
COUNTS = "return (await page('screens/my_games.js')).counts(one, rule);"


@pytest.mark.parametrize("rule", RULES, ids=["one seat", "drawn"])
@pytest.mark.parametrize("level", ["easy", NEVER_ERRS])
def test_a_win_counts_on_the_page_where_it_counts_anywhere(node: Node, rule: Ladder, level: str) -> None:
    told = {"seats": [seat + 1 for seat in rule.seats], "held": None if rule.beatable else NEVER_ERRS}
    for seat in (0, 1):
        for winner in (0, 1, None):
            one: dict[str, Any] = {"over": True, "seat": seat + 1, "level": level}
            one["winner"] = None if winner is None else winner + 1
            assert node(COUNTS, one=one, rule=told) == counts(rule, level, seat, winner)


@pytest.mark.parametrize("why", ["practice", "house", "hinted"])
def test_practice_house_rules_and_hints_earn_no_star(node: Node, why: str) -> None:
    won = {"over": True, "seat": 1, "level": "easy", "winner": 1}
    assert node(COUNTS, one=won, rule={"seats": [1], "held": None})
    assert not node(COUNTS, one={**won, why: True}, rule={"seats": [1], "held": None})
