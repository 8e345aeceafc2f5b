"""`exam`: the questions as data and in words, somebody sits it, and a report."""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest

from numberquest.core.errors import FAILURE
from numberquest.core.registry import GAMES
from numberquest.solver import solve
from numberquest.study.exam.making import HASHES, published
from tests.conftest import in_ci
from tests.own.files import LAST, written
from tests.players.standin import Reply, serving
from tests.terminal.session import PATIENCE, PROGRAM, Terminal, here, piped, without_colours

QUESTIONS = {question.id: question for question in published().questions}

AGENTS = """\
import time

class First:
    def choose(self, game, position, dice):
        return game.moves(position)[0]

class Wild:
    def choose(self, game, position, dice):
        return "castle"

class Slow:
    asked = 0
    def choose(self, game, position, dice):
        self.asked += 1
        if self.asked > 3:
            print("asked", flush=True)
            while True:  # a single long sleep may begin just after Ctrl-C has come
                time.sleep(0.1)
        return game.moves(position)[0]

class Never:
    def choose(self, game, position, dice):
        raise OSError("no line at all")

class Talkative(First):
    def choose(self, game, position, dice):
        print("let me think")
        return super().choose(game, position, dice)

class Down:
    asked = 0
    def choose(self, game, position, dice):
        self.asked += 1
        if 2 <= self.asked <= 4:
            raise OSError("no line")
        return game.moves(position)[0]
"""


def run(*arguments: str, code: int = 0) -> str:
    return here("exam", *arguments, code=code)


@pytest.fixture
def agents(tmp_path: Path) -> str:
    path = tmp_path / "agents.py"
    path.write_text(AGENTS)
    return str(path)


def test_alone_it_says_what_it_is_and_how_to_sit_it() -> None:
    done = piped(["exam"], code=0)
    for words in ("version 1: 500 positions", "100 of each of 5 games", "--who human", "--list", HASHES[1]):
        assert words in done.stdout
    assert "random 0, easy 50, medium 75, hard 90, perfect 100" in done.stdout
    data = json.loads(run("--json"))
    assert (data["version"], data["hash"], data["questions"]) == (1, HASHES[1], 500)
    assert data["games"] == dict.fromkeys(GAMES.own, 100)


def test_the_list_has_the_fields_of_the_contract_and_the_key_only_if_asked() -> None:
    listed = json.loads(run("--list", "--json"))
    assert [row["id"] for row in listed] == list(QUESTIONS)
    assert all(list(row) == ["id", "game", "settings", "after", "player", "moves", "grade"] for row in listed)
    keyed = json.loads(run("--list", "--key", "--json", "--game", "grid"))
    assert len(keyed) == 100
    for row in keyed:
        question = QUESTIONS[row["id"]]
        assert row["values"] == dict(question.values)
        assert row["settings"] == question.game.settings
        assert row["player"] == question.player + 1
    text = run("--list", "--only", "sumquest-001,fifty-100")
    assert re.findall(r"(\S+-\d{3})  grade (\d)", text) == [("sumquest-001", "1"), ("fifty-100", "5")]
    assert "right" not in text
    assert "right" in run("--list", "--key", "--only", "sumquest-001")


def test_an_agent_sits_it_and_the_answers_are_told_as_data(agents: str) -> None:
    data = json.loads(piped(["exam", "--who", f"{agents}:First", "--json"], code=0).stdout)
    assert (data["version"], data["hash"], data["seed"], data["who"]) == (1, HASHES[1], None, f"{agents}:First")
    assert data["low"] < data["score"] < data["high"]
    assert set(data["by_game"]) == set(GAMES.own)
    assert data["score"] == pytest.approx(sum(row["score"] for row in data["by_game"].values()) / 5, abs=1e-3)
    assert [answer["id"] for answer in data["answers"]] == list(QUESTIONS)
    for answer in data["answers"]:
        question = QUESTIONS[answer["id"]]
        assert answer["move"] == question.moves[0]
        assert answer["loss"] == pytest.approx(question.loss(question.moves[0]))


def test_perfect_gets_100_and_a_part_is_spread_over_the_grades() -> None:
    data = json.loads(run("--who", "perfect", "--count", "5", "--json"))
    assert (data["score"], data["questions"], data["right"]) == (100, 25, 25)
    assert all(set(row["by_grade"]) == set("12345") for row in data["by_game"].values())
    words = run("--who", "perfect", "--count", "5")
    assert "25 of 25 answers were right. That is perfect." in words


