"""The computer players: what each promises, in every game."""

import random
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.contract import CHANCE, Game
from numberquest.core.stream import Stream
from numberquest.players import look_ahead as thinker
from numberquest.players.levels import PLAYERS, perfect_moves
from numberquest.solver import budget
from numberquest.solver.distance import distances
from numberquest.solver.solution import ALIKE
from tests.conftest import in_ci
from tests.own.paper import LOST, WON, At, die, on_paper, one, two
from tests.own.pig import Pig
from tests.own.row import Row
from tests.terminal.session import piped

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("showdown", {}),
    ("showdown", {"high": 6, "picks": 3}),
    ("fifty", {"high": 4, "copies": 2, "target": 20}),
    ("fifty", {"high": 6, "copies": 1, "target": 30, "ops": "+-"}),
    ("grid", {}),
    ("grid", {"stand": True}),
    ("grid", {"side": 2, "target": 6, "stand": True}),
    ("sumquest", {}),
    ("sumquest", {"target": 40, "high": 3}),
    ("mystic", {"high": 4, "copies": 2, "target": 9}),
    ("mystic", {"high": 5, "copies": 1, "target": 11}),
]
GAMES = [*(nq.game(slug, **settings) for slug, settings in SETTINGS), Pig(target=10), Row()]


def decisions(game: Game[Any], number: int, seed: int = 1) -> list[Any]:
    """Positions where somebody moves, from games played at random."""
    dice = random.Random(seed)
    found: list[Any] = []
    while len(found) < number:
        p = game.start()
        while (moves := game.moves(p)) and len(found) < number:
            if game.player(p) != CHANCE:
                found.append(p)
            p = game.play(p, dice.choice(moves))
    return found


def test_they_are_listed_weakest_first() -> None:
    assert list(PLAYERS) == ["random", "easy", "medium", "hard", "perfect"]
    slips = [level.any_move for level in PLAYERS.values()]
    assert slips == sorted(slips, reverse=True)
    assert (slips[0], slips[-1]) == (100, 0)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_perfect_never_gives_anything_away(game: Game[Any]) -> None:
    solution, perfect = nq.solve(game), nq.player("perfect")
    for number, p in enumerate(decisions(game, 150)):
        move = perfect.choose(game, p, Stream("1", str(number)))
        assert solution.value_for(game.player(p), game.play(p, move)) >= solution.value(p) - ALIKE


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_perfect_takes_a_win_at_once(game: Game[Any]) -> None:
    perfect, seen = nq.player("perfect"), 0
    for number, p in enumerate(decisions(game, 300, seed=2)):
        if thinker.won_at_once(game, p, game.moves(p)):
            seen += 1
            outcome = game.outcome(game.play(p, perfect.choose(game, p, Stream("2", str(number)))))
            assert outcome is not None
            assert outcome.winner == game.player(p)
    # Opening a cell, or rolling, never wins for certain; on a grid only standing does. Else it happens all the time.
    assert seen or game.slug == "test_pig" or (game.slug == "grid" and not game.settings["stand"])


@pytest.mark.parametrize("game", [game for game in GAMES if game.chance], ids=repr)
def test_perfect_does_not_end_a_lost_game_itself_while_another_move_goes_on(game: Game[Any]) -> None:
    solution, seen = nq.solve(game), 0
    for p in decisions(game, 300, seed=4):
        going_on = [move for move in game.moves(p) if game.outcome(game.play(p, move)) is None]
        if float(solution.value(p)) == 0 and going_on:
            seen += 1
            assert set(perfect_moves(game, p)) <= set(going_on)
    assert seen or game.slug in ("grid", "test_pig")


def test_a_win_at_the_next_move_is_found_where_the_distances_say_there_is_one() -> None:
    game, seen = nq.game("fifty", target=20, high=5), 0
    solution, known = nq.solve(game), distances(game)
    for p in decisions(game, 200, seed=5):
        best = [move for move in solution.best(p) if game.outcome(game.play(p, move)) is None]
        if solution.value(p) and best:
            # One ply for the answer and one for the win, or none where the answer loses by itself.
            expected = [move for move in best if known.plies(game.play(p, move)) <= 2]
            assert thinker.won_next(game, p, best) == expected
            seen += bool(expected)
    assert seen


@in_ci
def test_without_distances_perfect_still_finds_a_win_at_its_next_move() -> None:
    game = nq.game("fifty", copies=3)
    p = game.play(nq.Match(game).play("7+"), "7*")
    best = nq.solve(game).best(p)
    quick = thinker.won_next(game, p, best)
    assert quick
    assert perfect_moves(game, p) == quick != best


def test_perfect_stands_on_the_grid_when_that_wins() -> None:
    game = nq.game("grid", stand=True)
    p = game.start()._replace(cells=(9, 5, 0, 0, 0, 0, 0, 0, 0), totals=(5, 9), last=0, stood=(True, False))
    assert perfect_moves(game, p) == ["stand"]


@pytest.mark.parametrize("game", [game for game in GAMES if not game.chance], ids=repr)
def test_perfect_wins_as_fast_and_loses_as_slowly_as_it_can(game: Game[Any]) -> None:
    solution, known = nq.solve(game), distances(game)
    for p in decisions(game, 60, seed=3):
        best = [known.plies(game.play(p, move)) for move in solution.best(p)]
        chosen = {known.plies(game.play(p, move)) for move in perfect_moves(game, p)}
        if solution.value(p) in (0, 1):
            assert chosen == {min(best) if solution.value(p) else max(best)}
            assert known.plies(p) == 1 + chosen.pop()


