"""How long the campaigns are: short in `make test`, long in `make torture`."""

import os
from typing import Final

import pytest


def length(short: int, long: int) -> int:
    """How often to try."""
    return long if os.environ.get("NUMBERQUEST_TORTURE") else short


only_long: Final = pytest.mark.skipif(
    not os.environ.get("NUMBERQUEST_TORTURE"), reason="SKIPPED: it measures time; make torture has it"
)
"""For what goes by the clock, which no test of a change may."""