def test_what_is_no_move_or_did_not_come_is_counted_apart_and_what_is_printed_is_no_answer(agents: str) -> None:
    arguments = ["--who", f"{agents}:Wild", "--count", "2", "--game", "mystic", "--tries", "4"]
    data = json.loads(run(*arguments, "--json"))
    assert (data["illegal"], data["answered"], data["missing"]) == (8, 1, 0)
    assert [answer["move"] for answer in data["answers"]] == [None, None]
    assert "Questions lost by them, with all that was to win: 2." in run(*arguments)
    arguments = ["--who", f"{agents}:Down", "--count", "5", "--game", "fifty"]
    data = json.loads(run(*arguments, "--json"))
    assert (data["answered"], data["missing"]) == (0.8, 1)
    assert "no line" in data["answers"][1]["error"]
    words = run(*arguments)
    assert "Not answered: 1 of 5" in words
    assert "They count as random moves." in words
    assert "95 % sure" in words
    words = run(*arguments, "--errors", "leave")
    assert "the score is over the others" in words
    assert "no interval is told" in words
    assert words.index("Not answered") < words.index("score  ")
    assert "95 % sure: " not in words
    assert json.loads(run(*arguments, "--errors", "leave", "--json"))["low"] is None
    # Where none came at all nothing was measured, and a script is told so.
    page = Path(agents).with_name("never.html")
    words = run("--who", f"{agents}:Never", "--count", "2", "--report", str(page), code=FAILURE)
    assert "95 %" not in words
    assert "95 %" not in page.read_text()
    assert "Not answered: 10 of 10 (the first: " in words
    assert "no line at all" in words
    assert "  no answer; right was " in words
    assert "no allowed move" not in words
    assert json.loads(run("--who", f"{agents}:Talkative", "--count", "1", "--json"))["answered"] == 1


def test_no_score_is_called_worse_than_random_play_while_its_interval_holds_0(agents: str) -> None:
    for who, is_worse in (("random", False), (f"{agents}:Wild", True)):
        arguments = ["--who", who, "--game", "mystic"]
        data, words = json.loads(run(*arguments, "--json")), run(*arguments)
        assert data["score"] < 0
        assert (data["high"] < 0) == is_worse == ("worse than random play" in words)


def test_whoever_stops_it_sees_the_score_so_far(agents: str) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "exam", "--who", f"{agents}:Slow", "--game", "grid"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # What an agent prints is a message, and the data stays clean.
    assert process.stderr is not None
    assert process.stderr.readline() == "asked\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Stopped after 3 of 100 questions" in err
    assert "Not answered: 97 of 100" in out
    assert "Traceback" not in err


def test_a_person_sits_it_at_the_prompt() -> None:
    questions = [QUESTIONS["sumquest-001"], QUESTIONS["mystic-001"], QUESTIONS["sumquest-002"], QUESTIONS["grid-001"]]
    right = questions[0].right[0]
    wrong = next(move for move in questions[1].moves if move not in questions[1].right)
    names = ",".join(question.id for question in questions)
    lines = ["help", "castle", "moves", "rules", right, "show", wrong, "skip", "quit"]
    shown = piped(["exam", "--who", "human", "--only", names], lines, code=0).stdout
    assert "Question 1 of 4, grade 1 (sumquest-001)" in shown
    assert "Right: wins." in shown
    assert f"better was {questions[1].right[0]}" in shown
    assert shown.count("(mystic-001)") == 2
    assert "Left out." in shown
    assert "1 of 2 answers were right." in shown
    assert "Not answered: 2 of 4" in shown
    assert "Not answered: 1 of 1" in piped(["exam", "--who", "human", "--only", "sumquest-001"], code=0).stdout


def test_at_a_terminal_too() -> None:
    terminal = Terminal(["exam", "--who", "human", "--only", "mystic-001,mystic-002"], dimensions=(40, 42))
    terminal.answer("Question 1 of 2", QUESTIONS["mystic-001"].right[0])
    terminal.wait_for("Right")
    terminal.answer("Question 2 of 2", "quit")
    seen = without_colours(terminal.finish())
    assert "1 of 1 answers were right" in " ".join(seen.split())
    # Forty columns are too few for a table with the grades beside.
    assert "  grades: 100\n" in seen
    assert max(map(len, seen.split("\n"))) <= 42


def test_the_report_is_one_page_that_needs_nothing_else(tmp_path: Path, agents: str) -> None:
    path = tmp_path / "report.html"
    arguments = ["exam", "--who", f"{agents}:First", "--report", str(path)]
    run(*arguments[1:])
    page = path.read_text()
    assert page.isascii()
    assert not re.search(r"(?:src|href)=|https?:|@import|url\(", page)
    for words in ("prefers-color-scheme: dark", "The worst answers", HASHES[1], "All games"):
        assert words in page
    assert page.count('class="whisker both"') == 1 + 5 + 5
    assert page.count('<article class="answer">') == 10
    command = re.search(r"<code>numberquest (solve [^<]*)</code>", page)
    assert command
    assert "exists already" in piped(arguments, code=2).stderr
    data = json.loads(run(*arguments[1:], "--force", "--json"))
    assert json.loads((tmp_path / "report.json").read_text()) == data
    # The name of an agent cannot break the page.
    (tmp_path / "a&b<i>.py").write_text(AGENTS)
    run("--who", f"{tmp_path}/a&b<i>.py:First", "--count", "1", "--report", str(path), "--force")
    assert "a&amp;b&lt;i&gt;.py:First" in path.read_text()


