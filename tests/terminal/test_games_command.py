"""`numberquest games`: no game is ever lost, and every one that is kept can be found again."""

import json
import os
import re
import shutil
import signal
import time
from collections.abc import Sequence
from io import BytesIO, StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from numberquest.core import files
from numberquest.core.match import Match
from numberquest.core.record import Record, read
from numberquest.core.registry import GAMES, game
from numberquest.explain.ladder import earned
from numberquest.solver import solve
from numberquest.terminal.commands import games, play
from numberquest.terminal.commands.review_words import reviewed
from numberquest.terminal.prompt import lock, saves, scores
from numberquest.terminal.prompt.console import Console
from numberquest.terminal.prompt.series import Series
from tests.terminal.session import Terminal, at_forty, here, piped, sum_quest

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


def test_whoever_sits_there_is_asked_before_a_game_is_deleted() -> None:
    piped(["play", "sumquest"], WON)
    for which, answer, left in (("finished", "no", 1), ("1", "", 1), ("1", "yes", 0)):
        terminal = Terminal(["games", "delete", which])
        terminal.answer("for good? (yes/no): ", answer)
        terminal.finish()
        assert terminal.code == 0
        assert len(listed()) == left
    piped(["play", "sumquest"], WON)
    shown = piped([], ["g", "d 1", "no", "d 1", "yes", "", "q"], code=0)
    question = r"Delete sumquest-\S+, Player 1 against Player 2 for good\? \(yes/no\): "
    assert len(re.findall(question, shown.stdout)) == 2
    assert "Nothing was deleted.\n" in shown.stderr
    assert listed() == []


def test_the_list_in_the_menu_stays_what_was_shown_page_by_page_with_the_newest_next_to_the_prompt(home: Path) -> None:
    piped(["play", "sumquest"], WON)
    (first,) = (state_in(home) / "finished").glob("*.nq")
    for number in range(2, 14):
        copy = first.with_name(f"game-{number}.nq")
        shutil.copy(first, copy)
        os.utime(copy, (1000 - number, 1000 - number))
    # Also where the file of a game that is still to be shown is gone.
    shown = piped([], ["g", "1", "d 2", "yes", "3", "d 13", "yes", "m", "13", "q", "q"], code=0).stdout
    pages = shown.split("Number Quest:")[1]
    numbers = [int(number) for number in re.findall(r"^ ?(\d+)  \d{4}-", pages, re.MULTILINE)]
    assert numbers == [*range(10, 0, -1), 13, 12, 11]
    # Three were reviewed, and none of them showed the list again.
    assert pages.count("Luck and skill") == 3
    left = {path.stem for path in first.parent.glob("*.nq")}
    assert {f"game-{number}" for number in range(2, 14)} - left == {"game-2", "game-13"}


def won_against(level: str, seat: int = 0, moves: Sequence[str] = WON, **other: str) -> Record:
    """A game of Sum Quest that is over; 9, 8 and 6 is a win of Player 1, and 5, 7, 2 and 9 one of Player 2."""
    match = Match(game("sumquest"))
    for move in moves:
        match.play(move)
    kinds = ("human", level) if seat == 0 else (level, "human")
    return Record(match, ("Ann", "Computer") if seat == 0 else ("Computer", "Ann"), kinds, other=tuple(other.items()))


def put(home: Path, *records: Record) -> list[Path]:
    folder = state_in(home) / "finished"
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"sumquest-{len(list(folder.iterdir())) + at}.nq" for at in range(len(records))]
    for at, (path, record) in enumerate(zip(paths, records, strict=True)):
        path.write_text(record.text())
        os.utime(path, (1000 + at, 1000 + at))
    return paths


LOST = ["5", "7", "2", "9"]


def test_three_wins_over_a_level_in_the_seat_that_counts_earn_its_star(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "GAMES", SimpleNamespace(own={"sumquest": GAMES["sumquest"]}))
    put(home, *[won_against("easy")] * 3, *[won_against("perfect")] * 2, *[won_against("hard", 1, LOST)] * 4)
    put(
        home,
        won_against("medium", Hints1="1"),
        won_against("medium", Practice="yes"),
        won_against("medium", moves=LOST),
    )
    put(home, won_against("medium", Ahead2="yes"), won_against("human"))
    shown = here("games", "stars")
    row = "sumquest   random 0 of 3, easy ★, medium 0 of 3, hard 0 of 3, perfect 2 of 3\n  Three wins over a level"
    assert row in shown
    assert "Daily puzzles in a row: 0 days." in shown
    # The first move matters each time, and 9 gives the game away; what comes after it is told by the review.
    found = [reviewed(kept.record).key_moments[0] for kept in saves.every() if kept.record.people == (True, False)]
    others = [reviewed(kept.record).key_moments[1] for kept in saves.every() if kept.record.people == (False, True)]
    best, of = (sum(counts) for counts in zip(*found, *others, strict=True))
    assert f"Key moments of 1970-01, where the move mattered: {best} of {of} found.\n" in shown
    assert best < of


