"""The page's kernel for games over pools gives what the solver on the processor gives, to the last digit."""

import json
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from numberquest.core.progress import silently
from numberquest.core.registry import game
from numberquest.core.settings import BadSetting
from numberquest.solver import numbers
from numberquest.solver.budget import TooLarge
from numberquest.solver.pool_recurrence import PoolRules, best_play, pool_rules
from numberquest.solver.wasm import KERNEL, effects_of, ends_of, shape_of
from tests.conftest import ALL, in_ci, required

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "src" / "numberquest" / "solver"


def tables(rules: list[PoolRules[Any]]) -> list[str]:
    """What the kernel says to these, under Node."""
    node = shutil.which("node")
    if node is None:
        required("Node")
    asked = [
        {
            "shape": shape_of(one),
            "effects": effects_of(one).tolist(),
            "ends": ends_of(one).tolist(),
            "layers": one.pools.size,
            "positions": one.positions,
        }
        for one in rules
    ]
    done = subprocess.run(
        [str(node), str(Path(__file__).with_name("pools.mjs")), str(FOLDER / KERNEL)],
        input="\n".join(map(json.dumps, asked)),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def settings(many: int) -> list[PoolRules[Any]]:
    """So many rule sets of the games over pools, each of which is small."""
    found: list[PoolRules[Any]] = []
    dice = Random("pools")
    while len(found) < many:
        slug = dice.choice(["fifty", "mystic"])
        more = {"ops": dice.choice(["+", "+-", "+*", "+-*/", "+/"])} if slug == "fifty" else {}
        try:
            rules = pool_rules(
                game(slug, high=dice.randint(2, 5), copies=dice.randint(1, 3), target=dice.randint(2, 60), **more)
            )
        except BadSetting:
            continue
        if rules is not None and rules.positions < 300_000:
            found.append(rules)
    return found


def test_the_kernel_gives_the_tables_of_the_processor_to_the_last_digit() -> None:
    every = settings(300 if ALL else 60)
    expected = [sha256(best_play(rules, silently).tobytes()).hexdigest() for rules in every]
    assert tables(every) == expected


@in_ci
@pytest.mark.parametrize("slug", ["fifty", "mystic"])
def test_the_kernel_solves_the_classic_rules(slug: str) -> None:
    rules = pool_rules(game(slug))
    assert rules is not None
    assert tables([rules]) == [sha256(best_play(rules, silently).tobytes()).hexdigest()]


def test_the_kernel_refuses_what_a_page_has_no_memory_for() -> None:
    rules = pool_rules(game("fifty", target=200, high=9, copies=3))
    assert rules is not None
    assert tables([rules]) == ["too large"]


def test_the_compiled_kernel_is_that_of_its_source(tmp_path: Path) -> None:
    if shutil.which("clang") is None or shutil.which("wasm-ld") is None:
        required("clang with wasm-ld")
    made = tmp_path / KERNEL
    subprocess.run(["make", "wasm", f"KERNEL={made}"], cwd=ROOT, check=True, capture_output=True)  # noqa: S607
    assert made.read_bytes() == (FOLDER / KERNEL).read_bytes()


def test_without_numpy_what_needs_it_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    absent = type(vars(numbers)["np"])()
    with pytest.raises(TooLarge, match="NumPy"):
        absent.zeros  # noqa: B018
    assert np.zeros(1).size == 1
