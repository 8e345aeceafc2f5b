"""A game in one file, with nothing but its rules, is whole at the prompt: every command of the terminal takes it."""

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

import numberquest as nq
from numberquest.cli import main
from numberquest.core.record import read
from numberquest.core.view import progress_of
from numberquest.solver import budget
from numberquest.terminal.commands import solve as solving
from tests.conftest import in_ci
from tests.own.files import CARDS, COIN, LAST, ROW, SWITCH, TOSS, written
from tests.terminal.session import PROGRAM, Terminal, piped, told, without_colours

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
NIM, PIG = str(EXAMPLES / "nim.py"), str(EXAMPLES / "pig.py")

DRAWN = ["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"]


@pytest.fixture
def last(tmp_path: Path) -> str:
    return written(tmp_path, LAST, ("21, 1, 99", "7, 1, 99"))


@pytest.fixture
def row(tmp_path: Path) -> str:
    return written(tmp_path, ROW)


def test_a_whole_game_reads_well(last: str) -> None:
    done = piped(["play", last, "--names", "Ann,Bo"], ["3", "1", "3"])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "Who takes the last\n"
        "Take one to three; who takes the last one wins.\n"
        "If nobody has won after 2000 moves, the game is drawn.\n"
        "\n"
        "Ann's turn\n"
        "Left: 7\n"
        "Ann, your move (1 to 3): 3\n"
        "Ann plays 3.\n"
        "\n"
        "Bo's turn\n"
        "Left: 4\n"
        "Bo, your move (1 to 3): 1\n"
        "Bo plays 1.\n"
        "\n"
        "Ann's turn\n"
        "Left: 3\n"
        "Ann, your move (1 to 3): 3\n"
        "Ann plays 3.\n"
        "Ann took the last one.\n"
        "Ann wins the game!\n"
        "\n"
        "Left: 0\n"
    )


def test_a_move_may_be_typed_as_it_comes_and_what_cannot_be_played_is_refused_with_what_can(last: str) -> None:
    typed = ["roll", "ROLL", " r ", "1", "ro  ll"]
    shown = piped(["play", PIG, "--deal", "2,2,2,2,2", "--seed", "7"], [*typed, "quit"]).stdout
    assert shown.count("Player 1 plays roll.\nDrawn: ") == len(typed)
    shown = piped(["play", last], ["4", "", "two", "3", "3", "2", "quit"]).stdout
    assert "'4' is not a move here. You can play 1 to 3.\n" in shown
    assert "An empty line is not a move here. You can play 1 to 3.\n" in shown
    assert "'2' cannot be played now. You can play 1.\n" in shown
    shown = piped(["play", NIM], ["1", "1 : 2", "2:3", "quit"]).stdout
    assert "'1' can mean 1:1, 1:2 or 1:3. Type a little more of it.\n" in shown
    assert re.findall("(.*) plays (.*)", shown) == [("Player 1", "1:2."), ("Player 2", "2:3.")]
    assert "\nHeaps: 3 4 5\n" in shown


def test_the_words_of_the_prompt_and_the_coach_work(last: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.nq"
    asked = ["help", "moves", "show", "rules", "hint", "hint", "hint", "3", "undo", "yes", f"save {kept}", "1", "quit"]
    shown = piped(["play", last, "--coach"], asked).stdout
    assert "Type a move, such as 1 (its beginning is enough, where only one begins so). Or one of these" in shown
    assert "You can play 1 to 3.\n" in shown
    assert shown.count("Left: 7\n") == 3
    assert "There is a heap. In turns take 1, 2 or 3 from it." in shown
    assert "Hint 1 of 3: There is a winning move, just one." in shown
    assert "Hint 2 of 3: Play 3: leave 4: whatever they play, you can win with the next move." in shown
    assert "  3: wins\n  1, 2: loses\n  Why 3? Leave 4: whatever they play, you can win with the next move.\n" in shown
    assert "Take back Player 1's 3? Player 2, do you agree? (yes/no): yes\nTaken back: Player 1's 3.\n" in shown
    assert "Coach: 1 gave the win away. The answer 2 leaves 4, from which every move loses. Best was 3:" in shown
    assert '[Game "last"]' in kept.read_text()
    # Against the computer undo takes its answer back too.
    options = ["--p1", "perfect", "--set", "heap=21"]
    shown = piped(["play", last, *options], ["undo", "1", "undo", "2", "undo", "quit"]).stdout
    assert "There is no move of yours that can be taken back.\n" in shown
    assert re.findall("Taken back: Player 2's (.), Computer \\(perfect\\)'s .\\.\n", shown) == ["1", "2"]


def test_what_is_told_at_the_end_goes_on_with_the_game(last: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "play", Path(last).name], input="3\nquit\n", capture_output=True, text=True, cwd=tmp_path
    )
    found = re.fullmatch(r"Game saved\. Go on with: (.*)\n", done.stderr)
    assert found
    assert f" --with {Path(last).name} play last --resume " in found[1]
    again = subprocess.run(shlex.split(found[1]), input="1\n3\n", capture_output=True, text=True, cwd=tmp_path)
    assert again.returncode == 0
    assert again.stdout.startswith("Who takes the last\n")
    assert "Left: 4\n" in again.stdout
    assert "Player 1 wins the game!" in again.stdout


