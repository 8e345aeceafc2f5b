"""What was solved is kept on disk, and nothing that happens to the file does harm."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from numberquest.contract import Game
from numberquest.games import game
from numberquest.games.fifty import solver as fifty
from numberquest.solver import TooLarge, _solved, budget, solve, table

RULES = game("fifty", target=20, high=4)


@pytest.fixture(autouse=True)
def fresh() -> None:
    """Each test starts with nothing in memory."""
    _solved.clear()


def again() -> tuple[Any, list[str]]:
    """Solve as a new process would, and what was said."""
    _solved.clear()
    said: list[str] = []
    solution = solve(RULES, warn=said.append)
    value = [solution.value(position) for position in some_positions(RULES)]
    return value, said


def some_positions(rules: Game[Any]) -> list[Any]:
    positions = [rules.start()]
    for position in positions[:1] * 3:
        for move in rules.moves(position):
            after = rules.play(position, move)
            positions.append(after)
            positions += [rules.play(after, reply) for reply in rules.moves(after)]
    return positions


def the_file() -> Path:
    return Path(table.path_for(RULES))


def test_the_name_carries_the_rules_and_the_version() -> None:
    again()
    assert the_file().name == f"fifty_target=20_high=4_copies=2_ops=+-xd_v{table.VERSION}.table"
    assert the_file().exists()


def test_the_second_time_nothing_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = again()

    def refuse(*_: object) -> None:
        pytest.fail("solved again")

    monkeypatch.setattr(fifty, "solve", refuse)
    second, said = again()
    assert (second, said) == (first, [])


def test_an_answer_from_disk_needs_no_numpy() -> None:
    again()
    code = (
        "import sys, numberquest as nq\n"
        "nq.solve(nq.game('fifty', target=20, high=4)).moves(nq.game('fifty', target=20, high=4).start())\n"
        "print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (lambda _: b"", "it is empty"),
        (lambda data: data[:100], "it is damaged"),
        (lambda data: data[:-8], "it is cut short"),
        (lambda data: data + b"more", "it is cut short"),
        (lambda _: b"something else entirely, and long enough to be a table", "not a table"),
        (lambda data: data[:40] + b"\x00" + data[41:], "it is damaged"),
    ],
)
def test_a_file_that_cannot_be_used_is_noticed_and_made_anew(harm: Any, sentence: str) -> None:
    first, _ = again()
    the_file().write_bytes(harm(the_file().read_bytes()))
    second, said = again()
    assert second == first
    assert len(said) == 1
    assert sentence in said[0]
    assert again() == (first, [])


def test_a_single_wrong_bit_in_the_values_is_noticed_when_it_is_read() -> None:
    first, _ = again()
    data = bytearray(the_file().read_bytes())
    data[-1] ^= 1
    the_file().write_bytes(data)
    second, said = again()
    assert second == first
    assert said == [f"{the_file()} was damaged; it has been made anew."]
    assert again() == (first, [])


def test_the_table_of_another_game_is_not_taken_for_this_one() -> None:
    first, _ = again()
    other = game("fifty", target=20, high=4, ops="+")
    solve(other)
    the_file().write_bytes(Path(table.path_for(other)).read_bytes())
    second, said = again()
    assert second == first
    assert "it is of another game or version" in said[0]


def test_a_folder_that_cannot_be_written_to_costs_one_sentence(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    first, _ = again()
    (home / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "file"))
    second, said = again()
    assert second == first
    assert len(said) == 1
    assert "cannot be written" in said[0]


def test_two_that_solve_at_once_do_no_harm() -> None:
    code = "import numberquest as nq; g = nq.game('fifty', target=20, high=4); print(nq.solve(g).value(g.start()))"
    running = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=dict(os.environ))
        for _ in range(4)
    ]
    answers = {process.communicate()[0] for process in running}
    assert len(answers) == 1
    assert [path.name for path in the_file().parent.iterdir()] == [the_file().name]


def test_what_does_not_fit_into_memory_is_refused_before_starting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "free_memory", lambda: 10**6)
    with pytest.raises(TooLarge, match=r"takes about 16 MB of memory, and 1 MB are free here"):
        solve(game("fifty"))
