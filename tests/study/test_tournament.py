"""Players of any kind against each other: who wins is counted right, and agrees with what was worked out."""

import json
import sys
from math import inf
from typing import Any

import pytest

import numberquest as nq
from numberquest.cli import _run
from numberquest.core.contract import Game
from numberquest.core.play_out import BEGINS, changes_seats
from numberquest.players import look_ahead as thinker
from numberquest.players.asking import ProviderError
from numberquest.players.named import who
from numberquest.solver import budget
from numberquest.study import tournament as lab
from numberquest.study.intervals import wilson
from numberquest.study.levels import chances, results
from numberquest.study.policy_values import Chance, Pair
from numberquest.study.tournament import began, expected_share, play_matchup, tournament
from tests.conftest import a_few, in_ci
from tests.own.paper import LOST, WON, die, on_paper, one, two
from tests.own.pig import Pig
from tests.own.row import Row
from tests.terminal.session import piped, told

GAMES = [
    nq.game("sumquest"),
    nq.game("grid"),
    nq.game("grid", stand=True),
    nq.game("showdown"),
    nq.game("showdown", high=5, picks=3),
    nq.game("fifty", high=5, copies=1, target=25),
    nq.game("mystic", high=5, copies=1, target=12),
    Pig(target=8, faces=3),
]
FIELDS = [
    *("game", "settings", "a", "b", "seed", "games", "wins_a", "wins_b", "draws"),
    *("a_first_wins", "a_first_games", "a_second_wins", "a_second_games"),
    *("share_a", "low", "high", "expected", "seconds", "games_per_second"),
    *("illegal_a", "illegal_b", "forfeits_a", "forfeits_b", "errors", "missing"),
]


@pytest.mark.parametrize(("a", "b"), [("hard", "easy"), pytest.param("random", "medium", marks=in_ci)])
@pytest.mark.parametrize("game", a_few(GAMES, 3), ids=repr)
def test_what_was_played_agrees_with_what_was_worked_out(game: Game[Any], a: str, b: str) -> None:
    standing = tournament(game, a, b, 2001, "1")
    known = chances(game, [Pair(a, b), Pair(b, a)])
    for wins, games, chance in (
        (standing.a_first_wins, standing.a_first_games, known[Pair(a, b)]),
        (standing.a_second_wins, standing.a_second_games, 1 - known[Pair(b, a)]),
    ):
        # 99.9 % of all tournaments lie within 3.29 standard deviations.
        assert abs(wins / games - chance) <= 3.29 * (chance * (1 - chance) / games) ** 0.5 + 1 / games


