"""The games of the examples: their rules, what is known about them, and a designer's afternoon with one."""

import os
import re
import shlex
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.registry import kind_in
from numberquest.core.view import said
from numberquest.study.row import read_table
from tests.conftest import in_ci
from tests.endings import end_of
from tests.strategies import EXAMPLES, KINDS, SECRET
from tests.terminal.session import piped

ROOT = Path(__file__).parent.parent.parent
NIM, PIG = (next(kind for kind in KINDS if kind.slug == slug) for slug in ("nim", "pig"))
STORY = (ROOT / "examples" / "designing" / "README.md").read_text()
DESIGNED = kind_in(str(ROOT / "examples" / "designing" / "designed_pig.py"))


def test_a_game_and_a_recipe_have_at_most_as_many_lines_as_the_documents_say() -> None:
    said = "".join((ROOT / page).read_text() for page in ("README.md", "docs/design.md", "docs/your-own-game.md"))
    said += (ROOT / "examples" / "README.md").read_text()
    recipes = (ROOT / "examples" / "gallery").glob("*.toml")
    for words, paths in (("less than", [*EXAMPLES, *SECRET]), ("at most", recipes)):
        (figure,) = set(re.findall(rf"{words} (\d+) lines", said))
        assert max(len(path.read_text().splitlines()) for path in paths) <= int(figure) - (words == "less than")


def heaps(*moves: str, **settings: Any) -> nq.Match[Any]:
    match = nq.Match(NIM(**settings))
    for move in moves:
        match.play(move)
    return match


def test_in_nim_who_takes_the_last_one_wins_and_misere_loses() -> None:
    assert end_of(heaps("1:3", "2:4", "3:5")) == (0, "Player 1 took the last one")
    assert end_of(heaps("1:3", "2:4", "3:4", "3:1")) == (1, "Player 2 took the last one")
    assert end_of(heaps("1:3", "2:4", "3:5", misere=True)) == (1, "Player 1 had to take the last one")
    assert said(NIM(), heaps("2:3").position) == ["Heaps: 3 1 5"]


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


def rolled(moves: str, rolls: str, **settings: Any) -> nq.Match[Any]:
    match = nq.Match(PIG(**settings), deal=list(rolls))
    for move in moves:
        match.play({"r": "roll", "h": "hold"}[move])
    return match


def test_what_a_turn_of_pig_has_brought_is_kept_by_holding_and_lost_by_a_1() -> None:
    match = rolled("rrh", "65")
    assert (match.position.scores, match.player) == ((11, 0), 1)
    assert said(PIG(), match.position) == ["Score: Player 1 11, Player 2 0", "This turn: 0"]
    match = rolled("rrhrr", "65" + "61")
    assert (match.position.scores, match.position.this_turn, match.player) == ((11, 0), 0, 0)


def test_who_holds_the_target_wins_and_can_only_hold_when_it_is_enough() -> None:
    match = rolled("rr", "66", target=12)
    assert match.moves == ("hold",)
    match.play("hold")
    assert end_of(match) == (0, "Player 1 holds 12 points")


def value(target: int) -> float:
    """The chance of the player who begins, by going round all positions until nothing changes: written apart."""
    chances = {(i, j, k): 0.5 for i in range(target) for j in range(target) for k in range(target - i)}

    def win(i: int, j: int, k: int) -> float:
        return 1.0 if i + k >= target else chances[i, j, k]

    change = 1.0
    while change > 1e-12:
        change = 0.0
        for i, j, k in list(chances):
            hold = 1 - win(j, i + k, 0)
            roll = (1 - win(j, i, 0) + sum(win(i, j, k + face) for face in range(2, 7))) / 6
            change = max(change, abs(max(hold, roll) - chances[i, j, k]))
            chances[i, j, k] = max(hold, roll)
    return chances[0, 0, 0]


@pytest.mark.parametrize("target", [2, 7, 12])
def test_a_small_pig_is_worth_what_going_round_and_round_comes_to(target: int) -> None:
    pig = PIG(target=target)
    assert float(nq.solve(pig).value(pig.start())) == pytest.approx(value(target), abs=1e-9)


@in_ci
def test_the_afternoon_goes_from_unfair_to_fair_as_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
    commands = re.findall(r"```\nnumberquest (.*)\n```", STORY)
    assert [command.split()[0] for command in commands] == ["solve", "sweep", "design", "play"]
    # The last one is a game, which is left.
    shown = [piped(shlex.split(command), ["quit"], code=0).stdout for command in commands]
    for told in re.findall(r"^> (.*)$", STORY, re.MULTILINE):
        assert any(told in one for one in shown), told
    rows = read_table("pig.csv", DESIGNED, [])
    assert [row.settings["start_points"] for row in rows] == [9, 12, 6, 15, 3, 0]
    assert "start_points" in Path("pig.svg").read_text()
    assert "numberquest play ./examples/designing/designed_pig.py --set start_points=10" in Path("pig.html").read_text()


def test_points_for_player_2_are_on_the_board_from_the_start() -> None:
    assert DESIGNED(start_points=7).start().scores == (0, 7)
    assert "begins with some points" in DESIGNED(start_points=7).told(DESIGNED.rules)
    assert "begins with some points" not in DESIGNED().told(DESIGNED.rules)
