"""Grid: its rulings, standing, the game of its document, its endings and its settings."""

import re
from typing import Any

import pytest

from numberquest.core.contract import IllegalMove
from numberquest.core.match import Match
from numberquest.core.registry import game
from numberquest.core.settings import BadSetting
from numberquest.games.grid.rules import NO_CELL, Grid, Position
from tests.endings import closer, end_of, tied, told

IN_ORDER = (1, 2, 3, 4, 5, 6, 7, 8, 9)
CELLS = ("1,1", "1,2", "1,3", "2,1", "2,2", "2,3", "3,1", "3,2", "3,3")


def played(moves: str, deal: tuple[int, ...] = IN_ORDER, **settings: Any) -> Match[Position]:
    match = Match(Grid(**settings), deal=deal)
    for move in moves.split():
        match.play(move)
    return match


def numbers(taken: str, **settings: Any) -> Match[Position]:
    """A match in which the numbers named are uncovered in that order; a dash is a stand."""
    rules = Grid(**settings)
    wanted = [int(word) for word in taken.split() if word != "-"]
    rest = [number for number in rules.deck if number not in wanted]
    match = Match(rules, deal=[*wanted, *rest])
    cells = iter(rules.actions)
    for word in taken.split():
        match.play("stand" if word == "-" else next(cells))
    return match


def test_c1_the_cells_are_row_and_column_from_the_top_left() -> None:
    match = played("")
    assert match.moves == CELLS == match.game.actions
    for at, cell in enumerate(CELLS):
        opened = played(cell)
        assert opened.position.cells[at] == opened.position.totals[0] == at + 1
        assert opened.position.cells.count(0) == 8


@pytest.mark.parametrize("cell", ["0,1", "1,0", "1,4", "4,1", "4,4", "11", "1", "(1,1)", "1, 1", "1.1", "", "stand"])
def test_c1_there_is_no_other_cell(cell: str) -> None:
    match = played("2,2")
    with pytest.raises(IllegalMove, match="is not allowed here") as refusal:
        match.play(cell)
    told = str(refusal.value).split("Allowed: ")[1]
    assert re.findall(r"\d,\d", told) == [name for name in CELLS if name != "2,2"]


@pytest.mark.parametrize("side", [2, 3, 4])
def test_c1_holds_for_every_side(side: int) -> None:
    cells = [f"{row},{column}" for row in range(1, side + 1) for column in range(1, side + 1)]
    assert list(Grid(side=side).actions) == cells
    assert Grid(side=side).deck == tuple(range(1, side * side + 1))


def test_c2_on_the_classic_board_somebody_passes_15_before_every_cell_is_open() -> None:
    # Two players below 15 have 28 at most, and the nine numbers come to 45.
    rules = Grid()
    assert sum(rules.deck) == 45 > 2 * (rules.target - 1)
    # Even with the low numbers first it takes only seven cells.
    assert numbers("1 2 3 4 5 6").outcome is None
    assert end_of(numbers("1 2 3 4 5 6 7")) == (1, "Player 1 passed 15 with 16")


def test_c2_where_every_cell_can_be_open_the_total_closer_to_the_target_wins() -> None:
    assert end_of(numbers("4 1 3 2", side=2, target=99)) == closer("every cell is open", 0, 7, 3, 99)
    assert end_of(numbers("2 4 1 3", side=2, target=99)) == closer("every cell is open", 1, 7, 3, 99)
    assert end_of(numbers("1 2 3 4 5 6 7 8 9", target=99)) == closer("every cell is open", 0, 25, 20, 99)


def test_c2_on_a_tie_with_every_cell_open_the_last_to_play_loses() -> None:
    assert numbers("1 2 4", side=2, target=6).outcome is None
    match = numbers("1 2 4 3", side=2, target=6)
    assert match.position.totals == (5, 5)
    assert end_of(match) == tied("every cell is open", 0, 5)
    assert match.moves == ()


def test_c2_reaching_or_passing_the_target_with_the_last_cell_counts_before_the_open_board() -> None:
    assert end_of(numbers("1 2 3 4", side=2, target=6)) == (1, "Player 2 reached 6")
    assert end_of(numbers("2 3 1 4", side=2, target=6)) == (0, "Player 2 passed 6 with 7")


def test_stand_is_a_move_only_where_the_setting_says_so() -> None:
    assert played("", stand=True).moves == (*CELLS, "stand") == Grid(stand=True).actions
    assert "stand" not in Grid().actions
    with pytest.raises(IllegalMove, match="'stand' is not allowed here"):
        played("stand")


def test_stand_opens_no_cell_and_passes_the_turn() -> None:
    match = numbers("3 -", stand=True)
    assert match.position.cells == (3, 0, 0, 0, 0, 0, 0, 0, 0)
    assert match.position.totals == (3, 0)
    assert match.position.stood == (False, True)
    assert match.position.last == 1, "to stand is to play"
    assert match.player == 0
    assert match.outcome is None


@pytest.mark.parametrize(("before", "alone"), [("-", 1), ("3 -", 0), ("3 4 -", 1)])
def test_stand_lets_the_other_go_on_alone_and_the_one_who_stands_opens_no_more(before: str, alone: int) -> None:
    match = numbers(before, stand=True, target=99)
    stood = match.position.totals[1 - alone]
    while match.moves:
        assert match.player == alone
        assert match.moves[-1] == "stand"
        match.play(match.moves[0])
        assert match.position.totals[1 - alone] == stood
    assert match.position.totals[alone] == 45 - stood


