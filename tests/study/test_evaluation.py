"""The figures of an agent: they hold what is true of it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.contract import Game
from numberquest.core.progress import silently
from numberquest.core.record import read
from numberquest.core.stream import Dice
from numberquest.players.asking import ProviderError
from numberquest.players.levels import PLAYERS, Player
from numberquest.report.words import words
from numberquest.solver import TooLarge
from numberquest.study import evaluation
from numberquest.study.evaluation import BY_BEST_PLAY, BY_LEVELS, NOT_AT_ALL, Evaluation, jobs_for
from numberquest.study.evaluation_report import evaluation_report
from numberquest.study.game import Contest, ContestRunner, Row
from numberquest.study.levels import chances
from numberquest.study.luck import Luck
from numberquest.study.policy_values import Pair
from numberquest.terminal.commands import evaluate as terminal
from numberquest.terminal.commands.arguments import read_record
from numberquest.terminal.commands.evaluate import EvaluateOptions
from tests.conftest import a_few, in_ci
from tests.own.paper import WON, At, die, on_paper
from tests.own.paper import one as moves_on
from tests.study.small import SMALL, Mumbling, Odd
from tests.terminal.session import piped

ROW = [
    *("opponent", "seat", "games", "wins", "share", "low", "high", "luck_free", "luck_free_low", "luck_free_high"),
    *(
        "decisions",
        "mattered",
        "regret",
        "regret_low",
        "regret_high",
        "best",
        "illegal",
        "errors",
        "answered",
        "cut_off",
    ),
]


def evaluated(
    game: Game[Any],
    agent: Player,
    opponents: list[str],
    deals: int,
    seed: str = "1",
    changed: Callable[[Row], Row] = lambda row: row,
) -> Evaluation:
    contest = Contest(game, seed)
    name = agent.name if agent.name in PLAYERS else "me"
    runner = ContestRunner(contest, {**PLAYERS, name: agent})
    rows = [changed(runner.play(job)) for job in jobs_for(name, opponents, range(deals))]
    return Evaluation(contest, name, opponents, rows, silently)


@in_ci
@pytest.mark.parametrize("game", a_few(SMALL, 2), ids=repr)
def test_both_intervals_hold_what_levels_says_as_often_as_they_promise(game: Game[Any]) -> None:
    held, number = [0, 0], 0
    for seed in range(6):
        for row in evaluated(game, PLAYERS["medium"], ["random", "hard"], 30, seed=str(seed)).rows:
            first, second = Pair("medium", row["opponent"]), Pair(row["opponent"], "medium")
            known = chances(game, [first, second])
            true = {1: known[first], 2: 1 - known[second], None: (known[first] + 1 - known[second]) / 2}[row["seat"]]
            held[0] += row["low"] <= true <= row["high"]
            held[1] += row["luck_free_low"] - 1e-9 <= true <= row["luck_free_high"] + 1e-9
            number += 1
    # 95 of 100 in the long run; those of one evaluation hang together, so a few more may miss it.
    assert min(held) >= 0.8 * number


def test_the_regret_is_over_the_positions_in_which_the_choice_mattered() -> None:
    game = nq.game("sumquest")
    found = evaluated(game, Odd(), ["random", "perfect"], 80)
    by = {(row["opponent"], row["seat"]): row for row in found.rows}
    # Where all is lost no choice matters: as Player 2 against perfect, never.
    assert by["perfect", 2]["mattered"] == 0
    assert by["perfect", 2]["regret"] is None
    assert by["random", 2]["regret"] > 0.5
    for row in found.rows:
        assert row["mattered"] <= row["decisions"]
        if row["mattered"]:
            # Without chance a choice that matters is a win, or one thrown away.
            assert row["regret"] == pytest.approx(1 - row["best"])


def test_its_progress_goes_on_to_the_end_and_never_back() -> None:
    contest = Contest(nq.game("mystic", high=3, copies=2, target=7), "1")
    runner, opponents = ContestRunner(contest, {**PLAYERS, "me": Odd()}), ["random", "hard"]
    rows = [runner.play(job) for job in jobs_for("me", opponents, range(6))]
    shares: list[float] = []
    Evaluation(contest, "me", opponents, rows, lambda done, total: shares.append(done / total))
    assert shares == sorted(shares)
    assert 0.7 < shares[-1] <= 1


def test_the_figures_by_move_and_by_stake_add_up_to_the_rows() -> None:
    found = evaluated(nq.game("mystic", high=3, copies=2, target=7), Odd(), ["random", "easy"], 40).data()
    for row in found["rows"]:
        if row["seat"] is None:
            continue
        for name in ("by_move", "by_stake"):
            groups = [one for one in found[name] if (one["opponent"], one["seat"]) == (row["opponent"], row["seat"])]
            assert sum(one["decisions"] for one in groups) == row["decisions"]
            assert sum(one["mattered"] for one in groups) == row["mattered"]
            lost = sum(one["mattered"] * (one["regret"] or 0) for one in groups)
            assert lost == pytest.approx(row["mattered"] * row["regret"])
    assert {(one["above"], one["up_to"]) for one in found["by_stake"]} <= {
        (0, 0), (0, 0.05), (0.05, 0.15), (0.15, 0.5), (0.5, 1), (1, 1),
    }  # fmt: skip


def test_the_worst_moves_come_with_a_record_in_which_they_stand() -> None:
    game = nq.game("mystic", high=4, copies=1, target=6)
    worst = evaluated(game, Odd(), ["random", "hard"], 60).data()["worst"]
    assert 0 < len(worst) <= 10
    assert [one["loss"] for one in worst] == sorted((one["loss"] for one in worst), reverse=True)
    for one in worst:
        match = read(one["record"]).match
        assert list(match.history[: one["at"]]) == one["after"]
        assert match.history[one["at"]] == one["move"]
        verdict = next(v for v in nq.review(match) if v.number == one["number"])
        assert float(verdict.loss) == pytest.approx(one["loss"])
        assert list(verdict.best) == one["best"]


def test_illegal_answers_are_counted() -> None:
    found = evaluated(nq.game("sumquest"), Mumbling(1), ["random"], 10)
    both = found.rows[-1]
    assert both["illegal"] == both["decisions"]
    assert found.more[-1]["forfeits"] == 0


def test_where_pairs_are_too_large_luck_is_valued_by_best_play_and_where_nothing_is_known_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_large(*_: object, **__: object) -> None:
        raise TooLarge("much too large")

    game = nq.game("mystic", high=3, copies=2, target=7)
    assert {one["by"] for one in evaluated(game, Odd(), ["random"], 40).valued} == {BY_LEVELS}
    monkeypatch.setattr(evaluation, "everywhere", too_large)
    assert {one["by"] for one in evaluated(game, Odd(), ["hard"], 8).valued} == {BY_BEST_PLAY}
    monkeypatch.setattr(evaluation, "solve", too_large)
    found = evaluated(game, Odd(), ["random"], 10)
    assert {one["by"] for one in found.valued} == {NOT_AT_ALL}
    assert [row["luck_free"] for row in found.rows] == [row["share"] for row in found.rows]
    assert {row["regret"] for row in found.rows} == {None}
    assert found.data()["worst"] == []


def test_luck_is_left_in_where_taking_it_out_makes_results_spread_more(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wild:
        def first(self, p: Any) -> float:
            return hash(p) % 5 - 2

    monkeypatch.setattr(evaluation, "everywhere", lambda *_, **__: Wild())
    found = evaluated(nq.game("mystic", high=3, copies=2, target=7), Odd(), ["random"], 60)
    assert {one["by"] for one in found.valued} == {NOT_AT_ALL}


@pytest.mark.parametrize("half", [0, 1])
def test_results_of_one_half_of_the_deals_change_nothing_in_how_luck_of_that_half_is_valued(half: int) -> None:
    def turned(row: Row) -> Row:
        return row._replace(result=1 - row.result) if row.deal % 2 == half and row.result is not None else row

    game = nq.game("mystic", high=3, copies=2, target=7)
    plain, other = (
        evaluated(game, Odd(), ["random"], 40, changed=change).valued for change in (lambda row: row, turned)
    )
    changed = [one["half"] - 1 for one, two in zip(plain, other, strict=True) if one != two]
    assert set(changed) == {1 - half}


@pytest.mark.parametrize(("off", "worse"), [(0.1, False), (0.6, True)])
def test_where_all_were_won_taking_luck_out_may_spread_them_a_little(off: float, worse: bool) -> None:
    # Whatever the die says Player 1 wins, but the values are off: without luck no two results are alike.
    game = on_paper(die(1, 2), moves_on(3), moves_on(3), WON)
    luck = Luck(game, lambda p: {1: 1.0, 2: 1 - off}.get(p.place, 1.0), (None, None))
    games = [
        evaluation._Played(Row("agent", "random", deal, 0, 1.0, ()), [At(0), At(1 + deal % 2), At(3)], [], [])
        for deal in range(20)
    ]
    assert evaluation._serves_worse(games, luck) is worse


def test_the_data_has_the_rows_that_programs_rely_on(tmp_path: Path) -> None:
    data = terminal.evaluated(EvaluateOptions("sumquest", "easy", deals="12", seed="3", out=str(tmp_path))).figures
    assert [list(row) for row in data["rows"]] == [ROW] * 9
    assert [(row["opponent"], row["seat"]) for row in data["rows"]] == [
        (name, seat) for name in ("random", "hard", "perfect") for seat in (1, 2, None)
    ]
    kept = json.loads((tmp_path / "evaluation.json").read_text())
    assert kept["rows"] == data["rows"]
    assert all(nq.review(read_record(one["file"]).match) for one in data["worst"])


def test_the_command_says_it_at_eighty_columns_in_words() -> None:
    done = piped(["evaluate", "sumquest", "easy", "--deals", "12", "--seed", "3"])
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split("\n")
    assert lines[0].startswith("Sum Quest: Race to 23, classic rules: easy, 12 deals, each in both seats (seed 3)")
    assert max(len(line) for line in lines if line.startswith(("against", "random", "hard", "perfect"))) <= 80
    for said in ("without luck", "given away", "Its worst moves", "a best response"):
        assert said in done.stdout
    none = words(terminal.evaluated(EvaluateOptions("sumquest", "easy", deals="0")))
    assert none.startswith("Sum Quest: Race to 23, classic rules: easy, without one game\n")
    assert "worked out exactly" in none
    assert "without luck" not in none


@in_ci
def test_a_luck_free_interval_is_far_narrower_and_holds_the_truth() -> None:
    game = nq.game("mystic")
    found = evaluated(game, PLAYERS["hard"], ["random"], 1000, seed="bar")
    first, second = Pair("hard", "random"), Pair("random", "hard")
    known = chances(game, [first, second])
    row = found.rows[-1]
    assert row["luck_free_high"] - row["luck_free_low"] <= 0.6 * (row["high"] - row["low"])
    assert row["luck_free_low"] <= (known[first] + 1 - known[second]) / 2 <= row["luck_free_high"]


class Sulking(Odd):
    """Gives no answer where it is losing."""

    def choose(self, game: Game[Any], position: Any, dice: Dice) -> str:
        if nq.solve(game).value(position) == 0:
            raise ProviderError("I do not like this")
        return super().choose(game, position, dice)


def test_whoever_gives_no_answer_where_it_is_losing_wins_no_more_for_it() -> None:
    game, games = nq.game("sumquest", target=12, high=4), 40
    found = {}
    for errors in ("random", "lose", "leave"):
        contest = Contest(game, "1", errors=errors)
        runner = ContestRunner(contest, {**PLAYERS, "me": Sulking()})
        rows = [runner.play(job) for job in jobs_for("me", ["hard"], range(games))]
        found[errors] = Evaluation(contest, "me", ["hard"], rows, silently).data()
    both = {errors: data["rows"][-1] for errors, data in found.items()}
    assert both["random"]["games"] == both["lose"]["games"] == 2 * games
    assert both["leave"]["games"] < games
    # Who leaves out what it was losing has won nearly all of the rest.
    assert both["lose"]["share"] <= both["random"]["share"] < both["leave"]["share"]
    assert all(0.2 < row["answered"] < 0.9 for row in both.values())
    assert all(row["errors"] > 3 for row in both.values())
    assert all(both["leave"][name] is None for name in ("low", "luck_free_high", "regret_low"))
    told = words(evaluation_report(game, found["leave"]))
    assert "no interval is told" in told
    assert "In brackets" not in told
    assert told.index("Left out") < told.index("without luck")
    told = words(evaluation_report(game, found["random"]))
    assert "One that stays missing counts as a random move" in told
    assert "Of its questions it answered" in told
