"""What every test shares: an empty home of its own, and how hard Hypothesis tries."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, settings

from numberquest.core.registry import GAMES, VARIABLE
from numberquest.solver import budget

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet

# Shells let what they start in the background ignore Ctrl-C, and so would every program that is tested.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# These machines are shared: how long an example takes says nothing about the code.
TORTURE = bool(os.environ.get("NUMBERQUEST_TORTURE"))
ALL = TORTURE or bool(os.environ.get("NUMBERQUEST_REQUIRE_ALL"))
EXAMPLES = 300 if TORTURE else 30 if ALL else 15
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)
"""For costly cases: to look for a smaller one that fails too, one by one, would take minutes, and says no more."""
settings.register_profile("default", deadline=None, max_examples=EXAMPLES, phases=(*UNSHRUNK, Phase.shrink))
settings.load_profile("default")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: many tests wait for a server, a browser or a terminal most of the time."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long: runs in `make torture` and nowhere else")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests marked `long`, loudly; in `make torture`, which chooses by that mark, every campaign has it."""
    for item in items:
        if TORTURE and item.nodeid.startswith("tests/torture/"):
            item.add_marker("long")
        elif not TORTURE and item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip("SKIPPED: a long campaign; make torture has it"))


def pytest_collection_finish() -> None:
    """What all tests are made of stays: nothing of it is looked through again and again for what could be let go."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of its own for each test, so that no test sees a player's saved games."""
    for name in ("NO_COLOR", "TERM", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.fixture(autouse=True)
def games(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test brings besides the games of the house is gone when it ends: others list the games too."""
    monkeypatch.setattr(GAMES, "_brought", dict(GAMES._brought))
    monkeypatch.setattr(GAMES, "_unlisted", set(GAMES._unlisted))
    monkeypatch.setattr(GAMES, "_complete", GAMES._complete)
    # Set, so that it is taken away again: a command that brings a game says so to the processes that it starts.
    monkeypatch.setenv(VARIABLE, "")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much time as solving takes: a test of the server's worker in the same process may have set a limit."""
    monkeypatch.setattr(budget, "patience", float("inf"))
    monkeypatch.setattr(budget, "_given_up", {})


in_ci = pytest.mark.skipif(not ALL, reason="SKIPPED: takes long; .ci/run has it")
"""For a test that is long and alone of its kind."""


def a_few(things: Iterable[object], kept: int) -> list[ParameterSet]:
    """So many of the things, spread evenly; the others are skipped, loudly, where not everything is required.

    For long rows of alike cases in slow surroundings, a browser above all: `.ci/run` goes through all of them.
    """
    every = list(things)
    chosen = {round(at * (len(every) - 1) / max(kept - 1, 1)) for at in range(kept)}
    left_out = pytest.mark.skipif(not ALL, reason="SKIPPED: one of a long row of cases; .ci/run goes through all")
    return [pytest.param(thing, marks=() if at in chosen else left_out) for at, thing in enumerate(every)]


def required(what: str) -> None:
    """Skip a test for something this machine lacks, loudly; fail where everything is required."""
    message = f"SKIPPED: {what} is not on this machine"
    if os.environ.get("NUMBERQUEST_REQUIRE_ALL"):
        pytest.fail(message)
    pytest.skip(message)
