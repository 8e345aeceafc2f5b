"""Every combination of settings: which they are, what their rows say, and that they are the same whoever works."""

import csv
import importlib.util
import io
import os
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.cli import _run
from numberquest.core.contract import Game
from numberquest.core.errors import UsageError
from numberquest.core.registry import GAMES, kind_in
from numberquest.core.settings import BadSetting, SettingValue
from numberquest.solver import table
from numberquest.solver.budget import NoRoom
from numberquest.solver.device import Start
from numberquest.study import sweep as module
from numberquest.study.row import as_csv, read_table
from numberquest.study.rule_sets import Where, combinations, read_ranges
from numberquest.study.sweep import Sweep, sweep
from numberquest.terminal.commands.sweep import SweepOptions, swept
from tests.conftest import in_ci, required
from tests.own.files import FOLDER
from tests.strategies import KINDS
from tests.terminal.session import PROGRAM, here, piped

SUMS = ["target=10..20", "high=2,3,9"]
PIG = next(kind for kind in KINDS if kind.slug == "pig")


def settings(slug: str, *typed: str) -> list[dict[str, SettingValue]]:
    kind = GAMES[slug]
    return [game.settings for game in combinations(kind, read_ranges(kind, typed))]


def test_ranges_lists_steps_and_all_are_read_in_the_order_of_the_settings() -> None:
    assert settings("sumquest", "high=9,3", "target=20..40..10") == [
        {"target": target, "high": high} for target in (20, 30, 40) for high in (3, 9)
    ]
    assert [one["stand"] for one in settings("grid", "stand=all")] == [False, True]
    assert [one["ops"] for one in settings("fifty", "ops=all")] == [
        "+", "+-", "+*", "+/", "+-*", "+-/", "+*/", "+-*/",
    ]  # fmt: skip
    assert settings("grid") == [nq.game("grid").settings]


def test_a_setting_up_to_another_has_the_values_that_the_other_leaves_it() -> None:
    assert [(one["high"], one["picks"]) for one in settings("showdown", "high=2,3", "picks=all")] == [
        (2, 1), (2, 2), (3, 1), (3, 2), (3, 3),
    ]  # fmt: skip
    assert len(settings("showdown", "high=2..4", "picks=1..3")) == 2 + 3 + 3
    # Not named, it follows.
    assert [(one["high"], one["picks"]) for one in settings("showdown", "high=2,3")] == [(2, 2), (3, 3)]


@pytest.mark.parametrize("slug", GAMES)
def test_all_values_of_a_setting_are_allowed_and_each_stands_once(slug: str) -> None:
    kind = GAMES[slug]
    for name, field in kind.fields.items():
        values = field.every(kind().settings)
        assert len(set(values)) == len(values)
        assert [field.check(value, kind().settings) for value in values] == list(values)
        assert kind().settings[name] in values


def test_the_five_games_have_about_61_500_rule_sets_together() -> None:
    number = sum(len(combinations(kind, dict.fromkeys(kind.fields))) for kind in GAMES.own.values())
    assert number == 50944 + 588 + 90 + 7984 + 1888


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("target=9..2", "goes up"),
        ("target=2..", "a range is written 20..60"),
        ("target=2..9..0", "a range is written 20..60"),
        ("target=2..9..1..1", "a range is written 20..60"),
        ("target=0..999999999", "at most 100,000 numbers"),
        ("target=1..9", "target must be a whole number from 2 to 999 in sumquest, not 1"),
        ("target=x", "target must be"),
        ("target=", "target must be"),
        ("tagret=3", "has no setting 'tagret'"),
        ("target", "written name=value"),
    ],
)
def test_a_bad_range_is_told_in_a_sentence(typed: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        _run(["sweep", "sumquest", "--set", typed])


def test_a_row_says_what_solve_says() -> None:
    rows = sweep("grid", {"target": [6, 7], "side": [2], "stand": None})
    for row in rows:
        game = nq.game("grid", **row.settings)
        solution = nq.solve(game)
        assert row.value == pytest.approx(float(solution.value_for(0, game.start())), abs=0)
        assert list(row.first) == solution.best(game.start())
        assert row.positions == solution.positions


def test_the_table_has_a_column_for_each_setting_then_value_first_positions_and_measures() -> None:
    done = swept(SweepOptions("sumquest", SUMS, measure="length,branching"))
    lines = list(csv.reader(io.StringIO(done.csv())))
    assert lines[0] == ["target", "high", "value", "first", "positions", "length", "branching"]
    assert lines[2] == ["10", "3", "1", "1 2 3", "48", "5.0", lines[2][-1]]
    assert len(lines) == 1 + 11 * 3
    # Where chance opens, nobody has a first move.
    pile = swept(SweepOptions("mystic", ["target=5", "high=3", "copies=1"]))
    assert next(csv.DictReader(io.StringIO(pile.csv())))["first"] == ""


def test_a_condition_on_settings_alone_spares_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    found = swept(SweepOptions("sumquest", ["target=all"], where="target<5 and value==1"))
    assert [row.settings["target"] for row in found.rows] == [2, 3, 4]
    monkeypatch.setattr(module, "solve", lambda _: pytest.fail("nothing was asked for"))
    with pytest.raises(UsageError, match="leaves none of the 998 settings"):
        swept(SweepOptions("sumquest", ["target=all"], where="target>2000"))


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("value>0.45 and copies==2", True),
        ("value>0.45 and copies==1", False),
        ("copies=1 or value<=0.5", True),
        ("not (copies==2)", False),
        ("0.4<value<0.6", True),
        ("0.4<value<0.5", False),
        ("fairness<0.01", True),
        ("stand==yes", True),
        ("stand!=no and ops=='+-'", True),
        ('ops=="+"', False),
        ("luck>0.3", None),
        ("luck>0.3 and copies==1", False),
        ("luck>0.3 or copies==2", True),
        ("ops>3", False),
        ("value>-1", True),
        (".4<value", True),
    ],
)
def test_a_condition_is_read_as_people_mean_it(condition: str, holds: bool | None) -> None:
    row = {"value": 0.5, "copies": 2, "stand": True, "ops": "+-", "luck": None}
    assert Where(condition, row).holds(row) is holds


