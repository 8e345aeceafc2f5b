"""However a game is left, it is kept, and one line says how to go on."""

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest

from numberquest.core.errors import UsageError
from numberquest.core.record import read
from numberquest.terminal.commands import play
from numberquest.terminal.prompt.console import Console
from tests.terminal.session import PATIENCE, PROGRAM, Terminal, piped, sum_quest, told, way_on

NOTHING = "No move was made, so there is nothing to keep.\n"


def saved_in(home: Path) -> list[Path]:
    return sorted((home / ".local" / "state" / "numberquest").glob("*"))


def started() -> Terminal:
    terminal = sum_quest("57", "--plain")
    terminal.wait_for("Player 1 Input: ")
    return terminal


@pytest.mark.parametrize(
    ("leave", "code"),
    [
        (lambda child: child.sendintr(), 130),
        (lambda child: child.sendeof(), 0),
        (lambda child: child.sendline("quit"), 0),
        (lambda child: child.kill(signal.SIGTERM), 128 + signal.SIGTERM),
    ],
    ids=["ctrl-c", "ctrl-d", "quit", "kill"],
)
def test_whoever_leaves_keeps_the_game_and_is_told_how_to_go_on(leave: Callable[[Any], object], code: int) -> None:
    terminal = started()
    leave(terminal.child)
    again = piped(way_on(terminal.finish()), ["2", "9"]).stdout
    assert "The current sum is 12. Player 1, it's your turn. Your opponent's last number was 7." in again
    assert "Player 2 reaches 23" in again
    assert terminal.code == code


def test_a_terminal_that_goes_away_loses_nothing(home: Path) -> None:
    terminal = started()
    pid = int(terminal.child.pid or 0)
    # Closing our end is what happens when a window is closed: the program gets SIGHUP.
    os.close(terminal.child.child_fd)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGHUP
    (path,) = saved_in(home)
    assert read(path.read_bytes()).match.history == ("5", "7")