@pytest.mark.parametrize("solved", [True, False])
@pytest.mark.parametrize("weights", [(1, 9), (10**20, 9 * 10**20)])
def test_a_reveal_comes_up_as_often_as_its_weight_says(
    weights: tuple[int, int], solved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not solved:
        monkeypatch.setattr(budget, "patience", 0)
        monkeypatch.setattr(sys.modules["numberquest.solver"], "_solved", {})
    standing = tournament(on_paper(die(1, 2, weights=weights), WON, LOST), "random", "random", 4000, "1")
    # Player 1 wins 1 of 10 games, whoever that is; 3.29 standard deviations.
    assert standing.a_first_wins / 2000 == pytest.approx(0.1, abs=3.29 * (0.09 / 2000) ** 0.5)
    assert standing.a_second_wins / 2000 == pytest.approx(0.9, abs=3.29 * (0.09 / 2000) ** 0.5)


def test_nobody_wins_a_draw_and_it_is_half_a_win_for_both() -> None:
    standing = tournament(Row(), "perfect", "perfect", 9, "1")
    assert (standing.wins_a, standing.wins_b, standing.draws, standing.share_a) == (0, 0, 9, 0.5)
    assert standing.interval == wilson(0.5, 9)
    mixed = tournament(Row(), "perfect", "random", 400, "1")
    assert mixed.wins_b == 0
    assert 0 < mixed.draws < 200
    assert mixed.wins_a + mixed.draws == 400
    assert mixed.share_a == (mixed.wins_a + mixed.draws / 2) / 400


def test_a_game_that_nobody_ends_is_a_draw_after_its_bound() -> None:
    game = on_paper(one(1, 2), two(0, 2), two(3), one(0, 1))
    standing = tournament(game, "perfect", "random", 4, "1")
    assert (standing.draws, standing.share_a) == (4, 0.5)


@pytest.mark.parametrize("game", [pytest.param(Pig(target=30), marks=in_ci), Row()], ids=repr)
def test_rules_of_others_that_are_too_large_to_solve_are_played_too(
    game: Game[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "patience", 0)
    monkeypatch.setattr(sys.modules["numberquest.solver"], "_solved", {})
    monkeypatch.setattr(thinker, "MOVES", 300)
    standing = tournament(game, "hard", "random", 6, "1")
    assert standing.wins_a + standing.wins_b + standing.draws == 6


def test_seats_alternate_and_the_first_game_is_the_first_players() -> None:
    standing = tournament(nq.game("sumquest"), "perfect", "perfect", 7, "1")
    assert (standing.a_first_games, standing.a_second_games) == (4, 3)
    # Player 1 always wins with best play.
    assert (standing.a_first_wins, standing.a_second_wins) == (4, 0)


def test_the_same_seed_gives_the_same_games() -> None:
    game = nq.game("mystic", high=4, copies=1, target=9)
    results = [tournament(game, "easy", "hard", 300, seed)._replace(seconds=0) for seed in ("1", "1", "2")]
    assert results[0] == results[1] != results[2]


def test_the_memory_of_positions_never_fills_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game = nq.game("sumquest")
    whole = tournament(game, "easy", "hard", 500, "1")
    monkeypatch.setattr(lab, "MOST_PLACES", 10)
    assert tournament(game, "easy", "hard", 500, "1")._replace(seconds=0) == whole._replace(seconds=0)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"), [(0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (50, 100, 0.4038, 0.5962)]
)
def test_wilsons_interval(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins / games, games) == pytest.approx((low, high), abs=1e-4)


def test_rules_too_large_to_solve_are_played_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "free_memory", lambda: 1000)
    monkeypatch.setattr(sys.modules["numberquest.solver"], "_solved", {})
    monkeypatch.setattr(thinker, "MOVES", 300)
    results = [tournament(nq.game("mystic"), "hard", "random", 3, "1")._replace(seconds=0) for _ in range(2)]
    assert results[0] == results[1]


def test_the_command_says_it_in_words() -> None:
    done = piped(["match", "sumquest", "perfect", "random", "-n", "200", "--seed", "1"])
    assert (done.returncode, told(done.stderr)) == (0, "")
    assert "perfect against random, 200 games, changing seats after each (seed 1)" in done.stdout
    assert "100 of 100 as Player 1" in done.stdout
    assert "Worked out exactly: 99.96 %" in done.stdout


def test_the_data_has_exactly_these_fields() -> None:
    data = json.loads(piped(["match", "grid", "easy", "hard", "-n", "101", "--seed", "1", "--json"]).stdout)
    assert set(data) == set(FIELDS)
    assert data["wins_a"] + data["wins_b"] == data["games"] == 101
    assert data["wins_a"] == data["a_first_wins"] + data["a_second_wins"]
    assert data["low"] <= data["share_a"] <= data["high"]
    assert data["expected"] == pytest.approx((51 * 0.412302 + 50 * 0.587698) / 101, abs=1e-5)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["sumquest", "perfect", "wizard"], "there is no computer player called 'wizard'"),
        (["sumquest", "perfect", "human"], "a human plays at the keyboard alone"),
        (["sumquest", "easy", "hard", "-n", "0"], "-n wants a whole number of games"),
        (["sumquest", "easy", "hard", "-n", "many"], "-n wants a whole number of games"),
        (["chess", "easy", "hard"], "there is no game called 'chess'"),
        (["sumquest", "easy", "hard", "--seed", ""], "a seed is a number or a short text"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: list[str], words: str) -> None:
    done = piped(["match", *arguments])
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


AGENTS = "tests.players.agents"
SUM = nq.game("sumquest")


def test_the_better_one_wins_in_both_seats() -> None:
    found = play_matchup(SUM, who("perfect"), who(f"{AGENTS}:First"), 21, "7")
    standing = found.standing
    assert (standing.a_first_games, standing.a_second_games) == (11, 10)
    assert standing.wins_a == 21
    assert (found.illegal, found.forfeits, found.errors, found.missing) == ((0, 0), (0, 0), 0, 0)