@pytest.mark.parametrize(
    "condition",
    [
        "", "value", "value>", ">1", "value>>1", "(value>1", "value>1)", "value>1 and", "nothing>1", "and and and",
        "__import__('os')", "value.real>1", "value>1; 2", "lambda: 1", "value>0x1",
        "('" * 300, "not " * 100 + "value>1",
    ],
)  # fmt: skip
def test_a_condition_that_is_none_is_told_in_a_sentence_and_never_run(condition: str) -> None:
    with pytest.raises(BadSetting, match="--where"):
        Where(condition, ["value"])


def test_rows_are_sorted_by_any_column_and_by_fairness() -> None:
    rows = swept(SweepOptions("grid", ["target=5..9", "side=2", "stand=yes"], sort="fairness")).chosen
    distances = [abs((row.value or 0) - 0.5) for row in rows]
    assert distances == sorted(distances)
    assert len(set(distances)) > 1
    down = swept(SweepOptions("sumquest", SUMS, sort="positions,down")).chosen
    assert [row.positions for row in down] == sorted((row.positions or 0 for row in down), reverse=True)
    with pytest.raises(UsageError, match="--sort wants one of fairness, target"):
        swept(SweepOptions("sumquest", SUMS, sort="beauty"))


def test_what_is_too_large_has_an_empty_row_and_most_chooses() -> None:
    found = swept(SweepOptions("fifty", ["copies=1", "high=2,5", "target=5"], most="1,000"))
    assert [(row.value is None, row.positions) for row in found.rows] == [(False, 100), (False, 800)]
    found = swept(SweepOptions("fifty", ["copies=1", "high=2,5", "target=5"], most="500"))
    assert [row.value is None for row in found.rows] == [False, True]
    assert list(csv.reader(io.StringIO(found.csv())))[2] == ["5", "5", "1", "+-*/", "", "", "800"]
    # A game that nobody knows the size of, too.
    assert [row.value is None for row in sweep("sumquest", {"target": [10, 900]}, most=5000)] == [False, True]


def test_a_sweep_leaves_nothing_in_memory_or_on_disk(home: Path) -> None:
    before = set(nq.solver._solved)
    sweep("fifty", {"copies": [1], "high": [4], "target": [117, 118]})
    assert not list(home.rglob("*.table"))
    assert table.keeping
    assert set(nq.solver._solved) <= before


def test_the_estimate_counts_and_its_samples_are_kept() -> None:
    games = combinations(GAMES["fifty"], {"copies": [1, 4], "high": [2, 3], "target": [5, 200], "ops": ["+"]})
    asked = Sweep(GAMES["fifty"], games, most=100_000)
    with asked.swept() as rows:
        ahead = asked.estimate(rows)
        assert (ahead.settings, ahead.too_large) == (8, 4)
        assert len(rows.known) == 4
        assert ahead.seconds == 0
        assert len(asked.run(rows)) == 8


