"""Programs as players at the terminal: they play, they fail with a sentence, and no game is lost by that."""

import json
import re
import sys
from pathlib import Path

import pytest

import numberquest as nq
from numberquest.players.named import CustomPlayer
from numberquest.terminal.prompt.series import Series, Side
from tests.conftest import a_few, in_ci
from tests.players.standin import Reply, says, serving
from tests.study.running import runs, until
from tests.terminal.session import Terminal, piped, way_on

TESTS = Path(__file__).parent.parent
AGENTS = f"{TESTS / 'players' / 'agents.py'}"
ROGUE = f"cmd:{sys.executable} -S {TESTS / 'players' / 'rogue.py'}"


def saved_in(text: str) -> Path:
    return Path(way_on(text)[3])


def test_a_person_plays_a_program_and_two_of_a_kind_play_each_other(tmp_path: Path) -> None:
    record = tmp_path / "game.nq"
    done = piped(["play", "sumquest", "--p2", ROGUE, "--record", str(record)], ["9", "9", "5", "9"])
    assert (done.returncode, done.stderr) == (0, "")
    assert "It is Computer (rogue.py)'s turn." in done.stdout
    assert "Computer (rogue.py) chooses 1." in done.stdout
    assert nq.Record.read(record.read_text()).kinds == ("human", ROGUE)
    done = piped(["play", "sumquest", "--p1", f"{AGENTS}:First", "--p2", f"{AGENTS}:First"], code=0)
    assert set(re.findall(r"Computer \d \(First\)", done.stdout)) == {"Computer 1 (First)", "Computer 2 (First)"}


def test_a_program_that_fails_gets_a_sentence_and_the_game_is_kept_and_goes_on() -> None:
    done = piped(["play", "sumquest", "--p2", f"{ROGUE} dies"], ["9"], code=1)
    assert done.stderr.splitlines()[-1] == (
        f"numberquest: {ROGUE} dies: it ended with exit code 3 before it answered; "
        "its last words: 'about to fail / out of cheese'"
    )
    path = saved_in(done.stderr)
    record = nq.Record.read(path.read_text())
    assert record.match.history == ("9",)
    assert record.kinds == ("human", f"{ROGUE} dies")
    # It may be mended, or somewhere else, when the game goes on.
    again = piped(["play", "--resume", str(path), "--p2", ROGUE], ["quit"], code=0)
    assert "Computer (rogue.py) chooses 1." in again.stdout
    assert nq.Record.read(path.read_text()).kinds == ("human", ROGUE)


