"""The command line: options, exit codes, data on standard output, one sentence for a mistake."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

import numberquest
from numberquest.core.dealer import commitment_of
from numberquest.core.record import read
from numberquest.core.registry import GAMES
from tests.terminal.session import PROGRAM, Terminal, here, piped


def test_version() -> None:
    assert piped(["--version"]).stdout == f"numberquest {numberquest.__version__}\n"
    assert piped(["--plain", "--version"]).stdout == f"numberquest {numberquest.__version__}\n"


def test_list_names_every_game_on_one_line() -> None:
    lines = here("list").splitlines()
    assert [line.split()[0] for line in lines] == list(GAMES)
    assert all(GAMES[line.split()[0]].summary in line for line in lines)
    assert lines[0].endswith("Player 1 wins by saying 45.")
    assert lines[2].endswith("No choice matters: Player 1 wins 41.23 %.")


def test_list_as_data() -> None:
    rows = json.loads(here("list", "--json"))
    assert [row["game"] for row in rows] == list(GAMES)
    assert all(set(row) == {"game", "title", "summary", "value", "proved"} for row in rows)


@pytest.mark.parametrize("slug", GAMES)
def test_rules_show_every_ruling_and_every_setting(slug: str) -> None:
    kind = GAMES[slug]
    shown = " ".join(here("rules", slug).split())
    assert kind.title in shown
    assert kind().rulings_told().keys() == {*kind.common, *kind.rulings}
    for code, text in kind().rulings_told().items():
        assert f"{code} {' '.join(text.split())}" in shown
    for name, field in kind.fields.items():
        assert re.search(rf" {name} (whether )?{re.escape(field.meaning)}", shown)
        assert f": {field.words}; classic " in shown


@pytest.mark.parametrize("slug", GAMES)
def test_rules_as_data(slug: str) -> None:
    data = json.loads(here("rules", slug, "--json"))
    assert set(data) == {"game", "title", "summary", "rules", "rulings", "settings", "proved"}
    assert {name: said["classic"] for name, said in data["settings"].items()} == GAMES[slug]().settings


def test_a_record_is_written_and_never_over_another_file(tmp_path: Path) -> None:
    path = tmp_path / "game.nq"
    arguments = ["play", "sumquest", "--record", str(path)]
    assert piped(arguments, ["9", "8", "6"]).returncode == 0
    assert read(path.read_bytes()).result == "1-0"
    again = piped(arguments, ["1"])
    assert again.returncode == 2
    assert "exists already" in again.stderr
    assert read(path.read_bytes()).result == "1-0"


def test_a_record_that_cannot_be_written_is_told_before_the_game(tmp_path: Path) -> None:
    done = piped(["play", "sumquest", "--record", str(tmp_path / "no" / "game.nq")])
    assert done.returncode == 1
    assert "cannot be written" in done.stderr


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "cannot be read: No such file"),
        ("nonsense", "is not a record: line 1: there is no [Game"),
        ('[Game "sumquest"]\n1. 9\n2. 9\n', "is not a record: line 3: '9' is not allowed here"),
        ('[Game "sumquest"]\n1. 9\n2. 8\n3. 6\n', "is over: Player 1 reached 23"),
        ('[Game "sumquest"]\n[Player1Type "wizard"]\n', "there is no computer player called wizard"),
    ],
)
def test_what_cannot_be_resumed_is_told(text: str | None, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "game.nq"
    if text is not None:
        path.write_text(text)
    done = piped(["play", "--resume", str(path)])
    assert done.returncode == 1
    assert sentence in done.stderr


def test_verify_checks_the_sealed_deal(tmp_path: Path) -> None:
    path = tmp_path / "game.nq"
    piped(["play", "grid", "--record", str(path)], ["1,1", "quit"])
    done = piped(["verify", str(path)])
    assert done.returncode == 0
    assert "The deal is the one that was sealed" in done.stdout
    path.write_text(re.sub(r'\[Seed "\w', '[Seed "x', path.read_text()))
    done = piped(["verify", str(path)])
    assert done.returncode == 1
    assert "this is not the deal promised" in done.stderr


def test_verify_says_when_nothing_was_sealed(tmp_path: Path) -> None:
    for arguments, sentence in (
        (["grid", "--seed", "1"], "follows from the seed 1"),
        (["grid", "--set", "side=2", "--deal", "1,2,3,4"], "were written down, not sealed"),
        (["sumquest"], "Nothing is hidden"),
    ):
        path = tmp_path / f"{len(arguments)}.nq"
        move = "5" if arguments == ["sumquest"] else "1,1"
        piped(["play", *arguments, "--record", str(path)], [move, "quit"])
        assert sentence in piped(["verify", str(path)]).stdout


@pytest.mark.parametrize("tag", ['[Practice "yes"]', '[Retry "3"]'])
def test_verify_says_that_the_deal_of_a_practice_game_was_known(tmp_path: Path, tag: str) -> None:
    path = tmp_path / "game.nq"
    piped(["play", "grid", "--record", str(path)], ["1,1", "quit"])
    text = path.read_text()
    path.write_text(text.replace("\n\n", f"\n{tag}\n\n", 1))
    done = piped(["verify", str(path)])
    assert done.returncode == 0
    assert "This was practice" in done.stdout
    assert "known beforehand" in done.stdout
    assert "is the one that was sealed" not in done.stdout


def test_names_that_the_output_cannot_show_do_no_harm() -> None:
    done = piped(["play", "sumquest", "--names", "Zoë,李"], ["quit"], {"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "Zo?, it's your turn" in done.stdout


@pytest.mark.parametrize(
    ("options", "env", "coloured", "pictured"),
    [
        ([], {}, True, True),
        ([], {"NO_COLOR": "1"}, False, True),
        ([], {"TERM": "dumb"}, False, True),
        (["--plain"], {}, False, True),
    ],
)
def test_colours_and_pictures_are_for_terminals_that_want_them(
    options: list[str], env: dict[str, str], coloured: bool, pictured: bool
) -> None:
    terminal = Terminal(["play", "grid", *options], env)
    terminal.answer("Select a cell (row,column): ", "quit")
    shown = terminal.finish()
    assert ("\x1b[" in shown) == coloured
    assert ("[ ][ ][ ]" in shown) == pictured


def test_a_sealed_deal_is_published_before_the_game_and_kept_in_the_record(tmp_path: Path) -> None:
    path = tmp_path / "game.nq"
    terminal = Terminal(["play", "grid", "--record", str(path)])
    terminal.answer("Select a cell (row,column): ", "1,1")
    terminal.answer("Select a cell (row,column): ", "quit")
    published = re.search(
        r"^The hidden numbers are settled; their fingerprint: ([0-9a-f]{16})$", terminal.finish(), re.MULTILINE
    )
    assert published is not None
    assert (read(path.read_bytes()).match.dealer.commitment or "").startswith(published[1])


def test_the_secret_of_a_sealed_deal_is_told_after_the_game() -> None:
    done = piped(["play", "grid", "--p1", "random", "--p2", "random"])
    published, secret = re.findall(r"\b[0-9a-f]{16}\b|\b[0-9a-f]{32}\b", done.stderr)
    assert commitment_of(secret).startswith(published)
    assert max(map(len, done.stderr.split("\n"))) <= 80


@pytest.mark.parametrize("command", ["list", "rules fifty", "--version"])
def test_a_full_disk_gets_one_sentence(command: str) -> None:
    shell = f"{' '.join(PROGRAM)} {command} >/dev/full"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True)  # noqa: S607
    # On a slow machine there may be lines of progress before it.
    said = [line for line in done.stderr.splitlines() if not line.startswith("Solving ")]
    assert (done.returncode, said) == (1, ["numberquest: the output cannot be written: No space left on device"])