@pytest.mark.parametrize(("positions", "seconds"), [(50, 1), (100, 1), (150, 1.5), (200, 2), (400, 4), (10, 1)])
def test_how_long_is_guessed_from_what_was_looked_at(positions: float, seconds: float) -> None:
    assert module._seconds([(100, 1), (200, 2)], positions) == pytest.approx(seconds)


def test_the_rows_of_an_earlier_table_are_not_worked_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = tmp_path / "first.csv"
    found = swept(SweepOptions("sumquest", SUMS, measure="length", out=str(first)))
    assert read_table(str(first), found.sweep.kind, ["length"]) == found.rows
    with pytest.raises(UsageError, match="exists already"):
        swept(SweepOptions("sumquest", SUMS, measure="length", out=str(first)))
    monkeypatch.setattr(module, "solve", lambda _: pytest.fail("it was worked out before"))
    again = swept(SweepOptions("sumquest", SUMS, measure="length", start=str(first), out=str(tmp_path / "again.csv")))
    assert again.csv() == first.read_text() == (tmp_path / "again.csv").read_text()
    assert "33 of 33 rows are in" in capsys.readouterr().err
    with pytest.raises(UsageError, match="no column branching"):
        swept(SweepOptions("sumquest", SUMS, measure="branching", start=str(first)))


def test_moves_of_two_words_are_read_back_as_they_were(tmp_path: Path) -> None:
    out = str(tmp_path / "out.csv")
    found = swept(SweepOptions("showdown", ["high=2..4", "picks=all"], out=out))
    assert any(" " in move for row in found.rows for move in row.first)
    assert read_table(out, found.sweep.kind, []) == found.rows


def test_what_has_no_room_beside_others_gets_a_second_chance_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for: list[Game[Any]] = []

    def solve(game: Game[Any]) -> nq.Solution[Any]:
        asked_for.append(game)
        if game.settings["target"] == 11 and asked_for.count(game) == 1:
            raise NoRoom("others have it all")
        return nq.solve(game)

    monkeypatch.setattr(Sweep, "charted", lambda _: [])
    asked = {"target": range(10, 13), "high": [3]}
    whole = sweep("sumquest", asked)
    monkeypatch.setattr(module, "solve", solve)
    assert sweep("sumquest", asked) == whole

    def never(game: Game[Any]) -> nq.Solution[Any]:
        raise NoRoom(f"there is none for {game}")

    monkeypatch.setattr(module, "solve", never)
    assert [(row.value, row.over) for row in sweep("sumquest", asked)] == 3 * [(None, module.MOST)]


def test_what_stands_in_the_atlas_is_not_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(game: Game[Any]) -> nq.Solution[Any]:
        raise AssertionError(f"{game} is solved again")

    asked, measures = {"target": range(10, 13), "high": [3]}, ["length", "skill"]
    with monkeypatch.context() as fresh:
        fresh.setattr(Sweep, "charted", lambda _: [])
        known = sweep("mystic", asked)
        measured = sweep("mystic", asked, measures, players=("medium", "medium"))
    monkeypatch.setattr(module, "solve", never)
    assert sweep("mystic", asked) == known
    for row, same in zip(sweep("mystic", asked, measures, players=("medium", "medium")), measured, strict=True):
        assert row.measures == pytest.approx(same.measures, rel=1e-6)
    # The largest ones are known as well; but who sets a limit, has a limit.
    (large,) = sweep("fifty", {"target": [200], "copies": [4]})
    assert (large.value, large.positions) == (1, 5**9 * 200**2)
    (large,) = sweep("fifty", {"target": [200], "copies": [4]}, most=1000)
    assert (large.value, large.over) == (None, 1000)
    # What it does not know is worked out: other players, other measures, and a game whose file may have been changed.
    for more in ({"players": ("hard", "hard"), "measures": ["length"]}, {"measures": ["drama"]}):
        with pytest.raises(AssertionError, match="is solved again"):
            sweep("mystic", asked, **{"players": ("medium", "medium"), **more})  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="is solved again"):
        sweep(PIG, {"target": [5]})


def sweeping(file: str, out: Path, *more: str) -> list[str]:
    return ["sweep", file, "--set", "number=1..30", "--set", "take=all", "--out", str(out), *more]


@in_ci
def test_the_file_is_the_same_with_one_worker_with_two_and_with_one_that_is_killed(tmp_path: Path) -> None:
    file, mark = str(FOLDER / "countdown.py"), tmp_path / "mark"
    tables = []
    for name, jobs in (("one", "1"), ("two", "2"), ("killed", "2")):
        if name == "killed":
            mark.touch()
        out = tmp_path / f"{name}.csv"
        done = piped(sweeping(file, out, "--jobs", jobs), env={"COUNTDOWN_KILL": str(mark)})
        assert done.returncode == 0, done.stderr
        tables.append(out.read_bytes())
    assert not mark.exists()
    assert tables[0] == tables[1] == tables[2]
    assert tables[0].count(b"\n") == 121
    assert not list(tmp_path.glob("*.part"))


