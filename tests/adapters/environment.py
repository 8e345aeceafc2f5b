"""Which environment the tests run in: the packages of the adapters clash, so that each has one of its own."""

from __future__ import annotations

import importlib
import os

import pytest


def needed(package: str, extra: str) -> None:
    """Skip a file of tests, loudly, outside the environment that is for it; fail where its package is missing there.

    Also where the package happens to be installed, as JAX is after `make bench`: it would be imported beside all other
    tests, and leave them its threads, with which no process can be forked any more.
    """
    if os.environ.get("NUMBERQUEST_ADAPTER") != extra:
        message = f"SKIPPED: the tests of {extra} run in an environment of their own: make adapter-{extra}"
        pytest.skip(message, allow_module_level=True)
    try:
        importlib.import_module(package)
    except ModuleNotFoundError:
        pytest.fail(f"{package} is not installed here: make adapter-{extra}", pytrace=False)
