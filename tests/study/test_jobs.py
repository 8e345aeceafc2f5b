"""Long work is safe: rows are kept as games end, whoever dies, each job once; the file is the same in the end."""

import json
import os
import resource
import signal
import subprocess
import sys
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.cli import _run
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.progress import silently
from numberquest.players.asking import ERRORS
from numberquest.study.evaluation import jobs_for
from numberquest.study.game import Contest, Row
from numberquest.study.jobs import MOST_FAILED, play
from numberquest.study.journal import FILE, Rows
from numberquest.study.workers import Workers, do_all
from numberquest.terminal.commands import evaluate as terminal
from numberquest.terminal.commands.evaluate import EvaluateOptions, LeagueOptions, evaluated
from tests.conftest import in_ci
from tests.players.standin import says, serving
from tests.study.running import until
from tests.terminal.session import PROGRAM, here, piped, run_program

AGENTS = "tests.study.unruly"
ROGUE = Path(__file__).parent.parent / "players" / "rogue.py"
RULES = ["evaluate", "sumquest", "--seed", "7", "--against", "random,hard"]


def evaluate(*more: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return piped([*RULES, *more], env=env)


@in_ci
def test_the_file_is_the_same_with_one_worker_and_with_two(tmp_path: Path) -> None:
    files = []
    for jobs in ("1", "2"):
        done = evaluate("easy", "--deals", "30", "--jobs", jobs, "--out", str(tmp_path / jobs))
        assert done.returncode == 0, done.stderr
        files.append((tmp_path / jobs / FILE).read_bytes())
    assert files[0] == files[1]
    assert files[0].count(b"\n") == 1 + 30 * 2 * 2


@in_ci
def test_a_worker_that_is_killed_in_the_middle_leaves_no_trace(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    outputs = []
    for out, jobs, there in (("one", "1", False), ("two", "2", True)):
        if there:
            mark.touch()
        done = evaluate(
            f"{AGENTS}:Tired",
            "--deals",
            "20",
            "--jobs",
            jobs,
            "--out",
            str(tmp_path / out),
            env={"TIRED_MARK": str(mark)},
        )
        assert done.returncode == 0, done.stderr
        outputs.append((tmp_path / out / FILE).read_bytes())
    assert not mark.exists()
    assert outputs[0] == outputs[1]


@in_ci
def test_an_agent_that_always_kills_its_process_is_given_up_with_a_sentence(tmp_path: Path) -> None:
    done = evaluate(f"{AGENTS}:Deadly", "--deals", "20", "--jobs", "2", "--out", str(tmp_path))
    assert done.returncode == 1
    assert "workers have died" in done.stderr
    assert "Traceback" not in done.stderr


@in_ci
@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_ended_goes_on_where_it_was(tmp_path: Path, signal_number: int) -> None:
    out, whole, mark = tmp_path / "out", tmp_path / "whole", tmp_path / "mark"
    command = [*RULES, f"{AGENTS}:Held", "--deals", "6", "--jobs", "2", "--out"]
    mark.touch()
    program = subprocess.Popen(
        [*PROGRAM, *command, str(out)],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        process_group=0,
        env={**os.environ, "HELD_MARK": str(mark)},
    )
    # Both workers are in the middle of a game then, and stay there.
    until(lambda: program.poll() is not None or ((out / FILE).exists() and (out / FILE).read_bytes().count(b"\n") >= 4))
    assert program.poll() is None
    if signal_number == signal.SIGINT:
        os.killpg(program.pid, signal_number)
    else:
        program.kill()
    _, said = program.communicate()
    assert program.returncode in (130, -signal.SIGKILL)
    assert "Traceback" not in said
    assert ("games are kept in" in said) == (signal_number == signal.SIGINT)
    # Nobody is left behind.
    until(lambda: not is_anybody_in(program.pid))
    kept = (out / FILE).read_bytes()
    with (out / FILE).open("ab") as file:
        # A kill in the middle of a line.
        file.write(b'{"agent":"' if kept.endswith(b"\n") else b"")
    done = piped([*command, str(out)])
    assert done.returncode == 0, done.stderr
    assert "games are in" in done.stderr
    assert piped([*command, str(whole)]).returncode == 0
    assert (out / FILE).read_bytes() == (whole / FILE).read_bytes()


@in_ci
def test_ctrl_c_while_the_workers_begin_is_no_traceback(tmp_path: Path) -> None:
    program = subprocess.Popen(
        [*PROGRAM, *RULES, f"{AGENTS}:Odd", "--deals", "2000", "--jobs", "2", "--out", str(tmp_path / "out")],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        process_group=0,
    )
    until(lambda: program.poll() is not None or "spawn_main" in commands_in(program.pid))
    assert program.poll() is None
    os.killpg(program.pid, signal.SIGINT)
    _, said = program.communicate()
    assert program.returncode == 130
    assert "Traceback" not in said
    until(lambda: not is_anybody_in(program.pid))


def commands_in(group: int) -> str:
    listed = subprocess.run(["/bin/ps", "-A", "-ww", "-o", "pgid=,args="], capture_output=True, text=True).stdout
    return "\n".join(line for line in listed.splitlines() if line.split(maxsplit=1)[0] == str(group))


def is_anybody_in(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@in_ci
def test_what_an_agent_prints_does_not_get_among_the_data() -> None:
    for jobs in ("1", "2"):
        told = ["--deals", "3", "--jobs", jobs, "--json"]
        done = run_program([*RULES, f"{AGENTS}:Talkative", *told])
        assert json.loads(done.stdout)["agent"] == f"{AGENTS}:Talkative"
        for what in ("I am made", "I am ready", "I choose"):
            assert what in done.stderr


def test_every_player_is_made_once_and_every_engine_started_once(tmp_path: Path) -> None:
    made, notes, players = tmp_path / "made", tmp_path / "notes", tmp_path / "players.py"
    players.write_text(
        "class First:\n"
        "    def __init__(self):\n"
        f"        open({str(made)!r}, 'a').write('made ')\n"
        "    def choose(self, game, position, dice):\n"
        "        return game.moves(position)[0]\n"
        "    def odds(self, game, position):\n"
        "        return {game.moves(position)[0]: 1.0}\n"
    )
    engine = f"cmd:{sys.executable} -S {ROGUE} good {notes}"
    for agent, opponent in ((f"{players}:First", engine), (engine, f"{players}:First")):
        made.unlink(missing_ok=True)
        notes.unlink(missing_ok=True)
        done = run_program(
            ["evaluate", "sumquest", agent, "--against", f"random,{opponent}", "--deals", "2", "--seed", "7"]
        )
        assert done.returncode == 0, done.stderr
        assert made.read_text() == "made "
        heard = notes.read_text().splitlines()
        assert heard.count("goodbye") == 1
        assert len(heard) > 4, "it has been asked"


def asked(agent: str, out: Path, deals: str = "5", **more: object) -> EvaluateOptions:
    return EvaluateOptions("sumquest", agent, deals=deals, against="random,hard", out=str(out), **{"seed": "7", **more})  # type: ignore[arg-type]


@in_ci
def test_a_finished_run_costs_nothing_to_repeat_and_can_be_made_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = evaluated(asked("easy", tmp_path))
    before = (tmp_path / FILE).read_bytes()
    assert evaluated(asked("easy", tmp_path, "7")).figures["deals"] == 7
    assert (tmp_path / FILE).read_bytes().startswith(before)
    monkeypatch.setattr(terminal, "play", lambda *_: pytest.fail("it had been played before"))
    # Without a seed, that of the folder is meant.
    assert evaluated(asked("easy", tmp_path, seed=None)) == first
    assert "20 of 20 games are in" in capsys.readouterr().err


def test_games_of_another_contest_are_left_alone(tmp_path: Path) -> None:
    evaluated(asked("easy", tmp_path, "2"))
    before = (tmp_path / FILE).read_bytes()
    others: list[tuple[dict[str, object], str]] = [
        ({"seed": "8"}, "seed 7, not 8"),
        ({"set": ["target=12"]}, "settings target=23 high=9, not target=12 high=9"),
        ({"tries": "2"}, "tries 3, not 2"),
    ]
    for more, why in others:
        with pytest.raises(UsageError, match=f"holds games with {why}: name another folder"):
            evaluated(asked("easy", tmp_path, "2", **more))
    assert (tmp_path / FILE).read_bytes() == before
    (tmp_path / FILE).write_text("my diary\n")
    with pytest.raises(UsageError, match="holds no games of Number Quest"):
        evaluated(asked("easy", tmp_path, "2"))
    assert (tmp_path / FILE).read_text() == "my diary\n"
    with pytest.raises(UsageError, match="cannot be used"):
        evaluated(asked("easy", tmp_path / FILE, "2"))


def test_a_full_disk_is_told_in_a_sentence_and_what_is_there_is_kept(tmp_path: Path) -> None:
    command = [*PROGRAM, *RULES, "easy", "--deals", "40", "--out", str(tmp_path)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)),
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be written: File too large. What is in it is kept" in done.stderr
    assert done.stderr.count("\n") == 1
    again = subprocess.run(command, capture_output=True, text=True)
    assert again.returncode == 0
    assert " of 160 games are in" in again.stderr


def test_two_runs_at_a_time_do_not_share_a_folder(tmp_path: Path) -> None:
    contest = Contest(nq.game("sumquest"), "two")
    with Rows(contest, str(tmp_path)), pytest.raises(UsageError, match="written by another run"):
        Rows(contest, str(tmp_path))


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("nobody", "nobody"),
        ("./nowhere.py:Agent", "there is no such file"),
        (f"{AGENTS}:Nobody", "Nobody"),
        (f"{AGENTS}:Broken", "no_such_field"),
        (f"{AGENTS}:Down", "none could be played: no route to host"),
        ("human", "by hand"),
    ],
)
def test_an_agent_that_cannot_play_is_told_in_a_sentence(agent: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=why):
        evaluated(asked(agent, tmp_path, "20"))


