"""The tests of an adapter run in its own environment: what is installed besides changes no other test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.adapters.environment import needed
from tests.envs.needs import ROOT

STAND_IN = "raise SystemExit('what only its own environment may import was imported')"


def test_a_package_that_happens_to_be_there_is_not_even_imported(tmp_path: Path) -> None:
    """As JAX is after `make bench`: whoever imports it beside other tests leaves them its threads."""
    (tmp_path / "jax.py").write_text(STAND_IN)
    files = [str(file.relative_to(ROOT)) for file in sorted((ROOT / "tests").glob("*/test_jax.py"))]
    assert len(files) == 2
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", "-rs", "-p", "no:cacheprovider", *files],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "NUMBERQUEST_ADAPTER": ""},
    )
    assert done.returncode == 5, done.stdout + done.stderr
    assert done.stdout.count("make adapter-jax") >= 1


def test_in_its_own_environment_a_missing_package_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBERQUEST_ADAPTER", "made-up")
    with pytest.raises(pytest.fail.Exception, match="there_is_none is not installed here: make adapter-made-up"):
        needed("there_is_none", "made-up")
    needed("json", "made-up")