def test_a_closed_pipe_keeps_the_game_without_a_word_of_python(home: Path) -> None:
    game = subprocess.Popen(
        [*PROGRAM, "play", "sumquest"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert game.stdin is not None
    assert game.stdout is not None
    with game:
        game.stdout.readline()
        game.stdin.write(b"5\n")
        game.stdin.flush()
        while b"chooses 5" not in game.stdout.readline():
            continue
        game.stdout.close()
        game.stdin.write(b"7\n8\n")
        game.stdin.close()
        assert game.stderr is not None
        messages = game.stderr.read().decode()
        assert game.wait(timeout=PATIENCE) == 1
    assert re.fullmatch(r"Game saved\. Go on with: .*\n", messages)
    assert read(saved_in(home)[0].read_bytes()).match.history[0] == "5"


CLOSED = [f"play sumquest {streams}" for streams in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-")]


@pytest.mark.parametrize("command", ["rules fifty | true", *CLOSED])
def test_an_output_cut_short_and_closed_streams_do_no_harm(command: str) -> None:
    shell = ["bash", "-c", f"{shlex.join(PROGRAM)} {command}"]
    done = subprocess.run(shell, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0
    assert told(done.stderr) in (["", NOTHING] if command in CLOSED else [""])
    assert "Traceback" not in done.stdout


def test_a_game_that_is_over_goes_to_the_finished_ones_unless_computers_played_it_alone(home: Path) -> None:
    piped(["play", "sumquest", "--p1", "random", "--p2", "random"])
    assert saved_in(home) == []
    piped(["play", "sumquest"], ["9", "8", "6"])
    (finished,) = saved_in(home)
    (path,) = finished.iterdir()
    assert read(path.read_bytes()).match.history == ("9", "8", "6")


def test_nothing_is_called_saved_that_is_not(home: Path) -> None:
    terminal = started()
    (path,) = home.glob(".local/state/numberquest/*.nq")
    # A folder of that name: the next move cannot be written.
    path.unlink()
    path.mkdir()
    terminal.child.sendline("2")
    terminal.answer("Player 2 Input: ", "quit")
    shown = terminal.finish()
    assert "cannot be written" in shown
    assert "Game saved" not in shown


def test_a_finished_game_that_could_not_be_kept_is_not_called_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    terminal = Terminal(["play", "sumquest"], {"XDG_STATE_HOME": str(tmp_path / "file")})
    for player, move in ((1, "9"), (2, "8"), (1, "6")):
        terminal.answer(f"Player {player} Input: ", move)
    terminal.answer("See how it went? (yes/no): ", "no")
    shown = terminal.finish()
    assert "The game could not be kept." in shown
    assert "The game is kept" not in shown


def test_what_lies_in_the_state_folder_besides_games_does_no_harm(home: Path) -> None:
    state = home / ".local" / "state" / "numberquest"
    state.mkdir(parents=True)
    os.mkfifo(state / "pipe.nq")
    (state / "nowhere.nq").symlink_to(state / "gone")
    (state / "folder.nq").mkdir()
    done = piped([], ["q"])
    assert (done.returncode, done.stderr) == (0, "")


def test_saved_games_are_private_and_have_the_hints_before_the_first_move(home: Path) -> None:
    piped(["play", "mystic", "--seed", "1"], ["hint", "1", "quit"])
    (path,) = saved_in(home)
    assert path.stat().st_mode & 0o077 == 0
    record = read(path.read_bytes())
    assert (record.moves, record.hints) == (1, (1, 0))


def test_the_folder_is_the_user_s_choice_and_where_it_cannot_be_written_to_the_game_goes_on(tmp_path: Path) -> None:
    piped(["play", "sumquest"], ["1"], {"XDG_STATE_HOME": str(tmp_path / "state")})
    assert len(list((tmp_path / "state" / "numberquest").glob("sumquest-*.nq"))) == 1
    (tmp_path / "file").write_text("")
    done = piped(["play", "sumquest"], ["9", "8", "6"], {"XDG_STATE_HOME": str(tmp_path / "file")}, code=0)
    assert done.stderr.count("cannot be written") == 1
    assert "The game goes on, but it is not kept there." in done.stderr
    assert "Game saved" not in done.stderr
    assert "Player 1 reaches 23" in done.stdout


def test_the_save_command_writes_a_record_and_never_over_another(tmp_path: Path) -> None:
    path = tmp_path / "my game.nq"
    done = piped(["play", "sumquest"], ["5", f"save {path}", f"save {path}", "save", f"save {tmp_path}/no/where/\0"])
    assert f"Saved to {path}\n" in done.stdout
    assert f"{path} exists already; choose another name" in done.stdout
    assert "Say where to: save FILE" in done.stdout
    assert "Not saved" in done.stdout
    assert read(path.read_bytes()).match.history == ("5",)


def test_a_file_of_one_s_own_is_never_written_to(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.nq"
    piped(["play", "sumquest"], ["5", f"save {path}", "undo", "yes", "quit"])
    for kept in saved_in(home):
        kept.unlink()
    before = path.read_bytes(), path.stat().st_mtime_ns
    # Looked at alone, nothing is kept, and the way to go on is the same file.
    left = piped(["play", "sumquest", "--resume", str(path)], ["quit"])
    assert f"--resume {path}\n" in left.stderr
    assert saved_in(home) == []
    # A move is kept here, and not there.
    left = piped(["play", "--resume", str(path)], ["7", "quit"])
    (save,) = saved_in(home)
    assert f"--resume {save}\n" in left.stderr
    assert read(save.read_bytes()).match.history == ("5", "7")
    piped(["play", "--resume", str(save)], ["2", "9"])
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_a_resumed_random_player_plays_as_it_would_have() -> None:
    whole = piped(["play", "fifty", "--p2", "random", "--seed", "9"], ["1+", "2+", "3+", "quit"])
    part = piped(["play", "fifty", "--p2", "random", "--seed", "9"], ["1+", "quit"])
    resumed = piped(way_on(part.stderr), ["2+", "3+", "quit"])
    assert resumed.stdout.split("Calculation: 1 + 2 = 3")[1] == whole.stdout.split("Calculation: 1 + 2 = 3")[1]


def test_ctrl_c_in_the_menu_exits_130() -> None:
    terminal = Terminal([])
    terminal.wait_for("Which game?")
    terminal.child.sendintr()
    terminal.finish()
    assert terminal.code == 130


@pytest.mark.parametrize(
    ("arguments", "typed"),
    [
        (["sumquest"], ["quit"]),
        (["mystic"], []),
        (["mystic"], ["hint", "quit"]),
        (["grid", "--after", "1,1 (9)"], ["quit"]),
        (["--from", "FILE"], ["quit"]),
    ],
)
def test_a_game_in_which_nobody_has_moved_is_not_kept(
    arguments: list[str], typed: list[str], home: Path, tmp_path: Path
) -> None:
    path = tmp_path / "lesson.nq"
    path.write_text('[Game "sumquest"]\n\n1. 9\n2. 8\n')
    done = piped(["play", *(str(path) if word == "FILE" else word for word in arguments)], typed)
    said = [line for line in told(done.stderr).splitlines(keepends=True) if "fingerprint" not in line]
    assert (done.returncode, said) == (0, [NOTHING])
    assert saved_in(home) == []
    assert "r to resume" not in piped([], ["q"]).stdout


def test_whoever_leaves_a_game_that_could_not_be_saved_is_told_so_and_it_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    env = {"XDG_STATE_HOME": str(tmp_path / "file")}
    done = piped(["play", "sumquest"], ["1", "quit"], env, code=1)
    assert re.search(r"\nnumberquest: not everything is kept: \S+ cannot be written: Not a directory\n$", done.stderr)
    shown = piped([], ["4", "", "1", "quit", "q"], env, code=0).stdout
    assert "Not everything is kept: " in shown
    assert shown.count("Which game?") == 2


@pytest.mark.parametrize("moves", [["9", "8", "6"], ["9", "quit"]])
def test_a_record_that_could_not_be_written_is_a_failure(moves: list[str], tmp_path: Path) -> None:
    copy = tmp_path / "own" / "game.nq"
    copy.parent.mkdir()
    options = play.PlayOptions(game="sumquest", record=str(copy))
    series = play.series_for(options)
    copy.parent.rmdir()
    typed = BytesIO("".join(f"{move}\n" for move in moves).encode())
    with pytest.raises(UsageError, match=r"not everything is kept: .*game\.nq cannot be written") as failure:
        play.run(series, Console(typed, StringIO()))
    assert failure.value.code == 1
