"""How long the campaigns are: short in `make test`, long in `make torture`."""

import os


def length(short: int, long: int) -> int:
    """How often to try."""
    return long if os.environ.get("NUMBERQUEST_TORTURE") else short