@in_ci
@pytest.mark.timeout(900)
def test_a_game_of_somebodys_own_has_an_exam(tmp_path: Path) -> None:
    path = written(tmp_path, LAST)
    data = json.loads(piped(["exam", "--game", path, "--list", "--key", "--json"]).stdout)
    assert {row["game"] for row in data} == {"last"}
    assert [row["grade"] for row in data] == sorted(row["grade"] for row in data)
    assert json.loads(piped(["exam", "--game", path, "--who", "perfect", "--json"]).stdout)["score"] == 100
    assert "seed 5" in piped(["exam", "--game", path, "--seed", "5"]).stdout
    data = json.loads(piped(["exam", "--game", "examples/pig.py", "--list", "--key", "--json"]).stdout)
    assert len(data) == 100
    assert {tuple(row["moves"]) for row in data} == {("roll", "hold")}


@in_ci
def test_another_seed_makes_another_one() -> None:
    one, two, same = (
        json.loads(piped(["exam", "--game", "sumquest", "--seed", seed, "--list", "--key", "--json"]).stdout)
        for seed in ("7", "8", "7")
    )
    assert one == same != two
    alike = [[(row["id"], row["grade"], row["settings"]) for row in rows] for rows in (one, two)]
    assert alike[0] == alike[1]
    question = QUESTIONS["sumquest-001"]
    assert solve(question.game).best(question.position) == list(question.right)


def test_every_prompt_and_raw_answer_is_kept_and_a_sitting_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reply(text: str, why: str = "stop") -> Reply:
        usage = {"prompt_tokens": 100, "completion_tokens": 7}
        choice = {"message": {"role": "assistant", "content": text}, "finish_reason": why}
        return Reply(200, json.dumps({"choices": [choice], "usage": usage}).encode())

    arguments = ["--who", "llm:tiny", "--only", "sumquest-001,sumquest-002", "--out", str(tmp_path), "--json"]
    right = QUESTIONS["sumquest-001"].right[0]
    with serving(reply(f"[{right}]"), *[reply("hm, [5] and then", "length")] * 3, reply("[9]")) as server:
        monkeypatch.setenv("NUMBERQUEST_LLM_URL", server.url)
        data = json.loads(run(*arguments))
        assert (data["answers"][0]["loss"], data["cut_off"], data["missing"], data["illegal"]) == (0, 3, 1, 0)
        assert data["tokens"] == {"prompt_tokens": 400, "completion_tokens": 28}
        kept = [json.loads(text) for text in (tmp_path / "answers.jsonl").read_text().splitlines()[1:]]
        assert [len(one["heard"]) for one in kept] == [1, 3]
        assert kept[0]["heard"][0]["prompt"] == server.asked[0]["messages"]
        assert f"[{right}]" in kept[0]["heard"][0]["answer"]
        # What is missing is asked again, and nothing else.
        data = json.loads(run(*arguments))
        assert len(server.asked) == 5
        assert (data["missing"], data["answered"]) == (0, 1)
        assert json.loads(run(*arguments)) == data
        words = run(*arguments[:-1])
        assert "Tokens, as the provider counts them: 200 for the questions and 14 for the answers." in words
        assert len(server.asked) == 5
    assert "sitting 1, not 2: name another folder" in piped(["exam", *arguments, "--sitting", "2"], code=1).stderr


def test_another_sitting_has_other_dice_and_more_workers_change_nothing() -> None:
    arguments = ["--who", "easy", "--count", "3", "--json"]
    one, two, again = (json.loads(run(*arguments, "--sitting", number)) for number in "121")
    assert one["answers"] == again["answers"] != two["answers"]
    assert two["sitting"] == 2
    assert json.loads(piped(["exam", *arguments, "--jobs", "2"], code=0).stdout)["answers"] == one["answers"]


def test_the_seed_of_the_published_exam_makes_no_other() -> None:
    assert "choose another" in piped(["exam", "--seed", "1"], code=2).stderr


def test_a_chart_shows_a_score_below_0(tmp_path: Path) -> None:
    path, agent = tmp_path / "report.html", tmp_path / "bad.py"
    agent.write_text(
        "import numberquest as nq\n"
        "class Worst:\n"
        "    def choose(self, game, position, dice):\n"
        "        return list(nq.solve(game).moves(position))[-1]\n"
    )
    run("--who", f"{agent}:Worst", "--game", "sumquest", "--count", "10", "--report", str(path))
    page = path.read_text()
    assert json.loads(path.with_suffix(".json").read_text())["score"] < -10
    assert ">-50</text>" in page
