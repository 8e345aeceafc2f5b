"""What cannot be meant gets one sentence on standard error, an exit code, and changes nothing."""

import shlex
from pathlib import Path

import pytest

from numberquest.cli import main
from numberquest.solver import budget
from tests.terminal.session import piped

AGENTS = Path(__file__).parents[1] / "players" / "agents.py"
FILES = {
    "GAME": '[Game "mystic"]\n[Player1 "Ann"]\n[Player2 "Bo"]\n[Player2Type "random"]\n[Seed "7"]\n\n1. add\n2. add\n',
    "EMPTY": "",
    "NONSENSE": "nonsense",
    "CHESS": '[Game "chess"]\n',
    "REFUSED": '[Game "sumquest"]\n1. 9\n2. 9\n',
    "OVER": '[Game "sumquest"]\n1. 9\n2. 8\n3. 6\n',
    "WIZARD": '[Game "sumquest"]\n[Player1Type "wizard"]\n',
    "LARGE": '[Game "fifty"]\n[Settings "target=200 copies=4"]\n\n1+\n',
}
"""What lies in the folder: a game, and what is none, or none that can be gone on with."""
MISTYPED = [
    ("dance", "there is no command called 'dance'. See"),
    ("sovle fifty", "Did you mean solve? See: numberquest --help"),
    ("fifty", "Did you mean play fifty?"),
    ("play", "which game? Name one of showdown, fifty"),
    ("play chess", "there is no game called 'chess'; the games are showdown, fifty"),
    ("rules chess", "there is no game called 'chess'"),
    ("play fifty --set target=500", "target must be a whole number from 2 to 200 in fifty, not 500"),
    ("play fifty --set target=x", "target must be a whole number from 2 to 200 in fifty, not 'x'"),
    ("play fifty --set target", "a setting is written name=value, such as target=30, not 'target'"),
    ("play fifty --set 'ops=-*'", "ops must be + and any of - * /, each once"),
    ("play fifty --set speed=9", "fifty has no setting 'speed'; it has target, high, copies, ops"),
    ("play showdown --set high=5 --set picks=6", "picks must be a whole number from 1 to 5"),
    ("play grid --set stand=perhaps", "stand must be yes or no in grid, not 'perhaps'"),
    ("play grid --deal 1,2,3", "4 is missing"),
    ("play grid --deal a,b", "a deal is written 3,1,2, not a,b"),
    ("play fifty --deal 1,2,3", "nothing is hidden in fifty"),
    ("play fifty --p1 wizard", "--p1 is human or a computer player (random, easy, medium, hard, perfect), not wizard"),
    ("play fifty --names Ann", "two different names"),
    ("play fifty --names Ann,ann", "two different names"),
    ("play fifty --names Ann,\x1b", "visible characters"),
    (f"play fifty --names Ann,{'x' * 31}", "1 to 30 characters"),
    ("play fifty --names Ann,\u3164", "visible characters"),
    ("play fifty --names 'Ann,Computer (perfect)'", "computer players"),
    ("play ./nowhere.py", "./nowhere.py: there is no such file"),
    ("play sumquest --resume GAME --set target=9", "--set does not go with --resume"),
    ("play sumquest --resume GAME --names A,B", "--names does not go with --resume"),
    ("play sumquest --resume GAME --seed 1", "--seed does not go with --resume"),
    ("play sumquest --resume GAME --toss", "--toss does not go with --resume"),
    ("play fifty --resume GAME", "GAME is a game of mystic, not of fifty"),
    (f"play sumquest --rounds 2 --seed {'x' * 99}", "1 to 100 visible characters"),
    ("mcp --http x", "--http"),
    ("mcp --http -1", "--http"),
    ("mcp --http 65536", "--http"),
    ("mcp --seed ''", "1 to 100 visible characters"),
    ("review GAME --retry --json", "--retry plays on: leave --json, --csv and --svg out"),
    ("play fifty --rounds 0", "--rounds wants a whole number from 1 to 99, not 0"),
    ("play fifty --seed ''", "1 to 100 visible characters"),
    ("play fifty --seed", "expected one argument"),
    ("completion tcsh", "invalid choice: 'tcsh'"),
    ("puzzle chess", "there is no game called 'chess'"),
    ("puzzle fifty-7-3 --seed 5", "fifty-7-3 is one certain puzzle"),
    ("puzzle fifty --set target=1", "target must be a whole number from 2 to 200"),
    ("puzzle --set target=30", "name the game too"),
    ("puzzle --seed ''", "1 to 100 visible characters"),
    ("puzzle --daily --seed 5", "--seed does not go with the daily puzzle"),
    ("puzzle --date 2027-01-01 --count 5", "--count does not go with the daily puzzle"),
    ("puzzle --date tomorrow", "--date wants a date such as 2026-01-31, not tomorrow"),
    ("puzzle --count 0", "--count wants a whole number from 1 to 1000, not 0"),
    ("puzzle sumquest --sheet x.html --json", "--json is for programs and --sheet for paper: choose one"),
    ("puzzle sumquest --force", "--force writes over a sheet, so say which: --sheet FILE"),
    ("puzzle sumquest --sheet ''", "the sheet needs the name of a file"),
    ("puzzle sumquest --sheet .", ". is a folder; choose another name for the sheet"),
    ("puzzle sumquest --sheet /dev/null --force", "/dev/null is no file that can be written over"),
    ("exam --key", "say --list too"),
    ("exam --list --who easy", "choose one"),
    ("exam --report a.html", "who is to sit the exam"),
    ("exam --who easy --force", "say which: --report FILE"),
    ("exam --who nobody", "there is no computer player called 'nobody'"),
    ("exam --who easy --only fifty-101", "no question called fifty-101"),
    ("exam --who easy --count 0", "--count wants a whole number"),
    ("exam --who ./nothing.py:Agent", "there is no such file"),
    ("exam --who easy --game chess", "there is no game called 'chess'"),
    ("exam --who easy --only ,", "no question is left"),
    ("exam --who human --json", "leave --json out"),
    (f"exam --seed {'x' * 500}", "seed"),
    ("play sumquest --after '9 9'", "--after: 9 is not possible after 9; possible is 1 to 8"),
    ("play sumquest --after 9 --rounds 3", "--rounds does not go with --after"),
    ("play grid --after '1,1 (3)' --deal 1,2", "--deal does not go with --after"),
    ("play --after 9", "which game? Name one of "),
    ("play --from GAME --after 9", "--after does not go with --from"),
    ("play --from GAME --set target=30", "--set does not go with --from"),
    ("play --from GAME --resume GAME", "--resume does not go with --from"),
    ("play sumquest --from GAME", "GAME is a game of mystic, not of sumquest"),
    ("play --from GAME --record GAME", "GAME exists already"),
    ("play --from GAME --p1 nobody", "--p1 is human or a computer player"),
    ("review GAME GAME --svg x.svg", "--svg is for one game: name one file"),
    ("review GAME GAME --retry", "--retry is for one game: name one file"),
    ("review GAME --csv --json", "--json and --csv are two ways to write the same"),
    ("review GAME --csv --svg x.svg", "--csv makes one table and --svg one picture"),
    ("review GAME --force", "--force writes over a picture, so say which"),
    ("review GAME --retry --csv", "--retry plays on: leave --json, --csv and --svg out"),
    ("review", "the following arguments are required: FILE"),
    ("solve sumquest --after '5 5'", "--after: 5 is not possible after 5; possible is 1 to 4, 6 to 9"),
    ("solve sumquest --after x", "--after: x is not possible at the start"),
    ("solve sumquest --set target=2 --after '2 2'", "nothing, because the game is over"),
    ("solve chess", "there is no game called 'chess'"),
    ("measure sumquest --players hard", "--players wants two of random, easy, medium, hard, perfect"),
    ("design sumquest --drama 0.3=4", "--drama wants a figure"),
    ("measure sumquest --players hard,human", "--players wants two of random, easy, medium, hard, perfect"),
    ("measure sumquest --set target=1", "target must be a whole number from 2 to 999 in sumquest, not 1"),
    ("exam --who easy --tries 0", "--tries wants a whole number"),
    ("games list 1", "games list lists all games: leave the name out"),
    ("games show 1 x.nq", "games show takes one game, and no file"),
    ("games delete 1 --json", "games delete has no data to show"),
    ("games resume 1 --json", "games resume has no data to show"),
    ("games eat", "invalid choice: 'eat'"),
    ("exam --who easy --report .", "is a folder"),
    ("exam --who easy --report none/report.html", "there is no folder"),
    ("exam --who easy --report me.json", "such as report.html"),
    (
        "play sumquest --p2 wizard",
        "--p2 is human or a computer player (random, easy, medium, hard, perfect), not wizard; or pack",
    ),
    ("play sumquest --p2 ./nowhere.py:A", "--p2: ./nowhere.py: there is no such file"),
    ("play sumquest --p2 ./nowhere.py", "--p2: ./nowhere.py: say which player in it is meant"),
    (f"play sumquest --p2 {AGENTS}:Nobody", "there is nothing called Nobody in it"),
    ("play sumquest --p2 cmd:./nowhere", "--p2: cmd:./nowhere: there is no such program"),
    ("play sumquest --p2 llm:tiny", "--p2: set NUMBERQUEST_LLM_URL to the address"),
    ("play sumquest --record GAME", "GAME exists already"),
]
"""What is wrong by itself, with what is said of it."""
IMPOSSIBLE = [
    ("puzzle fifty-x", "'fifty-x' is not the name of a puzzle, such as showdown-7-3"),
    ("puzzle fifty-\x1b-1", "visible characters"),
    ("puzzle chess-7-1", "there is no game called 'chess'"),
    ("puzzle grid --set stand=no", "there was never exactly one right move, so it has no puzzles"),
    ("puzzle fifty --set copies=4 --set target=200", "memory"),
    ("puzzle sumquest --sheet nowhere/x.html", "nowhere/x.html cannot be written: No such file or directory"),
    ("play sumquest --after '9 8 6'", "--after: the game is over there: Player 1 reached 23."),
    ("play --from missing.nq", "missing.nq cannot be read"),
    ("play --resume missing.nq", "cannot be read: No such file"),
    ("play --resume NONSENSE", "is not a record: line 1: there is no [Game"),
    ("play --resume REFUSED", "is not a record: line 3: '9' is not allowed here"),
    ("play --resume OVER", "is over: Player 1 reached 23"),
    ("play --resume WIZARD", "there is no computer player called wizard"),
    ("play sumquest --record no/game.nq", "cannot be written"),
    ("review EMPTY", "is not a record"),
    ("review NONSENSE", "is not a record"),
    ("review CHESS", "is not a record"),
    ("review missing.nq", "missing.nq cannot be read"),
    ("review OVER --svg no/where.svg", "cannot be written"),
    ("review LARGE", "of memory, "),
    ("solve fifty --set target=200 --set copies=4", "takes about 25.0 GB of memory"),
]
"""What would be right elsewhere, or another time."""


@pytest.mark.parametrize(
    ("command", "sentence", "code"), [*((*case, 2) for case in MISTYPED), *((*case, 1) for case in IMPOSSIBLE)]
)
def test_a_mistake_gets_one_sentence_and_changes_nothing(
    command: str,
    sentence: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(budget, "free_memory", lambda: 10**9)
    for variable in ("NUMBERQUEST_LLM_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    for name, text in FILES.items():
        Path(name).write_text(text)
    assert main(shlex.split(command)) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("numberquest: ")
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert {name: Path(name).read_text() for name in FILES} == FILES
    assert [path.name for path in tmp_path.rglob("*") if path.suffix in (".html", ".nq", ".svg")] == []


def test_a_page_without_a_server_is_not_made_with_games_that_its_python_does_not_have(tmp_path: Path) -> None:
    done = piped(
        ["--with", str(Path(__file__).parents[2] / "examples" / "nim.py"), "site", str(tmp_path / "page")], code=2
    )
    assert done.stderr.endswith("has only the games that come with Number Quest: leave nim out\n")
    assert not (tmp_path / "page").exists()
