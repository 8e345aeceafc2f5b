"""What was solved is kept on disk, and nothing that happens to the file does harm; what takes too long is given up."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.contract import Game
from numberquest.core.progress import silently
from numberquest.core.registry import game
from numberquest.games.fifty import solver as fifty
from numberquest.solver import TooLarge, _solved, budget, solve, table
from numberquest.solver.budget import impatient, patient_for
from numberquest.solver.distance import distances

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
    assert again() == (first, [])


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
    assert_made_anew(first, sentence)
    assert again() == (first, [])


def assert_made_anew(first: Any, sentence: str) -> None:
    """What is solved now is the same, and one sentence says why it was not read."""
    second, said = again()
    assert second == first
    assert len(said) == 1
    assert sentence in said[0]


def test_a_single_wrong_bit_in_the_values_is_noticed_when_it_is_read() -> None:
    first, _ = again()
    data = bytearray(the_file().read_bytes())
    data[-1] ^= 1
    the_file().write_bytes(data)
    assert again() == (first, [f"{the_file()} was damaged; it has been made anew."])
    assert again() == (first, [])


def test_the_table_of_another_game_is_not_taken_for_this_one() -> None:
    first, _ = again()
    other = game("fifty", target=20, high=4, ops="+")
    solve(other)
    the_file().write_bytes(Path(table.path_for(other)).read_bytes())
    assert_made_anew(first, "it is of another game or version")


def test_a_folder_that_cannot_be_written_to_costs_one_sentence(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    first, _ = again()
    (home / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "file"))
    assert_made_anew(first, "cannot be written")


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


GAME = nq.game("sumquest")


class Work:
    """A processor whose time passes as it is told."""

    def __init__(self) -> None:
        self.now = 100.0

    def steps(self, what: str = "values", *, seconds: float, layers: int = 10) -> int:
        """How many steps of so many seconds each are taken before it is given up."""
        begun: list[int] = []
        progress = impatient(GAME, what, lambda done, _: begun.append(done))
        try:
            for done in range(layers + 1):
                progress(done, layers)
                self.now += seconds
        except TooLarge:
            return len(begun)
        assert begun == [*range(layers + 1)]
        return len(begun)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    made = Work()
    monkeypatch.setattr(time, "process_time", lambda: made.now)
    return made


def test_what_took_too_long_is_not_begun_again_with_as_little_patience(work: Work) -> None:
    with patient_for(3):
        assert work.steps(seconds=1) == 4
        assert work.steps(seconds=1) == 0
        with patient_for(2):
            assert work.steps(seconds=1) == 0
        # Something else about the same game is.
        assert work.steps("distances", seconds=1) == 4
    with patient_for(5):
        assert work.steps(seconds=1) == 6
    # What is known of a longer try is not forgotten for a shorter one.
    with patient_for(3):
        assert work.steps(seconds=1) == 0
    with patient_for(5):
        assert work.steps(seconds=1) == 0
    assert work.steps(seconds=1) == 11


def test_a_first_try_in_vain_is_no_reason_not_to_begin_again(work: Work) -> None:
    with patient_for(3, at_first=True):
        assert work.steps(seconds=1) == 4
        assert work.steps(seconds=1) == 4
    with patient_for(3):
        assert work.steps(seconds=1) == 4


def test_what_is_done_is_never_too_late(work: Work) -> None:
    with patient_for(3):
        assert work.steps(seconds=4, layers=2) == 1
        # Read from disk, it takes no step but the last.
        impatient(GAME, "values", silently)(2, 2)


@pytest.mark.parametrize("solved", [solve, distances])
def test_a_game_found_too_slow_takes_no_step_when_it_is_asked_for_again(
    solved: Callable[..., object], work: Work
) -> None:
    taken: list[int] = []

    def slowly(done: int, _: int) -> None:
        taken.append(done)
        work.now += 1

    with patient_for(3):
        for _ in range(3):
            with pytest.raises(TooLarge, match="takes longer than 3 seconds"):
                solved(nq.game("fifty", target=61, high=8), progress=slowly)
            assert len(taken) == 4
