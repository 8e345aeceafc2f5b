"""The command line: options, exit codes, data on standard output, one sentence for a mistake."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

import numberquest
from numberquest.cli import main
from numberquest.core.dealer import commitment_of
from numberquest.core.record import read
from numberquest.core.registry import GAMES
from numberquest.core.sentences import sentence
from numberquest.players.levels import PLAYERS
from numberquest.terminal.commands import COMMANDS
from numberquest.terminal.parser import build_parser
from tests.conftest import in_ci, required
from tests.terminal.session import PROGRAM, Terminal, at_forty, here, run_program


def test_version() -> None:
    for options in ([], ["--plain"]):
        assert run_program([*options, "--version"]).stdout == f"numberquest {numberquest.__version__}\n"


def test_list_names_every_game_on_one_line_and_as_data() -> None:
    lines = here("list").splitlines()
    assert [line.split()[0] for line in lines] == list(GAMES)
    assert all(GAMES[line.split()[0]].summary in line for line in lines)
    assert lines[0].endswith("Player 1 wins by saying 45.")
    assert lines[2].endswith("No choice matters: Player 1 wins 41.23 %.")
    rows = json.loads(here("list", "--json"))
    assert [row["game"] for row in rows] == list(GAMES)
    assert all(set(row) == {"game", "title", "summary", "value", "proved"} for row in rows)


@pytest.mark.parametrize("slug", GAMES)
def test_rules_show_every_ruling_and_every_setting_and_are_data_too(slug: str) -> None:
    kind = GAMES[slug]
    shown = " ".join(here("rules", slug).split())
    assert kind.title in shown
    assert kind().rulings_told().keys() == {*kind.common, *kind.rulings}
    for code, text in kind().rulings_told().items():
        assert f"{code} {' '.join(text.split())}" in shown
    for name, field in kind.fields.items():
        assert re.search(rf" {name} (whether )?{re.escape(field.meaning)}", shown)
        assert f": {field.words}; classic " in shown
    data = json.loads(here("rules", slug, "--json"))
    assert set(data) == {"game", "title", "summary", "rules", "rulings", "settings", "proved"}
    assert {name: said["classic"] for name, said in data["settings"].items()} == kind().settings


def test_verify_checks_the_sealed_deal_and_says_where_it_follows_from_a_seed(tmp_path: Path) -> None:
    path, other = tmp_path / "game.nq", tmp_path / "other.nq"
    run_program(["play", "grid", "--record", str(path)], ["1,1", "quit"])
    assert "The deal is the one that was sealed" in run_program(["verify", str(path)], code=0).stdout
    path.write_text(re.sub(r'\[Seed "\w', '[Seed "x', path.read_text()))
    assert "this is not the deal promised" in run_program(["verify", str(path)], code=1).stderr
    run_program(["play", "grid", "--seed", "1", "--record", str(other)], ["1,1", "quit"])
    assert "follows from the seed 1" in run_program(["verify", str(other)]).stdout


@pytest.mark.parametrize("tag", ['[Practice "yes"]', '[Retry "3"]'])
def test_verify_says_that_the_deal_of_a_practice_game_was_known(tmp_path: Path, tag: str) -> None:
    path = tmp_path / "game.nq"
    run_program(["play", "grid", "--record", str(path)], ["1,1", "quit"])
    path.write_text(path.read_text().replace("\n\n", f"\n{tag}\n\n", 1))
    shown = run_program(["verify", str(path)], code=0).stdout
    assert "This was practice" in shown
    assert "known beforehand" in shown
    assert "is the one that was sealed" not in shown


def test_names_that_the_output_cannot_show_do_no_harm() -> None:
    done = run_program(["play", "sumquest", "--names", "Zoë,李"], ["quit"], {"PYTHONIOENCODING": "ascii"}, code=0)
    assert "Zo?, it's your turn" in done.stdout


@pytest.mark.parametrize(
    ("options", "env"), [([], {}), ([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"}), (["--plain"], {})]
)
def test_colours_are_for_terminals_that_want_them(options: list[str], env: dict[str, str]) -> None:
    terminal = Terminal(["play", "grid", *options], env)
    terminal.answer("Select a cell (row,column): ", "quit")
    shown = terminal.finish()
    assert ("\x1b[" in shown) == (not options and not env)
    assert "[ ][ ][ ]" in shown


def test_a_sealed_deal_is_published_before_the_game_and_kept_in_the_record(tmp_path: Path) -> None:
    path = tmp_path / "game.nq"
    terminal = Terminal(["play", "grid", "--record", str(path)])
    for typed in ("1,1", "quit"):
        terminal.answer("Select a cell (row,column): ", typed)
    settled = r"^The hidden numbers are settled; their fingerprint: ([0-9a-f]{16})$"
    (published,) = re.findall(settled, terminal.finish(), re.MULTILINE)
    assert (read(path.read_bytes()).match.dealer.commitment or "").startswith(published)


def test_the_secret_of_a_sealed_deal_is_told_after_the_game() -> None:
    done = run_program(["play", "grid", "--p1", "random", "--p2", "random"])
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


def test_the_levels_fit_a_narrow_terminal() -> None:
    wide, shown = run_program(["levels", "sumquest"]).stdout.split("\n"), at_forty("levels", "sumquest")
    assert max(map(len, shown)) <= 40
    in_table, in_rows = (
        [chance for line in lines if re.match(start, line) for chance in re.findall(r"\d+\.\d\d %", line)]
        for start, lines in ((r"\w+ +\d", wide), ("  ", shown))
    )
    assert in_rows == in_table


@in_ci
def test_the_list_and_what_help_says_of_options_fit_a_narrow_terminal() -> None:
    # What takes long on a busy machine is known by then, and no line about it is shown.
    known = run_program(["list"]).stdout
    shown = at_forty("play", "--help")
    for lines in (at_forty("list"), shown[shown.index("options:") :]):
        assert max(map(len, lines)) <= 40
    # Plain words have one line for each, however narrow the terminal is.
    assert "".join(f"{line}\n" for line in at_forty("list", "--plain") if line) == known


def candidates(*words: str) -> list[str]:
    return here("complete", "--", *words).split()


def test_commands_games_options_values_and_kept_games_are_completed_and_files_left_to_the_shell() -> None:
    assert {"play", "list", "rules"} <= set(candidates(""))
    assert candidates("pl") == ["play"]
    assert candidates("play", "") == list(GAMES)
    assert candidates("play", "s") == ["showdown", "sumquest"]
    assert candidates("rules", "f") == ["fifty"]
    assert candidates("play", "fifty", "--pl") == ["--plain"]
    assert candidates("play", "fifty", "--p2", "") == ["human", *PLAYERS, "cmd:", "llm:"]
    assert candidates("play", "grid", "--set", "") == ["side=", "stand=", "target="]
    assert candidates("match", "fifty", "e") == ["easy"]
    assert candidates("match", "fifty", "easy", "") == [*PLAYERS, "cmd:", "llm:"]
    assert candidates("match", "fifty", "easy", "hard", "") == []
    assert candidates("evaluate", "sumquest", "h") == ["hard"]
    assert candidates("evaluate", "fifty", "hard", "--against", "ra") == ["random"]
    assert candidates("league", "fifty", "easy", "hard", "m") == ["medium"]
    assert candidates("evaluate", "fifty", "hard", "--out", "") == ["FILES"]
    assert candidates("completion", "") == ["bash", "zsh", "fish"]
    assert candidates("play", "fifty", "--resume", "") == ["FILES"]
    for current in (".", "./age", "/home/", "~/"):
        assert (
            candidates("play", "fifty", "--p2", current) == candidates("match", "fifty", "easy", current) == ["FILES"]
        )
    run_program(["play", "sumquest"], ["9", "8", "6"])
    run_program(["play", "grid"], ["1,1"])
    assert candidates("games", "") == ["list", "stars", "resume", "show", "review", "export", "delete"]
    (name,) = candidates("games", "review", "sum")
    assert name.startswith("sumquest-")
    assert candidates("games", "export", name, "") == ["FILES"]


ASK = {
    "bash": "source {script}; COMP_WORDS=(numberquest play su); COMP_CWORD=2; _numberquest 2>/dev/null; "
    'echo "${{COMPREPLY[@]}}"',
    "zsh": "compdef() {{ : }}; compadd() {{ shift; echo $@ }}; words=(numberquest play su); CURRENT=3; "
    "source {script}; _numberquest",
    "fish": "source {script}; complete -C 'numberquest play su'",
}


@pytest.mark.parametrize("shell", ASK)
def test_the_script_works_in_its_shell(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        required(shell)
    program = tmp_path / "bin" / "numberquest"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {" ".join(PROGRAM)} "$@"\n')
    program.chmod(0o755)
    script = tmp_path / f"completion.{shell}"
    script.write_text(run_program(["completion", shell]).stdout)
    env = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    command = [shell, "-c", ASK[shell].format(script=script)]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=60)
    assert done.stdout.split() == ["sumquest"], done.stderr


WAYS = [(name, part) for name, entry in COMMANDS.items() for part in (entry.parts or [""])]


@pytest.mark.parametrize(("name", "part"), WAYS)
def test_every_help_has_a_sentence_and_an_example_that_can_be_typed(
    name: str, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*filter(None, [name, part])]
    with pytest.raises(SystemExit):
        main([*words, "--help"])
    told = " ".join(capsys.readouterr().out.split())
    entry = COMMANDS[name].parts[part] if part else COMMANDS[name]
    assert sentence(entry.help) in told
    example = entry.example.replace("GAME", next(iter(GAMES.own)))
    assert told.endswith(f"Example: numberquest {example}")
    typed = shlex.split(example)
    assert typed[: len(words)] == words
    build_parser(typed).parse_args(typed)
