"""Which environment the tests run in: the packages of the adapters clash, so that each has one of its own."""

from __future__ import annotations

import importlib
import os

import pytest


def needed(package: str, extra: str) -> None:
    """Skip a file of tests, loudly, where its package is not installed; fail in the environment that is for it."""
    try:
        importlib.import_module(package)
    except ModuleNotFoundError:
        message = f"SKIPPED: {package} is not installed here: pip install '.[{extra}]'"
        if os.environ.get("NUMBERQUEST_ADAPTER") == extra:
            pytest.fail(message, pytrace=False)
        pytest.skip(message, allow_module_level=True)
