"""Shell completion, in the real shells."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from numberquest.core.registry import GAMES
from numberquest.players.levels import PLAYERS
from tests.conftest import required
from tests.terminal.session import PROGRAM, here, piped


def candidates(*words: str) -> list[str]:
    return here("complete", "--", *words).split()


def test_commands_games_options_and_values_are_completed() -> None:
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


def test_kept_games_are_completed_by_name() -> None:
    piped(["play", "sumquest"], ["9", "8", "6"])
    piped(["play", "grid"], ["1,1"])
    assert candidates("games", "") == ["list", "resume", "show", "review", "export", "delete"]
    (name,) = candidates("games", "review", "sum")
    assert name.startswith("sumquest-")
    assert candidates("games", "export", name, "") == ["FILES"]


def test_files_are_left_to_the_shell() -> None:
    assert candidates("play", "fifty", "--resume", "") == ["FILES"]


def test_a_player_may_be_named_by_its_file() -> None:
    for current in (".", "./age", "/home/", "~/"):
        assert candidates("play", "fifty", "--p2", current) == ["FILES"]
        assert candidates("match", "fifty", "easy", current) == ["FILES"]


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
    script.write_text(piped(["completion", shell]).stdout)
    done = subprocess.run(
        [shell, "-c", ASK[shell].format(script=script)],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"},
        timeout=60,
    )
    assert done.stdout.split() == ["sumquest"], done.stderr
