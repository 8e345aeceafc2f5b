"""The reports of `evaluate` and `league`: all figures, nothing from elsewhere, and words that stay words."""

import csv
import json
import re
import shlex
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.contract import Game
from numberquest.core.match import Match
from numberquest.core.progress import silently
from numberquest.core.record import read
from numberquest.players.levels import PLAYERS
from numberquest.report.board import board
from numberquest.report.figures import figures
from numberquest.report.html import html
from numberquest.report.words import words
from numberquest.study.evaluation import ENOUGH, Evaluation
from numberquest.study.evaluation import jobs_for as evaluation_jobs
from numberquest.study.evaluation_report import evaluation_report
from numberquest.study.game import Contest, ContestRunner
from numberquest.study.league import League
from numberquest.study.league import jobs_for as league_jobs
from numberquest.study.league_report import league_report
from tests.conftest import a_few
from tests.study.small import SMALL, Mumbling, Odd
from tests.terminal.session import piped

HOSTILE = "</style></title><script>alert(1)</script><img src=x onerror='a'>\"&{{}}\u202e"
VOID = {"meta", "link", "img", "br", "hr", "input"}


class Whole(HTMLParser):
    """Reads a page: every element is ended by its own end, and what was met is counted."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def evaluated(game: Game[Any], name: str = "me", deals: int = 6, other: str = "perfect") -> dict[str, Any]:
    contest = Contest(game, "1")
    runner = ContestRunner(contest, {other: Odd(), **PLAYERS, name: Odd()})
    opponents = ["random", other]
    rows = [runner.play(job) for job in evaluation_jobs(name, opponents, range(deals))]
    found = Evaluation(contest, name, opponents, rows, silently)
    found.add_exact(PLAYERS["random"], silently)
    return found.data()


def in_league(game: Game[Any], names: list[str], deals: int = 4) -> dict[str, Any]:
    contest = Contest(game, "1")
    runner = ContestRunner(contest, {**{name: Odd() for name in names}, **PLAYERS})
    rows = [runner.play(job) for job in league_jobs(names, range(deals))]
    return League(contest, names, rows, silently).data()


@pytest.mark.parametrize("game", a_few(SMALL, 4), ids=repr)
def test_the_report_of_every_game_is_whole_and_says_all_that_was_found(game: Game[Any]) -> None:
    data = evaluated(game)
    page = Whole(html(evaluation_report(game, data)))
    assert page.text.count("Against random") >= 3 if data["worst"] else 1
    for row in data["rows"]:
        assert f"{100 * row['share']:.1f} %" in page.text
    boards = [tag for tag, attributes in page.tags if tag == "svg" and "The position" in str(attributes)]
    assert len(boards) == len(data["worst"])
    for tag, attributes in page.tags:
        if tag == "th":
            assert attributes["scope"] in ("row", "col")
        if tag == "svg" and attributes.get("role") == "img":
            assert attributes["aria-label"]
    league = in_league(game, ["me", "random", "hard"])
    page = Whole(html(league_report(game, league)))
    for one in league["players"]:
        assert one["who"] in page.text


def test_the_tables_for_papers_call_a_figure_as_the_json_does() -> None:
    data = evaluated(SMALL[0])
    texts = figures(evaluation_report(SMALL[0], data))
    (rows,) = (list(csv.DictReader(text.splitlines())) for name, text in texts.items() if "all-figures.csv" in name)
    assert "wins" not in rows[0]
    for row, known in zip(rows, data["rows"], strict=True):
        assert [float(row[name]) for name in ("games", "share")] == [known["games"], known["share"]]


def test_how_much_is_gained_without_luck_is_told_in_two_digits() -> None:
    data = evaluated(SMALL[0])
    data["deals"] = ENOUGH
    for both, fewer in zip((one for one in data["more"] if one["seat"] is None), (4395.2, 180344.4), strict=True):
        both["fewer"] = fewer
    assert "from 4,400 to 180,000 times fewer games." in words(evaluation_report(SMALL[0], data))


def test_a_report_asks_for_nothing_and_lets_nothing_run() -> None:
    game = nq.game("sumquest")
    for text in (
        html(evaluation_report(game, evaluated(game))),
        html(league_report(game, in_league(game, ["me", "random", "hard"]))),
    ):
        assert text.isascii()
        page = Whole(text)
        assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in page.tags}
        assert not re.search(r"@import|url\(|src=", text)
        assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
        policy = next(said for _, said in page.tags if said.get("http-equiv") == "Content-Security-Policy")
        assert "default-src 'none'" in (policy["content"] or "")
        for said in ("prefers-color-scheme: dark", "@media print", "width=device-width"):
            assert said in text


def test_names_and_errors_from_outside_stay_words() -> None:
    game = nq.game("sumquest")
    data = evaluated(game, HOSTILE, other=f"{HOSTILE} too")
    data["said_by_providers"] = [HOSTILE]
    data["rows"][2]["errors"] = 1
    for one in data["worst"]:
        one["move"] = HOSTILE
    page = Whole(html(evaluation_report(game, data)))
    assert not {"script", "img"} & {tag for tag, _ in page.tags}
    assert page.text.count("alert(1)") >= 3
    assert HOSTILE in "".join(page.texts)
    fifty = nq.game("fifty")
    picture = Whole(board(fifty, fifty.start(), HOSTILE, [HOSTILE], (HOSTILE, HOSTILE)))
    assert {tag for tag, _ in picture.tags} == {"svg", "title", "text", "g", "rect"}
    page = Whole(html(league_report(game, in_league(game, [HOSTILE, "random"]))))
    assert not {"script", "img"} & {tag for tag, _ in page.tags}
    assert HOSTILE in "".join(page.texts)


def test_each_of_the_worst_moves_can_be_reviewed_from_the_report() -> None:
    game = nq.game("sumquest")
    data = evaluated(game, deals=10)
    page = Whole(html(evaluation_report(game, data)))
    links = [attributes["href"] or "" for tag, attributes in page.tags if tag == "a" and "download" in attributes]
    assert len(links) == len(data["worst"]) > 0
    for link, one in zip(links, data["worst"], strict=True):
        record = b64decode(link.removeprefix("data:text/plain;base64,")).decode()
        assert record == one["record"]
        assert read(record).match.outcome is not None
    command = next(text for text in page.texts if text.startswith("numberquest solve") and "--after" in text)
    done = piped(shlex.split(command)[1:])
    assert done.returncode == 0


def test_a_board_marks_the_tile_that_was_taken_and_the_best() -> None:
    game = nq.game("fifty")
    picture = board(game, game.start(), "9+", ["5+"], ("A", "B"))
    assert picture.count('class="chosen"/>') == 1
    assert picture.count('class="best"/>') == 1
    grid = nq.game("grid", stand=True)
    p = grid.start()
    while grid.player(p) not in (0, 1):
        p = grid.play(p, grid.moves(p)[0])
    picture = board(grid, p, grid.moves(p)[0], [], ("A", "B"))
    assert picture.count('class="chosen"/>') == 1


def test_rules_that_nobody_can_solve_have_a_report_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from numberquest.solver import TooLarge
    from numberquest.study import evaluation

    def too_large(_: Game[Any]) -> Any:
        raise TooLarge("too large")

    monkeypatch.setattr(evaluation, "solve", too_large)
    game = nq.game("sumquest")
    contest = Contest(game, "1")
    runner = ContestRunner(contest, {"random": PLAYERS["random"], "me": Mumbling(1)})
    rows = [runner.play(job) for job in evaluation_jobs("me", ["random"], range(4))]
    data = Evaluation(contest, "me", ["random"], rows, silently).data()
    assert "too large to solve" in Whole(html(evaluation_report(game, data))).text


def test_the_command_writes_the_page_and_the_figures_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "me.html"
    command = ["evaluate", "sumquest", "easy", "--against", "random", "--deals", "4", "--seed", "1", "--json"]
    done = piped([*command, "--report", str(path)])
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "me.json").read_text()) == json.loads(done.stdout)
    assert "easy in" in Whole(path.read_text()).text
    again = piped([*command, "--report", str(path)])
    assert again.returncode == 2
    assert "exists already" in again.stderr
    league = piped(["league", "sumquest", "easy", "hard", "--deals", "3", "--report", str(path), "--force"])
    assert league.returncode == 0, league.stderr
    assert "A league in" in Whole(path.read_text()).text


@pytest.mark.parametrize(
    ("name", "said"), [("", "is a folder"), ("me.json", "such as report.html"), ("none/me.html", "there is no folder")]
)
def test_no_game_is_played_where_the_report_cannot_be_written(name: str, said: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = piped(["evaluate", "sumquest", "easy", "--out", str(out), "--report", str(tmp_path / name)])
    assert done.returncode == 2
    assert said in done.stderr
    assert not out.exists()


@pytest.mark.parametrize("game", [nq.game("sumquest", target=9, high=4), nq.game("fifty", high=3, target=7)], ids=repr)
def test_marks_are_explained_only_where_there_are_some(game: Game[Any]) -> None:
    page = html(evaluation_report(game, evaluated(game)))
    marked = 'class="chosen"/>' in page.partition("The worst moves")[2].partition('class="moves"')[2]
    assert marked == (game.slug == "fifty")
    assert "The worst moves" in page
    assert ("what it chose" in page) == marked


def test_covered_and_open_tiles_are_told_apart() -> None:
    match = Match(nq.game("grid"), deal=[7, 1, 2, 3, 4, 5, 6, 8, 9])
    match.play("1,1")
    svg = board(match.game, match.position, "1,2", ["1,3"], ("A", "B"))
    assert (svg.count('class="tile"'), svg.count('class="covered"')) == (1, 8)
    assert svg.count("font-size:14px") == 1
