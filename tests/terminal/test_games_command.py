"""`numberquest games`: no game is ever lost, and every one that is kept can be found again."""

import json
import os
import re
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from numberquest.core import files
from numberquest.core.record import read
from numberquest.terminal.prompt import lock, saves, scores
from tests.terminal.session import Terminal, at_forty, piped, sum_quest

WON = ["9", "8", "6"]


def state_in(home: Path) -> Path:
    return home / ".local" / "state" / "numberquest"


def listed() -> Any:
    return json.loads(piped(["games", "--json"]).stdout)


def being_played(home: Path) -> tuple[Terminal, Path]:
    """A game with a move in it, at a terminal that waits for the next, and its file."""
    terminal = sum_quest("5", "--plain")
    terminal.wait_for("Player 2 Input: ")
    (path,) = state_in(home).glob("*.nq")
    return terminal, path


@pytest.mark.parametrize("way", ["play", "games", "menu"])
def test_a_second_window_is_refused_and_changes_nothing(way: str, home: Path) -> None:
    terminal, path = being_played(home)
    before = path.read_bytes()
    if way == "menu":
        done = piped([], ["r", "q"])
        assert "is being played in another window" in done.stdout
        assert (done.returncode, done.stdout.count("Which game?")) == (0, 2)
    else:
        done = piped(["games", "resume"] if way == "games" else ["play", "--resume", str(path)], ["7"])
        assert (done.returncode, done.stdout) == (1, "")
        sentence = r"numberquest: the game in \S+ is being played in another window: go on there, or leave it.*\n"
        assert re.fullmatch(sentence, done.stderr)
    assert path.read_bytes() == before
    # The first goes on as if nothing had been.
    terminal.child.sendline("7")
    terminal.answer("Player 1 Input: ", "2")
    terminal.answer("Player 2 Input: ", "9")
    assert "Player 2 reaches 23" in terminal.finish()


def test_a_killed_window_lets_the_game_go(home: Path) -> None:
    terminal, path = being_played(home)
    assert [game["playing"] for game in listed()] == [True]
    terminal.child.kill(signal.SIGKILL)
    terminal.child.wait()
    assert [game["playing"] for game in listed()] == [False]
    assert "Player 2 reaches 23" in piped(["play", "--resume", str(path)], ["7", "2", "9"]).stdout
    # Nor does its lock lie about.
    assert [found.name for found in state_in(home).iterdir()] == ["finished"]


def test_a_lock_holds_once_and_leaves_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "game.nq")
    held = lock.hold(path)
    with pytest.raises(lock.Held):
        lock.hold(path)
    assert lock.is_held(path)
    held.release()
    held.release()
    assert not lock.is_held(path)
    # Where nothing can be written it is played without a lock.
    lock.hold(str(tmp_path / "no" / "where" / "game.nq")).release()
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_is_being_played_is_not_deleted_and_once_left_it_can_be_had_at_once(home: Path) -> None:
    terminal, path = being_played(home)
    piped(["games", "delete", "1"], code=1)
    assert path.exists()
    terminal.child.sendline("quit")
    terminal.finish()
    assert sorted(state_in(home).iterdir()) == [path]
    piped(["play", "--resume", str(path)], ["7"], code=0)
    piped(["games", "delete", "1"], code=0)
    assert list(state_in(home).iterdir()) == []


def test_halves_of_files_that_a_kill_has_left_are_cleared_and_those_being_written_are_not(home: Path) -> None:
    state, data, own = state_in(home), home / ".local" / "share" / "numberquest", home / "own"
    for folder in (state, data, own):
        folder.mkdir(parents=True)
    left = [state / "grid-1.nq.77.tmp", data / "puzzles.json.77.tmp", own / "game.nq.77.tmp"]
    fresh = state / "grid-2.nq.78.tmp"
    others = [state / "notes.tmp", own / "mine.tmp", own / "other.nq.77.tmp"]
    for path in (*left, fresh, *others):
        path.write_text("half")
    for path in (*left, *others):
        old = time.time() - 2 * files.STALE
        os.utime(path, (old, old))
    piped(["play", "sumquest", "--record", str(own / "game.nq")], ["5", "quit"])
    scores.keep(scores.PuzzleScores({}, {}), pytest.fail)
    assert [path.name for path in left if path.exists()] == []
    assert fresh.exists()
    assert all(path.exists() for path in others)


def test_every_game_is_listed_with_its_date_its_players_and_how_it_stands(home: Path) -> None:
    piped(["play", "sumquest", "--names", "Annabella,Bartholomew"], WON)
    piped(["play", "mystic", "--p2", "random", "--seed", "1"], ["1", "quit"])
    piped(["play", "fifty", "--set", "target=30"], ["5+", "resign", "yes"])
    done = piped(["games"])
    rows = done.stdout.split("\n\n")[0].split("\n")
    one, two, three = (re.sub(r"^(\d  )\d{4}-\d\d-\d\d \d\d:\d\d", r"\1DAY", row) for row in rows)
    assert one == "1  DAY  mystic    Player 1 against Computer (random): 2 moves played, Player 1 to move"
    assert two.startswith("2  DAY  fifty     Player 1 against Player 2: Player 1 won, Player 2 resigned; target=30")
    assert three == "3  DAY  sumquest  Annabella against Bartholomew: Annabella won, Annabella reached 23"
    assert "The newest 200 finished games are kept; the oldest go." in done.stdout
    assert [game["result"] for game in listed()] == ["*", "1-0", "1-0"]
    assert [game["finished"] for game in listed()] == [False, True, True]
    assert listed()[2]["names"] == ["Annabella", "Bartholomew"]
    assert listed()[0]["players"] == ["human", "random"]
    # On a narrow terminal a row goes on below itself.
    assert "  Annabella against Bartholomew:" in at_forty("games")
    # What is no game is told, and left.
    broken = state_in(home) / "broken.nq"
    broken.write_text("this is no record")
    again = piped(["games"])
    assert again.stderr == f"{broken} cannot be read as a game, and is left as it is.\n"
    assert (again.stdout, broken.exists()) == (done.stdout, True)