@pytest.mark.parametrize(
    ("taken", "end"),
    [
        ("- 1 2 -", closer("both players stand", 1, 3, 0, 15)),
        ("9 - -", closer("both players stand", 0, 9, 0, 15)),
        ("8 9 - -", closer("both players stand", 1, 9, 8, 15)),
        ("5 7 3 - 1 -", closer("both players stand", 0, 9, 7, 15)),
        ("5 7 - 1 3 -", closer("both players stand", 1, 11, 5, 15)),
    ],
)
def test_stand_when_both_stand_the_total_closer_to_the_target_wins(taken: str, end: tuple[int, str]) -> None:
    match = numbers(taken, stand=True)
    assert end_of(match) == end
    assert match.moves == ()


def test_stand_the_one_who_goes_on_alone_can_reach_or_pass_the_target() -> None:
    assert end_of(numbers("7 - 2 6", stand=True)) == (0, "Player 1 reached 15")
    assert end_of(numbers("- 7 2 6", stand=True)) == (1, "Player 2 reached 15")
    assert end_of(numbers("7 - 2 8", stand=True)) == (1, "Player 1 passed 15 with 17")
    assert end_of(numbers("- 7 2 8", stand=True)) == (0, "Player 2 passed 15 with 17")


def test_stand_on_a_tie_when_both_stand_the_last_to_play_loses() -> None:
    assert end_of(numbers("- -", stand=True)) == tied("both players stand", 0, 0)
    assert end_of(numbers("3 5 2 - -", stand=True)) == tied("both players stand", 1, 5)
    # Here Player 1 stood first, so Player 2 was last to play although Player 1 began.
    assert end_of(numbers("5 3 - 2 -", stand=True)) == tied("both players stand", 0, 5)


def test_stand_when_every_cell_is_open_the_total_closer_to_the_target_wins() -> None:
    assert end_of(numbers("4 - 3 2 1", side=2, target=99, stand=True)) == closer("every cell is open", 0, 10, 0, 99)
    assert end_of(numbers("1 2 - 3 4", side=2, target=99, stand=True)) == closer("every cell is open", 1, 9, 1, 99)


def test_stand_on_a_tie_with_every_cell_open_the_last_to_play_loses_even_if_that_is_player_1() -> None:
    # Player 2 has 16+15+13+12+6+5+1 = 68 of 136 and stands; Player 1 opens all that is left.
    match = numbers("2 16 3 15 4 13 7 12 8 6 9 5 10 1 11 - 14", side=4, target=99, stand=True)
    assert match.position.totals == (68, 68)
    assert end_of(match) == tied("every cell is open", 1, 68)
    assert match.moves == ()


def test_the_example_game_playthrough_of_the_document() -> None:
    # The document opens five cells; the other four may hold whatever is left.
    match = Match(Grid(), deal=[4, 2, 3, 1, 5, 6, 9, 7, 8])
    playthrough = [
        # player, cell, revealed, totals, grid
        (0, "2,2", 5, (5, 0), (0, 0, 0, 0, 5, 0, 0, 0, 0)),
        (1, "1,3", 3, (5, 3), (0, 0, 3, 0, 5, 0, 0, 0, 0)),
        (0, "3,1", 9, (14, 3), (0, 0, 3, 0, 5, 0, 9, 0, 0)),
        (1, "2,1", 1, (14, 4), (0, 0, 3, 1, 5, 0, 9, 0, 0)),
        (0, "1,2", 2, (16, 4), (0, 2, 3, 1, 5, 0, 9, 0, 0)),
    ]
    assert match.position == Position((0,) * 9, (0, 0), 1, NO_CELL, (False, False))
    for player, cell, revealed, totals, cells in playthrough:
        assert match.outcome is None
        assert match.player == player
        match.play(cell)
        assert match.history[-2:] == (cell, str(revealed))
        assert match.position.totals == totals
        assert match.position.cells == cells
    assert end_of(match) == (1, "Player 1 passed 15 with 16")
    assert match.moves == ()


def test_exactly_15_wins_and_past_15_loses_at_once() -> None:
    assert end_of(numbers("6 1 9")) == (0, "Player 1 reached 15")
    assert end_of(numbers("1 7 2 8")) == (1, "Player 2 reached 15")
    assert numbers("6 1 8").outcome is None
    assert end_of(numbers("7 1 9")) == (1, "Player 1 passed 15 with 16")
    assert end_of(numbers("1 8 2 9")) == (0, "Player 2 passed 15 with 17")


@pytest.mark.parametrize("target", [2, 99])
def test_the_target_is_what_the_setting_says(target: int) -> None:
    rules = Grid(target=target)
    just = Position((0,) * 8 + (9,), (target - 2, 0), 1, 0, (False, False))
    assert rules.outcome(rules.play(just, "1")) is None
    assert told(rules, rules.outcome(rules.play(just, "2"))) == (0, f"Player 1 reached {target}")
    assert told(rules, rules.outcome(rules.play(just, "3"))) == (1, f"Player 1 passed {target} with {target + 1}")


@pytest.mark.parametrize("value", [0, 1, "yes", "no", None, "", [True]])
def test_stand_is_true_or_false_in_python(value: Any) -> None:
    with pytest.raises(BadSetting, match=r"^stand must be yes or no in grid, not "):
        Grid(stand=value)


@pytest.mark.parametrize(("typed", "stand"), [("yes", True), ("y", True), ("YES", True), ("no", False), ("n", False)])
def test_stand_is_typed_as_yes_or_no(typed: str, stand: bool) -> None:
    assert game("grid", stand=typed) == Grid(stand=stand)


@pytest.mark.parametrize("typed", ["true", "1", "", "maybe", "yes no"])
def test_stand_typed_otherwise_is_refused(typed: str) -> None:
    with pytest.raises(BadSetting, match=re.escape(f"stand must be yes or no in grid, not {typed!r}")):
        game("grid", stand=typed)