def test_the_game_that_earns_a_star_is_the_third_that_counts_and_no_other_does() -> None:
    easy, lost, other = won_against("easy"), won_against("easy", moves=LOST), won_against("hard", 1, LOST)
    assert [earned(easy, [other, lost, *[easy] * times]) for times in range(1, 5)] == [None, None, "easy", None]
    assert earned(lost, [easy] * 3) is None
    # In that seat the game cannot be won against best play.
    assert earned(other, [other] * 3) is None


class Perfect(BytesIO):
    """Somebody who never errs, and wants to see nothing afterwards."""

    def __init__(self, series: Series) -> None:
        super().__init__()
        self._series = series

    def readline(self, _: int | None = -1, /) -> bytes:
        match = self._series.record.match
        return b"no\n" if match.outcome else f"{solve(match.game).best(match.position)[0]}\n".encode()


def test_who_earns_a_star_at_a_terminal_is_told_so_once(home: Path) -> None:
    put(home, won_against("hard"))
    told = []
    for _ in range(3):
        series, shown = play.series_for(play.PlayOptions(game="sumquest", p2="hard")), StringIO()
        play.run(series, Console(Perfect(series), shown, rich=True))
        told.append("★ That earns the star of hard." in shown.getvalue())
    assert told == [False, True, False]


def test_games_that_earn_stars_are_kept_when_the_oldest_go(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saves, "MOST_FINISHED", 1)
    paths = put(home, *[won_against("hard")] * 5, won_against("hard", moves=LOST), won_against("human"))
    newest = state_in(home) / "new.nq"
    newest.write_text(won_against("human").text())
    saves.finish(str(newest))
    left = {path.name for path in (state_in(home) / "finished").iterdir()}
    assert left == {"new.nq", *(path.name for path in paths[2:5])}


def test_all_games_are_exported_with_the_scores_of_the_puzzles(home: Path, tmp_path: Path) -> None:
    paths = put(home, won_against("hard"), won_against("human"))
    scores.keep(scores.PuzzleScores({"a": 1}, {}), pytest.fail)
    folder = tmp_path / "mine"
    done = piped(["games", "export", "all", str(folder)], code=0)
    assert done.stderr == f"Saved 2 games to {folder}\n"
    assert {path.name for path in folder.iterdir()} == {"puzzles.json", *(path.name for path in paths)}
    assert read((folder / paths[0].name).read_bytes()) == read(paths[0].read_bytes())
    assert f"{folder} cannot be made" in piped(["games", "export", "all", str(folder)], code=1).stderr


def test_games_of_a_file_that_was_not_named_are_exported_and_listed_and_nothing_is_left_out_in_silence(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(home, won_against("human"))
    others = [state_in(home) / "nim-1.nq", state_in(home) / "finished" / "nim-2.nq"]
    texts = ['[Game "nim"]\n\n1. 1:3\n', '[Game "nim"]\n[Player1 "Ann"]\n[Result "0-1"]\n\n1. 1:3 resign-1\n']
    for path, text in zip(others, texts, strict=True):
        path.write_text(text)
    broken = state_in(home) / "broken.nq"
    broken.write_text("this is no record")
    folder = tmp_path / "mine"
    here("games", "export", "all", str(folder))
    assert [(folder / path.name).read_text() for path in others] == texts
    left_out = f"{broken} cannot be read as a game, and is left as it is.\n"
    missing = "There are saved games of nim, which is not here: bring the file of the game with"
    exported = capsys.readouterr().err
    assert exported.startswith(f"Saved 3 games to {folder}\n{missing}")
    assert exported.endswith(f" --with FILE\n{left_out}")
    rows = json.loads(here("games", "--json"))
    assert capsys.readouterr().err == left_out
    assert len({tuple(sorted(row)) for row in rows}) == 1
    assert [(row["game"], row["number"], row["finished"], row["result"]) for row in rows] == [
        ("sumquest", 1, True, "1-0"),
        ("nim", None, False, None),
        ("nim", None, True, "0-1"),
    ]
    here("games")
    assert capsys.readouterr().err == exported.partition("\n")[2]
    # Once the file is named they are games like all others.
    nim = str(Path(__file__).parents[2] / "examples" / "nim.py")
    assert [row["number"] for row in json.loads(piped(["--with", nim, "games", "--json"]).stdout)] == [1, 2, 3]