def test_a_kept_game_goes_on_with_its_program_and_one_that_was_moved_is_missed(tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text(Path(AGENTS).read_text())
    path = saved_in(piped(["play", "sumquest", "--p2", f"{agent}:First"], ["9", "quit"]).stderr)
    assert "Computer (First) chooses" in piped(["play", "--resume", str(path)], ["5", "quit"], code=0).stdout
    agent.rename(tmp_path / "moved.py")
    missed = piped(["play", "--resume", str(path)], code=2).stderr
    assert missed == f"numberquest: {path}: {agent}: there is no such file\n"
    piped(["play", "--resume", str(path), "--p2", f"{tmp_path / 'moved.py'}:First"], ["quit"], code=0)
    # Who is a person or a level stays so.
    path = saved_in(piped(["play", "sumquest", "--p2", "hard"], ["9", "quit"]).stderr)
    for option in ("--p1", "--p2"):
        refused = piped(["play", "--resume", str(path), option, f"{AGENTS}:First"], code=2).stderr
        assert f"{option} does not go with --resume" in refused


@pytest.mark.parametrize("how", a_few(["--resume", "--from", "--retry"], 2))
def test_a_record_that_somebody_sends_runs_nothing(how: str, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    sent = tmp_path / "sent.nq"
    kind = f"cmd:touch {ran}"
    sent.write_text(f'[Game "sumquest"]\n[Player2Type "{kind}"]\n\n1. 9 2. 1 3. 2 4. 1 5. 2\n')
    done = piped(["review", "--retry", str(sent)] if how == "--retry" else ["play", how, str(sent)], ["1"], code=1)
    assert f"{sent} was played by {kind}, and a program is run only where you name it yourself" in done.stderr
    before, _, command = done.stderr.partition("Only if you trust who sent it: ")
    assert "numberquest play" not in before
    assert command.startswith("numberquest play")
    again = "--resume" if how == "--resume" else "--from"
    assert f"numberquest play {again} {sent} --p2 '{kind}'" in done.stderr
    assert not ran.exists()
    if how == "--resume":
        piped(["verify", str(sent)], code=0)
        assert not ran.exists()
    if how == "--from":
        named = piped(["play", how, str(sent), "--p2", f"{AGENTS}:First"], ["quit"])
        assert "Computer" in named.stdout or named.returncode == 0


def test_a_program_that_is_wrong_three_times_gives_up() -> None:
    done = piped(["play", "sumquest", "--p2", f"{ROGUE} wrong"], ["9"], code=0)
    assert (
        "Computer (rogue.py) was asked 3 times and gave no allowed move, so it gives up: "
        "'nonsense' names no allowed move; allowed is 1 to 8."
    ) in done.stdout
    assert "Computer (rogue.py) resigned" in done.stdout


@pytest.mark.parametrize(
    ("who", "why", "code"),
    [
        (f"{AGENTS}:CannotBeMade", "it cannot be made: TypeError", 2),
        ("cmd:true", "cmd:true: it ended with exit code 0 before it answered", 1),
    ],
)
def test_who_fails_at_once_cannot_play(who: str, why: str, code: int) -> None:
    done = piped(["play", "sumquest", "--p2", who], ["1"], code=code)
    assert done.stdout == ""
    assert why in done.stderr
    assert "Traceback" not in done.stderr


def test_a_series_asks_the_same_player_in_every_round() -> None:
    # It fails at its eleventh question, which no single round reaches.
    done = piped(["play", "sumquest", "--p1", f"{AGENTS}:FailsAtTimes", "--p2", "random", "--rounds", "9"], code=1)
    assert "Round 2 of 9" in done.stdout
    assert "OSError: the line is down" in done.stderr


def test_the_players_of_a_series_are_closed_when_it_is_left() -> None:
    sides = (Side("One", "tests.players.agents:Whole"), Side("Two", "tests.players.agents:Whole"))
    series = Series(nq.game("sumquest"), sides)
    one, two = series.players
    assert isinstance(one, CustomPlayer)
    assert isinstance(two, CustomPlayer)
    assert one.agent is not two.agent
    assert series.players == [one, two]
    series.leave()
    assert (one.agent.closed, two.agent.closed) == (1, 1)


@in_ci
def test_a_terminal_that_goes_away_ends_the_program_too(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    terminal = Terminal(["play", "sumquest", "--p2", f"{ROGUE} children {notes}"])
    terminal.wait_for("Player 1 Input: ")
    pids = [int(line) for line in notes.read_text().splitlines()]
    assert all(map(runs, pids))
    terminal.child.close()
    until(lambda: not any(map(runs, pids)))


@in_ci
def test_ctrl_c_while_a_program_thinks_keeps_the_game_and_ends_it() -> None:
    terminal = Terminal(["play", "sumquest", "--p2", f"{ROGUE} silent"])
    terminal.answer("Player 1 Input: ", "9")
    terminal.wait_for("Computer (rogue.py) is thinking …")
    terminal.child.sendintr()
    terminal.wait_for("Game saved. Go on with")


def test_a_language_model_plays() -> None:
    with serving(says("I take [1]."), Reply(401, b"oops")) as server:
        done = piped(["play", "sumquest", "--p2", "llm:tiny"], ["9", "5"], {"NUMBERQUEST_LLM_URL": server.url}, code=1)
    assert "Computer (tiny) chooses 1." in done.stdout
    assert f"numberquest: llm:tiny: {server.url} answers 401: 'oops'" in done.stderr
    assert saved_in(done.stderr).exists()


def test_match_plays_programs_counts_errors_and_says_what_went_wrong() -> None:
    shown = piped(["match", "sumquest", f"{AGENTS}:Wrong", "random", "-n", "4", "--seed", "1"], code=0).stdout
    assert f"12 answers of {AGENTS}:Wrong were no allowed moves; 4 games lost by that" in shown
    assert "too large" not in shown
    done = piped(["match", "sumquest", "hard", f"{AGENTS}:FailsAtTimes", "-n", "40", "--seed", "1", "--json"])
    data = json.loads(done.stdout)
    assert data["errors"] > 0
    assert (data["games"], data["missing"], data["illegal_a"], data["forfeits_b"]) == (40, 0, 0, 0)
    assert data["expected"] is None
    failed = piped(["match", "sumquest", f"{ROGUE} dies", "random", "-n", "3"], code=1).stderr
    assert "it ended with exit code 3 before it answered" in failed
