"""How long the campaigns are: short in `make test`, long in `make torture`."""

from typing import Final

import pytest

from tests.conftest import TORTURE


def length(short: int, long: int) -> int:
    """How often to try."""
    return long if TORTURE else short


only_long: Final = pytest.mark.long
"""For a test that goes by the clock, or proves little for each of its many seconds: `make torture` alone runs it."""
