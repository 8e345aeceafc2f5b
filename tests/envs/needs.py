"""What the environments' tests need besides: packages that only the extras bring."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import pytest

from tests.conftest import required


def needed(module: str) -> Any:
    """The module, imported; without its package the tests are skipped, loudly: one test, or a whole file at its top."""
    package = module.partition(".")[0]
    if importlib.util.find_spec(package) is None:
        try:
            required(package)
        except pytest.skip.Exception as skipped:
            raise pytest.skip.Exception(skipped.msg, allow_module_level=True) from None
    return importlib.import_module(module)