@in_ci
@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGKILL])
def test_a_sweep_that_is_ended_goes_on_where_it_was(tmp_path: Path, signal_number: int) -> None:
    file, out, whole = str(FOLDER / "countdown.py"), tmp_path / "out.csv", tmp_path / "whole.csv"
    part = tmp_path / "out.csv.part"
    program = subprocess.Popen(
        [*PROGRAM, *sweeping(file, out, "--jobs", "2")],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        process_group=0,
        env={**os.environ, "COUNTDOWN_SLOW": "0.2"},
    )
    until = time.monotonic() + 60
    while not part.exists() or part.read_bytes().count(b"\n") < 20:
        assert program.poll() is None
        assert time.monotonic() < until
        time.sleep(0.01)
    if signal_number == signal.SIGINT:
        os.killpg(program.pid, signal_number)
    else:
        program.kill()
    _, said = program.communicate(timeout=60)
    assert program.returncode in (130, -signal.SIGKILL)
    assert "Traceback" not in said
    assert ("rows are kept in" in said) == (signal_number == signal.SIGINT)
    assert not out.exists()
    done = piped(sweeping(file, out))
    assert done.returncode == 0, done.stderr
    assert "of 120 rows are in" in done.stderr
    assert piped(sweeping(file, whole)).returncode == 0
    assert out.read_bytes() == whole.read_bytes()
    assert not part.exists()


def test_rows_of_other_rules_are_left_alone(tmp_path: Path) -> None:
    file, out = shutil.copy(FOLDER / "countdown.py", tmp_path), tmp_path / "out.csv"
    kind = kind_in(str(file))
    asked = Sweep(kind, combinations(kind, {"number": range(1, 5)}))
    with asked.swept(f"{out}.part") as rows:
        asked.run(rows)
    with Sweep(kind, asked.games).swept(f"{out}.part") as rows:
        assert len(rows.known) == 4
    with pytest.raises(UsageError, match="holds rows with measures none, not length"):
        Sweep(kind, asked.games, ["length"]).swept(f"{out}.part")
    Path(file).write_text(Path(file).read_text() + "\n# Another rule.\n")
    with pytest.raises(UsageError, match="holds rows with rules"):
        asked.swept(f"{out}.part")


