"""Which rules are large is learnt, and can change."""

from __future__ import annotations

from numberquest.server.think.cost_model import CostModel
from numberquest.server.think.fair_queue import LARGE, SMALL


def test_what_is_not_known_is_tried_as_small_and_what_took_too_long_is_large() -> None:
    sizes = CostModel()
    assert sizes.size("fifty") == SMALL
    sizes.too_long("fifty")
    assert sizes.size("fifty") == LARGE
    assert sizes.size("mystic") == SMALL


def test_what_was_worked_out_is_tried_again_and_after_each_failure_later() -> None:
    sizes = CostModel()
    for needed in (1, 2, 4, 8):
        sizes.too_long("fifty")
        for _ in range(needed):
            sizes.answered("fifty", LARGE, solved=False)
            assert sizes.size("fifty") == LARGE
            sizes.answered("fifty", LARGE, solved=True)
        assert sizes.size("fifty") == SMALL
    sizes.answered("fifty", SMALL, solved=True)
    sizes.too_long("fifty")
    sizes.answered("fifty", LARGE, solved=True)
    assert sizes.size("fifty") == SMALL, "once it was small, nothing is held against it"


def test_of_rules_without_a_name_nothing_is_learnt() -> None:
    sizes = CostModel()
    sizes.too_long("")
    assert sizes.size("") == SMALL