def test_the_same_seed_gives_the_same_games_of_any_two() -> None:
    one, two = (play_matchup(SUM, who("easy"), who("medium"), 40, "7").standing._replace(seconds=0) for _ in range(2))
    assert one == two
    assert one != play_matchup(SUM, who("easy"), who("medium"), 40, "8").standing._replace(seconds=0)


@pytest.mark.parametrize("wrong_is_a", [True, False])
def test_wrong_answers_lose_the_game_and_are_counted_for_who_gave_them(wrong_is_a: bool) -> None:
    wrong, first = who(f"{AGENTS}:Wrong"), who(f"{AGENTS}:First")
    found = play_matchup(SUM, *((wrong, first) if wrong_is_a else (first, wrong)), 4, "7")
    at = 0 if wrong_is_a else 1
    assert found.standing.wins_a == (0 if wrong_is_a else 4)
    assert (found.illegal[at], found.illegal[1 - at]) == (12, 0)
    assert (found.forfeits[at], found.forfeits[1 - at]) == (4, 0)


def test_a_game_that_an_error_breaks_off_is_played_again_and_lost_by_nobody() -> None:
    found = play_matchup(SUM, who(f"{AGENTS}:FailsAtTimes"), who("random"), 50, "7")
    assert found.errors > 0
    assert found.missing == 0
    assert found.standing.games == 50


def test_one_who_always_fails_ends_it_with_a_sentence() -> None:
    with pytest.raises(ProviderError, match=r"Fails: line .*: ZeroDivisionError: oh no"):
        play_matchup(SUM, who(f"{AGENTS}:Fails"), who("random"), 1000, "7")
    with pytest.raises(ProviderError):
        play_matchup(SUM, who(f"{AGENTS}:Fails"), who("random"), 2, "7")


@pytest.mark.parametrize("begins", BEGINS)
def test_who_begins_is_worked_out_as_all_the_ways_that_games_can_go_come_to(begins: str) -> None:
    """Against every sequence of results of five games; the first one is begun by `a`."""
    one, two = Chance(0.6, 0.1), Chance(0.3, 0.2)

    def all_ways(games: int, a_seat: int) -> tuple[float, float]:
        """The points of `a`, and the games that it begins."""
        if not games:
            return 0.0, 0.0
        chance, points, begun = (two, one)[a_seat == 0], 0.0, float(a_seat == 0)
        for winner, likely in ((0, chance.first), (1, 1 - chance.first - chance.draw), (None, chance.draw)):
            rest = all_ways(games - 1, a_seat ^ changes_seats(begins, winner))
            points += likely * (rest[0] + (0.5 if winner is None else float(winner == a_seat)))
            begun += likely * rest[1]
        return points, begun

    for games in (1, 2, 5):
        points, begun = all_ways(games, 0)
        assert began(begins, games, one, two) == pytest.approx(begun / games)
        assert expected_share(begins, games, one, two) == pytest.approx(points / games)
    assert began(begins, inf, one, two) == pytest.approx(began(begins, 10**7, one, two), abs=1e-6)


def test_games_that_are_played_out_are_begun_by_whom_it_says() -> None:
    game = nq.game("sumquest")
    pairs = [Pair("hard", "easy"), Pair("easy", "hard")]
    known = results(game, pairs)
    for begins in BEGINS:
        standing = tournament(game, "hard", "easy", 20_000, "7", begins=begins)
        one, two = (known[pair] for pair in pairs)
        assert standing.share_a == pytest.approx(expected_share(begins, 20_000, one, two), abs=0.02)
        assert standing.a_first_games / 20_000 == pytest.approx(began(begins, 20_000, one, two), abs=0.02)


def test_a_measure_tells_what_it_comes_to_over_many_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    game = nq.game("sumquest", target=12)
    known = results(game, [Pair("hard", "easy"), Pair("easy", "hard")])
    asked = ["measure", "sumquest", "--set", "target=12", "--players", "hard,easy", "--begins", "loser"]
    assert _run([*asked, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    share = expected_share("loser", inf, *known.values())
    assert data["begins"] == "loser"
    assert data["rounds"]["share"] == pytest.approx(share)
    assert _run(asked) == 0
    assert f"the first makes {100 * share:.2f} % of the points" in capsys.readouterr().out
    assert _run(["match", "sumquest", "hard", "easy", "-n", "50", "--begins", "loser", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["begins"] == "loser"