def test_a_full_disk_is_told_in_a_sentence_and_what_is_there_is_kept(tmp_path: Path) -> None:
    command = [*PROGRAM, "sweep", "sumquest", *(f"--set={one}" for one in SUMS), "--out", str(tmp_path / "out.csv")]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be written: File too large. What is in it is kept" in done.stderr
    assert "Traceback" not in done.stderr
    again = subprocess.run(command, capture_output=True, text=True)
    assert again.returncode == 0
    assert " of 33 rows are in" in again.stderr
    assert (tmp_path / "out.csv").read_text() == swept(SweepOptions("sumquest", SUMS)).csv()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--out", "nowhere/at/all/out.csv"], None),
        (["--out", "."], "is a folder"),
        (["--jobs", "0"], "--jobs wants"),
        (["--most", "many"], "--most wants"),
        (["--players", "perfect"], "--players wants two of"),
        (["--measure", "beauty"], "there is no measure called beauty"),
        (["--measure", "ladder"], "a column holds one"),
        (["--force"], "so say which"),
        (["--set", "target=2..4", "--plot", "nowhere/p.svg"], "there is no folder"),
        (["--plot", "p.svg"], "needs a setting that varies"),
        (["--server", "https://example.org"], "say --report FILE too"),
        (["--from", "nowhere.csv"], "nowhere.csv cannot be read"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    more: list[str], why: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if why is None:
        # A folder that is not there is made.
        assert _run(["sweep", "sumquest", *more]) == 0
        return
    with pytest.raises(UsageError, match=why):
        _run(["sweep", "sumquest", *more])


def test_a_game_in_one_file_is_swept_by_workers_too() -> None:
    alone = sweep(PIG, {"target": range(2, 6)}, ["length"])
    assert sweep(PIG, {"target": range(2, 6)}, ["length"], jobs=2) == alone
    assert as_csv(["target", "value", "first", "positions", "length"], alone).count("\n") == 5


@in_ci
def test_a_cluster_gives_the_same_rows(tmp_path: Path) -> None:
    if importlib.util.find_spec("distributed") is None:
        required("Dask")
    from tests.study.test_cluster import Cluster

    cluster = Cluster(tmp_path, 2)
    try:
        settings = {"target": range(10, 60), "high": [3, 9]}
        assert sweep("sumquest", settings, cluster=cluster.address) == sweep("sumquest", settings)
    finally:
        cluster.end()
    done = piped(sweeping(str(FOLDER / "countdown.py"), tmp_path / "out.csv", "--cluster", cluster.address))
    assert done.returncode == 1
    assert "there is no cluster at" in done.stderr


@in_ci
def test_a_cluster_that_goes_away_is_told_in_a_sentence_and_the_rows_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if importlib.util.find_spec("distributed") is None:
        required("Dask")
    from tests.study.test_cluster import Cluster, wait_for_rows

    file, out = str(FOLDER / "countdown.py"), tmp_path / "out.csv"
    monkeypatch.setenv("COUNTDOWN_SLOW", "0.1")
    cluster = Cluster(tmp_path, 2)
    try:
        command = [*PROGRAM, *sweeping(file, out, "--cluster", cluster.address)]
        run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        wait_for_rows(tmp_path / "out.csv.part", 30)
    finally:
        cluster.end()
    _, said = run.communicate(timeout=100)
    assert run.returncode == 1
    assert "has gone away. The rows before are kept" in said
    assert "Traceback" not in said
    monkeypatch.delenv("COUNTDOWN_SLOW")
    assert "of 120 rows are in" in piped(sweeping(file, out)).stderr
    assert out.read_bytes().count(b"\n") == 121


def test_a_device_that_solves_many_at_a_time_gives_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the card: it tells starts in another order, and has room for small rule sets alone."""

    def starts(games: list[Game[Any]], device: str) -> Iterator[Start]:
        assert device == "cuda"
        for game in sorted(games, key=lambda game: (game.settings["high"], -int(game.settings["target"]))):
            if game.settings["high"] == 4:
                raise nq.TooLarge("it does not fit on the card")
            solution, start = nq.solve(game), game.start()
            yield Start(game, float(solution.value(start)), tuple(solution.best(start)), solution.positions)

    monkeypatch.setattr(module, "starts", starts)
    sets = ["target=5..8", "high=2..4", "copies=1", "ops=+,+-"]
    found = swept(SweepOptions("fifty", sets, device="cuda"))
    alone = swept(SweepOptions("fifty", sets))
    assert [row for row in found.rows if row.settings["high"] != 4] == [
        row for row in alone.rows if row.settings["high"] != 4
    ]
    large = [row for row in found.rows if row.settings["high"] == 4]
    assert [(row.value, row.positions) for row in large] == [
        (None, row.positions) for row in alone.rows if row.settings["high"] == 4
    ]
    with pytest.raises(UsageError, match="measures nothing"):
        swept(SweepOptions("fifty", sets, measure="length", device="cuda"))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["grid", "--set", "target=15"], ["grid: 1 setting; in 1 chance decides", "all are alike"]),
        (["grid", "--set", "side=4", "--set", "stand=yes"], ["1,1 or 1,2 or 1,3 or 13 others"]),
        (["grid", "--where", "value>2"], ["The setting is not as asked for."]),
    ],
)
def test_first_moves_are_told_whole_and_one_setting_is_spoken_of_as_one(asked: list[str], told: list[str]) -> None:
    shown = here("sweep", *asked)
    assert all(words in shown for words in told)


def test_a_game_that_no_device_knows_is_told_in_a_sentence() -> None:
    with pytest.raises(UsageError, match="sumquest has no solver for cuda"):
        swept(SweepOptions("sumquest", SUMS, device="cuda"))


def test_a_report_never_names_the_fairest_of_those_that_are_all_alike(tmp_path: Path) -> None:
    """Where one player always wins no ten are nearer to fair than others; between people some are."""
    report = tmp_path / "r.html"
    asked = {"game": "sumquest", "set": SUMS, "report": str(report), "force": True}
    swept(SweepOptions(**asked))  # type: ignore[arg-type]
    assert "no setting is fairer than another" in report.read_text()
    assert "nearest to fair" not in report.read_text()
    swept(SweepOptions(**asked, measure="advantage", players="medium,medium"))  # type: ignore[arg-type]
    assert "The ten nearest to fair between medium and medium" in report.read_text()
    # Of a pile that sums to 6, targets above it are one game, and the same as with the target 6.
    swept(SweepOptions("mystic", ["target=4..20", "high=3", "copies=1"], report=str(report), force=True))
    assert "The nearest to fair" in report.read_text()
    assert '<li><p><b class="rank">4</b>' not in report.read_text()
