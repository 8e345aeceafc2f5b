"""The kernels for a card give what the solvers on the processor give. Here they run there too, block by block."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import numberquest as nq
from numberquest.cli import main
from numberquest.core.contract import Game
from numberquest.core.progress import silently
from numberquest.core.registry import game, part
from numberquest.solver import NoDevice, TooLarge, solve
from numberquest.solver import gpu as cards
from numberquest.solver.device import DEVICES, Start, solution, starts
from numberquest.solver.table import BLOCK
from tests.conftest import in_ci
from tests.solver.simulated import SimulatedCard

FIFTY: list[dict[str, Any]] = [
    {"target": 2, "high": 2, "copies": 1, "ops": "+"},
    # Player 2 wins.
    {"target": 4, "high": 3, "copies": 1},
    {"target": 31, "high": 3, "copies": 2, "ops": "+-"},
    {"target": 32, "high": 3, "copies": 2, "ops": "+*/"},
    {"target": 33, "high": 4, "copies": 1},
    {"target": 50, "high": 5, "copies": 1},
    {"target": 64, "high": 3, "copies": 2, "ops": "+-*"},
    {"target": 200, "high": 4, "copies": 1, "ops": "+-/"},
]
MYSTIC: list[dict[str, Any]] = [
    {"target": 2, "high": 2, "copies": 1},
    # Nine can never be subtracted.
    {"target": 5, "high": 9, "copies": 1},
    {"target": 21, "high": 4, "copies": 2},
    {"target": 22, "high": 3, "copies": 2},
    {"target": 60, "high": 5, "copies": 1},
]
RULES = [*(game("fifty", **settings) for settings in FIFTY), *(game("mystic", **settings) for settings in MYSTIC)]


def named(rules: Game[Any]) -> str:
    return f"{rules.slug} {rules.settings_text}"


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> SimulatedCard:
    """One for all, because compiling takes longer than solving."""
    return SimulatedCard(tmp_path_factory.mktemp("kernels"))


@pytest.fixture
def at_hand(card: SimulatedCard, monkeypatch: pytest.MonkeyPatch) -> SimulatedCard:
    """The card of this machine, and nothing solved yet."""
    monkeypatch.setattr(cards, "card", lambda: card)
    monkeypatch.setattr(card, "memory", card.memory)
    monkeypatch.setattr(sys.modules["numberquest.solver"], "_solved", {})
    return card


def assert_the_processors(table: Any, rules: Game[Any]) -> None:
    own: Any = part(type(rules), "solver")
    expected = own.solve(rules, silently)
    assert np.array_equal(table.reshape(expected.shape), expected), rules


@pytest.mark.usefixtures("at_hand")
@pytest.mark.parametrize("rules", [*RULES, game("fifty"), game("mystic")], ids=named)
def test_every_value_is_the_processors_to_the_last_digit(rules: Game[Any]) -> None:
    # In the classic games some chances come out above 1 by rounding, and what is left below 0; in smaller ones none do.
    found: Any = solve(rules, device="cuda")
    assert_the_processors(found.table.on_card, rules)


@in_ci
@pytest.mark.usefixtures("at_hand")
@pytest.mark.parametrize("slug", ["fifty", "mystic"])
@pytest.mark.parametrize("copies", [1, 2, 3, 4])
def test_so_it_is_for_targets_all_over_the_range(slug: str, copies: int) -> None:
    most: Any = nq.GAMES[slug].fields["target"]
    for target in range(2 + copies, most.high + 1, 23):
        rules = game(slug, target=target, high=6 // copies + 1, copies=copies)
        found: Any = solve(rules, device="cuda")
        assert_the_processors(found.table.on_card, rules)


@pytest.mark.usefixtures("at_hand")
@pytest.mark.parametrize("most", [cards.AT_ONCE, 1], ids=["together", "one by one"])
def test_many_starts_at_once_are_those_of_each_alone(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "AT_ONCE", most)
    few = [rules for rules in RULES if rules.settings["high"] < 9]  # type: ignore[operator]
    same_pools = [game("fifty", target=target, high=3, ops=ops) for target in (20, 29, 30) for ops in ("+", "+-*/")]
    same_piles = [game("mystic", target=target, high=3) for target in (4, 9, 23)]
    asked = [*few, *same_pools, *same_piles]
    found = {start.game: start for start in starts(asked)}
    assert set(found) == set(asked)
    assert {found[rules].value for rules in asked} > {0, 1}, "a win, a loss and chances between them"
    for rules in asked:
        alone = solve(rules)
        start = rules.start()
        assert found[rules] == Start(rules, float(alone.value(start)), tuple(alone.best(start)), alone.positions)


def test_a_solution_reads_from_the_card_what_it_needs(at_hand: SimulatedCard) -> None:
    rules = game("mystic", target=60, high=3)
    read: list[int] = []
    plain = at_hand.read

    def counted(array: Any) -> Any:
        read.append(len(array))
        return plain(array)

    at_hand.read = counted  # type: ignore[method-assign]
    try:
        there, here = solve(rules, device="cuda"), solve(rules)
        position = rules.start()
        while rules.moves(position):
            assert there.value(position) == here.value(position)
            assert there.moves(position) == here.moves(position)
            position = rules.play(position, rules.moves(position)[-1])
    finally:
        del at_hand.read
    assert max(read) <= BLOCK
    assert sum(read) < there.positions


@pytest.mark.usefixtures("at_hand")
def test_a_game_is_solved_once_on_each_device() -> None:
    rules = game("fifty", target=10, high=3, copies=1)
    assert solve(rules, device="cuda") is solve(rules, device="cuda")
    assert solve(rules, device="cuda") is not solve(rules)
    assert solve(rules) is solve(rules, device="cpu")


@pytest.mark.usefixtures("at_hand")
def test_how_far_it_is_is_told() -> None:
    told: list[tuple[int, int]] = []
    solve(game("fifty", target=10, high=3, copies=1), device="cuda", progress=lambda *done: told.append(done))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_what_does_not_fit_on_the_card_is_refused_before_the_work(at_hand: SimulatedCard) -> None:
    at_hand.memory = 1 << 10
    for slug in ("fifty", "mystic"):
        rules = game(slug, high=3)
        with pytest.raises(TooLarge, match=rf"to solve {slug} with .* of the card's memory, and 0 MB are free there"):
            solve(rules, device="cuda")
        with pytest.raises(TooLarge, match="of the card's memory"):
            list(starts([rules]))


@pytest.mark.usefixtures("at_hand")
def test_a_game_without_a_part_for_the_card_is_refused_at_once() -> None:
    with pytest.raises(NoDevice, match=r"^grid has no solver for cuda: solve it on the processor, without a device$"):
        solve(game("grid"), device="cuda")
    with pytest.raises(NoDevice, match="grid has no solver for cuda"):
        starts([game("fifty"), game("grid")])


def test_a_device_that_nobody_knows_is_refused() -> None:
    with pytest.raises(NoDevice, match=r"^there is no device 'abacus': it is cpu or cuda$"):
        solve(game("fifty"), device="abacus")
    with pytest.raises(NoDevice, match="'abacus'"):
        starts([game("fifty")], device="abacus")


class NoCards:
    """CuPy on a machine without a card."""

    class cuda:  # noqa: N801
        class runtime:  # noqa: N801
            class CUDARuntimeError(RuntimeError):
                pass

            @staticmethod
            def getDeviceCount() -> int:  # noqa: N802
                raise NoCards.cuda.runtime.CUDARuntimeError("cudaErrorNoDevice")


@pytest.mark.parametrize(
    ("cupy", "said"),
    [
        (None, "solving on cuda needs CuPy: pip install '.[cuda]' in the folder of Number Quest"),
        (NoCards, "there is no CUDA card here that can be used: cudaErrorNoDevice"),
    ],
    ids=["without CuPy", "without a card"],
)
def test_a_machine_that_cannot_says_so_in_one_sentence(
    cupy: Any, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    cards.card.cache_clear()
    assert main(["solve", "fifty", "--device", "cuda"]) == 1
    assert capsys.readouterr() == ("", f"numberquest: {said}\n")


def test_a_broken_cupy_is_told_from_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cupy.py").write_text('raise ImportError("\\n=====\\nFailed to import CuPy.\\nAnd why.")')
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    cards.card.cache_clear()
    with pytest.raises(NoDevice, match=r"^CuPy is installed, but cannot be used: Failed to import CuPy\.$"):
        solve(game("fifty"), device="cuda")


@pytest.mark.usefixtures("at_hand")
def test_the_command_solves_where_it_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["solve", "fifty", "--set", "target=20", "--set", "high=3", "--after", "3+", "--json"]
    said = []
    for where in DEVICES:
        assert main([*command, "--device", where]) == 0
        said.append(capsys.readouterr().out.rpartition(', "seconds"')[0])
    assert said[0] == said[1] != ""


@in_ci
@pytest.mark.parametrize(
    ("slug", "numbers"),
    [("fifty", (("WORDS", 7), ("COPIES", 4))), ("mystic", (("COPIES", 4),))],
    ids=["fifty", "mystic"],
)
def test_the_compiler_for_cards_takes_the_kernels(
    slug: str, numbers: tuple[tuple[str, int], ...], tmp_path: Path
) -> None:
    compiler = shutil.which("nvcc")
    if compiler is None:
        pytest.skip("SKIPPED: nvcc is not on this machine; only where there is a card are the kernels compiled for one")
    kernels: Any = part(nq.GAMES[slug], "gpu")
    program = cards.Program(str(Path(kernels.__file__).with_suffix(".cu")), numbers)
    source = tmp_path / "kernels.cu"
    source.write_text(program.source())
    command = [compiler, "-ptx", "-arch=sm_90", "-Werror", "all-warnings", *cards.OPTIONS, *program.defines()]
    subprocess.run([*command, "-o", str(tmp_path / "kernels.ptx"), str(source)], check=True)


def test_on_a_real_card_too() -> None:
    try:
        real = cards.card()
    except NoDevice as why:
        pytest.skip(f"SKIPPED: {why}; the kernels are tested on the processor alone")
    for rules in RULES:
        found: Any = solution(rules, "cuda", silently)
        assert_the_processors(real.read(found.table.on_card), rules)