def test_of_finished_games_the_oldest_go(home: Path) -> None:
    piped(["play", "sumquest"], WON)
    (first,) = (state_in(home) / "finished").iterdir()
    for number in range(saves.MOST_FINISHED):
        copy = first.with_name(f"sumquest-{number:03}.nq")
        shutil.copy(first, copy)
        os.utime(copy, (1000 + number, 1000 + number))
    piped(["play", "sumquest"], WON)
    kept = {path.name for path in (state_in(home) / "finished").iterdir()}
    assert len(kept) == saves.MOST_FINISHED
    assert {"sumquest-000.nq", "sumquest-001.nq"}.isdisjoint(kept)
    assert {"sumquest-002.nq", first.name} <= kept


def test_a_game_is_resumed_by_number_by_name_or_as_the_newest() -> None:
    piped(["play", "grid"], ["1,1"])
    piped(["play", "sumquest"], ["5"])
    (name,) = (game["name"] for game in listed() if game["game"] == "sumquest")
    assert "The current sum is 5." in piped(["games", "resume", name], ["quit"]).stdout
    assert "The current sum is 5." in piped(["games", "resume", "sumq"], ["quit"]).stdout
    (number,) = (game["number"] for game in listed() if game["game"] == "grid")
    assert "Select a cell" in piped(["games", "resume", str(number)], ["quit"]).stdout
    for wrong, why in (("99", "no game 99"), ("0", "no game 0"), ("chess", "no game is called or begins with chess")):
        done = piped(["games", "resume", wrong])
        assert (done.returncode, why in done.stderr) == (1, True)


def test_a_finished_game_or_round_is_not_resumed() -> None:
    piped(["play", "sumquest"], WON)
    assert "that game is over: Player 1 won, Player 1 reached 23." in piped(["games", "resume", "1"], code=1).stderr
    assert "is over" in piped(["play", "--resume", listed()[0]["file"]]).stderr
    piped(["play", "sumquest", "--rounds", "2"], [*WON, "5", "quit"])
    (finished,) = (game for game in listed() if game["standing"].endswith("; round 1 of 2") and game["finished"])
    assert "is over" in piped(["play", "--resume", finished["file"]]).stderr


def test_a_game_is_shown_without_what_is_still_hidden() -> None:
    piped(["play", "grid", "--names", "Ann,Bo"], ["1,1", "quit"])
    done = piped(["games", "show"])
    record = read(Path(listed()[0]["file"]).read_bytes())
    assert "Ann against Bo" in done.stdout
    assert f"1. 1,1 ({record.match.history[1]})" in done.stdout
    assert "[ ]" in done.stdout
    assert str(record.match.dealer.seed) not in done.stdout


def test_a_game_is_reviewed_and_exported_and_never_over_another_file(tmp_path: Path) -> None:
    piped(["play", "sumquest", "--names", "Ann,Bo"], WON)
    assert "Ann against Bo. Ann won" in piped(["games", "review"]).stdout
    assert json.loads(piped(["games", "review", "1", "--json"]).stdout)["result"] == "1-0"
    file = tmp_path / "out.nq"
    assert piped(["games", "export", "1", str(file)]).stderr == f"Saved to {file}\n"
    assert read(file.read_bytes()).result == "1-0"
    assert piped(["games", "export"]).stdout == file.read_text()
    refused = piped(["games", "export", "1", str(file)], code=1)
    assert refused.stderr == f"numberquest: {file} exists already; choose another name\n"


def test_games_are_deleted_one_by_one_or_all_that_are_finished_and_without_any_it_says_so() -> None:
    assert piped(["games"]).stdout.startswith("No games are kept here yet.\n")
    assert piped(["games", "--json"]).stdout == "[]\n"
    assert piped(["games", "resume"]).stderr == "numberquest: there is no game in progress here\n"
    assert piped(["games", "show"]).stderr == "numberquest: there is no game kept here\n"
    for _ in range(3):
        piped(["play", "sumquest"], WON)
    piped(["play", "grid"], ["1,1"])
    assert piped(["games", "delete"]).returncode == 2
    assert piped(["games", "delete", "2"]).stderr.startswith("Deleted: sumquest-")
    assert len(listed()) == 3
    assert piped(["games", "delete", "finished"]).stderr == "Deleted: 2 finished games\n"
    assert [game["game"] for game in listed()] == ["grid"]


def test_save_works_where_a_game_has_just_ended(tmp_path: Path) -> None:
    file = tmp_path / "ended.nq"
    terminal = sum_quest("986")
    for said in (f"Saved to {file}", "exists already; choose another name"):
        terminal.answer("See how it went? (yes/no): ", f"save {file}")
        terminal.wait_for(said)
    terminal.answer("See how it went? (yes/no): ", "no")
    terminal.finish()
    assert read(file.read_bytes()).result == "1-0"