def test_a_record_of_it_is_read_back_and_reviewed(last: str, tmp_path: Path) -> None:
    path = str(tmp_path / "game.nq")
    piped(["play", last, "--record", path], ["1", "2", "1", "3"], code=0)
    shown = piped(["--with", last, "review", path], code=0)
    assert shown.stderr.startswith("To go back to the first mistake and play on from there: ")
    assert f"--with {last} review" in shown.stderr
    assert "The turning point was move 1: Player 1 played 1 and threw the win away." in shown.stdout
    data = json.loads(piped(["review", "--with", last, path, "--json"]).stdout)
    assert (data["game"], data["result"], data["moves"][0]["verdict"]) == ("last", "0-1", "win thrown away")
    unknown = piped(["review", path], code=1)
    assert "--with FILE" in unknown.stderr
    assert unknown.stderr.count("\n") == 1


def test_it_is_listed_explained_solved_and_measured_and_has_puzzles(last: str) -> None:
    assert "last     " in (listed := piped(["--with", last, "list"]).stdout)
    assert listed.splitlines()[-1].endswith("Player 1 wins by starting with 3.")
    rows = json.loads(piped(["list", "--with", last, "--json"]).stdout)
    assert {row["game"]: row["value"] for row in rows}["last"] == 1.0
    rules = piped(["rules", last]).stdout
    assert "Proved by looking at every position: Player 1 wins by starting with 3." in rules
    assert "heap  how many there are at the start: a whole number from 1 to 99; classic 7" in rules
    assert "Losing moves: 1 to 3" in piped(["solve", last, "--set", "heap=8"]).stdout
    assert "Winning moves: 1\n" in piped(["solve", last, "--after", "3 3"]).stdout
    assert json.loads(piped(["levels", last, "--json"]).stdout)["first"][-1][-1] == 1.0
    puzzle = json.loads(piped(["puzzle", NIM, "--seed", "4", "--json"]).stdout)
    assert puzzle["game"] == "nim"
    shown = piped(["puzzle", NIM, "--seed", "4"], [puzzle["answer"]]).stdout
    assert "One move wins, and all others lose. Which?" in shown
    assert f"Right! {puzzle['answer']} is the only winning move." in shown
    assert json.loads(piped(["--with", NIM, "puzzle", puzzle["id"], "--json"]).stdout) == puzzle
    match = json.loads(piped(["match", last, "easy", "perfect", "-n", "20", "--seed", "1", "--json"]).stdout)
    assert (match["wins_a"] + match["wins_b"], match["draws"]) == (20, 0)


def test_the_menu_offers_it_and_what_was_left_and_says_what_to_do_where_it_is_missing(last: str) -> None:
    shown = piped(["--with", last], ["last", "", "3", "quit"]).stdout
    assert "Take one to three; who takes the last one wins." in shown
    missed = piped([], ["q"]).stdout
    assert "There are saved games of last, which is not here: bring the file of the game with " in missed
    assert " --with FILE\n" in missed
    assert "r to resume" not in missed
    again = piped(["--with", last], ["r", "1", "3", "q"])
    assert "resume    last: Player 1 against Player 2, 1 move played, 20" in again.stdout
    assert "Player 1 wins the game!" in again.stdout


