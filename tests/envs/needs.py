"""What the environments' tests need besides: packages that only the extras bring."""

import importlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import required

ROOT = Path(__file__).parent.parent.parent


def needed(module: str) -> Any:
    """The module, imported; without its package the tests are skipped, loudly: one test, or a whole file at its top."""
    package = module.partition(".")[0]
    if importlib.util.find_spec(package) is None:
        try:
            required(package)
        except pytest.skip.Exception as skipped:
            raise pytest.skip.Exception(skipped.msg, allow_module_level=True) from None
    return importlib.import_module(module)


def run(code: str, **variables: str) -> str:
    """What a fresh Python says to this."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **variables},
        check=False,
    )
    assert not done.stderr
    return done.stdout