def test_perfect_varies_between_equally_good_moves() -> None:
    game = nq.game("grid")
    chosen = {nq.player("perfect").choose(game, game.start(), Stream("1", str(n))) for n in range(200)}
    assert chosen == set(game.actions)


@pytest.mark.parametrize("name", ["random", "easy", "medium", "hard", "perfect"])
def test_a_level_plays_any_move_as_often_as_it_states(name: str) -> None:
    game = nq.game("sumquest")
    p = game.play(game.play(game.start(), "9"), "8")
    (best,) = perfect_moves(game, p)
    moves = Counter(nq.player(name).choose(game, p, Stream("4", str(n))) for n in range(4000))
    share = PLAYERS[name].any_move / 100
    others = share * (len(game.moves(p)) - 1) / len(game.moves(p))
    spread = (others * (1 - others) / 4000) ** 0.5
    assert abs(1 - moves[best] / 4000 - others) <= 3.3 * spread
    assert set(moves) == (set(game.moves(p)) if share else {best})


@pytest.mark.parametrize("slug", ["showdown", "sumquest", "mystic"])
def test_the_same_seed_gives_the_same_game(slug: str) -> None:
    options = ["--set", "high=5", "--p1", "easy", "--p2", "perfect"]
    games = [piped(["play", slug, *options, "--seed", seed]).stdout for seed in ("7", "7", "8")]
    assert games[0] == games[1] != games[2]


def test_two_people_need_neither_the_solver_nor_numpy() -> None:
    code = (
        "import sys, numberquest.cli as cli\n"
        "cli.main(['play', 'sumquest'])\n"
        "print([name for name in sys.modules if name == 'numpy' or name.startswith('numberquest.solver')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, input="9\n8\n6\n")
    assert done.stdout.strip().split("\n")[-1] == "[]"


@pytest.fixture
def no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nothing large can be solved."""
    monkeypatch.setattr(budget, "free_memory", lambda: 1000)
    monkeypatch.setattr(sys.modules["numberquest.solver"], "_solved", {})


@pytest.mark.usefixtures("no_memory")
@pytest.mark.parametrize("slug", ["fifty", "mystic"])
def test_rules_too_large_to_solve_can_be_played_and_it_is_said(
    slug: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(thinker, "MOVES", 500)
    told: list[str] = []
    game = nq.game(slug)
    hard = nq.player("hard")
    hard.prepare(game, told.append)
    assert told == [
        "These rules are too large to work out completely, so hard looks ahead as far as it can "
        "and may miss the best move."
    ]
    histories = []
    for _ in range(2):
        match = nq.Match(game, seed=5)
        while match.outcome is None:
            match.play(hard.choose(game, match.position, Stream("5", str(len(match.history)))))
        histories.append(match.history)
    assert histories[0] == histories[1]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "game",
    [nq.game("fifty", high=3, copies=1, target=9), nq.game("mystic", high=3, copies=1, target=5), nq.game("sumquest")],
    ids=str,
)
def test_thinking_finds_the_best_move_where_little_follows(game: Game[Any]) -> None:
    solution = nq.solve(game)
    for number, p in enumerate(decisions(game, 30)):
        move = thinker.thought_best(game, p, Stream("6", str(number)))
        assert solution.moves(p)[move] >= solution.value(p) - ALIKE


@in_ci
def test_thinking_beats_random_play_where_much_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinker, "MOVES", 5000)
    game, wins = nq.game("mystic"), 0
    for number in range(12):
        match = nq.Match(game, seed=number)
        while match.outcome is None:
            dice = Stream(str(number), str(len(match.history)))
            if match.player == number % 2:
                match.play(thinker.thought_best(game, match.position, dice))
            else:
                match.play(nq.player("random").choose(game, match.position, dice))
        wins += match.outcome.winner == number % 2
    assert wins >= 9


def test_thinking_does_not_go_round_for_ever_where_one_can_come_back() -> None:
    rounds = on_paper(one(1, 2), two(0, 3), two(3, 0), one(1, 2, 4), WON)
    assert thinker.thought_best(rounds, At(3), Stream("1", "1")) == "c"
    assert thinker.thought_best(rounds, At(0), Stream("1", "1")) in ("a", "b")
    pig = Pig(target=40)
    near = pig.start()._replace(scores=(37, 35), brought=3)
    assert thinker.thought_best(pig, near, Stream("1", "1")) == "hold"


def test_thinking_takes_a_draw_where_all_else_loses() -> None:
    game = Row()
    for number, p in enumerate(decisions(game, 40, seed=7)):
        if sum(map(bool, p.cells)) > 3:
            move = thinker.thought_best(game, p, Stream("7", str(number)))
            assert nq.solve(game).moves(p)[move] == nq.solve(game).value(p)


@in_ci
def test_thinking_tries_a_worse_move_again_but_seldom() -> None:
    # Of two moves one wins 6 of 10 games, the other 4 of 10.
    game = on_paper(one(1, 2), die(3, 4, weights=(4, 6)), die(3, 4, weights=(6, 4)), WON, LOST)
    shares = []
    for number in range(20):
        tries = thinker._Tries(game, Stream("8", str(number)))
        assert tries.most_tried(game.start()) == "b"
        worse, better = (tries._tries[At(place)] for place in (1, 2))
        shares.append(worse / (worse + better))
    assert 0.004 < sum(shares) / len(shares) < 0.009