def test_completion_and_a_variable_know_the_games_of_files(last: str) -> None:
    assert piped(["complete", "--", "--with", ""]).stdout == "FILES\n"
    assert "last\n" in piped(["complete", "--", "--with", last, "play", ""]).stdout
    assert piped(["complete", "--", "--with", last, "play", "last", "--set", ""]).stdout == "heap=\n"
    piped(["complete", "--", "--with", "missing.py", "play", "x"], code=0)
    wrong = piped(["complete", "--", "play", ""], env={"NUMBERQUEST_WITH": "missing.py"})
    assert (wrong.stdout, wrong.stderr) == ("", "numberquest: missing.py: there is no such file\n")
    env = {"NUMBERQUEST_WITH": last}
    assert piped(["play", "last"], ["quit"], env).stdout.startswith("Who takes the last\n")
    assert "last" in piped(["list"], env=env).stdout


def test_a_drawn_game_is_told_counted_and_recorded(row: str, tmp_path: Path) -> None:
    options = ["--names", "Ann,Bo", "--rounds", "3", "--record", str(tmp_path / "game.nq")]
    shown = piped(["play", row, *options], [*DRAWN, "a1", "b1", "a2", "b2", "a3", *DRAWN]).stdout
    assert "The board is full.\nThe game is drawn.\n\n2 1 1\n1 1 2\n2 2 1\n" in shown
    assert "Bo has three in a row.\nBo wins the game!\n" in shown
    assert "Round 2 of 3. Bo goes first.\nPoints so far: Ann ½, Bo ½.\n" in shown
    assert "Points so far: Ann ½, Bo 1½.\n" in shown
    assert "Points: Ann 1, Bo 2.\nOverall champion: Bo\n" in shown
    texts = [(tmp_path / f"game-{number}.nq").read_text() for number in (1, 2, 3)]
    results = [("1/2-1/2", "0-0"), ("1-0", "0-0"), ("1/2-1/2", "0-1")]
    assert [tuple(re.findall(r'\[(?:Result|Points) "(.*)"\]', text)) for text in texts] == results


def test_a_series_of_draws_is_resumed_with_its_points_and_has_no_champion(row: str) -> None:
    left = piped(["play", row, "--names", "Ann,Bo", "--rounds", "2"], [*DRAWN, DRAWN[0], "quit"])
    again = piped(["play", row, "--resume", left.stderr.split("--resume ")[1].strip()], DRAWN[1:]).stdout
    assert "Points so far: Ann ½, Bo ½.\n" in again
    assert again.endswith("Points: Ann 1, Bo 1.\nThe points are equal: there is no overall champion.\n")


def test_the_review_of_a_drawn_game(row: str, tmp_path: Path) -> None:
    path = tmp_path / "game.nq"
    piped(["play", row, "--record", str(path)], DRAWN)
    shown = piped(["--with", row, "review", str(path)]).stdout
    assert "The game is drawn: the board is full." in shown
    assert re.search(r"1  Player 1  b2 +draw +draw +draw kept", shown)
    assert "There was no turning point: nobody ever let the draw go." in shown
    verified = piped(["--with", row, "verify", str(path)])
    assert (verified.returncode, verified.stderr) == (0, "")
    assert "a game of row that keeps the rules" in verified.stdout
    with pytest.raises(ValueError, match="there is no game called 'row'"):
        read(path.read_text())
    assert "Both could hold a draw from the start, whatever the other did.\nNobody threw a win or a draw away." in shown
    path.unlink()
    piped(["play", row, "--record", str(path)], ["a1", "b1", "a2", "a3", "c2", "b2", "b3", "c3", "c1"])
    shown = piped(["--with", row, "review", str(path)]).stdout
    assert "Player 1 threw the win away once, Player 2 once.\n" in shown
    assert "Player 1 threw the draw away never, Player 2 once.\n" in shown


def test_hints_and_the_coach_speak_of_draws(row: str) -> None:
    done = piped(["play", row, "--coach"], ["a1", "hint", "hint", "hint", "b1", "quit"])
    assert "Hint 1 of 3: No move wins, and just one keeps the draw." in done.stdout
    assert "Hint 2 of 3: Play b2: no answer wins." in done.stdout
    assert "  b2: draws\n  b1, c1, a2, c2, a3, b3, c3: loses\n" in done.stdout
    assert "Coach: b1 gave the draw away. After the answer a2 every move loses. Best was b2:" in done.stdout
    first = piped(["play", row], ["hint", "quit"]).stdout
    assert "Hint 1 of 3: Nobody can force a win here, and every move keeps the draw." in first


