"""Nim, the first of the examples: its rules, and what is known about it."""

from __future__ import annotations

from functools import reduce
from operator import xor
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.view import said
from tests.endings import end_of
from tests.strategies import EXAMPLES, KINDS

NIM = next(kind for kind in KINDS if kind.slug == "nim")


def played(*moves: str, **settings: Any) -> nq.Match[Any]:
    match = nq.Match(NIM(**settings))
    for move in moves:
        match.play(move)
    return match


def test_who_takes_the_last_one_wins() -> None:
    assert end_of(played("1:3", "2:4", "3:5")) == (0, "Player 1 took the last one")
    assert end_of(played("1:3", "2:4", "3:4", "3:1")) == (1, "Player 2 took the last one")


def test_misere_who_takes_the_last_one_loses() -> None:
    assert end_of(played("1:3", "2:4", "3:5", misere=True)) == (1, "Player 1 had to take the last one")


def test_the_table_shows_the_heaps() -> None:
    assert said(NIM(), played("2:3").position) == ["Heaps: 3 1 5"]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_position_is_won_exactly_where_the_heaps_do_not_cancel_out(number: int) -> None:
    nim = NIM(number=number)
    solution = nq.solve(nim)
    known, ahead = {nim.start()}, [nim.start()]
    while ahead:
        p = ahead.pop()
        assert solution.value(p) == (reduce(xor, p.heaps) != 0)
        new = {nim.play(p, move) for move in nim.moves(p)} - known
        known |= new
        ahead += new


def test_a_game_is_no_longer_than_the_page_has_lines() -> None:
    for path in EXAMPLES:
        assert len(path.read_text().splitlines()) <= 60
