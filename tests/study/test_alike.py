"""Who errs does not see what best play sees: positions that are worth the same are not the same to everybody."""

import json
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import numberquest as nq
from numberquest.core import laws
from numberquest.core.contract import Game
from numberquest.core.progress import silently
from numberquest.core.registry import kind_in
from numberquest.players.levels import PLAYERS, perfect_moves
from numberquest.solver.distance import distances
from numberquest.solver.proved import can_be_drawn, no_choice_matters
from numberquest.study.exact import exact
from numberquest.study.exam.making import Hardness
from numberquest.study.levels import everywhere, levels
from numberquest.study.measures import Study, measure
from numberquest.study.policy_values import Pair
from tests.own.files import LAST, MOD_4, written
from tests.own.paper import DRAWN, LOST, WON, At, die, on_paper, one
from tests.terminal.session import piped

PAIRS = [Pair(*both) for both in product(PLAYERS, repeat=2)]


@pytest.fixture
def path(tmp_path: Path) -> str:
    """One file: a heap of 21, of which only what is left over by four matters to best play."""
    return written(tmp_path, LAST, ("    def start", f"{MOD_4}\n    def start"))


@pytest.fixture
def mod_4(path: str) -> Game[Any]:
    return kind_in(path)()


@pytest.fixture
def plain(tmp_path: Path) -> Game[Any]:
    """The same game, without that."""
    return kind_in(written(tmp_path, LAST))()


@cache
def won(left: int) -> bool:
    """Whether who has to move wins, by playing all that can be played."""
    return any(not won(left - taken) for taken in (1, 2, 3) if taken <= left)


@cache
def plies(left: int) -> int:
    """How many moves it takes, if the winner hurries and the loser holds out."""
    after = [left - taken for taken in (1, 2, 3) if taken <= left]
    right = [plies(rest) for rest in after if won(rest) != won(left)]
    return 0 if not left else 1 + (min if won(left) else max)(right)


@cache
def share(left: int, levels: tuple[str, str]) -> float:
    """How often the level that moves first wins against the other, by playing all that can be played."""
    if not left:
        return 0.0
    moves = [taken for taken in (1, 2, 3) if taken <= left]
    best = [taken for taken in moves if won(left - taken) != won(left)]
    best = [taken for taken in best if plies(left - taken) == plies(left) - 1]
    slips = PLAYERS[levels[0]].any_move / 100
    odds = {taken: slips / len(moves) + (1 - slips) * (taken in best) / len(best) for taken in moves}
    return sum(likely * (1 - share(left - taken, (levels[1], levels[0]))) for taken, likely in odds.items() if likely)


def test_the_file_keeps_every_law(path: str) -> None:
    lines, holds = laws.report(path)
    assert holds, lines
    assert any(line.startswith("holds   canonical ") for line in lines)
    assert any(line.startswith("-       alike ") for line in lines)


def test_best_play_needs_no_more_than_what_is_left_over(mod_4: Game[Any], plain: Game[Any]) -> None:
    assert nq.solve(mod_4).positions < 10 < nq.solve(plain).positions
    for left in range(22):
        p = plain.start()._replace(left=left)
        assert nq.solve(mod_4).value(p) == won(left)
        if left:
            assert distances(mod_4).plies(p) == plies(left)
            assert perfect_moves(mod_4, p) == perfect_moves(plain, p)


@pytest.mark.parametrize("heap", [3, 4, 21])
def test_levels_win_as_often_as_when_everything_is_played_out(heap: int, path: str) -> None:
    game = kind_in(path)(heap=heap)
    found = levels(game)
    for pair in PAIRS:
        assert found.chance(*pair) == pytest.approx(share(heap, pair), abs=1e-12)
    first = everywhere(game, Pair("easy", "hard")).first
    for left in range(heap + 1):
        assert first(game.start()._replace(left=left)) == pytest.approx(share(left, ("easy", "hard")), abs=1e-12)


def test_the_commands_say_what_brute_force_says(path: str) -> None:
    at_random = share(21, ("random", "random"))
    assert at_random == pytest.approx(0.5, abs=1e-3)
    assert _said("levels", path)["first"][0][0] == pytest.approx(at_random, abs=1e-12)
    exactly = _said("evaluate", path, "random", "--against", "random,hard", "--deals", "0")["exact"]
    told = {(one["opponent"], one["seat"]): one["share"] for one in exactly["against"]}
    for name in PLAYERS:
        assert told[name, 1] == pytest.approx(share(21, ("random", name)), abs=1e-12)
        assert told[name, 2] == pytest.approx(1 - share(21, (name, "random")), abs=1e-12)
    assert _said("measure", path, "--players", "random,random")["value"] == pytest.approx(at_random, abs=1e-12)


def _said(*command: str) -> Any:
    done = piped([*command, "--json"])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("players", [("random", "random"), ("easy", "hard"), ("perfect", "perfect")])
def test_what_best_play_makes_one_changes_nothing_else(
    players: tuple[str, str], mod_4: Game[Any], plain: Game[Any]
) -> None:
    assert measure(mod_4, players) == measure(plain, players)
    policy = PLAYERS[players[0]]
    assert exact(mod_4, policy, silently) == exact(plain, policy, silently)
    start = plain.start()
    hardness = [Hardness(nq.solve(game)).missed(start, ["1"]) for game in (mod_4, plain)]
    assert hardness[0] == hardness[1]


def test_what_can_be_chosen_and_drawn_is_looked_up_in_every_position(monkeypatch: pytest.MonkeyPatch) -> None:
    # By best play the choice at place 2 is won as place 1 is; but one of its moves is a draw.
    game = on_paper(die(1, 2), WON, one(1, 3, 4), DRAWN, LOST)
    monkeypatch.setattr(type(game), "canonical", lambda _, p: At(1) if p == At(2) else p, raising=False)
    (law,) = (law for law in laws.LAWS if law.name == "canonical")
    assert not any(law.broken(game, Random(seed)) for seed in range(20))
    solution = nq.solve(game)
    assert solution.value(game.start()) == 1
    assert solution.positions == 2, "best play sees no choice"
    assert not no_choice_matters(solution)
    assert can_be_drawn(solution)


SMALL = [
    nq.game("fifty", target=12, high=3, copies=1),
    nq.game("mystic", high=3, target=7),
    nq.game("showdown", high=4),
    nq.game("showdown", high=4, picks=3),
]


@pytest.mark.parametrize("game", SMALL, ids=repr)
def test_that_a_file_lies_beside_the_rules_changes_no_result(
    game: Game[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = _results(game)
    for module in ("study.levels", "solver.pool_recurrence"):
        monkeypatch.setattr(f"numberquest.{module}.part", lambda *_: None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
    for known, again in zip(before, _results(game), strict=True):
        assert again == pytest.approx(known, abs=1e-9)


def _results(game: Game[Any]) -> list[Any]:
    """What is said of players who err."""
    found = levels(game)
    measured = Study(game).measures(("easy", "hard")).data()
    named = {name: value for name, value in measured.items() if name not in ("positions", "why", "ladder")}
    return [*found.first, *found.draws, named, measured["ladder"]]