@in_ci
def test_solving_and_levels_speak_of_draws(row: str) -> None:
    solved = piped(["solve", row, "--after", "a1"]).stdout
    assert "With best play on both sides it is a draw.\n\nDrawing moves: b2\nLosing moves: b1, c1," in solved
    listed = piped(["--with", row, "list"]).stdout
    assert listed.endswith("Three in a row win. With best play it is a draw.\n")
    levels = json.loads(piped(["levels", row, "--json"]).stdout)
    assert (levels["first"][-1][-1], levels["draws"][-1][-1]) == (0.0, 1.0)
    assert "how often nobody wins:\n" in piped(["levels", row]).stdout
    match = piped(["match", row, "perfect", "perfect", "-n", "10", "--seed", "1"]).stdout
    assert "the first perfect won 0 (50.00 % of the points)" in match
    assert "the second perfect won 0; 10 were drawn, half a point each\n" in match


def test_moves_that_are_words_of_the_prompt_are_moves(tmp_path: Path) -> None:
    switch = written(tmp_path, SWITCH)
    done = piped(["play", switch], ["show", "/show", "help", "/moves", "QUIT"])
    assert "Player 1 plays Show.\n" in done.stdout
    assert done.stdout.count("On: yes\n") == 3
    assert "In this game show is a move; for the word above type /show\n" in done.stdout
    assert "You can play these:\n  1. Show\n  2. quit\n" in done.stdout
    assert "Player 1 stayed.\nPlayer 1 wins the game!\n" in done.stdout


@in_ci
def test_a_game_without_end_is_drawn_after_the_bound_that_was_said(tmp_path: Path) -> None:
    shown = piped(["play", written(tmp_path, SWITCH)], ["Show"] * 2000, code=0).stdout
    assert "If nobody has won after 2000 moves, the game is drawn.\n" in shown
    assert "Nobody has won after 2000 moves.\nThe game is drawn.\n" in shown


def test_draws_and_reveals_are_shown_as_they_come_and_sealed(tmp_path: Path) -> None:
    coin, path = written(tmp_path, COIN), tmp_path / "game.nq"
    shown = piped(["play", coin, "--deal", "2,2"], ["higher"]).stdout
    assert "\nDrawn: 2\n\nPlayer 1's turn\n" in shown
    assert "Player 1 plays higher.\nDrawn: 2\nBoth were the same.\nThe game is drawn.\n" in shown
    moves = ["draw", "draw", "stay", "stay", "stay", "stay"]
    shown = piped(["play", written(tmp_path, CARDS), "--deal", "3,1,2,1,2,3"], moves).stdout
    assert "Player 1 plays draw.\nRevealed: 3\n" in shown
    assert "Total: Player 1 3, Player 2 1\n" in shown
    assert "Player 1 has 3.\nPlayer 1 wins the game!\n" in shown
    said = piped(["play", coin, "--record", str(path)], ["lower"]).stderr
    (fingerprint,) = re.findall(r"All draws are settled; their fingerprint: ([0-9a-f]{16})\n", said)
    (secret,) = re.findall(r"The secret was (\S+), which has that fingerprint\.\n", said)
    assert f'[Seed "{secret}"]' in path.read_text()
    assert f'[Commitment "{fingerprint}' in path.read_text()


def test_given_draws_come_in_order_and_an_impossible_one_ends_it_with_a_sentence() -> None:
    done = piped(["play", PIG, "--deal", "3,4,9", "--seed", "1"], ["roll", "roll", "roll"], code=2)
    assert re.findall("Drawn: (.*)", done.stdout) == ["3", "4"]
    saved, sentence = done.stderr.splitlines()
    assert sentence == "numberquest: draw number 3 is 9, but only 1 to 6 can be drawn there"
    assert "1. roll (3)\n2. roll (4)\n" in Path(saved.split("Go on with: ")[1].split("--resume ")[1]).read_text()


def test_at_a_terminal_scores_are_tracks() -> None:
    terminal = Terminal(["play", PIG, "--set", "target=10", "--deal", "5,6", "--p2", "random", "--seed", "1"])
    for move in ("roll", "roll", "hold"):
        terminal.answer("Player 1, your move", move)
    terminal.answer("See how it went?", "yes")
    seen = terminal.finish()
    assert terminal.code == 0
    assert "\x1b[46m" in seen
    assert "Player 1 won: Player 1 holds 11 points." in without_colours(seen)
    assert {"0", "11"} <= set(re.findall(r"Player 1: Score (\d+) of 10\n", without_colours(seen)))


POOL = 'title = "T"\nnumbers = { kind = "pool", to = 4 }\ntotals = { whose = "%s" }\n'