@pytest.mark.parametrize(("agent", "why"), [("Broken", "no_such_field"), ("Down", "no route to host")])
@pytest.mark.parametrize("errors", ERRORS)
@pytest.mark.parametrize("command", ["evaluate", "league"])
def test_a_player_that_never_answered_is_not_measured_though_others_have_played(
    command: str, errors: str, agent: str, why: str, tmp_path: Path
) -> None:
    name = f"{AGENTS}:{agent}"
    for deals, told in (
        ("1", f"of the games of {name} none could be played"),
        ("9", f"the last {MOST_FAILED} games of {name}"),
    ):
        out = str(tmp_path / deals)
        play_all = {
            "evaluate": partial(evaluated, EvaluateOptions("sumquest", "easy", name, deals, out=out, errors=errors)),
            "league": partial(
                terminal.league, LeagueOptions("sumquest", ["easy", name, "hard"], deals, out=out, errors=errors)
            ),
        }[command]
        with pytest.raises(UsageError, match=f"{told}.*{why}") as refused:
            play_all()
        assert refused.value.code == FAILURE
        assert (tmp_path / deals / FILE).read_text().count("\n") < 6 * 9, "nobody waits for it to the end"


@pytest.mark.parametrize("command", ["evaluate", "league"])
def test_every_prompt_and_raw_answer_of_language_models_is_kept_with_their_tokens(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = {"evaluate": ["llm:one", "--against", "easy"], "league": ["llm:one", "llm:two", "easy"]}[command]
    arguments = [command, "sumquest", *players, "--deals", "2", "--set", "target=9", "--out", str(tmp_path)]
    replies = [says(text, prompt_tokens=100, completion_tokens=7) for text in ("I resign", "4 or [2]", "[5]", "[1]")]
    with serving(*replies) as server:
        monkeypatch.setenv("NUMBERQUEST_LLM_URL", server.url)
        data = json.loads(here(*arguments, "--json"))
        rows = [json.loads(line) for line in (tmp_path / FILE).read_text().splitlines()[1:]]
        kept = [(Row.of(row).players[one["player"] - 1], one) for row in rows for one in row.get("heard", ())]
        assert [name for name, _ in kept] == [f"llm:{asked['model']}" for asked in server.asked]
        assert [one["prompt"] for _, one in kept] == [asked["messages"] for asked in server.asked]
        assert [json.loads(one["answer"])["choices"][0]["message"]["content"] for _, one in kept][:2] == [
            "I resign",
            "4 or [2]",
        ]
        # What is kept is not asked again, and tells the same.
        assert json.loads(here(*arguments, "--json"))["worst"] == data["worst"]
        assert "Tokens, as the provider counts them: " in here(*arguments)
        assert len(server.asked) == len(kept)
    told = (
        {"llm:one": data["tokens"]} if command == "evaluate" else {one["who"]: one["tokens"] for one in data["players"]}
    )
    for name, tokens in told.items():
        times = sum(who == name for who, _ in kept)
        assert tokens == ({"prompt_tokens": 100 * times, "completion_tokens": 7 * times} if times else None)


@in_ci
def test_no_traceback_reaches_whoever_brings_a_bad_agent(tmp_path: Path) -> None:
    done = evaluate(f"{AGENTS}:Broken", "--deals", "20", "--out", str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)


@pytest.mark.parametrize("option", ["--deals", "--jobs", "--tries"])
@pytest.mark.parametrize("value", ["-1", "x", "1e3", "99999999"])
def test_numbers_that_are_none_are_refused(option: str, value: str) -> None:
    with pytest.raises(UsageError, match=option):
        _run([*RULES, "easy", f"{option}={value}"])


@pytest.mark.parametrize("cut", [1, 20, 90, 400])
def test_a_file_that_was_cut_anywhere_is_made_whole_again(cut: int, tmp_path: Path) -> None:
    contest = Contest(nq.game("sumquest"), "cut")
    jobs = jobs_for("easy", ["random"], range(4))
    with Rows(contest, str(tmp_path)) as rows:
        play(contest, jobs, rows, None, silently)
    whole = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(whole[:-cut])
    # Ended twice, before anything could be brought into order.
    for _ in range(2):
        with Rows(contest, str(tmp_path)) as rows:
            play(contest, jobs, rows, None, silently)
        assert (tmp_path / FILE).read_bytes() == whole


def test_games_that_a_provider_missed_are_played_the_next_time(tmp_path: Path) -> None:
    contest = Contest(nq.game("sumquest"), "again")
    jobs = jobs_for("easy", ["random"], range(3))
    with Rows(contest, str(tmp_path)) as rows:
        play(contest, jobs, rows, None, silently)
        missed = rows.known[jobs[0]]._replace(result=None, history=(), errors=3, error="gone")
        rows.add([missed])
    with Rows(contest, str(tmp_path)) as rows:
        assert rows.missing(jobs) == [jobs[0]]
        play(contest, jobs, rows, None, silently)
        assert rows.missing(jobs) == []
        rows.bring_into_order(jobs)
    assert (tmp_path / FILE).read_bytes().count(b"\n") == 7


JOBS = list(range(20))


class Leaving(Executor):
    """Does what it is given at once, until it is gone: that is noticed when it is given more."""

    def __init__(self, gone_after: int) -> None:
        self._left = gone_after

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if not self._left:
            raise BrokenProcessPool
        self._left -= 1
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


@pytest.mark.parametrize("gone_after", [3, 4, 7])
def test_what_nobody_was_left_to_take_is_given_to_the_next(gone_after: int) -> None:
    kept: list[int] = []
    workers = Workers(lambda: Leaving(gone_after), 1, lambda _: "gone", silently)
    do_all(int, JOBS, kept.extend, workers, lambda _: None, "jobs")
    assert sorted(kept) == JOBS