@pytest.mark.parametrize("game", [CARDS, POOL % "each", POOL % "shared"], ids=["file", "each", "shared"])
def test_without_a_target_no_number_is_told_as_the_goal(game: str, tmp_path: Path) -> None:
    path = tmp_path / ("game.py" if game == CARDS else "game.toml")
    path.write_text(game)
    terminal = Terminal(["play", str(path)])
    terminal.answer("Player 1", "quit")
    assert re.search(r"^Total: (Player 1 )?0", without_colours(shown := terminal.finish()), re.MULTILINE)
    assert "\x1b[46m" not in shown
    assert progress_of(nq.game(str(path))) is None


@pytest.mark.parametrize("game", ["fifty", PIG])
def test_bars_of_equal_scores_are_equally_long_whatever_the_names(game: str) -> None:
    terminal = Terminal(["play", game, "--names", "Bo,Alexandra"], dimensions=(30, 40))
    terminal.answer("Bo", "show")
    terminal.answer("Bo", "quit")
    bars = re.findall(r"\x1b\[4\dm( *)\x1b\[100m( *)\x1b\[0m ", terminal.finish())
    assert len(bars) >= 2
    assert len(set(bars)) == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "holds no game"),
        ("1 +", "line 1"),
        ("import nowhere_at_all", "nowhere_at_all"),
        (LAST.replace("    def outcome", "    def outcom"), "outcome"),
        (LAST.replace('slug = "last"', 'slug = "Last One"'), "slug"),
    ],
)
@pytest.mark.parametrize("command", [["play"], ["rules"], ["solve"], ["levels"], ["puzzle"], ["--with"]])
def test_a_wrong_file_is_one_sentence_with_its_place(
    tmp_path: Path, text: str, sentence: str, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.py"
    path.write_text(text)
    assert main([*command, str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"numberquest: {path}")
    assert sentence in err
    assert err.count("\n") == 1


def test_an_error_in_the_middle_of_a_game_is_one_sentence_and_what_was_played_is_kept(tmp_path: Path) -> None:
    # No short look finds what only happens late.
    line = "        return Position(p.left - int(move)"
    path = written(tmp_path, LAST, (line, f"        if p.left == 60: 1 / 0\n{line}"))
    saved, sentence = told(piped(["play", path, "--set", "heap=63"], ["3", "1"], code=1).stderr).splitlines()
    assert "1. 3\n" in Path(saved.split("--resume ")[1]).read_text()
    assert sentence.startswith(f"numberquest: {path}: line ")
    assert sentence.endswith("in play: ZeroDivisionError: division by zero")


def test_check_says_whether_the_laws_hold_and_when_no_game_came_to_an_end(tmp_path: Path) -> None:
    assert piped(["check", NIM], code=0).stderr == ""
    changes = ('("1", "2", "3")', '("1", "2")'), ("for m in self.actions", 'for m in ("1", "2", "3")')
    done = piped(["check", written(tmp_path, LAST, *changes)], code=1)
    assert "'3'" in done.stdout
    assert "Traceback" not in done.stderr
    endless = piped(["check", written(tmp_path, SWITCH, ('move == "Show"', "True"))], code=0).stdout
    assert "None of them came to an end within 400 moves and reveals: can it end at all?" in endless
    assert "came to an end" not in piped(["check", written(tmp_path, SWITCH)]).stdout


def test_where_a_game_can_be_drawn_solve_speaks_of_points_and_a_puzzle_says_who_began(tmp_path: Path) -> None:
    path = written(tmp_path, TOSS)
    half = "Player 1 gets 25.00 % of the points, half of one for a draw (exactly 1/4)."
    assert f"With best play on both sides {half}" in piped(["solve", path]).stdout
    refused = piped(["solve", path, "--after", "(2) I lose"])
    assert "I lose is not possible after 2; possible is I win, you win, nobody wins" in refused.stderr
    puzzles = "".join(piped(["puzzle", path, "--seed", str(seed)]).stdout for seed in range(4))
    begun = set(re.findall("The game so far, (.*)", puzzles))
    assert {"Player 2 first: (2)"} <= begun <= {"Player 1 first: (1)", "Player 2 first: (2)"}


def test_nobody_waits_for_ever_until_a_game_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    game = nq.game("fifty", target=31)
    monkeypatch.setattr(solving, "PATIENCE", 0.0)
    said = f"to solve fifty with {game.settings_text} takes longer than 0 seconds"
    assert solving.proved_of(game) == (None, said)
    assert budget.patience == float("inf"), "whoever asks for the solution itself waits as long as it takes"
